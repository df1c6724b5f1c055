//! A folder with an app and its suite, and reductions of it inside this process.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::audit::Audit;
use reduce_suite::config::{Layers, resolve};
use reduce_suite::model::{Observer, RunEvent};
use reduce_suite::replay::Cancel;
use reduce_suite::session::{Conditions, audit, reduce};
use serde_json::{Value, json};
use tempfile::TempDir;
use xtask::generate::checker::{self, Observed, Replay};
use xtask::generate::random_app::AppShape;
use xtask::generate::splitmix::SplitMix;
use xtask::generate::{random_app, record};

use super::case::{Apps, Case};

/// Every file of a result.
pub(crate) const FILES: [&str; 5] = [
    "suite.jsonl",
    "report.json",
    "report.md",
    "report.html",
    "junit.xml",
];

/// The file that runs are written down in, inside the folder of a result.
pub(crate) const JOURNAL: &str = "journal/runs.jsonl";

struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: &RunEvent) {}
}

/// An app, a suite recorded on it, and room for results.
pub(crate) struct Lab {
    folder: TempDir,
    pub(crate) app: Value,
    pub(crate) suite: String,
}

/// What a reduction left.
pub(crate) struct Reduced {
    pub(crate) folder: PathBuf,
    pub(crate) report: Value,
    pub(crate) suite: String,
}

impl Lab {
    pub(crate) fn new(case: &Case) -> Self {
        let app = match case.apps {
            Apps::Certain | Apps::Flaky => random_app::app(&case.shape, case.seed),
            Apps::Maze => maze(&case.shape, case.seed),
        };
        let lines = record::suite(&app, case.seed, case.traces, case.mean);
        Self::with(app, lines)
    }

    /// A lab for a suite given line by line.
    pub(crate) fn with(app: Value, lines: impl IntoIterator<Item = String>) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the case");
        let suite: String = lines.into_iter().map(|line| line + "\n").collect();
        fs::write(folder.path().join("app.json"), app.to_string()).expect("the app is written");
        fs::write(folder.path().join("suite.jsonl"), &suite).expect("the suite is written");
        Self { folder, app, suite }
    }

    /// A lab with the same app whose suite is the result of a reduction.
    pub(crate) fn after(&self, reduced: &Reduced) -> Self {
        let lines = reduced.suite.lines().map(str::to_owned);
        Self::with(self.app.clone(), lines)
    }

    /// The folder of a result, whether it is there or not.
    pub(crate) fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Reduces on one device with settings such as `replay.runs=3`.
    pub(crate) fn reduce(&self, settings: &[&str]) -> Result<Reduced, String> {
        self.reduce_on("reduced", "count=1", settings)
    }

    /// Reduces into a folder, on devices with options such as `count=2&lost=0.1`.
    pub(crate) fn reduce_on(
        &self,
        out: &str,
        options: &str,
        settings: &[&str],
    ) -> Result<Reduced, String> {
        let folder = self.folder.path();
        let text = |path: &Path| path.display().to_string();
        let list = |item: String| toml::Value::Array(vec![item.into()]);
        let device = format!("sim:{}?{options}", text(&folder.join("app.json")));
        let mut overrides = vec![
            ("suite".to_owned(), list(text(&folder.join("suite.jsonl")))),
            ("device".to_owned(), list(device)),
            ("out".to_owned(), text(&self.out(out)).into()),
        ];
        // What the passes of the paper promise beyond the rest is told by name; `best` asks for itself.
        overrides.push(("strategy".to_owned(), "paper".into()));
        for (key, value) in settings.iter().map(|setting| parse(setting)) {
            overrides.retain(|(known, _)| *known != key);
            overrides.push((key, value));
        }
        let layers = Layers {
            file: None,
            overrides,
        };
        let resolved = resolve(&layers, folder).map_err(|error| error.to_string())?;
        let conditions = Conditions {
            config: &resolved.config,
            fresh: false,
            cancel: Cancel::default(),
            observer: &mut Silent,
        };
        reduce(conditions).map_err(|error| format!("{out}: {error}"))?;
        Ok(Reduced::read(&self.out(out)))
    }

    /// What an audit of the reduction in a folder finds.
    pub(crate) fn audit(&self, folder: &Path) -> Result<Audit, String> {
        audit_against(folder, &self.out("suite.jsonl"))
    }

    /// All that is wrong with a reduction of an app in which nothing is left to chance.
    pub(crate) fn violations(&self, reduced: &Reduced) -> Vec<String> {
        checker::check(&self.app, &self.suite, &reduced.suite, &reduced.report)
    }

    /// All that is wrong with a reduction, whether its traces replay left aside.
    pub(crate) fn violations_but_replay(&self, reduced: &Reduced) -> Vec<String> {
        let never = Replay::Runs { runs: 0, seed: 0 };
        self.violations_by(reduced, (never, Observed::Refused))
    }

    /// All that is wrong with a reduction by the given rules.
    pub(crate) fn violations_by(
        &self,
        reduced: &Reduced,
        rules: (Replay, Observed),
    ) -> Vec<String> {
        checker::check_by(
            &self.app,
            &self.suite,
            &reduced.suite,
            &reduced.report,
            rules,
        )
    }
}

