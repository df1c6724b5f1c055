//! The bytes of a log as text, whatever a shell made of them on the way to the file.

/// The text; bytes that are none become replacement characters.
pub(in crate::import) fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [first, 0, ..] if *first != 0 => wide(bytes, u16::from_le_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let chars = char::decode_utf16(units);
    chars
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn every_encoding_that_shells_write_is_read() {
        for bytes in [
            &b"a\xC3\xB6"[..],
            b"\xEF\xBB\xBFa\xC3\xB6",
            b"\xFF\xFEa\0\xF6\0",
            b"\xFE\xFF\0a\0\xF6",
            b"a\0\xF6\0",
        ] {
            assert_eq!(text(bytes), "aö", "{bytes:?}");
        }
    }

    #[test]
    fn broken_bytes_do_no_harm() {
        assert_eq!(text(b"\xFF\xFE\x00\xD8a\0b"), "\u{FFFD}a");
        assert_eq!(text(b"\xFFa"), "\u{FFFD}a");
        assert_eq!(text(b""), "");
    }
}
