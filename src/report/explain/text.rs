//! Explanations for the terminal: an answer in one sentence, then what it rests on.

use indexmap::IndexMap;

use super::{
    ElementFate, ElementState, ElementStory, Explanation, KeptStory, Piece, Sighting, TraceFate,
    TraceStory,
};
use crate::report::certainty::posterior_at;
use crate::report::facts::{listed, seen};
use crate::report::number::{counted, grouped};
use crate::report::summary::labelled;
use crate::report::text::short;
use crate::report::{Fragment, human_seconds};

/// How many rows of one sort are shown.
const ROWS: usize = 12;
/// How many names of one sort are shown in a row.
const NAMED: usize = 8;

/// An explanation for people.
#[must_use]
pub fn explained(explanation: &Explanation) -> String {
    let lines = match explanation {
        Explanation::Trace(story) => trace(story),
        Explanation::Element(story) => element(story),
        Explanation::Kept(story) => kept(story),
    };
    lines.join("\n") + "\n"
}

fn trace(story: &TraceStory) -> Vec<String> {
    let mut lines = vec![trace_headline(story), String::new()];
    if let (Some(place), Some(steps)) = (&story.recorded, story.steps) {
        let text = format!("{}, {}", short(place), counted(steps, "step"));
        lines.push(labelled("recorded", &text));
    }
    if let Some(restored) = &story.restored {
        let text = format!("as {}: {}", short(&restored.name), short(&restored.why));
        lines.push(labelled("restored", &text));
    }
    if !story.covered_by.is_empty() {
        let text = format!("{} among the recorded traces", names(&story.covered_by));
        lines.push(labelled("instead", &text));
    }
    if !story.now.is_empty() {
        lines.push(labelled("now", &names(&story.now)));
    }
    if let Some(cut) = &story.cut {
        let text = format!(
            "replays left the recording at step {} in {} of {} runs: expected {}, saw {}",
            cut.kept,
            cut.diverged,
            cut.runs,
            short(&cut.expected),
            seen(cut, short),
        );
        lines.push(labelled("cut", &text));
    }
    rows(&mut lines, "pieces", story.pieces.iter().map(piece));
    if let Some(elements) = &story.elements {
        lines.push(labelled("elements", &fates(elements)));
        // What is gone comes first, so that no cap hides it.
        let gone = elements.iter().filter(|state| state.witness.is_none());
        let gone: Vec<String> = gone.map(state).collect();
        rows(&mut lines, "", gone.into_iter());
        let covered = elements.iter().filter_map(|state| {
            let witness = state.witness.as_ref()?;
            Some((place(&witness.trace, witness.step), state.element.as_str()))
        });
        rows(&mut lines, "", grouped_by_place(covered).into_iter());
    }
    lines.extend(story.note.as_ref().map(|note| labelled("note", note)));
    lines
}

fn trace_headline(story: &TraceStory) -> String {
    let trace = short(&story.trace);
    match story.fate {
        TraceFate::Removed => format!("{trace} was removed{}.", removed_words(story)),
        TraceFate::KeptInPart => {
            let kept = story.pieces.iter().filter(|p| !p.kept_in.is_empty());
            let steps: u32 = kept.map(|piece| piece.last - piece.first + 1).sum();
            format!("{trace} was kept in part: {} of its steps.", grouped(steps))
        }
        TraceFate::Kept => format!("{trace} was kept as a whole."),
        TraceFate::Restored => format!("{trace} had been reduced, and was put back by hand."),
    }
}

fn removed_words(story: &TraceStory) -> String {
    let elements = story.elements.iter().flatten();
    let gone = elements.filter(|state| state.witness.is_none()).count();
    let but = match gone {
        0 => String::new(),
        n => format!(", but {} of its elements not", grouped(n)),
    };
    match story.why.as_deref() {
        Some("redundant") => format!(": others cover what it covered{but}"),
        Some("spliced") => format!(": new traces cover what it covered{but}"),
        Some("unstable") => ": it did not replay as it was recorded".to_owned(),
        Some(why) => format!(": {}", short(why)),
        None => String::new(),
    }
}

fn names(names: &[String]) -> String {
    listed(names.iter().map(String::as_str), NAMED, short)
}

fn piece(piece: &Piece) -> String {
    let steps = match piece.last - piece.first {
        0 => format!("step {}", piece.first),
        _ => format!("steps {} to {}", piece.first, piece.last),
    };
    match &piece.why {
        None => format!("{steps}: kept in {}", names(&piece.kept_in)),
        Some(why) if piece.now.is_empty() => format!("{steps}: dropped ({})", short(why)),
        Some(why) => format!(
            "{steps}: dropped ({}), covered by {}",
            short(why),
            names(&piece.now)
        ),
    }
}

/// How many elements had which fate.
fn fates(elements: &[ElementState]) -> String {
    let mut parts = vec![grouped(elements.len())];
    for (fate, word) in [
        (ElementFate::Covered, "covered"),
        (ElementFate::Unstable, "unstable"),
        (ElementFate::NotAskedFor, "not asked for"),
        (ElementFate::Lost, "lost"),
        (ElementFate::Unaccounted, "unaccounted for"),
    ] {
        let count = elements.iter().filter(|state| state.fate == fate).count();
        if count > 0 {
            parts.push(format!("{} {word}", grouped(count)));
        }
    }
    let all = parts.remove(0);
    if parts.is_empty() {
        return all;
    }
    format!("{all}: {}", parts.join(", "))
}

