//! What `--help` says below the flags: examples and exit codes.

/// The exit codes in words, for the long help of every command.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    done, and every promise was kept
  1    a finding: coverage was lost, a replay went another way, or an audit failed
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
  cargo reduce-suite reduce traces/ --device sim:new-app.json --since reduced --out next

The same command again goes on where it stopped; --fresh starts over.";

pub(super) const STABILIZE: &str = "\
Examples:
  cargo reduce-suite stabilize traces/ --device sim:app.json --out stable
  cargo reduce-suite stabilize suite.jsonl --device sim:app.json --runs 20

The same command again goes on where it stopped; --fresh starts over.";

pub(super) const MINIMIZE: &str = "\
Examples:
  cargo reduce-suite minimize crash.jsonl --target crash --device sim:app.json --out small
  cargo reduce-suite minimize suite.jsonl --trace t17 --target screen:Settings --device sim:app.json
  cargo reduce-suite minimize suite.jsonl --device sim:app.json?count=8
  cargo reduce-suite minimize t.jsonl --target fault:NullPointerException --algorithm ddmin

Without --target, every recorded fault is minimised, one trace a fault; faults are the same if their
class and their top frames are. Private text that is left is typed otherwise where that reaches the
target as well. `review` shows what is left before anybody else sees it. The same command again goes on where it stopped; --fresh starts over.";

pub(super) const REVIEW: &str = "\
Examples:
  cargo reduce-suite review small
  cargo reduce-suite review small --page
  cargo reduce-suite review small --trace m2 --agree --out for-the-maker.txt

On a terminal every event is shown, one after the other, and the report is written only if you agree
at the end. The page does the same in a browser and needs no network. The report holds what was
shown and nothing else; --agree prints it instead of asking.";

pub(super) const REPLAY: &str = "\
Examples:
  cargo reduce-suite replay reduced/suite.jsonl --device sim:app.json
  cargo reduce-suite replay suite.jsonl --device sim:app.json --runs 1 --format json";

pub(super) const EXPLORE: &str = "\
Examples:
  cargo reduce-suite explore --device sim:app.json --budget 1000steps --out explored
  cargo reduce-suite explore --device 'sim:app.json?count=4' --strategy random --budget 2h
  cargo reduce-suite explore --device sim:app.json --deny cart --text Berlin --seed 7
  cargo reduce-suite explore --device sim:app.json --follow suite.jsonl --budget 0steps

The suite is DIR/suite.jsonl, ready for `reduce`; DIR/explore.html shows how coverage grew. The same
command again goes on where it stopped, and a larger --budget goes on from a smaller one.";

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
  cargo reduce-suite import --from monkey monkey.log --out suite.jsonl
  cargo reduce-suite import --from droidbot output/ --screen structure --out suite.jsonl

DroidBot's recordings are folders with events/ in them. What cannot be used of a file is told.";

pub(super) const INSPECT: &str = "\
Examples:
  cargo reduce-suite inspect window_dump.xml
  cargo reduce-suite inspect dumps/ --mask id:clock --lists collapse
  cargo reduce-suite inspect window_dump.xml --lines actionable
  cargo reduce-suite inspect output/states --format json

Settings of [screen] say which abstraction devices use.";

pub(super) const EXPORT: &str = "\
Examples:
  cargo reduce-suite export suite.jsonl --to monkey --out scripts
  cargo reduce-suite export --from monkey monkey.log --to monkey --out scripts
  cargo reduce-suite export reduced/suite.jsonl --to maestro --out flows
  cargo reduce-suite export reduced/suite.jsonl --to adb-shell --out scripts
  cargo reduce-suite export reduced/suite.jsonl --to uiautomator2 --out tests

Exit code 1 where a step cannot be written; it is named.";

pub(super) const DESCRIBE: &str = "\
Examples:
  cargo reduce-suite describe suite.jsonl
  cargo reduce-suite describe monkey.log --brief
  cargo reduce-suite describe --from monkey script.log --off optional --format json";

pub(super) const AUDIT: &str = "\
Examples:
  cargo reduce-suite audit reduced --original traces/
  cargo reduce-suite audit reduced --original traces/ --format json
  cargo reduce-suite audit reduced --original traces/ --replay --device sim:app.json

Exit code 0 only when everything holds.";

pub(super) const REPORT: &str = "\
Examples:
  cargo reduce-suite report reduced
  cargo reduce-suite report reduced --format json";

pub(super) const EXPLAIN: &str = "\
Examples:
  cargo reduce-suite explain trace t17
  cargo reduce-suite explain reduced element b42
  cargo reduce-suite explain kept r3 --dir reduced
  cargo reduce-suite explain reduced trace t17 --original traces/ --format json";

pub(super) const RESTORE: &str = "\
Examples:
  cargo reduce-suite restore reduced t17 --why ticket-4711 --original traces/
  cargo reduce-suite restore reduced t17 t18 --why smoke-tests
  cargo reduce-suite restore reduced --undo t17

What is put back is not validated: no run has shown that it replays, and no figure of coverage
counts it. report.json lists it under `restored`, and all reports are written again.";

pub(super) const SHADOW: &str = "\
Examples:
  cargo reduce-suite shadow --full nightly/full/ --reduced nightly/reduced/
  cargo reduce-suite shadow --full f1.xml f2.xml --reduced r1.xml r2.xml --pair order
  cargo reduce-suite shadow --full full/ --reduced reduced/ --max-miss 1% --strict

A build is missed if the full suite failed and the reduced one did not. The rate is of the builds
that the full suite failed, with its Clopper-Pearson interval at 95 % confidence.";

pub(super) const SHARD: &str = "\
Examples:
  cargo reduce-suite shard reduced/suite.jsonl --total 4
  cargo reduce-suite shard reduced/suite.jsonl --total 4 --out shards
  cargo reduce-suite shard reduced/suite.jsonl --total 4 --index 2

What a trace does decides where it goes, so one trace more or less moves few of the others.";

pub(super) fn with_exit_codes(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}