/// What an audit of the reduction in a folder finds, by another original suite.
pub(crate) fn audit_against(folder: &Path, original: &Path) -> Result<Audit, String> {
    let original = toml::Value::Array(vec![original.display().to_string().into()]);
    let layers = Layers {
        file: None,
        overrides: vec![("suite".to_owned(), original)],
    };
    let resolved = resolve(&layers, folder).map_err(|error| error.to_string())?;
    let mut conditions = Conditions {
        config: &resolved.config,
        fresh: false,
        cancel: Cancel::default(),
        observer: &mut Silent,
    };
    audit(folder, false, &mut conditions).map_err(|error| error.to_string())
}

/// An app whose screens tell little: a cut that looks right often leads somewhere else.
fn maze(shape: &AppShape, seed: u64) -> Value {
    let mut random = SplitMix::new(seed);
    let n_states = 3 * shape.screens;
    let mut states = serde_json::Map::new();
    for state in 0..n_states {
        let edge = |action| {
            let to = format!("c{}", random.below(n_states));
            let branch = format!("b{}", random.below(shape.branches));
            let covers = if random.chance(0.3) {
                vec![branch]
            } else {
                Vec::new()
            };
            json!({"action": format!("a{action}"), "to": to, "covers": covers})
        };
        let edges: Vec<_> = (0..4).map(edge).collect();
        let screen = format!("S{}", state % shape.screens);
        states.insert(
            format!("c{state}"),
            json!({"screen": screen, "edges": edges}),
        );
    }
    json!({"launch": "c0", "covers": ["start"], "states": states})
}

fn parse(setting: &str) -> (String, toml::Value) {
    let (key, value) = setting.split_once('=').expect("a setting is KEY=VALUE");
    let table: toml::Table = toml::from_str(&format!("value = {value}"))
        .or_else(|_| toml::from_str(&format!("value = {value:?}")))
        .expect("a value is TOML or a word");
    (key.to_owned(), table["value"].clone())
}

impl Reduced {
    pub(crate) fn read(folder: &Path) -> Self {
        let text = |name| fs::read_to_string(folder.join(name)).expect("the result is there");
        Self {
            folder: folder.to_owned(),
            report: serde_json::from_str(&text("report.json")).expect("the report is JSON"),
            suite: text("suite.jsonl"),
        }
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).expect("the file is there")
    }

    pub(crate) fn list(&self, field: &str) -> &[Value] {
        self.report[field].as_array().expect("the field is a list")
    }

    /// Device time of one replay of the whole result.
    pub(crate) fn seconds(&self) -> f64 {
        seconds(&self.report["output"])
    }

    /// The elements of a list such as `lost`.
    pub(crate) fn named(&self, field: &str) -> BTreeSet<String> {
        let name = |entry: &Value| entry["element"].as_str().expect("a name").to_owned();
        self.list(field).iter().map(name).collect()
    }
}

/// Device time of a suite with so many traces and steps.
pub(crate) fn seconds(size: &Value) -> f64 {
    let figure = |field| f64::from(size[field].as_u64().expect("a count") as u32);
    figure("traces") * 15.0 + figure("steps") * 2.0
}

/// The traces of a suite as JSON.
pub(crate) fn traces(suite: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).expect("a trace is JSON");
    suite.lines().map(read).collect()
}

/// Everything that a suite covers, spelt as reports do for names without a colon.
pub(crate) fn covered(suite: &str) -> BTreeSet<String> {
    let mut covered = BTreeSet::new();
    for trace in traces(suite) {
        let steps = trace["steps"].as_array().expect("steps are a list");
        for part in steps.iter().chain([&trace["launch"]]) {
            let covers = part["covers"].as_array().into_iter().flatten();
            let text = |value: &Value| value.as_str().map(str::to_owned);
            covered.extend(covers.filter_map(text));
            covered.extend(text(&part["screen"]).map(|name| format!("screen:{name}")));
            covered.extend(text(&part["fault"]).map(|name| format!("fault:{name}")));
        }
    }
    covered
}
