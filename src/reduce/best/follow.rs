//! Following an earlier reduction: its traces are walked live before anything is planned, and what
//! still holds of them is kept.

use std::sync::Arc;

use super::Search;
use crate::model::{ActionId, RunEvent, ScreenId, Script, Stop, Walk, sha256};
use crate::reduce::{Guide, Look, Pilot, Plan};

impl Search<'_, '_> {
    /// Walks the guides and gives what of them held and is needed.
    pub(super) fn follow(&mut self) -> Result<Vec<Arc<Script>>, Stop> {
        let guides = &self.bench.settings.guides;
        let plans: Vec<Arc<dyn Plan>> = guides
            .iter()
            .map(|guide| {
                let plan: Arc<dyn Plan> = Arc::new(Following(guide.clone()));
                plan
            })
            .collect();
        let walked = self.explore(&plans)?;
        let mut held: Vec<Arc<Script>> = Vec::new();
        for (guide, walk) in guides.iter().zip(&walked) {
            let len = matching(guide, walk);
            let accepted = len == guide.steps.len();
            self.bench
                .replayer
                .emit(RunEvent::CandidateDecided { accepted });
            held.extend(self.needed_of(&guide.steps[..len], &held));
        }
        Ok(held)
    }
}

/// How many steps of a guide a session went.
fn matching(guide: &Guide, walk: &Walk) -> usize {
    let shown = walk.steps.iter().map(|step| {
        let screen = step.shown.as_ref().map(|(screen, _)| *screen);
        (step.action, screen)
    });
    let expected = guide.steps.iter();
    let expected = expected.map(|&(action, screen)| (action, Some(screen)));
    shown
        .zip(expected)
        .take_while(|(one, other)| one == other)
        .count()
}

/// A script as something to follow.
pub(super) fn guide(script: &Script) -> Guide {
    let steps: Vec<_> = script.steps.iter().map(|s| (s.action, s.screen)).collect();
    let numbers = steps.iter().map(|(a, s)| (a.index(), s.index()));
    let text: String = numbers.map(|pair| format!("{pair:?}")).collect();
    Guide {
        key: sha256(text.as_bytes()),
        steps,
    }
}

/// A plan to do what an earlier trace did, for as long as it shows the same.
pub(super) struct Following(pub(super) Guide);

impl Plan for Following {
    fn key(&self) -> String {
        self.0.plan_key()
    }

    fn pilot(&self) -> Box<dyn Pilot + '_> {
        Box::new(Follower {
            steps: &self.0.steps,
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
