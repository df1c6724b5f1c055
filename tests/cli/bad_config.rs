//! Settings and flags that make no sense.

use super::support::{Case, Ran};

fn reduce_with_file(text: &str) -> Ran {
    let case = Case::small();
    case.write("config/reduce-suite.toml", text);
    let ran = case.reduce(&[]);
    case.has_no_results("out");
    ran
}

fn reduce_with(words: &[&str]) -> Ran {
    let case = Case::small();
    let ran = case.reduce(words);
    case.has_no_results("out");
    ran
}

#[test]
fn an_unknown_option_in_the_file_is_named_with_its_line_and_a_suggestion() {
    let ran = reduce_with_file("seed = 3\nstratagy = \"paper\"\n");
    ran.failed(
        2,
        &[
            "reduce-suite.toml:2",
            "`stratagy`",
            "did you mean `strategy`?",
        ],
    );
}

#[test]
fn an_unknown_option_on_the_command_line_gets_a_suggestion() {
    let ran = reduce_with(&["--set", "replay.rnus=3"]);
    ran.failed(
        2,
        &[
            "command line",
            "`replay.rnus`",
            "did you mean `replay.runs`?",
        ],
    );
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_what_is_allowed() {
    let ran = reduce_with_file("seed = \"x\"\n");
    ran.failed(
        2,
        &["reduce-suite.toml:1", "`seed` is \"x\"", "whole number"],
    );
    let ran = reduce_with(&["--set", "replay.runs=often"]);
    ran.failed(2, &["`replay.runs` is \"often\"", "from 1 to 1000"]);
}

#[test]
fn a_share_without_its_sign_gets_a_suggestion() {
    let ran = reduce_with(&["--suite-flake", "5"]);
    ran.failed(
        2,
        &["`certify.suite_flake` is \"5\"", "did you mean \"5%\"?"],
    );
    let ran = reduce_with(&["--set", "certify.trace_flake=rarely"]);
    ran.failed(2, &["`certify.trace_flake` is \"rarely\"", "0.5%"]);
}

#[test]
fn a_file_that_is_no_toml_is_named_with_its_line() {
    let ran = reduce_with_file("seed = 3\n[replay\n");
    ran.failed(2, &["reduce-suite.toml:2"]);
}

#[test]
fn a_missing_file_of_settings_is_named() {
    let ran = reduce_with(&["--config", "nowhere.toml"]);
    ran.failed(2, &["nowhere.toml", "cannot be read"]);
}

#[test]
fn unknown_flags_are_named() {
    reduce_with(&["--bogus"]).failed(2, &["'--bogus'", "--help"]);
}

#[test]
fn unknown_commands_are_named() {
    let ran = Case::empty().run(&["redcue"]);
    ran.failed(2, &["'redcue'", "reduce"]);
}

#[test]
fn quiet_and_verbose_do_not_go_together() {
    reduce_with(&["-q", "-v"]).failed(2, &["--quiet", "--verbose"]);
}
