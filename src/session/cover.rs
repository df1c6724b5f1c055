//! Choosing traces by their recordings alone: which of them suffice, without a device.

use std::path::Path;

use super::assemble::side;
use super::finished::tool;
use super::import::format;
use super::output::write_file;
use super::{Conditions, JobError, limits};
use crate::export::write_traces;
use crate::import::{self, Loaded};
use crate::model::{Coverage, ElementId, Names, Phase, RunEvent, Suite, TraceIdx, sha256};
use crate::reduce::cover::{Cover, Effort, Recorded, solve, traces_of};
use crate::report::{Bound, CoverReport, VERSION};

/// How traces are to be chosen.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The format of the files, where their names do not tell.
    pub from: Option<&'a str>,
    /// Whether the choice is to be proven the best.
    pub exact: bool,
    /// How many traces must cover each element, where there are so many.
    pub min_witness: u32,
    /// The file that the chosen traces are written to.
    pub out: Option<&'a Path>,
}

/// Chooses traces of the suite of a configuration that cover what all of them cover.
pub fn cover(conditions: &mut Conditions, choice: &Choice) -> Result<CoverReport, JobError> {
    let config = conditions.config;
    conditions.observer.on(&RunEvent::PhaseStarted {
        phase: Phase::Traces,
        total: None,
    });
    let from = choice.from.map(format).transpose()?;
    let loaded = import::load_from(&config.suite, &limits(config), from)?;
    let Loaded { suite, names, .. } = &loaded;
    let costs = config.cost.costs();
    let recorded = traces_of(suite, names, &config.preserve, costs, choice.min_witness);
    let cover = solve(&recorded.instance, Effort::asked(choice.exact));
    let traces = chosen(&recorded, &cover);
    let text = traces_text(suite, names, &traces);
    if let Some(path) = choice.out {
        write_file(path, |out| out.write_all(&text))?;
    }
    let input = (suite.n_traces(), suite.n_steps());
    let steps = traces.iter().map(|&trace| suite.steps(trace).len()).sum();
    let output = (traces.len(), steps);
    let all = suite.coverage(names);
    let kept = coverage_of(suite, names, &traces);
    Ok(CoverReport {
        version: VERSION,
        tool: tool(),
        input: side(input, &all, loaded.sha256.clone(), costs, names),
        output: side(output, &kept, sha256(&text), costs, names),
        bound: bound(&cover),
        optimal: cover.optimal,
        preserve: config
            .preserve
            .iter()
            .map(|k| k.name().to_owned())
            .collect(),
        min_witness: choice.min_witness,
        traces: traces
            .iter()
            .map(|&t| suite.trace(t).id.to_string())
            .collect(),
        file: choice.out.map(|path| path.display().to_string()),
    })
}

fn chosen(recorded: &Recorded, cover: &Cover) -> Vec<TraceIdx> {
    let sets = cover.chosen.iter();
    let mut traces: Vec<_> = sets.map(|&set| recorded.trace(set)).collect();
    traces.sort_unstable();
    traces
}

fn traces_text(suite: &Suite, names: &Names, traces: &[TraceIdx]) -> Vec<u8> {
    let mut text = Vec::new();
    let written = write_traces(suite, names, traces, &mut text);
    written.expect("memory can be written");
    text
}

fn bound(cover: &Cover) -> Bound {
    let gap = match cover.bound {
        0 => 0.0,
        bound => cover.cost as f64 / bound as f64 - 1.0,
    };
    Bound {
        seconds: cover.bound as f64 / 1e6,
        gap: (gap * 1e4).round() / 1e4,
        expensive: Vec::new(),
    }
}

/// Everything that these traces cover, of whatever kind.
fn coverage_of(suite: &Suite, names: &Names, traces: &[TraceIdx]) -> Coverage {
    let mut coverage = Coverage::default();
    let mut add = |screen, covers, fault: Option<ElementId>| {
        coverage.insert(names.screen_element(screen));
        for &element in suite.recorded(covers).iter().chain(&fault) {
            coverage.insert(element);
        }
    };
    for &trace in traces {
        let head = suite.trace(trace);
        add(head.launch_screen, head.launch_covers, None);
        for step in suite.steps(trace) {
            add(step.screen, step.covers, step.fault);
        }
    }
    coverage
}
