//! The phone behind the protocol: its files, settings, log, screen and the app on it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::Options;
use super::app::{Installed, Process};
use super::connection::Host;
use super::journal::Journal;
use super::trouble::Trouble;

/// So many commands are remembered at most.
const MOST_COMMANDS: usize = 200_000;

/// A phone.
#[expect(
    clippy::struct_excessive_bools,
    reason = "a phone has many things that are so or not"
)]
pub(super) struct Phone {
    pub(super) old: bool,
    pub(super) hosts: Vec<Host>,
    pub(super) properties: BTreeMap<String, String>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) log: Journal,
    /// Every command that was run, after substitution.
    pub(super) commands: Vec<Vec<String>>,
    /// Every text that was typed.
    pub(super) typed: Vec<String>,
    pub(super) trouble: Trouble,
    pub(super) is_full: bool,
    pub(super) halve_next_dump: bool,
    pub(super) package: String,
    pub(super) granted: BTreeSet<String>,
    pub(super) is_awake: bool,
    pub(super) is_locked: bool,
    pub(super) keyboard: Option<String>,
    pub(super) booted_at: Instant,
    pub(super) idle_at: Instant,
    pub(super) app: Option<Installed>,
    pub(super) process: Option<Process>,
    /// The activity that a crashed app left behind.
    pub(super) crashed: Option<String>,
    pub(super) has_anr: bool,
    pub(super) is_focused: bool,
    pub(super) is_unplugged: bool,
    pub(super) buffer: String,
    pub(super) pids: u32,
    pub(super) lag: Duration,
    pub(super) boot: Duration,
}

impl Phone {
    pub(super) fn new(options: &Options) -> Self {
        let mut phone = Self {
            old: options.old,
            hosts: Vec::new(),
            properties: BTreeMap::new(),
            settings: BTreeMap::new(),
            files: BTreeMap::new(),
            log: Journal::default(),
            commands: Vec::new(),
            typed: Vec::new(),
            trouble: Trouble::new(&options.trouble, options.seed),
            is_full: false,
            halve_next_dump: false,
            package: options.package.clone(),
            granted: BTreeSet::new(),
            is_awake: false,
            is_locked: true,
            keyboard: None,
            booted_at: Instant::now(),
            idle_at: Instant::now(),
            app: None,
            process: None,
            crashed: None,
            has_anr: false,
            is_focused: false,
            is_unplugged: false,
            buffer: String::new(),
            pids: 1000,
            lag: options.lag,
            boot: options.boot,
        };
        let scales = [
            "window_animation_scale",
            "transition_animation_scale",
            "animator_duration_scale",
        ];
        for scale in scales {
            phone
                .settings
                .insert(format!("global {scale}"), "1.0".to_owned());
        }
        phone
    }

    pub(super) fn file(&self, path: &str) -> Option<Vec<u8>> {
        match path {
            "/data/virtual/commands" => {
                let lines = self.commands.iter().map(|words| format!("{words:?}\n"));
                Some(lines.collect::<String>().into_bytes())
            }
            "/data/virtual/typed" => {
                let lines = self.typed.iter().map(|text| format!("{text:?}\n"));
                Some(lines.collect::<String>().into_bytes())
            }
            path => self.files.get(path).cloned(),
        }
    }

    pub(super) fn write(&mut self, path: &str, content: Vec<u8>) -> Result<(), String> {
        if self.is_full {
            return Err("No space left on device".to_owned());
        }
        if !["/data/", "/sdcard/", "/storage/"]
            .iter()
            .any(|root| path.starts_with(root))
        {
            return Err("Read-only file system".to_owned());
        }
        self.files.insert(path.to_owned(), content);
        Ok(())
    }

    /// Writes a command down; the oldest ones are forgotten in the end.
    pub(super) fn ran(&mut self, words: &[String]) {
        if self.commands.len() >= MOST_COMMANDS {
            self.commands.drain(..MOST_COMMANDS / 2);
        }
        self.commands.push(words.to_vec());
    }

    /// Whether it does not even answer.
    pub(super) fn is_down(&self) -> bool {
        self.is_unplugged || Instant::now() + self.boot / 2 < self.booted_at
    }

    /// Nobody can reach it any more.
    pub(super) fn unplug(&mut self) {
        self.is_unplugged = true;
        self.cut();
    }

    pub(super) fn has_booted(&self) -> bool {
        Instant::now() >= self.booted_at
    }

    /// Cuts all connections.
    pub(super) fn cut(&mut self) {
        for host in self.hosts.drain(..) {
            host.cut();
        }
    }

    /// Goes down; comes up again after a while, locked and with nothing running.
    pub(super) fn reboot(&mut self) {
        self.stop();
        self.log.clear();
        self.properties.clear();
        self.describe_app();
        self.is_full = false;
        self.is_awake = false;
        self.is_locked = true;
        self.booted_at = Instant::now() + self.boot;
        self.cut();
    }
}
