//! Output folders that cannot be used: no room, no right, or another process at work.

use std::fs;
use std::process::Child;

use super::patience::{end, until_journal_rests};
use super::support::{Case, REDUCE, RUNS, program, root};

#[test]
fn a_folder_below_a_file_cannot_be_written_to() {
    let case = Case::small();
    let ran = case.reduce_on(&["sim:app.json"], "app.json/out", &[]);
    ran.failed(2, &["app.json/out", "--out"]);
    assert!(case.has("app.json"));
}

/// A process that waits for its silent device, with some runs in its journal.
fn stalled(case: &Case) -> Child {
    let stalling = "sim:app.json?stall=0.004";
    let words = [
        "reduce",
        "suite.jsonl",
        "--device",
        stalling,
        "--out",
        "out",
    ];
    let process = program(case.folder(), &words).spawn().expect("it starts");
    until_journal_rests(&case.path("out"));
    process
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let case = Case::paper();
    let mut first = stalled(&case);
    let known = case.read(&format!("out/{RUNS}"));
    let ran = case.reduce(&[]);
    ran.failed(2, &["runs.jsonl", "in use by another process"]);
    assert!(case.read(&format!("out/{RUNS}")).starts_with(&known));
    first.kill().expect("it waits for its device");
    end(first);
    case.reduce(&[]).done();
}

#[test]
fn a_fresh_start_does_not_take_the_folder_away_from_another_process() {
    let case = Case::paper();
    let mut first = stalled(&case);
    let known = case.read(&format!("out/{RUNS}"));
    let ran = case.reduce(&["--fresh"]);
    let kept = case
        .has(&format!("out/{RUNS}"))
        .then(|| case.read(&format!("out/{RUNS}")));
    first.kill().expect("it waits for its device");
    end(first);
    ran.failed(2, &["runs.jsonl", "in use by another process"]);
    assert!(kept.is_some_and(|kept| kept.starts_with(&known)));
}

/// A small disk in the case's folder, if the system lets us have one.
#[cfg(target_os = "linux")]
struct Disk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Disk {
    #[expect(clippy::print_stdout, reason = "what was not tested must be told")]
    fn new(case: &Case, bytes: u64) -> Option<Self> {
        let path = case.path("disk");
        fs::create_dir(&path).expect("it can be made");
        let size = format!("size={bytes}");
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&path)
            .output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(path));
        }
        println!("no small disk can be mounted here, so a full one is not tested");
        None
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_with_runs_leaves_what_can_be_gone_on_from() {
    let case = Case::paper();
    case.reduce(&[]).done();
    let Some(_disk) = Disk::new(&case, 64 << 10) else {
        return;
    };
    let ran = case.reduce_on(&["sim:app.json"], "disk/out", &[]);
    ran.failed(
        3,
        &[
            "disk/out/journal/runs.jsonl",
            "No space left",
            "saved in disk/out",
        ],
    );
    case.has_no_results("disk/out");
    // Elsewhere there is room, and what was saved is of use.
    fs::create_dir_all(case.path("moved/journal")).expect("it can be made");
    let runs = case.read(&format!("disk/out/{RUNS}"));
    assert!(runs.len() > 30 << 10);
    case.write(&format!("moved/{RUNS}"), runs);
    case.reduce_on(&["sim:app.json"], "moved", &[]).done();
    assert_eq!(case.results("moved"), case.results("out"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_with_no_room_for_the_results_is_left_without_any() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let runs = case.read(&format!("out/{RUNS}"));
    let Some(_disk) = Disk::new(&case, runs.len() as u64 + (40 << 10)) else {
        return;
    };
    case.write(&format!("disk/out/{RUNS}"), &runs);
    let ran = case.reduce_on(&["sim:app.json"], "disk/out", &[]);
    ran.failed(
        3,
        &[
            "disk/out/",
            "No space left",
            "make room",
            "saved in disk/out",
        ],
    );
    case.has_no_results("disk/out");
    assert_eq!(case.read(&format!("disk/out/{RUNS}")), runs);
}

#[test]
fn quiet_runs_say_nothing_but_their_result() {
    let case = Case::small();
    let ran = program(case.folder(), &[&REDUCE[..], &["--quiet"]].concat()).output();
    assert!(ran.expect("it starts").stderr.is_empty());
}

#[test]
fn the_report_fits_the_schema_that_is_published() {
    let case = Case::generated();
    case.reduce(&[]).done();
    let published = fs::read_to_string(root().join("config/report.schema.json"));
    let schema: serde_json::Value =
        serde_json::from_str(&published.expect("it can be read")).expect("the schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let report = serde_json::from_str(&case.read("out/report.json")).expect("it is JSON");
    let wrong: Vec<String> = validator
        .iter_errors(&report)
        .map(|e| e.to_string())
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn dead_devices_do_not_use_up_the_tries_of_a_run() {
    let case = Case::generated();
    case.reduce_on(&["sim:app.json"], "one", &[]).done();
    let devices = ["sim:app.json?dead=1&count=6", "sim:app.json"];
    case.reduce_on(&devices, "many", &["--set", "retry.per_job=8"])
        .done();
    assert_eq!(case.read("one/suite.jsonl"), case.read("many/suite.jsonl"));
}
