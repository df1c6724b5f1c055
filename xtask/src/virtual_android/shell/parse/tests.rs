//! What is quoted stays text, and what is not has its meaning.

use super::{Piece, When, parse};

fn text(text: &str) -> Vec<Piece> {
    vec![Piece::Text(text.to_owned())]
}

/// The words of the only command.
#[track_caller]
fn words(script: &str) -> Vec<Vec<Piece>> {
    let parsed = parse(script).expect(script);
    assert_eq!(parsed.0.len(), 1, "{parsed:?}");
    parsed.0[0].1[0].words.clone()
}

#[test]
fn quotes_of_all_kinds_make_one_word() {
    assert_eq!(
        words("a 'b; c' \"d $\" e\\ f ''")[1..],
        [text("b; c"), text("d $"), text("e f"), text("")]
    );
    assert_eq!(
        words(r#"'it'\''s' "\"\$\`\n""#),
        [text("it's"), text("\"$`\\n")]
    );
}

#[test]
fn substitutions_run_unless_they_stand_in_single_quotes() {
    let run = |quoted| Piece::Output {
        script: "reboot".to_owned(),
        quoted,
    };
    assert_eq!(words("x $(reboot)")[1], [run(false)]);
    assert_eq!(words("x `reboot`")[1], [run(false)]);
    assert_eq!(words("x \"a $(reboot)\"")[1][1], run(true));
    assert_eq!(
        words("x '$(reboot) `reboot`'")[1],
        text("$(reboot) `reboot`")
    );
}

#[test]
fn lists_and_pipes_are_told_apart() {
    let script = parse("a; b && c | d || e\nf &").unwrap();
    let shape: Vec<_> = script
        .0
        .iter()
        .map(|(when, list)| (*when, list.len()))
        .collect();
    let expect = [
        (When::Always, 1),
        (When::Always, 1),
        (When::After, 2),
        (When::Otherwise, 1),
        (When::Always, 1),
    ];
    assert_eq!(shape, expect);
}

#[test]
fn what_is_no_script_is_an_error() {
    for script in ["'", "\"", "`", "$(", "a | ", "| a", "echo >", "(a)", "${x"] {
        assert!(parse(script).is_err(), "{script}");
    }
}
