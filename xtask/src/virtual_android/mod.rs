//! `cargo xtask virtual-android`: devices that speak adbd over TCP and run app models, for trying
//! a pipeline before the device lab is up.
//!
//! `adb connect` finds a device with one app on it: each screen of the model is an activity, each
//! action a widget, a key, a stroke or a text. What the app covers and where it breaks stands in
//! the log. The shell is a small but real one, so text that is not quoted for it runs.
#![expect(
    clippy::disallowed_methods,
    reason = "a device serves its hosts in threads and has a clock of its own"
)]

mod agent;
mod app;
mod connection;
mod dump;
mod front;
mod journal;
mod options;
mod phone;
mod picture;
mod screen;
mod service;
mod shell;
mod sync;
mod tool;
mod trouble;
mod wire;

use std::error::Error;
use std::io::{self, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

pub use options::{Options, USAGE};
use phone::Phone;
pub use trouble::Fault;

/// The phone, for all who serve it.
#[derive(Clone)]
struct Shared(Arc<Mutex<Phone>>);

impl Shared {
    /// The phone; nobody holds it while waiting for a host.
    fn phone(&self) -> MutexGuard<'_, Phone> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A device that serves until the process ends.
pub struct VirtualAndroid {
    port: u16,
    shared: Shared,
}

impl VirtualAndroid {
    /// Starts a device with an app on a port of this machine; port 0 is any free one.
    ///
    /// # Errors
    /// If the port is taken or the model is none.
    pub fn start(options: &Options, model: &[u8], port: u16) -> Result<Self, Box<dyn Error>> {
        let mut phone = Phone::new(options);
        phone.install(model)?;
        let listener = TcpListener::bind((options.host, port))?;
        let device = Self {
            port: listener.local_addr()?.port(),
            shared: Shared(Arc::new(Mutex::new(phone))),
        };
        let shared = device.shared.clone();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // While it is down nobody answers.
                if shared.phone().is_down() {
                    continue;
                }
                let shared = shared.clone();
                thread::spawn(move || {
                    // A host that goes away ends its connection, and that is all.
                    let _ = connection::serve(socket, &shared);
                });
            }
        });
        Ok(device)
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Every command that its shell ran, after substitution.
    #[must_use]
    pub fn commands(&self) -> Vec<Vec<String>> {
        self.shared.phone().commands.clone()
    }

    /// Every text that was typed on it.
    #[must_use]
    pub fn typed(&self) -> Vec<String> {
        self.shared.phone().typed.clone()
    }

    /// What trouble it has made so far.
    #[must_use]
    pub fn struck(&self) -> Vec<Fault> {
        self.shared.phone().trouble.struck.clone()
    }

    /// A setting, as `settings get NAMESPACE KEY` shows it.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<String> {
        self.shared.phone().settings.get(name).cloned()
    }

    /// Makes trouble: `drop` at the next command, `drop:3` at the third after it.
    ///
    /// # Errors
    /// If there is no such trouble.
    pub fn trouble(&self, order: &str) -> Result<(), String> {
        self.shared.phone().trouble.order(order)
    }

    /// From now on a reboot takes so long.
    pub fn slow_boot(&self, time: std::time::Duration) {
        self.shared.phone().boot = time;
    }

    /// Cuts its connections and never answers again.
    pub fn unplug(&self) {
        self.shared.phone().unplug();
    }
}

/// Carries `virtual-android WORDS…` out: serves until it is interrupted.
///
/// # Errors
/// If the words make no sense, the model is none or a port is taken.
pub fn run(words: &[String]) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout();
    if words.iter().any(|word| word == "--help") {
        return out.write_all(USAGE.as_bytes()).map_err(Into::into);
    }
    let (options, app, ports) = options::parse(words)?;
    let model = std::fs::read(&app).map_err(|error| format!("{app}: {error}"))?;
    let mut devices = Vec::new();
    for (port, number) in ports.zip(0..) {
        let options = Options {
            seed: options.seed + number,
            ..options.clone()
        };
        let device = VirtualAndroid::start(&options, &model, port)?;
        writeln!(out, "ready: adb connect {}:{}", options.host, device.port())?;
        devices.push(device);
    }
    out.flush()?;
    loop {
        thread::park();
    }
}
