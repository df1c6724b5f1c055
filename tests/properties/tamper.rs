//! Reductions as exhibits that can be tampered with, and the tricks to do so.
#![expect(
    clippy::unnecessary_wraps,
    reason = "tricks have one signature, whether they always find something to do or not"
)]

mod beside;
mod harmful;
mod harmless;
mod report;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use reduce_suite::audit::Audit;
use reduce_suite::model::sha256;
use serde_json::{Value, json};
use xtask::generate::splitmix::SplitMix;

use super::lab::{Lab, Reduced, audit_against, covered, traces};

pub(crate) use beside::{BESIDE, other_session};
pub(crate) use harmful::HARMFUL;
pub(crate) use harmless::HARMLESS;

/// One way to tamper.
pub(crate) struct Trick {
    /// What is done.
    pub(crate) name: &'static str,
    /// Does it; tells whether it changes the meaning, or that there is nothing to do it to.
    pub(crate) play: fn(&mut Copied, &mut SplitMix) -> Option<bool>,
}

/// A reduction and room for tampered copies of it.
pub(crate) struct Exhibit {
    lab: Lab,
    suite: String,
    copied: Copied,
}

/// A copy of everything that an auditor gets.
#[derive(Clone)]
pub(crate) struct Copied {
    pub(crate) original: Vec<Value>,
    pub(crate) suite: Vec<Value>,
    pub(crate) report: Value,
    pub(crate) attestation: Option<Value>,
    pub(crate) journal: Option<String>,
    pub(crate) rests_on: String,
    /// The bytes of the report, where they are not those of its value.
    pub(crate) report_text: Option<String>,
    /// Whether the figures were made to fit the values, so that those are what is written.
    is_adjusted: bool,
}

impl Exhibit {
    pub(crate) fn new(lab: Lab) -> Self {
        let folder = lab.out("reduced");
        let reduced = Reduced::read(&folder);
        let text = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
        let copied = Copied {
            original: traces(&lab.suite),
            suite: traces(&reduced.suite),
            report: reduced.report,
            attestation: serde_json::from_str(&text("attestation.json")).ok(),
            journal: Some(text("journal/runs.jsonl")),
            rests_on: text("journal/rests_on.json"),
            report_text: None,
            is_adjusted: false,
        };
        Self {
            lab,
            suite: reduced.suite,
            copied,
        }
    }

    pub(crate) fn copy(&self) -> Copied {
        self.copied.clone()
    }

    /// The folder that copies are laid out in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.lab.out("tampered")
    }

    /// Audits a copy.
    pub(crate) fn audit(&self, copy: &Copied) -> Result<Audit, String> {
        let folder = self.folder();
        let journal = folder.join("journal");
        fs::create_dir_all(&journal).expect("there is room");
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text).expect("it can be written");
        };
        // Values forget how their file was laid out, so what is untouched is written as it was.
        let text = if copy.suite == self.copied.suite && !copy.is_adjusted {
            self.suite.clone()
        } else {
            lines(&copy.suite)
        };
        write("suite.jsonl", &text);
        let report = copy.report_text.clone();
        write(
            "report.json",
            &report.unwrap_or_else(|| copy.report.to_string()),
        );
        match &copy.attestation {
            Some(statement) => write("attestation.json", &statement.to_string()),
            None => drop(fs::remove_file(folder.join("attestation.json"))),
        }
        match &copy.journal {
            Some(text) => {
                write("journal/runs.jsonl", text);
                write("journal/rests_on.json", &copy.rests_on);
            }
            None => drop(fs::remove_dir_all(&journal)),
        }
        let original = self.lab.out("original.jsonl");
        let text = if copy.original == self.copied.original {
            self.lab.suite.clone()
        } else {
            lines(&copy.original)
        };
        fs::write(&original, text).expect("it can be written");
        self.audit_as_is()
    }

    /// Audits what lies in the folder.
    pub(crate) fn audit_as_is(&self) -> Result<Audit, String> {
        let original = self.lab.out("original.jsonl");
        audit_against(&self.folder(), &original)
    }
}

/// Values as lines of JSON.
pub(crate) fn lines(values: &[Value]) -> String {
    let lines = values.iter().map(|value| value.to_string() + "\n");
    lines.collect()
}

impl Copied {
    /// Takes away what an auditor may not have got: the statement and the journal.
    pub(crate) fn forget_the_rest(&mut self) {
        self.attestation = None;
        self.journal = None;
    }

    /// Makes all figures fit the suite again, as somebody who hides something would.
    pub(crate) fn adjust(&mut self) {
        self.is_adjusted = true;
        let text = lines(&self.suite);
        let steps: usize = self.suite.iter().map(|trace| steps(trace).len()).sum();
        let traces = self.suite.len();
        let mut coverage: BTreeMap<&str, usize> = BTreeMap::new();
        let covered = covered(&text);
        for element in &covered {
            let kind = element.split_once(':').map_or("branch", |(kind, _)| kind);
            *coverage.entry(kind).or_default() += 1;
        }
        let seconds = traces as f64 * 15.0 + steps as f64 * 2.0;
        let report = &mut self.report;
        report["output"] = json!({
            "traces": traces, "steps": steps, "sha256": sha256(text.as_bytes()),
            "coverage": coverage, "seconds": seconds,
        });
        let bound = report["bound"]["seconds"].as_f64().expect("a bound");
        if bound > 0.0 {
            report["bound"]["gap"] = json!(seconds / bound - 1.0);
        }
        let phases = report["phases"].as_array_mut().expect("phases");
        let last = phases.last_mut().expect("a last phase");
        last["traces"] = json!(traces);
        last["steps"] = json!(steps);
        let witnesses = report["witness"].as_object_mut().expect("witnesses");
        witnesses.retain(|element, _| covered.contains(element));
    }

    /// A random step of a reduced trace: the numbers of both.
    pub(crate) fn some_step(&self, random: &mut SplitMix) -> Option<(usize, usize)> {
        let with_steps = (0..self.suite.len()).filter(|&at| !steps(&self.suite[at]).is_empty());
        let with_steps: Vec<usize> = with_steps.collect();
        if with_steps.is_empty() {
            return None;
        }
        let trace = *random.pick(&with_steps);
        Some((trace, random.below(steps(&self.suite[trace]).len())))
    }

    /// Whether a reduced trace covers an element at a place.
    pub(crate) fn covers(&self, trace: &Value, step: &Value, element: &str) -> bool {
        let mut found = self.suite.iter().filter(|line| line["id"] == *trace);
        let Some(line) = found.next() else {
            return false;
        };
        let part = match step.as_u64() {
            None => &line["launch"],
            Some(step) => &line["steps"][step as usize],
        };
        let screen = part["screen"].as_str().map(|s| format!("screen:{s}"));
        let fault = part["fault"].as_str().map(|s| format!("fault:{s}"));
        let covers = part["covers"].as_array().into_iter().flatten();
        let mut covers = covers.filter_map(Value::as_str);
        covers.any(|name| name == element)
            || screen.as_deref() == Some(element)
            || fault.as_deref() == Some(element)
    }
}

/// The steps of a trace.
pub(crate) fn steps(trace: &Value) -> &Vec<Value> {
    trace["steps"].as_array().expect("steps are a list")
}

/// The list at a place of a value, if it has so many items.
pub(crate) fn list<'v>(value: &'v mut Value, at: &str, least: usize) -> Option<&'v mut Vec<Value>> {
    let list = value.pointer_mut(at)?.as_array_mut()?;
    (list.len() >= least).then_some(list)
}
