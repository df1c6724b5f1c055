//! Following an earlier reduction: its traces are walked live before anything is planned, and what
//! still holds of them is kept.

use std::sync::Arc;

use super::Search;
use crate::model::{ActionId, Job, RunEvent, ScreenId, Script, Stop, Walk, sha256};
use crate::reduce::{Guide, Look, Pilot, Plan};

impl Search<'_, '_> {
    /// Walks the guides and gives what of them held and is needed. Sessions and runs that an
    /// earlier reduction made on this very app are in the journal, which answers for the devices.
    pub(super) fn follow(&mut self) -> Result<Vec<Arc<Script>>, Stop> {
        let guides = &self.bench.settings.guides;
        let sessions = Guide::sessions(guides);
        let plans: Vec<(Arc<dyn Plan>, u32)> = guides
            .iter()
            .zip(&sessions)
            .map(|(guide, (key, number))| {
                let guide = guide.clone();
                let key = key.clone();
                let plan: Arc<dyn Plan> = Arc::new(Following { guide, key });
                (plan, *number)
            })
            .collect();
        let walked = self.bench.replayer.walk(&plans, &|_| false)?;
        let mut taken = Vec::new();
        for (session, walk) in sessions.iter().zip(&walked) {
            // One session may have gone the way of two guides.
            if !taken.contains(&session) {
                self.origins.add(session.1, walk);
                self.bench.evidence.record_walk(walk);
                taken.push(session);
            }
        }
        let numbers = sessions.iter().map(|(_, number)| number + 1);
        self.next_session = numbers.max().unwrap_or(0).max(self.next_session);
        let lengths = guides.iter().zip(&walked);
        let lengths: Vec<usize> = lengths.map(|(g, w)| matching(g, w)).collect();
        self.recall(guides, &lengths)?;
        let mut held: Vec<Arc<Script>> = Vec::new();
        for (guide, &len) in guides.iter().zip(&lengths) {
            let accepted = len == guide.steps.len();
            self.bench
                .replayer
                .emit(RunEvent::CandidateDecided { accepted });
            held.extend(self.needed_of(&guide.steps[..len], &held));
        }
        Ok(held)
    }

    /// Takes in the known runs of guides that hold, as many as a trace needs beside its session.
    fn recall(&mut self, guides: &[Guide], lengths: &[usize]) -> Result<(), Stop> {
        let suite = self.bench.suite;
        let wanted = self.bench.settings.runs.saturating_sub(1) as usize;
        let mut batch = Vec::new();
        for (guide, &len) in guides.iter().zip(lengths) {
            let script = self.origins.script(suite, self.launch_trace, &guide.steps);
            let Some(script) = script.filter(|_| len == guide.steps.len()).map(Arc::new) else {
                continue;
            };
            let runs = guide.runs.iter().take(wanted);
            batch.extend(runs.map(|&attempt| Job {
                script: Arc::clone(&script),
                attempt,
            }));
        }
        // Other runs of this search have other numbers, so that none counts twice.
        let last = guides.iter().flat_map(|guide| &guide.runs).max();
        self.next_attempt = self.next_attempt.max(last.copied().unwrap_or(0));
        self.replay(&batch)
    }
}

/// How many steps of a guide a session went; an action that was not there changed nothing.
fn matching(guide: &Guide, walk: &Walk) -> usize {
    let shown = walk.steps.iter();
    let shown = shown.filter_map(|step| Some((step.action, step.shown.as_ref()?.0)));
    let expected = guide.steps.iter().copied();
    shown
        .zip(expected)
        .take_while(|(one, other)| one == other)
        .count()
}

/// A script as something to follow.
pub(super) fn guide(script: &Script) -> Guide {
    let steps: Vec<_> = script.steps.iter().map(|s| (s.action, s.screen)).collect();
    let numbers = steps.iter().map(|(a, s)| (a.index(), s.index()));
    let text = format!("{:?}", numbers.collect::<Vec<_>>());
    Guide {
        key: sha256(text.as_bytes()),
        steps,
        runs: Vec::new(),
        session: None,
    }
}

/// A plan to do what an earlier trace did, for as long as it shows the same.
pub(super) struct Following {
    guide: Guide,
    key: String,
}

impl Following {
    /// A plan for a session that nobody has seen yet.
    pub(super) fn anew(guide: Guide) -> Self {
        let key = guide.plan_key();
        Self { guide, key }
    }
}

impl Plan for Following {
    fn key(&self) -> String {
        self.key.clone()
    }

    fn pilot(&self) -> Box<dyn Pilot + '_> {
        Box::new(Follower {
            steps: &self.guide.steps,
            at: 0,
        })
    }
}

struct Follower<'g> {
    steps: &'g [(ActionId, ScreenId)],
    at: usize,
}

impl Pilot for Follower<'_> {
    fn next(&mut self, look: Look) -> Option<ActionId> {
        let expected = self.at.checked_sub(1).map(|before| self.steps[before].1);
        let as_before = match look {
            Look::Screen(screen) => expected.is_none() || screen == expected,
            Look::Refused => false,
        };
        let (action, _) = self.steps.get(self.at).filter(|_| as_before)?;
        self.at += 1;
        Some(*action)
    }
}
