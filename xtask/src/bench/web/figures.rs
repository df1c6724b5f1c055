//! The figures of one app, from the files that the tool left.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// What came of one app.
#[derive(Debug)]
pub(super) struct Figures {
    explored: Size,
    best: Size,
    paper: Option<Size>,
    /// Elements that the original suite shows and that no replay has contradicted.
    stable: usize,
    /// How many of them ten fresh runs of each reduced trace all showed.
    again: usize,
    /// The others.
    missing: Vec<String>,
    /// Elements that the reduction set aside as unstable.
    unstable: usize,
    rejected: f64,
    flake: f64,
    audited: bool,
}

/// A suite in figures.
#[derive(Debug, Clone, Copy)]
struct Size {
    traces: u64,
    steps: u64,
    elements: usize,
    /// Device time of one replay, in seconds.
    seconds: f64,
    /// Device time that it took to get there.
    spent: f64,
}

/// The share of the stable coverage that must be seen again.
const ENOUGH: f64 = 0.995;

impl Figures {
    pub(super) fn read(folder: &Path, audited: bool, paper: bool) -> Result<Self, String> {
        let explored = json_file(&folder.join("explored/explore.json"))?;
        let best = json_file(&folder.join("best/report.json"))?;
        let replayed = json_file(&folder.join("replayed/stabilize.json"))?;
        let before = elements(&folder.join("explored/suite.jsonl"))?;
        let unstable = best["unstable"].as_array().into_iter().flatten();
        let unstable: BTreeSet<String> = unstable
            .filter_map(|gone| Some(gone["element"].as_str()?.to_owned()))
            .collect();
        let stable: BTreeSet<&String> = before
            .iter()
            .filter(|one| !unstable.contains(*one))
            .collect();
        let after = elements(&folder.join("replayed/suite.jsonl"))?;
        let missing: Vec<String> = stable
            .iter()
            .filter(|one| !after.contains(**one))
            .map(|one| (*one).clone())
            .collect();
        let device = &best["device"];
        let candidates = device["candidates"].as_f64().unwrap_or(0.0);
        let rejected = device["rejected"].as_f64().unwrap_or(0.0);
        // A trace that diverges is cut, and says in how many of its runs it did.
        let cut = replayed["cut"].as_array().into_iter().flatten();
        let diverged: f64 = cut.filter_map(|cut| cut["diverged"].as_f64()).sum();
        let runs = replayed["runs_per_trace"].as_f64().unwrap_or(1.0);
        let traces = replayed["input"]["traces"].as_f64().unwrap_or(0.0);
        // Device time of one run of the reduced suite, measured over its ten runs.
        let replay_seconds = replayed["device"]["seconds"].as_f64().unwrap_or(0.0) / runs;
        let reduced = elements(&folder.join("best/suite.jsonl"))?;
        Ok(Self {
            explored: Size {
                seconds: explored["device"]["seconds"].as_f64().unwrap_or(0.0),
                ..size(&explored["suite"], before.len(), 0.0)
            },
            best: Size {
                seconds: replay_seconds,
                ..size(&best["output"], reduced.len(), spent(&best))
            },
            paper: if paper {
                let report = json_file(&folder.join("paper/report.json"))?;
                let reduced = elements(&folder.join("paper/suite.jsonl"))?;
                Some(size(&report["output"], reduced.len(), spent(&report)))
            } else {
                None
            },
            stable: stable.len(),
            again: stable.len() - missing.len(),
            missing,
            unstable: unstable.len(),
            rejected: if candidates > 0.0 {
                rejected / candidates
            } else {
                0.0
            },
            flake: if traces > 0.0 {
                diverged / (runs * traces)
            } else {
                0.0
            },
            audited,
        })
    }

    fn share(&self) -> f64 {
        self.again as f64 / self.stable.max(1) as f64
    }

    /// Whether coverage is still there and the audit says so too.
    pub(super) fn holds(&self) -> bool {
        self.audited && self.share() >= ENOUGH
    }
}

