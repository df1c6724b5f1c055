//! What the reports for people have in common: the verdict, coverage by kind, phases in order.

use std::collections::{BTreeMap, BTreeSet};

use super::number::{and_more, counted, grouped, percent};
use super::{Cut, Gone, PhaseUse, Report, human_seconds};

/// The kinds in the order in which people read about them; others follow by name.
const KINDS: [&str; 8] = [
    "branch", "method", "function", "line", "block", "activity", "fault", "screen",
];

/// How a reduction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every promise was kept.
    Kept,
    /// Every promise was kept, but the reduction ended early.
    Stopped,
    /// Something promised is missing, or a trace of the output does not replay.
    Broken,
}

/// How the reduction ended.
pub(super) fn verdict(report: &Report) -> Verdict {
    if !report.preserved || !report.lost.is_empty() || diverging(report) > 0 {
        Verdict::Broken
    } else if report.stopped.is_some() {
        Verdict::Stopped
    } else {
        Verdict::Kept
    }
}

/// The verdict in one plain sentence, without markup.
pub(super) fn headline(report: &Report) -> String {
    let lost = report.lost.len();
    let diverging = diverging(report);
    match verdict(report) {
        Verdict::Kept => "Coverage kept: the reduced suite covers all that was promised.".into(),
        Verdict::Stopped => "Stopped early: coverage is kept, a longer run may reduce more.".into(),
        Verdict::Broken if lost > 0 => format!(
            "Coverage lost: {} that {} promised {} not covered any more.",
            counted(lost, "element"),
            if lost == 1 { "was" } else { "were" },
            if lost == 1 { "is" } else { "are" },
        ),
        Verdict::Broken if diverging > 0 => format!(
            "Not reliable: {} of {} reduced traces did not replay every time.",
            grouped(diverging),
            grouped(report.validation.traces.len()),
        ),
        Verdict::Broken => "Not confirmed: the promised coverage was not shown.".into(),
    }
}

/// Number of traces of the output that did not always replay.
fn diverging(report: &Report) -> usize {
    let traces = &report.validation.traces;
    traces.iter().filter(|trace| trace.diverged > 0).count()
}

/// What became of the elements of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KindRow<'a> {
    pub(super) kind: &'a str,
    pub(super) recorded: usize,
    pub(super) kept: usize,
    /// Covered elements that were not recorded.
    pub(super) new: usize,
    pub(super) unstable: usize,
    pub(super) lost: usize,
    pub(super) promised: bool,
}

/// Coverage by kind, in the order of [`KINDS`]; kinds that nothing is known of are left out.
pub(super) fn coverage(report: &Report) -> Vec<KindRow<'_>> {
    let (lost, unstable) = (by_kind(&report.lost), by_kind(&report.unstable));
    let mut kinds: BTreeSet<&str> = report.preserve.iter().map(String::as_str).collect();
    for side in [&report.input, &report.output] {
        kinds.extend(side.coverage.keys().map(String::as_str));
    }
    kinds.extend(lost.keys().chain(unstable.keys()));
    let row = |kind| {
        let recorded = report.input.coverage.get(kind).copied().unwrap_or(0);
        let covered = report.output.coverage.get(kind).copied().unwrap_or(0);
        let unstable = unstable.get(kind).copied().unwrap_or(0);
        let lost = lost.get(kind).copied().unwrap_or(0);
        // Live sessions may show what no recording has.
        let kept = covered.min(recorded.saturating_sub(unstable + lost));
        KindRow {
            kind,
            recorded,
            kept,
            new: covered - kept,
            unstable,
            lost,
            promised: report.preserve.iter().any(|promised| promised == kind),
        }
    };
    let rows = sorted_kinds(kinds).into_iter().map(row);
    rows.filter(|row| row.recorded + row.kept + row.new + row.unstable + row.lost > 0)
        .collect()
}

/// Why a kind is not covered in full.
pub(super) fn remarks(row: &KindRow) -> Vec<String> {
    let count =
        |count: usize, word: &str| (count > 0).then(|| format!("{} {word}", grouped(count)));
    let asked = (!row.promised).then(|| "not asked for".to_owned());
    let counts = [
        count(row.unstable, "unstable"),
        count(row.lost, "lost"),
        count(row.new, "new"),
    ];
    counts.into_iter().chain([asked]).flatten().collect()
}

/// `kinds` in the order of [`KINDS`].
pub(super) fn sorted_kinds<'a>(kinds: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut kinds: Vec<&str> = kinds.into_iter().collect();
    let rank = |kind: &str| KINDS.iter().position(|known| *known == kind);
    kinds.sort_by_key(|kind| (rank(kind).unwrap_or(KINDS.len()), *kind));
    kinds.dedup();
    kinds
}

/// The kind of an element, which is a branch if it carries no known prefix.
pub(super) fn kind_of(element: &str) -> &'static str {
    let prefix = element.split_once(':').map_or("", |(prefix, _)| prefix);
    let known = KINDS.into_iter().find(|kind| *kind == prefix);
    known.unwrap_or(KINDS[0])
}

fn by_kind(gone: &[Gone]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for one in gone {
        *counts.entry(kind_of(&one.element)).or_default() += 1;
    }
    counts
}

