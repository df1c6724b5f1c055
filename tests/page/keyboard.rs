//! The page without a mouse.

use super::case::Case;
use super::tab::{DESKTOP, Tab};

#[test]
fn the_tab_key_reaches_every_control_and_each_shows_its_focus() {
    let mut case = Case::reduced();
    // Rows with few links, so that there is not too much to walk through.
    for removed in &mut case.report.removed {
        removed.covered_by.clear();
        removed.now.truncate(1);
    }
    case.report.dropped.clear();
    case.report.unstable.truncate(2);
    case.report.cut.truncate(2);
    case.strips.truncate(2);
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    let controls = "[...document.querySelectorAll('a[href], button, input, summary, [tabindex=\"0\"]')]\
                    .filter((e) => e.checkVisibility() && e.getClientRects().length)";
    let total = tab.number(&format!("(window.left = new Set({controls})).size"));
    assert!(total > 50.0, "{total}");
    tab.eval("window.unmarked = []");
    let visit = "(() => { const e = document.activeElement; left.delete(e); \
                 if (e !== document.body && getComputedStyle(e).outlineStyle === 'none') unmarked.push(e.outerHTML.slice(0, 90)); \
                 return e === document.body; })()";
    let mut steps = 0.0;
    loop {
        tab.press("Tab");
        steps += 1.0;
        if tab.holds(visit) || steps > total + 20.0 {
            break;
        }
    }
    let left = tab.eval("[...left].map((e) => e.outerHTML.slice(0, 90))");
    assert_eq!(left, serde_json::json!([]));
    let unmarked = tab.eval("unmarked");
    assert_eq!(unmarked, serde_json::json!([]));
}

#[test]
fn controls_do_by_key_what_they_do_by_mouse() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    let focus = |tab: &mut Tab, selector: &str| {
        tab.eval(&format!("document.querySelector({selector:?}).focus()"));
    };
    focus(&mut tab, "#screens > summary");
    tab.press("Enter");
    assert!(tab.holds("document.querySelector('#screens').open"));
    focus(&mut tab, "#removed .tools button");
    tab.press("Space");
    tab.settle();
    assert!(tab.visible("#removed tbody tr") > 20);
    let screens = tab.visible(".node");
    tab.eval("document.querySelector('.node:not(.launch)').classList.replace('kept', 'gone')");
    focus(&mut tab, "#map input[type=checkbox]");
    tab.press("Space");
    tab.settle();
    assert!(tab.holds("document.querySelector('#map input[type=checkbox]').checked"));
    assert!(tab.visible(".node") <= screens);
    focus(&mut tab, "nav a[href='#removed']");
    tab.press("Enter");
    tab.settle();
    assert!(tab.holds("document.activeElement.closest('#removed') !== null"));
}
