//! Whether each trace and piece that is gone is named once, with what covers it now.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::reduced::Reduced;
use super::still::{By, Still};
use super::{Case, Check, Findings};
use crate::model::{ScreenId, TraceIdx};
use crate::report::Cut;

pub(super) const CHECK: Check = Check {
    name: "gone",
    about: "each trace, loop and tail that is gone is named, with reduced traces that cover it now",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let used = Used::new(case, reduced);
    let mut still = Still::new(case, reduced);
    removed(case, reduced, &used, &mut still, findings);
    dropped(case, reduced, &used, &mut still, findings);
    cuts(case, reduced, findings);
    for certified in &case.report.certificate.traces {
        findings.looked_at += 1;
        if certified.fragments.is_empty() && reduced.original(&certified.launch).is_none() {
            findings.wrong(certified.trace.as_str(), "it comes from nowhere");
        }
    }
}

/// What of the original suite the reduced one is made of.
struct Used {
    steps: BTreeMap<TraceIdx, BTreeSet<u32>>,
    launches: HashSet<TraceIdx>,
}

impl Used {
    fn new(case: &Case, reduced: &Reduced) -> Self {
        let mut steps: BTreeMap<TraceIdx, BTreeSet<u32>> = BTreeMap::new();
        for trace in reduced.all() {
            // Fragments beyond the end of either trace are told elsewhere.
            let mut left = trace.n_steps();
            for fragment in &trace.fragments {
                let (first, last) = (fragment.first, fragment.last);
                let idx = fragment.trace.as_ref().and_then(|id| reduced.original(id));
                if let Some(idx) = idx {
                    let len = case.original.suite.steps(idx).len() as u32;
                    let kept = (first..=last).take_while(|&step| step < len);
                    steps.entry(idx).or_default().extend(kept.take(left));
                }
                let len = (last as usize + 1).saturating_sub(first as usize);
                left = left.saturating_sub(len);
            }
        }
        let launches = case.report.certificate.traces.iter();
        Self {
            steps,
            launches: launches
                .filter_map(|trace| reduced.original(&trace.launch))
                .collect(),
        }
    }

    fn has(&self, idx: TraceIdx) -> bool {
        self.steps.contains_key(&idx) || self.launches.contains(&idx)
    }
}

/// Every trace is either a source of the reduced suite or named as removed, and not both.
fn removed(
    case: &Case,
    reduced: &Reduced,
    used: &Used,
    still: &mut Still,
    findings: &mut Findings,
) {
    let mut named = HashSet::new();
    for removed in &case.report.removed {
        findings.looked_at += 1;
        let here = format!("removed, {}", removed.trace);
        let Some(idx) = reduced.original(&removed.trace) else {
            findings.wrong(here, "the original suite has no such trace");
            continue;
        };
        if !named.insert(idx) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        if used.has(idx) {
            findings.wrong(here.as_str(), "the reduced suite has steps of it");
        }
        if !["redundant", "spliced", "unstable"].contains(&removed.why.as_str()) {
            findings.wrong(here.as_str(), format!("`{}` is no reason", removed.why));
        }
        let all = 0..=case.original.suite.steps(idx).len();
        let place = (idx, all);
        still.check(
            case,
            place.clone(),
            (By::Reduced, &removed.now, &here),
            findings,
        );
        still.check(
            case,
            place,
            (By::Origin, &removed.covered_by, &here),
            findings,
        );
    }
    for (idx, trace) in case.original.suite.traces() {
        findings.looked_at += 1;
        if !used.has(idx) && !named.contains(&idx) {
            findings.wrong(
                format!("removed, {}", trace.id),
                "nothing of this trace is kept, and it is not named as removed",
            );
        }
    }
}

/// A piece of a partly kept trace: its first and last step.
type Piece = (TraceIdx, u32, u32);

/// The pieces that are gone are those that are named.
fn dropped(
    case: &Case,
    reduced: &Reduced,
    used: &Used,
    still: &mut Still,
    findings: &mut Findings,
) {
    let mut missing: BTreeSet<Piece> = BTreeSet::new();
    let nothing = BTreeSet::new();
    let launches = used
        .launches
        .iter()
        .filter(|idx| !used.steps.contains_key(idx));
    let launches = launches.map(|idx| (idx, &nothing));
    for (&idx, steps) in used.steps.iter().chain(launches) {
        let len = case.original.suite.steps(idx).len() as u32;
        let mut next = 0;
        for &step in steps.iter().chain([&len]) {
            if step > next {
                missing.insert((idx, next, step - 1));
            }
            next = step + 1;
        }
    }
    let cuts: HashMap<&str, &Cut> = case.report.cut.iter().map(|c| (&*c.trace, c)).collect();
    for dropped in &case.report.dropped {
        findings.looked_at += 1;
        let (first, last) = (dropped.first, dropped.last);
        let here = format!("dropped, steps {first} to {last} of {}", dropped.trace);
        let piece = reduced
            .original(&dropped.trace)
            .map(|idx| (idx, first, last));
        let Some(piece) = piece.filter(|piece| missing.remove(piece)) else {
            findings.wrong(here, "these are not the steps that are gone");
            continue;
        };
        let why = why(case, piece, cuts.get(&*dropped.trace).copied());
        if dropped.why != why {
            let what = format!("it says `{}`, it is a `{why}`", dropped.why);
            findings.wrong(here.as_str(), what);
        }
        let positions = first as usize + 1..=last as usize + 1;
        let place = (piece.0, positions);
        still.check(case, place, (By::Reduced, &dropped.now, &here), findings);
    }
    for (idx, first, last) in missing {
        let id = &case.original.suite.trace(idx).id;
        findings.wrong(
            format!("dropped, steps {first} to {last} of {id}"),
            "they are gone, and not named as dropped",
        );
    }
}

fn why(case: &Case, (idx, first, last): Piece, cut: Option<&Cut>) -> &'static str {
    let steps = case.original.suite.steps(idx);
    let screen_before: ScreenId = match first.checked_sub(1) {
        None => case.original.suite.trace(idx).launch_screen,
        Some(step) => steps[step as usize].screen,
    };
    match () {
        () if cut.is_some_and(|cut| cut.kept <= first as usize) => "unstable",
        () if last as usize + 1 == steps.len() => "tail",
        () if steps[last as usize].screen == screen_before => "loop",
        () if first == 0 => "head",
        () => "detour",
    }
}

/// Cuts speak of what was recorded, and their counts fit.
fn cuts(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let mut named = HashSet::new();
    for cut in &case.report.cut {
        findings.looked_at += 1;
        let here = format!("cut, {}", cut.trace);
        let Some(idx) = reduced.original(&cut.trace) else {
            findings.wrong(here, "the original suite has no such trace");
            continue;
        };
        let steps = case.original.suite.steps(idx);
        if !named.insert(idx) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        findings.same(&here, cut.of, steps.len());
        let launch = case.original.suite.trace(idx).launch_screen;
        let screens = [launch]
            .into_iter()
            .chain(steps.iter().skip(cut.kept).map(|s| s.screen));
        let mut screens = screens.map(|screen| case.original.names.screen_name(screen));
        if !screens.any(|screen| screen == cut.expected) {
            findings.wrong(here.as_str(), "the recording expects another screen there");
        }
        let seen = cut.seen.iter().map(|seen| seen.runs);
        let seen = seen.fold(0, u32::saturating_add);
        findings.same(&here, cut.diverged, seen);
        if cut.diverged > cut.runs {
            findings.wrong(here.as_str(), "more runs diverged than there were");
        }
    }
}
