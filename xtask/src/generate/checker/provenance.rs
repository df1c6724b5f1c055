//! Whether the fragments of a reduced trace rebuild it and join.

use super::Observed;
use super::recording::{Fragment, Trace};

/// What is wrong with the origin of one reduced trace.
pub(super) fn check(trace: &Trace, original: &[Trace], observed: Observed) -> Vec<String> {
    let Some(fragments) = &trace.from else {
        return vec![format!(
            "{}: it does not say what it was made from",
            trace.id
        )];
    };
    let mut wrong = Vec::new();
    let mut at = 0;
    for fragment in fragments {
        let error = place(trace, at, fragment, original, observed).err();
        wrong.extend(error.map(|error| format!("{}: {error}", trace.id)));
        at = at.saturating_add(
            fragment
                .last
                .saturating_add(1)
                .saturating_sub(fragment.first),
        );
    }
    if at != trace.steps.len() {
        wrong.push(format!(
            "{}: its fragments have {at} steps, it has {}",
            trace.id,
            trace.steps.len()
        ));
    }
    wrong
}

/// Lays one fragment over the trace, from step `at` on.
fn place(
    trace: &Trace,
    at: usize,
    fragment: &Fragment,
    original: &[Trace],
    observed: Observed,
) -> Result<(), String> {
    let Fragment { first, last, .. } = *fragment;
    if first > last {
        return Err(format!(
            "a fragment ends at {last} before it starts at {first}"
        ));
    }
    let Some(id) = &fragment.trace else {
        return match observed {
            Observed::Accepted => Ok(()),
            Observed::Refused => Err("some steps are in no original trace".to_owned()),
        };
    };
    let origin = original.iter().find(|origin| origin.id == *id);
    let origin = origin.ok_or_else(|| format!("there is no original trace {id}"))?;
    if last >= origin.steps.len() {
        return Err(format!("{id} has no step {last}"));
    }
    let before = origin.screen_before(first);
    if before != trace.screen_before(at) {
        return Err(format!(
            "the fragment from step {first} of {id} does not join"
        ));
    }
    for (offset, theirs) in origin.steps[first..=last].iter().enumerate() {
        let ours = trace.steps.get(at + offset);
        if ours.is_none_or(|ours| ours.action != theirs.action || ours.screen != theirs.screen) {
            return Err(format!(
                "step {} is not step {} of {id}",
                at + offset,
                first + offset
            ));
        }
    }
    Ok(())
}
