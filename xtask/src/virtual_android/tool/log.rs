//! The log: writing it, reading it, and following it.

use crate::virtual_android::journal::Wanted;
use crate::virtual_android::shell::{Call, Done};

pub(super) fn write(call: &Call) -> Done {
    let tag = call.option("-t").unwrap_or("log");
    let level = call.option("-p").and_then(|level| level.chars().next());
    let text = call.words.last().cloned().unwrap_or_default();
    let level = level.map_or('I', |level| level.to_ascii_uppercase());
    call.shared.phone().log.add(2000, level, tag, &text);
    Done::default()
}

pub(super) fn logcat(call: &Call) -> Done {
    if call.words.iter().any(|word| word == "-c") {
        call.shared.phone().log.clear();
        return Done::default();
    }
    let wanted = wanted(call.words);
    Done::says(call.shared.phone().log.text(0, &wanted))
}

/// Whether a script is a `logcat` that goes on for ever.
pub(in crate::virtual_android) fn follows(script: &str) -> bool {
    // What adb itself writes in front of it.
    let script = script
        .rsplit_once("; exec ")
        .map_or(script, |(_, exec)| exec);
    let words: Vec<_> = script.split_whitespace().collect();
    let ends = ["-d", "-c", "-t", "-g"];
    words.first() == Some(&"logcat")
        && !script.contains([';', '\n', '|'])
        && !words.iter().any(|word| ends.contains(word))
}

/// What a script that follows the log wants of it.
pub(in crate::virtual_android) fn wanted_by(script: &str) -> Wanted {
    let words: Vec<_> = script
        .split_whitespace()
        .map(|word| word.trim_matches('\'').to_owned())
        .collect();
    let at = words
        .iter()
        .position(|word| word == "logcat")
        .map_or(0, |at| at + 1);
    wanted(&words[at..])
}

fn wanted(words: &[String]) -> Wanted {
    let mut wanted = Wanted::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" => wanted.silent = true,
            "-v" => wanted.brief |= words.next().is_some_and(|format| format == "brief"),
            "-b" => {
                words.next();
            }
            "-T" | "-t" => {
                let value = words.next().cloned().unwrap_or_default();
                match value.parse() {
                    Ok(count) => wanted.last = Some(count),
                    Err(_) => wanted.since = Some(value),
                }
            }
            word if word.starts_with('-') => {}
            word => {
                let (tag, level) = word.split_once(':').unwrap_or((word, "V"));
                if (tag, level) == ("*", "S") {
                    wanted.silent = true;
                } else {
                    let level = level.chars().next().unwrap_or('V');
                    wanted
                        .tags
                        .push((tag.to_owned(), level.to_ascii_uppercase()));
                }
            }
        }
    }
    wanted
}
