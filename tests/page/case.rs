//! The reports that are opened: of a real reduction, made large, and made hostile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use reduce_suite::report::{
    self, Gone, Removed, Report, Screen, Shown, Strip, Transition, Witness,
};
use xtask::generate::random_app::AppShape;
use xtask::generate::{app_model, random_app, record};

/// What a page is made of.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) report: Report,
    pub(crate) strips: Vec<Strip>,
}

static REDUCED: LazyLock<Case> = LazyLock::new(reduce);

/// Reduces a suite of a generated app with hidden state, flaky edges and faults.
fn reduce() -> Case {
    let shape = AppShape {
        screens: 25,
        branches: 300,
        hidden: 0.06,
        flaky: 0.03,
        faults: 2,
        crashes: 1,
    };
    let app = random_app::app(&shape, 3);
    let folder = tempfile::tempdir().expect("there is room for a scratch folder");
    let write = |name: &str, text: String| {
        fs::write(folder.path().join(name), text).expect("the scratch folder can be written to");
    };
    write("app.json", app_model::text(&app).expect("it is an app"));
    write(
        "suite.jsonl",
        record::suite(&app, 3, 60, 12).join("\n") + "\n",
    );
    let status = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"))
        .args([
            "reduce",
            "suite.jsonl",
            "--device",
            "sim:app.json",
            "--out",
            "out",
            "--quiet",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("the program runs").success());
    let read = |name: &str| fs::read(folder.path().join(name)).expect("it was written");
    Case {
        report: serde_json::from_slice(&read("out/report.json")).expect("it is a report"),
        strips: report::strips(&read("out/suite.jsonl")).expect("it is a suite"),
    }
}

impl Case {
    /// The reduction with some elements that carry a source file.
    pub(crate) fn reduced() -> Self {
        let mut case = REDUCED.clone();
        let witness = case.first_witness();
        for line in 1..=3 {
            let element = format!("line:src/app.js:{line}");
            case.report.witness.insert(element, witness.clone());
        }
        case
    }

    fn first_witness(&self) -> Witness {
        let first = self.report.witness.values().next();
        first.expect("something is covered").clone()
    }

    /// The reduction blown up to 10,000 elements, 1,000 traces and 300 screens.
    pub(crate) fn large() -> Self {
        let mut case = Self::reduced();
        let witness = case.first_witness();
        for idx in 0..10_000 {
            let file = idx / 40;
            let element = format!("branch:com/app/File{file}.java#L{idx}");
            case.report.witness.insert(element, witness.clone());
        }
        let names: Vec<String> = case.strips.iter().map(|strip| strip.id.clone()).collect();
        let origins = |idx: usize| (0..9).map(|n| format!("t{}", idx + n)).collect();
        case.report.removed = (0..1_000)
            .map(|idx| Removed {
                trace: format!("t{idx}"),
                why: "redundant".to_owned(),
                covered_by: origins(idx),
                now: names.iter().take(6).cloned().collect(),
            })
            .collect();
        let base = case.strips.clone();
        for idx in 0..100 {
            let mut strip = base[idx % base.len()].clone();
            strip.id = format!("x{idx}");
            case.strips.push(strip);
        }
        case.grow_system(300);
        case
    }

    fn grow_system(&mut self, screens: usize) {
        let system = &mut self.report.system;
        system.screens = (0..screens)
            .map(|idx| Screen {
                name: format!("Screen {idx}"),
                seen: 1_000 - idx,
                kept: idx % 5,
                launch: idx == 0,
            })
            .collect();
        let hop = |from: usize, way: usize| Transition {
            from,
            to: (from * (way + 2) + way + 1) % screens,
            action: format!("tap:button{way}"),
            seen: 30,
            kept: (from + way) % 3,
        };
        let hops = (0..screens).flat_map(|from| (0..6).map(move |way| (from, way)));
        system.transitions = hops.map(|(from, way)| hop(from, way)).collect();
    }

    /// The reduction with every text that an app or a file provides replaced.
    pub(crate) fn speaking(evil: &str) -> Self {
        let mut case = Self::reduced();
        let text = || evil.to_owned();
        let report = &mut case.report;
        report.tool = text();
        report.stopped = Some(text());
        report.lost.push(Gone {
            element: text(),
            why: text(),
        });
        report.unstable.push(Gone {
            element: text(),
            why: text(),
        });
        report.config = serde_json::json!({ evil: evil });
        report.preserve.push(text());
        report.output.coverage.insert(text(), 1);
        report.input.coverage.insert(text(), 1);
        let witness = report
            .witness
            .values()
            .next()
            .expect("something is covered")
            .clone();
        report
            .witness
            .insert(format!("line:{evil}/a.js:1"), witness.clone());
        report.witness.insert(
            text(),
            Witness {
                trace: text(),
                ..witness
            },
        );
        for removed in &mut report.removed {
            removed.trace = text();
            removed.why = text();
            removed.covered_by = vec![text()];
            removed.now = vec![text()];
        }
        for dropped in &mut report.dropped {
            dropped.why = text();
            dropped.now = vec![text()];
        }
        for cut in &mut report.cut {
            cut.trace = text();
            cut.expected = text();
            for seen in &mut cut.seen {
                seen.what = text();
            }
        }
        for choice in &mut report.choices {
            choice.name = text();
            choice.what = text();
        }
        for phase in &mut report.phases {
            phase.name = text();
        }
        for screen in &mut report.system.screens {
            screen.name = text();
        }
        for transition in &mut report.system.transitions {
            transition.action = text();
        }
        for trace in &mut report.validation.traces {
            trace.trace = text();
            trace.flaky = true;
        }
        for strip in &mut case.strips {
            strip.id = text();
            for frame in std::iter::once(&mut strip.launch).chain(&mut strip.steps) {
                frame.screen = text();
                frame.action = serde_json::json!({ evil: evil });
                frame.fault = Some(text());
            }
            for fragment in &mut strip.from {
                fragment.trace = Some(text());
            }
        }
        case
    }

    /// The page.
    pub(crate) fn page(&self) -> String {
        let shown = Shown {
            report: &self.report,
            strips: &self.strips,
        };
        let renderer = report::all().iter().find(|one| one.name == "html");
        let mut bytes = Vec::new();
        let done = (renderer.expect("there is a page").render)(&shown, &mut bytes);
        done.expect("memory does not fail");
        String::from_utf8(bytes).expect("it is text")
    }

    /// Writes the page into a folder.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("report.html");
        fs::write(&path, self.page()).expect("the scratch folder can be written to");
        path
    }
}
