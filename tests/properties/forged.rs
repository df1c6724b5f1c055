//! Recordings that claim what the app never shows: no reduction ships a false claim.

use serde_json::Value;

use super::case::{Apps, Case, Verdict, check, ensure, none};
use super::lab::{Lab, Reduced, covered, traces};
use super::promise::is_accounted_for;

/// What is written into a recording that is not so.
#[derive(Debug, Clone, Copy)]
enum Lie {
    Cover,
    Screen,
    Fault,
}

impl Lie {
    const ALL: [Self; 3] = [Self::Cover, Self::Screen, Self::Fault];

    fn element(self) -> &'static str {
        match self {
            Self::Cover => "forged",
            Self::Screen => "screen:Forged",
            Self::Fault => "fault:forged",
        }
    }

    fn tell(self, step: &mut Value) {
        match self {
            Self::Cover => {
                let covers = step["covers"].as_array_mut().expect("covers are a list");
                covers.push("forged".into());
            }
            Self::Screen => step["screen"] = "Forged".into(),
            // A fault that the app does raise is written among the covers once another one was
            // recorded in its place, which the checker does not take for the same.
            Self::Fault if step["fault"].is_null() => step["fault"] = "forged".into(),
            Self::Fault => {}
        }
    }
}

/// A lab whose recording lies in one step of one trace, or of all.
fn forge(case: &Case, lie: Lie) -> Lab {
    let honest = Lab::new(case);
    let mut random = case.random();
    let mut lines = traces(&honest.suite);
    let chosen = random.below(lines.len());
    let everywhere = random.chance(0.2);
    for (index, trace) in lines.iter_mut().enumerate() {
        let steps = trace["steps"].as_array_mut().expect("steps are a list");
        if !steps.is_empty() && (everywhere || index == chosen) {
            let at = random.below(steps.len());
            lie.tell(&mut steps[at]);
        }
    }
    Lab::with(honest.app, lines.iter().map(Value::to_string))
}

fn with_every_lie(property: impl Fn(&Lab, Lie) -> Verdict) {
    check(800..815, Apps::Certain, |case| {
        for lie in Lie::ALL {
            let lab = forge(case, lie);
            if covered(&lab.suite).contains(lie.element()) {
                property(&lab, lie).map_err(|why| format!("{lie:?}: {why}"))?;
            }
        }
        Ok(())
    });
}

fn ships_no_lie(lab: &Lab, reduced: &Reduced, lie: Lie) -> Verdict {
    let shipped = covered(&reduced.suite).contains(lie.element());
    ensure(!shipped, || "it is shipped".to_owned())?;
    let witnessed = reduced.report["witness"].get(lie.element()).is_some();
    ensure(!witnessed, || "it has a witness".to_owned())?;
    none(&lab.violations(reduced))?;
    is_accounted_for(lab, reduced)
}

#[test]
fn a_trusted_recording_that_lies_is_reported_as_a_loss() {
    with_every_lie(|lab, lie| {
        let reduced = lab.reduce(&["stabilize=none"])?;
        ensure(reduced.named("lost").contains(lie.element()), || {
            format!("lost: {}", reduced.report["lost"])
        })?;
        let preserved = &reduced.report["preserved"];
        ensure(*preserved == false, || format!("preserved: {preserved}"))?;
        ships_no_lie(lab, &reduced, lie)
    });
}

#[test]
fn a_recording_that_is_checked_first_has_its_lies_set_aside_by_name() {
    with_every_lie(|lab, lie| {
        for stabilize in ["stabilize=full", "stabilize=lazy"] {
            let reduced = lab.reduce_on(stabilize, "count=1", &[stabilize])?;
            ensure(reduced.named("unstable").contains(lie.element()), || {
                format!("{stabilize}: unstable: {}", reduced.report["unstable"])
            })?;
            ensure(reduced.report["preserved"] == true, || {
                format!("{stabilize}: lost: {}", reduced.report["lost"])
            })?;
            ships_no_lie(lab, &reduced, lie).map_err(|why| format!("{stabilize}: {why}"))?;
        }
        Ok(())
    });
}
