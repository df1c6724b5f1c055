//! Evidence: one prefix tree of everything that was ever seen, shared by all phases.
//!
//! A node is a prefix: the launch and the (action, screen) pairs after it. Recordings, runs and
//! live sessions leave their counts on it. A prefix that ever failed to replay is broken, and so
//! is everything that starts with it (paper 004, 2.4); a prefix that held in the first `n`
//! attempts is proven without running it again, since a prefix of a replayable trace is
//! replayable.

mod prefix;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::prefix::Prefix;
use super::{Proven, Replayer};
use crate::model::{
    ActionId, AfterDivergence, Cover, Divergence, Job, Run, RunEvent, ScreenId, Script, Seen, Stop,
    Suite, TraceIdx, Walk,
};

/// A node of the tree.
pub(super) type Node = u32;

/// What was seen so far.
#[derive(Debug)]
pub struct Evidence<'a> {
    suite: &'a Suite,
    launches: FxHashMap<ScreenId, Node>,
    children: FxHashMap<(Node, ActionId, ScreenId), Node>,
    prefixes: Vec<Prefix>,
    version: u64,
}

/// What is known of a script.
#[derive(Debug)]
pub enum Known {
    /// It held in all the runs asked for.
    Proven(Proven),
    /// It does not replay: the shortest broken prefix has this position.
    Broken(usize),
    /// So many attempts held; more are needed.
    Open(u32),
}

impl<'a> Evidence<'a> {
    /// No evidence yet.
    #[must_use]
    pub fn new(suite: &'a Suite) -> Self {
        Self {
            suite,
            launches: FxHashMap::default(),
            children: FxHashMap::default(),
            prefixes: Vec::new(),
            version: 0,
        }
    }

    /// Grows whenever a run is added.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many prefixes there are; a longer one has a higher number than its beginning.
    pub(super) fn len(&self) -> usize {
        self.prefixes.len()
    }

    /// What is known of a prefix.
    pub(super) fn prefix(&self, node: Node) -> &Prefix {
        &self.prefixes[node as usize]
    }

    /// The node of a launch, if a run ever started so.
    #[must_use]
    pub fn root(&self, launch: ScreenId) -> Option<Node> {
        self.launches.get(&launch).copied()
    }

    /// The node one step further, if a run ever went there.
    #[must_use]
    pub fn child(&self, node: Node, action: ActionId, screen: ScreenId) -> Option<Node> {
        self.children.get(&(node, action, screen)).copied()
    }

    /// Whether this prefix ever failed to replay.
    #[must_use]
    pub fn is_broken(&self, node: Node) -> bool {
        !self.prefixes[node as usize].broken.is_empty()
    }

    /// What every run through this node covered there.
    #[must_use]
    pub fn cover(&self, node: Node) -> Option<&Cover> {
        self.prefixes[node as usize].cover.as_ref()
    }

    /// The nodes of a script, launch first, as far as anything has gone.
    pub(super) fn walk<'s>(&'s self, script: &'s Script) -> impl Iterator<Item = Node> + 's {
        let mut node = self.root(script.screen_at(self.suite, 0));
        let mut steps = script.steps.iter();
        std::iter::from_fn(move || {
            let current = node?;
            node = steps
                .next()
                .and_then(|step| self.child(current, step.action, step.screen));
            Some(current)
        })
    }

    /// What was seen instead of a prefix after the same actions, and how often.
    pub(super) fn seen_instead(&self, node: Node) -> Vec<(Seen, u32)> {
        let prefix = self.prefix(node);
        let Some((before, action)) = prefix.step else {
            return prefix.broken.clone();
        };
        let before = self.prefix(before);
        let others = before.next.iter().map(|&other| self.prefix(other));
        let others = others.filter(|other| {
            other.step == prefix.step && other.screen != prefix.screen && other.live > 0
        });
        let mut seen: Vec<(Seen, u32)> = others
            .map(|other| (Seen::Screen(other.screen), other.live))
            .collect();
        let refused = before
            .refused
            .iter()
            .filter(|(refused, _)| *refused == action);
        seen.extend(refused.map(|&(_, times)| (Seen::NotEnabled, times)));
        seen
    }

    /// What is known of a script without running it.
    #[must_use]
    pub fn known(&self, script: &Arc<Script>, runs: u32) -> Known {
        self.decide(script, runs, |prefix| prefix.held)
    }

    /// The same, where every run and live session counts that told what it covered, whatever its
    /// number.
    #[must_use]
    pub fn known_live(&self, script: &Arc<Script>, runs: u32) -> Known {
        let mut end = None;
        for (position, node) in self.walk(script).enumerate() {
            if self.goes_elsewhere(node) {
                return Known::Broken(position);
            }
            end = Some((position, node));
        }
        // Nothing ever went on as the script does, but something may have gone elsewhere.
        if let Some((position, node)) = end
            && let Some(step) = script.steps.get(position)
            && self.was_left(node, step.action)
        {
            return Known::Broken(position + 1);
        }
        self.decide(script, runs, |prefix| prefix.measured)
    }

    /// Whether something live did this action after a prefix, or found that it was not there.
    fn was_left(&self, node: Node, action: ActionId) -> bool {
        let prefix = self.prefix(node);
        let mut next = prefix.next.iter().map(|&next| self.prefix(next));
        next.any(|next| next.step == Some((node, action)) && next.live > 0)
            || prefix.refused.iter().any(|&(refused, _)| refused == action)
    }

    /// Whether the same actions were seen to lead elsewhere than to this prefix.
    pub(super) fn goes_elsewhere(&self, node: Node) -> bool {
        let prefix = self.prefix(node);
        let Some((before, action)) = prefix.step else {
            return self.is_broken(node);
        };
        let before = self.prefix(before);
        let elsewhere = |&other: &Node| {
            let other = self.prefix(other);
            other.step == prefix.step && other.screen != prefix.screen && other.live > 0
        };
        self.is_broken(node)
            || before.refused.iter().any(|&(refused, _)| refused == action)
            || before.next.iter().any(elsewhere)
    }

