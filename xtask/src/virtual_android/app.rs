//! The app on the phone: installed, running, doing things, and gone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use reduce_suite::drivers::{App, calm};
use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, Reaction, Sight, Start};

use super::agent;
use super::phone::Phone;
use super::screen::{Does, Screen};

/// What the app's log lines of covered elements are tagged with.
pub(super) const TAG: &str = "ReduceSuite";
/// What stands there when an action was ignored.
const REFUSED: &str = "!refused";

pub(super) struct Installed {
    pub(super) model: Arc<App>,
    pub(super) elements: Vec<String>,
    pub(super) screens: BTreeMap<String, Screen>,
}

pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) driver: Box<dyn Driver>,
    pub(super) screen: String,
    /// All that it has covered.
    pub(super) seen: BTreeSet<String>,
}

impl Phone {
    /// Installs an app: its model stands for the file.
    pub(super) fn install(&mut self, model: &[u8]) -> Result<(), String> {
        let app = App::parse(model).map_err(|error| error.to_string())?;
        let screens = app
            .screens()
            .into_iter()
            .map(|(name, actions)| (name.to_owned(), Screen::of(&self.package, name, &actions)));
        self.app = Some(Installed {
            screens: screens.collect(),
            model: Arc::new(app),
            elements: agent::elements(model),
        });
        self.files.insert(self.apk(), model.to_vec());
        self.describe_app();
        self.stop();
        Ok(())
    }

    /// Says by properties what the model says of the app.
    pub(super) fn describe_app(&mut self) {
        let Some(app) = &self.app else { return };
        let costs = app.model.costs();
        let costs = format!("{} {}", costs.restart_micros, costs.action_micros);
        let mut say = |name: &str, value| self.properties.insert(name.to_owned(), value);
        say("debug.reduce_suite.costs", costs);
        say("debug.reduce_suite.screens", "activity".to_owned());
    }

    /// Removes the app; whether there was one.
    pub(super) fn uninstall(&mut self) -> bool {
        self.stop();
        self.files.remove(&self.apk());
        self.granted.clear();
        self.app.take().is_some()
    }

    pub(super) fn is_installed(&self) -> bool {
        self.app.is_some()
    }

    pub(super) fn apk(&self) -> String {
        format!("/data/app/{}-1/base.apk", self.package)
    }

    /// The activity that the launcher starts.
    pub(super) fn main_activity(&self) -> Option<String> {
        let app = self.app.as_ref()?;
        Some(format!("{}.{}", self.package, app.model.launch_screen()))
    }

    /// Ends the app and takes away what it showed.
    pub(super) fn stop(&mut self) {
        self.process = None;
        self.crashed = None;
        self.has_anr = false;
        self.is_focused = false;
        self.buffer.clear();
    }

