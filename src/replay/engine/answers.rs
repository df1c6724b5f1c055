//! Between ids and names: scripts as devices need them, and what the journal knows by ids again.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::Engine;
use crate::model::{Cover, Divergence, Job, Run, Script, Seen, Walk, WalkStep, hex};
use crate::replay::player::Lines;
use crate::replay::record::{End, RunRecord};

impl Engine<'_> {
    pub(super) fn lines(&mut self, script: &Arc<Script>) -> Arc<Lines> {
        if let Some((known, lines)) = &self.lines
            && Arc::ptr_eq(known, script)
        {
            return Arc::clone(lines);
        }
        let screen = |at| {
            self.names
                .screen_name(script.screen_at(self.suite, at))
                .to_owned()
        };
        let action = |at: usize| self.names.action_text(script.steps[at].action);
        let steps = (0..script.steps.len()).map(|at| (action(at).to_owned(), screen(at + 1)));
        let mut lines = Lines {
            key: String::new(),
            launch: screen(0),
            steps: steps.collect(),
        };
        lines.key = key_of(&lines);
        let lines = Arc::new(lines);
        self.lines = Some((Arc::clone(script), Arc::clone(&lines)));
        lines
    }

    /// A live session, once it is in the journal.
    pub(super) fn walked(&mut self, key: &str, session: u32) -> Option<Walk> {
        let record = self.journal.find_walk(key, session)?.clone();
        let launch = self.names.screen(&record.launch.0);
        let launch_cover = self.cover(record.launch.1);
        let mut steps = Vec::with_capacity(record.steps.len());
        for (action, shown) in &record.steps {
            let action = self.names.action(action);
            let shown = shown.as_ref();
            let shown =
                shown.map(|(screen, cover)| (self.names.screen(screen), self.cover(*cover)));
            steps.push(WalkStep { action, shown });
        }
        Some(Walk {
            launch,
            launch_cover,
            steps,
            died: record.died,
            usage: record.usage(),
            retries: record.retries,
        })
    }

    /// The run of a job, once it is in the journal.
    pub(super) fn finished(&mut self, lines: &Lines, job: &Job) -> Option<Run> {
        let record = self.journal.find(&lines.key, job.attempt)?.clone();
        let covers = record.covers.iter().map(|&cover| self.cover(cover));
        let covers: Vec<Cover> = covers.collect();
        let seen = match &record.end {
            End::Complete => None,
            End::Screen(name) => Some(Seen::Screen(self.names.screen(name))),
            End::NotEnabled => Some(Seen::NotEnabled),
            End::Dead => Some(Seen::Dead),
        };
        Some(self.run(job, &record, covers, seen))
    }

    fn run(&self, job: &Job, record: &RunRecord, covers: Vec<Cover>, seen: Option<Seen>) -> Run {
        let position = covers.len();
        let diverged = seen.map(|seen| Divergence {
            position,
            expected: job.script.screen_at(self.suite, position),
            seen,
        });
        Run {
            covers,
            diverged,
            usage: record.usage(),
            retries: record.retries,
        }
    }

    /// A cover of the journal by ids; names are given in order of use, so that ids do not
    /// depend on which device was quicker.
    fn cover(&mut self, number: u32) -> Cover {
        let index = number as usize;
        if self.covers.len() <= index {
            self.covers.resize(index + 1, None);
        }
        if let Some(cover) = &self.covers[index] {
            return cover.clone();
        }
        let names = &mut self.names;
        let elements = self.journal.cover(number).iter();
        let cover: Cover = elements.map(|element| names.element(element)).collect();
        self.covers[index] = Some(cover.clone());
        cover
    }
}

/// Identity of a script: what it does and what it expects, whatever suite it came from.
fn key_of(lines: &Lines) -> String {
    let mut hasher = Sha256::new();
    let mut add = |text: &str| {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(&lines.launch);
    for (action, screen) in &lines.steps {
        add(action);
        add(screen);
    }
    hex(&hasher.finalize()[..16])
}
