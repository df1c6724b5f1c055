//! The journal: every run on disk before it is used, so that a killed reduction goes on.
//!
//! Reducers are deterministic given the runs they see, and a run is known by its script and
//! attempt; so resuming means starting over with the journal answering what it knows. Its first
//! line says what it belongs to; another suite, app, seed or version is refused. A torn last
//! line, as a kill leaves it, is cut off.

mod error;
mod lock;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

pub use error::JournalError;
use lock::{io_error, locked};

use super::record::{Flown, RunRecord, Showing, WalkRecord};

/// The version of the journal's format.
const VERSION: u32 = 2;
/// The file in the folder of a journal.
pub const FILE: &str = "runs.jsonl";
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// What a journal belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the journal's format.
    journal: u32,
    /// Digest of the suite.
    suite: String,
    /// Kind of device and digest of the app.
    app: String,
    /// The seed that decides what simulated apps leave to chance.
    seed: u64,
}

impl Identity {
    /// The identity of runs of a suite on an app.
    #[must_use]
    pub fn new(suite: &str, app: &str, seed: u64) -> Self {
        Self {
            journal: VERSION,
            suite: suite.to_owned(),
            app: app.to_owned(),
            seed,
        }
    }
}

/// A line behind the head: a list of elements, numbered for the runs after it, or a run.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Cover { number: u32, elements: Vec<String> },
    Run(RunRecord),
    Walk(WalkRecord),
}

/// Records in the order of the file, by what was done and its number.
type Known<T> = IndexMap<(String, u32), T, FxBuildHasher>;

/// The runs that are known, and the file that new ones go to.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Option<File>,
    covers: IndexSet<Vec<String>, FxBuildHasher>,
    runs: Known<RunRecord>,
    walks: Known<WalkRecord>,
    synced: Instant,
}

