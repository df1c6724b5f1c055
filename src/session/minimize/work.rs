//! The work on one failure after the other: a trace that shows it, a search, other text, fresh runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::LANES;
use super::failures::Failure;
use super::private::Left;
use super::result::{Found, found};
use crate::model::window::Window;
use crate::model::{Phase, RunEvent, Stop, Suite, TraceIdx};
use crate::reduce::Replayer;
use crate::reduce::sequence::guimin::privacy::Patterns;
use crate::reduce::sequence::rddmin::log::{Words, logs};
use crate::reduce::sequence::rddmin::mine::mine;
use crate::reduce::sequence::rddmin::rewrite::rewrite;
use crate::reduce::sequence::{
    self, Counts, Hints, Lab, OnDevices, Recording, Sequence, SequenceReducer, chard,
    recorded_screens,
};
use crate::replay::Engine;
use crate::report::{BlindRule, NotReproduced};
use crate::session::describe::blind_rules;

/// How many passing traces rules are mined from.
const MOST_PASSING: usize = 1_000;
/// How sure a rule must be that passing traces teach: four places where it held.
const CONFIDENCE: f64 = 0.9;

/// What all failures of a job have in common.
pub(super) struct Work<'w, 'e> {
    pub(super) suite: &'w Suite,
    pub(super) engine: &'w mut Engine<'e>,
    pub(super) reducer: &'static SequenceReducer,
    pub(super) recording: Recording,
    /// What windows the traces that are tried showed, where they say.
    pub(super) dumps: BTreeMap<TraceIdx, Vec<Option<Window>>>,
    /// What users say is private.
    pub(super) patterns: Patterns,
    /// Whether private text that is left is typed otherwise, where that works.
    pub(super) replace_text: bool,
    pub(super) check: u32,
}

impl Work<'_, '_> {
    /// The first trace of a failure that shows it on the devices, minimised.
    pub(super) fn failure(
        &mut self,
        failure: &Failure,
    ) -> Result<Result<Found, NotReproduced>, Stop> {
        let mut tried = Vec::new();
        for trace in failure.tried() {
            let len = failure.len(self.suite, self.engine.names(), trace);
            if let Some(found) = self.trace(failure, trace, len)? {
                return Ok(Ok(found));
            }
            tried.push(self.suite.trace(trace).id.to_string());
        }
        Ok(Err(NotReproduced {
            target: failure.target.to_string(),
            tried,
        }))
    }

    /// The events of a trace that rules leave which the passing traces of the suite teach.
    fn hint(&self, failure: &Failure, trace: TraceIdx, len: usize) -> Vec<usize> {
        let passing = self.suite.traces().map(|(idx, _)| idx);
        let passing = passing.filter(|idx| !failure.traces.contains(idx));
        let mut chosen: Vec<_> = passing.take(MOST_PASSING).collect();
        chosen.push(trace);
        let mut words = Words::default();
        let mut logs = logs(self.suite, self.engine.names(), &chosen, &mut words);
        let Some(failing) = logs.pop() else {
            return Vec::new();
        };
        let rules = mine(&logs, CONFIDENCE);
        rewrite(&failing.events[..len], &rules).left
    }

    /// The events of a trace with what was on the screen.
    fn events(&self, trace: TraceIdx, len: usize) -> chard::events::Recording {
        let dumps = self.dumps.get(&trace).map_or(&[][..], Vec::as_slice);
        let mut events = chard::events::events(self.suite, self.engine.names(), trace, dumps);
        events.events.truncate(len);
        events
    }

    /// The rules for events without effect that could not see enough of a trace.
    fn blind(&self) -> Vec<BlindRule> {
        let Recording { events, rules, .. } = &self.recording;
        let seen = events
            .as_ref()
            .filter(|_| self.reducer.hints == Hints::Rules);
        let finding = seen.map(|events| chard::rules::apply(events, rules));
        finding.as_ref().map_or_else(Vec::new, blind_rules)
    }

    fn trace(
        &mut self,
        failure: &Failure,
        trace: TraceIdx,
        len: usize,
    ) -> Result<Option<Found>, Stop> {
        let steps = &self.suite.steps(trace)[..len];
        let launch = self.suite.trace(trace).launch_screen;
        self.recording.screens = recorded_screens(launch, steps);
        if self.reducer.hints == Hints::PassingTraces {
            self.recording.hint = self.hint(failure, trace, len);
        }
        self.recording.events = Some(self.events(trace, len));
        self.engine.emit(RunEvent::PhaseStarted {
            phase: Phase::Minimize,
            total: Some(len),
        });
        let actions = steps.iter().map(|step| step.action).collect();
        let sequence = Sequence::new(actions, failure.target.clone(), self.engine.names());
        let sequence = Arc::new(sequence);
        let mut devices = OnDevices {
            replayer: self.engine,
            sequence: Arc::clone(&sequence),
            shortest: len,
        };
        let Some(searched) = search(self.reducer, &mut devices, &self.recording)? else {
            return Ok(None);
        };
        let (screens, events) = (&self.recording.screens, &searched.events);
        self.recording.prior.learn(len, screens, events);
        let left = self.retyped(Left::recorded(sequence, searched))?;
        let blind = self.blind();
        let found = found(failure, trace, left, blind, self)?;
        Ok(Some(found))
    }
}

/// What a search came to.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) events: Vec<u32>,
    pub(super) counts: Counts,
    pub(super) one_minimal: bool,
    pub(super) stopped: Option<Stop>,
}

/// Runs a reducer; nothing if the target was never reached. A used-up budget ends the search
/// with the best so far.
pub(super) fn search(
    reducer: &SequenceReducer,
    devices: &mut OnDevices,
    recording: &Recording,
) -> Result<Option<Searched>, Stop> {
    let actions = devices.sequence.actions.iter();
    let actions = actions.map(|action| action.index() as u32).collect();
    let mut lab = Lab::new(devices, actions, LANES);
    let mut stopped = sequence::reduce(reducer, &mut lab, recording).err();
    let Some(events) = lab.best().map(<[u32]>::to_vec) else {
        return stopped.map_or(Ok(None), Err);
    };
    let mut one_minimal = false;
    if stopped.is_none() {
        match (reducer.is_minimal)(&mut lab, &events) {
            Ok(is_minimal) => one_minimal = is_minimal,
            Err(stop) => stopped = Some(stop),
        }
    }
    if let Some(stop) = stopped.take_if(|stop| !matches!(stop, Stop::Budget(_))) {
        return Err(stop);
    }
    Ok(Some(Searched {
        events,
        counts: lab.counts(),
        one_minimal,
        stopped,
    }))
}
