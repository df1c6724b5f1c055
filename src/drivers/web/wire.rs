//! Wires: how messages of the debugging protocol get to a browser and back.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The longest message that is taken from a browser.
pub(crate) const LONGEST: usize = 512 << 20;
/// What is read at once.
const CHUNK: usize = 1 << 14;
/// How long a browser may take to read what it is sent.
pub(crate) const WRITING: Duration = Duration::from_secs(20);

/// A way to a browser. Both calls block; an error means that the way is gone.
pub(crate) trait Wire: Send {
    /// Sends a message.
    fn send(&mut self, message: &str) -> io::Result<()>;
    /// The next message; none when none came in time.
    fn receive(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>>;
}

/// The debugging pipe of a local browser: messages end with a zero byte.
pub(super) struct Pipe {
    stream: UnixStream,
    read: Vec<u8>,
    /// So many bytes of `read` hold no end of a message.
    searched: usize,
}

impl Pipe {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_write_timeout(Some(WRITING))?;
        Ok(Self {
            stream,
            read: Vec::new(),
            searched: 0,
        })
    }

    fn take(&mut self) -> Option<Vec<u8>> {
        let end = self.read[self.searched..]
            .iter()
            .position(|byte| *byte == 0);
        let Some(end) = end else {
            self.searched = self.read.len();
            return None;
        };
        let rest = self.read.split_off(self.searched + end + 1);
        let mut message = std::mem::replace(&mut self.read, rest);
        message.pop();
        self.searched = 0;
        Some(message)
    }
}

impl Wire for Pipe {
    fn send(&mut self, message: &str) -> io::Result<()> {
        let mut bytes = message.as_bytes().to_vec();
        bytes.push(0);
        self.stream.write_all(&bytes)
    }

    fn receive(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        let mut chunk = [0; CHUNK];
        loop {
            if let Some(message) = self.take() {
                return Ok(Some(message));
            }
            if self.read.len() > LONGEST {
                return Err(io::Error::other("the browser says too much at once"));
            }
            // A limit of zero would mean none.
            let limit = limit.max(Duration::from_millis(1));
            self.stream.set_read_timeout(Some(limit))?;
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => self.read.extend_from_slice(&chunk[..n]),
                Err(error) if is_slow(&error) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether nothing came, rather than the way being gone.
pub(crate) fn is_slow(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}
