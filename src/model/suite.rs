//! Recorded traces and the suite that holds them, column by column.

use std::ops::Range;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{ActionId, Cover, CoverId, Coverage, ElementId, Names, ScreenId, StepRef, TraceIdx};

/// Fields the program does not know, as name and raw JSON, kept for the round trip.
pub type Fields = Vec<(Box<str>, Box<str>)>;

/// One recorded step: the state *after* its action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub action: ActionId,
    /// The screen shown afterwards.
    pub screen: ScreenId,
    /// What the recording says it covered, screen and fault not included.
    pub covers: CoverId,
    /// The exception it raised.
    pub fault: Option<ElementId>,
    /// How long it took when it was recorded.
    pub millis: Option<u32>,
}

/// One recorded trace.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Its name in the file.
    pub id: Box<str>,
    /// The screen after a clean start.
    pub launch_screen: ScreenId,
    /// What the start covered.
    pub launch_covers: CoverId,
    /// Unknown fields of `launch`.
    pub launch_fields: Fields,
    /// Unknown fields of the trace itself.
    pub fields: Fields,
    joins: Vec<u32>,
    steps: Range<u32>,
}

/// A step about to be added.
#[derive(Debug, Clone)]
pub struct NewStep {
    /// What was done.
    pub action: ActionId,
    /// The screen shown afterwards.
    pub screen: ScreenId,
    /// What it covered, in recorded order.
    pub covers: Vec<ElementId>,
    /// The exception it raised.
    pub fault: Option<ElementId>,
    /// How long it took.
    pub millis: Option<u32>,
    /// Unknown fields.
    pub fields: Fields,
}

/// A trace about to be added; its steps follow one by one.
#[derive(Debug, Clone)]
pub struct NewTrace {
    /// Its name.
    pub id: Box<str>,
    /// The screen after a clean start.
    pub launch_screen: ScreenId,
    /// What the start covered, in recorded order.
    pub launch_covers: Vec<ElementId>,
    /// Unknown fields of `launch`.
    pub launch_fields: Fields,
    /// Unknown fields of the trace itself.
    pub fields: Fields,
    /// The steps at which fragments were joined when the trace was made by an earlier reduction.
    pub joins: Vec<u32>,
}

/// Recorded traces in order of arrival.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    traces: Vec<Trace>,
    steps: Vec<Step>,
    step_fields: FxHashMap<u32, Fields>,
    recorded: IndexSet<Box<[ElementId]>, FxBuildHasher>,
    covers: Vec<Cover>,
}

impl Suite {
    /// Adds a trace with its steps.
    pub fn push(&mut self, trace: NewTrace, steps: impl IntoIterator<Item = NewStep>) -> TraceIdx {
        let idx = TraceIdx::new(self.traces.len());
        let launch_covers = self.intern(&trace.launch_covers);
        let start = self.steps.len() as u32;
        for step in steps {
            self.push_step(step);
        }
        self.traces.push(Trace {
            id: trace.id,
            launch_screen: trace.launch_screen,
            launch_covers,
            launch_fields: trace.launch_fields,
            fields: trace.fields,
            joins: trace.joins,
            steps: start..self.steps.len() as u32,
        });
        idx
    }

    fn push_step(&mut self, step: NewStep) {
        let position = u32::try_from(self.steps.len()).expect("suites hold fewer than 2^32 steps");
        if !step.fields.is_empty() {
            self.step_fields.insert(position, step.fields);
        }
        let covers = self.intern(&step.covers);
        self.steps.push(Step {
            action: step.action,
            screen: step.screen,
            covers,
            fault: step.fault,
            millis: step.millis,
        });
    }

    fn intern(&mut self, elements: &[ElementId]) -> CoverId {
        let index = self.recorded.get_index_of(elements).unwrap_or_else(|| {
            self.covers.push(elements.iter().copied().collect());
            self.recorded.insert_full(elements.into()).0
        });
        CoverId::new(index)
    }

    /// All traces with their indices, in order of arrival.
    #[must_use]
    pub fn traces(&self) -> impl ExactSizeIterator<Item = (TraceIdx, &Trace)> {
        self.traces
            .iter()
            .enumerate()
            .map(|(i, trace)| (TraceIdx::new(i), trace))
    }

    /// One trace.
    #[must_use]
    pub fn trace(&self, idx: TraceIdx) -> &Trace {
        &self.traces[idx.index()]
    }

    /// The steps of a trace.
    #[must_use]
    pub fn steps(&self, idx: TraceIdx) -> &[Step] {
        let Range { start, end } = self.trace(idx).steps;
        &self.steps[start as usize..end as usize]
    }

    /// One step.
    #[must_use]
    pub fn step(&self, step: StepRef) -> &Step {
        &self.steps[self.position(step) as usize]
    }

    /// Unknown fields of a step.
    #[must_use]
    pub fn step_fields(&self, step: StepRef) -> &[(Box<str>, Box<str>)] {
        self.step_fields
            .get(&self.position(step))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether an earlier reduction joined this step to the one before it.
    #[must_use]
    pub fn is_joined(&self, step: StepRef) -> bool {
        self.trace(step.trace)
            .joins
            .binary_search(&step.step)
            .is_ok()
    }

    fn position(&self, step: StepRef) -> u32 {
        self.trace(step.trace).steps.start + step.step
    }

    /// A recorded list of elements as a set.
    #[must_use]
    pub fn cover(&self, id: CoverId) -> &Cover {
        &self.covers[id.index()]
    }

    /// How many different lists of elements were recorded.
    #[must_use]
    pub fn n_covers(&self) -> usize {
        self.covers.len()
    }

    /// A recorded list of elements in its recorded order.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "ids come from this table")]
    pub fn recorded(&self, id: CoverId) -> &[ElementId] {
        self.recorded
            .get_index(id.index())
            .expect("ids come from this table")
    }

    /// What a step covers according to the recording, its fault included, its screen not.
    #[must_use]
    pub fn step_cover(&self, step: &Step) -> Cover {
        match step.fault {
            None => self.cover(step.covers).clone(),
            Some(fault) => {
                let covers = self.cover(step.covers).elements().iter().copied();
                covers.chain([fault]).collect()
            }
        }
    }

    /// How many traces there are.
    #[must_use]
    pub fn n_traces(&self) -> usize {
        self.traces.len()
    }

    /// How many steps there are in all traces.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Everything the recording says is covered.
    #[must_use]
    pub fn coverage(&self, names: &Names) -> Coverage {
        let mut coverage = Coverage::default();
        // Lists are shared between steps, so each is looked at once.
        for cover in &self.covers {
            coverage.extend(cover);
        }
        for trace in &self.traces {
            coverage.insert(names.screen_element(trace.launch_screen));
        }
        for step in &self.steps {
            coverage.insert(names.screen_element(step.screen));
            if let Some(fault) = step.fault {
                coverage.insert(fault);
            }
        }
        coverage
    }
}
