//! Looking at a page: its window, what was covered, what went wrong.

use std::time::Duration;

use serde_json::{Value, json};

use super::browser::{Browser, Halt, Ways};
use super::dom::Elements;
use super::rest::Rest;
use super::site;
use super::tab::Dialog;
use super::tree::{self, Node, Seen};
use crate::model::window::{State, Takes, Widget, Window};

/// How many frames inside a page are looked into.
const MOST_FRAMES: usize = 10;
/// How long looking may take.
const LOOKING: Duration = Duration::from_secs(30);
/// How often a page that changes under the eye is looked at.
const LOOKS: usize = 3;

impl Browser {
    /// Looks at the page in front; what was covered since the last look.
    pub(super) fn look(&mut self, rest: &Rest) -> Result<Vec<String>, Halt> {
        if rest.moves {
            // Which of its pages would be seen is left to chance.
            self.see_nothing("(never stays on a page)");
            return Ok(Vec::new());
        }
        let mut looks = 1;
        loop {
            match self.look_once(rest) {
                Err(Halt::Refused(_)) if looks < LOOKS => looks += 1,
                Err(Halt::Refused(reason)) => {
                    self.see_nothing(&format!("(cannot be looked at: {reason})"));
                    return Ok(Vec::new());
                }
                done => return done,
            }
            self.hear(Duration::from_millis(20))?;
        }
    }

    fn look_once(&mut self, rest: &Rest) -> Result<Vec<String>, Halt> {
        let is_large = rest.elements > self.plan.setup.max_elements;
        let mut asked = vec![
            self.ask("Profiler.takePreciseCoverage", json!({}))?,
            self.ask("Page.getNavigationHistory", json!({}))?,
        ];
        if !is_large {
            let snapshot = json!({"computedStyles": []});
            asked.push(self.ask("DOMSnapshot.captureSnapshot", snapshot)?);
            asked.push(self.ask("Accessibility.getFullAXTree", json!({}))?);
            for frame in self.front()?.frames.clone().into_iter().take(MOST_FRAMES) {
                let tree = json!({"frameId": frame});
                asked.push(self.ask("Accessibility.getFullAXTree", tree)?);
            }
        }
        self.pin()?;
        let mut answers = self.wait(&asked, LOOKING)?.into_iter();
        let mut next = || {
            answers
                .next()
                .unwrap_or(Ok(Value::Null))
                .map_err(Halt::Refused)
        };
        let (report, history) = (next()?, next()?);
        let n_tabs = self.tabs.len();
        let Some(tab) = self.tabs.last_mut() else {
            return Err(Halt::Gone);
        };
        let entry = history["currentIndex"].as_u64().unwrap_or_default();
        let first = *tab.first_entry.get_or_insert(entry);
        self.ways = Ways {
            back: entry > first || n_tabs > 1,
            scroll: rest.scrolls,
        };
        let unknown = tab.scripts.unknown(&report, &self.library);
        let session = tab.session.clone();
        if !unknown.is_empty() {
            self.learn(unknown)?;
        }
        let mut covers = self.worker_covers()?;
        let tab = self.tabs.iter().find(|tab| tab.session == session);
        let tab = tab.ok_or(Halt::Gone)?;
        covers.extend(tab.scripts.covered(&report, &self.library));
        let activity = site::page(&tab.url);
        if is_large {
            self.see_nothing(&format!(
                "(more than {} elements)",
                self.plan.setup.max_elements
            ));
        } else {
            let elements = Elements::read(&next()?);
            let mut trees = vec![next()?];
            // Frames may have gone meanwhile.
            trees.extend(answers.filter_map(Result::ok));
            let most = usize::try_from(self.plan.setup.max_elements).unwrap_or(usize::MAX);
            self.seen = tree::window(&trees, &elements, most);
            self.seen.window.activity = activity;
        }
        Ok(covers.into_iter().collect())
    }

    /// Reads scripts that were not seen before.
    fn learn(&mut self, scripts: Vec<(String, String)>) -> Result<(), Halt> {
        let mut asked = Vec::with_capacity(scripts.len());
        for (id, _) in &scripts {
            asked.push(self.ask("Debugger.getScriptSource", json!({"scriptId": id}))?);
        }
        let answers = self.wait(&asked, LOOKING)?;
        for ((_, name), answer) in scripts.into_iter().zip(answers) {
            // A script that is gone already is known by its functions alone.
            let text = answer.unwrap_or_default();
            let text = text["scriptSource"].as_str().unwrap_or_default();
            self.library.learn(name, text);
        }
        Ok(())
    }

    /// A page of which nothing is seen but a remark.
    pub(super) fn see_nothing(&mut self, remark: &str) {
        let url = self.tabs.last().map_or("", |tab| &tab.url);
        let widget = Widget {
            class: "page".to_owned(),
            description: remark.to_owned(),
            takes: Takes {
                taps: true,
                ..Takes::default()
            },
            ..Widget::default()
        };
        self.seen = Seen {
            window: Window {
                activity: site::page(url),
                widgets: vec![widget],
                ..Window::default()
            },
            nodes: vec![Node::default()],
        };
    }

    /// The page as it looks behind a dialog: the dialog alone.
    pub(super) fn see_dialog(&mut self, dialog: &Dialog) {
        let url = self.tabs.last().map_or("", |tab| &tab.url);
        let widget = |class: &str, id: &str, label: &str, takes: Takes| Widget {
            class: class.to_owned(),
            id: id.to_owned(),
            text: label.to_owned(),
            takes,
            state: State::default(),
            parent: (class != "alertdialog").then_some(0),
            ..Widget::default()
        };
        let taps = Takes {
            taps: true,
            ..Takes::default()
        };
        let types = Takes {
            types: true,
            ..Takes::default()
        };
        let mut widgets = vec![
            widget("alertdialog", &dialog.kind, &dialog.message, taps),
            widget("button", "accept", "accept", taps),
        ];
        if dialog.kind == "prompt" {
            widgets.push(widget("textbox", "answer", &dialog.default, types));
        }
        if dialog.kind != "alert" {
            widgets.push(widget("button", "dismiss", "dismiss", taps));
        }
        self.ways = Ways::default();
        self.seen = Seen {
            nodes: vec![Node::default(); widgets.len()],
            window: Window {
                activity: site::page(url),
                widgets,
                ..Window::default()
            },
        };
    }
}
