//! The engine as the door of explorers: sessions are journalled like live walks.

use std::sync::Arc;

use super::Engine;
use crate::explore::{Explorer, Found, Quest};
use crate::model::{Names, RunEvent, Stop};
use crate::reduce::Replayer as _;
use crate::replay::pool::Work;
use crate::replay::roam::Roaming;

impl Explorer for Engine<'_> {
    fn rove(
        &mut self,
        sessions: &[(Arc<dyn Quest>, u32)],
        enough: &mut dyn FnMut(Found) -> bool,
    ) -> Result<(), Stop> {
        let jobs = sessions.iter().map(|(quest, number)| {
            let roaming = Roaming {
                key: quest.key(),
                quest: Arc::clone(quest),
            };
            (Work::Roam(Arc::new(roaming)), *number)
        });
        let jobs: Vec<_> = jobs.collect();
        self.carry_out(&jobs, |engine, at| {
            let (work, number) = &jobs[at];
            let found = engine.found(work.key(), *number)?;
            engine.ground.session(work.key(), *number);
            engine.used(found.walk.usage, found.walk.retries, None);
            Some(enough(found))
        })
    }

    fn tell(&mut self, event: RunEvent) {
        self.emit(event);
    }

    fn known(&self) -> &Names {
        &self.names
    }
}

impl Engine<'_> {
    /// An exploring session, once it is in the journal.
    fn found(&mut self, key: &str, session: u32) -> Option<Found> {
        let walk = self.walked(key, session)?;
        let record = self.journal.find_walk(key, session)?;
        let list = |number: u32| Arc::from(self.journal.cover(number));
        let offers = record.offers.iter();
        Some(Found {
            walk,
            offers: offers.clone().map(|(offered, _)| list(*offered)).collect(),
            denied: offers.map(|(_, denied)| list(*denied)).collect(),
        })
    }
}
