//! The services of the device: shells, sync, and what adb asks for beside them.

use std::io;
use std::thread;
use std::time::Duration;

use super::connection::Stream;
use super::shell::{self, Done};
use super::trouble::Fault;
use super::{Shared, sync, tool};

/// How often a service that waits looks around.
const TICK: Duration = Duration::from_millis(20);

/// How a shell talks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// Both outputs as they come.
    Merged,
    /// Output alone.
    Output,
    /// Packets of shell v2, with the exit status.
    Packets,
}

/// Whether there is such a service.
pub(super) fn is_known(name: &str) -> bool {
    let kind = name.split([':', ',']).next().unwrap_or("");
    ["shell", "exec", "sync", "reboot", "root", "reconnect"].contains(&kind)
}

/// Serves one stream to its end.
pub(super) fn serve(name: &str, stream: &mut Stream, shared: &Shared) -> io::Result<()> {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    let voice = match kind {
        "sync" => return sync::serve(stream, shared),
        "reboot" => {
            shared.phone().reboot();
            return Ok(());
        }
        "root" => return stream.write(b"adbd cannot run as root in production builds\n"),
        "reconnect" => {
            shared.phone().cut();
            return Ok(());
        }
        "exec" => Voice::Output,
        kind if kind.contains(",v2") => Voice::Packets,
        _ => Voice::Merged,
    };
    if rest.is_empty() {
        return interactive(stream, shared, voice);
    }
    command(rest, stream, shared, voice)
}

fn command(script: &str, stream: &mut Stream, shared: &Shared, voice: Voice) -> io::Result<()> {
    let struck = shared.phone().trouble.strike();
    match struck {
        Some(Fault::Stall) => {
            stall(stream);
            return Ok(());
        }
        Some(Fault::Reboot) => {
            shared.phone().reboot();
            return Ok(());
        }
        Some(Fault::Anr) => shared.phone().hang(),
        Some(Fault::Full) => shared.phone().is_full = true,
        Some(Fault::Half) => shared.phone().halve_next_dump = true,
        Some(Fault::Drop) | None => {}
    }
    if tool::follows(script) {
        return follow(script, stream, shared, voice);
    }
    if let Some(size) = tool::streamed_install(script) {
        let bytes = stream.read(size)?;
        let done = tool::install_bytes(shared, &bytes);
        return answer(stream, voice, &done);
    }
    let done = shell::run(shared, script);
    if struck == Some(Fault::Drop) {
        let half = Done {
            out: done.out[..done.out.len() / 2].to_vec(),
            ..Done::default()
        };
        let _ = say(stream, voice, 1, &half.out);
        shared.phone().cut();
        return Ok(());
    }
    answer(stream, voice, &done)
}

fn answer(stream: &mut Stream, voice: Voice, done: &Done) -> io::Result<()> {
    say(stream, voice, 1, &done.out)?;
    say(stream, voice, 2, &done.err)?;
    if voice == Voice::Packets {
        say(stream, voice, 3, &[done.status])?;
    }
    Ok(())
}

fn say(stream: &mut Stream, voice: Voice, channel: u8, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() || (voice == Voice::Output && channel == 2) {
        return Ok(());
    }
    if voice != Voice::Packets {
        return stream.write(bytes);
    }
    for piece in bytes.chunks(16 * 1024) {
        let length = u32::try_from(piece.len()).expect("it is a small piece");
        let mut packet = vec![channel];
        packet.extend(length.to_le_bytes());
        packet.extend(piece);
        stream.write(&packet)?;
    }
    Ok(())
}

/// Never answers.
fn stall(stream: &mut Stream) {
    while stream.is_open() {
        thread::sleep(TICK);
    }
}

/// The log as it grows.
fn follow(script: &str, stream: &mut Stream, shared: &Shared, voice: Voice) -> io::Result<()> {
    let wanted = tool::log_wanted(script);
    let mut from = 0;
    while stream.is_open() {
        let (text, end) = {
            let phone = shared.phone();
            (phone.log.text(from, &wanted), phone.log.end())
        };
        from = end;
        say(stream, voice, 1, text.as_bytes())?;
        thread::sleep(TICK);
    }
    Ok(())
}

/// A shell for people: one command a line.
fn interactive(stream: &mut Stream, shared: &Shared, voice: Voice) -> io::Result<()> {
    const PROMPT: &[u8] = b"virtual:/ $ ";
    let mut line = Vec::new();
    say(stream, voice, 1, PROMPT)?;
    loop {
        let bytes = if voice == Voice::Packets {
            let head = stream.read(5)?;
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            let bytes = stream.read(length as usize)?;
            match head[0] {
                0 => bytes,
                // The host has no more input.
                3 | 4 => return Ok(()),
                _ => continue,
            }
        } else {
            stream.read(1)?
        };
        for byte in bytes {
            if byte != b'\n' && byte != b'\r' {
                line.push(byte);
                continue;
            }
            let script = String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned();
            if script.trim() == "exit" {
                return Ok(());
            }
            let done = shell::run(shared, &script);
            say(stream, voice, 1, &done.out)?;
            say(stream, voice, 2, &done.err)?;
            say(stream, voice, 1, PROMPT)?;
        }
    }
}
