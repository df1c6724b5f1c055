//! What can be covered: elements of a kind, and the one spelling each of them has.

use std::borrow::Cow;

/// The kinds of elements that a suite can cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A branch of the code; what an element without a known prefix is.
    Branch,
    /// A method.
    Method,
    /// A function.
    Function,
    /// A line of source.
    Line,
    /// A basic block.
    Block,
    /// An Android activity.
    Activity,
    /// An exception that was raised.
    Fault,
    /// A screen that was shown.
    Screen,
}

impl Kind {
    /// All kinds, in the order in which reports list them.
    pub const ALL: [Self; 8] = [
        Self::Branch,
        Self::Method,
        Self::Function,
        Self::Line,
        Self::Block,
        Self::Activity,
        Self::Fault,
        Self::Screen,
    ];

    /// The word for this kind in files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Method => "method",
            Self::Function => "function",
            Self::Line => "line",
            Self::Block => "block",
            Self::Activity => "activity",
            Self::Fault => "fault",
            Self::Screen => "screen",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that `text` carries as a prefix, with the rest behind the colon.
    fn prefix_of(text: &str) -> Option<(Self, &str)> {
        let (prefix, rest) = text.split_once(':')?;
        Some((Self::parse(prefix)?, rest))
    }
}

/// Kind and canonical spelling of an element as a suite's `covers` writes it.
///
/// `screen` is no prefix there, so a branch called `screen:x` is spelt `branch:screen:x`
/// to keep it apart from the screen `x`.
#[must_use]
pub fn canonical(raw: &str) -> (Kind, Cow<'_, str>) {
    match Kind::prefix_of(raw) {
        Some((Kind::Branch, rest)) if Kind::prefix_of(rest).is_none() => {
            (Kind::Branch, Cow::Borrowed(rest))
        }
        Some((Kind::Screen, _)) => (Kind::Branch, Cow::Owned(format!("branch:{raw}"))),
        Some((kind, _)) => (kind, Cow::Borrowed(raw)),
        None => (Kind::Branch, Cow::Borrowed(raw)),
    }
}

/// Canonical spelling of the element that showing `screen` covers.
#[must_use]
pub fn screen_element(screen: &str) -> String {
    format!("screen:{screen}")
}

#[cfg(test)]
mod tests {
    use super::{Kind, canonical};

    #[track_caller]
    fn check(raw: &str, kind: Kind, spelling: &str) {
        assert_eq!(canonical(raw), (kind, spelling.into()));
    }

    #[test]
    fn elements_without_a_known_prefix_are_branches() {
        check("b1", Kind::Branch, "b1");
        check("com.app:17", Kind::Branch, "com.app:17");
        check("", Kind::Branch, "");
    }

    #[test]
    fn the_branch_prefix_is_dropped_where_that_is_unambiguous() {
        check("branch:b1", Kind::Branch, "b1");
        check("branch:method:x", Kind::Branch, "branch:method:x");
        check("branch:screen:x", Kind::Branch, "branch:screen:x");
    }

    #[test]
    fn known_kinds_keep_their_prefix() {
        check("method:a.B.c", Kind::Method, "method:a.B.c");
        check(
            "fault:java.lang.Error",
            Kind::Fault,
            "fault:java.lang.Error",
        );
    }

    #[test]
    fn a_branch_that_looks_like_a_screen_is_told_from_the_screen() {
        check("screen:Home", Kind::Branch, "branch:screen:Home");
    }
}
