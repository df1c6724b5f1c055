//! Programs for files and texts.

use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reduce_suite::model::sha256;

use crate::virtual_android::journal;
use crate::virtual_android::shell::{Call, Done};

/// Nobody waits for longer than this.
const LONGEST_SLEEP: f64 = 60.0;

pub(super) fn yes(_: &Call) -> Done {
    Done::default()
}

pub(super) fn no(_: &Call) -> Done {
    Done {
        status: 1,
        ..Done::default()
    }
}

pub(super) fn echo(call: &Call) -> Done {
    let (words, end) = match call.word(0) {
        "-n" => (&call.words[1..], ""),
        _ => (call.words, "\n"),
    };
    Done::says(words.join(" ") + end)
}

pub(super) fn id(_: &Call) -> Done {
    Done::says("uid=2000(shell) gid=2000(shell) groups=2000(shell)\n")
}

pub(super) fn date(call: &Call) -> Done {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or(Duration::ZERO);
    match call.word(0) {
        "+%m-%d %H:%M:%S.000" => {
            let whole = u128::from(now.as_secs()) * 1000;
            Done::says(journal::time(whole) + "\n")
        }
        "" | "+%s" => Done::says(format!("{}\n", now.as_secs())),
        format => Done::fails(1, format!("date: bad format {format}")),
    }
}

pub(super) fn sleep(call: &Call) -> Done {
    match call.word(0).parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST_SLEEP).contains(&seconds) => {
            thread::sleep(Duration::from_secs_f64(seconds));
            Done::default()
        }
        _ => Done::fails(1, "sleep: bad number"),
    }
}

pub(super) fn cat(call: &Call) -> Done {
    if call.words.is_empty() {
        return Done::says(call.input);
    }
    let mut all = Done::default();
    for path in call.words {
        if let Some(content) = call.shared.phone().file(path) {
            all.out.extend(content);
        } else {
            let text = format!("cat: {path}: No such file or directory\n");
            all.err.extend(text.into_bytes());
            all.status = 1;
        }
    }
    all
}

pub(super) fn grep(call: &Call) -> Done {
    let mut patterns: Vec<&str> = Vec::new();
    let mut words = call.words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "-e" => patterns.extend(words.next()),
            word if word.starts_with('-') => {}
            word => patterns.push(word),
        }
    }
    if patterns.is_empty() {
        return Done::fails(2, "grep: no pattern");
    }
    let input = String::from_utf8_lossy(call.input);
    let fits = |line: &&str| patterns.iter().any(|pattern| line.contains(pattern));
    let out: String = input
        .lines()
        .filter(fits)
        .flat_map(|line| [line, "\n"])
        .collect();
    Done {
        status: u8::from(out.is_empty()),
        ..Done::says(out)
    }
}

pub(super) fn tail(call: &Call) -> Done {
    let count = call.option("-n").and_then(|count| count.parse().ok());
    let input = String::from_utf8_lossy(call.input);
    let lines: Vec<_> = input.lines().collect();
    let from = lines.len().saturating_sub(count.unwrap_or(10));
    let out: String = lines[from..]
        .iter()
        .flat_map(|line| [*line, "\n"])
        .collect();
    Done::says(out)
}

pub(super) fn ls(call: &Call) -> Done {
    let path = call.words.iter().find(|word| !word.starts_with('-'));
    let path = path.map_or("/", String::as_str);
    let phone = call.shared.phone();
    if phone.files.contains_key(path) {
        return Done::says(format!("{path}\n"));
    }
    let inside = format!("{}/", path.trim_end_matches('/'));
    let mut names: Vec<_> = phone
        .files
        .keys()
        .filter_map(|file| file.strip_prefix(&inside)?.split('/').next())
        .collect();
    names.dedup();
    if names.is_empty() {
        return Done::fails(1, format!("ls: {path}: No such file or directory"));
    }
    Done::says(names.join("\n") + "\n")
}

pub(super) fn rm(call: &Call) -> Done {
    let is_deep = call
        .words
        .iter()
        .any(|word| word.starts_with('-') && word.contains('r'));
    let is_forced = call
        .words
        .iter()
        .any(|word| word.starts_with('-') && word.contains('f'));
    let mut done = Done::default();
    for path in call.words.iter().filter(|word| !word.starts_with('-')) {
        let mut phone = call.shared.phone();
        let before = phone.files.len();
        let inside = format!("{}/", path.trim_end_matches('/'));
        phone
            .files
            .retain(|file, _| file != path && !(is_deep && file.starts_with(&inside)));
        if phone.files.len() == before && !is_forced {
            done = Done::fails(1, format!("rm: {path}: No such file or directory"));
        }
    }
    done
}

pub(super) fn sha256sum(call: &Call) -> Done {
    let path = call.word(0);
    match call.shared.phone().file(path) {
        Some(content) => Done::says(format!("{}  {path}\n", sha256(&content))),
        None => Done::fails(1, format!("sha256sum: {path}: No such file or directory")),
    }
}

pub(super) fn base64(call: &Call) -> Done {
    let path = call.word(0);
    match call.shared.phone().file(path) {
        Some(content) => Done::says(STANDARD.encode(content) + "\n"),
        None => Done::fails(1, format!("base64: {path}: No such file or directory")),
    }
}

pub(super) fn df(call: &Call) -> Done {
    let (used, left) = if call.shared.phone().is_full {
        (1_000_000, 0)
    } else {
        (400_000, 600_000)
    };
    Done::says(format!(
        "Filesystem     1K-blocks   Used Available Use% Mounted on\n\
         /dev/block/dm-4  1000000 {used} {left} {}% /data\n",
        used / 10_000
    ))
}
