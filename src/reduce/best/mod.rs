//! `--strategy best`: the cheapest validated suite for the least device time.
//!
//! All that was ever seen, recordings first, is one tree of evidence. A machine is learnt from
//! it, the cheapest walks that cover everything are planned through the machine, and devices
//! walk them live: a surprise is evidence, and the next plan knows of it. What was walked as
//! planned is then certified by as many runs as a shipped trace needs; what breaks is mended
//! from what is left. Elements that no plan reaches are rescued by the recorded traces that have
//! them. Differs from paper 004 in all of its phases; shares its promise.

mod causes;
mod certify;
mod chance;
mod choices;
mod doubt;
mod finish;
mod follow;
mod lanes;
mod learn;
mod likeness;
mod machine;
mod options;
mod origins;
mod pilot;
mod plan;
mod rescue;
mod scout;

use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bench::Bench;
use super::evidence::{Known, Node};
use super::pipeline::{Outcome, of_kinds, start};
use super::stabilize::stabilize;
use super::{Evidence, Proven, Replayer, Settings};
use crate::model::{
    Coverage, ElementId, Job, Phase, Script, Seed, Stabilize, Stop, Suite, TraceIdx,
};
use machine::Machine;
use origins::Origins;
use plan::{End, Planned, Task, plan};

/// A suite of more steps is not counted through for the table of choices alone.
const MANY_STEPS: usize = 1_000_000;
/// How many times a plan is shaken to make it cheaper.
const SHAKES: usize = 300;
/// How many nodes all plans of a reduction may look at together to get cheaper, and for how many plans that are
/// shaken so often what is left of it has to do.
const LOOKS: u64 = 150_000_000;
const PLANS_LEFT: u64 = 25;
/// How many steps it is worth to go around an action of which others were seen to do as often
/// other things.
const CONTESTED: u64 = 4;

/// Reduces a suite.
pub(super) fn reduce(
    suite: &Suite,
    settings: &Settings,
    replayer: &mut dyn Replayer,
) -> Result<Outcome, Stop> {
    let mut evidence = Evidence::new(suite);
    let traces: Vec<TraceIdx> = suite.traces().map(|(trace, _)| trace).collect();
    for &trace in &traces {
        evidence.record_trace(trace);
    }
    let bench = Bench {
        suite,
        settings,
        evidence: &mut evidence,
        replayer,
        runs: settings.runs,
    };
    let promised = of_kinds(&suite.coverage(bench.names()), &bench);
    let Some(launch) = usual_launch(&bench, &traces) else {
        return Ok(finish::nothing());
    };
    let mut search = Search {
        launch: bench
            .evidence
            .root(suite.trace(launch).launch_screen)
            .expect("the recording is in the evidence"),
        launch_trace: launch,
        origins: Origins::new(suite),
        recorded: times_recorded(&bench, &promised),
        witnesses: 1,
        goal: promised,
        machine: Arc::default(),
        memory: causes::Memory::default(),
        luck: options::Luck::default(),
        patience: options::Patience::default(),
        next_session: 0,
        next_attempt: 0,
        tries: FxHashMap::default(),
        given_up: Coverage::default(),
        set_aside: Coverage::default(),
        dead_ends: FxHashMap::default(),
        recorded_that_held: Vec::new(),
        pinned: FxHashSet::default(),
        looks_left: Cell::new(LOOKS),
        bench,
    };
    if settings.stabilize == Stabilize::Full {
        start(Phase::Stabilize, traces.len(), search.bench.replayer);
        let bench = &mut search.bench;
        stabilize(
            suite,
            &traces,
            settings.runs,
            bench.evidence,
            bench.replayer,
        )?;
        // Attempts are numbered from here on, so that no run is taken for one of those.
        search.next_attempt = settings.runs;
    }
    start(Phase::Splice, search.goal.len(), search.bench.replayer);
    let followed = search.follow()?;
    let drafts = search.scout(followed)?;
    start(Phase::Validate, search.goal.len(), search.bench.replayer);
    let drafts = search.shake_out(drafts)?;
    let drafted = drafts.clone();
    search.witnesses = settings.min_witness;
    for element in std::mem::take(&mut search.set_aside).iter() {
        search.tries.insert(element, rescue::PLANS);
    }
    let shipped = search.certify(drafts)?;
    Ok(search.outcome(&drafted, &shipped))
}

