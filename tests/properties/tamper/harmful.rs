//! Tricks that change what a reduction says.

use serde_json::{Value, json};
use xtask::generate::splitmix::SplitMix;

use super::report;
use super::{Copied, Trick, list, steps};

pub(crate) const HARMFUL: &[Trick] = &[
    Trick {
        name: "a step is dropped",
        play: drop_step,
    },
    Trick {
        name: "two steps are swapped",
        play: swap_steps,
    },
    Trick {
        name: "a step shows another screen",
        play: other_screen,
    },
    Trick {
        name: "a step does something else",
        play: other_action,
    },
    Trick {
        name: "coverage is added",
        play: add_coverage,
    },
    Trick {
        name: "coverage is removed",
        play: remove_coverage,
    },
    Trick {
        name: "coverage moves to another step",
        play: move_coverage,
    },
    Trick {
        name: "a fragment is off by one",
        play: shift_fragment,
    },
    Trick {
        name: "a fragment comes from another trace",
        play: other_origin,
    },
    Trick {
        name: "content changed, digest kept",
        play: keep_digest,
    },
    Trick {
        name: "a trace is removed, counters adjusted",
        play: remove_trace,
    },
    Trick {
        name: "a trace is removed and whatever names it",
        play: remove_trace_everywhere,
    },
    Trick {
        name: "an id occurs twice",
        play: duplicate_id,
    },
    Trick {
        name: "a trace occurs twice",
        play: duplicate_trace,
    },
    Trick {
        name: "the original changed",
        play: change_original,
    },
    Trick {
        name: "witnesses are swapped",
        play: report::swap_witnesses,
    },
    Trick {
        name: "a witness moves",
        play: report::move_witness,
    },
    Trick {
        name: "a witness is gone",
        play: report::drop_witness,
    },
    Trick {
        name: "run records are copied",
        play: report::copy_run,
    },
    Trick {
        name: "run records are copied under a new number",
        play: report::renumber_run,
    },
    Trick {
        name: "run records come from another trace",
        play: report::foreign_run,
    },
    Trick {
        name: "runs are missing",
        play: report::drop_runs,
    },
    Trick {
        name: "phases are reordered",
        play: report::reorder_phases,
    },
    Trick {
        name: "a lost or unstable element is hidden",
        play: report::hide_gone,
    },
    Trick {
        name: "an element is set aside",
        play: report::set_aside,
    },
    Trick {
        name: "an element is set aside and taken out",
        play: report::set_aside_for_real,
    },
    Trick {
        name: "a removed trace is not named",
        play: report::forget_removed,
    },
    Trick {
        name: "a removed trace is named twice",
        play: report::repeat_removed,
    },
    Trick {
        name: "a dropped piece is changed",
        play: report::change_dropped,
    },
    Trick {
        name: "what covers it now is somebody else",
        play: report::other_now,
    },
    Trick {
        name: "a number is changed",
        play: report::nudge_number,
    },
    Trick {
        name: "a text is changed",
        play: report::change_text,
    },
    Trick {
        name: "a truth is turned round",
        play: report::flip,
    },
    Trick {
        name: "an entry occurs twice",
        play: report::repeat_entry,
    },
    Trick {
        name: "a name occurs twice in an object",
        play: report::repeat_name,
    },
    Trick {
        name: "the configuration is changed",
        play: report::change_config,
    },
];

fn drop_step(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    list(&mut copy.suite[trace], "/steps", 1)?.remove(step);
    copy.adjust();
    Some(true)
}

fn swap_steps(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let all = list(&mut copy.suite[trace], "/steps", 2)?;
    let other = random.below(all.len());
    if all[step] == all[other] {
        return None;
    }
    all.swap(step, other);
    copy.adjust();
    Some(true)
}

fn other_screen(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let screen = copy.suite[trace]["launch"]["screen"].clone();
    let place = &mut copy.suite[trace]["steps"][step]["screen"];
    if *place == screen {
        return None;
    }
    *place = screen;
    copy.adjust();
    Some(true)
}

fn other_action(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    copy.suite[trace]["steps"][step]["action"] = json!("tap:elsewhere");
    copy.adjust();
    Some(true)
}

/// A known element, or a new one.
fn some_element(copy: &Copied, random: &mut SplitMix) -> String {
    let known: Vec<&String> = copy.report["witness"]
        .as_object()
        .map_or(vec![], |w| w.keys().collect());
    let plain: Vec<_> = known.into_iter().filter(|e| !e.contains(':')).collect();
    if plain.is_empty() || random.chance(0.3) {
        "b99999".to_owned()
    } else {
        (*random.pick(&plain)).clone()
    }
}

fn add_coverage(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let element = some_element(copy, random);
    let place = json!(step);
    let id = copy.suite[trace]["id"].clone();
    if copy.covers(&id, &place, &element) {
        return None;
    }
    list(&mut copy.suite[trace]["steps"][step], "/covers", 0)?.push(json!(element));
    let runs = copy.report["validation"]["runs_per_trace"].clone();
    let witness = json!({"trace": id, "step": step, "runs": runs});
    let witnesses = copy.report["witness"].as_object_mut()?;
    witnesses.entry(element).or_insert(witness);
    copy.adjust();
    Some(true)
}

