//! The walk of a suite: stabilise, drop traces, drop loops, splice, settle, validate.

use super::bench::Bench;
use super::certainty::{LeftToChance, suite_risk};
use super::evidence::Known;
use super::loops::remove_loops;
use super::repair::{VALIDATED, Validation, validate};
use super::splice::{Whole, splice};
use super::stabilize::stabilize;
use super::traces::non_redundant;
use super::verdict::{explain, removed};
use super::{Choice, Cut, Evidence, Finding, Proven, Removed, Replayer, Settings, Stabilized, Why};
use crate::model::{Coverage, ElementId, Limit, Phase, RunEvent, Stabilize, Stop, Suite, TraceIdx};

/// How often the passes start over when validation breaks what they made.
const REPAIRS: usize = 12;

/// What came of a reduction.
#[derive(Debug)]
pub struct Outcome {
    /// The reduced suite.
    pub shipped: Vec<Shipped>,
    /// How large the suite was after each phase.
    pub phases: Vec<PhaseSize>,
    /// The elements that were promised and are covered.
    pub preserved: Coverage,
    /// Promised elements that got lost.
    pub lost: Vec<Finding>,
    /// Recorded elements that no trace shows in every run, so they cannot be promised.
    pub unstable: Vec<Finding>,
    /// Traces of which nothing is left.
    pub removed: Vec<Removed>,
    /// Traces that were cut because their tail does not replay.
    pub cuts: Vec<(TraceIdx, Cut)>,
    /// Why it ended before everything was tried.
    pub stopped: Option<Stop>,
    /// The chance that one replay of the whole reduced suite diverges somewhere.
    pub suite_risk: f64,
    /// What other settings would give, where they were looked at.
    pub choices: Vec<Choice>,
}

/// A trace of the reduced suite.
#[derive(Debug, Clone)]
pub struct Shipped {
    /// The trace with what all its runs covered.
    pub proven: Proven,
    /// How many runs it held in: fresh ones, unless a budget ended the work before validation.
    pub runs: u32,
    /// The share of runs that is expected to diverge.
    pub risk: f64,
    /// The share of runs that replays at least, at the confidence asked for.
    pub replays_at_least: f64,
    /// Whether chance was seen and may make more runs diverge than a trace may have.
    pub flaky: bool,
}

/// The size of the suite after a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseSize {
    /// The phase.
    pub phase: Phase,
    /// Traces left.
    pub traces: usize,
    /// Steps left.
    pub steps: usize,
}

impl PhaseSize {
    pub(super) fn of(phase: Phase, traces: &[Proven]) -> Self {
        Self {
            phase,
            traces: traces.len(),
            steps: traces.iter().map(Proven::n_steps).sum(),
        }
    }
}

/// Reduces a suite. Stops of devices or by the user are errors; a used-up budget is one only
/// while there is no proven suite to ship yet.
pub(super) fn reduce(
    suite: &Suite,
    settings: &Settings,
    replayer: &mut dyn Replayer,
) -> Result<Outcome, Stop> {
    let mut evidence = Evidence::new(suite);
    let mut bench = Bench {
        suite,
        settings,
        evidence: &mut evidence,
        replayer,
        runs: settings.runs,
    };
    let promised = of_kinds(&suite.coverage(bench.names()), &bench);
    let material = gather(&promised, &mut bench)?;
    let mut walk = Walk::new(material, &mut bench);
    let stopped = walk.passes(&mut bench)?;
    Ok(walk.outcome(&promised, stopped, &bench))
}

/// Replays every trace and keeps what replays.
pub fn stabilize_only(
    suite: &Suite,
    runs: u32,
    replayer: &mut dyn Replayer,
) -> Result<Vec<Stabilized>, Stop> {
    let traces: Vec<_> = suite.traces().map(|(trace, _)| trace).collect();
    start(Phase::Stabilize, traces.len(), replayer);
    stabilize(suite, &traces, runs, &mut Evidence::new(suite), replayer)
}

pub(super) fn start(phase: Phase, total: usize, replayer: &mut dyn Replayer) {
    replayer.emit(RunEvent::PhaseStarted {
        phase,
        total: Some(total),
    });
}

pub(super) fn of_kinds(coverage: &Coverage, bench: &Bench) -> Coverage {
    let names = bench.names();
    let wanted = |element: &ElementId| bench.settings.preserve.contains(&names.kind(*element));
    coverage.iter().filter(wanted).collect()
}

