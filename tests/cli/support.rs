//! A scratch folder for each test, and the program run in it.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use xtask::generate::random_app::AppShape;
use xtask::generate::{app_model, random_app, record};

use super::patience;

/// What a whole reduction leaves for its readers.
pub(crate) const RESULTS: [&str; 5] = [
    "suite.jsonl",
    "report.json",
    "report.md",
    "report.html",
    "junit.xml",
];

/// Where runs are kept.
pub(crate) const RUNS: &str = "journal/runs.jsonl";

/// The words for reducing the case's suite on one simulated device into `out`.
pub(crate) const REDUCE: [&str; 6] = [
    "reduce",
    "suite.jsonl",
    "--device",
    "sim:app.json",
    "--out",
    "out",
];

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }

    /// Checks that all went well.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// Checks for a failure: its exit code, silence on stdout, and one message that names all
    /// of these.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, named: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        for part in named {
            assert!(self.stderr.contains(part), "no `{part}` in {self:#?}");
        }
        self
    }
}

/// The program with these words, to be run in a folder.
pub(crate) fn program(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-reduce-suite"));
    command
        .args(words)
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program in a folder, for a minute at most.
#[track_caller]
pub(crate) fn run(folder: &Path, words: &[&str]) -> Ran {
    // A pipe would fill up while nobody reads it.
    let scratch = || tempfile::tempfile().expect("there is room for a scratch file");
    let (mut stdout, mut stderr) = (scratch(), scratch());
    let same = |file: &File| file.try_clone().expect("there are handles left");
    let child = program(folder, words)
        .stdout(same(&stdout))
        .stderr(same(&stderr))
        .spawn();
    let output = Output {
        status: patience::status(&mut child.expect("the program can be started")),
        stdout: content(&mut stdout),
        stderr: content(&mut stderr),
    };
    Ran::of(output)
}

fn content(file: &mut File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().expect("it is a file");
    file.read_to_end(&mut bytes).expect("it can be read");
    bytes
}

/// A scratch folder with an app and a suite.
pub(crate) struct Case {
    folder: TempDir,
}

impl Case {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a scratch folder");
        Self { folder }
    }

    /// Three traces that splice into one, as `suite.jsonl` on `app.json`.
    pub(crate) fn small() -> Self {
        let case = Self::empty();
        let folder = root().join("testdata/paper-2-4");
        fs::copy(folder.join("app.json"), case.path("app.json")).expect("the app is there");
        let traces = [
            r#"{"id":"t1","launch":{"screen":"s0"},"steps":[{"action":"a","covers":["C1"],"screen":"s1"},{"action":"b","covers":["C2"],"screen":"s2"}]}"#,
            r#"{"id":"t2","launch":{"screen":"s0"},"steps":[{"action":"a","covers":["C1"],"screen":"s1"},{"action":"d","covers":["C4"],"screen":"s4"}]}"#,
        ];
        case.write(
            "suite.jsonl",
            traces.map(|trace| trace.to_owned() + "\n").concat(),
        );
        case
    }

    /// A generated app with hidden state and flaky edges, and a suite recorded on it.
    pub(crate) fn generated() -> Self {
        Self::drawn(3)
    }

    /// The same from another seed.
    pub(crate) fn drawn(seed: u64) -> Self {
        let shape = AppShape {
            screens: 25,
            branches: 300,
            hidden: 0.06,
            flaky: 0.02,
            faults: 2,
            crashes: 1,
        };
        let app = random_app::app(&shape, seed);
        let case = Self::empty();
        case.write("app.json", app_model::text(&app).expect("it is an app"));
        let lines = record::suite(&app, seed, 60, 12);
        case.write("suite.jsonl", lines.join("\n") + "\n");
        case
    }

    /// The same, reduced as published: that takes long enough to be stopped on the way.
    pub(crate) fn paper() -> Self {
        let case = Self::generated();
        fs::create_dir(case.path("config")).expect("it can be made");
        case.write("config/reduce-suite.toml", "strategy = \"paper\"\n");
        case
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("it can be made");
        fs::write(path, content).expect("the scratch folder can be written to");
    }

    /// Reads a file as text.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name));
        String::from_utf8(bytes.unwrap_or_else(|error| panic!("{name}: {error}"))).expect("UTF-8")
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        run(self.folder(), words)
    }

    /// Reduces the suite on one device into `out`, with more words.
    pub(crate) fn reduce(&self, more: &[&str]) -> Ran {
        self.run(&[&REDUCE, more].concat())
    }

    /// Reduces the suite on these devices into a folder.
    pub(crate) fn reduce_on(&self, devices: &[&str], out: &str, more: &[&str]) -> Ran {
        let devices = devices.iter().flat_map(|url| ["--device", url]);
        let mut words = vec!["reduce", "suite.jsonl", "--out", out];
        words.extend(devices);
        words.extend(more);
        self.run(&words)
    }

    /// All that a reduction left for its readers.
    #[track_caller]
    pub(crate) fn results(&self, out: &str) -> Vec<(&'static str, String)> {
        let read = |name| (name, self.read(&format!("{out}/{name}")));
        RESULTS.map(read).to_vec()
    }

    /// Checks that a failed run left nothing that could be taken for a result.
    #[track_caller]
    pub(crate) fn has_no_results(&self, out: &str) {
        let Ok(entries) = fs::read_dir(self.path(out)) else {
            return;
        };
        for entry in entries {
            let name = entry.expect("the folder can be read").file_name();
            assert_eq!(name, "journal", "a failed run left {}", name.display());
        }
    }
}

/// A report without what may differ after trouble with devices.
pub(crate) fn without_retries(report: &str) -> String {
    let differs = ["retries\":", "\"claims_sha256\":"];
    let lines = report.lines();
    let lines = lines.filter(|line| !differs.iter().any(|field| line.contains(field)));
    lines.collect::<Vec<_>>().join("\n")
}
