//! Writes native suites: as they were recorded, or reduced and with what was measured.

use std::io::{self, Write};

use crate::model::{
    Cover, ElementId, Kind, Names, Origin, Script, ScriptStep, StepRef, Suite, TraceIdx,
};

use super::json::Line;
use super::{Exported, Exporter};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "native",
    extension: "jsonl",
    write: |suite, names, idx| {
        let line = recorded_line(suite, names, idx);
        Exported {
            text: String::from_utf8(line).expect("JSON is text"),
            unwritten: Vec::new(),
        }
    },
};

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

/// Writes some traces of a suite as they were recorded.
pub fn write_traces(
    suite: &Suite,
    names: &Names,
    traces: &[TraceIdx],
    out: &mut dyn Write,
) -> io::Result<()> {
    for &idx in traces {
        out.write_all(&recorded_line(suite, names, idx))?;
    }
    Ok(())
}

fn recorded_line(suite: &Suite, names: &Names, idx: TraceIdx) -> Vec<u8> {
    let mut line = Line::default();
    let trace = suite.trace(idx);
    let launch = suite.recorded(trace.launch_covers);
    begin_trace(&mut line, suite, names, trace.id, idx, launch);
    line.list(
        suite.steps(idx).iter().zip(0..),
        |line, (step, position)| {
            let covered = Covered {
                covers: suite.recorded(step.covers).to_vec(),
                fault: step.fault,
            };
            let at = StepRef {
                trace: idx,
                step: position,
            };
            write_step(
                line,
                suite,
                names,
                &ScriptStep::recorded(suite, at),
                &covered,
            );
        },
    );
    line.fields(trace.fields);
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
    line.list(steps, |line, (i, step)| {
        let covered = Covered::measured(suite, names, step.step(), measured(i + 1));
        write_step(line, suite, names, step, &covered);
    });
    write_from(&mut line, suite, script);
    if let Some(origin) = only_origin(script) {
        // An older `from` speaks of the suite before this one.
        let fields = suite.trace(origin).fields.iter();
        let fields: Vec<_> = fields
            .filter(|(name, _)| **name != *"from")
            .cloned()
            .collect();
        line.fields(&fields);
    }
    line.raw("}");
    line.finish()
}

fn write_from(line: &mut Line, suite: &Suite, script: &Script) {
    line.key("from");
    line.list(script.fragments(), |line, fragment| {
        line.raw("{");
        match fragment.first {
            Origin::Recorded(step) => {
                line.key("trace");
                line.string(suite.trace(step.trace).id);
            }
            Origin::Observed { session, .. } => {
                line.key("observed");
                line.raw(&session.to_string());
            }
        }
        line.key("first");
        line.raw(&fragment.first.position().to_string());
        line.key("last");
        line.raw(&fragment.last.to_string());
        line.raw("}");
    });
}

/// The trace that all steps are from.
fn only_origin(script: &Script) -> Option<TraceIdx> {
    let first = script.steps.first();
    let origin = first.map_or(Some(script.launch), ScriptStep::trace)?;
    let is_only = script.steps.iter().all(|step| step.trace() == Some(origin));
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
    line.fields(trace.launch_fields);
    line.raw("}");
    line.key("steps");
}

fn write_step(line: &mut Line, suite: &Suite, names: &Names, step: &ScriptStep, covered: &Covered) {
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
    if let Some(at) = step.step() {
        if let Some(millis) = suite.step(at).millis {
            line.key("millis");
            line.raw(&millis.to_string());
        }
        line.fields(suite.step_fields(at));
    }
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
    fn measured(suite: &Suite, names: &Names, step: Option<StepRef>, measured: &Cover) -> Self {
        let step = step.map(|step| suite.step(step));
        let recorded = step.map_or(&[][..], |step| suite.recorded(step.covers));
        let unforeseen = || {
            let elements = measured.elements().iter().copied();
            let faults = elements.filter(|&e| names.kind(e) == Kind::Fault);
            let new = faults.filter(|&e| !recorded.contains(&e));
            new.min_by_key(|&e| names.element_name(e))
        };
        let foreseen = step.and_then(|step| step.fault);
        let foreseen = foreseen.filter(|&fault| measured.contains(fault));
        let fault = foreseen.or_else(unforeseen);
        Self {
            covers: in_order(names, recorded, measured, fault),
            fault,
        }
    }
}

