//! Targets: what a sequence of events is to reach.

use std::fmt;

use crate::model::Signature;
use crate::model::{Kind, Names, Suite, TraceIdx, canonical};

/// What a sequence is to reach.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// A screen of this name.
    Screen(String),
    /// An element, by its canonical spelling.
    Covers(String),
    /// An exception.
    Fault(Signature),
    /// The death of the app.
    Crash,
}

/// Why a text names no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no target; it must be screen:NAME, covers:ELEMENT, fault:SIGNATURE or crash, such as \
     screen:Settings"
)]
pub struct TargetError(String);

impl Target {
    /// Reads `screen:NAME`, `covers:ELEMENT`, `fault:SIGNATURE` or `crash`.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        if text == "crash" {
            return Ok(Self::Crash);
        }
        match text.split_once(':') {
            Some((_, "")) | None => Err(TargetError(text.to_owned())),
            Some(("screen", name)) => Ok(Self::Screen(name.to_owned())),
            Some(("covers", element)) => Ok(Self::Covers(canonical(element).1.into_owned())),
            Some(("fault", signature)) => Ok(Self::Fault(Signature::parse(signature))),
            Some(_) => Err(TargetError(text.to_owned())),
        }
    }

    /// Whether a sight reaches it: the screen, and what was covered, faults included.
    pub fn is_reached<'a>(
        &self,
        screen: &str,
        mut covers: impl Iterator<Item = &'a str>,
        has_died: bool,
    ) -> bool {
        match self {
            Self::Screen(name) => screen == name,
            Self::Covers(element) => covers.any(|raw| canonical(raw).1 == *element),
            Self::Fault(signature) => covers.any(|raw| {
                let fault = raw.strip_prefix("fault:").map(Signature::parse);
                fault.is_some_and(|fault| signature.is_met_by(&fault))
            }),
            Self::Crash => has_died,
        }
    }

    /// How many steps of a recorded trace reach it by the recording; nothing where they do not,
    /// or where recordings do not tell.
    #[must_use]
    pub fn recorded(&self, suite: &Suite, names: &Names, trace: TraceIdx) -> Option<usize> {
        let head = suite.trace(trace);
        let reaches = |screen, cover: &crate::model::Cover| {
            let elements = cover.elements().iter();
            let elements = elements.map(|&element| spelling(names, element));
            self.is_reached(names.screen_name(screen), elements, false)
        };
        if reaches(head.launch_screen, suite.cover(head.launch_covers)) {
            return Some(0);
        }
        let mut steps = suite.steps(trace).iter();
        let step = steps.position(|step| reaches(step.screen, &suite.step_cover(step)));
        step.map(|step| step + 1)
    }
}

/// An element as `covers` of a device spells it.
fn spelling(names: &Names, element: crate::model::ElementId) -> &str {
    debug_assert_ne!(names.kind(element), Kind::Screen, "screens are no covers");
    names.element_name(element)
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Screen(name) => write!(f, "screen:{name}"),
            Self::Covers(element) => write!(f, "covers:{element}"),
            Self::Fault(signature) => write!(f, "fault:{signature}"),
            Self::Crash => f.write_str("crash"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[track_caller]
    fn check(target: &str, screen: &str, covers: &[&str], has_died: bool) -> bool {
        let target = Target::parse(target).unwrap();
        assert_eq!(Target::parse(&target.to_string()), Ok(target.clone()));
        target.is_reached(screen, covers.iter().copied(), has_died)
    }

    #[test]
    fn targets_are_reached_by_what_they_name_alone() {
        assert!(check("screen:Menu", "Menu", &[], false));
        assert!(!check("screen:Menu", "Home", &["Menu"], true));
        assert!(check("covers:b1", "Home", &["b0", "branch:b1"], false));
        assert!(check("covers:screen:x", "Home", &["screen:x"], false));
        assert!(!check("covers:screen:x", "x", &[], false));
        assert!(check(
            "fault:NPE",
            "Home",
            &["fault:a.NPE at a.B.c:3"],
            false
        ));
        assert!(!check("fault:NPE", "Home", &["NPE"], true));
        assert!(check("crash", "Home", &[], true));
        assert!(!check("crash", "crash", &["crash"], false));
    }

    #[test]
    fn what_is_no_target_is_refused_with_a_way_out() {
        for text in ["", "screen", "screen:", "menu:x", "Crash", "fault:"] {
            let error = Target::parse(text).unwrap_err().to_string();
            assert!(error.contains("screen:NAME"), "{error}");
        }
    }
}