fn remove_coverage(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let covers = list(&mut copy.suite[trace]["steps"][step], "/covers", 1)?;
    let at = random.below(covers.len());
    covers.remove(at);
    copy.adjust();
    Some(true)
}

fn move_coverage(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let covers = list(&mut copy.suite[trace]["steps"][step], "/covers", 1)?;
    let element = covers.remove(0);
    let (to, at) = copy.some_step(random)?;
    let name = element.as_str()?.to_owned();
    let id = copy.suite[to]["id"].clone();
    if (to, at) == (trace, step) || copy.covers(&id, &json!(at), &name) {
        return None;
    }
    list(&mut copy.suite[to]["steps"][at], "/covers", 0)?.push(element);
    if let Some(witness) = copy.report["witness"].get_mut(&name) {
        witness["trace"] = id;
        witness["step"] = json!(at);
    }
    copy.adjust();
    Some(true)
}

/// Changes a fragment in the suite and in the certificate alike.
fn change_fragment(
    copy: &mut Copied,
    random: &mut SplitMix,
    change: impl Fn(&mut Value),
) -> Option<bool> {
    let trace = random.below(copy.suite.len());
    let from = list(&mut copy.suite[trace], "/from", 1)?;
    let at = random.below(from.len());
    let before = from[at].clone();
    change(&mut from[at]);
    if from[at] == before {
        return None;
    }
    let changed = from[at].clone();
    let id = copy.suite[trace]["id"].clone();
    let certified = list(&mut copy.report, "/certificate/traces", 1)?;
    let certified = certified.iter_mut().find(|c| c["trace"] == id)?;
    certified["fragments"][at] = changed;
    copy.adjust();
    Some(true)
}

fn shift_fragment(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let end = *random.pick(&["first", "last"]);
    let up = random.chance(0.5);
    change_fragment(copy, random, |fragment| {
        let number = fragment[end].as_u64().unwrap_or(0);
        fragment[end] = json!(if up {
            number + 1
        } else {
            number.saturating_sub(1)
        });
    })
}

fn other_origin(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let other = random.pick(&copy.original)["id"].clone();
    change_fragment(copy, random, |fragment| {
        if !fragment["trace"].is_null() {
            fragment["trace"] = other.clone();
        }
    })
}

fn keep_digest(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let (trace, step) = copy.some_step(random)?;
    let covers = list(&mut copy.suite[trace]["steps"][step], "/covers", 0)?;
    if random.chance(0.5) {
        covers.push(json!("b77777"));
    } else {
        drop(covers.pop()?);
    }
    Some(true)
}

fn remove_trace(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    if copy.suite.len() < 2 {
        return None;
    }
    let gone = random.below(copy.suite.len());
    copy.suite.remove(gone);
    copy.adjust();
    Some(true)
}

fn remove_trace_everywhere(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    if copy.suite.len() < 2 {
        return None;
    }
    let gone = random.below(copy.suite.len());
    let id = copy.suite.remove(gone)["id"].clone();
    for place in ["/certificate/traces", "/validation/traces"] {
        list(&mut copy.report, place, 1)?.retain(|entry| entry["trace"] != id);
    }
    let elsewhere: Vec<(String, Value)> = copy.report["witness"]
        .as_object()?
        .iter()
        .filter(|(_, witness)| witness["trace"] == id)
        .map(|(element, _)| (element.clone(), place_of(copy, element)))
        .collect();
    for (element, witness) in elsewhere {
        if !witness.is_null() {
            copy.report["witness"][element] = witness;
        }
    }
    copy.adjust();
    Some(true)
}

/// A witness of an element in what is left.
fn place_of(copy: &Copied, element: &str) -> Value {
    for trace in &copy.suite {
        let places = (0..steps(trace).len()).map(|step| json!(step));
        for step in places.chain([Value::Null]) {
            if copy.covers(&trace["id"], &step, element) {
                let runs = &copy.report["validation"]["runs_per_trace"];
                return json!({"trace": trace["id"], "step": step, "runs": runs});
            }
        }
    }
    Value::Null
}

fn duplicate_id(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    if copy.suite.len() < 2 {
        return None;
    }
    let at = 1 + random.below(copy.suite.len() - 1);
    copy.suite[at]["id"] = copy.suite[0]["id"].clone();
    copy.adjust();
    Some(true)
}

fn duplicate_trace(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let mut again = random.pick(&copy.suite).clone();
    if random.chance(0.5) {
        again["id"] = json!("r9999");
    }
    copy.suite.push(again);
    copy.adjust();
    Some(true)
}

fn change_original(copy: &mut Copied, random: &mut SplitMix) -> Option<bool> {
    let at = random.below(copy.original.len());
    match random.below(3) {
        0 => drop(copy.original.remove(at)),
        1 => drop(list(&mut copy.original[at], "/steps", 1)?.pop()),
        _ => list(&mut copy.original[at], "/launch/covers", 0)?.push(json!("b55555")),
    }
    Some(true)
}
