//! Writes native suites: as they were recorded, or reduced and with what was measured.

use std::io::{self, Write};

use crate::model::{Cover, ElementId, Kind, Names, Script, Step, StepRef, Suite, TraceIdx};

use super::json::Line;

/// A trace of a reduced suite.
#[derive(Debug, Clone)]
pub struct ReducedTrace {
    /// Its name.
    pub id: String,
    /// The recorded steps it is made of.
    pub script: Script,
    /// What the launch and then each step covered when it was replayed, faults included, screens
    /// not.
    pub covers: Vec<Cover>,
}

/// Writes a suite so that loading it gives the same suite again.
pub fn write_suite(suite: &Suite, names: &Names, out: &mut dyn Write) -> io::Result<()> {
    for (idx, _) in suite.traces() {
        out.write_all(&recorded_line(suite, names, idx))?;
    }
    Ok(())
}

fn recorded_line(suite: &Suite, names: &Names, idx: TraceIdx) -> Vec<u8> {
    let mut line = Line::default();
    let trace = suite.trace(idx);
    let launch = suite.recorded(trace.launch_covers);
    begin_trace(&mut line, suite, names, &trace.id, idx, launch);
    line.list(
        suite.steps(idx).iter().zip(0..),
        |line, (step, position)| {
            let covered = Covered {
                covers: suite.recorded(step.covers).to_vec(),
                fault: step.fault,
            };
            let step_ref = StepRef {
                trace: idx,
                step: position,
            };
            write_step(line, suite, names, step_ref, &covered);
        },
    );
    line.fields(&trace.fields);
    line.raw("}");
    line.finish()
}

/// Writes reduced traces with what they covered on devices and where they come from.
pub fn write_reduced(
    suite: &Suite,
    names: &Names,
    traces: &[ReducedTrace],
    out: &mut dyn Write,
) -> io::Result<()> {
    for trace in traces {
        out.write_all(&reduced_line(suite, names, trace))?;
    }
    Ok(())
}

fn reduced_line(suite: &Suite, names: &Names, trace: &ReducedTrace) -> Vec<u8> {
    let ReducedTrace { id, script, covers } = trace;
    debug_assert_eq!(covers.len(), script.steps.len() + 1, "trace {id}");
    let nothing = Cover::default();
    let measured = |position: usize| covers.get(position).unwrap_or(&nothing);
    let mut line = Line::default();
    let launch = suite.recorded(suite.trace(script.launch).launch_covers);
    let launch = in_order(names, launch, measured(0), None);
    begin_trace(&mut line, suite, names, id, script.launch, &launch);
    let steps = script.steps.iter().enumerate();
    line.list(steps, |line, (i, &step_ref)| {
        let covered = Covered::measured(suite, names, suite.step(step_ref), measured(i + 1));
        write_step(line, suite, names, step_ref, &covered);
    });
    write_from(&mut line, suite, script);
    if let Some(origin) = only_origin(script) {
        line.fields(&suite.trace(origin).fields);
    }
    line.raw("}");
    line.finish()
}

fn write_from(line: &mut Line, suite: &Suite, script: &Script) {
    line.key("from");
    line.list(script.fragments(), |line, fragment| {
        line.raw("{");
        line.key("trace");
        line.string(&suite.trace(fragment.trace).id);
        line.key("first");
        line.raw(&fragment.first.to_string());
        line.key("last");
        line.raw(&fragment.last.to_string());
        line.raw("}");
    });
}

/// The trace that all steps are from.
fn only_origin(script: &Script) -> Option<TraceIdx> {
    let origin = script.steps.first().map_or(script.launch, |s| s.trace);
    let is_only = script.steps.iter().all(|step| step.trace == origin);
    is_only.then_some(origin)
}

/// Up to the name of the list of steps.
fn begin_trace(
    line: &mut Line,
    suite: &Suite,
    names: &Names,
    id: &str,
    launch: TraceIdx,
    covers: &[ElementId],
) {
    let trace = suite.trace(launch);
    line.raw("{");
    line.key("id");
    line.string(id);
    line.key("launch");
    line.raw("{");
    line.key("screen");
    line.string(names.screen_name(trace.launch_screen));
    write_covers(line, names, covers);
    line.fields(&trace.launch_fields);
    line.raw("}");
    line.key("steps");
}

fn write_step(line: &mut Line, suite: &Suite, names: &Names, step_ref: StepRef, covered: &Covered) {
    let step = suite.step(step_ref);
    line.raw("{");
    line.key("action");
    match names.action_text(step.action) {
        json if json.starts_with(['{', '"']) => line.raw(json),
        text => line.string(text),
    }
    write_covers(line, names, &covered.covers);
    line.key("screen");
    line.string(names.screen_name(step.screen));
    if let Some(fault) = covered.fault {
        let spelling = names.element_name(fault);
        line.key("fault");
        line.string(spelling.strip_prefix("fault:").unwrap_or(spelling));
    }
    if let Some(millis) = step.millis {
        line.key("millis");
        line.raw(&millis.to_string());
    }
    line.fields(suite.step_fields(step_ref));
    line.raw("}");
}

fn write_covers(line: &mut Line, names: &Names, covers: &[ElementId]) {
    line.key("covers");
    line.list(covers, |line, &element| {
        let spelling = names.element_name(element);
        if names.is_integer(element) {
            line.raw(spelling);
        } else {
            line.string(spelling);
        }
    });
}

/// What a step is written to cover.
struct Covered {
    covers: Vec<ElementId>,
    fault: Option<ElementId>,
}

impl Covered {
    fn measured(suite: &Suite, names: &Names, step: &Step, measured: &Cover) -> Self {
        let recorded = suite.recorded(step.covers);
        let fault = match step.fault {
            Some(fault) => measured.contains(fault).then_some(fault),
            None => {
                let elements = measured.elements().iter().copied();
                let new = elements.filter(|e| !recorded.contains(e));
                let faults = new.filter(|&e| names.kind(e) == Kind::Fault);
                faults.min_by_key(|&e| names.element_name(e))
            }
        };
        Self {
            covers: in_order(names, recorded, measured, fault),
            fault,
        }
    }
}

/// The measured elements: those recorded first, in recorded order, then the others by name.
fn in_order(
    names: &Names,
    recorded: &[ElementId],
    measured: &Cover,
    fault: Option<ElementId>,
) -> Vec<ElementId> {
    let known = recorded.iter().copied().filter(|&e| measured.contains(e));
    let is_other = |e: &ElementId| {
        !recorded.contains(e) && Some(*e) != fault && names.kind(*e) != Kind::Screen
    };
    let others = measured.elements().iter().copied();
    let mut others: Vec<_> = others.filter(is_other).collect();
    others.sort_unstable_by_key(|&e| names.element_name(e));
    known.chain(others).collect()
}
