//! Changes after which a reduction still says the same.

use serde_json::{Value, json};
use xtask::generate::splitmix::SplitMix;

use super::report::other_true_witness;
use super::{Copied, Trick, lines, list};

pub(crate) const HARMLESS: &[Trick] = &[
    Trick {
        name: "the report is laid out anew",
        play: pretty,
    },
    Trick {
        name: "names in the report are in another order",
        play: turned_round,
    },
    Trick {
        name: "a later tool added a field",
        play: add_field,
    },
    Trick {
        name: "lists that are sets are in another order",
        play: shuffle,
    },
    Trick {
        name: "another witness is named",
        play: other_true_witness,
    },
    Trick {
        name: "the statement is missing",
        play: no_statement,
    },
    Trick {
        name: "the journal is missing",
        play: no_journal,
    },
    Trick {
        name: "covers are in another order",
        play: shuffle_covers,
    },
    Trick {
        name: "a branch is spelt with its kind",
        play: spell_out,
    },
    Trick {
        name: "a step has a field more",
        play: step_field,
    },
    Trick {
        name: "reduced traces are in another order",
        play: shuffle_traces,
    },
    Trick {
        name: "whole numbers are written as fractions",
        play: fractions,
    },
];

fn pretty(copy: &mut Copied, _: &mut SplitMix) -> Option<bool> {
    copy.report_text = serde_json::to_string_pretty(&copy.report).ok();
    Some(false)
}

/// JSON with the fields of every object last first.
fn backwards(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().rev();
            let fields: Vec<String> = fields
                .map(|(name, value)| format!("{}: {}", json!(name), backwards(value)))
                .collect();
            format!("{{ {} }}", fields.join(" ,\n"))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(backwards).collect();
            format!("[{}]", items.join(", "))
        }
        plain => plain.to_string(),
    }
}

fn turned_round(copy: &mut Copied, _: &mut SplitMix) -> Option<bool> {
    copy.report_text = Some(backwards(&copy.report));
    Some(false)
}

fn add_field(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&[
        "",
        "/input",
        "/output",
        "/device",
        "/bound",
        "/subject",
        "/validation",
        "/certificate",
        "/certificate/traces/0",
        "/validation/traces/0",
        "/system",
        "/phases/0",
        "/removed/0",
    ]);
    let object = copy.report.pointer_mut(place)?.as_object_mut()?;
    object.insert("added_later".to_owned(), json!({"x": [1, null]}));
    Some(false)
}

fn shuffle(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&[
        "/removed",
        "/dropped",
        "/unstable",
        "/lost",
        "/cut",
        "/choices",
        "/limits",
        "/preserve",
        "/validation/traces",
        "/certificate/traces",
        "/certificate/traces/0/runs",
        "/removed/0/now",
        "/removed/0/covered_by",
        "/system/transitions",
        "/bound/expensive",
    ]);
    random.shuffle(list(&mut copy.report, place, 2)?);
    Some(false)
}

fn no_statement(copy: &mut Copied, _: &mut SplitMix) -> Option<bool> {
    copy.attestation = None;
    Some(false)
}

fn no_journal(copy: &mut Copied, _: &mut SplitMix) -> Option<bool> {
    copy.journal = None;
    Some(false)
}

fn shuffle_covers(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    random.shuffle(list(&mut copy.suite[trace]["steps"][step], "/covers", 2)?);
    copy.adjust();
    Some(false)
}

fn spell_out(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let covers = list(&mut copy.suite[trace]["steps"][step], "/covers", 1)?;
    let name = covers[0].as_str()?.to_owned();
    if name.contains(':') {
        return None;
    }
    // The figures are the same, so only the digest follows.
    copy.adjust();
    copy.suite[trace]["steps"][step]["covers"][0] = json!(format!("branch:{name}"));
    let text = lines(&copy.suite);
    copy.report["output"]["sha256"] = json!(reduce_suite::model::sha256(text.as_bytes()));
    Some(false)
}

fn step_field(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    copy.suite[trace]["steps"][step]["note"] = json!("seen on Tuesday");
    copy.adjust();
    Some(false)
}

fn shuffle_traces(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    if copy.suite.len() < 2 {
        return None;
    }
    random.shuffle(&mut copy.suite);
    copy.adjust();
    Some(false)
}

fn fractions(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let place = *random.pick(&["/bound/seconds", "/output/seconds", "/device/seconds"]);
    let seconds = copy.report.pointer(place)?.as_f64()?;
    let whole: u64 = format!("{seconds}").parse().ok()?;
    *copy.report.pointer_mut(place)? = json!(whole);
    Some(false)
}
