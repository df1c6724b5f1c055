//! Edge: the independent check of a reduction. It recomputes from the files what the report says
//! and names every difference; it shares no code with the reducers.

mod attested;
mod coverage;
mod digests;
mod figures;
mod gone;
mod journal;
mod journaled;
mod origin;
mod reduced;
mod restored;
mod runs;
mod still;
mod strict;
mod system;

use serde::Serialize;
use serde_json::Value;

pub use journal::{JournalFile, RestsOn};
pub use strict::strict;

use crate::model::{Names, Suite};
use crate::report::Report;
use reduced::Reduced;

/// The version of the JSON that an audit is printed as.
pub const VERSION: u32 = 1;

/// A suite as it was read.
#[derive(Clone, Copy)]
pub struct Book<'a> {
    /// Its traces.
    pub suite: &'a Suite,
    /// The strings behind its ids.
    pub names: &'a Names,
    /// Its digest.
    pub sha256: &'a str,
    /// Its files: path in the suite's folder and digest.
    pub files: &'a [(String, String)],
}

/// What is audited.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The suite that went in.
    pub original: Book<'a>,
    /// The suite that came out.
    pub reduced: Book<'a>,
    /// What is said about both.
    pub report: &'a Report,
    /// The digest of the bytes of the report.
    pub report_sha256: &'a str,
    /// The in-toto Statement beside them.
    pub attestation: Option<&'a Value>,
    /// The journal beside them.
    pub journal: Option<&'a JournalFile>,
}

/// Something that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    /// The check that found it.
    pub check: &'static str,
    /// Where: a trace and step, or a part of the report.
    pub place: String,
    /// The element it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// What is wrong.
    pub what: String,
}

/// One check and how it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: &'static str,
    /// What it makes sure of.
    pub about: &'static str,
    /// How many things were looked at.
    pub looked_at: usize,
    /// How many of them do not hold.
    pub violations: usize,
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// Version of this format.
    pub version: u32,
    /// Whether everything holds.
    pub holds: bool,
    /// The checks in order.
    pub checks: Vec<Checked>,
    /// Everything that does not hold.
    pub violations: Vec<Violation>,
    /// What could not be checked, and what is no violation but good to know.
    pub notes: Vec<String>,
}

impl Audit {
    /// An audit of something that cannot even be read.
    #[must_use]
    pub fn unreadable(place: &str, what: String) -> Self {
        let mut findings = Findings {
            check: "files",
            ..Findings::default()
        };
        findings.wrong(place, what);
        Self::of(
            vec![Checked {
                name: "files",
                about: "the files are what they should be",
                looked_at: 1,
                violations: 1,
            }],
            findings,
        )
    }

    fn of(checks: Vec<Checked>, findings: Findings) -> Self {
        Self {
            version: VERSION,
            holds: findings.violations.is_empty(),
            checks,
            violations: findings.violations,
            notes: findings.notes,
        }
    }

    /// Adds a check that was made elsewhere, such as on devices.
    pub fn add(&mut self, checked: Checked, violations: Vec<Violation>, notes: Vec<String>) {
        self.holds &= violations.is_empty();
        self.checks.push(checked);
        self.violations.extend(violations);
        self.notes.extend(notes);
    }
}

/// A check: its name, what it makes sure of, and how.
struct Check {
    name: &'static str,
    about: &'static str,
    run: fn(&Case, &Reduced, &mut Findings),
}

/// All checks, in the order in which they are made.
fn all() -> &'static [Check] {
    &[
        digests::CHECK,
        figures::CHECK,
        origin::CHECK,
        coverage::CHECK,
        gone::CHECK,
        runs::CHECK,
        restored::CHECK,
        system::CHECK,
        attested::CHECK,
        journaled::CHECK,
    ]
}

/// What checks find.
#[derive(Default)]
struct Findings {
    check: &'static str,
    looked_at: usize,
    violations: Vec<Violation>,
    notes: Vec<String>,
}

impl Findings {
    /// Something does not hold.
    fn wrong(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.violations.push(Violation {
            check: self.check,
            place: place.into(),
            element: None,
            what: what.into(),
        });
    }

    /// Something about an element does not hold.
    fn wrong_element(&mut self, element: &str, place: impl Into<String>, what: impl Into<String>) {
        self.violations.push(Violation {
            check: self.check,
            place: place.into(),
            element: Some(element.to_owned()),
            what: what.into(),
        });
    }

    /// Looks at something that must be as found.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers and borrowed texts are compared alike"
    )]
    fn same<T: PartialEq + std::fmt::Display>(&mut self, place: &str, said: T, found: T) {
        self.looked_at += 1;
        if said != found {
            self.wrong(place, format!("it says {said}, the files give {found}"));
        }
    }

    /// Looks at a time in seconds, which is a sum of microseconds and so may differ in its last
    /// digits.
    fn same_seconds(&mut self, place: &str, said: f64, found: f64) {
        self.looked_at += 1;
        // What is no number is near nothing.
        if (said - found).abs() <= 1e-12 * found.abs() + 1e-6 {
            return;
        }
        self.wrong(place, format!("it says {said} s, it should be {found} s"));
    }

    fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

/// Checks a reduction.
#[must_use]
pub fn audit(case: &Case) -> Audit {
    let mut findings = Findings {
        check: "files",
        ..Findings::default()
    };
    let reduced = Reduced::new(case, &mut findings);
    let mut checks = Vec::new();
    for check in all() {
        findings.check = check.name;
        findings.looked_at = 0;
        let before = findings.violations.len();
        (check.run)(case, &reduced, &mut findings);
        checks.push(Checked {
            name: check.name,
            about: check.about,
            looked_at: findings.looked_at,
            violations: findings.violations.len() - before,
        });
    }
    Audit::of(checks, findings)
}
