//! What `--help` says below the flags: examples and exit codes.

/// The exit codes in words, for the long help of every command.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done, and every promise was kept
  1    a finding: coverage was lost, or a replay went another way
  2    bad usage or bad input; the message names file, line and reason
  3    devices or infrastructure failed; progress is saved
  130  interrupted; progress is saved";

pub(super) const PROGRAM: &str = "\
Examples:
  cargo reduce-suite reduce           reduce as config/reduce-suite.toml says
  cargo reduce-suite reduce traces/ --device sim:app.json --out reduced
  cargo reduce-suite reduce --help    all about one command";

pub(super) const REDUCE: &str = "\
Examples:
  cargo reduce-suite reduce traces/ --device sim:app.json?count=4 --out reduced
  cargo reduce-suite reduce suite.jsonl --device 'sim:app.json?count=4' --runs 3
  cargo reduce-suite reduce --budget 2h --preserve branch,screen

The same command again goes on where it stopped; --fresh starts over.";

pub(super) const STABILIZE: &str = "\
Examples:
  cargo reduce-suite stabilize traces/ --device sim:app.json --out stable
  cargo reduce-suite stabilize suite.jsonl --device sim:app.json --runs 20

The same command again goes on where it stopped; --fresh starts over.";

pub(super) const REPLAY: &str = "\
Examples:
  cargo reduce-suite replay reduced/suite.jsonl --device sim:app.json
  cargo reduce-suite replay suite.jsonl --device sim:app.json --runs 1 --format json";

pub(super) const DEVICES: &str = "\
Examples:
  cargo reduce-suite devices
  cargo reduce-suite devices --device sim:app.json";

pub(super) const COVER: &str = "\
Examples:
  cargo reduce-suite cover traces/
  cargo reduce-suite cover suite.jsonl --preserve branch --out few.jsonl
  cargo reduce-suite cover suite.jsonl --exact --min-witness 2 --format json
  cargo reduce-suite cover --from coverage-matrix chart-line.txt";

pub(super) const IMPORT: &str = "\
Examples:
  cargo reduce-suite import --from coverage-matrix chart-line.txt --out chart.jsonl
  cargo reduce-suite import --from text notes.trace --out suite.jsonl.zst
  cargo reduce-suite import --from monkey monkey.log --out suite.jsonl";

pub(super) const EXPORT: &str = "\
Examples:
  cargo reduce-suite export suite.jsonl --to monkey --out scripts
  cargo reduce-suite export --from monkey monkey.log --to monkey --out scripts";

pub(super) const DESCRIBE: &str = "\
Examples:
  cargo reduce-suite describe suite.jsonl
  cargo reduce-suite describe monkey.log --brief
  cargo reduce-suite describe --from monkey script.log --off optional --format json";

pub(super) const REPORT: &str = "\
Examples:
  cargo reduce-suite report reduced
  cargo reduce-suite report reduced --format json";

pub(super) fn with_exit_codes(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}
