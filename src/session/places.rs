//! Where the traces of a suite show their elements.

use crate::model::{Cover, ElementId, Names, Suite, TraceIdx};

/// Everything a trace shows, position by position: the launch (`None`), then each step.
pub(super) fn places<'a>(
    suite: &'a Suite,
    names: &'a Names,
    trace: TraceIdx,
) -> impl Iterator<Item = (Option<u32>, Vec<ElementId>)> + 'a {
    let head = suite.trace(trace);
    let elements = move |cover: &Cover, screen| {
        let mut all = cover.elements().to_vec();
        all.push(names.screen_element(screen));
        all
    };
    let launch = elements(suite.cover(head.launch_covers), head.launch_screen);
    let steps = suite.steps(trace).iter().zip(0..);
    let steps = steps.map(move |(step, number)| {
        let cover = suite.step_cover(step);
        (Some(number), elements(&cover, step.screen))
    });
    [(None, launch)].into_iter().chain(steps)
}