    fn decide(&self, script: &Arc<Script>, runs: u32, held: impl Fn(&Prefix) -> u32) -> Known {
        let mut covers = Vec::with_capacity(script.steps.len() + 1);
        let mut count = 0;
        for (position, node) in self.walk(script).enumerate() {
            if self.is_broken(node) {
                return Known::Broken(position);
            }
            let prefix = &self.prefixes[node as usize];
            count = held(prefix);
            covers.extend(prefix.cover.clone());
        }
        if covers.len() <= script.steps.len() {
            return Known::Open(0);
        }
        if count < runs {
            return Known::Open(count);
        }
        Known::Proven(Proven {
            script: Arc::clone(script),
            covers,
        })
    }

    /// The first broken prefix of a script: its position, what was seen how often, and how
    /// many runs had held up to the position before it.
    #[must_use]
    pub fn first_break(&self, script: &Script) -> Option<(Divergence, Vec<(Seen, u32)>)> {
        let (position, node) = self
            .walk(script)
            .enumerate()
            .find(|&(_, node)| self.is_broken(node))?;
        let broken = self.prefixes[node as usize].broken.clone();
        let first = Divergence {
            position,
            expected: script.screen_at(self.suite, position),
            seen: broken.first()?.0,
        };
        Some((first, broken))
    }

    /// Adds a recorded trace as it stands.
    pub(super) fn record_trace(&mut self, trace: TraceIdx) {
        let suite = self.suite;
        let head = suite.trace(trace);
        let mut node = self.launch_node(head.launch_screen);
        let cover = suite.cover(head.launch_covers);
        self.prefixes[node as usize].note_recorded(cover);
        for step in suite.steps(trace) {
            node = self.step_node(node, step.action, step.screen);
            self.prefixes[node as usize].note_recorded(&suite.step_cover(step));
        }
    }

    /// Adds a live session.
    pub(super) fn record_walk(&mut self, walk: &Walk) {
        self.version += 1;
        let mut node = self.launch_node(walk.launch);
        self.prefixes[node as usize].pass(Some(&walk.launch_cover));
        for step in &walk.steps {
            if let Some((screen, cover)) = &step.shown {
                node = self.step_node(node, step.action, *screen);
                self.prefixes[node as usize].pass(Some(cover));
            } else {
                self.prefixes[node as usize].refuse(step.action);
            }
        }
    }

    /// Adds a run of a script.
    pub fn record(&mut self, job: &Job, run: &Run) {
        self.version += 1;
        let mut node = self.launch_node(job.script.screen_at(self.suite, 0));
        for (position, cover) in run.covers.iter().enumerate() {
            if let Some(step) = position.checked_sub(1) {
                let step = job.script.steps[step];
                node = self.step_node(node, step.action, step.screen);
            }
            self.prefixes[node as usize].hold(job.attempt, cover);
        }
        let Some(Divergence { position, seen, .. }) = run.diverged else {
            return;
        };
        let before = node;
        let Some(step) = position.checked_sub(1) else {
            self.prefixes[node as usize].fail(seen);
            return;
        };
        let step = job.script.steps[step];
        node = self.step_node(node, step.action, step.screen);
        self.prefixes[node as usize].fail(seen);
        match seen {
            Seen::Screen(screen) => {
                let other = self.step_node(before, step.action, screen);
                self.prefixes[other as usize].pass(None);
            }
            Seen::NotEnabled | Seen::Dead => self.prefixes[before as usize].refuse(step.action),
        }
    }

    fn launch_node(&mut self, screen: ScreenId) -> Node {
        let prefixes = &mut self.prefixes;
        *self.launches.entry(screen).or_insert_with(|| {
            prefixes.push(Prefix::new(screen, None));
            (prefixes.len() - 1) as Node
        })
    }

    fn step_node(&mut self, node: Node, action: ActionId, screen: ScreenId) -> Node {
        let prefixes = &mut self.prefixes;
        *self
            .children
            .entry((node, action, screen))
            .or_insert_with(|| {
                let child = prefixes.len() as Node;
                prefixes.push(Prefix::new(screen, Some((node, action))));
                prefixes[node as usize].next.push(child);
                child
            })
    }

    /// Replays a batch and adds its runs.
    pub(super) fn replay(
        &mut self,
        batch: &[Job],
        enough: &dyn Fn(&Run) -> bool,
        replayer: &mut dyn Replayer,
    ) -> Result<(), Stop> {
        for (job, run) in batch.iter().zip(replayer.replay(batch, enough)?) {
            self.record(job, &run);
        }
        Ok(())
    }

    /// Decides whether a script holds in its first `runs` attempts, running only those that
    /// are not known yet.
    pub fn confirm(
        &mut self,
        script: &Arc<Script>,
        runs: u32,
        after: AfterDivergence,
        replayer: &mut dyn Replayer,
    ) -> Result<Known, Stop> {
        let held = match self.known(script, runs) {
            Known::Open(held) => held,
            decided => return Ok(decided),
        };
        let batch: Vec<Job> = (held..runs)
            .map(|attempt| Job {
                script: Arc::clone(script),
                attempt,
            })
            .collect();
        let enough = |run: &Run| after == AfterDivergence::Stop && run.diverged.is_some();
        self.replay(&batch, &enough, replayer)?;
        let known = self.known(script, runs);
        let accepted = matches!(known, Known::Proven(_));
        replayer.emit(RunEvent::CandidateDecided { accepted });
        Ok(known)
    }
}
