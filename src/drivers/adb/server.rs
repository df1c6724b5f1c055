//! The adb server: where it is, whether it runs, and which devices it knows.

use std::env;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream, ToSocketAddrs};
use std::process::{Command, Stdio};
use std::time::Duration;

use adb_client::server::{ADBServer, DeviceState};

/// The port that adb listens on unless its own variable says otherwise.
const PORT: u16 = 5037;
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The client starts this before it talks to a server of this machine; servers are started here
/// instead, on the port that is meant and without a word on the terminal.
const NOTHING: &str = "true";

/// A device as the server lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) serial: String,
    /// Whether it answers.
    pub(super) is_ready: bool,
    /// What the server says of it.
    pub(super) state: String,
}

/// An adb server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Server(pub(super) SocketAddrV4);

impl Server {
    /// The server of this machine.
    pub(super) fn local() -> Self {
        let port = env::var("ANDROID_ADB_SERVER_PORT").ok();
        let port = port.and_then(|port| port.parse().ok()).unwrap_or(PORT);
        Self(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))
    }

    /// The server at `HOST:PORT`; the reason if there can be none.
    pub(super) fn at(address: &str) -> Result<Self, String> {
        let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
        let port = if port.is_empty() {
            PORT
        } else {
            port.parse().map_err(|_| format!("{port} is no port"))?
        };
        let known = (host, port).to_socket_addrs();
        let mut known = known.map_err(|error| format!("{host}: {error}"))?;
        let v4 = known.find_map(|address| match address {
            SocketAddr::V4(address) => Some(address),
            SocketAddr::V6(_) => None,
        });
        v4.map(Self)
            .ok_or(format!("{host} has no IPv4 address, which adb needs"))
    }

    fn answers(self) -> bool {
        TcpStream::connect_timeout(&SocketAddr::V4(self.0), PATIENCE).is_ok()
    }

    /// Makes sure that it runs; one of this machine is started.
    pub(super) fn start(self) -> Result<(), String> {
        if self.answers() {
            return Ok(());
        }
        if !self.0.ip().is_loopback() {
            return Err(format!(
                "no adb server answers at {}; start one there with `adb -a nodaemon server start`",
                self.0
            ));
        }
        let started = Command::new("adb")
            .arg("start-server")
            .env("ANDROID_ADB_SERVER_PORT", self.0.port().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match started {
            Ok(_) if self.answers() => Ok(()),
            Ok(status) => Err(format!("`adb start-server` ended with {status}")),
            Err(error) => Err(format!(
                "adb cannot be started ({error}); install it (Debian: apt-get install adb) or name \
                 a server as in adb://HOST:PORT"
            )),
        }
    }

    fn client(self) -> ADBServer {
        ADBServer::new_from_path(self.0, Some(NOTHING.to_owned()))
    }

    /// The devices that it knows.
    pub(super) fn devices(self) -> Result<Vec<Listed>, String> {
        let devices = self.client().devices().map_err(|error| error.to_string())?;
        let listed = devices.into_iter().map(|device| Listed {
            is_ready: device.state == DeviceState::Device,
            state: device.state.to_string(),
            serial: device.identifier,
        });
        Ok(listed.collect())
    }

    /// Asks it to connect to a device by network; whether that worked shows in the list.
    pub(super) fn connect(self, serial: &str) {
        if let Ok(address) = serial.parse() {
            // The answer says nothing: it is good for devices that are offline, too.
            let _ = self.client().connect_device(address);
        }
    }
}
