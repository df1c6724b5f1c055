//! Writes a trace as a project of Selenium IDE. The comment of each command is the name that the
//! suite has for the widget, so that reading the project gives the same trace again.

use serde_json::{Value, json};

use super::super::{Exported, Exporter};
use super::{HOST, Test};
use crate::model::act::{Act, Target, Verb};
use crate::model::selector::{css_of_id, xpath_string};
use crate::model::sha256;

pub(in super::super) const EXPORTER: Exporter = Exporter {
    name: "selenium-ide",
    extension: "side",
    write: |suite, names, idx| write(&Test::new(suite, names, idx)),
};

fn write(test: &Test) -> Exported {
    let whole = test.whole_url();
    let host_end = whole.find("://").map_or(0, |at| at + 3);
    let path_at = whole[host_end..].find('/').map(|at| at + host_end);
    let (host, path) = match path_at {
        Some(at) => whole.split_at(at),
        None => (&*whole, "/"),
    };
    let mut commands = vec![("open", path.to_owned(), String::new(), String::new())];
    if let Some((width, height)) = test.viewport {
        let size = format!("{width}x{height}");
        commands.push(("setWindowSize", size, String::new(), String::new()));
    }
    let mut unwritten = Vec::new();
    for (place, step) in test.steps.iter().enumerate() {
        match step.act.as_ref().and_then(command) {
            Some(command) => commands.push(command),
            None => unwritten.push((place, step.action.clone())),
        }
    }
    let key = |what: &str| sha256(format!("{} {what}", test.title).as_bytes())[..32].to_owned();
    let numbered = commands.iter().enumerate();
    let commands: Vec<Value> = numbered
        .map(|(place, (command, target, value, comment))| {
            json!({"id": key(&place.to_string()), "comment": comment, "command": command,
                "target": target, "targets": [], "value": value})
        })
        .collect();
    let project = json!({
        "id": key("project"), "version": "2.0", "name": test.title,
        "url": if host.is_empty() { HOST } else { host },
        "tests": [{"id": key("test"), "name": test.title, "commands": commands}],
        "suites": [{"id": key("suite"), "name": "Default Suite", "persistSession": false,
            "parallel": false, "timeout": 300, "tests": [key("test")]}],
        "urls": [host], "plugins": [],
    });
    Exported {
        text: format!("{project:#}\n"),
        unwritten,
    }
}

/// A command with its target, its value and its comment.
type Command = (&'static str, String, String, String);

fn command(act: &Act) -> Option<Command> {
    let comment = act
        .target
        .as_ref()
        .and_then(|target| serde_json::to_string(target).ok());
    let comment = comment.unwrap_or_default();
    let plain =
        |command, target: &str| Some((command, target.to_owned(), String::new(), String::new()));
    let on = |command, value: String| {
        // A variable of Selenium IDE would stand there instead.
        let is_text = !value.contains("${") || command == "sendKeys";
        let target = locator(act.target.as_ref()?)?;
        is_text.then(|| (command, target, value, comment.clone()))
    };
    match &act.verb {
        Verb::Tap => on("click", String::new()),
        Verb::Double => on("doubleClick", String::new()),
        Verb::Hover => on("mouseOver", String::new()),
        Verb::Type(text) => on("type", text.clone()),
        Verb::Clear => on("type", String::new()),
        Verb::Select(text) => on("select", format!("label={text}")),
        Verb::Key(name) => {
            let keys = format!("${{KEY_{}}}", key(name)?);
            if act.target.is_some() {
                return on("sendKeys", keys);
            }
            Some(("sendKeys", "css=:focus".to_owned(), keys, String::new()))
        }
        Verb::Open(url) => plain("open", url),
        Verb::Accept(None) => plain("webdriverChooseOkOnVisibleConfirmation", ""),
        Verb::Accept(Some(text)) if !text.contains("${") => {
            plain("webdriverAnswerOnVisiblePrompt", text)
        }
        Verb::Dismiss => plain("webdriverChooseCancelOnVisibleConfirmation", ""),
        _ => None,
    }
}

fn locator(target: &Target) -> Option<String> {
    let Target {
        id,
        description,
        text,
        css,
        xpath,
        class,
        ..
    } = target;
    let name = if description.is_empty() {
        text
    } else {
        description
    };
    if !id.is_empty() {
        Some(format!("css={}", css_of_id(id)))
    } else if class == "link" && !name.is_empty() {
        Some(format!("linkText={name}"))
    } else if !name.is_empty() {
        Some(format!("xpath={}", by_name(name)))
    } else if !css.is_empty() && !css.contains(" >>> ") {
        Some(format!("css={css}"))
    } else if !xpath.is_empty() {
        Some(format!("xpath={xpath}"))
    } else {
        None
    }
}

/// The innermost element that is called so.
fn by_name(name: &str) -> String {
    let name = xpath_string(name);
    let attributes = ["aria-label", "value", "placeholder", "title", "alt"];
    let named = attributes.map(|attribute| format!("@{attribute}={name} or "));
    let named = format!(
        "{}normalize-space(.)={name} or @id=//label[normalize-space(.)={name}]/@for",
        named.concat()
    );
    format!("//body//*[{named}][not(.//*[{named}])]")
}

/// Selenium's name of a key.
fn key(name: &str) -> Option<&'static str> {
    Some(match name {
        "Enter" => "ENTER",
        "Tab" => "TAB",
        "Escape" => "ESC",
        "Backspace" => "BACKSPACE",
        "Delete" => "DELETE",
        "ArrowUp" => "UP",
        "ArrowDown" => "DOWN",
        "ArrowLeft" => "LEFT",
        "ArrowRight" => "RIGHT",
        "Home" => "HOME",
        "End" => "END",
        "PageUp" => "PAGE_UP",
        "PageDown" => "PAGE_DOWN",
        " " => "SPACE",
        _ => return None,
    })
}
