//! A server for folders, on loopback: so that a web app in a folder needs no other one.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The longest request that is read.
const LONGEST: u64 = 64 << 10;
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(60);

/// What files are, by how their names end.
const KINDS: [(&str, &str); 22] = [
    ("html", "text/html; charset=utf-8"),
    ("htm", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("ico", "image/x-icon"),
    ("txt", "text/plain; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("xml", "application/xml"),
    ("wasm", "application/wasm"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("ttf", "font/ttf"),
];

/// A folder that is served for as long as this is kept.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Serves a folder.
    pub fn start(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        // Not joined: it ends with the server, or with the program.
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let folder = folder.clone();
                // A connection that breaks is the browser's business.
                thread::spawn(move || converse(&stream, &folder));
            }
        });
        Ok(Self { address, stop })
    }

    /// Where it is served.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The listener wakes up and sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

/// Answers requests on a connection until it ends.
fn converse(stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if reader.by_ref().take(LONGEST).read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut read = 0;
        loop {
            let mut line = String::new();
            let n = reader.by_ref().take(LONGEST).read_line(&mut line)?;
            read += n as u64;
            if n == 0 || read > LONGEST {
                return Ok(());
            }
            if line.trim_end().is_empty() {
                break;
            }
        }
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let (status, kind, body) = match method {
            "GET" | "HEAD" => answer(folder, path),
            _ => ("405 Method Not Allowed", "text/plain", Vec::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\r\n",
            body.len()
        );
        let mut bytes = head.into_bytes();
        if method != "HEAD" {
            bytes.extend(body);
        }
        (&mut &*stream).write_all(&bytes)?;
        if method != "GET" && method != "HEAD" {
            // Whatever else it sent is not read.
            return Ok(());
        }
    }
}

fn answer(folder: &Path, path: &str) -> (&'static str, &'static str, Vec<u8>) {
    let file = inside(folder, path).and_then(|file| Some((fs::read(&file).ok()?, file)));
    match file {
        Some((body, file)) => ("200 OK", kind_of(&file), body),
        None => ("404 Not Found", "text/plain", b"not found".to_vec()),
    }
}

/// The file that a path of a request names; none outside the folder.
pub(super) fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?;
    let path = unescape(path)?;
    let path = Path::new(path.trim_start_matches('/'));
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return None;
    }
    let mut file = folder.join(path);
    if file.is_dir() {
        file.push("index.html");
    }
    // Links inside the folder lead where they lead, but not out of it.
    let file = file.canonicalize().ok()?;
    file.starts_with(folder).then_some(file)
}

/// Text with its `%41` read; none where it makes no text.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

fn kind_of(file: &Path) -> &'static str {
    let ending = file.extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let found = KINDS.iter().find(|(known, _)| *known == ending);
    found.map_or("application/octet-stream", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::Server;

    fn get(server: &Server, path: &str) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn files_of_the_folder_are_served_and_no_others() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("app");
        fs::create_dir_all(folder.join("js")).unwrap();
        fs::write(outer.path().join("secret"), "s3cret").unwrap();
        fs::write(folder.join("index.html"), "<p>home").unwrap();
        fs::write(folder.join("js/a b.js"), "1").unwrap();
        let server = Server::start(&folder).unwrap();
        assert!(get(&server, "/").ends_with("\r\n\r\n<p>home"));
        assert!(get(&server, "/js/a%20b.js?v=1").contains("text/javascript"));
        for path in [
            "/../secret",
            "/%2e%2e/secret",
            "/js/../../secret",
            "//secret",
            "/%zz",
        ] {
            assert!(get(&server, path).starts_with("HTTP/1.1 404"), "{path}");
        }
    }
}
