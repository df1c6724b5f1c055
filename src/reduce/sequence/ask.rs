//! The one question that reducers of sequences ask, and the memory of its answers.
//!
//! Everything a reducer knows of the world comes through [`Ask`]: a sequence of recorded events goes
//! in, perhaps reordered, perhaps with other text to type, and one of three verdicts comes out.

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use super::port::Verdict;
use crate::model::Stop;

/// A verdict and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// What was shown.
    pub verdict: Verdict,
    /// How many events decided it, the deciding one included: a run ends where the target is
    /// reached and where an event cannot be played.
    pub played: usize,
}

/// A recorded event to play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    /// Its place in the recorded sequence.
    pub event: usize,
    /// What to type instead of what was typed.
    pub text: Option<Arc<str>>,
}

impl Item {
    /// The event as it was recorded.
    #[must_use]
    pub fn recorded(event: usize) -> Self {
        Self { event, text: None }
    }
}

/// Some recorded events, in the order of their places.
#[must_use]
pub fn items(events: impl IntoIterator<Item = usize>) -> Vec<Item> {
    events.into_iter().map(Item::recorded).collect()
}

/// The door of all reducers of sequences.
pub trait Ask {
    /// Plays a sequence after a clean start. Trouble with devices is no answer but a stop.
    fn ask(&mut self, sequence: &[Item]) -> Result<Answer, Stop>;
}

impl<F: FnMut(&[Item]) -> Result<Answer, Stop>> Ask for F {
    fn ask(&mut self, sequence: &[Item]) -> Result<Answer, Stop> {
        self(sequence)
    }
}

/// A result that holds even if the search for a better one was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The shortest sequence known to reach the target.
    pub best: Vec<Item>,
    /// Why the search ended early.
    pub stopped: Option<Stop>,
}

/// What asking cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Questions asked.
    pub asked: usize,
    /// Those that had to be played.
    pub played: usize,
    /// The events played for them.
    pub events: usize,
}

/// Answers what follows from earlier answers, and counts.
///
/// The beginning of a run that did not reach the target does not reach it either; a sequence that
/// begins with what reached it, or with what could not be played, ends there.
pub struct Memory<'a> {
    ask: &'a mut dyn Ask,
    nodes: Vec<Node>,
    /// What was spent so far.
    pub spent: Spent,
}

#[derive(Default)]
struct Node {
    next: FxHashMap<Item, u32>,
    end: Option<Verdict>,
}

impl<'a> Memory<'a> {
    /// Knows nothing yet.
    pub fn new(ask: &'a mut dyn Ask) -> Self {
        Self {
            ask,
            nodes: vec![Node::default()],
            spent: Spent::default(),
        }
    }

    /// The answer, played only if it does not follow from earlier ones.
    pub fn ask(&mut self, sequence: &[Item]) -> Result<Answer, Stop> {
        self.spent.asked += 1;
        if let Some(known) = self.known(sequence) {
            return Ok(known);
        }
        let answer = self.ask.ask(sequence)?;
        let played = answer.played.min(sequence.len());
        let answer = Answer { played, ..answer };
        self.spent.played += 1;
        self.spent.events += played;
        self.learn(sequence, answer);
        Ok(answer)
    }

    /// Whether the target is reached.
    pub fn reproduces(&mut self, sequence: &[Item]) -> Result<bool, Stop> {
        Ok(self.ask(sequence)?.verdict == Verdict::Reproduced)
    }

    fn known(&self, sequence: &[Item]) -> Option<Answer> {
        let mut node = 0;
        for (i, item) in sequence.iter().enumerate() {
            node = *self.nodes[node].next.get(item)? as usize;
            if let Some(verdict) = self.nodes[node].end {
                let played = i + 1;
                return Some(Answer { verdict, played });
            }
        }
        let verdict = Verdict::Missed;
        let played = sequence.len();
        Some(Answer { verdict, played })
    }

    fn learn(&mut self, sequence: &[Item], answer: Answer) {
        let mut node = 0;
        for item in &sequence[..answer.played] {
            let fresh = self.nodes.len() as u32;
            let next = *self.nodes[node].next.entry(item.clone()).or_insert(fresh);
            if next == fresh {
                self.nodes.push(Node::default());
            }
            node = next as usize;
        }
        if answer.verdict != Verdict::Missed && node != 0 {
            self.nodes[node].end = Some(answer.verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Item, Memory, Spent, Verdict, items};
    use crate::model::Stop;

    /// Event 3 reaches the target once 1 was played; 9 cannot be played.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "it has the shape of what reducers ask"
    )]
    fn app(sequence: &[Item]) -> Result<Answer, Stop> {
        let mut seen_one = false;
        for (i, item) in sequence.iter().enumerate() {
            let verdict = match item.event {
                3 if seen_one => Verdict::Reproduced,
                9 => Verdict::Unresolved,
                event => {
                    seen_one |= event == 1;
                    continue;
                }
            };
            return Ok(Answer {
                verdict,
                played: i + 1,
            });
        }
        let (verdict, played) = (Verdict::Missed, sequence.len());
        Ok(Answer { verdict, played })
    }

    #[track_caller]
    fn check(questions: &[&[usize]], expect: (usize, usize)) {
        let mut ask = app;
        let mut memory = Memory::new(&mut ask);
        for question in questions {
            let question = items(question.iter().copied());
            assert_eq!(memory.ask(&question), app(&question));
        }
        let Spent { played, events, .. } = memory.spent;
        assert_eq!((played, events), expect);
    }

    #[test]
    fn beginnings_of_runs_and_what_follows_an_end_are_known() {
        check(&[&[1, 2], &[1], &[], &[1, 2]], (1, 2));
        check(&[&[9, 1], &[9], &[9, 1, 3]], (1, 1));
        check(&[&[1, 3, 2], &[1, 3], &[1, 3, 9]], (1, 2));
    }

    #[test]
    fn longer_runs_are_not_known_from_shorter_ones() {
        check(&[&[1], &[1, 2], &[2, 1]], (3, 5));
    }
}
