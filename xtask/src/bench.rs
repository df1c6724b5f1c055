//! `cargo xtask bench`: two strategies side by side on generated apps, judged by the independent checker.
//!
//! It knows strategies by their name, `report.json` and `suite.jsonl` alone. Apps are worked on side by side; rows come
//! in the order of the apps, and an app that breaks is a row that says so.
#![expect(
    clippy::disallowed_methods,
    reason = "a bench works on several apps at a time"
)]

mod cache;
mod case;
mod floor;
mod judge;
mod lab;
mod options;
mod pace;
mod row;
pub mod rules;
mod summary;
mod table;
pub mod web;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};

use cache::Cache;
use case::{Case, Material};
use judge::{Figures, Rules, judge};
use lab::{Lab, Reduced};
pub use lab::{TASK, reduce_here};
use options::Options;
pub use options::USAGE;
use row::{Attempt, Row};

/// Carries `bench WORDS…` out; exit code 1 tells that the gate is shut.
pub fn run(words: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    if words.first().is_some_and(|word| word == "rules") {
        std::io::stdout().write_all(rules::report()?.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if words.first().is_some_and(|word| word == "pace") {
        return pace::run();
    }
    if words.first().is_some_and(|word| word == "web") {
        return web::run(&words[1..]);
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let options = Options::parse(words, &target)?;
    if options.strategies.is_empty() || options.strategies.len() > 2 {
        return Err("--strategies: one or two of them".into());
    }
    let bench = Bench {
        cache: Cache::new(options.cache.clone()),
        work: (options.keep.clone())
            .unwrap_or_else(|| target.join(format!("bench/work-{}", std::process::id()))),
        options,
    };
    let rows = bench.rows();
    // Nothing but empty folders can be left, and nobody minds those.
    let _ = std::fs::remove_dir(&bench.work);
    let groups = summary::groups(&rows);
    let targets = summary::targets(&rows);
    let mut out = std::io::stdout();
    writeln!(out, "{}", table::rows(&rows))?;
    writeln!(out, "{}", table::groups(&groups))?;
    write!(out, "{}", table::targets(&targets))?;
    if let Some(file) = &bench.options.json {
        let rows: Vec<Value> = rows.iter().map(as_json).collect();
        let all = json!({"rows": rows, "groups": groups, "targets": targets});
        std::fs::write(file, format!("{all:#}\n"))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let shut = |target: &summary::Target| !target.met && !target.name.starts_with("aim");
    let missed = bench.options.gate && targets.iter().any(shut);
    Ok(ExitCode::from(u8::from(missed)))
}

fn as_json(row: &Row) -> Value {
    let attempt = |attempt: &Attempt| match attempt {
        Ok(figures) => json!(figures),
        Err(error) => json!({ "error": error }),
    };
    json!({
        "app": row.label,
        "base": attempt(&row.base),
        "best": row.best.as_ref().map(attempt),
        "derived": row.derived(),
        "same_on_eight": row.same_on_eight.as_ref().and_then(|same| same.as_ref().ok()),
    })
}

/// A bench at work.
struct Bench {
    options: Options,
    cache: Cache,
    work: PathBuf,
}

impl Bench {
    /// All rows, in the order of the cases.
    fn rows(&self) -> Vec<Row> {
        let cases = self.options.cases();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut rows: Vec<Option<Row>> = cases.iter().map(|_| None).collect();
        thread::scope(|scope| {
            for _ in 0..self.options.threads.max(1) {
                let (sender, next, cases) = (sender.clone(), &next, &cases);
                scope.spawn(move || {
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let at = cases.iter().position(|other| std::ptr::eq(other, case));
                        if sender.send((at, self.row(case))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (done, (at, row)) in receiver.iter().enumerate() {
                let text = table::progress(&row);
                // The table is what counts; without stderr there is no progress to see.
                let _ = writeln!(std::io::stderr(), "{}/{}  {text}", done + 1, cases.len());
                if let Some(at) = at {
                    rows[at] = Some(row);
                }
            }
        });
        rows.into_iter().flatten().collect()
    }

    fn row(&self, case: &Case) -> Row {
        let name = case.label().to_string().replace(' ', "-");
        let lab = std::panic::catch_unwind(|| case.material())
            .unwrap_or_else(|_| Err("the generator panicked".to_owned()))
            .and_then(|material| {
                let lab = Lab::new(self.work.join(name), &material, &self.options)?;
                Ok((material, lab))
            });
        let (material, lab) = match lab {
            Ok(lab) => lab,
            Err(error) => {
                return Row {
                    label: case.label(),
                    base: Err(error),
                    best: None,
                    same_on_eight: None,
                };
            }
        };
        let base = self.base(case, &material, &lab);
        let best = self.options.strategies.get(1);
        let best = best.map(|strategy| self.best(strategy, case, &material, &lab));
        let (best, same_on_eight) = best.unzip();
        Row {
            label: case.label(),
            base,
            best,
            same_on_eight: same_on_eight.flatten(),
        }
    }

    fn rules(&self, case: &Case) -> Rules {
        Rules {
            flaky: case.flaky > 0.0,
            runs: self.options.runs,
            // Not the seed of the reduction, so that its draws are not drawn again.
            seed: !case.seed,
        }
    }

    fn base(&self, case: &Case, material: &Material, lab: &Lab) -> Attempt {
        let strategy = &self.options.strategies[0];
        let key = Cache::key(strategy, case, material, &self.options);
        if let Some(figures) = self.cache.get(&key) {
            return Ok(figures);
        }
        let reduced = lab.reduce(strategy, 1, case.seed, &[])?;
        let figures = judge(material, &reduced, self.rules(case))?;
        self.cache.put(&key, &figures);
        Ok(figures)
    }

    fn best(
        &self,
        strategy: &str,
        case: &Case,
        material: &Material,
        lab: &Lab,
    ) -> (Attempt, Option<Result<bool, String>>) {
        let settings = &self.options.settings;
        let reduced = lab.reduce(strategy, 1, case.seed, settings);
        let figures = reduced
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|reduced| judged(material, reduced, self.rules(case)));
        let same = |one: Reduced| -> Result<bool, String> {
            let eight = lab.reduce(strategy, 8, case.seed, settings)?;
            Ok(one.files == eight.files)
        };
        let same_on_eight = reduced.ok().filter(|_| self.options.eight).map(same);
        (figures, same_on_eight)
    }
}

/// A checker that breaks on a result has found something too.
fn judged(material: &Material, reduced: &Reduced, rules: Rules) -> Result<Figures, String> {
    let judge = std::panic::AssertUnwindSafe(|| judge(material, reduced, rules));
    std::panic::catch_unwind(judge).unwrap_or_else(|_| Err("the checker panicked".to_owned()))
}