/// What the passes work on.
struct Material {
    stabilized: Vec<Stabilized>,
    /// Everything that may serve as material, in order of arrival.
    pool: Vec<Proven>,
    /// The non-redundant part of it.
    selected: Vec<Proven>,
    goal: Coverage,
}

fn gather(promised: &Coverage, bench: &mut Bench) -> Result<Material, Stop> {
    let suite = bench.suite;
    let all: Vec<TraceIdx> = suite.traces().map(|(trace, _)| trace).collect();
    let mut stabilized = Vec::new();
    if bench.settings.stabilize == Stabilize::Full {
        start(Phase::Stabilize, all.len(), bench.replayer);
        stabilized = replay_traces(&all, bench)?;
    }
    let mut known: Vec<Option<Proven>> = match bench.settings.stabilize {
        Stabilize::Full => stabilized.iter().map(|s| s.kept.clone()).collect(),
        Stabilize::Lazy | Stabilize::None => all
            .iter()
            .map(|&trace| Some(Proven::trusted(suite, trace)))
            .collect(),
    };
    loop {
        let pool: Vec<Proven> = known.iter().flatten().cloned().collect();
        let chosen = non_redundant(&pool, promised, suite, bench.names());
        let selected: Vec<Proven> = chosen.into_iter().map(|i| pool[i].clone()).collect();
        let mut fresh: Vec<TraceIdx> = selected.iter().map(|p| p.script.launch).collect();
        fresh.retain(|trace| !stabilized.iter().any(|s: &Stabilized| s.trace == *trace));
        if bench.settings.stabilize != Stabilize::Lazy || fresh.is_empty() {
            let goal = bench.coverage_of(&selected).intersection(promised);
            return Ok(Material {
                stabilized,
                pool,
                selected,
                goal,
            });
        }
        start(Phase::Stabilize, fresh.len(), bench.replayer);
        for outcome in replay_traces(&fresh, bench)? {
            known[outcome.trace.index()].clone_from(&outcome.kept);
            stabilized.push(outcome);
        }
    }
}

fn replay_traces(traces: &[TraceIdx], bench: &mut Bench) -> Result<Vec<Stabilized>, Stop> {
    let runs = bench.settings.runs;
    stabilize(bench.suite, traces, runs, bench.evidence, bench.replayer)
}

/// The suite on its way through the passes.
struct Walk {
    material: Material,
    phases: Vec<PhaseSize>,
    current: Vec<Proven>,
}

impl Walk {
    fn new(material: Material, bench: &mut Bench) -> Self {
        start(Phase::Traces, material.pool.len(), bench.replayer);
        let current = material.selected.clone();
        Self {
            phases: vec![
                PhaseSize::of(Phase::Stabilize, &material.pool),
                PhaseSize::of(Phase::Traces, &current),
            ],
            current,
            material,
        }
    }

    /// Runs the passes; a used-up budget comes back as a value when what is there can ship.
    fn passes(&mut self, bench: &mut Bench) -> Result<Option<Stop>, Stop> {
        let stop = match self.all_passes(bench) {
            Ok(()) => return Ok(None),
            Err(stop) => stop,
        };
        let runs = bench.settings.runs;
        let proven =
            |trace: &Proven| matches!(bench.evidence.known(&trace.script, runs), Known::Proven(_));
        if matches!(stop, Stop::Budget(_)) && self.current.iter().all(proven) {
            Ok(Some(stop))
        } else {
            Err(stop)
        }
    }

    fn all_passes(&mut self, bench: &mut Bench) -> Result<(), Stop> {
        let goal = self.material.goal.clone();
        self.loops_and_splice(&goal, bench)?;
        for _ in 0..REPAIRS {
            self.settle(bench)?;
            match self.validate(&goal, bench)? {
                Validation::Held => return Ok(()),
                // Fresh runs may show less than the first ones did, and then less is needed too.
                Validation::ShowsLess => {}
                Validation::Repaired => self.start_over(&goal, bench)?,
            }
        }
        bench.replayer.emit(RunEvent::LimitHit {
            phase: Phase::Validate,
            trace: None,
            limit: Limit::Repairs,
        });
        self.validate(&goal, bench).map(drop)
    }

