//! Suites that cannot be read: one message with file, line and reason, and no results.

use std::fs::{self, File};
use std::io::{BufWriter, Write};

use super::support::{Case, Ran};

const TRACE: &str = r#"{"id":"a","launch":{"screen":"s0"},"steps":[]}"#;

/// Reduces a suite of one file with this content.
fn reduce(name: &str, content: impl AsRef<[u8]>) -> Ran {
    let case = Case::small();
    case.write(name, content);
    reduce_path(&case, name)
}

fn reduce_path(case: &Case, name: &str) -> Ran {
    let ran = case.run(&["reduce", name, "--device", "sim:app.json", "--out", "out"]);
    case.has_no_results("out");
    ran
}

#[test]
fn an_empty_file_is_refused() {
    reduce("x.jsonl", "").failed(2, &["no traces in x.jsonl"]);
}

#[test]
fn a_blank_file_is_refused() {
    reduce("x.jsonl", "\n  \n\n").failed(2, &["no traces in x.jsonl"]);
}

#[test]
fn a_line_that_is_not_json_is_named() {
    let text = format!("{TRACE}\nhello\n");
    reduce("x.jsonl", text).failed(2, &["x.jsonl:2:1", "JSON", "near: hello"]);
}

#[test]
fn a_line_of_nul_bytes_is_named() {
    let text = format!("{TRACE}\n\0\0\0\n");
    reduce("x.jsonl", text).failed(2, &["x.jsonl:2:1", "NUL byte"]);
}

#[test]
fn a_line_that_is_not_utf8_is_named() {
    let text = [TRACE.as_bytes(), b"\n{\"id\":\"\xff\xfe\"}\n"].concat();
    reduce("x.jsonl", text).failed(2, &["x.jsonl:2:8", "not UTF-8"]);
}

#[test]
fn a_duplicate_id_is_named_with_both_places() {
    let text = format!("{TRACE}\n{TRACE}\n");
    reduce("x.jsonl", text).failed(2, &["x.jsonl:2:", "duplicate trace id `a`", "x.jsonl:1"]);
}

#[test]
fn a_line_of_the_text_notation_that_makes_no_sense_is_named() {
    let text = "a: s0 -a-> s1\nb: s0 a\n";
    reduce("x.trace", text).failed(2, &["x.trace:2:7", "expected `-`"]);
}

#[test]
fn a_file_that_is_not_zstd_is_named() {
    reduce("x.jsonl.zst", "hello").failed(2, &["x.jsonl.zst", "zstd"]);
}

#[test]
fn a_zstd_file_that_was_cut_off_is_named() {
    let case = Case::small();
    let text = case.read("suite.jsonl").repeat(50);
    let packed = zstd::encode_all(text.as_bytes(), 0).expect("memory can be packed");
    case.write("x.jsonl.zst", &packed[..packed.len() / 2]);
    reduce_path(&case, "x.jsonl.zst").failed(2, &["x.jsonl.zst", "cut off"]);
}

#[test]
fn a_missing_file_is_named() {
    let case = Case::small();
    reduce_path(&case, "missing.jsonl").failed(2, &["missing.jsonl", "No such file"]);
}

#[test]
fn a_folder_named_like_a_file_has_no_traces() {
    let case = Case::small();
    fs::create_dir(case.path("x.jsonl")).expect("it can be made");
    reduce_path(&case, "x.jsonl").failed(2, &["no trace files in x.jsonl"]);
}

#[test]
fn a_folder_without_traces_is_refused() {
    let case = Case::small();
    case.write("notes/readme.txt", "nothing here");
    reduce_path(&case, "notes").failed(2, &["no trace files in notes", ".jsonl"]);
}

#[test]
fn no_suite_at_all_is_bad_usage() {
    let case = Case::small();
    let ran = case.run(&["reduce", "--device", "sim:app.json", "--out", "out"]);
    ran.failed(2, &["no suite is named"]);
    case.has_no_results("out");
}

#[test]
fn many_problems_are_told_in_one_message() {
    let ran = reduce("x.jsonl", "hello\n".repeat(50));
    let ran = ran.failed(2, &["x.jsonl:1:1", "x.jsonl:10:1", "and 40 more"]);
    assert_eq!(ran.stderr.lines().count(), 11);
}

/// Reduces a suite of one line of 100 MB between these.
fn reduce_long_line(before: &str, after: &str) -> Ran {
    const MB: usize = 1_000_000;
    let case = Case::small();
    let mut file = BufWriter::new(File::create(case.path("x.jsonl")).expect("it can be made"));
    let part = "g".repeat(MB);
    let mut write = |text: &str| file.write_all(text.as_bytes()).expect("there is room");
    write(before);
    (0..100).for_each(|_| write(&part));
    write(after);
    drop(file);
    within_memory(&case, "x.jsonl")
}

/// Reduces where more than a gigabyte of memory is not to be had.
#[cfg(unix)]
fn within_memory(case: &Case, name: &str) -> Ran {
    let program = env!("CARGO_BIN_EXE_cargo-reduce-suite");
    let script = "ulimit -v 1000000 && exec \"$@\"";
    let words = ["reduce", name, "--device", "sim:app.json", "--out", "out"];
    let output = std::process::Command::new("sh")
        .args(["-c", script, "sh", program])
        .args(words)
        .current_dir(case.folder())
        .output();
    case.has_no_results("out");
    Ran::of(output.expect("there is a shell"))
}

#[cfg(not(unix))]
fn within_memory(case: &Case, name: &str) -> Ran {
    reduce_path(case, name)
}

#[test]
fn garbage_of_a_hundred_megabytes_on_one_line_is_refused_in_little_memory() {
    let ran = reduce_long_line("", "");
    let ran = ran.failed(2, &["x.jsonl:1:1"]);
    assert!(ran.stderr.len() < 1000, "the message quotes too much");
}

#[test]
fn an_id_of_a_hundred_megabytes_is_refused_in_little_memory() {
    let ran = reduce_long_line(r#"{"id":""#, r#"","launch":{"screen":"s0"},"steps":[]}"#);
    let ran = ran.failed(2, &["x.jsonl:1:8", "a name of 100000000 bytes"]);
    assert!(ran.stderr.len() < 1000, "the message quotes too much");
}
