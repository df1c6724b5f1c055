//! Tests of the settings that `best` follows: shares, switches, slack.

use super::{check_error, resolved};
use crate::model::Kind;

#[test]
fn shares_are_percentages_or_fractions() {
    let certify = |settings: &[&str]| resolved("", settings).config.certify;
    let default = certify(&[]);
    assert_eq!((default.trace_flake, default.confidence), (0.01, 0.95));
    assert_eq!((default.suite_flake, default.max_runs), (None, 30));
    assert_eq!(certify(&["certify.trace_flake=0.01"]), default);
    let flake = |written: &str| {
        let setting = format!("certify.suite_flake={written}");
        certify(&[&setting]).suite_flake
    };
    assert_eq!(flake("'1%'"), Some(0.01));
    assert_eq!(flake("'0.5 %'"), Some(0.005));
    assert_eq!(flake("'0.02'"), Some(0.02));
    assert_eq!(flake("0.02"), Some(0.02));
    assert_eq!(flake("'none'"), None);
    let sure = certify(&["certify.confidence='99%'"]);
    assert_eq!(sure, certify(&["certify.confidence=0.99"]));
    assert_ne!(sure, default);
}

#[test]
fn what_is_no_share_is_an_error_that_helps() {
    let flake = "a share above 0 and below 100 %, such as \"1%\", \"0.5%\" or 0.01";
    for (given, hint) in [
        ("0", ""),
        ("\"100%\"", ""),
        ("nan", ""),
        ("true", ""),
        ("\"often\"", ""),
        ("5", "; did you mean \"5%\"?"),
        ("\"2.5\"", "; did you mean \"2.5%\"?"),
    ] {
        check_error(
            "",
            &[&format!("certify.trace_flake={given}")],
            &format!(
                "command line: `certify.trace_flake` is {given}, but it must be {flake}{hint}"
            ),
        );
        check_error(
            "",
            &[&format!("certify.suite_flake={given}")],
            &format!(
                "command line: `certify.suite_flake` is {given}, \
                 but it must be \"none\" or {flake}{hint}"
            ),
        );
    }
    check_error(
        "[certify]\nconfidence = 95",
        &[],
        "config/reduce-suite.toml:2: `certify.confidence` is 95, but it must be \
         a share from 50 % to below 100 %, such as \"95%\" or 0.95; did you mean \"95%\"?",
    );
}

#[test]
fn switches_are_true_or_false() {
    let config = resolved("walk.allow_observed = false", &["cover.exact=true"]).config;
    assert!(!config.walk.allow_observed && config.cover.exact);
    check_error(
        "",
        &["slack.keep_faults='no'"],
        "command line: `slack.keep_faults` is \"no\", but it must be true or false",
    );
}

#[test]
fn the_length_of_new_traces_and_the_slack_have_bounds() {
    for (setting, range) in [
        ("walk.max_steps=9", "10 to 100000"),
        ("walk.max_steps=100001", "10 to 100000"),
        ("walk.lanes=0", "1 to 1024"),
        ("certify.max_runs=0", "1 to 10000"),
        ("slack.min_witness=0", "1 to 10"),
        ("slack.min_witness=11", "1 to 10"),
    ] {
        let (key, given) = setting.split_once('=').unwrap();
        let expect =
            format!("command line: `{key}` is {given}, but it must be a whole number from {range}");
        check_error("", &[setting], &expect);
    }
}

#[test]
fn faults_are_promised_unless_somebody_gives_them_up() {
    let promised = |settings: &[&str]| resolved("", settings).config.promised();
    let branches = "preserve=['branch']";
    assert_eq!(promised(&[branches]), [Kind::Branch, Kind::Fault]);
    assert_eq!(
        promised(&[branches, "slack.keep_faults=false"]),
        [Kind::Branch]
    );
    let named = ["preserve=['fault']", "slack.keep_faults=false"];
    assert_eq!(promised(&named), [Kind::Fault]);
}
