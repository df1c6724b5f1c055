//! Every honest reduction passes its audit, and what was tampered with does not.

use std::fs;

use super::case::{Apps, Case, Verdict, check, ensure};
use super::lab::Lab;
use super::tamper::{BESIDE, Exhibit, HARMFUL, HARMLESS, Trick, other_session};
use xtask::generate::splitmix::SplitMix;

fn passes(lab: &Lab, name: &str, settings: &[&str]) -> Verdict {
    let reduced = lab.reduce_on(name, "count=2", settings)?;
    let audit = lab.audit(&reduced.folder)?;
    let found: Vec<String> = audit.violations.iter().map(|v| format!("{v:?}")).collect();
    ensure(audit.holds && found.is_empty(), || {
        format!("{name} {settings:?}: {}", found.join("\n"))
    })
}

#[test]
fn every_honest_reduction_passes_its_audit() {
    for (seeds, apps) in [
        (3000..3020, Apps::Certain),
        (3020..3050, Apps::Flaky),
        (3050..3060, Apps::Maze),
    ] {
        check(seeds, apps, |case| {
            let lab = Lab::new(case);
            let runs = "replay.runs=3";
            passes(&lab, "paper", &[runs])?;
            passes(&lab, "best", &["strategy=best", runs])?;
            passes(&lab, "trusted", &["stabilize=none", runs])?;
            let some = r#"preserve=["screen","method"]"#;
            passes(&lab, "some", &["strategy=best", runs, some])?;
            let recorded = ["strategy=best", "walk.allow_observed=false", runs];
            passes(&lab, "recorded", &recorded)
        });
    }
}

/// Some reductions to tamper with.
fn exhibits() -> Vec<Exhibit> {
    let cases = [
        (1, Apps::Certain, "paper"),
        (2, Apps::Flaky, "paper"),
        (3, Apps::Certain, "best"),
        (4, Apps::Flaky, "best"),
        (5, Apps::Flaky, "best"),
        (6, Apps::Maze, "best"),
    ];
    let exhibit = |&(seed, apps, strategy): &(u64, Apps, &str)| {
        let mut case = Case {
            traces: 12,
            mean: 8,
            ..Case::draw(seed, apps)
        };
        if apps == Apps::Flaky {
            case.shape.flaky = 0.2;
        }
        let lab = Lab::new(&case);
        let strategy = format!("strategy={strategy}");
        let settings = [strategy.as_str(), "replay.runs=3"];
        lab.reduce(&settings).expect("the suite is reduced");
        Exhibit::new(lab)
    };
    cases.iter().map(exhibit).collect()
}

/// How often each trick is tried.
fn times(tricks: usize, all: usize) -> usize {
    let asked = std::env::var("PROPERTY_CASES").ok();
    let asked = asked.and_then(|number| number.parse().ok());
    asked.unwrap_or(all / tricks)
}

#[track_caller]
fn try_all(tricks: &[Trick], times: usize, keep_the_rest: bool) {
    let exhibits = exhibits();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (number, trick) in tricks.iter().enumerate() {
        let mut played = 0;
        for round in 0..times {
            let mut random = SplitMix::new((number * 1_000_003 + round) as u64);
            let exhibit = random.pick(&exhibits);
            let mut copy = exhibit.copy();
            let Some(is_harmful) = (trick.play)(&mut copy, &mut random) else {
                continue;
            };
            played += 1;
            if !keep_the_rest && random.chance(0.5) {
                copy.forget_the_rest();
            }
            let audit = exhibit.audit(&copy).expect("it can be audited");
            if audit.holds == is_harmful {
                let found: Vec<_> = audit.violations.iter().map(|v| format!("{v:?}")).collect();
                wrong.push(format!(
                    "{} (round {round}): {}",
                    trick.name,
                    found.join("; ")
                ));
            }
        }
        assert!(
            played > times / 20,
            "{} was played {played} times",
            trick.name
        );
        tried += played;
    }
    let count = wrong.len();
    wrong.truncate(20);
    assert!(count == 0, "{count} of {tried}:\n{}", wrong.join("\n"));
}

#[test]
fn tampering_that_changes_the_meaning_is_caught() {
    try_all(HARMFUL, times(HARMFUL.len(), 10_000), false);
}

#[test]
fn tampering_with_the_statement_or_the_journal_is_caught() {
    try_all(BESIDE, times(BESIDE.len(), 900), true);
}

#[test]
fn steps_that_were_only_observed_are_looked_up_in_their_session() {
    let mut played = 0;
    for exhibit in exhibits() {
        let mut copy = exhibit.copy();
        if other_session(&mut copy, &mut SplitMix::new(1)).is_some() {
            played += 1;
            let audit = exhibit.audit(&copy).expect("it can be audited");
            let mut found = audit.violations.iter();
            assert!(
                found.any(|v| v.check == "journal"),
                "{:?}",
                audit.violations
            );
        }
    }
    assert!(played > 0, "nothing was only observed");
}

#[test]
fn changes_that_do_not_change_the_meaning_are_let_through() {
    try_all(HARMLESS, times(HARMLESS.len(), 2_400), false);
}

#[test]
fn an_untouched_exhibit_passes() {
    for exhibit in exhibits() {
        let audit = exhibit.audit(&exhibit.copy()).expect("it can be audited");
        assert!(audit.holds, "{:?}", audit.violations);
    }
}

#[test]
fn files_that_are_not_what_they_should_be_fail_the_audit() {
    let exhibits = exhibits();
    let exhibit = &exhibits[0];
    for (file, text) in [
        ("report.json", "{}"),
        ("report.json", "[1"),
        ("suite.jsonl", "{}\n"),
        ("suite.jsonl", "\u{0}\n"),
        ("journal/runs.jsonl", "{}\n{}\n"),
        ("journal/rests_on.json", "{"),
        ("attestation.json", "[]"),
        ("attestation.json", "{\"a\":1,\"a\":1}"),
    ] {
        exhibit.audit(&exhibit.copy()).expect("it can be audited");
        let path = exhibit.folder().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
        let audit = exhibit.audit_as_is().expect("it can be audited");
        assert!(!audit.holds, "{file}: {text}");
    }
}
