//! Tests of the layers together: merging, errors, printing, and the defaults against the struct.

use std::{fs, path::Path};

use serde_json::Value as Json;
use tempfile::TempDir;

use super::{DEFAULTS, Layers, Origin, Resolved, print_config, resolve, written};
use crate::model::{AfterDivergence, Kind, Stabilize, Strategy};

mod best;

/// A folder with `text` as its project file.
fn project(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("config")).unwrap();
    fs::write(folder.path().join("config/reduce-suite.toml"), text).unwrap();
    folder
}

fn with_overrides(settings: &[&str]) -> Layers {
    let pair = |setting: &&str| {
        let (key, value) = setting.split_once('=').unwrap();
        let table: toml::Table = format!("value = {value}").parse().unwrap();
        (key.to_owned(), table["value"].clone())
    };
    Layers {
        file: None,
        overrides: settings.iter().map(pair).collect(),
    }
}

#[track_caller]
fn resolved(file: &str, overrides: &[&str]) -> Resolved {
    let folder = project(file);
    resolve(&with_overrides(overrides), folder.path()).unwrap()
}

#[track_caller]
fn check_error(file: &str, overrides: &[&str], expect: &str) {
    let folder = project(file);
    let error = resolve(&with_overrides(overrides), folder.path()).unwrap_err();
    assert_eq!(error.to_string(), expect);
}

fn defaults() -> Resolved {
    let nowhere = tempfile::tempdir().unwrap();
    resolve(&Layers::default(), nowhere.path()).unwrap()
}

#[test]
fn the_command_line_lies_over_the_file_and_the_file_over_the_defaults() {
    let resolved = resolved(
        "seed = 3\n[replay]\nruns = 4\n",
        &["replay.runs=5", "splice={fragments=2}"],
    );
    assert_eq!(resolved.config.seed, 3);
    assert_eq!(resolved.config.replay.runs, 5);
    assert_eq!(resolved.config.splice.fragments, 2);
    assert_eq!(resolved.config.settle.rounds, 8);
    let origin = |key| resolved.settings.get(key).origin.clone();
    let path = "config/reduce-suite.toml".into();
    assert_eq!(origin("seed"), Origin::File { path, line: 1 });
    assert_eq!(origin("replay.runs"), Origin::CommandLine);
    assert_eq!(origin("splice.fragments"), Origin::CommandLine);
    assert_eq!(origin("splice.max_work"), Origin::Default);
}

#[test]
fn the_later_of_two_flags_for_one_option_holds() {
    assert_eq!(resolved("", &["seed=2", "seed=9"]).config.seed, 9);
}

#[test]
fn the_defaults_resolve_without_a_project_file() {
    let resolved = defaults();
    let config = &resolved.config;
    assert_eq!(resolved.file, None);
    assert_eq!(config.strategy, Strategy::Best);
    assert_eq!(config.stabilize, Stabilize::Lazy);
    let paper = self::resolved("", &["strategy='paper'"]).config;
    assert_eq!(paper.stabilize, Stabilize::Full);
    assert_eq!(config.preserve, Kind::ALL);
    assert_eq!(config.replay.after_divergence, AfterDivergence::Stop);
    assert_eq!((config.budget.device, config.budget.wall), (None, None));
    assert_eq!(config.cost.costs().restart_micros, 15_000_000);
}

#[test]
fn words_become_choices() {
    let config = resolved(
        "stabilize = \"lazy\"\npreserve = [\"screen\", \"branch\", \"screen\"]\n\
         replay.after_divergence = \"finish\"\nbudget.device = \"1h30m\"\n\
         cost.action_seconds = 3\n",
        &["strategy='paper'"],
    )
    .config;
    assert_eq!(config.strategy, Strategy::Paper);
    assert_eq!(config.stabilize, Stabilize::Lazy);
    assert_eq!(config.preserve, [Kind::Branch, Kind::Screen]);
    assert_eq!(config.replay.after_divergence, AfterDivergence::Finish);
    assert_eq!(config.budget.device.unwrap().as_secs(), 5400);
    assert_eq!(config.cost.costs().action_micros, 3_000_000);
}

#[test]
fn a_named_file_is_used_instead_of_the_one_of_the_project() {
    let folder = project("seed = 3");
    fs::write(folder.path().join("other.toml"), "seed = 4").unwrap();
    let layers = Layers {
        file: Some("other.toml".into()),
        overrides: Vec::new(),
    };
    assert_eq!(resolve(&layers, folder.path()).unwrap().config.seed, 4);
}