/// What each phase did on devices, in the order of the phases; others follow by name.
pub(super) fn phase_uses(report: &Report) -> Vec<(&str, &PhaseUse)> {
    let place = |name: &str| report.phases.iter().position(|phase| phase.name == name);
    let by_phase = report.device.by_phase.iter();
    let mut uses: Vec<_> = by_phase.map(|(name, used)| (name.as_str(), used)).collect();
    uses.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    uses
}

/// The first `cap` names as `show` spells them, and how many more there are.
pub(super) fn listed<'a>(
    names: impl ExactSizeIterator<Item = &'a str>,
    cap: usize,
    show: fn(&str) -> String,
) -> String {
    let more = names.len().saturating_sub(cap);
    let text = names.take(cap).map(show).collect::<Vec<_>>().join(", ");
    text + &and_more(more)
}

/// The bound as a sentence, if there is one that says something.
pub(super) fn bound_sentence(report: &Report) -> Option<String> {
    let bound = &report.bound;
    (bound.seconds > 0.0 && bound.gap.is_finite()).then(|| {
        format!(
            "One replay takes at most {} longer than the proven minimum of {}.",
            percent(bound.gap.max(0.0), 1.0),
            human_seconds(bound.seconds),
        )
    })
}

/// What was seen instead of the recording, with the number of runs.
pub(super) fn seen(cut: &Cut, show: fn(&str) -> String) -> String {
    let all = cut.seen.iter().take(5);
    let shown = all.map(|seen| format!("{} ({}x)", show(&seen.what), seen.runs));
    let text = shown.collect::<Vec<_>>().join(", ");
    text + &and_more(cut.seen.len().saturating_sub(5))
}

#[cfg(test)]
mod tests {
    use super::{
        Verdict, bound_sentence, coverage, headline, kind_of, listed, phase_uses, sorted_kinds,
        verdict,
    };
    use crate::report::sample::{broken, hostile, sample};
    use crate::report::{Report, text};

    #[track_caller]
    fn check(change: impl FnOnce(&mut Report), expect: Verdict, words: &str) {
        let mut report = sample();
        change(&mut report);
        assert_eq!(verdict(&report), expect);
        assert!(
            headline(&report).starts_with(words),
            "{}",
            headline(&report)
        );
    }

    #[test]
    fn the_verdict_is_good_only_if_every_promise_was_kept() {
        check(|_| (), Verdict::Kept, "Coverage kept: ");
        let stop = |report: &mut Report| report.stopped = Some("interrupted".to_owned());
        check(stop, Verdict::Stopped, "Stopped early: ");
        let lose = |report: &mut Report| report.lost = broken().lost;
        check(lose, Verdict::Broken, "Coverage lost: 3 elements that were");
        let lose_one = |report: &mut Report| report.lost = broken().lost[..1].to_vec();
        check(
            lose_one,
            Verdict::Broken,
            "Coverage lost: 1 element that was",
        );
        let diverge = |report: &mut Report| report.validation.traces[0].diverged = 1;
        check(diverge, Verdict::Broken, "Not reliable: 1 of 9");
        let doubt = |report: &mut Report| report.preserved = false;
        check(doubt, Verdict::Broken, "Not confirmed: ");
    }

    #[test]
    fn kinds_come_in_the_order_people_read_them() {
        let kinds = [
            "screen", "zone", "fault", "branch", "area", "method", "screen",
        ];
        let sorted = ["branch", "method", "fault", "screen", "area", "zone"];
        assert_eq!(sorted_kinds(kinds), sorted);
    }

    #[test]
    fn an_element_without_a_known_prefix_is_a_branch() {
        let kinds = ["b1", "screen:Home", "com.app:17", "branch:screen:x"].map(kind_of);
        assert_eq!(kinds, ["branch", "screen", "branch", "branch"]);
    }

    #[test]
    fn coverage_counts_what_is_unstable_and_lost_by_kind() {
        let report = broken();
        let rows: Vec<_> = coverage(&report)
            .into_iter()
            .map(|row| (row.kind, row.kept, row.recorded, row.unstable, row.lost))
            .collect();
        let expect = [
            ("branch", 1_979, 1_982, 2, 1),
            ("method", 39, 40, 0, 1),
            ("screen", 89, 90, 0, 1),
        ];
        assert_eq!(rows, expect);
    }

    #[test]
    fn device_time_follows_the_order_of_the_phases() {
        let report = sample();
        let names: Vec<&str> = phase_uses(&report).iter().map(|used| used.0).collect();
        assert_eq!(names, ["stabilize", "loops", "splice", "validate"]);
    }

    #[test]
    fn a_list_says_how_many_it_leaves_out() {
        let names = ["a", "b", "c"];
        assert_eq!(listed(names.into_iter(), 3, text::short), "a, b, c");
        assert_eq!(listed(names.into_iter(), 1, text::short), "a and 2 more");
    }

    #[test]
    fn a_bound_of_nothing_is_not_mentioned() {
        let mut report = hostile();
        report.bound.seconds = 0.0;
        assert_eq!(bound_sentence(&report), None);
    }
}
