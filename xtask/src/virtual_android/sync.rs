//! The sync service: files come and go.

use std::io;

use super::Shared;
use super::connection::Stream;

/// An ordinary file that everybody may read.
const MODE: u32 = 0o100_644;
/// A folder.
const FOLDER: u32 = 0o040_755;
/// Pieces of this size are what adb expects at most.
const PIECE: usize = 64 * 1024;
/// A name longer than this is none.
const LONGEST: usize = 4096;

/// Serves one stream of requests.
pub(super) fn serve(stream: &mut Stream, shared: &Shared) -> io::Result<()> {
    loop {
        let head = stream.read(8)?;
        let id: [u8; 4] = head[..4].try_into().expect("four bytes");
        let length = number(&head[4..]) as usize;
        if &id == b"QUIT" {
            return Ok(());
        }
        // Some clients send a stray number behind DONE.
        if !id.is_ascii() || length > LONGEST {
            return fail(stream, "invalid request");
        }
        let name = String::from_utf8_lossy(&stream.read(length)?).into_owned();
        match &id {
            b"STAT" => {
                let (mode, size) = stat(shared, &name);
                reply(stream, *b"STAT", &[mode, size, 0])?;
            }
            b"STA2" | b"LST2" => stat_2(stream, shared, id, &name)?,
            b"LIST" => list(stream, shared, &name)?,
            b"RECV" => send(stream, shared, &name)?,
            b"SEND" => receive(stream, shared, &name)?,
            _ => return fail(stream, "unknown request"),
        }
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("four bytes"))
}

fn reply(stream: &mut Stream, id: [u8; 4], numbers: &[u32]) -> io::Result<()> {
    let mut bytes = id.to_vec();
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
    stream.write(&bytes)
}

fn fail(stream: &mut Stream, reason: &str) -> io::Result<()> {
    let mut bytes = b"FAIL".to_vec();
    bytes.extend(u32::try_from(reason.len()).unwrap_or(0).to_le_bytes());
    bytes.extend(reason.as_bytes());
    stream.write(&bytes)
}

/// Mode and size; zeros for what is not there.
fn stat(shared: &Shared, name: &str) -> (u32, u32) {
    let phone = shared.phone();
    let inside = format!("{}/", name.trim_end_matches('/'));
    if let Some(content) = phone.file(name) {
        (MODE, u32::try_from(content.len()).unwrap_or(u32::MAX))
    } else if phone.files.keys().any(|path| path.starts_with(&inside))
        || ["/data/local/tmp", "/sdcard", "/data", "/"].contains(&name.trim_end_matches('/'))
        || name.ends_with('/')
    {
        (FOLDER, 0)
    } else {
        (0, 0)
    }
}

fn stat_2(stream: &mut Stream, shared: &Shared, id: [u8; 4], name: &str) -> io::Result<()> {
    const NO_SUCH_FILE: u32 = 2;
    let (mode, size) = stat(shared, name);
    let mut bytes = id.to_vec();
    let error = if mode == 0 { NO_SUCH_FILE } else { 0 };
    bytes.extend(error.to_le_bytes());
    bytes.extend([0; 16]);
    for field in [mode, 1, 0, 0] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(u64::from(size).to_le_bytes());
    bytes.extend([0; 24]);
    stream.write(&bytes)
}

fn list(stream: &mut Stream, shared: &Shared, name: &str) -> io::Result<()> {
    let inside = format!("{}/", name.trim_end_matches('/'));
    let entries: Vec<(String, u32)> = {
        let phone = shared.phone();
        let below = phone.files.iter().filter_map(|(path, content)| {
            let rest = path.strip_prefix(&inside)?;
            (!rest.contains('/')).then(|| (rest.to_owned(), content.len()))
        });
        below
            .map(|(name, size)| (name, u32::try_from(size).unwrap_or(u32::MAX)))
            .collect()
    };
    for (name, size) in entries {
        let length = u32::try_from(name.len()).unwrap_or(0);
        let mut bytes = b"DENT".to_vec();
        for field in [MODE, size, 0, length] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(name.as_bytes());
        stream.write(&bytes)?;
    }
    reply(stream, *b"DONE", &[0, 0, 0, 0])
}

fn send(stream: &mut Stream, shared: &Shared, name: &str) -> io::Result<()> {
    let content = shared.phone().file(name);
    let Some(content) = content else {
        return fail(stream, "No such file or directory");
    };
    for piece in content.chunks(PIECE) {
        let mut bytes = b"DATA".to_vec();
        bytes.extend(u32::try_from(piece.len()).unwrap_or(0).to_le_bytes());
        bytes.extend(piece);
        stream.write(&bytes)?;
    }
    reply(stream, *b"DONE", &[0])
}

/// Takes a file whose name has its mode behind a comma.
fn receive(stream: &mut Stream, shared: &Shared, name: &str) -> io::Result<()> {
    let path = name.rsplit_once(',').map_or(name, |(path, _)| path);
    let mut content = Vec::new();
    loop {
        let head = stream.read(8)?;
        match &head[..4] {
            b"DATA" if number(&head[4..]) as usize <= PIECE => {
                content.extend(stream.read(number(&head[4..]) as usize)?);
            }
            b"DONE" => break,
            _ => return fail(stream, "invalid data"),
        }
    }
    let written = shared.phone().write(path, content);
    match written {
        Ok(()) => reply(stream, *b"OKAY", &[0]),
        Err(reason) => fail(stream, &reason),
    }
}
