//! The bench as a whole, on apps that are reduced in no time.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("bench")
        .args(words)
        .output()
        .expect("the bench runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_app_is_a_row_with_figures_and_no_violation() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let json = folder.path().join("bench.json");
    let cache = folder.path().join("cache");
    let words = |strategies| {
        let mut words: Vec<String> = "--sizes 12 --seeds 1 --recorders curious,restarts --eight"
            .split(' ')
            .map(str::to_owned)
            .collect();
        words.extend(["--strategies".to_owned(), strategies]);
        words.extend(["--json".to_owned(), json.display().to_string()]);
        words.extend(["--cache".to_owned(), cache.display().to_string()]);
        words
    };
    let run = |strategies: &str| {
        let words = words(strategies.to_owned());
        let output = bench(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let all = std::fs::read(&json).expect("the figures are there");
        let all: Value = serde_json::from_slice(&all).expect("they are JSON");
        (all, text(&output.stdout))
    };
    let (all, table) = run("paper,paper");
    let rows = all["rows"].as_array().expect("rows are a list");
    assert_eq!(rows.len(), 3 * 2 * 2);
    for row in rows {
        assert!(row["base"]["seconds"].as_f64() > Some(0.0), "{row:#}");
        assert_eq!(
            row["base"]["violations"],
            Value::Array(Vec::new()),
            "{row:#}"
        );
        assert_eq!(row["derived"]["suite_ratio"], 1.0, "{row:#}");
        assert_eq!(row["same_on_eight"], true, "{row:#}");
    }
    assert!(table.contains("median suite ratio <= 0.55"), "{table}");
    // The second time the figures of the first strategy come from the cache: to the last digit, own time included.
    let (again, _) = run("paper,paper");
    for (row, before) in again["rows"].as_array().into_iter().flatten().zip(rows) {
        assert_eq!(row["base"], before["base"]);
    }
}

#[test]
fn a_strategy_that_breaks_is_a_row_that_says_so_and_shuts_the_gate() {
    let output = bench(&[
        "--sizes",
        "12",
        "--seeds",
        "1",
        "--generators",
        "grid",
        "--flaky",
        "0",
        "--cache",
        "none",
        "--strategies",
        "paper,nonsense",
        "--gate",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let table = text(&output.stdout);
    assert!(table.contains("! grid curious 12 0 1: "), "{table}");
    assert!(table.contains("nonsense"), "{table}");
}

#[test]
fn bad_words_are_named_with_the_usage() {
    let output = bench(&["--sizes", "many"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("--sizes: many does not fit here"),
        "{errors}"
    );
    assert!(errors.contains("--generators"), "{errors}");
}
