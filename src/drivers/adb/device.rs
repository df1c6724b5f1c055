//! One device behind an adb server: starts the app, does things to it, and sees what comes of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::agent::Agent;
use super::deed::{Deed, Deeds, deeds};
use super::link::Link;
use super::log::Position;
use super::look::FULL;
use super::offers::offers;
use super::ready::{self, Before};
use super::rest::Settled;
use super::words::quoted;
use super::{Target, hand};
use crate::drivers::Setup;
use crate::model::Seed;
use crate::model::window::Window;
use crate::replay::{Driver, DriverError, Reaction, Sight, Start};

/// How often odd things came after the same actions, on all devices of a fleet.
pub(super) type Hangs = Arc<Mutex<HashMap<u64, u32>>>;

/// A device with one app.
pub(super) struct AdbDevice {
    name: String,
    pub(super) link: Link,
    pub(super) target: Target,
    pub(super) setup: Setup,
    pub(super) hangs: Hangs,
    agent: Option<Agent>,
    before: Option<Before>,
    pub(super) log: Position,
    pub(super) window: Window,
    is_alive: bool,
    rotation: u8,
    /// Stands for all actions since the start.
    pub(super) history: Seed,
    starts: u64,
    pub(super) at_start: Covered,
}

/// How much each kind of coverage told.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Covered {
    pub(super) logged: usize,
    pub(super) by_agent: usize,
}

impl AdbDevice {
    pub(super) fn new(
        link: Link,
        target: Target,
        setup: Setup,
        agent: Option<Agent>,
        hangs: Hangs,
    ) -> Self {
        Self {
            name: link.serial().to_owned(),
            link,
            target,
            setup,
            hangs,
            agent,
            before: None,
            log: Position::default(),
            window: Window::default(),
            is_alive: false,
            rotation: 0,
            history: Seed(0),
            starts: 0,
            at_start: Covered::default(),
        }
    }

    pub(super) fn carry_out(&mut self, deeds: &[Deed]) -> Result<(), DriverError> {
        let has_keyboard = self
            .before
            .as_ref()
            .is_some_and(|before| before.has_keyboard);
        let mut script: Vec<String> = Vec::new();
        for deed in deeds {
            let one = hand::script(deed, self.rotation, has_keyboard);
            script.push(one.map_err(DriverError::Unwell)?);
            if let Deed::Rotate(quarters) = deed {
                self.rotation = quarters.unwrap_or(u8::from(self.rotation == 0));
            }
        }
        self.link.run(&script.join("; ")).map(drop)
    }

    /// Performs what an action means; nothing when it is not there to be done.
    fn act(&mut self, deeds: &Deeds) -> Result<Option<Settled>, DriverError> {
        let mut settled = self.do_all(deeds)?;
        if let Some(settled) = &mut settled {
            self.ask_agent(settled)?;
        }
        Ok(settled)
    }

    fn do_all(&mut self, deeds: &Deeds) -> Result<Option<Settled>, DriverError> {
        self.carry_out(&deeds.deeds)?;
        let settled = self.settle(false)?;
        let Some(Deed::Choose(text)) = deeds.deeds.last() else {
            return Ok(Some(settled));
        };
        let entry = format!("tap:{text}");
        let Some(Deeds { deeds, .. }) = super::deed::deeds(&entry, &settled.window) else {
            return Ok(None);
        };
        self.carry_out(&deeds)?;
        let mut chosen = self.settle(false)?;
        let mut told = settled.told;
        told.add(chosen.told);
        chosen.told = told;
        Ok(Some(chosen))
    }

    /// Makes the device ready, the app clean and the log marked.
    fn prepare(&mut self, seed: Seed) -> Result<(), DriverError> {
        // A device that was lost comes back as it likes; one that is there answers at once.
        ready::wait(&mut self.link, self.setup.android.boot)?;
        ready::wake(&mut self.link)?;
        if self.before.is_none() {
            self.before = Some(ready::prepare(&mut self.link)?);
        }
        ready::reset(&mut self.link, &self.target.package, &self.setup.android)?;
        self.starts += 1;
        let mark = format!("{:x}.{}", seed.0, self.starts);
        let mut script = Vec::new();
        if self.rotation != 0 {
            script.push("settings put system user_rotation 0".to_owned());
            self.rotation = 0;
        }
        script.push(format!("setprop debug.reduce_suite.seed {}", seed.0));
        script.push(Position::mark_script(&mark));
        let output = self.link.run(&script.join("\n"))?;
        self.log = Position::marked(&mark, &output.text());
        Ok(())
    }

