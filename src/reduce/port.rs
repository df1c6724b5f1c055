//! The only door from an algorithm to the world, and the settings algorithms know.

use std::sync::Arc;

use crate::model::{
    ActionId, AfterDivergence, Costs, Job, Kind, Names, Run, RunEvent, ScreenId, Stabilize, Stop,
    Strategy, Walk, sha256,
};

/// What a live session is to do; it may be asked for a pilot again when a device fails.
pub trait Plan: Send + Sync {
    /// What tells this plan from others, so that a journal can answer it.
    fn key(&self) -> String;
    /// Someone who has seen nothing yet and follows the plan.
    fn pilot(&self) -> Box<dyn Pilot + '_>;
    /// Whether a session has seen all it was after, told by the names that devices use.
    fn is_over(&self, _screen: &str, _covers: &[String]) -> bool {
        false
    }
}

/// Steers a live session: decides by the plan and by what this session has shown so far alone,
/// so that the answer does not depend on what other sessions do meanwhile.
pub trait Pilot {
    /// The next action; none ends the session.
    fn next(&mut self, look: Look) -> Option<ActionId>;
}

/// What a pilot sees after a start or an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A screen; none when nobody has seen it before.
    Screen(Option<ScreenId>),
    /// The action was not there to be done, and nothing has changed.
    Refused,
}

/// Replays scripts. Runs come back in batch order, up to and including the first that is
/// `enough`, whatever the number of devices behind it.
pub trait Replayer {
    /// Replays a batch.
    fn replay(&mut self, batch: &[Job], enough: &dyn Fn(&Run) -> bool) -> Result<Vec<Run>, Stop>;
    /// Walks live, one session a plan; its number tells it from other sessions of the same plan.
    /// Walks come back in the order of the plans, up to and including the first that is `enough`.
    fn walk(
        &mut self,
        sessions: &[(Arc<dyn Plan>, u32)],
        enough: &dyn Fn(&Walk) -> bool,
    ) -> Result<Vec<Walk>, Stop>;
    /// Walks live along all plans; `first` numbers the sessions.
    fn explore(&mut self, plans: &[Arc<dyn Plan>], first: u32) -> Result<Vec<Walk>, Stop> {
        let sessions: Vec<_> = plans.iter().cloned().zip(first..).collect();
        self.walk(&sessions, &|_| false)
    }
    /// Tells the observers.
    fn emit(&mut self, event: RunEvent);
    /// The names of everything seen so far.
    fn names(&self) -> &Names;
    /// An action by its canonical text, which may be one that no recording has.
    fn action(&mut self, text: &str) -> ActionId;
}

/// A trace of an earlier reduction, to be kept where it still holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guide {
    /// What tells it from others: a digest of what it does and shows.
    pub key: String,
    /// What it does and shows.
    pub steps: Vec<(ActionId, ScreenId)>,
    /// The numbers of its runs on this very app, if a journal has them.
    pub runs: Vec<u32>,
    /// A live session on this very app that went its way, if a journal has one: the key of the
    /// plan, and its number.
    pub session: Option<(String, u32)>,
}

impl Guide {
    /// The key of a live session that follows it.
    #[must_use]
    pub fn plan_key(&self) -> String {
        sha256(format!("follow {}", self.key).as_bytes())
    }

    /// The first number that no session of these guides has.
    #[must_use]
    pub fn first_free(guides: &[Self]) -> u32 {
        let known = guides.iter().filter_map(|guide| guide.session.as_ref());
        known.map(|(_, number)| number + 1).max().unwrap_or(0)
    }

    /// The sessions that tell what is left of guides: known ones, and new ones that follow the
    /// rest, with numbers of their own.
    #[must_use]
    pub fn sessions(guides: &[Self]) -> Vec<(String, u32)> {
        let mut free = Self::first_free(guides)..;
        let session = guides.iter().map(|guide| {
            let fresh = || (guide.plan_key(), free.next().unwrap_or(u32::MAX));
            guide.session.clone().unwrap_or_else(fresh)
        });
        session.collect()
    }
}

/// What may change the answer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How to reduce.
    pub strategy: Strategy,
    /// Runs a candidate must hold in.
    pub runs: u32,
    /// What to do once a candidate diverged.
    pub after_divergence: AfterDivergence,
    /// Which input traces are replayed first.
    pub stabilize: Stabilize,
    /// The kinds of elements that must be preserved.
    pub preserve: Vec<Kind>,
    /// Bound on the partial variants of one trace that loop removal looks at.
    pub loop_work: usize,
    /// Bound on the variants of one trace that loop removal tries on devices.
    pub loop_candidates: usize,
    /// How many fragments a spliced trace has at most.
    pub fragments: usize,
    /// Bound on the joins that splicing looks at for one pick.
    pub splice_work: usize,
    /// How often the passes are repeated on their own result at most.
    pub settle_rounds: usize,
    /// The most steps of a new trace.
    pub max_steps: usize,
    /// Whether a new trace may hold steps that no recording has.
    pub allow_observed: bool,
    /// How many live sessions go on side by side.
    pub lanes: usize,
    /// The share of diverging runs above which a trace is flaky.
    pub trace_flake: f64,
    /// The chance, if there is a limit, that one replay of the whole suite may diverge with.
    pub suite_flake: Option<f64>,
    /// How sure statements about flakiness are.
    pub confidence: f64,
    /// The most runs of one trace that ships, at least `runs`.
    pub max_runs: u32,
    /// By how many traces each element is covered where the input allows it.
    pub min_witness: usize,
    /// Whether faults are kept whatever the user wants preserved; `preserve` then has them.
    pub keep_faults: bool,
    /// Whether the choice of traces is the proven optimum.
    pub exact: bool,
    /// Traces of an earlier reduction that are kept where they still hold.
    pub guides: Vec<Guide>,
    /// What a step and a restart cost.
    pub costs: Costs,
}
