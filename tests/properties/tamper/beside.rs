//! Tricks on what lies beside suite and report: the statement and the journal.

use serde_json::{Value, json};
use xtask::generate::splitmix::SplitMix;

use super::{Copied, Trick, list};

pub(crate) const BESIDE: &[Trick] = &[
    Trick {
        name: "another file is attested",
        play: other_subject,
    },
    Trick {
        name: "a file more is attested",
        play: more_subjects,
    },
    Trick {
        name: "the statement says something else",
        play: change_predicate,
    },
    Trick {
        name: "a run took something else on devices",
        play: change_use,
    },
    Trick {
        name: "a record of the journal is gone",
        play: drop_record,
    },
    Trick {
        name: "a record of the journal is changed",
        play: change_record,
    },
    Trick {
        name: "the journal belongs to something else",
        play: change_head,
    },
    Trick {
        name: "the result rests on other records",
        play: change_ground,
    },
];

fn other_subject(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let at = random.below(2);
    let field = *random.pick(&["/digest/sha256", "/name"]);
    let place = format!("/subject/{at}{field}");
    let text = copy.attestation.as_mut()?.pointer_mut(&place)?;
    *text = json!(text.as_str()?.replace(['a', 'e'], "0") + "1");
    Some(true)
}

fn more_subjects(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let subjects = list(copy.attestation.as_mut()?, "/subject", 2)?;
    let mut again = random.pick(subjects).clone();
    if random.chance(0.5) {
        again["name"] = json!("other.jsonl");
    }
    subjects.push(again);
    Some(true)
}

fn change_predicate(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&[
        "/predicate/preserved",
        "/predicate/seed",
        "/predicate/elements/lost",
        "/predicate/reduced/runs",
        "/predicate/tool/digest/sha256",
        "/predicate/claims/sha256",
        "/predicateType",
    ]);
    *copy.attestation.as_mut()?.pointer_mut(place)? = Value::Null;
    Some(true)
}

/// The lines of the journal, as values.
fn records(copy: &Copied) -> Option<Vec<Value>> {
    let lines = copy.journal.as_ref()?.lines();
    lines.map(|line| serde_json::from_str(line).ok()).collect()
}

fn rewrite(copy: &mut Copied, records: &[Value]) {
    copy.journal = Some(super::lines(records));
}

fn change_use(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut records = records(copy)?;
    let at = 1 + random.below(records.len() - 1);
    let field = *random.pick(&["launches", "micros", "retries"]);
    let record = records[at].as_object_mut()?;
    let used = record.values_mut().next()?.get_mut(field)?;
    *used = json!(used.as_u64()? + 1);
    rewrite(copy, &records);
    Some(true)
}

fn drop_record(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut records = records(copy)?;
    let at = 1 + random.below(records.len() - 1);
    records.remove(at);
    rewrite(copy, &records);
    Some(true)
}

fn change_record(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut records = records(copy)?;
    let at = 1 + random.below(records.len() - 1);
    let record = &mut records[at];
    if let Some(covers) = record.pointer_mut("/run/covers") {
        covers.as_array_mut()?.pop()?;
    } else if let Some(screen) = record.pointer_mut("/walk/launch/0") {
        *screen = json!("Elsewhere");
    } else {
        list(record, "/cover/elements", 0)?.push(json!("b66666"));
    }
    rewrite(copy, &records);
    Some(true)
}

fn change_head(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut records = records(copy)?;
    let field = *random.pick(&["suite", "app", "seed", "journal"]);
    records[0][field] = match &records[0][field] {
        Value::Number(number) => json!(number.as_u64()? + 1),
        text => json!(format!("{}0", text.as_str()?)),
    };
    rewrite(copy, &records);
    Some(true)
}

fn change_ground(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut ground: Value = serde_json::from_str(&copy.rests_on).ok()?;
    match random.below(4) {
        0 => {
            // A result may rest on live sessions alone.
            let has_runs = !list(&mut ground, "/runs", 0)?.is_empty();
            ground[if has_runs { "runs" } else { "sessions" }] = json!([]);
        }
        1 => ground["sha256"] = json!(""),
        2 => ground["bytes"] = json!(ground["bytes"].as_u64()? - 1),
        _ => ground = json!({}),
    }
    copy.rests_on = ground.to_string();
    Some(true)
}

/// As somebody would who makes the digests of the trace again.
pub(crate) fn other_session(copy: &mut Copied, _: &mut SplitMix) -> Option<bool> {
    let is_observed = |fragment: &Value| !fragment["observed"].is_null();
    for trace in &mut copy.suite {
        let from = list(trace, "/from", 1)?;
        let Some(at) = from.iter().position(is_observed) else {
            continue;
        };
        from[at]["observed"] = json!(7777);
        let (id, forged) = (trace["id"].clone(), trace["from"].clone());
        let certified = list(&mut copy.report, "/certificate/traces", 1)?;
        let certified = certified.iter_mut().find(|c| c["trace"] == id)?;
        certified["fragments"] = forged;
        copy.adjust();
        return Some(true);
    }
    None
}