    pub(super) fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.pid)
    }

    /// Starts the app, or brings it to the front if it runs; whether it had to be started.
    pub(super) fn launch(&mut self) -> Result<bool, String> {
        if self.process.is_some() {
            return Ok(false);
        }
        let app = self.app.as_ref().ok_or("the app is not installed")?;
        let seed = self.properties.get("debug.reduce_suite.seed");
        let seed = Seed(seed.and_then(|seed| seed.parse().ok()).unwrap_or(0));
        let mut driver = calm(self.package.clone(), &app.model);
        let start = Start {
            seed,
            trouble: Seed(0),
        };
        let sight = driver.start(start).map_err(|error| error.to_string())?;
        self.crashed = None;
        self.pids += 1;
        let pid = self.pids;
        self.log.add(
            900,
            'I',
            "ActivityManager",
            &format!("Start proc {pid}:{} for activity", self.package),
        );
        self.process = Some(Process {
            pid,
            driver,
            screen: sight.screen.clone(),
            seen: BTreeSet::new(),
        });
        self.shown(sight, true);
        Ok(true)
    }

    /// Lets the app do something.
    pub(super) fn act(&mut self, action: &str) {
        let Some(process) = &mut self.process else {
            return;
        };
        let pid = process.pid;
        match process.driver.perform(action) {
            Ok(Reaction::Sight(sight)) => {
                let is_alive = process.driver.is_alive().unwrap_or(false);
                self.shown(sight, is_alive);
            }
            _ => self.log.add(pid, 'I', TAG, REFUSED),
        }
    }

    /// The app ignores what was done.
    pub(super) fn refuse(&mut self) {
        if let Some(pid) = self.pid() {
            self.log.add(pid, 'I', TAG, REFUSED);
        }
    }

    fn shown(&mut self, sight: Sight, is_alive: bool) {
        self.idle_at = Instant::now() + self.lag;
        let pid = self.pid().unwrap_or(0);
        if let Some(process) = &mut self.process {
            process.seen.extend(sight.covers.iter().cloned());
        }
        for line in covered(&sight.covers) {
            self.log.add(pid, 'I', TAG, &line);
        }
        if let Some(fault) = &sight.fault {
            self.log_fault(pid, fault, is_alive);
        }
        self.is_focused = false;
        self.buffer.clear();
        if is_alive {
            if let Some(process) = &mut self.process {
                process.screen = sight.screen;
            }
            return;
        }
        self.log.add(pid, 'I', TAG, "!crash");
        let text = format!("Process {} (pid {pid}) has died", self.package);
        self.log.add(900, 'I', "ActivityManager", &text);
        self.process = None;
        self.crashed = Some(sight.screen);
    }

    /// An exception with its stack, as the runtime of Android prints it.
    fn log_fault(&mut self, pid: u32, fault: &str, is_alive: bool) {
        let own = serde_json::to_string(fault).expect("texts are JSON");
        self.log.add(pid, 'I', TAG, &format!("!fault {own}"));
        let mut parts = fault.split(" at ");
        let exception = parts.next().unwrap_or(fault);
        let frames: Vec<_> = parts
            .map(|frame| format!("\tat {frame}(Unknown Source:1)\n"))
            .collect();
        let frames = frames.concat();
        if is_alive {
            self.log
                .add(pid, 'W', "System.err", &format!("{exception}\n{frames}"));
            return;
        }
        let head = format!(
            "FATAL EXCEPTION: main\nProcess: {}, PID: {pid}\n",
            self.package
        );
        self.log.add(
            pid,
            'E',
            "AndroidRuntime",
            &format!("{head}{exception}\n{frames}"),
        );
    }

    /// The app writes down what its agent saw.
    pub(super) fn dump_coverage(&mut self) {
        let dump = match (&self.app, &self.process) {
            (Some(app), Some(process)) => agent::dump(&app.elements, &process.seen),
            _ => return,
        };
        // On a full disk there is no file, and its reader says so.
        let _ = self.write("/sdcard/coverage.ec", dump);
    }

    /// A dialog says that the app does not respond.
    pub(super) fn hang(&mut self) {
        if self.process.is_none() {
            return;
        }
        self.has_anr = true;
        let text = format!(
            "ANR in {} ({}/.Main)\nReason: Input dispatching timed out",
            self.package, self.package
        );
        self.log.add(900, 'E', "ActivityManager", &text);
    }

    /// Does what a touched view does.
    pub(super) fn touched(&mut self, does: Option<Does>) {
        match does {
            Some(Does::Acts(action)) => self.act(&action),
            Some(Does::Focuses) => {
                self.is_focused = true;
                self.buffer.clear();
            }
            Some(Does::Closes { stops_app: true }) => self.stop(),
            Some(Does::Closes { stops_app: false }) => self.has_anr = false,
            None => self.refuse(),
        }
    }

    /// Types into the field that has the focus.
    pub(super) fn type_text(&mut self, text: &str) {
        self.typed.push(text.to_owned());
        let (_, screen) = self.window();
        if !self.is_focused || screen.texts.is_empty() {
            self.refuse();
            return;
        }
        self.buffer.push_str(text);
        let whole = screen.texts.iter().find(|(text, _)| *text == self.buffer);
        if let Some((_, action)) = whole {
            self.act(&action.clone());
            // The field is empty again, as if what was typed had been sent.
            self.buffer.clear();
        } else if !screen
            .texts
            .iter()
            .any(|(text, _)| text.starts_with(&self.buffer))
        {
            self.buffer.clear();
            self.refuse();
        }
    }
}

/// Covered elements as log lines: ids between blanks, or a JSON list where they hold blanks.
fn covered(elements: &[String]) -> Vec<String> {
    let is_plain = |element: &String| {
        !element.is_empty()
            && !element.starts_with(['[', '!'])
            && !element.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    let lines = elements.chunks(100).map(|some| {
        if some.iter().all(is_plain) {
            some.join(" ")
        } else {
            serde_json::to_string(some).expect("strings are JSON")
        }
    });
    lines.collect()
}
