//! Recorded traces and the suite that holds them, column by column.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::lists::{Distinct, Lists};
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

/// One recorded trace, as the suite shows it.
#[derive(Debug, Clone, Copy)]
pub struct Trace<'s> {
    /// Its name in the file.
    pub id: &'s str,
    /// The screen after a clean start.
    pub launch_screen: ScreenId,
    /// What the start covered.
    pub launch_covers: CoverId,
    /// Unknown fields of `launch`.
    pub launch_fields: &'s [(Box<str>, Box<str>)],
    /// Unknown fields of the trace itself.
    pub fields: &'s [(Box<str>, Box<str>)],
}

/// What every trace has, beside its name.
#[derive(Debug, Clone)]
struct Head {
    launch_screen: ScreenId,
    launch_covers: CoverId,
    steps: Range<u32>,
    /// Where in `extras` the rest of it stands, if there is any.
    extras: Option<NonZeroU32>,
}

/// What few traces have.
#[derive(Debug, Clone)]
struct Extras {
    launch_fields: Fields,
    fields: Fields,
    joins: Vec<u32>,
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
///
/// Nothing in it has room of its own that every trace, step or list has: millions of small pieces
/// between those that importers need for a moment would keep much more memory than they fill.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    heads: Vec<Head>,
    ids: Lists<u8>,
    extras: Vec<Extras>,
    steps: Vec<Step>,
    step_fields: FxHashMap<u32, Fields>,
    recorded: Distinct<ElementId>,
    /// The recorded lists as sets, once somebody asked for one.
    covers: OnceLock<Vec<Cover>>,
}

impl Suite {
    /// Adds a trace with its steps.
    pub fn push(&mut self, trace: NewTrace, steps: impl IntoIterator<Item = NewStep>) -> TraceIdx {
        let idx = TraceIdx::new(self.heads.len());
        let launch_covers = self.intern(&trace.launch_covers);
        let start = self.steps.len() as u32;
        for step in steps {
            self.push_step(step);
        }
        self.ids.push(trace.id.as_bytes());
        let head = Head {
            launch_screen: trace.launch_screen,
            launch_covers,
            steps: start..self.steps.len() as u32,
            extras: self.push_extras(trace),
        };
        self.heads.push(head);
        idx
    }

    fn push_extras(&mut self, trace: NewTrace) -> Option<NonZeroU32> {
        let extras = Extras {
            launch_fields: trace.launch_fields,
            fields: trace.fields,
            joins: trace.joins,
        };
        if extras.launch_fields.is_empty() && extras.fields.is_empty() && extras.joins.is_empty() {
            return None;
        }
        self.extras.push(extras);
        NonZeroU32::new(self.extras.len() as u32)
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
        let index = self.recorded.insert(elements);
        if let Some(covers) = self.covers.get_mut()
            && index == covers.len()
        {
            covers.push(elements.iter().copied().collect());
        }
        CoverId::new(index)
    }

    /// All traces with their indices, in order of arrival.
    #[must_use]
    pub fn traces(&self) -> impl ExactSizeIterator<Item = (TraceIdx, Trace<'_>)> {
        (0..self.heads.len()).map(|index| {
            let idx = TraceIdx::new(index);
            (idx, self.trace(idx))
        })
    }

    /// One trace.
    #[must_use]
    pub fn trace(&self, idx: TraceIdx) -> Trace<'_> {
        let head = &self.heads[idx.index()];
        let extras = self.extras(head);
        Trace {
            id: self.ids.text(idx.index()),
            launch_screen: head.launch_screen,
            launch_covers: head.launch_covers,
            launch_fields: extras.map_or(&[], |extras| &extras.launch_fields),
            fields: extras.map_or(&[], |extras| &extras.fields),
        }
    }

    fn extras(&self, head: &Head) -> Option<&Extras> {
        let number = head.extras?.get();
        self.extras.get(number as usize - 1)
    }

    /// The steps of a trace.
    #[must_use]
    pub fn steps(&self, idx: TraceIdx) -> &[Step] {
        let Range { start, end } = self.heads[idx.index()].steps;
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
        let extras = self.extras(&self.heads[step.trace.index()]);
        extras.is_some_and(|extras| extras.joins.binary_search(&step.step).is_ok())
    }

    fn position(&self, step: StepRef) -> u32 {
        self.heads[step.trace.index()].steps.start + step.step
    }

    /// A recorded list of elements as a set that can be shared. The first call makes all of them;
    /// who looks at each list once needs no more than [`recorded`](Self::recorded).
    #[must_use]
    pub fn cover(&self, id: CoverId) -> &Cover {
        let covers = self.covers.get_or_init(|| {
            let lists = (0..self.n_covers()).map(|index| self.recorded.lists().get(index));
            lists.map(|list| list.iter().copied().collect()).collect()
        });
        &covers[id.index()]
    }

    /// How many different lists of elements were recorded.
    #[must_use]
    pub fn n_covers(&self) -> usize {
        self.recorded.lists().len()
    }

    /// A recorded list of elements in its recorded order, perhaps with repeats.
    #[must_use]
    pub fn recorded(&self, id: CoverId) -> &[ElementId] {
        self.recorded.lists().get(id.index())
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
        self.heads.len()
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
        for &element in self.recorded.lists().items() {
            coverage.insert(element);
        }
        for head in &self.heads {
            coverage.insert(names.screen_element(head.launch_screen));
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
