//! The binary behind `cargo reduce-suite`.

fn main() {}
