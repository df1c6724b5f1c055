//! One device's shell: commands go in, output comes back, and silence or a cut line is told.
//!
//! The client below has no time limits and reports a cut line as a normal end. So it works in a
//! thread of its own that is left behind when it is silent for too long, and every script ends
//! with a line of ours that carries the exit status: where that is missing, the device was lost.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use adb_client::server_device::ADBServerDevice;
use adb_client::{ADBDeviceExt, RustADBError};

use super::server::Server;
use crate::replay::DriverError;

/// No command of ours says more than this.
const MOST_BYTES: usize = 64 << 20;

/// The protocol has four hexadecimal digits for the length of a command.
const LONGEST: usize = 0xf000;

/// A shell on one device.
pub(super) struct Link {
    server: Server,
    serial: String,
    /// The longest silence.
    limit: Duration,
    worker: Option<Sender<Order>>,
    /// Stands in every mark, so that no text of an app can be taken for one.
    nonce: u64,
    count: u64,
}

/// Something for the thread to do.
enum Order {
    Run(String, Sender<Answer>),
    Push(Vec<u8>, String, Sender<Answer>),
}

type Answer = Result<Vec<u8>, RustADBError>;

/// What a script gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) status: u8,
    /// The outputs of its parts.
    pub(super) parts: Vec<String>,
}

impl Output {
    /// All parts together.
    pub(super) fn text(&self) -> String {
        self.parts.concat()
    }
}

impl Link {
    pub(super) fn new(server: Server, serial: &str, limit: Duration) -> Self {
        Self {
            server,
            serial: serial.to_owned(),
            limit,
            worker: None,
            nonce: RandomState::new().build_hasher().finish(),
            count: 0,
        }
    }

    pub(super) fn serial(&self) -> &str {
        &self.serial
    }

    pub(super) fn server(&self) -> Server {
        self.server
    }

    /// Runs a script.
    pub(super) fn run(&mut self, script: &str) -> Result<Output, DriverError> {
        self.run_parts(&[script])
    }

    /// Runs scripts in one go, one after the other; each part's output comes separately, and the
    /// exit status is that of the last one.
    pub(super) fn run_parts(&mut self, scripts: &[&str]) -> Result<Output, DriverError> {
        self.count += 1;
        let mark = format!("__{:016x}.{}", self.nonce, self.count);
        let between = format!("\necho; echo {mark}\n");
        let script = scripts.join(&between);
        let script = format!("{script}\necho; echo {mark}:$?");
        if script.len() > LONGEST {
            let why = format!("a command of {} bytes is more than adb takes", script.len());
            return Err(DriverError::Unwell(why));
        }
        let bytes = self.ask(|reply| Order::Run(script, reply))?;
        let text = String::from_utf8_lossy(&bytes);
        let end = format!("\n{mark}:");
        let Some((text, status)) = text.rsplit_once(&end) else {
            return Err(DriverError::Lost);
        };
        // Without its line end the status may be half a number.
        let status = status
            .strip_suffix('\n')
            .and_then(|it| it.trim_end().parse().ok());
        let between = format!("\n{mark}\n");
        Ok(Output {
            status: status.ok_or(DriverError::Lost)?,
            parts: text.split(&between).map(str::to_owned).collect(),
        })
    }

    /// Writes a file on the device.
    pub(super) fn push(&mut self, content: Vec<u8>, path: &str) -> Result<(), DriverError> {
        let path = path.to_owned();
        self.ask(|reply| Order::Push(content, path, reply))
            .map(drop)
    }

    fn ask(&mut self, order: impl FnOnce(Sender<Answer>) -> Order) -> Result<Vec<u8>, DriverError> {
        let (reply, answer) = channel();
        let (server, serial) = (self.server, &self.serial);
        let worker = self
            .worker
            .get_or_insert_with(|| start_worker(server, serial));
        // The thread listens until this sender is gone.
        let _ = worker.send(order(reply));
        match answer.recv_timeout(self.limit) {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) => Err(trouble(&error)),
            Err(RecvTimeoutError::Disconnected) => {
                self.worker = None;
                Err(DriverError::Lost)
            }
            Err(RecvTimeoutError::Timeout) => {
                self.worker = None;
                self.kick();
                Err(DriverError::TimedOut(self.limit))
            }
        }
    }

    /// Makes the server drop the connection to a silent device, which also ends the thread that
    /// waits for it.
    pub(super) fn kick(&self) {
        let mut device = device(self.server, &self.serial);
        // In a thread, since this may be met with silence as well.
        thread::spawn(move || device.reconnect());
    }
}

fn device(server: Server, serial: &str) -> ADBServerDevice {
    ADBServerDevice::new(serial.to_owned(), Some(server.0))
}

/// Starts the thread that owns the connection; it ends when its sender is dropped.
fn start_worker(server: Server, serial: &str) -> Sender<Order> {
    let (orders, inbox): (Sender<Order>, Receiver<Order>) = channel();
    let mut device = device(server, serial);
    thread::spawn(move || {
        for order in inbox {
            let (answer, reply) = match order {
                Order::Run(script, reply) => (run(&mut device, &script), reply),
                Order::Push(content, path, reply) => {
                    let pushed = device.push(content.as_slice(), path);
                    (pushed.map(|()| Vec::new()), reply)
                }
            };
            // Whoever asked may have given up.
            let _ = reply.send(answer);
        }
    });
    orders
}

fn run(device: &mut ADBServerDevice, script: &str) -> Answer {
    let (mut out, mut err) = (Bounded::default(), io::sink());
    device.shell_command(&script, Some(&mut out), Some(&mut err))?;
    Ok(out.0)
}

/// Output that a device cannot fill the memory with.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_BYTES {
            return Err(io::Error::other("the device says too much"));
        }
        self.0.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn trouble(error: &RustADBError) -> DriverError {
    match error {
        RustADBError::ADBRequestFailed(text)
            if !text.contains("not found") && !text.contains("offline") =>
        {
            DriverError::Unwell(text.clone())
        }
        _ => DriverError::Lost,
    }
}
