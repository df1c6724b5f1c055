//! Evidence: one prefix tree of everything that runs have shown, shared by all phases.
//!
//! A node is a prefix: the launch and the (action, screen) pairs after it. A prefix that ever
//! failed to replay is broken, and so is everything that starts with it (paper 004, 2.4); a
//! prefix that held in the first `n` attempts is proven without running it again, since a
//! prefix of a replayable trace is replayable.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Proven, Replayer};
use crate::model::{
    ActionId, AfterDivergence, Cover, Divergence, Job, Run, RunEvent, ScreenId, Script, Seen, Stop,
    Suite,
};

/// A node of the tree.
pub(super) type Node = u32;

/// What runs have shown so far.
#[derive(Debug)]
pub struct Evidence<'a> {
    suite: &'a Suite,
    launches: FxHashMap<ScreenId, Node>,
    children: FxHashMap<(Node, ActionId, ScreenId), Node>,
    prefixes: Vec<Prefix>,
    version: u64,
}

#[derive(Debug, Default)]
struct Prefix {
    /// The attempts `0..held` all replayed this prefix.
    held: u32,
    /// What all runs through here covered at the last step.
    cover: Option<Cover>,
    /// How often runs ended here by showing something else, and what.
    broken: Vec<(Seen, u32)>,
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

    /// The nodes of a script, launch first, as far as runs have gone.
    fn walk<'s>(&'s self, script: &'s Script) -> impl Iterator<Item = Node> + 's {
        let mut node = self.root(script.screen_at(self.suite, 0));
        let mut steps = script.steps.iter();
        std::iter::from_fn(move || {
            let current = node?;
            node = steps.next().and_then(|&step| {
                let step = self.suite.step(step);
                self.child(current, step.action, step.screen)
            });
            Some(current)
        })
    }

    /// What is known of a script without running it.
    #[must_use]
    pub fn known(&self, script: &Arc<Script>, runs: u32) -> Known {
        let mut covers = Vec::with_capacity(script.steps.len() + 1);
        let mut held = 0;
        for (position, node) in self.walk(script).enumerate() {
            if self.is_broken(node) {
                return Known::Broken(position);
            }
            let prefix = &self.prefixes[node as usize];
            held = prefix.held;
            covers.extend(prefix.cover.clone());
        }
        if covers.len() <= script.steps.len() {
            return Known::Open(0);
        }
        if held < runs {
            return Known::Open(held);
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

    /// Adds a run of a script.
    pub fn record(&mut self, job: &Job, run: &Run) {
        self.version += 1;
        let mut node = self.launch_node(job.script.screen_at(self.suite, 0));
        for (position, cover) in run.covers.iter().enumerate() {
            if position > 0 {
                node = self.step_node(node, &job.script, position);
            }
            self.prefixes[node as usize].hold(job.attempt, cover);
        }
        if let Some(Divergence { position, seen, .. }) = run.diverged {
            if position > 0 {
                node = self.step_node(node, &job.script, position);
            }
            self.prefixes[node as usize].fail(seen);
        }
    }

    fn launch_node(&mut self, screen: ScreenId) -> Node {
        let prefixes = &mut self.prefixes;
        *self.launches.entry(screen).or_insert_with(|| {
            prefixes.push(Prefix::default());
            (prefixes.len() - 1) as Node
        })
    }

    fn step_node(&mut self, node: Node, script: &Script, position: usize) -> Node {
        let step = self.suite.step(script.steps[position - 1]);
        let prefixes = &mut self.prefixes;
        let key = (node, step.action, step.screen);
        *self.children.entry(key).or_insert_with(|| {
            prefixes.push(Prefix::default());
            (prefixes.len() - 1) as Node
        })
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
        for (job, run) in batch.iter().zip(replayer.replay(&batch, &enough)?) {
            self.record(job, &run);
        }
        let known = self.known(script, runs);
        let accepted = matches!(known, Known::Proven(_));
        replayer.emit(RunEvent::CandidateDecided { accepted });
        Ok(known)
    }
}

impl Prefix {
    fn hold(&mut self, attempt: u32, cover: &Cover) {
        // Scripts that share a prefix share their attempts there, so only a new number counts.
        if attempt == self.held {
            self.held += 1;
        }
        self.cover = Some(match self.cover.take() {
            None => cover.clone(),
            Some(known) => known.intersection(cover),
        });
    }

    fn fail(&mut self, seen: Seen) {
        match self.broken.iter_mut().find(|(what, _)| *what == seen) {
            Some((_, times)) => *times += 1,
            None => self.broken.push((seen, 1)),
        }
    }
}
