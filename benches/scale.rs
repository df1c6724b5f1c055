//! How load, cover and bound grow with the suite: usual and hostile shapes, from one to ten million
//! steps; `--help` tells what else there is. Every row is measured in a process of its own.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![expect(clippy::print_stdout, reason = "its figures are its result")]
#![expect(
    clippy::print_stderr,
    reason = "it refuses words that it does not know"
)]

#[path = "scale/row.rs"]
mod row;
#[path = "scale/shapes.rs"]
mod shapes;

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use row::{HEAD, MEASURE, Row};
use shapes::{SHAPES, Shape};

const USAGE: &str = "cargo bench --bench scale -- [WORD]…

  a number        steps of a suite; 1000000 and 10000000 where there is none
  a shape         only this one; all shapes where there is none:
                  SHAPES
  FILE            a suite of your own instead of made-up ones
  --cold          read each suite from the disk, not from the page cache
  --zst           compress the made-up suites
  --repeat=N      the least of N runs for each figure";

/// What was asked for.
struct Asked {
    sizes: Vec<u64>,
    shapes: Vec<&'static Shape>,
    files: Vec<PathBuf>,
    is_cold: bool,
    is_packed: bool,
    n_runs: u32,
}

impl Asked {
    /// Reads the words of the command line; gives back the first that means nothing.
    fn new(words: &[String]) -> Result<Self, String> {
        let mut asked = Self {
            sizes: Vec::new(),
            shapes: Vec::new(),
            files: Vec::new(),
            is_cold: false,
            is_packed: false,
            n_runs: 1,
        };
        for word in words {
            let shape = SHAPES.iter().find(|shape| shape.name == word);
            let repeat = word.strip_prefix("--repeat=");
            match (word.parse(), shape, repeat.map(str::parse)) {
                (Ok(steps), ..) => asked.sizes.push(steps),
                (_, Some(shape), _) => asked.shapes.push(shape),
                (.., Some(Ok(n_runs))) if n_runs > 0 => asked.n_runs = n_runs,
                _ if word == "--cold" => asked.is_cold = true,
                _ if word == "--zst" => asked.is_packed = true,
                _ if Path::new(word).is_file() => asked.files.push(word.into()),
                _ => return Err(word.clone()),
            }
        }
        if asked.sizes.is_empty() {
            asked.sizes = vec![1_000_000, 10_000_000];
        }
        if asked.shapes.is_empty() {
            asked.shapes = SHAPES.iter().collect();
        }
        Ok(asked)
    }

    fn row(&self, path: &Path) -> Row {
        let runs = (0..self.n_runs).map(|_| {
            if self.is_cold {
                forget(path);
            }
            Row::of_fresh_process(path)
        });
        runs.reduce(Row::least).expect("there is a run")
    }

    fn made_up(&self) {
        for shape in &self.shapes {
            let mut before: Option<Row> = None;
            for &n_steps in &self.sizes {
                let folder = tempfile::tempdir().expect("a folder for the suite");
                let mut path = folder.path().join("suite.jsonl");
                let written = shape.write(&path, n_steps);
                written.expect("the suite can be written");
                if self.is_packed {
                    path = pack(&path).expect("the suite can be compressed");
                }
                let row = self.row(&path);
                println!("{}", row.shown(shape.name, before.as_ref()));
                before = Some(row);
            }
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    if let [first, path] = &words[..]
        && first == MEASURE
    {
        println!("{}", Row::measure(Path::new(path)).figures());
        return ExitCode::SUCCESS;
    }
    let names: Vec<_> = SHAPES.iter().map(|shape| shape.name).collect();
    let usage = USAGE.replace("SHAPES", &names.join(", "));
    if words.iter().any(|word| word == "--help") {
        println!("{usage}");
        return ExitCode::SUCCESS;
    }
    let asked = match Asked::new(&words) {
        Ok(asked) => asked,
        Err(word) => {
            eprintln!("`{word}` is neither a size, a shape, a file nor an option\n\n{usage}");
            return ExitCode::from(2);
        }
    };
    println!("{HEAD}");
    for file in &asked.files {
        println!("{}", asked.row(file).shown(&file.to_string_lossy(), None));
    }
    if asked.files.is_empty() {
        asked.made_up();
    }
    ExitCode::SUCCESS
}

/// Compresses a file and removes the plain one.
fn pack(path: &Path) -> io::Result<PathBuf> {
    let packed = path.with_extension("jsonl.zst");
    let plain = BufReader::with_capacity(1 << 20, File::open(path)?);
    zstd::stream::copy_encode(plain, File::create(&packed)?, 3)?;
    fs::remove_file(path)?;
    Ok(packed)
}

/// Has the system write a file to the disk and drop it from the page cache.
fn forget(path: &Path) {
    let mut of = std::ffi::OsString::from("of=");
    of.push(path);
    let words = [
        "oflag=nocache",
        "conv=notrunc,fdatasync",
        "count=0",
        "status=none",
    ];
    let done = Command::new("dd").arg(of).args(words).status();
    assert!(
        done.is_ok_and(|status| status.success()),
        "dd drops {}",
        path.display()
    );
}
