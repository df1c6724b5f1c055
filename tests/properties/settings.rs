//! Settings that change how a suite is reduced, and what must hold whichever is chosen.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::case::{Apps, check, ensure, none};
use super::lab::{Lab, covered};
use super::promise::{is_accounted_for, is_perfect, is_preserved};

#[test]
fn replaying_less_beforehand_loses_nothing() {
    check(900..920, Apps::Certain, |case| {
        let lab = Lab::new(case);
        for stabilize in ["lazy", "none"] {
            let reduced =
                lab.reduce_on(stabilize, "count=1", &[&format!("stabilize={stabilize}")])?;
            is_perfect(&lab, &reduced).map_err(|why| format!("{stabilize}: {why}"))?;
        }
        Ok(())
    });
}

#[test]
fn replaying_less_beforehand_keeps_what_is_certain_of_a_flaky_app() {
    check(900..920, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let lazy = lab.reduce_on("lazy", "count=1", &["stabilize=lazy"])?;
        none(&lab.violations_but_replay(&lazy))?;
        is_preserved(&lazy)?;
        is_accounted_for(&lab, &lazy)?;
        let trusted = lab.reduce_on("none", "count=1", &["stabilize=none"])?;
        none(&lab.violations_but_replay(&trusted))?;
        is_accounted_for(&lab, &trusted)
    });
}

#[test]
fn screens_alone_are_kept_and_cost_less_than_everything_over_all() {
    let (for_screens, for_all, costlier) = (Cell::new(0.0), Cell::new(0.0), Cell::new(0));
    check(1000..1025, Apps::Certain, |case| {
        let lab = Lab::new(case);
        let all = lab.reduce_on("all", "count=1", &[])?;
        let screens = lab.reduce_on("screens", "count=1", &[r#"preserve=["screen"]"#])?;
        is_preserved(&screens)?;
        let shown = |suite: &str| -> BTreeSet<_> {
            let covered = covered(suite).into_iter();
            covered.filter(|e| e.starts_with("screen:")).collect()
        };
        let (recorded, kept) = (shown(&lab.suite), shown(&screens.suite));
        ensure(recorded == kept, || format!("{recorded:?} became {kept:?}"))?;
        // The checker takes all kinds for promised, so branches and faults may be gone.
        let mut violations = lab.violations(&screens);
        let may_be_lost = |text: &str| text.ends_with("was lost") && !text.starts_with("screen:");
        violations.retain(|violation| !may_be_lost(violation));
        none(&violations)?;
        for_screens.set(for_screens.get() + screens.seconds());
        for_all.set(for_all.get() + all.seconds());
        costlier.set(costlier.get() + u32::from(screens.seconds() > all.seconds()));
        Ok(())
    });
    // Not so for each case: fewer elements keep fewer traces, which leave less to splice.
    let (screens, all) = (for_screens.get(), for_all.get());
    assert!(
        screens < all,
        "{screens} s for screens, {all} s for all, costlier in {costlier:?} cases"
    );
}

#[test]
fn any_number_of_fragments_and_rounds_keeps_the_promise() {
    check(1100..1110, Apps::Maze, |case| {
        let lab = Lab::new(case);
        for setting in [
            "splice.fragments=1",
            "splice.fragments=2",
            "splice.fragments=4",
            "settle.rounds=0",
            "settle.rounds=1",
            "replay.after_divergence=finish",
            "replay.runs=1",
        ] {
            let reduced = lab.reduce_on(setting, "count=1", &[setting])?;
            is_perfect(&lab, &reduced).map_err(|why| format!("{setting}: {why}"))?;
        }
        Ok(())
    });
}

#[test]
fn any_number_of_fragments_and_rounds_keeps_what_is_certain_of_a_flaky_app() {
    check(1150..1160, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        for setting in [
            "splice.fragments=1",
            "splice.fragments=4",
            "settle.rounds=0",
        ] {
            let reduced = lab.reduce_on(setting, "count=1", &[setting])?;
            let held = none(&lab.violations_but_replay(&reduced))
                .and_then(|()| is_preserved(&reduced))
                .and_then(|()| is_accounted_for(&lab, &reduced));
            held.map_err(|why| format!("{setting}: {why}"))?;
        }
        Ok(())
    });
}
