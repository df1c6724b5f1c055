//! Writes a trace for the Recorder panel of Chrome's `DevTools` and for `@puppeteer/replay`.

use serde_json::{Value, json};

use super::super::{Exported, Exporter};
use super::{Test, role, whole};
use crate::model::act::{Act, Side, Target, Verb};
use crate::model::selector::css_of_id;

pub(in super::super) const EXPORTER: Exporter = Exporter {
    name: "devtools-recorder",
    extension: "recorder.json",
    write: |suite, names, idx| write(&Test::new(suite, names, idx)),
};

/// Where a widget is clicked, from its upper left corner.
const INSIDE: u32 = 5;
/// How far a scroll goes, in pixels.
const FAR: i32 = 600;

fn write(test: &Test) -> Exported {
    let mut steps = Vec::new();
    if let Some((width, height)) = test.viewport {
        steps.push(
            json!({"type": "setViewport", "width": width, "height": height,
            "deviceScaleFactor": 1, "isMobile": false, "hasTouch": false, "isLandscape": false}),
        );
    }
    steps.push(json!({"type": "navigate", "url": test.whole_url()}));
    let mut unwritten = Vec::new();
    let mut focused: Option<&Target> = None;
    for (place, step) in test.steps.iter().enumerate() {
        let written = step.act.as_ref().and_then(|act| {
            let written = act_steps(act, focused)?;
            focused = act.target.as_ref();
            Some(written)
        });
        match written {
            Some(written) => steps.extend(written),
            None => unwritten.push((place, step.action.clone())),
        }
    }
    let flow = json!({"title": test.title, "steps": steps});
    Exported {
        text: format!("{flow:#}\n"),
        unwritten,
    }
}

/// An act as steps; `focused` is the widget that the step before was about.
fn act_steps(act: &Act, focused: Option<&Target>) -> Option<Vec<Value>> {
    let on = |kind: &str, more: Value| {
        let selectors = selectors(act.target.as_ref()?)?;
        let mut step = json!({"type": kind, "target": "main", "selectors": selectors});
        if let (Some(step), Value::Object(more)) = (step.as_object_mut(), more) {
            step.extend(more);
        }
        Some(step)
    };
    let point = json!({"offsetX": INSIDE, "offsetY": INSIDE});
    let step = match &act.verb {
        Verb::Tap => on("click", point)?,
        Verb::Hold => on(
            "click",
            json!({"offsetX": INSIDE, "offsetY": INSIDE, "duration": 800}),
        )?,
        Verb::Double => on("doubleClick", point)?,
        Verb::Hover => on("hover", json!({}))?,
        Verb::Type(text) => on("change", json!({"value": text}))?,
        Verb::Clear => on("change", json!({"value": ""}))?,
        Verb::Scroll(side) => {
            let (x, y) = match side {
                Side::Up => (0, -FAR),
                Side::Down => (0, FAR),
                Side::Left => (-FAR, 0),
                Side::Right => (FAR, 0),
            };
            match &act.target {
                Some(_) => on("scroll", json!({"x": x, "y": y}))?,
                None => json!({"type": "scroll", "target": "main", "x": x, "y": y}),
            }
        }
        Verb::Open(url) => json!({"type": "navigate", "url": whole(url)}),
        Verb::Key(key) => {
            let mut steps = Vec::new();
            // Keys go to what has the focus; a click on the widget gives it that.
            if act.target.is_some() && act.target.as_ref() != focused {
                steps.push(on("click", point)?);
            }
            steps.extend(keys(key));
            return Some(steps);
        }
        _ => return None,
    };
    Some(vec![step])
}

/// `Control+a` as keys going down and up again.
fn keys(chord: &str) -> Vec<Value> {
    let step = |kind: &str, key: &str| json!({"type": kind, "target": "main", "key": key});
    let (held, key) = match chord.rsplit_once('+') {
        Some((held, key)) if !key.is_empty() => (held.split('+').collect(), key),
        _ => (Vec::new(), chord),
    };
    let down = held.iter().map(|key| step("keyDown", key));
    let up = held.iter().rev().map(|key| step("keyUp", key));
    let press = [step("keyDown", key), step("keyUp", key)];
    down.chain(press).chain(up).collect()
}

/// Everything that is known of a widget, as alternatives.
fn selectors(target: &Target) -> Option<Value> {
    let mut selectors: Vec<Vec<String>> = Vec::new();
    let mut add = |selector: String| selectors.push(vec![selector]);
    if !target.id.is_empty() {
        add(css_of_id(&target.id));
    }
    // A name with brackets would be read as an attribute.
    let name = Some(&*target.description).filter(|name| !name.is_empty() && !name.contains('['));
    match (name, role(target)) {
        (Some(name), Some(role)) => add(format!("aria/{name}[role=\"{role}\"]")),
        (Some(name), None) => add(format!("aria/{name}")),
        (None, _) => {}
    }
    if !target.text.is_empty() {
        add(format!("text/{}", target.text));
    }
    if !target.xpath.is_empty() {
        add(format!("xpath/{}", target.xpath));
    }
    if !target.css.is_empty() {
        let chain = target.css.split(" >>> ").map(str::to_owned);
        selectors.push(chain.collect());
    }
    (!selectors.is_empty()).then(|| json!(selectors))
}