    fn validate(&mut self, goal: &Coverage, bench: &mut Bench) -> Result<Validation, Stop> {
        start(Phase::Validate, self.current.len(), bench.replayer);
        let (traces, validation) = validate(&self.current, &self.material.pool, goal, bench)?;
        self.pass(Phase::Validate, (traces, None))?;
        if validation != Validation::Held {
            // Once luck has fooled the search, what it puts forward must hold as often as what
            // ships, or repair and search would undo each other.
            bench.runs = VALIDATED * bench.settings.runs;
        }
        Ok(validation)
    }

    /// Repeats the passes on the input, now that the evidence knows what does not hold: a
    /// patched suite would be costlier, and reducing it again would patch it elsewhere.
    fn start_over(&mut self, goal: &Coverage, bench: &mut Bench) -> Result<(), Stop> {
        let pool: Vec<Proven> = self
            .material
            .pool
            .iter()
            .filter_map(|trace| bench.left_of(trace))
            .collect();
        let chosen = non_redundant(&pool, goal, bench.suite, bench.names());
        self.current = chosen.into_iter().map(|i| pool[i].clone()).collect();
        self.phases.truncate(2);
        self.loops_and_splice(goal, bench)
    }

    fn loops_and_splice(&mut self, goal: &Coverage, bench: &mut Bench) -> Result<(), Stop> {
        start(Phase::Loops, self.current.len(), bench.replayer);
        self.pass(Phase::Loops, remove_loops(&self.current, goal, bench))?;
        start(Phase::Splice, goal.len(), bench.replayer);
        let spliced = splice(&self.current, goal, Whole::Trace, bench);
        self.pass(Phase::Splice, spliced)
    }

    fn pass(
        &mut self,
        phase: Phase,
        (traces, stopped): (Vec<Proven>, Option<Stop>),
    ) -> Result<(), Stop> {
        self.current = traces;
        self.phases.push(PhaseSize::of(phase, &self.current));
        stopped.map_or(Ok(()), Err)
    }

    /// Repeats the passes on their own result until nothing changes, so that reducing the
    /// result again finds nothing left to do.
    fn settle(&mut self, bench: &mut Bench) -> Result<(), Stop> {
        start(Phase::Settle, bench.settings.settle_rounds, bench.replayer);
        self.phases.retain(|size| size.phase < Phase::Settle);
        for round in 0..bench.settings.settle_rounds {
            let goal = of_kinds(&bench.coverage_of(&self.current), bench);
            let kept = non_redundant(&self.current, &goal, bench.suite, bench.names());
            let kept: Vec<Proven> = kept.into_iter().map(|i| self.current[i].clone()).collect();
            let (loopless, stopped) = remove_loops(&kept, &goal, bench);
            let (next, stopped) = match stopped {
                None => splice(&loopless, &goal, Whole::Recording, bench),
                stopped => (loopless, stopped),
            };
            let unchanged = next == self.current;
            self.current = next;
            stopped.map_or(Ok(()), Err)?;
            bench.replayer.emit(RunEvent::Progress { done: round + 1 });
            if unchanged {
                break;
            }
        }
        self.phases
            .push(PhaseSize::of(Phase::Settle, &self.current));
        Ok(())
    }

    fn outcome(mut self, promised: &Coverage, stopped: Option<Stop>, bench: &Bench) -> Outcome {
        let suite = bench.suite;
        let Material {
            stabilized,
            pool,
            selected,
            ..
        } = &self.material;
        let covered = bench.coverage_of(&self.current);
        let mut missing = promised.clone();
        missing.subtract(&covered);
        let findings = explain(&missing, stabilized, pool, bench);
        let is_lost = |finding: &Finding| {
            finding.why == Why::Dropped || bench.settings.stabilize == Stabilize::None
        };
        let (lost, unstable) = findings.into_iter().partition(is_lost);
        let chosen: Vec<TraceIdx> = selected.iter().map(|p| p.script.launch).collect();
        let cuts = stabilized
            .iter()
            .filter_map(|s| Some((s.trace, s.cut.clone()?)))
            .collect();
        let removed = removed(suite, stabilized, &chosen, &self.current);
        let chance = LeftToChance::seen(stabilized, bench);
        let shipped: Vec<Shipped> = std::mem::take(&mut self.current)
            .into_iter()
            .map(|proven| Shipped::held(proven, &chance, bench))
            .collect();
        Outcome {
            suite_risk: suite_risk(&shipped),
            shipped,
            choices: Vec::new(),
            phases: self.phases,
            preserved: covered.intersection(promised),
            lost,
            unstable,
            removed,
            cuts,
            stopped,
        }
    }
}
