//! The file being written: it counts its bytes, so that lists end before it gets too large.

use std::io::{self, Write};

/// Bytes that lists may fill in all; the rest of 5 MB is for what is always there.
const MOST: usize = 4_700_000;

/// A page that knows how much was written to it.
pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    written: usize,
}

impl<'a> Page<'a> {
    /// An empty page that is written to `out`.
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, written: 0 }
    }

    /// How many bytes a list may have that asks for so many.
    pub(super) fn room(&self, wanted: usize) -> usize {
        wanted.min(MOST.saturating_sub(self.written))
    }
}

impl Write for Page<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{MOST, Page};

    #[test]
    fn the_room_shrinks_with_what_was_written() {
        let mut bytes = Vec::new();
        let mut page = Page::new(&mut bytes);
        assert_eq!(page.room(usize::MAX), MOST);
        page.write_all(&vec![b' '; MOST - 10]).unwrap();
        assert_eq!(page.room(5), 5);
        assert_eq!(page.room(50), 10);
        page.write_all(&[b' '; 99]).unwrap();
        assert_eq!(page.room(1), 0);
    }
}