/// The measured elements: those recorded first, in recorded order, then the others by name; a
/// fault that has a field of its own is not among the others.
fn in_order(
    names: &Names,
    recorded: &[ElementId],
    measured: &Cover,
    fault: Option<ElementId>,
) -> Vec<ElementId> {
    let known = recorded.iter().copied();
    let known = known.filter(|&e| measured.contains(e));
    let recorded: Cover = recorded.iter().copied().collect();
    let others = measured.elements().iter().copied();
    let others = others.filter(|&e| !recorded.contains(e) && Some(e) != fault);
    let mut others: Vec<_> = others.filter(|&e| names.kind(e) != Kind::Screen).collect();
    others.sort_unstable_by_key(|&e| names.element_name(e));
    known.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::{ReducedTrace, write_reduced, write_suite};
    use crate::model::{Names, NewStep, NewTrace, Script, ScriptStep, StepRef, Suite, TraceIdx};

    /// Two traces: `t1` with elements, a fault and unknown fields, `t2` with a plain step.
    fn suite() -> (Suite, Names) {
        let (mut suite, mut names) = (Suite::default(), Names::default());
        let launch = NewTrace {
            id: "t1".into(),
            launch_screen: names.screen("Home"),
            launch_covers: vec![names.element("b0")],
            launch_fields: vec![("port".into(), "8".into())],
            fields: vec![("source".into(), "\"s\"".into())],
            joins: vec![],
        };
        let step = NewStep {
            action: names.action("tap"),
            screen: names.screen("Menu"),
            covers: vec![names.element("b9"), names.integer_element("7")],
            fault: Some(names.fault("Null")),
            millis: Some(12),
            fields: vec![("dump".into(), "{ }".into())],
        };
        let plain = NewStep {
            action: names.action("{\"x\":1}"),
            covers: vec![],
            fault: None,
            millis: None,
            fields: vec![],
            ..step
        };
        suite.push(launch.clone(), [step]);
        let fields = vec![("source".into(), "\"s2\"".into())];
        let id = "t2".into();
        suite.push(
            NewTrace {
                id,
                fields,
                joins: vec![],
                ..launch
            },
            [plain],
        );
        (suite, names)
    }

    /// Replays the first step of each trace in `origins`, which cover what `covers` says.
    #[track_caller]
    fn check(origins: &[usize], covers: &[&[&str]], expect: &str) {
        let (suite, mut names) = suite();
        let covers = covers
            .iter()
            .map(|cover| cover.iter().map(|e| names.element(e)).collect());
        let covers = covers.collect();
        let steps = origins.iter().map(|&trace| {
            let trace = TraceIdx::new(trace);
            ScriptStep::recorded(&suite, StepRef { trace, step: 0 })
        });
        let script = Script {
            launch: TraceIdx::new(0),
            steps: steps.collect(),
        };
        let id = "r1".to_owned();
        let mut out = Vec::new();
        write_reduced(
            &suite,
            &names,
            &[ReducedTrace { id, script, covers }],
            &mut out,
        )
        .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("{expect}\n"));
    }

    #[test]
    fn suites_are_written_with_all_that_was_recorded() {
        let (suite, names) = suite();
        let mut out = Vec::new();
        write_suite(&suite, &names, &mut out).unwrap();
        let expect = r#"{"id":"t1","launch":{"screen":"Home","covers":["b0"],"port":8},"steps":[{"action":"tap","covers":["b9",7],"screen":"Menu","fault":"Null","millis":12,"dump":{ }}],"source":"s"}
{"id":"t2","launch":{"screen":"Home","covers":["b0"],"port":8},"steps":[{"action":{"x":1},"covers":[],"screen":"Menu"}],"source":"s2"}
"#;
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    #[test]
    fn reduced_traces_hold_what_was_measured_in_recorded_order() {
        check(
            &[0],
            &[&[], &["c", "7", "a", "d", "b9", "fault:Null"]],
            r#"{"id":"r1","launch":{"screen":"Home","covers":[],"port":8},"steps":[{"action":"tap","covers":["b9",7,"a","c","d"],"screen":"Menu","fault":"Null","millis":12,"dump":{ }}],"from":[{"trace":"t1","first":0,"last":0}],"source":"s"}"#,
        );
    }

    #[test]
    fn joined_traces_lose_the_fields_of_either_and_faults_find_their_place() {
        check(
            &[0, 1],
            &[&["fault:L"], &["fault:Other"], &["fault:B", "fault:A"]],
            r#"{"id":"r1","launch":{"screen":"Home","covers":["fault:L"],"port":8},"steps":[{"action":"tap","covers":[],"screen":"Menu","fault":"Other","millis":12,"dump":{ }},{"action":{"x":1},"covers":["fault:B"],"screen":"Menu","fault":"A"}],"from":[{"trace":"t1","first":0,"last":0},{"trace":"t2","first":0,"last":0}]}"#,
        );
    }
}
