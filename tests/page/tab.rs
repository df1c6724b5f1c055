//! A report opened in a browser, as a reader sees and touches it.

use std::path::{Path, PathBuf};
use std::sync::MutexGuard;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use tempfile::TempDir;

use super::case::Case;
use super::chromium::Chromium;

/// How a page is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) dark: bool,
    pub(crate) scripts: bool,
}

/// A desktop in daylight.
pub(crate) const DESKTOP: Look = Look {
    width: 1100,
    dark: false,
    scripts: true,
};

/// An opened page.
pub(crate) struct Tab {
    browser: MutexGuard<'static, Chromium>,
    scripts: bool,
    file: PathBuf,
    _folder: TempDir,
}

impl Tab {
    /// Opens the page of a report; none where there is no browser.
    pub(crate) fn open(case: &Case, look: Look) -> Option<Self> {
        Self::open_page(|folder| case.write(folder), look)
    }

    /// Opens a page that is written into a folder; none where there is no browser.
    pub(crate) fn open_page(write: impl FnOnce(&Path) -> PathBuf, look: Look) -> Option<Self> {
        let browser = Chromium::wait()?;
        let folder = tempfile::tempdir().expect("there is room for a page");
        let mut tab = Self {
            browser,
            scripts: look.scripts,
            file: write(folder.path()),
            _folder: folder,
        };
        tab.go(look, "");
        Some(tab)
    }

    /// Opens the page anew at a place.
    pub(crate) fn go(&mut self, look: Look, place: &str) {
        self.look(look);
        // By way of an empty page, since a place on the same page would not be loaded anew.
        self.load("about:blank");
        let url = format!("file://{}{place}", self.file.display());
        self.load(&url);
        self.settle();
    }

    fn load(&mut self, url: &str) {
        self.browser.take_events();
        self.browser.call("Page.navigate", json!({ "url": url }));
        self.browser.wait_for("Page.loadEventFired");
    }

    /// Looks at the page in another way.
    pub(crate) fn look(&mut self, look: Look) {
        self.scripts = look.scripts;
        let scheme = if look.dark { "dark" } else { "light" };
        let size =
            json!({"width": look.width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        self.browser
            .call("Emulation.setDeviceMetricsOverride", size);
        let media =
            json!({"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.browser.call("Emulation.setEmulatedMedia", media);
        let off = json!({"value": !look.scripts});
        self.browser
            .call("Emulation.setScriptExecutionDisabled", off);
    }

    /// Shows the page as it is printed.
    pub(crate) fn as_printed(&mut self) {
        let media = json!({"media": "print"});
        self.browser.call("Emulation.setEmulatedMedia", media);
    }

    /// Waits until what was asked for is drawn.
    pub(crate) fn settle(&mut self) {
        if !self.scripts {
            // Nothing could tell, and what a page does without scripts it does at once.
            return;
        }
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// What an expression is worth on the page.
    #[track_caller]
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let question =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.browser.call("Runtime.evaluate", question);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}: {thrown}");
        answer["result"]["value"].take()
    }

    /// A number on the page.
    #[track_caller]
    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        let value = self.eval(expression);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// A text on the page.
    #[track_caller]
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        let text = value.as_str().map(str::to_owned);
        text.unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Whether something holds on the page.
    #[track_caller]
    pub(crate) fn holds(&mut self, expression: &str) -> bool {
        self.eval(expression) == json!(true)
    }

    /// How many elements of a selector take up room.
    #[track_caller]
    pub(crate) fn visible(&mut self, selector: &str) -> usize {
        let count = format!(
            "[...document.querySelectorAll({selector:?})].filter((e) => e.checkVisibility() && e.getClientRects().length).length"
        );
        let count = self.number(&count);
        #[expect(clippy::cast_sign_loss, reason = "it is a length")]
        let count = count as usize;
        count
    }

    /// Clicks the middle of what a selector finds first, with the mouse.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        let middle = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getClientRects()[0]; return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        self.mouse("mousePressed", &middle[0], &middle[1]);
        self.mouse("mouseReleased", &middle[0], &middle[1]);
        self.settle();
    }

    /// Drags from the middle of what a selector finds.
    #[track_caller]
    pub(crate) fn drag(&mut self, selector: &str, by: f64) {
        let middle = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + 8]; }})()"
        ));
        let there = json!(middle[0].as_f64().expect("it is a place") + by);
        self.mouse("mousePressed", &middle[0], &middle[1]);
        self.mouse("mouseMoved", &there, &middle[1]);
        self.mouse("mouseReleased", &there, &middle[1]);
        self.settle();
    }

    fn mouse(&mut self, what: &str, x: &Value, y: &Value) {
        let event =
            json!({"type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
        self.browser.call("Input.dispatchMouseEvent", event);
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Space" => (32, " "),
            "ArrowRight" => (39, ""),
            "Escape" => (27, ""),
            other => (0, other),
        };
        let name = if key == "Space" { " " } else { key };
        let event = |what: &str, text: &str| json!({"type": what, "key": name, "code": key, "windowsVirtualKeyCode": code, "text": text});
        let down = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        self.browser
            .call("Input.dispatchKeyEvent", event(down, text));
        self.browser
            .call("Input.dispatchKeyEvent", event("keyUp", ""));
    }

    /// Types into what a selector finds, in place of what is there.
    #[track_caller]
    pub(crate) fn fill(&mut self, selector: &str, text: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.focus(); e.select(); }})()"
        ));
        if text.is_empty() {
            let delete = json!({"type": "keyDown", "key": "Delete", "code": "Delete", "windowsVirtualKeyCode": 46});
            self.browser.call("Input.dispatchKeyEvent", delete);
        } else {
            self.browser
                .call("Input.insertText", json!({ "text": text }));
        }
        self.settle();
    }

    /// The page as a picture: the bytes of a PNG file in base64.
    pub(crate) fn picture(&mut self) -> String {
        let picture = self
            .browser
            .call("Page.captureScreenshot", json!({"format": "png"}));
        picture["data"]
            .as_str()
            .expect("it is a picture")
            .to_owned()
    }

    /// How many pages the page fills when it is printed.
    pub(crate) fn pdf_pages(&mut self) -> usize {
        let params = json!({"transferMode": "ReturnAsStream"});
        let stream = self.browser.call("Page.printToPDF", params);
        let mut pages = 0;
        loop {
            let read = json!({"handle": stream["stream"], "size": 1 << 20});
            let part = self.browser.call("IO.read", read);
            let data = part["data"].as_str().expect("it is a part of a file");
            let bytes = BASE64.decode(data).expect("it is base64");
            let text = String::from_utf8_lossy(&bytes);
            pages += text.matches("/Type /Page\n").count();
            if part["eof"] == json!(true) {
                return pages;
            }
        }
    }

    /// Complaints on the console, and requests for anything but the page itself.
    pub(crate) fn trouble(&mut self) -> Vec<String> {
        let own = format!("file://{}", self.file.display());
        let events = self.browser.take_events();
        let troubles = events.iter().filter(|event| {
            let request = &event["params"]["request"]["url"];
            match event["method"].as_str() {
                Some("Network.requestWillBeSent") => *request != own.as_str(),
                Some(name) => [
                    "Runtime.exceptionThrown",
                    "Runtime.consoleAPICalled",
                    "Log.entryAdded",
                ]
                .contains(&name),
                None => false,
            }
        });
        troubles.map(Value::to_string).collect()
    }
}