#[test]
fn a_named_file_that_is_not_there_is_an_error() {
    let layers = Layers {
        file: Some("nowhere.toml".into()),
        overrides: Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let error = resolve(&layers, folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("nowhere.toml: the project file cannot be read: "));
}

#[test]
fn paths_of_a_file_found_further_up_can_be_used_from_below() {
    let folder = project(
        "suite = [\"../a.jsonl\"]\ndevice = [\"sim:../app.json?count=2\", \"adb:\"]\nout = \"o\"",
    );
    let below = folder.path().join("x/y");
    fs::create_dir_all(&below).unwrap();
    let layers = with_overrides(&["out='here'"]);
    let config = resolve(&layers, &below).unwrap().config;
    assert_eq!(config.suite, [Path::new("../../a.jsonl")]);
    assert_eq!(config.device, ["sim:../../app.json?count=2", "adb:"]);
    assert_eq!(config.out, Path::new("here"));
    let config = resolve(&Layers::default(), folder.path()).unwrap().config;
    assert_eq!(config.suite, [Path::new("a.jsonl")]);
    assert_eq!(config.out, Path::new("config/o"));
}

#[test]
fn the_shipped_project_file_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = resolve(&Layers::default(), root).unwrap().config;
    assert_eq!(config.seed, 7);
    assert_eq!(config.device, ["sim:testdata/file-browser/app.json"]);
    assert_eq!(config.out, Path::new("target/reduce-suite"));
}

#[test]
fn unknown_options_are_errors_with_their_line_and_a_suggestion() {
    check_error(
        "seed = 1\n\n[reply]\nruns = 3\n",
        &[],
        "config/reduce-suite.toml:4: there is no option `reply.runs`; did you mean `replay.runs`?",
    );
    check_error(
        "",
        &["max_work=1"],
        "command line: there is no option `max_work`; \
         did you mean `loops.max_work` or `splice.max_work`?",
    );
    check_error(
        "[colours]",
        &[],
        "config/reduce-suite.toml:1: there is no option `colours`",
    );
    check_error(
        "seed.first = 1",
        &[],
        "config/reduce-suite.toml:1: there is no option `seed.first`",
    );
}

#[test]
fn a_group_takes_no_value_of_its_own() {
    check_error(
        "replay = 3",
        &[],
        "config/reduce-suite.toml:1: `replay` is a group of options, of which `replay.runs` is one",
    );
    assert_eq!(resolved("[replay]\n", &[]).config.replay.runs, 10);
}

#[test]
fn values_out_of_range_are_errors_that_say_what_is_allowed() {
    check_error(
        "replay.runs = 0",
        &[],
        "config/reduce-suite.toml:1: `replay.runs` is 0, \
         but it must be a whole number from 1 to 1000",
    );
    check_error(
        "",
        &["splice.fragments=9"],
        "command line: `splice.fragments` is 9, but it must be a whole number from 1 to 8",
    );
    check_error(
        "",
        &["seed=-1"],
        "command line: `seed` is -1, but it must be a whole number of at least 0",
    );
    check_error(
        "",
        &["cost.action_seconds=nan"],
        "command line: `cost.action_seconds` is nan, \
         but it must be a number of seconds from 0 to 86400",
    );
}

#[test]
fn values_of_the_wrong_type_are_errors_that_say_what_is_allowed() {
    check_error(
        "",
        &["replay.runs='3'"],
        "command line: `replay.runs` is \"3\", but it must be a whole number from 1 to 1000",
    );
    check_error(
        "",
        &["suite='a'"],
        "command line: `suite` is \"a\", but it must be a list of texts, such as [\"a\", \"b\"]",
    );
    check_error(
        "",
        &["out={}"],
        "command line: `out` is a table, but it must be a text that is not empty",
    );
    check_error(
        "",
        &["budget.wall=90"],
        "command line: `budget.wall` is 90, \
         but it must be \"none\" or a time such as \"90s\", \"30m\" or \"1h30m\"",
    );
    check_error(
        "",
        &["stabilize='always'"],
        "command line: `stabilize` is \"always\", \
         but it must be \"auto\", \"full\", \"lazy\" or \"none\"",
    );
    let kinds = "a list with at least \"all\", \"branch\", \"method\", \"function\", \"line\", \
                 \"block\", \"activity\", \"fault\" or \"screen\"";
    for given in ["[]", "[\"branches\"]", "\"all\""] {
        check_error(
            "",
            &[&format!("preserve={given}")],
            &format!("command line: `preserve` is {given}, but it must be {kinds}"),
        );
    }
}

