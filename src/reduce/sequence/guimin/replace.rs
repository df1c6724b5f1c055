//! Other text for what must still be typed: the least telling one that reaches the target all the
//! same.

use std::sync::Arc;

use super::super::ask::{Item, Memory, Shrunk};
use super::privacy::{Category, Patterns, category};
use super::typed::typed;
use crate::model::Stop;

/// What became of a sensitive text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The place of its event in the recording.
    pub event: usize,
    /// What it would give away.
    pub category: Category,
    /// What is typed now; none if nothing else was found to work.
    pub by: Option<Arc<str>>,
}

/// Replaces sensitive text in a sequence that reaches the target, one text after the other. `actions`
/// are those of the whole recording.
pub fn replace(
    actions: &[&str],
    sequence: Vec<Item>,
    patterns: &Patterns,
    memory: &mut Memory,
) -> (Shrunk, Vec<Replaced>) {
    let mut best = sequence;
    let mut replaced = Vec::new();
    let stopped = replace_all(actions, &mut best, patterns, memory, &mut replaced).err();
    (Shrunk { best, stopped }, replaced)
}

fn replace_all(
    actions: &[&str],
    best: &mut Vec<Item>,
    patterns: &Patterns,
    memory: &mut Memory,
    replaced: &mut Vec<Replaced>,
) -> Result<(), Stop> {
    for at in 0..best.len() {
        let event = best[at].event;
        let Some(text) = actions.get(event).and_then(|action| typed(action)) else {
            continue;
        };
        let Some(category) = category(&text, patterns) else {
            continue;
        };
        let mut by = None;
        for other in others(&text.text) {
            let mut candidate = best.clone();
            candidate[at].text = Some(other.as_str().into());
            if memory.reproduces(&candidate)? {
                by.clone_from(&candidate[at].text);
                *best = candidate;
                break;
            }
        }
        replaced.push(Replaced {
            event,
            category,
            by,
        });
    }
    Ok(())
}

/// Texts to try, the least telling first: nothing, a letter, a digit, then the shape of the text and
/// the shape with what is between letters and digits kept.
fn others(text: &str) -> Vec<String> {
    let masked = |keep: fn(char) -> bool| {
        let mask = |c: char| match c {
            c if keep(c) => c,
            c if c.is_numeric() => '0',
            c if c.is_uppercase() => 'X',
            _ => 'x',
        };
        text.chars().map(mask).collect::<String>()
    };
    let mut others = vec![
        String::new(),
        "x".to_owned(),
        "0".to_owned(),
        masked(|_| false),
        masked(|c| !c.is_alphanumeric()),
    ];
    // Each text once, and never the one to be hidden.
    let mut seen = vec![text.to_owned()];
    others.retain(|other| {
        let is_new = !seen.contains(other);
        seen.push(other.clone());
        is_new
    });
    others
}

#[cfg(test)]
mod tests {
    use super::super::super::ask::{Answer, Item, Memory, Verdict, items};
    use super::super::privacy::Patterns;
    use super::replace;

    /// What is typed in the end, where the app fails on texts that `fails` says.
    #[track_caller]
    fn check(text: &str, fails: fn(&str) -> bool, expect: Option<&str>) {
        let action = format!("type:email={text}");
        let actions = [action.as_str()];
        let mut ask = |sequence: &[Item]| {
            let typed = sequence[0].text.as_deref().unwrap_or(text);
            let verdict = if fails(typed) {
                Verdict::Reproduced
            } else {
                Verdict::Missed
            };
            Ok(Answer { verdict, played: 1 })
        };
        let mut memory = Memory::new(&mut ask);
        let (shrunk, replaced) = replace(&actions, items([0]), &Patterns::default(), &mut memory);
        assert_eq!(replaced[0].by.as_deref(), expect);
        assert_eq!(shrunk.best[0].text.as_deref(), expect);
    }

    #[test]
    fn the_least_telling_text_that_fails_is_typed() {
        check("jo@example.org", |_| true, Some(""));
        check("jo@example.org", |text| !text.is_empty(), Some("x"));
        check(
            "jo@example.org",
            |text| text.len() > 10,
            Some("xxxxxxxxxxxxxx"),
        );
        check(
            "jo@example.org",
            |text| text.contains('@'),
            Some("xx@xxxxxxx.xxx"),
        );
    }

    #[test]
    fn a_text_that_nothing_can_stand_for_stays() {
        check("jo@example.org", |text| text.contains("jo"), None);
    }
}
