//! Tricks that change what a report says.

use serde_json::{Value, json};
use xtask::generate::splitmix::SplitMix;

use super::{Copied, list, steps};

fn elements(copy: &Copied) -> Vec<String> {
    let witnesses = copy.report["witness"].as_object();
    witnesses.map_or(vec![], |witnesses| witnesses.keys().cloned().collect())
}

/// Whether the witness of an element, as it stands now, is a true one.
fn is_true(copy: &Copied, element: &str) -> bool {
    let witness = &copy.report["witness"][element];
    let validated = copy.report["validation"]["traces"].as_array();
    let mut validated = validated.into_iter().flatten();
    let runs = validated.find(|v| v["trace"] == witness["trace"]);
    copy.covers(&witness["trace"], &witness["step"], element)
        && runs.is_some_and(|v| v["runs"] == witness["runs"])
}

pub(super) fn swap_witnesses(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let (one, other) = (random.pick(&elements), random.pick(&elements));
    let (first, second) = (&copy.report["witness"][one], &copy.report["witness"][other]);
    if first == second {
        return None;
    }
    let (first, second) = (first.clone(), second.clone());
    copy.report["witness"][one] = second;
    copy.report["witness"][other] = first;
    Some(!(is_true(copy, one) && is_true(copy, other)))
}

pub(super) fn move_witness(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let element = random.pick(&elements);
    let (trace, step) = copy.some_step(random)?;
    let witness = &mut copy.report["witness"][element];
    let before = witness.clone();
    witness["trace"] = copy.suite[trace]["id"].clone();
    witness["step"] = if random.chance(0.2) {
        Value::Null
    } else {
        json!(step)
    };
    if *witness == before {
        return None;
    }
    Some(!is_true(copy, element))
}

pub(super) fn drop_witness(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    copy.report["witness"]
        .as_object_mut()?
        .remove(random.pick(&elements));
    Some(true)
}

/// The runs of a random certified trace.
fn runs<'c>(copy: &'c mut Copied, random: &mut SplitMix) -> Option<&'c mut Vec<Value>> {
    let traces = list(&mut copy.report, "/certificate/traces", 1)?;
    let at = random.below(traces.len());
    list(&mut traces[at], "/runs", 2)
}

pub(super) fn copy_run(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let runs = runs(copy, random)?;
    let (from, to) = (random.below(runs.len()), random.below(runs.len()));
    if from == to {
        return None;
    }
    runs[to] = runs[from].clone();
    Some(true)
}

pub(super) fn renumber_run(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let runs = runs(copy, random)?;
    let (from, to) = (random.below(runs.len()), random.below(runs.len()));
    let mut forged = runs[from].clone();
    forged["attempt"] = if random.chance(0.5) {
        json!(777_777)
    } else {
        runs[to]["attempt"].clone()
    };
    if runs.contains(&forged) {
        return None;
    }
    runs[to] = forged;
    Some(true)
}

pub(super) fn foreign_run(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let traces = list(&mut copy.report, "/certificate/traces", 2)?;
    let (from, to) = (random.below(traces.len()), random.below(traces.len()));
    let foreign = traces[from]["runs"].as_array()?.first()?.clone();
    let runs = list(&mut traces[to], "/runs", 1)?;
    // Where one trace is the beginning of another they share runs.
    if from == to || runs.iter().any(|run| run["attempt"] == foreign["attempt"]) {
        return None;
    }
    runs[0] = foreign;
    Some(true)
}

pub(super) fn drop_runs(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let asked = copy.report["validation"]["runs_per_trace"].as_u64()? as usize;
    let runs = runs(copy, random)?;
    runs.truncate(asked - 1);
    Some(true)
}

pub(super) fn reorder_phases(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let phases = list(&mut copy.report, "/phases", 2)?;
    let before = phases.clone();
    random.shuffle(phases);
    (*phases != before).then_some(true)
}

pub(super) fn hide_gone(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&["/lost", "/unstable"]);
    let gone = list(&mut copy.report, place, 1)?;
    let at = random.below(gone.len());
    gone.remove(at);
    copy.report["preserved"] = json!(copy.report["lost"].as_array()?.is_empty());
    Some(true)
}

pub(super) fn set_aside(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let element = random.pick(&elements);
    let place = *random.pick(&["/lost", "/unstable"]);
    let entry = json!({"element": element, "why": "it was never shown"});
    list(&mut copy.report, place, 0)?.push(entry);
    copy.report["preserved"] = json!(copy.report["lost"].as_array()?.is_empty());
    Some(true)
}

/// Takes an element out of the whole reduced suite and says that it is unstable.
pub(super) fn set_aside_for_real(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let element = random.pick(&elements).clone();
    if element.contains(':') {
        return None;
    }
    for trace in &mut copy.suite {
        let steps = trace["steps"].as_array_mut()?;
        for step in steps {
            list(step, "/covers", 0)?.retain(|name| *name != element.as_str());
        }
        list(trace, "/launch/covers", 0)?.retain(|name| *name != element.as_str());
    }
    let entry = json!({"element": element, "why": "not every run covered it"});
    list(&mut copy.report, "/unstable", 0)?.push(entry);
    copy.adjust();
    Some(true)
}

pub(super) fn forget_removed(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&["/removed", "/dropped"]);
    let removed = list(&mut copy.report, place, 1)?;
    let at = random.below(removed.len());
    removed.remove(at);
    Some(true)
}

