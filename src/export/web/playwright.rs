//! Writes a trace as a test of `@playwright/test`.

use std::fmt::Write as _;

use super::super::{Exported, Exporter};
use super::{Test, role};
use crate::model::act::{Act, Side, Target, Verb};
use crate::model::selector::css_of_id;

pub(in super::super) const EXPORTER: Exporter = Exporter {
    name: "playwright",
    extension: "spec.ts",
    write: |suite, names, idx| write(&Test::new(suite, names, idx)),
};

/// How far a scroll goes, in pixels.
const FAR: i32 = 600;

fn write(test: &Test) -> Exported {
    let mut script = String::from("import { test } from '@playwright/test';\n\n");
    let title = string(&test.title);
    let _ = writeln!(script, "test({title}, async ({{ page }}) => {{");
    if let Some((width, height)) = test.viewport {
        let size = format!("{{ width: {width}, height: {height} }}");
        let _ = writeln!(script, "  await page.setViewportSize({size});");
    }
    let _ = writeln!(script, "  await page.goto({});", string(&test.url));
    let mut unwritten = Vec::new();
    for (place, step) in test.steps.iter().enumerate() {
        let Some(act) = &step.act else {
            unwritten.push((place, step.action.clone()));
            continue;
        };
        if answer(&act.verb).is_some() {
            // It was told before the step that opens the dialog, if there is one.
            let is_told = |before: &Act| answer(&before.verb).is_none();
            if !test.before(place).is_some_and(is_told) {
                unwritten.push((place, step.action.clone()));
            }
            continue;
        }
        // A dialog is answered by whoever was told to before it opens.
        if let Some(answer) = test.after(place).and_then(|next| answer(&next.verb)) {
            let _ = writeln!(script, "  page.once('dialog', dialog => dialog.{answer});");
        }
        match call(act) {
            Some(call) => {
                let _ = writeln!(script, "  await {call};");
            }
            None => unwritten.push((place, step.action.clone())),
        }
    }
    script.push_str("});\n");
    Exported {
        text: script,
        unwritten,
    }
}

fn answer(verb: &Verb) -> Option<String> {
    match verb {
        Verb::Accept(None) => Some("accept()".to_owned()),
        Verb::Accept(Some(text)) => Some(format!("accept({})", string(text))),
        Verb::Dismiss => Some("dismiss()".to_owned()),
        _ => None,
    }
}

fn call(act: &Act) -> Option<String> {
    let on = |call: &str| Some(format!("{}.{call}", locator(act.target.as_ref()?)?));
    match &act.verb {
        Verb::Tap => on("click()"),
        Verb::Hold => on("click({ delay: 800 })"),
        Verb::Double => on("dblclick()"),
        Verb::Hover => on("hover()"),
        Verb::Clear => on("clear()"),
        Verb::Type(text) if act.target.is_none() => {
            Some(format!("page.keyboard.insertText({})", string(text)))
        }
        Verb::Type(text) => on(&format!("fill({})", string(text))),
        Verb::Select(text) => on(&format!("selectOption({})", string(text))),
        Verb::Key(key) if act.target.is_none() => {
            Some(format!("page.keyboard.press({})", string(key)))
        }
        Verb::Key(key) => on(&format!("press({})", string(key))),
        Verb::Scroll(side) if act.target.is_none() => {
            let (x, y) = match side {
                Side::Up => (0, -FAR),
                Side::Down => (0, FAR),
                Side::Left => (-FAR, 0),
                Side::Right => (FAR, 0),
            };
            Some(format!("page.mouse.wheel({x}, {y})"))
        }
        Verb::Back => Some("page.goBack()".to_owned()),
        Verb::Open(url) => Some(format!("page.goto({})", string(url))),
        _ => None,
    }
}

/// A widget by what no other has, as far as it is known.
fn locator(target: &Target) -> Option<String> {
    let by = |call: String| Some(format!("page.{call}.first()"));
    let Target {
        id,
        description,
        text,
        css,
        xpath,
        ..
    } = target;
    if !id.is_empty() {
        return by(format!("locator({})", string(&css_of_id(id))));
    }
    let name = if description.is_empty() {
        text
    } else {
        description
    };
    match role(target) {
        Some(role) if !name.is_empty() => {
            let (role, name) = (string(role), string(name));
            by(format!(
                "getByRole({role}, {{ name: {name}, exact: true }})"
            ))
        }
        _ if !description.is_empty() => {
            let name = string(description);
            let one = |how: &str| format!("{how}({name}, {{ exact: true }})");
            let others = [
                "getByText",
                "getByPlaceholder",
                "getByTitle",
                "getByAltText",
            ];
            let others = others.map(|how| format!(".or(page.{})", one(how)));
            by(format!("{}{}", one("getByLabel"), others.concat()))
        }
        _ if !text.is_empty() => by(format!("getByText({}, {{ exact: true }})", string(text))),
        // Playwright's selectors go into shadow roots by themselves.
        _ if !css.is_empty() => by(format!("locator({})", string(&css.replace(" >>> ", " ")))),
        _ if !xpath.is_empty() => by(format!("locator({})", string(&format!("xpath={xpath}")))),
        _ => None,
    }
}

/// A text as JavaScript writes it.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
