//! Journals cut off anywhere, as a loss of power leaves them.

use std::fs::{self, OpenOptions};

use super::support::{Case, RESULTS, RUNS};

/// Lengths spread over a journal, some of them at its ends, by a fixed draw.
fn lengths(len: u64) -> Vec<u64> {
    let mut draw = 7_u64;
    let mut next = || {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (draw >> 16) % len
    };
    let some: Vec<u64> = (0..8).map(|_| next()).collect();
    [&[0, 1, len - 1, len], &some[..]].concat()
}

#[test]
fn a_journal_cut_off_anywhere_leads_to_the_same_bytes() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let results = case.results("out");
    let journal = case.read(&format!("out/{RUNS}"));
    for len in lengths(journal.len() as u64) {
        for name in RESULTS.iter().chain(&["journal/finished.json"]) {
            fs::remove_file(case.path("out").join(name)).expect("it is there");
        }
        let file = OpenOptions::new()
            .write(true)
            .open(case.path("out").join(RUNS));
        let file = file.expect("the journal is there");
        file.set_len(len).expect("it can be cut");
        case.reduce(&[]).done();
        assert_eq!(case.results("out"), results, "cut to {len} bytes");
        assert_eq!(
            case.read(&format!("out/{RUNS}")),
            journal,
            "cut to {len} bytes"
        );
    }
}

#[test]
fn stabilizing_goes_on_from_a_journal_that_was_cut_off() {
    let case = Case::generated();
    let words = [
        "stabilize",
        "suite.jsonl",
        "--device",
        "sim:app.json",
        "--out",
        "out",
    ];
    case.run(&words).done();
    let results = || {
        (
            case.read("out/suite.jsonl"),
            case.read("out/stabilize.json"),
        )
    };
    let whole = results();
    let journal = case.read(&format!("out/{RUNS}"));
    for len in lengths(journal.len() as u64) {
        case.write(&format!("out/{RUNS}"), &journal.as_bytes()[..len as usize]);
        case.run(&words).done();
        assert_eq!(results(), whole, "cut to {len} bytes");
        assert_eq!(
            case.read(&format!("out/{RUNS}")),
            journal,
            "cut to {len} bytes"
        );
    }
}

#[test]
fn what_a_loss_of_power_leaves_behind_the_last_whole_line_is_cut_off() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let results = case.results("out");
    let journal = case.read(&format!("out/{RUNS}"));
    for tail in ["\0".repeat(10_000), "{\"run\":{\"script\":\"".to_owned()] {
        case.write(&format!("out/{RUNS}"), format!("{journal}{tail}"));
        fs::remove_file(case.path("out/journal/finished.json")).expect("it is there");
        case.reduce(&[]).done();
        assert_eq!(case.results("out"), results);
        assert_eq!(case.read(&format!("out/{RUNS}")), journal);
    }
}
