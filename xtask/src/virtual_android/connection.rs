//! One connection of an adb server: streams to services, each in a thread of its own.

use std::collections::HashMap;
use std::io::{self, BufReader};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::service;
use super::wire::{CLSE, CNXN, MOST, Message, OKAY, OPEN, VERSION, WRTE};
use super::{Phone, Shared};

/// Pieces of this size pass every adb.
const PIECE: usize = 32 * 1024;

/// The way back to the host, shared by all streams.
#[derive(Clone)]
pub(super) struct Host {
    socket: Arc<Mutex<TcpStream>>,
}

impl Host {
    fn send(&self, command: u32, first: u32, second: u32, data: &[u8]) -> io::Result<()> {
        let message = Message {
            command,
            first,
            second,
            data: data.to_vec(),
        };
        let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        message.write(&mut *socket)
    }

    /// Cuts the connection, as a cable that is pulled does.
    pub(super) fn cut(&self) {
        let socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        // It may be gone already.
        let _ = socket.shutdown(Shutdown::Both);
    }
}

/// What the host says to a stream.
enum Said {
    Ready,
    Data(Vec<u8>),
}

/// One stream as its service sees it.
pub(super) struct Stream {
    pub(super) host: Host,
    ours: u32,
    theirs: u32,
    said: Receiver<Said>,
    early: Vec<u8>,
    unanswered: bool,
}

impl Stream {
    /// Sends bytes; each piece waits until the one before has arrived.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            while self.unanswered {
                match self.said.recv().map_err(|_| gone())? {
                    Said::Ready => self.unanswered = false,
                    Said::Data(data) => self.early.extend(data),
                }
            }
            self.host.send(WRTE, self.ours, self.theirs, piece)?;
            self.unanswered = true;
        }
        Ok(())
    }

    /// Exactly so many bytes.
    pub(super) fn read(&mut self, count: usize) -> io::Result<Vec<u8>> {
        while self.early.len() < count {
            match self.said.recv().map_err(|_| gone())? {
                Said::Ready => self.unanswered = false,
                Said::Data(data) => self.early.extend(data),
            }
        }
        let rest = self.early.split_off(count);
        Ok(std::mem::replace(&mut self.early, rest))
    }

    /// Whether the host still has it open, looking at what has come in the meantime.
    pub(super) fn is_open(&mut self) -> bool {
        loop {
            match self.said.try_recv() {
                Ok(Said::Ready) => self.unanswered = false,
                Ok(Said::Data(data)) => self.early.extend(data),
                Err(std::sync::mpsc::TryRecvError::Empty) => return true,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn close(&self) {
        // The host may have closed it first.
        let _ = self.host.send(CLSE, self.ours, self.theirs, &[]);
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the stream was closed")
}

/// Serves one connection until it ends.
pub(super) fn serve(socket: TcpStream, shared: &Shared) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let mut from = BufReader::new(socket.try_clone()?);
    let host = Host {
        socket: Arc::new(Mutex::new(socket)),
    };
    let mut streams: HashMap<u32, Sender<Said>> = HashMap::new();
    let mut next = 1;
    shared.phone().hosts.push(host.clone());
    loop {
        let Message {
            command,
            first,
            second,
            data,
        } = Message::read(&mut from)?;
        match command {
            CNXN => host.send(CNXN, VERSION, MOST, shared.phone().banner().as_bytes())?,
            OPEN => {
                let name = String::from_utf8_lossy(&data);
                let name = name.trim_end_matches('\0').to_owned();
                let (say, said) = channel();
                streams.insert(next, say);
                let stream = Stream {
                    host: host.clone(),
                    ours: next,
                    theirs: first,
                    said,
                    early: Vec::new(),
                    unanswered: false,
                };
                next += 1;
                open(stream, name, shared.clone())?;
            }
            WRTE => {
                if let Some(say) = streams.get(&second) {
                    host.send(OKAY, second, first, &[])?;
                    // A service that has ended does not listen any more.
                    let _ = say.send(Said::Data(data));
                }
            }
            OKAY => {
                if let Some(say) = streams.get(&second) {
                    let _ = say.send(Said::Ready);
                }
            }
            CLSE => {
                streams.remove(&second);
            }
            // Other messages (AUTH, STLS) are for devices that ask for them.
            _ => {}
        }
    }
}

fn open(mut stream: Stream, name: String, shared: Shared) -> io::Result<()> {
    if !service::is_known(&name) {
        return stream.host.send(CLSE, 0, stream.theirs, &[]);
    }
    stream.host.send(OKAY, stream.ours, stream.theirs, &[])?;
    thread::spawn(move || {
        // A host that has gone away needs no answer.
        let _ = service::serve(&name, &mut stream, &shared);
        stream.close();
    });
    Ok(())
}

impl Phone {
    fn banner(&self) -> String {
        let features = if self.old {
            ""
        } else {
            "shell_v2,cmd,stat_v2,fixed_push_mkdir"
        };
        format!(
            "device::ro.product.name=virtual;ro.product.model=Virtual;ro.product.device=virtual;features={features}"
        )
    }
}
