//! `cargo xtask generate`: writes a simulated app and a suite recorded on it into a folder.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::str::FromStr;

use serde_json::Value;

use crate::generate::random_app::AppShape;
use crate::generate::{GENERATORS, app_model, file_browser, record};

/// How it is called.
pub const USAGE: &str = "\
cargo xtask generate file-browser [--seed N] [--traces N] [--mean N] --out DIR
       cargo xtask generate random|flags|grid [--screens N] [--branches N] [--hidden SHARE] [--flaky SHARE] [--faults N] [--crashes N]
                       [--seed N] [--traces N] [--mean N] --out DIR
";

/// Carries `generate WORDS…` out.
pub fn run(words: &[String]) -> Result<(), Box<dyn Error>> {
    let (task, options) = words.split_first().ok_or("no task given")?;
    let options = Options::parse(options)?;
    let seed = options.get("seed", 7)?;
    match task.as_str() {
        "file-browser" => {
            options.allow(&["seed", "traces", "mean", "out"])?;
            write(&options, &file_browser::app(), seed, (300, 16))
        }
        name => {
            let known = GENERATORS.iter().find(|(known, _)| *known == name);
            let (_, draw) = known.ok_or_else(|| format!("unknown task {name}"))?;
            let shape = AppShape {
                screens: options.get("screens", 90)?,
                branches: options.get("branches", 2000)?,
                hidden: options.get("hidden", 0.06)?,
                flaky: options.get("flaky", 0.02)?,
                faults: options.get("faults", 3)?,
                crashes: options.get("crashes", 2)?,
            };
            write(&options, &draw(&shape, seed), seed, (800, 16))
        }
    }
}

fn write(
    options: &Options,
    app: &Value,
    seed: u64,
    (traces, mean): (usize, usize),
) -> Result<(), Box<dyn Error>> {
    let out = Path::new(options.0.get("out").ok_or("--out is missing")?);
    let suite = record::suite(
        app,
        seed,
        options.get("traces", traces)?,
        options.get("mean", mean)?,
    );
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("app.json"), app_model::text(app)?)?;
    let lines: String = suite.iter().flat_map(|line| [line, "\n"]).collect();
    std::fs::write(out.join("suite.jsonl"), lines)?;
    Ok(())
}

/// The options of the command line by name.
struct Options(BTreeMap<String, String>);

impl Options {
    const KNOWN: [&'static str; 10] = [
        "seed", "traces", "mean", "out", "screens", "branches", "hidden", "flaky", "faults",
        "crashes",
    ];

    fn parse(words: &[String]) -> Result<Self, String> {
        let mut options = BTreeMap::new();
        for pair in words.chunks(2) {
            let name = pair[0]
                .strip_prefix("--")
                .ok_or(format!("{} is no option", pair[0]))?;
            let value = pair.get(1).ok_or(format!("--{name} has no value"))?;
            options.insert(name.to_owned(), value.clone());
        }
        let options = Self(options);
        options.allow(&Self::KNOWN)?;
        Ok(options)
    }

    fn allow(&self, known: &[&str]) -> Result<(), String> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(format!("unknown option --{name}")),
            None => Ok(()),
        }
    }

    fn get<T: FromStr>(&self, name: &str, default: T) -> Result<T, String> {
        match self.0.get(name) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|_| format!("--{name}: {text} is no number")),
        }
    }
}