fn state(state: &ElementState) -> String {
    let (element, fate) = (short(&state.element), fate(state.fate));
    match &state.why {
        Some(why) => format!("{element}: {fate}, {}", short(why)),
        None => format!("{element}: {fate}"),
    }
}

/// One row for each place, in order of first appearance, with the elements that are there.
fn grouped_by_place<'a>(elements: impl Iterator<Item = (String, &'a str)>) -> Vec<String> {
    let mut places: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (place, element) in elements {
        places.entry(place).or_default().push(element);
    }
    let row = |(place, elements): (String, Vec<&str>)| {
        format!("{place}: {}", listed(elements.into_iter(), NAMED, short))
    };
    places.into_iter().map(row).collect()
}

/// A place in a trace.
fn place(trace: &str, step: Option<u32>) -> String {
    format!("{}, {}", short(trace), step_words(step))
}

fn step_words(step: Option<u32>) -> String {
    step.map_or_else(|| "launch".to_owned(), |step| format!("step {step}"))
}

fn fate(fate: ElementFate) -> &'static str {
    match fate {
        ElementFate::Covered => "covered",
        ElementFate::Lost => "lost",
        ElementFate::Unstable => "unstable",
        ElementFate::NotAskedFor => "not asked for",
        ElementFate::Unaccounted => "neither covered nor in any list of the report",
    }
}

fn element(story: &ElementStory) -> Vec<String> {
    let (name, kind) = (short(&story.element), short(&story.kind));
    let answer = match (&story.witness, &story.why) {
        (Some(witness), _) => format!(
            "covered: {} shows it at its {} in {}",
            short(&witness.trace),
            step_words(witness.step),
            match witness.runs {
                0 => "the reduced suite".to_owned(),
                runs => format!("all {runs} runs"),
            }
        ),
        (None, Some(why)) => format!("{}: {}", fate(story.fate), short(why)),
        (None, None) => fate(story.fate).to_owned(),
    };
    let mut lines = vec![format!("{name} ({kind}) is {answer}."), String::new()];
    if let Some(before) = &story.before {
        sightings(&mut lines, "before", before);
    }
    sightings(&mut lines, "after", &story.after);
    lines.extend(story.note.as_ref().map(|note| labelled("note", note)));
    lines
}

fn sightings(lines: &mut Vec<String>, label: &str, sightings: &[Sighting]) {
    let count = counted(sightings.len(), "trace");
    let names: Vec<String> = sightings.iter().map(sighting).collect();
    let names = listed(names.iter().map(String::as_str), NAMED, str::to_owned);
    let text = match sightings {
        [] => "no trace".to_owned(),
        _ => format!("{count}: {names}"),
    };
    lines.push(labelled(label, &text));
}

/// A trace and the first step of it that is meant, with how many more there are.
fn sighting(sighting: &Sighting) -> String {
    let first = sighting.steps.first().copied().flatten();
    let more = match sighting.steps.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", grouped(n - 1)),
    };
    format!("{} ({}{more})", short(&sighting.trace), step_words(first))
}

fn kept(story: &KeptStory) -> Vec<String> {
    let name = short(&story.trace);
    let answer = match story.only.len() {
        0 => format!("Without {name}, nothing would be lost: other traces cover all it covers."),
        1 => format!("Without {name}, 1 element would be lost."),
        n => format!("Without {name}, {} elements would be lost.", grouped(n)),
    };
    let mut lines = vec![answer, String::new()];
    let time = story.seconds.map_or_else(String::new, |seconds| {
        format!(", {} of device time", human_seconds(seconds))
    });
    let size = format!("{}{time}", counted(story.steps, "step"));
    lines.push(labelled("size", &size));
    if let Some(restored) = &story.restored {
        let (trace, why) = (short(&restored.trace), short(&restored.why));
        let text = format!("{trace} was put back by hand and not validated: {why}");
        lines.push(labelled("restored", &text));
    }
    if let Some(runs) = &story.runs {
        let text = posterior_at(runs, story.confidence);
        lines.push(labelled("runs", &text));
    }
    rows(&mut lines, "from", story.from.iter().map(fragment));
    let only = story.only.iter();
    let only = only.map(|sole| (step_words(sole.step), sole.element.as_str()));
    rows(&mut lines, "only here", grouped_by_place(only).into_iter());
    let shared = counted(story.shared.len(), "element");
    lines.push(labelled("shared", &format!("{shared} with other traces")));
    lines
}

fn fragment(fragment: &Fragment) -> String {
    let Fragment { first, last, .. } = fragment;
    let steps = if first == last {
        format!("step {first}")
    } else {
        format!("steps {first} to {last}")
    };
    match (&fragment.trace, fragment.observed) {
        (Some(trace), _) => format!("{} {steps}", short(trace)),
        (None, Some(session)) => format!("live session {session} {steps}"),
        (None, None) => steps,
    }
}

/// Rows below a label, as many as fit at a glance.
fn rows(lines: &mut Vec<String>, label: &str, rows: impl ExactSizeIterator<Item = String>) {
    let n = rows.len();
    if n == 0 {
        return;
    }
    // One more row takes no more room than saying that there is one.
    let shown = if n > ROWS + 1 { ROWS } else { n };
    for (idx, row) in rows.take(shown).enumerate() {
        lines.push(labelled(if idx == 0 { label } else { "" }, &row));
    }
    if n > shown {
        let text = format!(
            "… and {} more; --format json lists them all",
            grouped(n - shown)
        );
        lines.push(labelled("", &text));
    }
}
