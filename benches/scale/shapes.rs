//! Suites of any size in shapes that usual and hostile input has, written step by step.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use reduce_suite::model::Seed;

/// A kind of suite.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// How many steps a trace has, but perhaps the last.
    trace_steps: u64,
    step: fn(At) -> Step,
}

/// Where a step stands.
#[derive(Clone, Copy)]
struct At {
    trace: u64,
    /// Counted over all traces.
    step: u64,
    /// Counted within its trace.
    position: u64,
    /// The screen before, as a number.
    screen: u64,
}

struct Step {
    action: u64,
    screen: u64,
    covers: Vec<u64>,
}

/// All shapes.
pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "walks",
        trace_steps: 10,
        step: walk,
    },
    Shape {
        name: "same trace",
        trace_steps: 10,
        step: |at| {
            walk(At {
                step: at.position,
                ..at
            })
        },
    },
    Shape {
        name: "same step",
        trace_steps: 10,
        step: |_| Step {
            action: 0,
            screen: 0,
            covers: vec![0, 1],
        },
    },
    Shape {
        name: "long traces",
        trace_steps: 1_000_000,
        step: walk,
    },
    Shape {
        name: "cycles",
        trace_steps: 10_000,
        step: cycle,
    },
    Shape {
        name: "nested",
        trace_steps: 100_000,
        step: nested,
    },
    Shape {
        name: "all distinct",
        trace_steps: 100,
        step: distinct,
    },
    Shape {
        name: "distinct chain",
        trace_steps: 1_000_000,
        step: distinct,
    },
    Shape {
        name: "huge covers",
        trace_steps: 10,
        step: huge,
    },
    Shape {
        name: "covers differ",
        trace_steps: 10,
        step: differ,
    },
];

impl Shape {
    /// Writes a suite of `n_steps` steps.
    pub(crate) fn write(&self, path: &Path, n_steps: u64) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let (mut step, mut trace) = (0, 0);
        while step < n_steps {
            write!(
                out,
                r#"{{"id":"t{trace}","launch":{{"screen":"s0","covers":[0]}},"steps":["#
            )?;
            let mut screen = 0;
            for position in 0..self.trace_steps.min(n_steps - step) {
                let next = (self.step)(At {
                    trace,
                    step,
                    position,
                    screen,
                });
                screen = next.screen;
                let comma = if position == 0 { "" } else { "," };
                write!(out, r#"{comma}{{"action":"tap:{}","covers":["#, next.action)?;
                for (index, element) in next.covers.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(out, "{comma}{element}")?;
                }
                write!(out, r#"],"screen":"s{screen}"}}"#)?;
                step += 1;
            }
            writeln!(out, "]}}")?;
            trace += 1;
        }
        out.flush()
    }
}

/// Walks over 90 screens; what a step covers hangs on screen and action, with some noise.
fn walk(at: At) -> Step {
    let draw = Seed(7).mix(at.step).0;
    let action = draw % 12;
    let edge = Seed(at.screen * 12 + action);
    let branch = |j: u64| edge.mix(j).0 % 2000;
    let noise = draw.is_multiple_of(50).then_some((draw >> 8) % 2000);
    Step {
        action,
        screen: edge.mix(99).0 % 90,
        covers: (0..5).map(branch).chain(noise).collect(),
    }
}

/// Rings of ten screens behind each other, walked round and round.
fn cycle(at: At) -> Step {
    let ring = at.screen / 10;
    let on = at.position % 97 == 96;
    let screen = if on {
        ring * 10 + 10
    } else {
        ring * 10 + (at.screen + 1) % 10
    };
    Step {
        action: u64::from(on),
        screen,
        covers: vec![screen],
    }
}

/// Loops within loops: two rounds of the innermost, then one step of the next, and so on.
fn nested(at: At) -> Step {
    let depth = u64::from((at.position + 1).trailing_zeros());
    Step {
        action: depth,
        screen: depth,
        covers: vec![depth, 100 + 20 * at.screen + depth],
    }
}

/// A million transitions of which no two have a name in common, again and again.
fn distinct(at: At) -> Step {
    let name = at.step % 1_000_000 + 1;
    Step {
        action: name,
        screen: name,
        covers: vec![name],
    }
}

/// A hundredth of the steps covers two hundred elements.
fn huge(at: At) -> Step {
    let mut step = walk(at);
    if at.trace.is_multiple_of(100) {
        let first = Seed(at.step).mix(5).0 % 1_000_000;
        step.covers = (first..first + 200).collect();
    }
    step
}

/// Every step covers something else.
fn differ(at: At) -> Step {
    let mut step = walk(at);
    step.covers = (0..3).map(|j| Seed(at.step).mix(j).0 % 1_000_000).collect();
    step
}
