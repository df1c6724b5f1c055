//! GUIMIN (paper 000): whole dialogs go first, for the privacy of who reports an error.
//!
//! [`dialogs`] puts a recording in the shape of Algorithm 1: containers hold widget dialogs, widget
//! dialogs hold events, and an event may open a container. [`guimin`] removes widget dialogs level by
//! level, then events inside of those that stay, then containers and widgets in turn until nothing
//! changes (Algorithm 3), so that what is left is 1-dialog-minimal (Definition 4): no widget dialog
//! and no event that opens a container can go. No test is made twice. [`privacy`] counts what was
//! typed by category and [`replace`] types something else where that still fails.

pub mod dialogs;
mod looks;
pub mod privacy;
pub mod replace;
pub mod typed;

use super::ask::{Memory, Shrunk, Verdict, items};
use crate::model::Stop;
use dialogs::{Container, Dialogs, Part};

/// Minimises a recording, given as dialogs, to a 1-dialog-minimal one. Everything in it together
/// must reach the target.
pub fn guimin(dialogs: &Dialogs, memory: &mut Memory) -> Shrunk {
    let mut search = Search {
        dialogs,
        memory,
        kept: vec![true; dialogs.n_events()],
    };
    let stopped = search.run().err();
    Shrunk {
        best: items(search.events()),
        stopped,
    }
}

struct Search<'a, 'm> {
    dialogs: &'a Dialogs,
    memory: &'a mut Memory<'m>,
    kept: Vec<bool>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        self.minimise_widgets()?;
        self.minimise_events()?;
        loop {
            let before = self.events().len();
            self.minimise_containers()?;
            self.minimise_widgets()?;
            if self.events().len() == before {
                return Ok(());
            }
        }
    }

    fn events(&self) -> Vec<usize> {
        (0..self.kept.len())
            .filter(|&event| self.kept[event])
            .collect()
    }

    /// wMIN: the widget dialogs of all containers, level by level.
    fn minimise_widgets(&mut self) -> Result<(), Stop> {
        self.by_level(|search, level| {
            let dialogs = search.dialogs;
            let widgets = level
                .iter()
                .flat_map(|&container| dialogs.widgets(container));
            let parts = widgets.map(Part::Widget).collect();
            search.lazy_min(parts)
        })
    }

    /// weMIN: the events inside of each widget dialog, level by level.
    fn minimise_events(&mut self) -> Result<(), Stop> {
        self.by_level(|search, level| {
            let dialogs = search.dialogs;
            for widget in level
                .iter()
                .flat_map(|&container| dialogs.widgets(container))
            {
                let parts = dialogs
                    .events(widget)
                    .iter()
                    .map(|&event| Part::Event(event));
                search.lazy_min(parts.collect())?;
            }
            Ok(())
        })
    }

    /// cMIN: the events that open containers, level by level.
    fn minimise_containers(&mut self) -> Result<(), Stop> {
        self.by_level(|search, level| {
            let dialogs = search.dialogs;
            let widgets = level
                .iter()
                .flat_map(|&container| dialogs.widgets(container));
            let events = widgets.flat_map(|widget| dialogs.events(widget).iter().copied());
            let openers = events.filter(|&event| dialogs.opens(event).is_some());
            search.lazy_min(openers.map(Part::Event).collect())
        })
    }

    /// Goes down from the main window, level by level, through what is still there.
    fn by_level(
        &mut self,
        mut minimise: impl FnMut(&mut Self, &[Container]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut level = vec![Dialogs::MAIN];
        while !level.is_empty() {
            minimise(self, &level)?;
            let dialogs = self.dialogs;
            let widgets = level
                .iter()
                .flat_map(|&container| dialogs.widgets(container));
            let events = widgets.flat_map(|widget| dialogs.events(widget).iter().copied());
            let open = events.filter(|&event| self.kept[event]);
            level = open.filter_map(|event| dialogs.opens(event)).collect();
        }
        Ok(())
    }

    /// LAZYMIN (Algorithm 2): ever smaller sublists, each first alone and then left out.
    fn lazy_min(&mut self, mut parts: Vec<Part>) -> Result<(), Stop> {
        parts.retain(|&part| self.is_there(part));
        let mut size = parts.len();
        while !parts.is_empty() {
            size = (size / 2).max(1);
            match self.one_suffices(&parts, size)? {
                Some(part) => parts = part,
                None => self.greedy(&mut parts, size)?,
            }
            if size == 1 {
                break;
            }
        }
        Ok(())
    }

    fn is_there(&self, part: Part) -> bool {
        self.dialogs
            .inside(part)
            .iter()
            .any(|&event| self.kept[event])
    }

    /// Whether one sublist is enough of the list; then the others are gone.
    fn one_suffices(&mut self, parts: &[Part], size: usize) -> Result<Option<Vec<Part>>, Stop> {
        if parts.len() <= size {
            return Ok(None);
        }
        for sublist in parts.chunks(size) {
            let others: Vec<Part> = parts
                .iter()
                .filter(|part| !sublist.contains(part))
                .copied()
                .collect();
            if self.try_without(&others)? {
                return Ok(Some(sublist.to_vec()));
            }
        }
        Ok(None)
    }

    /// Leaves out each sublist that can go.
    fn greedy(&mut self, parts: &mut Vec<Part>, size: usize) -> Result<(), Stop> {
        for sublist in parts.clone().chunks(size) {
            if self.try_without(sublist)? {
                parts.retain(|part| !sublist.contains(part));
            }
        }
        Ok(())
    }

    /// Removes parts, with all that they open, if the rest still reaches the target.
    fn try_without(&mut self, parts: &[Part]) -> Result<bool, Stop> {
        let mut kept = self.kept.clone();
        for &part in parts {
            for event in self.dialogs.inside(part) {
                kept[event] = false;
            }
        }
        if kept == self.kept {
            return Ok(false);
        }
        let events: Vec<usize> = (0..kept.len()).filter(|&event| kept[event]).collect();
        let answer = self.memory.ask(&items(events.iter().copied()))?;
        if answer.verdict != Verdict::Reproduced {
            return Ok(false);
        }
        // What comes after the target was reached is of no use.
        for &event in &events[answer.played..] {
            kept[event] = false;
        }
        self.kept = kept;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