/// How many recorded traces have each element.
fn times_recorded(bench: &Bench, goal: &Coverage) -> FxHashMap<ElementId, usize> {
    let mut times = FxHashMap::default();
    if bench.settings.min_witness > 1 || bench.suite.n_steps() < MANY_STEPS {
        for (trace, _) in bench.suite.traces() {
            let recorded = Proven::trusted(bench.suite, trace);
            for element in bench.coverage(&recorded).intersection(goal).iter() {
                *times.entry(element).or_insert(0) += 1;
            }
        }
    }
    times
}

/// The first trace with the launch screen that most traces have.
fn usual_launch(bench: &Bench, traces: &[TraceIdx]) -> Option<TraceIdx> {
    let screen = |trace: TraceIdx| bench.suite.trace(trace).launch_screen;
    let mut counts = FxHashMap::default();
    for &trace in traces {
        *counts.entry(screen(trace)).or_insert(0_usize) += 1;
    }
    let first = |&&trace: &&TraceIdx| (counts[&screen(trace)], std::cmp::Reverse(trace));
    traces.iter().max_by_key(first).copied()
}

/// The state of a reduction.
struct Search<'b, 'a> {
    bench: Bench<'b, 'a>,
    origins: Origins,
    /// The root of the evidence, and a trace that starts there.
    launch: Node,
    launch_trace: TraceIdx,
    /// What must be covered.
    goal: Coverage,
    /// How many recorded traces have each element of it.
    recorded: FxHashMap<ElementId, usize>,
    /// By how many traces each element has to be covered, where so many recorded ones have it.
    witnesses: usize,
    machine: Arc<Machine>,
    /// What was found to decide actions so far.
    memory: causes::Memory,
    /// How plans came out so far.
    luck: options::Luck,
    /// How much is worth trying still.
    patience: options::Patience,
    next_session: u32,
    next_attempt: u32,
    /// How often each element was planned for and not covered.
    tries: FxHashMap<ElementId, u32>,
    /// Elements that nothing shows every time.
    given_up: Coverage,
    /// Elements that recorded traces show and no plan covers; certification tries those traces.
    set_aside: Coverage,
    /// Ends of walks that surprised whoever went on from there, and how often.
    dead_ends: FxHashMap<Node, u32>,
    /// Recorded traces that were tried beside plans and held.
    recorded_that_held: Vec<Arc<Script>>,
    /// Prefixes that plans may take as they are.
    pinned: FxHashSet<Node>,
    /// How many nodes plans may still look at to get cheaper.
    looks_left: Cell<u64>,
}

impl Search<'_, '_> {
    /// Learns the machine anew from all evidence.
    fn learn(&mut self) {
        let machine = learn::learn(
            self.bench.evidence,
            self.launch,
            &self.pinned,
            &mut self.memory,
        );
        self.machine = Arc::new(machine);
    }

    /// Plans the cheapest walks that cover a goal.
    fn plan(&self, goal: &Coverage) -> Planned {
        self.plan_beside(goal, &[], SHAKES)
    }

    /// The same where known walks may go on, with as many shakes as asked for.
    fn plan_beside(&self, goal: &Coverage, ends: &[End], shakes: usize) -> Planned {
        let limit = [self.bench.settings.max_steps];
        let mut planned = self.plan_within(goal, ends, shakes, &limit);
        planned.pop().unwrap_or_default()
    }

    /// The same for several limits on the steps of a walk.
    fn plan_within(
        &self,
        goal: &Coverage,
        ends: &[End],
        shakes: usize,
        limits: &[usize],
    ) -> Vec<Planned> {
        let machine = &self.machine;
        let usable = |index: usize| {
            let arc = &machine.arcs[index];
            self.is_usable(index)
                .then(|| worry(arc, self.bench.settings.costs.action_micros))
        };
        let left = self.looks_left.get();
        let task = Task {
            machine,
            usable: &usable,
            goal,
            costs: self.bench.settings.costs,
            ends,
            shakes,
            // A plan that is shaken more often may look farther.
            looks: left / PLANS_LEFT * shakes as u64 / SHAKES as u64,
            seed: Seed(1),
        };
        let (planned, looks) = plan(&task, self.bench.names(), limits);
        self.looks_left.set(left.saturating_sub(looks));
        planned
    }

