//! `cargo xtask bench rules`: rddmin beside ddmin on the log of 44 events of the paper, and how well
//! mined rules hold on logs that were held back.
//!
//! The errors are placed as in Table 2 of paper 002: some events of the log, in their order, make it
//! fail; they differ from the hint by so many events each way. A test costs four seconds to start and
//! a second for each event, as in the paper.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reduce_suite::import::{Limits, Loaded, load_from, named};
use reduce_suite::model::{Stop, TraceIdx};
use reduce_suite::reduce::sequence::ask::{Answer, Item, Memory, Shrunk, Spent, Verdict, items};
use reduce_suite::reduce::sequence::rddmin::log::{Log, Words, logs};
use reduce_suite::reduce::sequence::rddmin::mine::{Rule, cross_check, mine};
use reduce_suite::reduce::sequence::rddmin::rewrite::{Rewritten, rewrite};
use reduce_suite::reduce::sequence::rddmin::{as_published, ddmin, rddmin};

use crate::generate::splitmix::SplitMix;

/// The log that the errors are placed in, of the session that no rule may be mined from.
const FAILING: &str = "flx5_log_1382708392738";
const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1 << 16,
};
/// The paper's confidence: four witnesses.
const CONFIDENCE: f64 = 0.9;
/// The hint that the authors' notes name for this log.
const PUBLISHED_HINT: [usize; 7] = [4, 5, 6, 7, 8, 9, 16];

/// How many events of the hint the error lacks and how many others it has, with the seconds that the
/// paper measured for ddmin and rddmin.
const PLACEMENTS: [(usize, usize, u32, u32); 15] = [
    (7, 0, 158, 138),
    (6, 0, 451, 118),
    (5, 0, 843, 131),
    (4, 0, 1703, 342),
    (3, 0, 981, 419),
    (2, 0, 1377, 239),
    (1, 0, 1336, 235),
    (0, 4, 3515, 5944),
    (0, 3, 3189, 4911),
    (0, 2, 2167, 1581),
    (0, 1, 2019, 1003),
    (2, 4, 2290, 1895),
    (1, 4, 2145, 5597),
    (1, 3, 2058, 1894),
    (2, 1, 1988, 1769),
];

/// The logs of the shop whose session is to fail, in path order; none where there is no corpus.
#[must_use]
pub fn flex_store() -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/flexstore-bad");
    let folder = folder.join("flexstore5_CS_user_logs");
    let entries = std::fs::read_dir(folder).ok()?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
    paths.sort();
    Some(paths)
}

/// What the logs of the shop give.
pub struct Shop {
    words: Words,
    /// The logs that rules are mined from.
    pub passing: Vec<Log>,
    /// The log of 44 events.
    pub failing: Log,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The failing log as the rules leave it.
    pub rewritten: Rewritten,
}

/// Which logs rules are mined from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mined {
    /// Those of other sessions than the failing one.
    FromOthers,
    /// The passing recording of the failing session too, as in the paper.
    FromAll,
}

/// Reads the logs and mines the rules.
pub fn shop(paths: &[PathBuf], mined: Mined) -> Result<Shop, Box<dyn Error>> {
    let Loaded { suite, names, .. } = load_from(paths, &LIMITS, named("fittest"))?;
    let mut words = Words::default();
    let traces: Vec<TraceIdx> = suite.traces().map(|(idx, _)| idx).collect();
    let all = logs(&suite, &names, &traces, &mut words);
    let (mut passing, mut failing) = (Vec::new(), None);
    for (&idx, log) in traces.iter().zip(all) {
        let id = &suite.trace(idx).id;
        if id.ends_with("modified") {
            failing = Some(log);
        } else if mined == Mined::FromAll || !id.starts_with(FAILING) {
            passing.push(log);
        }
    }
    let failing = failing.ok_or("the log of 44 events is missing")?;
    let rules = mine(&passing, CONFIDENCE);
    let rewritten = rewrite(&failing.events, &rules);
    Ok(Shop {
        words,
        passing,
        failing,
        rules,
        rewritten,
    })
}

/// What one search cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost(Spent);

impl Cost {
    /// Seconds, at four a test and one an event.
    #[must_use]
    pub fn seconds(self) -> usize {
        4 * self.0.played + self.0.events
    }
}

/// One error, searched for in three ways.
pub struct Row {
    /// How many events of the hint it lacks, and how many others it has.
    pub distance: (usize, usize),
    /// Plain ddmin, rddmin as published, and ours.
    pub costs: [Cost; 3],
    /// What the paper measured for the first two, in seconds.
    pub paper: (u32, u32),
}

/// A way to search a sequence of so many events with a hint.
type Search<'a> = dyn Fn(usize, &[usize], &mut Memory) -> Shrunk + 'a;

/// Places the fifteen errors by a seed and searches for each.
pub fn rows(n_events: usize, hint: &[usize], seed: u64) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut random = SplitMix::new(seed);
    let row = |&(lacks, more, slow, fast): &(usize, usize, u32, u32)| {
        let mut inside = hint.to_vec();
        let mut outside: Vec<usize> = (0..n_events)
            .filter(|event| !hint.contains(event))
            .collect();
        random.shuffle(&mut inside);
        random.shuffle(&mut outside);
        // An error has at least one event.
        let keep = hint.len().saturating_sub(lacks).max(usize::from(more == 0));
        let mut error: Vec<usize> = inside[..keep]
            .iter()
            .chain(&outside[..more])
            .copied()
            .collect();
        error.sort_unstable();
        let plain = |n: usize, _: &[usize], memory: &mut Memory| ddmin(items(0..n), memory);
        let searches: [&Search; 3] = [&plain, &as_published, &rddmin];
        let mut costs = Vec::new();
        for search in searches {
            let mut ask =
                |sequence: &[Item]| -> Result<Answer, Stop> { Ok(play(&error, sequence)) };
            let mut memory = Memory::new(&mut ask);
            let found = search(n_events, hint, &mut memory);
            let found: Vec<usize> = found.best.iter().map(|item| item.event).collect();
            if found != error {
                return Err(format!("{found:?} was found for {error:?}").into());
            }
            costs.push(Cost(memory.spent));
        }
        Ok(Row {
            distance: (hint.len() - keep, more),
            costs: [costs[0], costs[1], costs[2]],
            paper: (slow, fast),
        })
    };
    PLACEMENTS.iter().map(row).collect()
}

