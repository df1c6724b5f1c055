//! The page on paper, and without scripts.

use super::case::Case;
use super::tab::{DESKTOP, Look, Tab};

#[test]
fn paper_shows_what_is_folded_and_none_of_the_controls() {
    let case = Case::reduced();
    let (removed, elements) = (case.report.removed.len(), case.report.witness.len());
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    tab.fill("#kept input", "no such thing");
    assert_eq!(tab.visible("#elements tbody tr"), 0);
    tab.as_printed();
    assert_eq!(tab.visible("#removed tbody tr"), removed);
    assert_eq!(tab.visible("#elements tbody tr"), elements);
    assert!(tab.visible("#kept tbody tr") > 1);
    let steps: usize = case.strips.iter().map(|strip| strip.steps.len() + 1).sum();
    assert_eq!(tab.visible(".film li"), steps);
    assert_eq!(tab.visible(".node"), case.report.system.screens.len());
    assert_eq!(tab.visible("nav, .tools, button, input"), 0);
    let pages = tab.pdf_pages();
    assert!(pages > 3, "{pages} pages");
}

#[test]
fn without_scripts_everything_is_there_and_no_control_is_dead() {
    let case = Case::reduced();
    let off = Look {
        scripts: false,
        ..DESKTOP
    };
    let Some(mut tab) = Tab::open(&case, off) else {
        return;
    };
    assert_eq!(tab.visible("#removed tbody tr"), case.report.removed.len());
    assert_eq!(tab.visible(".node"), case.report.system.screens.len());
    assert_eq!(tab.visible("button, input"), 0);
    assert_eq!(tab.visible(".strip"), case.strips.len());
    tab.click("#elements > summary");
    assert_eq!(tab.visible("#elements tbody tr"), case.report.witness.len());
}