#[test]
fn a_long_value_is_cut_in_its_error() {
    let long = format!("strategy='{}'", "x".repeat(1000));
    let folder = project("");
    let error = resolve(&with_overrides(&[&long]), folder.path()).unwrap_err();
    assert!(error.to_string().len() < 150, "{error}");
}

#[test]
fn a_file_that_is_no_toml_is_an_error_with_its_line() {
    let folder = project("seed = 1\nout =\n");
    let error = resolve(&Layers::default(), folder.path()).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("config/reduce-suite.toml:2: "), "{error}");
}

#[test]
fn the_printed_settings_say_where_each_came_from() {
    let resolved = resolved("seed = 3\nout = \"../o\"\n", &["replay.runs=5"]);
    let text = print_config(&resolved);
    let start = text.split("\n[retry]").next().unwrap();
    // Columns are as wide as the longest of all settings, which is not the point here.
    let lines = start
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    suite = [] # default
    device = [] # default
    out = "o" # config/reduce-suite.toml:2
    seed = 3 # config/reduce-suite.toml:1
    strategy = "best" # default
    stabilize = "auto" # default
    preserve = ["all"] # default

    [replay]
    runs = 5 # command line
    after_divergence = "stop" # default
    "#);
}

#[test]
fn the_printed_settings_are_toml_that_gives_the_same_settings() {
    let first = resolved(
        "suite = [\"a\", \"b\\nc\"]\nout = \"it's \\\"here\\\"\\nand there\"\n",
        &[
            "device=['sim:x', 'adb:']",
            "budget.wall='90s'",
            "preserve=['line']",
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("printed.toml"), print_config(&first)).unwrap();
    let layers = Layers {
        file: Some("printed.toml".into()),
        overrides: Vec::new(),
    };
    let second = resolve(&layers, folder.path()).unwrap();
    assert_eq!(second.config, first.config);
}

#[cfg(unix)]
#[test]
fn a_file_name_cannot_break_out_of_the_comment_it_is_printed_in() {
    let folder = tempfile::tempdir().unwrap();
    let name = "x\nseed = 5.toml";
    fs::write(folder.path().join(name), "seed = 3").unwrap();
    let layers = Layers {
        file: Some(name.into()),
        overrides: Vec::new(),
    };
    let text = print_config(&resolve(&layers, folder.path()).unwrap());
    let printed: toml::Table = text.parse().unwrap();
    assert_eq!(printed["seed"], 3.into());
}

/// Dotted keys of all leaves.
fn leaves(prefix: &str, value: &Json, keys: &mut Vec<String>) {
    match value.as_object() {
        Some(table) => {
            for (key, value) in table {
                let dot = if prefix.is_empty() { "" } else { "." };
                leaves(&format!("{prefix}{dot}{key}"), value, keys);
            }
        }
        None => keys.push(prefix.to_owned()),
    }
}

#[test]
fn every_default_has_a_field_and_every_field_a_default() {
    let mut fields = Vec::new();
    let config = serde_json::to_value(defaults().config).unwrap();
    leaves("", &config, &mut fields);
    let written = written::parse(DEFAULTS).unwrap().into_iter();
    let mut defaults: Vec<String> = written.map(|written| written.key).collect();
    fields.sort();
    defaults.sort();
    assert_eq!(fields, defaults);
}

#[test]
fn every_default_has_a_comment() {
    let lines: Vec<&str> = DEFAULTS.lines().collect();
    for written in written::parse(DEFAULTS).unwrap() {
        let above = lines[written.line - 2];
        assert!(above.starts_with("# "), "{} has no comment", written.key);
    }
}

#[test]
fn the_settings_of_an_answer_leave_out_what_cannot_change_it() {
    let mut kept = Vec::new();
    leaves("", &defaults().config.answer_settings(), &mut kept);
    let mut all = Vec::new();
    let config = serde_json::to_value(defaults().config).unwrap();
    leaves("", &config, &mut all);
    let mut left_out: Vec<_> = all.iter().filter(|key| !kept.contains(key)).collect();
    left_out.sort();
    let mut expect = [
        "suite",
        "device",
        "out",
        "budget.wall",
        "retry.per_job",
        "retry.per_device",
        "retry.hang_seconds",
        "load.max_line_mib",
        "load.max_name_kib",
        "load.unknown_actions",
        "explore.strategy",
        "explore.budget",
        "explore.max_steps",
        "explore.lanes",
        "explore.deny",
        "explore.also_deny",
        "explore.texts",
        "minimize.private",
        "minimize.replace_text",
        "minimize.rules_off",
        "minimize.solved_candidates",
    ];
    expect.sort_unstable();
    assert_eq!(left_out, expect);
}