/// Fails as soon as the events of the error were played in their order.
fn play(error: &[usize], sequence: &[Item]) -> Answer {
    let mut met = 0;
    for (i, item) in sequence.iter().enumerate() {
        met += usize::from(error.get(met) == Some(&item.event));
        if met == error.len() {
            let verdict = Verdict::Reproduced;
            return Answer {
                verdict,
                played: i + 1,
            };
        }
    }
    let (verdict, played) = (Verdict::Missed, sequence.len());
    Answer { verdict, played }
}

/// On how many rows a search was faster than plain ddmin: as published, and ours.
#[must_use]
pub fn wins(rows: &[Row]) -> (usize, usize) {
    let wins = |at: usize| {
        rows.iter()
            .filter(|row| row.costs[at].seconds() < row.costs[0].seconds())
            .count()
    };
    (wins(1), wins(2))
}

/// For each log the rules mined from the others: how many of them it speaks about, and how many of
/// these it contradicts.
#[must_use]
pub fn held_back(logs: &[Log]) -> Vec<(usize, usize)> {
    let checked = logs.iter().enumerate().map(|(i, log)| {
        let others: Vec<Log> = logs
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .map(|(_, log)| log.clone())
            .collect();
        let rules = mine(&others, CONFIDENCE);
        let seen = cross_check(&rules, &others, std::slice::from_ref(log));
        let spoken = seen
            .iter()
            .filter(|seen| seen.witnesses + seen.against > 0)
            .count();
        (spoken, seen.iter().filter(|seen| seen.against > 0).count())
    });
    checked.collect()
}

const SEEDS: std::ops::Range<u64> = 0..20;

/// All tables as text.
pub fn report() -> Result<String, Box<dyn Error>> {
    let Some(paths) = flex_store() else {
        return Ok("skipped: the logs of the Flex Store are not at hand\n".to_owned());
    };
    let mut text =
        "the paper: 99 rules from 10 logs with 1151 events, 44 events become 8\n\n".to_owned();
    let choices = [
        (Mined::FromOthers, "rules of other sessions"),
        (Mined::FromAll, "rules of all sessions"),
    ];
    for (mined, name) in choices {
        let shop = shop(&paths, mined)?;
        let left = &shop.rewritten.left;
        let n_logged: usize = shop.passing.iter().map(|log| log.events.len()).sum();
        let (n_rules, n_logs) = (shop.rules.len(), shop.passing.len());
        let _ = writeln!(
            text,
            "{name}: {n_rules} rules from {n_logs} logs with {n_logged} events, 44 events become {}: {left:?}",
            left.len()
        );
        for rule in shop.rules.iter().rev().take(3) {
            let (rule, witnesses) = (rule.subject.text(&shop.words), rule.seen.witnesses);
            let _ = writeln!(text, "  such as {rule} with {witnesses} witnesses");
        }
        let checked = held_back(&shop.passing);
        let spoken: usize = checked.iter().map(|(spoken, _)| spoken).sum();
        let broken: usize = checked.iter().map(|(_, broken)| broken).sum();
        let _ = writeln!(
            text,
            "  on logs held back, one at a time: {spoken} rules spoken about, {broken} contradicted"
        );
        table(&mut text, shop.failing.events.len(), left)?;
    }
    let _ = writeln!(text, "the hint in the authors' notes: {PUBLISHED_HINT:?}");
    table(&mut text, 44, &PUBLISHED_HINT)?;
    Ok(text)
}

/// The fifteen errors of one seed, and on how many each search is faster over many seeds.
fn table(text: &mut String, n_events: usize, hint: &[usize]) -> Result<(), Box<dyn Error>> {
    let _ = writeln!(
        text,
        "seconds (tests played, events); seed 1\n\
         lacks more |            ddmin | rddmin as published |      rddmin ours | paper: ddmin rddmin"
    );
    let table = rows(n_events, hint, 1)?;
    for row in &table {
        let cell =
            |cost: &Cost| format!("{} ({}, {})", cost.seconds(), cost.0.played, cost.0.events);
        let [plain, published, ours] = row.costs.each_ref().map(cell);
        let ((lacks, more), (slow, fast)) = (row.distance, row.paper);
        let _ = writeln!(
            text,
            "{lacks:>5} {more:>4} | {plain:>16} | {published:>19} | {ours:>16} | {slow:>12} {fast:>6}"
        );
    }
    let all: Result<Vec<_>, _> = SEEDS
        .map(|seed| rows(n_events, hint, seed).map(|rows| wins(&rows)))
        .collect();
    let (mut published, mut ours): (Vec<_>, Vec<_>) = all?.into_iter().unzip();
    published.sort_unstable();
    ours.sort_unstable();
    let (own_published, own_ours) = wins(&table);
    let _ = writeln!(
        text,
        "faster than ddmin: as published {own_published} of 15, ours {own_ours} of 15 (the paper: 12); \
         over 20 seeds at least {} and {}, half of them {} and {} or more\n",
        published[0], ours[0], published[10], ours[10]
    );
    Ok(())
}
