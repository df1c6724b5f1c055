//! Kills and interrupts: the same command again gives what an uninterrupted run gives.

use std::fs;

use super::patience::{end, until_journal, until_journal_rests};
use super::support::{Case, REDUCE, RUNS, program};

/// A device that falls silent for good after a few hundred runs.
const STALLING: &str = "sim:app.json?stall=0.004";

#[test]
fn a_killed_reduction_goes_on_to_the_same_bytes() {
    let case = Case::generated();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let whole = case.results("whole");
    let len = case.read(&format!("whole/{RUNS}")).len() as u64;
    let mut n_killed = 0;
    for share in [1, 13, 29, 41, 58, 73, 86, 97] {
        let mut child = program(case.folder(), &REDUCE).spawn().expect("it starts");
        until_journal(&mut child, &case.path("out"), len * share / 100);
        // It may have ended just now, which is as good.
        let _ = child.kill();
        n_killed += usize::from(end(child).code.is_none());
    }
    case.reduce(&[]).done();
    assert_eq!(case.results("out"), whole);
    assert!(
        n_killed > 0,
        "every process ended before it could be killed"
    );
}

#[test]
fn a_reduction_killed_while_its_device_is_silent_goes_on_to_the_same_bytes() {
    let case = Case::paper();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let words = [
        "reduce",
        "suite.jsonl",
        "--device",
        STALLING,
        "--out",
        "out",
    ];
    let mut child = program(case.folder(), &words).spawn().expect("it starts");
    until_journal_rests(&case.path("out"));
    child.kill().expect("it waits for its device");
    assert_eq!(end(child).code, None);
    case.has_no_results("out");
    let known = case.read(&format!("out/{RUNS}"));
    case.reduce(&[]).done();
    assert!(case.read(&format!("out/{RUNS}")).starts_with(&known));
    assert_eq!(case.results("out"), case.results("whole"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_reduction_says_what_is_saved_and_goes_on_to_the_same_bytes() {
    let case = Case::paper();
    case.reduce_on(&["sim:app.json"], "whole", &[]).done();
    let words = [
        "reduce",
        "suite.jsonl",
        "--device",
        STALLING,
        "--out",
        "out",
    ];
    let child = program(case.folder(), &words).spawn().expect("it starts");
    until_journal_rests(&case.path("out"));
    super::patience::interrupt(&child);
    let ran = end(child);
    ran.failed(130, &["interrupted", "saved in out", "the same command"]);
    case.has_no_results("out");
    let known = case.read(&format!("out/{RUNS}"));
    case.reduce(&[]).done();
    assert!(case.read(&format!("out/{RUNS}")).starts_with(&known));
    assert_eq!(case.results("out"), case.results("whole"));
}

#[cfg(unix)]
#[test]
fn a_replay_that_is_interrupted_does_not_claim_to_have_saved_anything() {
    let case = Case::generated();
    let words = ["replay", "suite.jsonl", "--device", "sim:app.json?stall=1"];
    let mut child = program(case.folder(), &words).spawn().expect("it starts");
    let stderr = child.stderr.as_mut().expect("it is piped");
    // Its first line comes after the handler of the signal is in place.
    std::io::Read::read_exact(stderr, &mut [0; 9]).expect("it says what it does");
    super::patience::interrupt(&child);
    let ran = end(child).failed(130, &["interrupted"]);
    assert!(!ran.stderr.contains("saved"), "{ran:?}");
}

#[test]
fn a_finished_reduction_answers_at_once() {
    let case = Case::generated();
    let first = case.reduce(&[]).done();
    let journal = case.read(&format!("out/{RUNS}"));
    let results = case.results("out");
    // With a dead device nothing could be replayed.
    let dead = ["sim:app.json?dead=1"];
    let again = case.reduce_on(&dead, "out", &[]).done();
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(again.stderr, "");
    assert_eq!(case.read(&format!("out/{RUNS}")), journal);
    assert_eq!(case.results("out"), results);
}

#[test]
fn a_finished_reduction_whose_result_was_touched_is_made_again_from_its_journal() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let journal = case.read(&format!("out/{RUNS}"));
    let results = case.results("out");
    case.write("out/suite.jsonl", "");
    fs::remove_file(case.path("out/report.md")).expect("it is there");
    case.reduce_on(&["sim:app.json?dead=1"], "out", &[]).done();
    assert_eq!(case.results("out"), results);
    assert_eq!(case.read(&format!("out/{RUNS}")), journal);
}
