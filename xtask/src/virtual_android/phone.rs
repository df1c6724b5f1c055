//! The phone behind the protocol: its files, settings, log, screen and the app on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use reduce_suite::drivers::{App, calm};
use reduce_suite::model::Seed;
use reduce_suite::replay::{Driver, Reaction, Sight, Start};

use super::Options;
use super::connection::Host;
use super::journal::Journal;
use super::screen::{Does, HEIGHT, Screen, View, WIDTH};
use super::trouble::Trouble;

/// What the app's log lines of covered elements are tagged with.
pub(super) const TAG: &str = "ReduceSuite";
/// What stands there when an action was ignored.
const REFUSED: &str = "!refused";
/// The app that is there when no other is.
const LAUNCHER: (&str, &str) = ("com.android.launcher3", "com.android.launcher3.Launcher");

/// A phone.
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
    app: Option<Installed>,
    process: Option<Process>,
    /// The activity that a crashed app left behind.
    crashed: Option<String>,
    pub(super) has_anr: bool,
    is_focused: bool,
    is_unplugged: bool,
    buffer: String,
    pids: u32,
    lag: Duration,
    boot: Duration,
}

struct Installed {
    model: Arc<App>,
    screens: BTreeMap<String, Screen>,
}

struct Process {
    pid: u32,
    driver: Box<dyn Driver>,
    screen: String,
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
        });
        self.files.insert(self.apk(), model.to_vec());
        self.describe_app();
        self.stop();
        Ok(())
    }

    /// Says by properties what the model says of the app.
    fn describe_app(&mut self) {
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
        let text = format!("Process {} (pid {pid}) has died", self.package);
        self.log.add(900, 'I', "ActivityManager", &text);
        self.process = None;
        self.crashed = Some(sight.screen);
    }

    /// An exception with its stack, as the runtime of Android prints it.
    fn log_fault(&mut self, pid: u32, fault: &str, is_alive: bool) {
        self.log.add(pid, 'I', TAG, &format!("!fault {fault}"));
        let mut parts = fault.split(" at ");
        let exception = parts.next().unwrap_or(fault);
        let frames: String = parts
            .map(|frame| format!("\tat {frame}(Unknown Source:1)\n"))
            .collect();
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

    /// The app and the activity at the front.
    pub(super) fn front(&self) -> (&str, String) {
        let of_app =
            |screen: &String| (self.package.as_str(), format!("{}.{screen}", self.package));
        let shown = self.process.as_ref().map(|process| &process.screen);
        let shown = shown.or(self.crashed.as_ref()).map(of_app);
        shown.unwrap_or((LAUNCHER.0, LAUNCHER.1.to_owned()))
    }

    /// The window that gets the input, as the window manager names it.
    pub(super) fn focus(&self) -> String {
        if self.is_locked {
            return "NotificationShade".to_owned();
        }
        if self.has_anr {
            return format!("Application Not Responding: {}", self.package);
        }
        if self.crashed.is_some() {
            return format!("Application Error: {}", self.package);
        }
        let (package, activity) = self.front();
        format!("{package}/{activity}")
    }

    /// The app whose window is on top, and that window.
    pub(super) fn window(&self) -> (String, Screen) {
        if self.is_locked {
            let text = [(
                "com.android.systemui:id/lock_icon",
                "Swipe up to open",
                None,
            )];
            return ("com.android.systemui".to_owned(), dialog(&text));
        }
        let close = |stops_app| Some(Does::Closes { stops_app });
        if self.has_anr {
            let buttons = [
                ("android:id/alertTitle", "The app isn't responding", None),
                ("android:id/aerr_close", "Close app", close(true)),
                ("android:id/aerr_wait", "Wait", close(false)),
            ];
            return ("android".to_owned(), dialog(&buttons));
        }
        if self.crashed.is_some() {
            let buttons = [
                ("android:id/alertTitle", "The app has stopped", None),
                ("android:id/aerr_close", "Close app", close(true)),
            ];
            return ("android".to_owned(), dialog(&buttons));
        }
        let shown = self.process.as_ref().zip(self.app.as_ref());
        let screen = shown.and_then(|(process, app)| app.screens.get(&process.screen));
        let Some(screen) = screen else {
            let icons = [("com.android.launcher3:id/icon", "Phone", None)];
            return (LAUNCHER.0.to_owned(), dialog(&icons));
        };
        let mut screen = screen.clone();
        for view in &mut screen.views {
            view.focused = self.is_focused && view.on_tap == Some(Does::Focuses);
        }
        (self.package.clone(), screen)
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

    /// Whether the keyboard on the screen is shown.
    pub(super) fn has_keyboard(&self) -> bool {
        self.is_focused
            && self
                .properties
                .get("debug.virtual.keyboard")
                .is_some_and(|on| on == "1")
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

fn dialog(parts: &[(&str, &str, Option<Does>)]) -> Screen {
    let frame = View {
        class: "android.widget.FrameLayout",
        bounds: [0, 0, WIDTH, HEIGHT],
        ..View::default()
    };
    let part = |(row, (id, text, does)): (i32, &(&str, &str, Option<Does>))| View {
        class: if does.is_some() {
            "android.widget.Button"
        } else {
            "android.widget.TextView"
        },
        id: (*id).to_owned(),
        text: (*text).to_owned(),
        bounds: [40, 300 + 60 * row, WIDTH - 40, 350 + 60 * row],
        on_tap: does.clone(),
        depth: 1,
        ..View::default()
    };
    Screen {
        views: std::iter::once(frame)
            .chain((0..).zip(parts).map(part))
            .collect(),
        ..Screen::default()
    }
}
