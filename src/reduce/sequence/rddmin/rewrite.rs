//! Shortening a sequence of events by rewrite rules, without playing anything (Section 2.2.1).
//!
//! Skip, inverse and absorb rules make the sequence shorter. A commute rule does not, so it is used
//! only to bring two events together that a shortening rule then takes away: one step of the search
//! is some commutes and a shortening, every step leaves fewer events, and so there are at most as
//! many steps as events. Work is bounded on top of that.

use rustc_hash::FxHashSet;

use super::log::Event;
use super::mine::{Pattern, Rule, Subject};

/// One use of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The rule.
    pub subject: Subject,
    /// The places of the events it was used on, in the sequence as it was given.
    pub at: Vec<usize>,
}

/// A shortened sequence and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The places of the events that are left, in the order of the sequence as it was given.
    pub left: Vec<usize>,
    /// The uses of rules, in order.
    pub steps: Vec<Rewrite>,
    /// Whether the bound on work was hit, so that more might have gone.
    pub is_bounded: bool,
}

/// Looks at pairs of events; sequences of a few hundred events need thousands.
const MOST_WORK: usize = 20_000_000;

/// Shortens a sequence as far as the rules go.
#[must_use]
pub fn rewrite(events: &[Event], rules: &[Rule]) -> Rewritten {
    let subjects = rules.iter().map(|rule| rule.subject).collect();
    let mut rewriting = Rewriting {
        events,
        subjects,
        // What is left, in the order that commutes have given it.
        order: (0..events.len()).collect(),
        steps: Vec::new(),
        work: 0,
    };
    while rewriting.shorten(false) || rewriting.shorten(true) {}
    let mut left = rewriting.order;
    left.sort_unstable();
    Rewritten {
        left,
        steps: rewriting.steps,
        is_bounded: rewriting.work >= MOST_WORK,
    }
}

struct Rewriting<'e> {
    events: &'e [Event],
    subjects: FxHashSet<Subject>,
    order: Vec<usize>,
    steps: Vec<Rewrite>,
    work: usize,
}

impl Rewriting<'_> {
    fn event(&self, place: usize) -> Event {
        self.events[self.order[place]]
    }

    /// Uses the leftmost shortening rule, with commutes before it or only without.
    fn shorten(&mut self, with_commutes: bool) -> bool {
        for i in 0..self.order.len() {
            if self.work >= MOST_WORK {
                return false;
            }
            self.work += 1;
            let skip = Subject::skip(self.event(i));
            if self.subjects.contains(&skip) {
                self.remove(skip, &[i]);
                return true;
            }
            if let Some(partner) = self.partner(i, with_commutes) {
                self.bring_together(i, partner);
                return true;
            }
        }
        false
    }

    /// The nearest later event that this one goes away with or because of, and the rule for it.
    fn partner(&mut self, i: usize, with_commutes: bool) -> Option<(usize, Subject)> {
        let x = self.event(i);
        for j in i + 1..self.order.len() {
            self.work += 1;
            let y = self.event(j);
            for pattern in [Pattern::Inverse, Pattern::Absorb] {
                let subject = Subject::pair(pattern, x, y);
                if self.subjects.contains(&subject) {
                    return Some((j, subject));
                }
            }
            let commutes = self.commute(x, y).is_some();
            if !with_commutes || !commutes || self.work >= MOST_WORK {
                return None;
            }
        }
        None
    }

    /// The rule by which two events may change places.
    fn commute(&self, x: Event, y: Event) -> Option<Subject> {
        let either = [
            Subject::pair(Pattern::Commute, x, y),
            Subject::pair(Pattern::Commute, y, x),
        ];
        either
            .into_iter()
            .find(|subject| self.subjects.contains(subject))
    }

    /// Moves the event at `i` to its partner and uses the rule on the two.
    fn bring_together(&mut self, i: usize, (partner, subject): (usize, Subject)) {
        for j in i + 1..partner {
            if let Some(subject) = self.commute(self.event(j - 1), self.event(j)) {
                let at = vec![self.order[j - 1], self.order[j]];
                self.steps.push(Rewrite { subject, at });
            }
            self.order.swap(j - 1, j);
        }
        match subject.pattern {
            Pattern::Inverse => self.remove(subject, &[partner - 1, partner]),
            _ => self.remove(subject, &[partner - 1]),
        }
    }

    fn remove(&mut self, subject: Subject, places: &[usize]) {
        let at = places.iter().map(|&place| self.order[place]).collect();
        self.steps.push(Rewrite { subject, at });
        for &place in places.iter().rev() {
            self.order.remove(place);
        }
    }
}
