//! Digests as reports and journals write them.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// SHA-256 of some bytes in lower-case hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("strings take everything");
    }
    text
}
