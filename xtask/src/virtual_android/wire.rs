//! Messages of the adb protocol: a header of six numbers and a payload.

use std::io::{self, Read, Write};

/// Connects both ends.
pub(super) const CNXN: u32 = u32::from_le_bytes(*b"CNXN");
/// Opens a stream to a service.
pub(super) const OPEN: u32 = u32::from_le_bytes(*b"OPEN");
/// A stream is open, or ready for more.
pub(super) const OKAY: u32 = u32::from_le_bytes(*b"OKAY");
/// Bytes of a stream.
pub(super) const WRTE: u32 = u32::from_le_bytes(*b"WRTE");
/// A stream is closed.
pub(super) const CLSE: u32 = u32::from_le_bytes(*b"CLSE");

/// The protocol of adb 1.0.41.
pub(super) const VERSION: u32 = 0x0100_0001;
/// More than this is never sent in one message.
pub(super) const MOST: u32 = 0x10_0000;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) command: u32,
    pub(super) first: u32,
    pub(super) second: u32,
    pub(super) data: Vec<u8>,
}

impl Message {
    /// Reads the next message; an end in the middle of one is an error.
    pub(super) fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut header = [0; 24];
        from.read_exact(&mut header)?;
        let number = |at: usize| {
            let bytes = header[4 * at..4 * at + 4].try_into();
            u32::from_le_bytes(bytes.expect("four bytes"))
        };
        let invalid = |text| io::Error::new(io::ErrorKind::InvalidData, text);
        if number(5) != !number(0) {
            return Err(invalid("the magic of a message is wrong"));
        }
        if number(3) > MOST {
            return Err(invalid("a message is too long"));
        }
        let mut data = vec![0; number(3) as usize];
        from.read_exact(&mut data)?;
        Ok(Self {
            command: number(0),
            first: number(1),
            second: number(2),
            data,
        })
    }

    /// Writes it in one piece, with the checksum that older hosts ask for.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let sum = self.data.iter().map(|byte| u32::from(*byte)).sum();
        let length = u32::try_from(self.data.len()).expect("it fits a message");
        let mut bytes = Vec::with_capacity(24 + self.data.len());
        let fields = [self.command, self.first, self.second, length, sum];
        for field in fields.into_iter().chain([!self.command]) {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(&self.data);
        to.write_all(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Message, OPEN};

    #[test]
    fn a_message_is_read_back_as_it_was_written() {
        let message = Message {
            command: OPEN,
            first: 7,
            second: 0,
            data: b"shell:ls\0".to_vec(),
        };
        let mut bytes = Vec::new();
        message.write(&mut bytes).unwrap();
        assert_eq!(Message::read(&mut bytes.as_slice()).unwrap(), message);
        assert!(Message::read(&mut &bytes[..bytes.len() - 1]).is_err());
        bytes[20] ^= 1;
        assert!(Message::read(&mut bytes.as_slice()).is_err());
    }

    #[test]
    fn a_message_that_claims_to_be_huge_is_refused() {
        let mut bytes = Vec::new();
        for field in [OPEN, 1, 0, MOST + 1, 0, !OPEN] {
            bytes.extend(field.to_le_bytes());
        }
        assert!(Message::read(&mut bytes.as_slice()).is_err());
    }
}
