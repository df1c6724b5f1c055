//! The debugging protocol over a web socket, as WebDriver ends pass it on.

use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use crate::drivers::web::{LONGEST, WRITING, Wire, is_slow};

/// How long it may take to get through.
const CONNECTING: Duration = Duration::from_secs(15);

/// A web socket to a browser.
pub(super) struct Socket {
    socket: WebSocket<TcpStream>,
}

impl Socket {
    /// Connects to an address such as `ws://127.0.0.1:4444/session/…/se/cdp`.
    pub(super) fn connect(url: &str) -> io::Result<Self> {
        let rest = url
            .strip_prefix("ws://")
            .ok_or_else(|| io::Error::other(format!("{url} is no plain web socket")))?;
        let authority = rest.split('/').next().unwrap_or_default();
        let mut addresses = authority.to_socket_addrs()?;
        let address = addresses
            .next()
            .ok_or_else(|| io::Error::other(format!("{authority} is nowhere")))?;
        let stream = TcpStream::connect_timeout(&address, CONNECTING)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(CONNECTING))?;
        stream.set_write_timeout(Some(WRITING))?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(config))
            .map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { socket })
    }
}

impl Wire for Socket {
    fn send(&mut self, message: &str) -> io::Result<()> {
        let sent = self.socket.send(Message::text(message));
        sent.map_err(|error| io::Error::other(error.to_string()))
    }

    fn receive(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        // A limit of zero would mean none.
        let limit = limit.max(Duration::from_millis(1));
        self.socket.get_ref().set_read_timeout(Some(limit))?;
        loop {
            match self.socket.read() {
                Ok(message @ (Message::Text(_) | Message::Binary(_))) => {
                    return Ok(Some(message.into_data().to_vec()));
                }
                Ok(Message::Close(_)) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(Error::Io(error)) if is_slow(&error) => return Ok(None),
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }
}
