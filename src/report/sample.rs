//! Reports that the tests of the renderers share.

use std::collections::BTreeMap;

use super::{
    Bound, Certificate, Choice, Cost, Cut, Device, Dropped, Expensive, Gone, LimitHit, PhaseSize,
    PhaseUse, Removed, Renderer, Report, Restored, SeenCount, Shown, Side, Strip, Subject, System,
    Validated, Validation, Witness,
};

/// A reduction that kept its promises, with one of everything.
pub(crate) fn sample() -> Report {
    let mut report = plain();
    report.validation.traces[6] = Validated {
        runs: 30,
        risk: Some(0.0121),
        replays_at_least: Some(0.9487),
        flaky: true,
        ..validated("r7", 0)
    };
    report
}

/// The same as written before reports knew of flakiness, choices and the clock.
pub(crate) fn old() -> Report {
    let mut value = serde_json::to_value(sample()).unwrap();
    let mut forget = |place: &str, fields: &[&str]| {
        let place = value.pointer_mut(place).unwrap().as_object_mut().unwrap();
        for field in fields {
            place.remove(*field).unwrap();
        }
    };
    forget("", &["choices"]);
    forget("/bound", &["expensive"]);
    forget("/device", &["elapsed"]);
    forget("/validation", &["confidence", "suite_risk"]);
    for trace in 0..9 {
        let place = format!("/validation/traces/{trace}");
        forget(&place, &["risk", "replays_at_least", "flaky"]);
    }
    serde_json::from_value(value).unwrap()
}

fn plain() -> Report {
    Report {
        version: super::VERSION,
        tool: "reduce-suite 0.1.0".to_owned(),
        seed: 7,
        strategy: "best".to_owned(),
        algorithm: "walks".to_owned(),
        config: serde_json::json!({"runs": 10, "preserve": ["branch", "screen"]}),
        subject: Subject {
            device: "sim".to_owned(),
            sha256: "5a".repeat(32),
            cost: Some(Cost {
                restart_seconds: 15.0,
                action_seconds: 2.0,
            }),
        },
        input: side((800, 13_078), 38_156.0, [("branch", 1_982), ("screen", 90)]),
        output: side((9, 910), 1_955.0, [("branch", 1_980), ("screen", 90)]),
        phases: phases(),
        device: device(),
        bound: Bound {
            seconds: 1_492.0,
            gap: 0.31,
            expensive: vec![
                expensive("screen:Checkout", 118.0),
                expensive("b1204", 64.5),
                expensive("method:com.app.Pay.confirm", 64.5),
                expensive("b7", 12.0),
            ],
        },
        preserve: texts(&["screen", "branch"]),
        preserved: true,
        stopped: None,
        lost: Vec::new(),
        unstable: vec![
            gone("b17", "7 of 10 runs"),
            gone("ads.Banner:3", "1 of 10 runs"),
        ],
        witness: witnesses(),
        removed: removed(),
        restored: Vec::new(),
        cut: vec![cut("t42", "Settings", &[("Home", 2), ("Dialog", 1)])],
        limits: vec![LimitHit {
            phase: "loops".to_owned(),
            trace: Some("t9".to_owned()),
            limit: "1,000 variants".to_owned(),
        }],
        validation: Validation {
            runs_per_trace: 10,
            confidence: Some(0.95),
            suite_risk: Some(0.0112),
            traces: (1..=9).map(|n| validated(&format!("r{n}"), 0)).collect(),
        },
        choices: choices(),
        dropped: vec![Dropped {
            trace: "t1".to_owned(),
            first: 4,
            last: 4,
            why: "loop".to_owned(),
            now: texts(&["r1"]),
        }],
        since: None,
        system: system(),
        certificate: Certificate::default(),
    }
}

fn system() -> System {
    let system = serde_json::json!({
        "screens": [{"name": "Home", "seen": 20, "kept": 2, "launch": true},
                    {"name": "Menu", "seen": 20, "kept": 2, "launch": false}],
        "transitions": [{"from": 0, "to": 1, "action": "tap:menu", "seen": 9, "kept": 2},
                        {"from": 1, "to": 0, "action": "back", "seen": 9, "kept": 0}],
        "left_out": 3,
    });
    serde_json::from_value(system).unwrap()
}

