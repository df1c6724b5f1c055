//! Explaining a finished reduction: why a trace is gone, where an element is covered now, what a
//! reduced trace is there for.

mod element;
mod kept;
mod trace;

pub(super) use trace::n_kept;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::JobError;
use super::near::did_you_mean;
use super::reduction::{Original, Reduction};
use crate::config::Config;
use crate::import::Loaded;
use crate::model::{Kind, canonical, screen_element};
use crate::report::{ElementFate, ElementState, Explanation, Gone, Report};

/// What somebody wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// What became of a trace of the input.
    Trace,
    /// What became of an element.
    Element,
    /// What a trace of the output is there for.
    Kept,
}

impl Question {
    /// The words for it and what they mean.
    pub const CHOICES: [(&str, Self); 3] = [
        ("trace", Self::Trace),
        ("element", Self::Element),
        ("kept", Self::Kept),
    ];

    /// The question of that name.
    pub fn parse(word: &str) -> Result<Self, JobError> {
        let found = Self::CHOICES.iter().find(|(name, _)| *name == word);
        found.map(|&(_, question)| question).ok_or_else(|| {
            let names = Self::CHOICES.iter().map(|(name, _)| *name);
            JobError::Unfit(format!(
                "`{word}` cannot be explained; ask for trace, element or kept{}",
                did_you_mean(word, names)
            ))
        })
    }
}

/// Answers a question about the reduction in a folder; `named` is the original suite, where the
/// settings do not name it.
pub fn explain(
    config: &Config,
    folder: &Path,
    (question, name): (Question, &str),
    named: &[PathBuf],
) -> Result<Explanation, JobError> {
    let reduction = Reduction::read(folder, config)?;
    let (original, note) = match question {
        // What is kept is told by the reduced suite alone.
        Question::Kept => (None, None),
        Question::Trace | Question::Element => match reduction.original(named, config)? {
            Original::AtHand(loaded) => (Some(*loaded), None),
            Original::Missing(why) => (None, Some(why)),
        },
    };
    let facts = Facts {
        reduction: &reduction,
        original: original.as_ref(),
        note,
        gone: Gones::new(&reduction.report),
    };
    match question {
        Question::Trace => facts.trace(name).map(Explanation::Trace),
        Question::Element => facts.element(name).map(Explanation::Element),
        Question::Kept => facts.kept(name).map(Explanation::Kept),
    }
}

/// All that answers are made from.
struct Facts<'a> {
    reduction: &'a Reduction,
    original: Option<&'a Loaded>,
    /// Why the original is not at hand.
    note: Option<String>,
    gone: Gones<'a>,
}

/// The elements that are gone, each with its reason.
struct Gones<'a> {
    lost: BTreeMap<&'a str, &'a str>,
    unstable: BTreeMap<&'a str, &'a str>,
}

impl<'a> Gones<'a> {
    fn new(report: &'a Report) -> Self {
        let by_name = |gone: &'a [Gone]| {
            let pairs = gone.iter().map(|g| (g.element.as_str(), g.why.as_str()));
            pairs.collect()
        };
        Self {
            lost: by_name(&report.lost),
            unstable: by_name(&report.unstable),
        }
    }
}

impl Facts<'_> {
    fn report(&self) -> &Report {
        &self.reduction.report
    }

    /// What became of an element that some step of the input covers.
    fn state(&self, element: &str, kind: Kind, step: Option<u32>) -> ElementState {
        let witness = self.report().witness.get(element).cloned();
        let lost = self.gone.lost.get(element);
        let unstable = self.gone.unstable.get(element);
        let asked_for = self.report().preserve.iter().any(|k| k == kind.name());
        let fate = match (&witness, lost, unstable) {
            (Some(_), ..) => ElementFate::Covered,
            (None, Some(_), _) => ElementFate::Lost,
            (None, None, Some(_)) => ElementFate::Unstable,
            (None, None, None) if asked_for => ElementFate::Unaccounted,
            (None, None, None) => ElementFate::NotAskedFor,
        };
        let why = if witness.is_some() {
            None
        } else {
            lost.or(unstable)
        };
        ElementState {
            element: element.to_owned(),
            step,
            fate,
            why: why.map(|why| (*why).to_owned()),
            witness,
        }
    }

    /// The one spelling of an element that somebody wrote, among those that are known.
    fn spelling<'n>(name: &'n str, known: &BTreeMap<&str, Kind>) -> Option<String> {
        let candidates: [Cow<'n, str>; 3] =
            [name.into(), canonical(name).1, screen_element(name).into()];
        let found = candidates.into_iter().find(|c| known.contains_key(&**c));
        found.map(Cow::into_owned)
    }

    /// A name that is none, with what may have been meant.
    fn unknown<'n>(
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'n str>,
        else_say: &str,
    ) -> JobError {
        let near = did_you_mean(name, names);
        JobError::Unfit(format!("{what} `{name}`{near}{else_say}"))
    }
}
