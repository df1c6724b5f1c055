//! The binary behind `cargo reduce-suite`.

fn main() -> std::process::ExitCode {
    reduce_suite::cli::main(std::env::args_os())
}
