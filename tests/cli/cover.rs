//! `cover` and `import`: which traces suffice without a device, and suites from other formats.

use insta::assert_snapshot;

use super::support::Case;

/// Three short traces that one long one makes superfluous only if starting again is dear.
const SUITE: &str = r#"{"id":"a","launch":{"screen":"H","covers":["b0"]},"steps":[{"action":"x","covers":["b1"],"screen":"A"}]}
{"id":"b","launch":{"screen":"H","covers":["b0"]},"steps":[{"action":"y","covers":["b2"],"screen":"B","fault":"E"}]}
{"id":"all","launch":{"screen":"H","covers":["b0"]},"steps":[{"action":"x","covers":["b1"],"screen":"A"},{"action":"y","covers":["b2"],"screen":"B","fault":"E"}],"note":[1]}
{"id":"again","launch":{"screen":"H","covers":["b0"]},"steps":[{"action":"x","covers":["b1"],"screen":"A"}]}
"#;

fn case() -> Case {
    let case = Case::empty();
    case.write("suite.jsonl", SUITE);
    case
}

#[test]
fn cover_names_the_traces_that_suffice() {
    let ran = case().run(&["cover", "suite.jsonl"]).done();
    assert_snapshot!("cover", ran.stdout);
    assert_eq!(ran.stderr, "dropping traces that add nothing\n");
}

#[test]
fn cover_as_json() {
    let case = case();
    let words = ["cover", "suite.jsonl", "--min-witness", "2", "--exact"];
    let ran = case.run(&[&words[..], &["--format", "json", "--quiet"]].concat());
    let version = concat!("reduce-suite ", env!("CARGO_PKG_VERSION"));
    let text = ran.done().stdout.replace(version, "reduce-suite [VERSION]");
    assert_snapshot!("cover_as_json", text);
}

#[test]
fn cover_writes_the_traces_as_they_were_recorded() {
    let case = case();
    case.run(&["cover", "suite.jsonl", "--out", "new/few.jsonl"])
        .done();
    assert_eq!(case.read("new/few.jsonl"), line("all"));
    let words = ["cover", "suite.jsonl", "--set", "cost.restart_seconds=0"];
    let out = ["--preserve", "fault", "--out", "few.jsonl"];
    case.run(&[&words[..], &out].concat()).done();
    assert_eq!(case.read("few.jsonl"), line("b"));
}

fn line(id: &str) -> String {
    let mut lines = SUITE.lines();
    let line = lines.find(|line| line.starts_with(&format!("{{\"id\":\"{id}\"")));
    format!("{}\n", line.expect("there is such a trace"))
}

#[test]
fn a_matrix_is_covered_as_it_is_and_after_its_import() {
    let case = Case::empty();
    case.write("x-line.txt", "1 2 \n2 3\n3 4 4\n1 2\n");
    let from = ["--from", "coverage-matrix", "x-line.txt"];
    let words = ["cover", "--format", "json", "--quiet"];
    let direct = case.run(&[&words[..], &from].concat()).done().stdout;
    let out = ["--out", "x.jsonl.zst"];
    let ran = case.run(&[&["import"], &from[..], &out].concat()).done();
    let said = "4 traces, 0 steps and 5 elements are in x.jsonl.zst now\n";
    assert_eq!(ran.stdout, said);
    let imported = case.run(&[&words[..], &["x.jsonl.zst"]].concat()).done();
    let chosen = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        (value["traces"].clone(), value["output"].clone())
    };
    assert_eq!(chosen(&direct), chosen(&imported.stdout));
    assert_eq!(chosen(&direct).0, serde_json::json!(["t1", "t3"]));
}

#[test]
fn an_import_shows_where_a_file_is_wrong_and_writes_nothing() {
    let case = Case::empty();
    case.write("a.txt", "1 2\n");
    case.write("b.txt", "1 2\n3 x 4\n");
    let words = ["import", "--from", "coverage-matrix", "a.txt", "b.txt"];
    let ran = case.run(&[&words[..], &["--out", "s.jsonl"]].concat());
    let said = ["b.txt:2:3: `x` is not", "whole numbers", "1 of 2 files"];
    ran.failed(2, &said);
    assert!(!case.has("s.jsonl") && !case.has(".s.jsonl.new"));
    let ran = case.run(&["import", "--from", "nothing", "a.txt", "--out", "s.jsonl"]);
    ran.failed(2, &["nothing", "coverage-matrix"]);
    let ran = case.run(&["import", "--from", "jsonl", "no.jsonl", "--out", "s.jsonl"]);
    ran.failed(2, &["no.jsonl", "spelling"]);
}