fn size(side: &Value, elements: usize, spent: f64) -> Size {
    Size {
        traces: side["traces"].as_u64().unwrap_or(0),
        steps: side["steps"].as_u64().unwrap_or(0),
        elements,
        seconds: side["seconds"].as_f64().unwrap_or(0.0),
        spent,
    }
}

fn spent(report: &Value) -> f64 {
    report["device"]["seconds"].as_f64().unwrap_or(0.0)
}

fn json_file(path: &Path) -> Result<Value, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Everything that a suite covers: elements, screens and faults.
fn elements(suite: &Path) -> Result<BTreeSet<String>, String> {
    let text =
        fs::read_to_string(suite).map_err(|error| format!("{}: {error}", suite.display()))?;
    let mut all = BTreeSet::new();
    for line in text.lines() {
        let trace: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let steps = trace["steps"].as_array().into_iter().flatten();
        for shown in [&trace["launch"]].into_iter().chain(steps) {
            let covers = shown["covers"].as_array().into_iter().flatten();
            all.extend(
                covers.map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)),
            );
            all.extend(
                shown["screen"]
                    .as_str()
                    .map(|screen| format!("screen:{screen}")),
            );
            all.extend(
                shown["fault"]
                    .as_str()
                    .map(|fault| format!("fault:{fault}")),
            );
        }
    }
    Ok(all)
}

/// All rows for a page of Markdown, and what is missing behind them.
pub(super) fn table(rows: &[(String, Result<Figures, String>)]) -> String {
    let mut text = String::from(
        "| app | traces | steps | elements | stable | seen again | traces left | steps left | device time | left | rejected | flaky runs | spent | paper: traces, steps, spent | audit |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, row) in rows {
        let _ = match row {
            Ok(figures) => writeln!(text, "| {name} | {} |", cells(figures).join(" | ")),
            Err(error) => writeln!(text, "| {name} | {error} |"),
        };
    }
    for (name, figures) in rows
        .iter()
        .filter_map(|(name, row)| Some((name, row.as_ref().ok()?)))
    {
        for missing in &figures.missing {
            let _ = writeln!(text, "\n{name}: not seen again: `{missing}`");
        }
    }
    text
}

fn cells(figures: &Figures) -> Vec<String> {
    let Figures { explored, best, .. } = figures;
    let time = |seconds: f64| format!("{seconds:.0} s");
    let paper = figures
        .paper
        .map(|paper| format!("{}, {}, {}", paper.traces, paper.steps, time(paper.spent)));
    vec![
        explored.traces.to_string(),
        explored.steps.to_string(),
        explored.elements.to_string(),
        format!("{} ({} unstable)", figures.stable, figures.unstable),
        format!("{} ({:.2} %)", figures.again, 100.0 * figures.share()),
        best.traces.to_string(),
        best.steps.to_string(),
        time(explored.seconds),
        time(best.seconds),
        format!("{:.0} %", 100.0 * figures.rejected),
        format!("{:.2} %", 100.0 * figures.flake),
        time(best.spent),
        paper.unwrap_or_default(),
        if figures.audited { "holds" } else { "fails" }.to_owned(),
    ]
}

/// One row for programs.
pub(super) fn as_json(name: &str, row: &Result<Figures, String>) -> Value {
    let size = |size: &Size| {
        json!({"traces": size.traces, "steps": size.steps, "elements": size.elements,
            "seconds": size.seconds, "spent": size.spent})
    };
    match row {
        Err(error) => json!({"app": name, "error": error}),
        Ok(figures) => json!({"app": name, "explored": size(&figures.explored),
            "best": size(&figures.best), "paper": figures.paper.as_ref().map(size),
            "stable": figures.stable, "unstable": figures.unstable, "again": figures.again,
            "share": figures.share(), "missing": figures.missing, "rejected": figures.rejected,
            "flake": figures.flake, "audited": figures.audited}),
    }
}