impl Journal {
    /// Opens or begins the journal in a folder.
    pub fn open(folder: &Path, identity: &Identity) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        fs::create_dir_all(folder).map_err(|source| io_error(&path, source))?;
        let file = locked(&path)?;
        let mut journal = Self {
            path,
            ..Self::in_memory()
        };
        journal.load(file, identity)?;
        Ok(journal)
    }

    /// Begins the journal in a folder with the runs of another one, if that belongs to the same
    /// app and seed; runs that are there already stay as they are.
    pub fn adopt(folder: &Path, other: &Path, identity: &Identity) -> Result<(), JournalError> {
        let path = folder.join(FILE);
        let other = other.join(FILE);
        if path.exists() || !other.exists() {
            return Ok(());
        }
        let runs = fs::read(&other).map_err(|source| io_error(&other, source))?;
        let end = runs.iter().position(|&byte| byte == b'\n').unwrap_or(0);
        let (head, lines) = runs.split_at(end);
        let found: Option<Identity> = serde_json::from_slice(head).ok();
        let fits = |found: Identity| {
            Identity {
                suite: identity.suite.clone(),
                ..found
            } == *identity
        };
        if !found.is_some_and(fits) {
            return Ok(());
        }
        let head = serde_json::to_vec(identity).map_err(|e| io_error(&path, e.into()))?;
        fs::create_dir_all(folder).map_err(|source| io_error(folder, source))?;
        let aside = folder.join(".adopted");
        let written = fs::write(&aside, [&head, lines].concat());
        let renamed = written.and_then(|()| fs::rename(&aside, &path));
        renamed.map_err(|source| io_error(&path, source))
    }

    /// Throws the journal in a folder away, unless another process writes to it.
    pub fn discard(folder: &Path) -> Result<(), JournalError> {
        if !folder.exists() {
            return Ok(());
        }
        let _locked = locked(&folder.join(FILE))?;
        fs::remove_dir_all(folder).map_err(|source| io_error(folder, source))
    }

    /// A journal that keeps runs for as long as the program runs.
    #[must_use]
    pub fn in_memory() -> Self {
        Self {
            path: PathBuf::new(),
            file: None,
            covers: IndexSet::default(),
            runs: Known::default(),
            walks: Known::default(),
            synced: Instant::now(),
        }
    }

    fn load(&mut self, mut file: File, identity: &Identity) -> Result<(), JournalError> {
        let mut reader = BufReader::new(file.try_clone().map_err(|e| self.io(e))?);
        let mut whole = 0;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = reader
                .read_until(b'\n', &mut line)
                .map_err(|e| self.io(e))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            if number == 1 {
                self.check(identity, &line)?;
            } else {
                self.fold(number, &line)?;
            }
            whole += read as u64;
        }
        file.set_len(whole).map_err(|e| self.io(e))?;
        file.seek(SeekFrom::Start(whole)).map_err(|e| self.io(e))?;
        self.file = Some(file);
        if whole == 0 {
            self.write(identity).map_err(|e| self.io(e))?;
        }
        Ok(())
    }

    fn check(&self, identity: &Identity, line: &[u8]) -> Result<(), JournalError> {
        let found: Identity = serde_json::from_slice(line).map_err(|error| {
            self.damaged(1, &format!("this is not the head of a journal: {error}"))
        })?;
        let foreign = |what, found: &dyn ToString, wanted: &dyn ToString| {
            Err(JournalError::Foreign {
                path: self.path.clone(),
                what,
                found: found.to_string(),
                wanted: wanted.to_string(),
            })
        };
        if found.journal != identity.journal {
            return foreign("version of the tool", &found.journal, &identity.journal);
        }
        if found.suite != identity.suite {
            return foreign("suite", &found.suite, &identity.suite);
        }
        if found.app != identity.app {
            return foreign("app", &found.app, &identity.app);
        }
        if found.seed != identity.seed {
            return foreign("seed", &found.seed, &identity.seed);
        }
        Ok(())
    }

    fn fold(&mut self, number: usize, line: &[u8]) -> Result<(), JournalError> {
        let line = serde_json::from_slice(line)
            .map_err(|error| self.damaged(number, &error.to_string()))?;
        match line {
            Line::Cover {
                number: cover,
                elements,
            } => {
                let (index, new) = self.covers.insert_full(elements);
                if !new || index != cover as usize {
                    return Err(self.damaged(number, "covers are out of order"));
                }
            }
            Line::Walk(record) => {
                let steps = record.steps.iter();
                let covers = steps.filter_map(|(_, shown)| shown.as_ref());
                let covers = covers.map(|(_, cover)| *cover);
                let offers = record.offers.iter().flat_map(|&(one, other)| [one, other]);
                self.check_covers(number, covers.chain(offers).chain([record.launch.1]))?;
                let key = (record.plan.clone(), record.session);
                self.walks.entry(key).or_insert(record);
            }
            Line::Run(record) => {
                self.check_covers(number, record.covers.iter().copied())?;
                let key = (record.script.clone(), record.attempt);
                self.runs.entry(key).or_insert(record);
            }
        }
        Ok(())
    }

    fn check_covers(
        &self,
        number: usize,
        mut covers: impl Iterator<Item = u32>,
    ) -> Result<(), JournalError> {
        if covers.any(|cover| cover as usize >= self.covers.len()) {
            return Err(self.damaged(number, "a cover is used before it is listed"));
        }
        Ok(())
    }

    fn damaged(&self, line: usize, reason: &str) -> JournalError {
        JournalError::Damaged {
            path: self.path.clone(),
            line,
            reason: reason.to_owned(),
        }
    }

    fn io(&self, source: io::Error) -> JournalError {
        io_error(&self.path, source)
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        file.write_all(&bytes)
    }

    /// The run of a script, if it is known.
    pub(super) fn find(&self, key: &str, attempt: u32) -> Option<&RunRecord> {
        // One small allocation a look-up is nothing beside a replay.
        self.runs.get(&(key.to_owned(), attempt))
    }

    /// The place of a run among the runs of the file, from 0.
    pub(super) fn place_of_run(&self, key: &str, attempt: u32) -> Option<usize> {
        self.runs.get_index_of(&(key.to_owned(), attempt))
    }

    /// The place of a live session among those of the file, from 0.
    pub(super) fn place_of_walk(&self, key: &str, session: u32) -> Option<usize> {
        self.walks.get_index_of(&(key.to_owned(), session))
    }

    /// The live session of a plan, if it is known.
    pub(super) fn find_walk(&self, key: &str, session: u32) -> Option<&WalkRecord> {
        self.walks.get(&(key.to_owned(), session))
    }

    /// The elements of a cover.
    pub(super) fn cover(&self, cover: u32) -> &[String] {
        self.covers
            .get_index(cover as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// Writes a run down.
    pub(super) fn add(
        &mut self,
        key: &str,
        attempt: u32,
        showing: Showing,
        retries: u32,
    ) -> Result<(), JournalError> {
        let mut covers = Vec::with_capacity(showing.covers.len());
        for elements in showing.covers {
            covers.push(self.cover_id(elements).map_err(|e| self.io(e))?);
        }
        let record = RunRecord {
            script: key.to_owned(),
            attempt,
            covers,
            end: showing.end,
            launches: showing.usage.launches,
            steps: showing.usage.steps,
            micros: showing.usage.micros,
            retries,
            aims: showing.aims,
        };
        self.write(&Line::Run(record.clone()))
            .map_err(|e| self.io(e))?;
        if self.synced.elapsed() > SYNC_EVERY {
            self.sync()?;
        }
        self.runs.insert((key.to_owned(), attempt), record);
        Ok(())
    }

    /// Writes a live session down.
    pub(super) fn add_walk(
        &mut self,
        key: &str,
        session: u32,
        flown: Flown,
        retries: u32,
    ) -> Result<(), JournalError> {
        let mut shown = |(screen, covers): (String, Vec<String>)| -> Result<_, JournalError> {
            Ok((screen, self.cover_id(covers).map_err(|e| self.io(e))?))
        };
        let launch = shown(flown.launch)?;
        let mut steps = Vec::with_capacity(flown.steps.len());
        for (action, sight) in flown.steps {
            steps.push((action, sight.map(&mut shown).transpose()?));
        }
        let mut offers = Vec::with_capacity(flown.offers.len());
        for (offered, denied) in flown.offers {
            let offered = self.cover_id(offered).map_err(|e| self.io(e))?;
            let denied = self.cover_id(denied).map_err(|e| self.io(e))?;
            offers.push((offered, denied));
        }
        let record = WalkRecord {
            plan: key.to_owned(),
            session,
            launch,
            steps,
            offers,
            died: flown.died,
            launches: flown.usage.launches,
            micros: flown.usage.micros,
            retries,
            aims: flown.aims,
        };
        self.write(&Line::Walk(record.clone()))
            .map_err(|e| self.io(e))?;
        self.walks.insert((key.to_owned(), session), record);
        Ok(())
    }

    fn cover_id(&mut self, elements: Vec<String>) -> io::Result<u32> {
        if let Some(index) = self.covers.get_index_of(&elements) {
            return Ok(index as u32);
        }
        let cover = self.covers.len() as u32;
        self.write(&Line::Cover {
            number: cover,
            elements: elements.clone(),
        })?;
        self.covers.insert(elements);
        Ok(cover)
    }

    /// Makes sure that what was written survives a loss of power.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|e| self.io(e))
    }
}
