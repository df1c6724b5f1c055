//! The bytes of a dump: blocks, each with a mark in front.
//!
//! Dumps that were appended to one another, and what an agent answers over a socket, are read as
//! well. Nothing is allocated by a length before the bytes are there.

use super::{Dump, Reached, Session};

const HEADER: u8 = 0x01;
const MAGIC: u16 = 0xC0C0;
/// Versions of the format that are written alike.
const VERSIONS: [u16; 2] = [0x1006, 0x1007];
const SESSION: u8 = 0x10;
const PROBES: u8 = 0x11;
/// The end of an answer over a socket.
const DONE: u8 = 0x20;

/// Reads a dump; the reason if it is none or is cut off.
pub fn read(bytes: &[u8]) -> Result<Dump, String> {
    let mut cursor = Cursor { bytes, at: 0 };
    let mut dump = Dump::default();
    if bytes.is_empty() {
        return Err("it is empty; the program may have been killed before it wrote".to_owned());
    }
    if bytes.first() != Some(&HEADER) {
        return Err("it does not begin like a dump of JaCoCo".to_owned());
    }
    while cursor.at < bytes.len() {
        let start = cursor.at;
        cursor
            .block(&mut dump)
            .map_err(|reason| format!("{reason} in the block at byte {start}"))?;
    }
    Ok(dump)
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn block(&mut self, dump: &mut Dump) -> Result<(), String> {
        match self.byte()? {
            HEADER => self.header(),
            SESSION => {
                let session = Session {
                    id: self.text()?,
                    start_millis: self.long()?.cast_signed(),
                    dump_millis: self.long()?.cast_signed(),
                };
                dump.sessions.push(session);
                Ok(())
            }
            PROBES => {
                let id = self.long()?;
                let reached = Reached {
                    name: self.text()?,
                    probes: self.probes()?,
                };
                dump.add(id, reached)
            }
            DONE => Ok(()),
            other => Err(format!("unknown mark {other:#04x}")),
        }
    }

    fn header(&mut self) -> Result<(), String> {
        let (magic, version) = (self.short()?, self.short()?);
        if magic != MAGIC {
            return Err("no mark of JaCoCo".to_owned());
        }
        if !VERSIONS.contains(&version) {
            return Err(format!("version {version:#06x} of the format is not known"));
        }
        Ok(())
    }

    fn take(&mut self, len: usize) -> Result<&[u8], String> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..len).ok_or("it is cut off")?;
        self.at += len;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    fn short(&mut self) -> Result<u16, String> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn long(&mut self) -> Result<u64, String> {
        let mut long = [0; 8];
        long.copy_from_slice(self.take(8)?);
        Ok(u64::from_be_bytes(long))
    }

    /// Text as Java writes it, which is UTF-8 but for characters that no class name has.
    fn text(&mut self) -> Result<String, String> {
        let len = usize::from(self.short()?);
        let bytes = self.take(len)?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    fn probes(&mut self) -> Result<Vec<bool>, String> {
        let len = self.varint()?;
        let packed = self.take(len.div_ceil(8))?;
        let bit = |i: usize| packed[i / 8] >> (i % 8) & 1 == 1;
        Ok((0..len).map(bit).collect())
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self) -> Result<usize, String> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(value).map_err(|_| "a number is too large".to_owned());
            }
        }
        Err("a number is too large".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    const HEAD: [u8; 5] = [0x01, 0xC0, 0xC0, 0x10, 0x07];

    fn class(id: u8, name: &str, probes: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x11, 0, 0, 0, 0, 0, 0, 0, id, 0, name.len() as u8];
        bytes.extend(name.bytes());
        bytes.extend(probes);
        bytes
    }

    fn whole() -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        bytes.extend([0x10, 0, 2, b's', b'1']);
        bytes.extend([0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 9]);
        bytes.extend(class(1, "a/A", &[10, 0b0000_0101, 0b10]));
        bytes.extend(HEAD);
        bytes.extend(class(1, "a/A", &[10, 0b10, 0]));
        bytes.push(0x20);
        bytes
    }

    #[test]
    fn sessions_and_probes_are_read_and_what_was_appended_is_merged() {
        let dump = read(&whole()).unwrap();
        let session = &dump.sessions[0];
        assert_eq!(
            (&*session.id, session.start_millis, session.dump_millis),
            ("s1", 5, 9)
        );
        let on = dump.classes[&1].probes.iter().enumerate();
        let on: Vec<_> = on.filter(|(_, on)| **on).map(|(i, _)| i).collect();
        assert_eq!(on, [0, 1, 2, 9]);
    }

    #[track_caller]
    fn check(bytes: &[u8], expect: &str) {
        let error = read(bytes).unwrap_err();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn what_is_no_dump_is_told() {
        check(b"", "it is empty");
        check(b"<?xml", "does not begin like a dump");
        check(&[1, 2, 3, 4, 5], "no mark of JaCoCo");
        check(&[1, 0xC0, 0xC0, 0x20, 0], "version 0x2000");
        check(&[&HEAD[..], &[0x77]].concat(), "unknown mark 0x77");
        let huge = class(1, "A", &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F]);
        check(&[&HEAD[..], &huge].concat(), "cut off");
        let endless = class(1, "A", &[0xFF; 20]);
        check(&[&HEAD[..], &endless].concat(), "too large");
    }

    #[test]
    fn a_dump_that_is_cut_off_or_damaged_does_no_harm() {
        let whole = whole();
        let whole_blocks = [5, 26, 26 + 14 + 3, 48, whole.len() - 1];
        for len in 1..whole.len() {
            let is_whole = read(&whole[..len]).is_ok();
            assert!(!is_whole || whole_blocks.contains(&len), "{len}");
        }
        for i in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[i / 8] ^= 1 << (i % 8);
            let _ = read(&bytes);
        }
    }
}