/// The traces of the sample.
pub(crate) fn strips() -> Vec<Strip> {
    let line = r#"{"id":"r1","launch":{"screen":"Home","covers":["b0"]},"steps":[
        {"action":"tap:menu","covers":["b1"],"screen":"Menu"},
        {"action":{"type":"key","key":"back"},"covers":[],"screen":"Home","fault":"E"}],
        "from":[{"trace":"t1","first":0,"last":0},{"trace":"t9","first":5,"last":5}]}"#;
    super::strips(line.replace('\n', "").as_bytes()).unwrap()
}

/// A reduction that ended early, lost elements and has a trace that does not always replay.
pub(crate) fn broken() -> Report {
    let mut report = sample();
    report.preserved = false;
    report.stopped = Some("budget of 6 h device time used up".to_owned());
    report.lost = vec![
        gone("b3", "not shown by the reduced suite"),
        gone("screen:Checkout", "its only trace diverged"),
        gone("method:com.app.Pay.confirm", "its only trace diverged"),
    ];
    report.preserve.push("method".to_owned());
    report.input.coverage.insert("method".to_owned(), 40);
    report.output.coverage.insert("method".to_owned(), 39);
    report.output.coverage.insert("screen".to_owned(), 89);
    report.validation.traces[3] = validated("r4", 2);
    report.device.retries = 4;
    report
}

/// A report in which every text that an app or a file provides tries to break out.
pub(crate) fn hostile() -> Report {
    let evil = "<script>alert(1)</script>|`x`\n# @everyone\u{1b}[31m\u{202e}\0\u{ffff}\"'&]]>";
    let mut report = broken();
    report.tool = evil.to_owned();
    report.strategy = evil.to_owned();
    report.algorithm = evil.to_owned();
    report.config = serde_json::json!({ evil: evil });
    report.subject.device = evil.to_owned();
    report.subject.sha256 = evil.to_owned();
    report.input.sha256 = evil.to_owned();
    report.output.sha256 = evil.to_owned();
    report.input.coverage.insert(evil.to_owned(), 3);
    report.output.coverage.insert(evil.to_owned(), 2);
    report.phases[0].name = evil.to_owned();
    let used = report.device.by_phase["loops"].clone();
    report.device.by_phase.insert(evil.to_owned(), used);
    report.preserve.push(evil.to_owned());
    report.stopped = Some(evil.to_owned());
    report.lost.push(gone(evil, evil));
    report.bound.expensive.push(expensive(evil, 1.0));
    report.unstable.push(gone(evil, evil));
    report.witness.insert(evil.to_owned(), witness(evil, None));
    report.removed.push(Removed {
        trace: evil.to_owned(),
        why: evil.to_owned(),
        covered_by: texts(&[evil, evil]),
        now: texts(&[evil]),
    });
    report.restored.push(Restored {
        trace: evil.to_owned(),
        name: evil.to_owned(),
        why: evil.to_owned(),
        removed: None,
        dropped: Vec::new(),
        suite_risk: None,
    });
    report.since = serde_json::from_value(serde_json::json!({
        "suite_sha256": evil, "app_sha256": evil, "same_app": false, "gained": [evil], "gone": [evil],
        "traces": [{"trace": evil, "now": evil,
                    "changed": {"step": 1, "expected": evil, "seen": evil}}],
    }))
    .unwrap();
    report.dropped[0].trace = evil.to_owned();
    report.dropped[0].why = evil.to_owned();
    report.dropped[0].now = texts(&[evil]);
    report.system.screens[0].name = evil.to_owned();
    report.system.transitions[0].action = evil.to_owned();
    report.cut.push(cut(evil, evil, &[(evil, 3)]));
    report.limits.push(LimitHit {
        phase: evil.to_owned(),
        trace: Some(evil.to_owned()),
        limit: evil.to_owned(),
    });
    report.validation.traces.push(validated(evil, 1));
    report.validation.traces.push(Validated {
        flaky: true,
        ..validated(evil, 0)
    });
    report.bound.expensive.insert(0, expensive(evil, 1.0));
    report.choices[0].name = evil.to_owned();
    report.choices[0].what = evil.to_owned();
    report
}

