//! The certificate of a reduction: digests of all it rests on, and a record of every run of what
//! ships.

use std::sync::OnceLock;

use crate::export::ReducedTrace;
use crate::model::{Names, Origin, Script, Suite, sha256};
use crate::reduce::Replayer;
use crate::replay::{Engine, Pass, RestsOn};
use crate::report::{
    Beyond, Certificate, CertifiedTrace, FileDigest, Fragment, JournalDigest, Line, Report,
    RunEntry, RunMode, RunOutcome, canonical, run_sha256, seal, trace_sha256,
};

/// What a certificate is made from, beside the report.
pub(super) struct Ground<'a> {
    pub(super) suite: &'a Suite,
    pub(super) engine: &'a Engine<'a>,
    pub(super) rests_on: &'a RestsOn,
    pub(super) inputs: &'a [(String, String)],
    pub(super) traces: &'a [ReducedTrace],
}

/// Completes a report with its certificate.
pub(super) fn certify(report: &mut Report, ground: &Ground) {
    let traces = ground.traces.iter();
    let inputs = ground.inputs.iter().map(|(path, sha256)| FileDigest {
        path: path.clone(),
        sha256: sha256.clone(),
    });
    report.certificate = Certificate {
        inputs: inputs.collect(),
        config_sha256: sha256(canonical(&report.config).as_bytes()),
        tool_sha256: tool_sha256().to_owned(),
        journal: JournalDigest {
            runs: ground.rests_on.n_runs,
            sessions: ground.rests_on.n_sessions,
            sha256: ground.rests_on.sha256.clone(),
        },
        traces: traces.map(|trace| ground.trace(trace, report)).collect(),
        ..Certificate::default()
    };
    seal(report);
}

impl Ground<'_> {
    fn trace(&self, trace: &ReducedTrace, report: &Report) -> CertifiedTrace {
        let names = self.engine.names();
        let fragments = fragments(self.suite, &trace.script);
        let mut lines = self.lines(trace, names);
        let digest = trace_sha256(&trace.id, &mut lines, &fragments);
        let passes = self.engine.passes(&trace.script);
        let runs = passes.iter().map(|pass| entry(pass, &lines, report));
        CertifiedTrace {
            trace: trace.id.clone(),
            sha256: digest,
            launch: self.suite.trace(trace.script.launch).id.to_string(),
            runs: runs.collect(),
            fragments,
        }
    }

    /// What a trace says, as texts.
    fn lines<'n>(&self, trace: &ReducedTrace, names: &'n Names) -> Vec<Line<'n>> {
        let covers = trace.covers.iter().enumerate();
        let line = covers.map(|(position, cover)| {
            let step = position.checked_sub(1).map(|at| trace.script.steps[at]);
            let action = step.map_or("", |step| names.action_text(step.action));
            let screen = trace.script.screen_at(self.suite, position);
            let covers = cover.elements().iter().map(|&e| names.element_name(e));
            (action, names.screen_name(screen), covers.collect())
        });
        line.collect()
    }
}

/// Where the steps of a script come from.
pub(super) fn fragments(suite: &Suite, script: &Script) -> Vec<Fragment> {
    let fragments = script.fragments().into_iter();
    let fragment = fragments.map(|fragment| {
        let (trace, observed) = match fragment.first {
            Origin::Recorded(step) => (Some(suite.trace(step.trace).id.to_string()), None),
            Origin::Observed { session, .. } => (None, Some(u64::from(session))),
        };
        Fragment {
            trace,
            observed,
            first: fragment.first.position(),
            last: fragment.last,
        }
    });
    fragment.collect()
}

/// The record of one run: what it covered beyond the trace is kept, so that its digest can be
/// made again from the suite.
fn entry(pass: &Pass, lines: &[Line], report: &Report) -> RunEntry {
    let beyond = lines.iter().zip(&pass.covers).enumerate();
    let beyond = beyond.filter_map(|(position, ((_, _, said), shown))| {
        let more = shown.iter().filter(|e| !said.contains(&e.as_str()));
        let covers: Vec<String> = more.cloned().collect();
        (!covers.is_empty()).then(|| Beyond {
            step: position.checked_sub(1).map(|step| step as u32),
            covers,
        })
    });
    let mut entry = RunEntry {
        script: pass.key.clone(),
        attempt: pass.attempt,
        mode: if pass.live {
            RunMode::Live
        } else {
            RunMode::Replay
        },
        device: report.subject.device.clone(),
        seed: report.seed,
        outcome: RunOutcome::Held,
        sha256: String::new(),
        beyond: beyond.collect(),
    };
    let shown = lines.iter().zip(&pass.covers);
    let mut shown: Vec<Line> = shown
        .map(|(&(action, screen, _), covers)| {
            (action, screen, covers.iter().map(String::as_str).collect())
        })
        .collect();
    entry.sha256 = run_sha256(&entry, &mut shown);
    entry
}

/// The digest of the program that runs; empty where it cannot be read.
fn tool_sha256() -> &'static str {
    static TOOL: OnceLock<String> = OnceLock::new();
    TOOL.get_or_init(|| {
        let program = std::env::current_exe().and_then(std::fs::read);
        program.map_or_else(|_| String::new(), |bytes| sha256(&bytes))
    })
}