    /// Whether plans may take an arc of the machine.
    fn is_usable(&self, index: usize) -> bool {
        let arc = &self.machine.arcs[index];
        let from = self.machine.screens[arc.from as usize];
        let observed = self.bench.settings.allow_observed;
        arc.is_sure() && (observed || self.origins.is_recorded((from, arc.action, arc.screen)))
    }

    /// A planned walk as a script.
    fn script(&self, walk: &[usize]) -> Option<Arc<Script>> {
        let arcs = walk.iter().map(|&arc| &self.machine.arcs[arc]);
        let steps: Vec<_> = arcs.map(|arc| (arc.action, arc.screen)).collect();
        let script = self
            .origins
            .script(self.bench.suite, self.launch_trace, &steps)?;
        Some(Arc::new(script))
    }

    /// How many runs and sessions went through a script; none when one of them left it.
    fn passes(&self, script: &Arc<Script>) -> Option<u32> {
        match self.bench.evidence.known_live(script, u32::MAX) {
            Known::Open(passes) => Some(passes),
            Known::Proven(_) => Some(u32::MAX),
            Known::Broken(_) => None,
        }
    }

    /// A script with what everything that went through it covered.
    fn measured(&self, script: &Arc<Script>) -> Option<Proven> {
        match self.bench.evidence.known_live(script, 1) {
            Known::Proven(proven) => Some(proven),
            Known::Open(_) | Known::Broken(_) => None,
        }
    }

    /// What is covered as often as it has to be.
    fn coverage(&self, scripts: &[Arc<Script>]) -> Coverage {
        let mut times: FxHashMap<ElementId, usize> = FxHashMap::default();
        let mut coverage = Coverage::default();
        for proven in scripts.iter().filter_map(|script| self.measured(script)) {
            for element in self.bench.coverage(&proven).iter() {
                let times = times.entry(element).or_default();
                *times += 1;
                let allowed = self.recorded.get(&element).copied().unwrap_or(1);
                if *times >= self.witnesses.min(allowed) {
                    coverage.insert(element);
                }
            }
        }
        coverage
    }

    /// What is still to be covered beside what these scripts cover.
    fn missing(&self, scripts: &[Arc<Script>]) -> Coverage {
        let mut missing = self.goal.clone();
        missing.subtract(&self.coverage(scripts));
        missing.subtract(&self.given_up);
        missing.subtract(&self.set_aside);
        missing
    }

    fn job(&mut self, script: &Arc<Script>) -> Job {
        // Every run has a number of its own, so that runs of different traces say something new
        // about the steps they share.
        self.next_attempt += 1;
        Job {
            script: Arc::clone(script),
            attempt: self.next_attempt,
        }
    }

    /// Replays a batch whatever comes of it.
    fn replay(&mut self, batch: &[Job]) -> Result<(), Stop> {
        let scripts: Vec<_> = batch.iter().map(|job| Arc::clone(&job.script)).collect();
        self.patience.spend(self.micros(&scripts));
        let bench = &mut self.bench;
        bench.evidence.replay(batch, &|_| false, bench.replayer)
    }

    fn micros(&self, scripts: &[Arc<Script>]) -> u64 {
        let steps = scripts.iter().map(|script| script.steps.len()).sum();
        self.bench.settings.costs.micros(scripts.len(), steps)
    }
}

/// What a step costs beyond its time because it was seen so seldom, or because the same action on
/// the same screen was seen to do other things elsewhere, so that hidden state or chance decides.
fn worry(arc: &machine::Arc, action_micros: u64) -> u64 {
    let seldom = action_micros / u64::from(2 * arc.seen.max(1));
    let others = u64::from(arc.contested.min(arc.seen));
    seldom + CONTESTED * action_micros * others / u64::from(arc.seen + arc.contested).max(1)
}