pub(super) fn repeat_removed(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&["/removed", "/dropped", "/cut"]);
    let removed = list(&mut copy.report, place, 1)?;
    let again = random.pick(removed).clone();
    removed.push(again);
    Some(true)
}

pub(super) fn change_dropped(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let dropped = list(&mut copy.report, "/dropped", 1)?;
    let at = random.below(dropped.len());
    let field = *random.pick(&["first", "last", "why"]);
    dropped[at][field] = match dropped[at][field].as_u64() {
        Some(number) => json!(number + 1),
        None if dropped[at]["why"] == "loop" => json!("tail"),
        None => json!("loop"),
    };
    Some(true)
}

pub(super) fn other_now(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&["/removed", "/dropped"]);
    let field = match place {
        "/removed" => *random.pick(&["now", "covered_by"]),
        _ => "now",
    };
    let entries = list(&mut copy.report, place, 1)?;
    let at = random.below(entries.len());
    let named = list(&mut entries[at], &format!("/{field}"), 1)?;
    match random.below(3) {
        0 => named.clear(),
        1 => drop(named.remove(0)),
        _ => named[0] = json!("r4444"),
    }
    Some(true)
}

/// Where the leaves of a value are.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    let step = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &step(name), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &step(&index.to_string()), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// A random leaf of the report that fits; where elements are witnessed is left to other tricks.
fn leaf<'c>(
    copy: &'c mut Copied,
    random: &mut SplitMix,
    fits: impl Fn(&Value) -> bool,
) -> Option<&'c mut Value> {
    let mut all = Vec::new();
    leaves(&copy.report, "", &mut all);
    all.retain(|at| !at.starts_with("/witness"));
    all.retain(|at| copy.report.pointer(at).is_some_and(&fits));
    // Most leaves are digests of runs; the part is drawn first, so that all have their turn.
    let part = |at: &String| at.split('/').nth(1).unwrap_or("").to_owned();
    let mut parts: Vec<String> = all.iter().map(part).collect();
    parts.dedup();
    let chosen = random.pick(&parts).clone();
    all.retain(|at| part(at) == chosen);
    let chosen: &String = random.pick(&all);
    copy.report.pointer_mut(chosen)
}

pub(super) fn nudge_number(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let number = leaf(copy, random, Value::is_number)?;
    *number = match number.as_u64() {
        Some(whole) if random.chance(0.1) => json!(whole.to_string()),
        Some(whole) if random.chance(0.1) => json!(u64::MAX - whole),
        Some(0) => json!(1),
        Some(whole) if random.chance(0.5) => json!(whole - 1),
        Some(whole) => json!(whole + 1),
        None => json!(number.as_f64()? * 1.01 + 0.01),
    };
    Some(true)
}

pub(super) fn change_text(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let text = leaf(copy, random, Value::is_string)?;
    let before = text.as_str()?.to_owned();
    *text = match random.below(4) {
        0 => json!(format!("{before}x")),
        1 => json!(before.chars().skip(1).collect::<String>()),
        // Letters that look the same, and one that does not show.
        2 => json!(before.replace('a', "\u{430}").replace('e', "\u{435}") + "\u{200b}"),
        _ => Value::Null,
    };
    (*text != before).then_some(true)
}

pub(super) fn flip(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let truth = leaf(copy, random, Value::is_boolean)?;
    *truth = json!(!truth.as_bool()?);
    Some(true)
}

pub(super) fn repeat_entry(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&[
        "/validation/traces",
        "/certificate/traces",
        "/certificate/inputs",
        "/system/screens",
        "/system/transitions",
        "/preserve",
        "/phases",
        "/unstable",
    ]);
    let entries = list(&mut copy.report, place, 1)?;
    let again = random.pick(entries).clone();
    entries.push(again);
    Some(true)
}

pub(super) fn repeat_name(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let element = json!(random.pick(&elements));
    let text = copy.report.to_string();
    let at = text.find("\"witness\":{")? + "\"witness\":{".len();
    let (before, behind) = text.split_at(at);
    let forged =
        format!("{before}{element}:{{\"trace\":\"r1\",\"step\":null,\"runs\":3}},{behind}");
    copy.report_text = Some(forged);
    Some(true)
}

pub(super) fn change_config(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    match random.below(3) {
        0 => copy.report["config"]["replay"]["runs"] = json!(1),
        1 => copy.report["config"]["preserve"] = json!(["screen"]),
        _ => copy.report["config"]["walk"]["allow_observed"] = json!("perhaps"),
    }
    Some(true)
}

/// A reduced trace that covers an element twice has two witnesses; the other one is as good.
pub(super) fn other_true_witness(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let elements = elements(copy);
    let element = random.pick(&elements).clone();
    let before = copy.report["witness"][&element].clone();
    for trace in copy.suite.clone() {
        for step in 0..steps(&trace).len() {
            let validated = copy.report["validation"]["traces"].as_array()?;
            let validated = validated.iter().find(|v| v["trace"] == trace["id"])?;
            let other = json!({"trace": trace["id"], "step": step, "runs": validated["runs"]});
            if other != before && copy.covers(&trace["id"], &json!(step), &element) {
                copy.report["witness"][&element] = other;
                return Some(false);
            }
        }
    }
    None
}