    fn launch(&mut self) -> Result<(), DriverError> {
        let component = format!("{}/{}", self.target.package, self.target.activity);
        let script = format!("am start -W -n {} 2>&1", quoted(&component));
        let output = self.link.run(&script)?;
        let text = output.text();
        if text.contains("No space left") {
            return Err(DriverError::Unwell(FULL.to_owned()));
        }
        if output.status != 0 || text.contains("Error:") || text.contains("Error type") {
            let line = text.lines().find(|line| line.contains("Error:"));
            let why = line.unwrap_or("am start ended badly").trim().to_owned();
            return Err(DriverError::Unwell(why));
        }
        Ok(())
    }

    fn try_start(&mut self, start: Start) -> Result<Settled, DriverError> {
        self.prepare(start.seed)?;
        if let Some(agent) = &mut self.agent {
            agent.started(&mut self.link)?;
        }
        self.launch()?;
        let mut settled = self.settle(true)?;
        let logged = settled.told.covers.len();
        self.ask_agent(&mut settled)?;
        self.at_start = Covered {
            logged,
            by_agent: settled.told.covers.len() - logged,
        };
        Ok(settled)
    }

    /// Adds what the agent inside the app saw; one that has died with the app saw nothing.
    fn ask_agent(&mut self, settled: &mut Settled) -> Result<(), DriverError> {
        if let Some(agent) = &mut self.agent
            && settled.look.is_running
        {
            let covers = agent.covers(&mut self.link, &self.target.package)?;
            settled.told.covers.extend(covers);
        }
        Ok(())
    }

    /// Sees to it that a device in trouble can be used again.
    fn heal(&mut self, error: &DriverError) {
        match error {
            DriverError::Unwell(reason) if reason == FULL => ready::make_room(&mut self.link),
            // It may come back with other settings, such as after a factory reset.
            DriverError::Lost | DriverError::TimedOut(_) => self.before = None,
            _ => {}
        }
        self.is_alive = false;
    }

    pub(super) fn offered(&self) -> Vec<String> {
        if self.is_alive {
            offers(&self.window)
        } else {
            Vec::new()
        }
    }

    fn sight(&mut self, settled: Settled, since: Instant) -> Sight {
        self.is_alive = settled.look.is_running && !settled.told.crashed;
        self.window = settled.window;
        Sight {
            screen: settled.screen,
            covers: settled.told.covers,
            fault: settled.told.fault,
            micros: micros(since),
            aim: None,
        }
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

impl Driver for AdbDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, start: Start) -> Result<Sight, DriverError> {
        let since = Instant::now();
        self.history = Seed(0);
        let settled = self
            .try_start(start)
            .inspect_err(|error| self.heal(error))?;
        Ok(self.sight(settled, since))
    }

    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError> {
        let since = Instant::now();
        if !self.is_alive {
            return Ok(Reaction::Dead);
        }
        self.history = self.history.derive(action);
        let Some(deeds) = deeds(action, &self.window) else {
            return Ok(Reaction::NotEnabled {
                micros: micros(since),
            });
        };
        let settled = self.act(&deeds).inspect_err(|error| self.heal(error))?;
        let refused = |settled: &Settled| settled.told.refused && settled.told.covers.is_empty();
        match settled {
            Some(settled) if !refused(&settled) => {
                let mut sight = self.sight(settled, since);
                sight.aim = deeds.aim;
                Ok(Reaction::Sight(sight))
            }
            _ => Ok(Reaction::NotEnabled {
                micros: micros(since),
            }),
        }
    }

    fn offers(&mut self) -> Result<Vec<String>, DriverError> {
        Ok(self.offered())
    }

    fn window(&self) -> Option<&Window> {
        Some(&self.window)
    }

    fn probe(&mut self) -> Result<Vec<String>, DriverError> {
        Ok(self.tells())
    }

    fn is_alive(&mut self) -> Result<bool, DriverError> {
        Ok(self.is_alive)
    }
}

impl Drop for AdbDevice {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            // A device that is gone keeps a note of it, which the next run reads.
            let _ = ready::restore(&mut self.link, &before);
        }
    }
}
