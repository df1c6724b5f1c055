//! Mining rewrite rules from logs that passed (Section 2.2, after the patterns of Figure 2).
//!
//! A rule says that two short sequences of events lead to the same state wherever both can be
//! played. Its witnesses are places in the logs where that was seen, and one place where it was
//! not is enough to reject it. A place where the first event changed nothing is no witness: there
//! every second event would seem to absorb it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::log::{Event, Log, Word, Words};
use crate::model::ScreenId;

/// What a rule says of events X and Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// `[X(a)] = []`
    Skip,
    /// `[X(a); Y(a)] = []`
    Inverse,
    /// `[X(a); Y(b)] = [Y(b)]`
    Absorb,
    /// `[X(a); Y(b)] = [Y(b); X(a)]`
    Commute,
}

/// What a rule is about: names of events, and whether their arguments are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// What it says.
    pub pattern: Pattern,
    /// The name of X.
    pub first: Word,
    /// The name of Y; the same as X where there is no Y.
    pub second: Word,
    /// Whether X and Y have the same arguments.
    pub same: bool,
}

impl Subject {
    /// A pattern on two events in a row.
    #[must_use]
    pub fn pair(pattern: Pattern, x: Event, y: Event) -> Self {
        Self {
            pattern,
            first: x.name,
            second: y.name,
            same: x.arguments == y.arguments,
        }
    }

    /// Skipping an event.
    #[must_use]
    pub fn skip(x: Event) -> Self {
        Self::pair(Pattern::Skip, x, x)
    }

    /// The rule in the notation of the paper.
    #[must_use]
    pub fn text(&self, words: &Words) -> String {
        let (x, y) = (words.text(self.first), words.text(self.second));
        let b = if self.same { "a" } else { "b" };
        match self.pattern {
            Pattern::Skip => format!("[{x}(a)] = []"),
            Pattern::Inverse => format!("[{x}(a); {y}({b})] = []"),
            Pattern::Absorb => format!("[{x}(a); {y}({b})] = [{y}({b})]"),
            Pattern::Commute => format!("[{x}(a); {y}({b})] = [{y}({b}); {x}(a)]"),
        }
    }
}

/// How often a rule was seen to hold and not to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Places where it held.
    pub witnesses: u32,
    /// Places where it did not.
    pub against: u32,
}

impl Seen {
    /// How sure the rule is after its witnesses: chance would have to agree each time.
    #[must_use]
    pub fn confidence(self) -> f64 {
        1.0 - 0.5_f64.powf(f64::from(self.witnesses))
    }
}

/// A rule that can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// What it is about.
    pub subject: Subject,
    /// What speaks for it.
    pub seen: Seen,
}

/// The fewest witnesses that give this confidence.
#[must_use]
pub fn witnesses_for(confidence: f64) -> u32 {
    let enough = |n: &u32| 1.0 - 0.5_f64.powf(f64::from(*n)) >= confidence;
    (1..64).find(enough).unwrap_or(64)
}

/// The rules that logs tell with at least this confidence and never contradict.
#[must_use]
pub fn mine(logs: &[Log], confidence: f64) -> Vec<Rule> {
    let least = witnesses_for(confidence);
    let mut rules: Vec<Rule> = count(logs, &Known::of(logs))
        .into_iter()
        .filter(|(_, seen)| seen.against == 0 && seen.witnesses >= least)
        .map(|(subject, seen)| Rule { subject, seen })
        .collect();
    rules.sort_by_key(|rule| rule.subject);
    rules
}

/// What logs that were held back say about rules, with the other logs as what is known.
#[must_use]
pub fn cross_check(rules: &[Rule], known: &[Log], held_back: &[Log]) -> Vec<Seen> {
    let mut all = known.to_vec();
    all.extend_from_slice(held_back);
    let counted = count(held_back, &Known::of(&all));
    let seen = rules.iter().map(|rule| counted.get(&rule.subject).copied());
    seen.map(Option::unwrap_or_default).collect()
}

/// Where each event and each pair of events led from each state.
#[derive(Default)]
struct Known {
    single: FxHashMap<(ScreenId, Event), FxHashSet<ScreenId>>,
    pair: FxHashMap<(ScreenId, Event, Event), FxHashSet<ScreenId>>,
}

impl Known {
    fn of(logs: &[Log]) -> Self {
        let mut known = Self::default();
        for place in logs.iter().flat_map(places) {
            known
                .single
                .entry((place.start, place.x))
                .or_default()
                .insert(place.middle);
            if let Some((y, end)) = place.then {
                known
                    .pair
                    .entry((place.start, place.x, y))
                    .or_default()
                    .insert(end);
            }
        }
        known
    }
}

/// An event in a log with the states around it, and the event after it.
struct Place {
    start: ScreenId,
    x: Event,
    middle: ScreenId,
    then: Option<(Event, ScreenId)>,
}

fn places(log: &Log) -> impl Iterator<Item = Place> + '_ {
    let events = log.events.iter().enumerate();
    events.filter_map(|(i, &x)| {
        let state = |at: usize| log.states.get(at).copied().flatten();
        let then = log.events.get(i + 1).copied().zip(state(i + 2));
        Some(Place {
            start: state(i)?,
            x,
            middle: state(i + 1)?,
            then,
        })
    })
}

fn count(logs: &[Log], known: &Known) -> FxHashMap<Subject, Seen> {
    let mut counted: FxHashMap<Subject, Seen> = FxHashMap::default();
    let mut note = |subject: Subject, holds: bool| {
        let seen = counted.entry(subject).or_default();
        seen.witnesses += u32::from(holds);
        seen.against += u32::from(!holds);
    };
    for Place {
        start,
        x,
        middle,
        then,
    } in logs.iter().flat_map(places)
    {
        note(Subject::skip(x), start == middle);
        let Some((y, end)) = then else { continue };
        if start == middle {
            continue;
        }
        if x.arguments == y.arguments {
            note(Subject::pair(Pattern::Inverse, x, y), start == end);
        }
        for &other in known.single.get(&(start, y)).into_iter().flatten() {
            note(Subject::pair(Pattern::Absorb, x, y), other == end);
        }
        if x != y && middle != end {
            for &other in known.pair.get(&(start, y, x)).into_iter().flatten() {
                note(Subject::pair(Pattern::Commute, x, y), other == end);
            }
        }
    }
    counted
}
