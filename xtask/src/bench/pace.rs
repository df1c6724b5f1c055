//! `cargo xtask bench pace`: steps and clean starts a second of `web:` devices, coverage on, beside a plain Playwright
//! script that does the same clicks in the same browser. Both take turns, so that a busy machine slows both.

use std::error::Error;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use reduce_suite::drivers::web::{Chromium, Server};
use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, Reaction, Start};
use reduce_suite::{config, drivers, session};
use serde_json::Value;

/// How often both take turns, the clean starts of a turn, and the clicks after each.
const TURNS: usize = 5;
const STARTS: usize = 10;
const CLICKS: [&str; 10] = [
    "later", "tip", "expert", "more", "load", "tip", "expert", "more", "later", "tip",
];
/// The most that ours may take, as a multiple of the script's time.
const MOST: f64 = 1.3;

/// Milliseconds of a turn: in all, and of its clicks.
#[derive(Debug, Clone, Copy)]
struct Turn {
    whole: f64,
    clicks: f64,
}

/// The best of some turns.
struct Pace {
    whole: f64,
    clicks: f64,
}

impl Pace {
    fn of(turns: &[Turn]) -> Self {
        let least = |of: fn(&Turn) -> f64| turns.iter().map(of).fold(f64::INFINITY, f64::min);
        Self {
            whole: least(|turn| turn.whole),
            clicks: least(|turn| turn.clicks),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = STARTS as f64 / (self.whole - self.clicks) * 1000.0;
        let steps = (STARTS * CLICKS.len()) as f64 / self.clicks * 1000.0;
        write!(f, "{starts:.1} | {steps:.1} | {:.0}", self.whole)
    }
}

/// Measures both; exit code 1 tells that ours is too slow.
pub(super) fn run() -> Result<ExitCode, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let chromium = Chromium::find("auto").ok_or("there is no Chromium on this machine")?;
    let script = Playwright {
        packages: playwright(&root.join("target/bench/pace"))?,
        chromium,
    };
    let server = Server::start(&root.join("testdata/web-notes"))?;
    let url = format!("{}/", server.url());
    let mut device = device(&url)?;
    visit(device.as_mut())?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        theirs.push(script.turn(&url)?);
        ours.push(turn(device.as_mut())?);
    }
    let (script, ours) = (Pace::of(&theirs), Pace::of(&ours));
    let times = ours.whole / script.whole;
    let text = format!(
        "{STARTS} clean starts with {} clicks each, best of {TURNS} turns:\n\n\
         |  | clean starts a second | steps a second | milliseconds in all |\n|---|---|---|---|\n\
         | Playwright script | {script} |\n| `web:` with coverage, screens and faults | {ours} |\n\n\
         {times:.2} times the time of the script; at most {MOST} is promised\n",
        CLICKS.len(),
    );
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(if times <= MOST {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn device(url: &str) -> Result<Box<dyn Driver>, Box<dyn Error>> {
    let config = config::resolve(&config::Layers::default(), Path::new("/"))?.config;
    let fleet = drivers::open(&[format!("web:{url}")], &session::setup(&config))?;
    fleet
        .devices
        .into_iter()
        .next()
        .ok_or_else(|| "no device".into())
}

/// One clean start and all clicks; milliseconds of the clicks.
fn visit(device: &mut dyn Driver) -> Result<f64, Box<dyn Error>> {
    let start = Start {
        seed: Seed(1),
        trouble: Seed(1),
    };
    device.start(start)?;
    let since = Instant::now();
    for id in CLICKS {
        let action = format!(r#"{{"do":"tap","on":{{"id":"{id}"}}}}"#);
        if !matches!(device.perform(&action)?, Reaction::Sight(_)) {
            return Err(format!("{action} cannot be done").into());
        }
    }
    Ok(since.elapsed().as_secs_f64() * 1000.0)
}

fn turn(device: &mut dyn Driver) -> Result<Turn, Box<dyn Error>> {
    let since = Instant::now();
    let mut clicks = 0.0;
    for _ in 0..STARTS {
        clicks += visit(device)?;
    }
    let whole = since.elapsed().as_secs_f64() * 1000.0;
    Ok(Turn { whole, clicks })
}

/// The script and what it needs.
struct Playwright {
    packages: PathBuf,
    chromium: PathBuf,
}

impl Playwright {
    fn turn(&self, url: &str) -> Result<Turn, Box<dyn Error>> {
        let mut node = Command::new("node")
            .args(["--input-type=module", "-"])
            .arg(&self.packages)
            .arg(url)
            .arg(&self.chromium)
            .arg(STARTS.to_string())
            .args(CLICKS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut script = node.stdin.take().ok_or("node takes no script")?;
        script.write_all(include_bytes!("pace.mjs"))?;
        drop(script);
        let output = node.wait_with_output()?;
        let said: Value = serde_json::from_slice(&output.stdout)?;
        let figure = |name: &str| said[name].as_f64().ok_or("the script gave no figures");
        Ok(Turn {
            whole: figure("whole")?,
            clicks: figure("clicks")?,
        })
    }
}

/// The folder with Playwright, installed at the first time.
fn playwright(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    if !folder.join("node_modules/playwright-core").is_dir() {
        std::fs::create_dir_all(folder)?;
        let npm = Command::new("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--silent",
                "playwright-core",
                "--prefix",
            ])
            .arg(folder)
            .status()?;
        if !npm.success() {
            return Err("npm cannot install playwright-core".into());
        }
    }
    Ok(folder.canonicalize()?)
}
