//! Whether the journal beside the files has the runs that the report names.

use std::collections::HashMap;

use super::journal::{JournalFile, RestsOn, WalkLine};
use super::reduced::{Reduced, ReducedTrace, place};
use super::{Case, Check, Findings};
use crate::report::{RunEntry, RunMode};

pub(super) const CHECK: Check = Check {
    name: "journal",
    about: "the journal has the runs and the device time that the report names",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let Some(journal) = case.journal else {
        findings.note(
            "there is no journal beside the report, so runs were checked by their digests alone",
        );
        return;
    };
    head(case, journal, findings);
    if let Some(rests_on) = &journal.rests_on {
        whole(case, journal, rests_on, findings);
        observed(journal, rests_on, reduced, findings);
    } else {
        findings.note(
            "the journal does not say what the result rests on, so it was not checked as a whole",
        );
    }
    let runs = journal
        .runs
        .iter()
        .map(|run| ((&*run.script, run.attempt), run));
    let runs: HashMap<_, _> = runs.collect();
    let sessions = journal.sessions.iter();
    let sessions = sessions.map(|walk| ((&*walk.plan, walk.session), walk));
    let sessions: HashMap<_, _> = sessions.collect();
    for certified in &case.report.certificate.traces {
        let Some(trace) = reduced.trace(&certified.trace) else {
            continue;
        };
        for entry in &certified.runs {
            findings.looked_at += 1;
            let key = (entry.script.as_str(), entry.attempt);
            let here = format!("run {} of {}", entry.attempt, trace.id);
            let covers: Option<Vec<u32>> = match entry.mode {
                RunMode::Replay => runs.get(&key).map(|run| run.covers.clone()),
                RunMode::Live => sessions.get(&key).map(|walk| {
                    if !went_along(walk, trace) {
                        let what = "the journal says that it went another way";
                        findings.wrong(here.as_str(), what);
                    }
                    let shown = walk.steps.iter().filter_map(|(_, shown)| shown.as_ref());
                    let shown = shown.map(|(_, cover)| *cover);
                    std::iter::once(walk.launch.1).chain(shown).collect()
                }),
            };
            let Some(covers) = covers else {
                findings.wrong(here, "the journal has no such run");
                continue;
            };
            let same = (0..trace.lines.len()).all(|position| {
                let said = said_at(&trace.lines[position].2, entry, position);
                covers
                    .get(position)
                    .is_some_and(|&c| journal.elements(c) == said)
            });
            if !same {
                findings.wrong(here, "the journal says that it covered something else");
            }
        }
    }
}

fn head(case: &Case, journal: &JournalFile, findings: &mut Findings) {
    let report = case.report;
    let Some(head) = &journal.head else {
        findings.wrong("journal", "it is empty");
        return;
    };
    let app = format!("{}:{}", report.subject.device, report.subject.sha256);
    findings.same("journal, suite", head.suite.as_str(), case.original.sha256);
    findings.same("journal, app", &head.app, &app);
    findings.same("journal, seed", head.seed, report.seed);
}

/// The records that the result rests on are those that were used, and took what the report says.
fn whole(case: &Case, journal: &JournalFile, rests_on: &RestsOn, findings: &mut Findings) {
    findings.looked_at += 1;
    match &journal.bytes_sha256 {
        Some(found) if *found == rests_on.bytes_sha256 => {}
        Some(_) => findings.wrong("journal", "it was changed after the report was written"),
        None => findings.wrong("journal", "a part of it is missing"),
    }
    let said = &case.report.certificate.journal;
    let (runs, sessions, digest) = journal.digest(rests_on);
    findings.same("certificate.journal.runs", said.runs, runs);
    findings.same("certificate.journal.sessions", said.sessions, sessions);
    findings.same("certificate.journal.sha256", &said.sha256, &digest);
    findings.same("journal/rests_on.json", &rests_on.sha256, &digest);
    let (device, spent) = (&case.report.device, journal.spent(rests_on));
    // A run that was used for two scripts which do the same counts for each of them.
    for (place, said, least) in [
        ("device.launches", device.launches, spent.launches),
        ("device.steps", device.steps, spent.steps),
        ("device.retries", device.retries, spent.retries),
    ] {
        findings.looked_at += 1;
        if said < least {
            let what = format!("it says {said}, the runs of the journal took {least}");
            findings.wrong(place, what);
        }
    }
    let least = spent.micros as f64 / 1e6;
    findings.looked_at += 1;
    if device.seconds < least * (1.0 - 1e-12) {
        let said = device.seconds;
        let what = format!("it says {said} s, the runs of the journal took {least} s");
        findings.wrong("device.seconds", what);
    }
}

/// Steps that no recording has were shown by the sessions that are named.
fn observed(journal: &JournalFile, rests_on: &RestsOn, reduced: &Reduced, findings: &mut Findings) {
    let sessions = journal.used_sessions(rests_on);
    let sessions = sessions.map(|walk| (u64::from(walk.session), walk));
    let sessions: HashMap<u64, &WalkLine> = sessions.collect();
    for trace in &reduced.traces {
        let mut step = 0;
        for fragment in &trace.fragments {
            let (first, last) = (fragment.first as usize, fragment.last as usize);
            let len = (last + 1).saturating_sub(first);
            let here = step;
            step += len;
            let Some(number) = fragment.observed else {
                continue;
            };
            findings.looked_at += 1;
            let shown = sessions
                .get(&number)
                .and_then(|walk| walk.steps.get(first..=last));
            let said = trace.lines.get(here + 1..=here + len);
            let is_shown = shown.zip(said).is_some_and(|(shown, said)| {
                let mut pairs = shown.iter().zip(said);
                pairs.all(|((action, sight), line)| {
                    let screen = sight.as_ref().map(|(screen, _)| screen.as_str());
                    *action == line.0 && screen == Some(line.1)
                })
            });
            if !is_shown {
                let what = format!("session {number} of the journal did not show it");
                findings.wrong(place(trace.id, Some(here)), what);
            }
        }
    }
}

/// Whether a live session did what a trace does, and saw what it shows.
fn went_along(walk: &WalkLine, trace: &ReducedTrace) -> bool {
    // An action that was not there changed nothing, so the way goes on behind it.
    let done = walk.steps.iter();
    let done = done.filter_map(|(action, shown)| Some((action.as_str(), shown.as_ref()?)));
    let done = done.map(|(action, (screen, _))| (action, screen.as_str()));
    let way = std::iter::once(("", walk.launch.0.as_str())).chain(done);
    let way = way.take(trace.lines.len());
    way.eq(trace.lines.iter().map(|line| (line.0, line.1)))
}

/// What a run covered at a position, by the trace and its record, sorted.
fn said_at<'a>(covers: &[&'a str], entry: &'a RunEntry, position: usize) -> Vec<&'a str> {
    let step = position.checked_sub(1).map(|step| step as u32);
    let beyond = entry.beyond.iter().filter(|beyond| beyond.step == step);
    let beyond = beyond.flat_map(|beyond| &beyond.covers).map(String::as_str);
    let mut said: Vec<&str> = covers.iter().copied().chain(beyond).collect();
    said.sort_unstable();
    said.dedup();
    said
}
