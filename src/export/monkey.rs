//! Writes a trace as a script that Monkey replays (`monkey -f`), as far as its actions are gestures.

use std::fmt::Write as _;

use super::deed::{Deed, key_code};
use super::{Exported, Exporter};
use crate::model::act::{Act, Verb};
use crate::model::gesture::{Gesture, Key, Point, component_parts};
use crate::model::{Names, Script, Suite};

/// The pause after a gesture whose own is not known.
const PAUSE_MILLIS: u32 = 800;

pub(super) const EXPORTER: Exporter = Exporter {
    name: "monkey",
    extension: "monkey",
    write: |suite, names, idx| {
        let whole = Script::prefix_of(suite, idx, suite.steps(idx).len());
        monkey_script(suite, names, &whole)
    },
};

/// Writes some steps as a script for Monkey: the start, and each gesture with the pause after it.
#[must_use]
pub fn monkey_script(suite: &Suite, names: &Names, script: &Script) -> Exported {
    let mut lines = Vec::new();
    lines.extend(launch(suite, names, script));
    let mut unwritten = Vec::new();
    for (i, step) in script.steps.iter().enumerate() {
        let action = names.action_text(step.action);
        let gesture = gesture(action).filter(|gesture| !gesture.to_string().contains(['\n', '\r']));
        let Some(gesture) = gesture else {
            unwritten.push((i, action.to_owned()));
            continue;
        };
        let millis = step.step().and_then(|at| suite.step(at).millis);
        lines.push(gesture.to_string());
        lines.push(format!("UserWait({})", millis.unwrap_or(PAUSE_MILLIS)));
    }
    let mut text = format!(
        "type= user\ncount= {}\nspeed= 1.0\nstart data >>\n",
        lines.len()
    );
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
    Exported { text, unwritten }
}

/// The gesture that an action is, or that does what an act does.
fn gesture(action: &str) -> Option<Gesture> {
    if let Some(gesture) = Gesture::parse(action) {
        return Some(gesture);
    }
    let place = |act: &Act| {
        let [x, y] = act.target.as_ref()?.at?;
        Point::new(x as f32, y as f32)
    };
    match Deed::of(action)? {
        Deed::Start { package, activity } => Some(Gesture::Launch {
            package,
            activity: activity?,
        }),
        Deed::Drag { .. } => None,
        Deed::Act(act) => match &act.verb {
            Verb::Tap => Some(Gesture::Tap {
                at: place(&act)?,
                millis: 0,
            }),
            Verb::Hold => Some(Gesture::Hold {
                at: place(&act)?,
                millis: 1000,
            }),
            Verb::Type(text) if act.target.is_none() => Some(Gesture::Type(text.clone())),
            Verb::Key(name) => key_code(name).map(|code| Gesture::Press(Key(code))),
            Verb::Back => Some(Gesture::Press(Key::BACK)),
            Verb::Home => Some(Gesture::Press(Key::HOME)),
            Verb::Menu => Some(Gesture::Press(Key(82))),
            Verb::Rotate(quarters) => Some(Gesture::Rotate {
                quarters: *quarters,
                persist: true,
            }),
            _ => None,
        },
    }
}

/// How the app is started: as it was recorded, or by the activity that the launch screen names.
fn launch(suite: &Suite, names: &Names, script: &Script) -> Option<String> {
    let trace = suite.trace(script.launch);
    let recorded = trace
        .launch_fields
        .iter()
        .find(|(name, _)| **name == *"action");
    let recorded = recorded.and_then(|(_, json)| serde_json::from_str::<String>(json).ok());
    let recorded = recorded.filter(|action| !action.contains(['\n', '\r']));
    if let Some(gesture) = recorded.as_deref().and_then(Gesture::parse) {
        return Some(gesture.to_string());
    }
    let screen = names.screen_name(trace.launch_screen);
    let is_plain = !screen.contains(|c: char| c.is_whitespace() || "(),".contains(c));
    let (package, activity) = component_parts(screen).filter(|_| is_plain)?;
    Some(Gesture::Launch { package, activity }.to_string())
}

#[cfg(test)]
mod tests {
    use super::monkey_script;
    use crate::model::{Names, NewStep, NewTrace, Script, ScriptStep, StepRef, Suite};

    #[track_caller]
    fn check(screen: &str, actions: &[&str], expect: &str, unwritten: &[usize]) {
        let (mut names, mut suite) = (Names::default(), Suite::default());
        let trace = NewTrace {
            id: "t".into(),
            launch_screen: names.screen(screen),
            launch_covers: Vec::new(),
            launch_fields: Vec::new(),
            fields: Vec::new(),
            joins: Vec::new(),
        };
        let steps: Vec<_> = actions
            .iter()
            .map(|action| NewStep {
                action: names.action(action),
                screen: names.screen(screen),
                covers: Vec::new(),
                fault: None,
                millis: action.contains("press").then_some(5),
                fields: Vec::new(),
            })
            .collect();
        let idx = suite.push(trace, steps);
        let places = (0..actions.len() as u32).map(|step| StepRef { trace: idx, step });
        let script = Script {
            launch: idx,
            steps: places.map(|at| ScriptStep::recorded(&suite, at)).collect(),
        };
        let written = monkey_script(&suite, &names, &script);
        assert_eq!(written.text, expect);
        let places: Vec<_> = written.unwritten.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, unwritten);
    }

    #[test]
    fn gestures_are_commands_with_pauses_and_the_start_comes_first() {
        check(
            "a.b/.Main",
            &[
                "Tap(1.0, 2.0, 0)",
                "DispatchPress(4)",
                "tap:menu",
                "DispatchString(a\nRunCmd(x))",
            ],
            "type= user\ncount= 5\nspeed= 1.0\nstart data >>\nLaunchActivity(a.b, a.b.Main)\n\
             Tap(1.0, 2.0, 0)\nUserWait(800)\nDispatchPress(4)\nUserWait(800)\n",
            &[2, 3],
        );
    }

    #[test]
    fn a_screen_that_is_no_activity_starts_nothing() {
        check(
            "Home",
            &[],
            "type= user\ncount= 0\nspeed= 1.0\nstart data >>\n",
            &[],
        );
        check(
            "a(b)/c",
            &[],
            "type= user\ncount= 0\nspeed= 1.0\nstart data >>\n",
            &[],
        );
    }
}
