//! `cargo xtask bench web`: real web apps are explored, reduced, replayed and audited, and the figures come as a table.
//!
//! Everything goes through the command line of the tool, a process for each command, and every figure comes from the
//! files that it leaves. A second call goes on where the first one stopped.

mod apps;
mod figures;
mod replays;
mod table;

use std::error::Error;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use apps::App;
use figures::Figures;
use table::{Row, as_json, table};

/// The hidden task that a command of the tool runs as.
pub const TASK: &str = "tool";

/// How it is called.
pub const USAGE: &str = "\
usage: cargo xtask bench web [OPTIONS]
  --only NAME,...    some of the apps in benches/web/apps.json
  --steps 1000       steps to explore
  --devices 2        browsers at a time
  --seed 1           where random choices start
  --fresh            throw away what an earlier call left
  --no-paper         without `paper`, which takes longest by far
  --json FILE        all figures as JSON
";

/// Carries `tool ARGS…` out: a command of the tool in a process of its own.
#[must_use]
pub fn tool_here(words: impl Iterator<Item = OsString>) -> ExitCode {
    reduce_suite::cli::main([OsString::from("reduce-suite")].into_iter().chain(words))
}

struct Options {
    only: Vec<String>,
    steps: u32,
    devices: u32,
    seed: u64,
    fresh: bool,
    paper: bool,
    json: Option<PathBuf>,
}

impl Options {
    fn parse(words: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            only: Vec::new(),
            steps: 1000,
            devices: 2,
            seed: 1,
            fresh: false,
            paper: true,
            json: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match &**word {
                "--fresh" => {
                    options.fresh = true;
                    continue;
                }
                "--no-paper" => {
                    options.paper = false;
                    continue;
                }
                _ => {}
            }
            let value = words
                .next()
                .ok_or_else(|| format!("{word} needs a value"))?;
            match &**word {
                "--only" => options.only = value.split(',').map(str::to_owned).collect(),
                "--steps" => options.steps = value.parse()?,
                "--devices" => options.devices = value.parse()?,
                "--seed" => options.seed = value.parse()?,
                "--json" => options.json = Some(value.into()),
                _ => return Err(format!("unknown option {word}").into()),
            }
        }
        Ok(options)
    }
}

/// Carries `bench web WORDS…` out; exit code 1 tells that an app broke or lost coverage.
pub(super) fn run(words: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    if words.iter().any(|word| word == "--help") {
        std::io::stdout().write_all(USAGE.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options::parse(words)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let apps = apps::all(&root.join("benches/web/apps.json"))?;
    let wanted = |app: &&App| options.only.is_empty() || options.only.contains(&app.name);
    let mut rows: Vec<Row> = Vec::new();
    for app in apps.iter().filter(wanted) {
        say(&app.name, "");
        let row = bench(app, &options, &root.join("target/web"));
        if let Err(error) = &row {
            say(&app.name, error);
        }
        rows.push((app.name.clone(), row));
    }
    let mut out = std::io::stdout();
    write!(out, "{}", table(&rows))?;
    if let Some(file) = &options.json {
        let rows: Vec<_> = rows.iter().map(as_json).collect();
        std::fs::write(file, format!("{:#}\n", serde_json::Value::from(rows)))?;
    }
    let is_bad =
        |row: &Result<Figures, String>| row.as_ref().map_or(true, |figures| !figures.holds());
    Ok(ExitCode::from(u8::from(
        rows.iter().any(|(_, row)| is_bad(row)),
    )))
}

fn say(app: &str, what: &str) {
    // Nothing is left to report to if stderr is gone.
    let _ = writeln!(std::io::stderr(), "== {app} {what}");
}

fn bench(app: &App, options: &Options, target: &Path) -> Result<Figures, String> {
    let served = app.prepare(&target.join("packages"))?;
    let bench = Bench {
        device: format!(
            "web:{}?count={}{}",
            served.display(),
            options.devices,
            app.page_option()
        ),
        folder: target.join("results").join(&app.name),
        options,
    };
    let text = |name: &str| bench.folder.join(name).display().to_string();
    let explored = format!("{}/suite.jsonl", text("explored"));
    let budget = format!("{}steps", options.steps);
    bench.go(
        "explore",
        &["--budget", &budget, "--out", &text("explored")],
        &[0],
    )?;
    bench.go(
        "reduce",
        &[&explored, "--strategy", "best", "--out", &text("best")],
        &[0, 1],
    )?;
    let best = format!("{}/suite.jsonl", text("best"));
    bench.go(
        "stabilize",
        &[&best, "--runs", "10", "--out", &text("replayed")],
        &[0],
    )?;
    let audited = bench.plain("audit", &[&text("best"), "--original", &explored], &[0, 1])?;
    // What an earlier call left of it is shown in any case.
    if app.paper && options.paper {
        bench.go(
            "reduce",
            &[&explored, "--strategy", "paper", "--out", &text("paper")],
            &[0, 1],
        )?;
    }
    let paper = bench.folder.join("paper/report.json").is_file();
    Figures::read(&bench.folder, audited == 0, paper)
}

struct Bench<'a> {
    device: String,
    folder: PathBuf,
    options: &'a Options,
}

impl Bench<'_> {
    /// A command on devices that can go on where it stopped.
    fn go(&self, command: &str, words: &[&str], good: &[i32]) -> Result<i32, String> {
        let seed = self.options.seed.to_string();
        let mut all = words.to_vec();
        all.extend(["--device", &self.device, "--seed", &seed]);
        if self.options.fresh {
            all.push("--fresh");
        }
        self.plain(command, &all, good)
    }

    fn plain(&self, command: &str, words: &[&str], good: &[i32]) -> Result<i32, String> {
        say(command, &words.join(" "));
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(program);
        child
            .arg(TASK)
            .arg(command)
            .args(words)
            .stdout(Stdio::null());
        // Elsewhere no project file is found, so the defaults hold.
        std::fs::create_dir_all(&self.folder).map_err(|error| error.to_string())?;
        let status = child
            .current_dir("/")
            .status()
            .map_err(|error| error.to_string())?;
        match status.code().filter(|code| good.contains(code)) {
            Some(code) => Ok(code),
            None => Err(format!("{command} ended with {status}")),
        }
    }
}
