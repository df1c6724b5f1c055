//! Recordings for tests, in a notation of one event a word group: `ACTION > SCREEN` with marks.

use super::events::{Recording, events};
use crate::model::gesture::Gesture;
use crate::model::window::{Bounds, Takes, Widget, Window};
use crate::model::{Names, NewStep, NewTrace, Suite};

/// One step a line, `action > screen`, with `inside` or `outside` behind it where something is known
/// of the code, `failed` where the input failed, and `window KIND` where a dump shows one of the
/// windows of [`window`].
pub(crate) fn recording(lines: &str) -> (Recording, Names) {
    let mut names = Names::default();
    let mut suite = Suite::default();
    let mut dumps = vec![lines.contains("window").then(|| window("form"))];
    let mut steps = Vec::new();
    let n = lines.lines().count();
    for (i, line) in lines.lines().enumerate() {
        let mut parts = line.trim().split(" > ");
        let action = parts.next().unwrap_or_default();
        let mut words = parts.next().unwrap_or_default().split(' ');
        let screen = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let covers = if words.contains(&"inside") {
            vec![names.element(&format!("b{i}"))]
        } else {
            Vec::new()
        };
        let failed = words.contains(&"failed");
        let shown = words
            .iter()
            .position(|word| *word == "window")
            .and_then(|at| words.get(at + 1));
        dumps.push(shown.map(|kind| window(kind)));
        let action =
            Gesture::parse(action).map_or(action.to_owned(), |gesture| gesture.to_string());
        steps.push(NewStep {
            action: names.action(&action),
            screen: names.screen(screen),
            covers,
            fault: (i + 1 == n && words.contains(&"crash")).then(|| names.fault("E")),
            millis: None,
            fields: if failed {
                vec![("injected".into(), "false".into())]
            } else {
                Vec::new()
            },
        });
    }
    let trace = NewTrace {
        id: "t".into(),
        launch_screen: names.screen("Main"),
        launch_covers: Vec::new(),
        launch_fields: Vec::new(),
        fields: Vec::new(),
        joins: Vec::new(),
    };
    let idx = suite.push(trace, steps);
    (events(&suite, &names, idx, &dumps), names)
}

fn widget(class: &str, top: i32, parent: u32) -> Widget {
    Widget {
        class: class.into(),
        id: format!("{class}{top}"),
        text: format!("Text {top}"),
        bounds: Bounds {
            left: 0,
            top,
            right: 100,
            bottom: top + 10,
        },
        takes: Takes {
            taps: true,
            ticks: matches!(class, "CheckBox" | "RadioButton"),
            ..Takes::default()
        },
        parent: Some(parent),
        ..Widget::default()
    }
}

/// `form` has a box to tick at 0, two choices at 10 and 20, a field at 30 and nothing below 40;
/// `ticked` is the same with the box ticked; `menu` has two entries at 0 and 10.
pub(crate) fn window(kind: &str) -> Window {
    let form = ["CheckBox", "RadioButton", "RadioButton", "EditText"];
    let classes: &[&str] = if kind == "menu" {
        &["MenuItem", "MenuItem"]
    } else {
        &form
    };
    let tops = (0..).step_by(10);
    let mut widgets: Vec<_> = classes
        .iter()
        .zip(tops)
        .map(|(class, top)| widget(class, top, 0))
        .collect();
    widgets[0].state.checked = kind == "ticked";
    Window {
        widgets,
        ..Window::default()
    }
}