/// What `renderer` writes for `report`.
pub(crate) fn rendered(renderer: &Renderer, report: &Report) -> String {
    let mut bytes = Vec::new();
    let strips = strips();
    let shown = Shown {
        report,
        strips: &strips,
    };
    (renderer.render)(&shown, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// An element that is gone for that reason.
pub(crate) fn gone(element: &str, why: &str) -> Gone {
    Gone {
        element: element.to_owned(),
        why: why.to_owned(),
    }
}

fn expensive(element: &str, seconds: f64) -> Expensive {
    Expensive {
        element: element.to_owned(),
        seconds,
    }
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|&text| text.to_owned()).collect()
}

fn side((traces, steps): (usize, usize), seconds: f64, coverage: [(&str, usize); 2]) -> Side {
    Side {
        traces,
        steps,
        sha256: format!("{:02x}", traces % 256).repeat(32),
        coverage: coverage.map(|(kind, n)| (kind.to_owned(), n)).into(),
        seconds,
    }
}

fn phases() -> Vec<PhaseSize> {
    let phase = |(name, traces, steps): (&str, _, _)| PhaseSize {
        name: name.to_owned(),
        traces,
        steps,
    };
    let sizes = [
        ("stabilize", 800, 13_050),
        ("traces", 137, 4_677),
        ("loops", 137, 1_951),
        ("splice", 9, 910),
    ];
    sizes.map(phase).into()
}

fn device() -> Device {
    let used = |(name, launches, steps, seconds): (&str, _, _, _)| {
        let used = PhaseUse {
            launches,
            steps,
            seconds,
        };
        (name.to_owned(), used)
    };
    let phases = [
        ("stabilize", 34, 1_100, 2_710.0),
        ("loops", 90, 4_100, 9_550.0),
        ("splice", 40, 2_500, 5_600.0),
        ("validate", 50, 2_100, 4_950.0),
    ];
    Device {
        launches: 214,
        steps: 9_800,
        seconds: 22_810.0,
        candidates: 300,
        rejected: 41,
        retries: 0,
        by_phase: phases.map(used).into(),
        elapsed: [
            (1, 22_810.0),
            (2, 11_500.0),
            (4, 5_900.0),
            (8, 3_120.0),
            (16, 1_980.0),
        ]
        .into(),
    }
}

fn witness(trace: &str, step: Option<u32>) -> Witness {
    Witness {
        trace: trace.to_owned(),
        step,
        runs: 10,
    }
}

fn witnesses() -> BTreeMap<String, Witness> {
    [("b0", None), ("b1", Some(0)), ("screen:Home", None)]
        .map(|(element, step)| (element.to_owned(), witness("r1", step)))
        .into()
}

fn removed() -> Vec<Removed> {
    let trace = |(trace, why, by): (&str, &str, &[&str])| Removed {
        trace: trace.to_owned(),
        why: why.to_owned(),
        covered_by: texts(by),
        now: texts(&["r1"]),
    };
    let all: [(_, _, &[&str]); 3] = [
        ("t7", "redundant", &["t1", "t2"]),
        ("t8", "spliced", &["r1"]),
        ("t13", "unstable", &[]),
    ];
    all.map(trace).into()
}

fn cut(trace: &str, expected: &str, seen: &[(&str, u32)]) -> Cut {
    let count = |&(what, runs): &(&str, u32)| SeenCount {
        what: what.to_owned(),
        runs,
    };
    Cut {
        trace: trace.to_owned(),
        kept: 11,
        of: 24,
        runs: 10,
        diverged: seen.iter().map(|(_, runs)| runs).sum(),
        expected: expected.to_owned(),
        seen: seen.iter().map(count).collect(),
    }
}

fn validated(trace: &str, diverged: u32) -> Validated {
    Validated {
        trace: trace.to_owned(),
        runs: 10,
        diverged,
        risk: Some(0.001_25),
        replays_at_least: Some(0.9934),
        flaky: false,
    }
}

fn choices() -> Vec<Choice> {
    let choice = |(name, what): (&str, &str), size: (usize, usize, f64), risk, tried| Choice {
        name: name.to_owned(),
        what: what.to_owned(),
        traces: size.0,
        steps: size.1,
        seconds: size.2,
        suite_risk: risk,
        tried,
    };
    vec![
        choice(
            ("min_witness = 2", "each element covered twice"),
            (17, 1_702, 3_659.0),
            Some(0.021),
            false,
        ),
        choice(
            ("max_steps = 50", "shorter traces"),
            (18, 922, 2_114.0),
            Some(0.0113),
            true,
        ),
        choice(
            ("keep_faults = false", "faults given up"),
            (9, 896, 1_927.0),
            None,
            false,
        ),
    ]
}
