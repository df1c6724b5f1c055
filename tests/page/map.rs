//! The map: filtered, zoomed, moved and asked.

use super::case::Case;
use super::tab::{DESKTOP, Tab};

const VIEW: &str = "document.querySelector('#system').getAttribute('viewBox')";
const WIDTH: &str = "document.querySelector('#system').viewBox.baseVal.width";

#[test]
fn a_filter_hides_screens_and_says_how_many_are_left() {
    let mut case = Case::reduced();
    let screens = case.report.system.screens.len();
    case.report.system.screens[screens - 1].kept = 0;
    case.report.system.screens[screens - 1].name = "Forgotten".to_owned();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    assert_eq!(tab.visible(".node"), screens);
    tab.click("#map input[type=checkbox]");
    assert_eq!(tab.visible(".node"), screens - 1);
    let gone = tab.visible(".edges.gone path");
    assert_eq!(gone, 0, "transitions that are not kept");
    tab.click("#map input[type=checkbox]");
    tab.fill("#map input[type=search]", "forgotten");
    assert_eq!(tab.visible(".node:not(.beside)"), 1);
    assert!(tab.visible(".node") < screens);
    let status = tab.text("document.querySelector('#map [role=status]').innerText");
    assert_eq!(status, format!("1 of {screens} screens"));
    tab.press("Enter");
    tab.settle();
    assert_eq!(
        tab.text("document.querySelector('.told h3').innerText"),
        "Forgotten"
    );
    tab.fill("#map input[type=search]", "");
    assert_eq!(tab.visible(".node"), screens);
}

#[test]
fn buttons_keys_and_the_mouse_change_the_view() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    tab.click("[aria-label='Show the whole map']");
    let whole = tab.number(WIDTH);
    tab.click("[aria-label='Zoom in']");
    let near = tab.number(WIDTH);
    assert!(near < whole * 0.8, "{whole} {near}");
    tab.click("[aria-label='Zoom out']");
    assert!((tab.number(WIDTH) - whole).abs() < 2.0);
    tab.eval("document.querySelector('.chart').focus()");
    for (key, changes) in [
        ("+", true),
        ("ArrowRight", true),
        ("Escape", false),
        ("0", true),
    ] {
        let before = tab.text(VIEW);
        tab.press(key);
        tab.settle();
        assert_eq!(tab.text(VIEW) != before, changes, "{key}");
    }
    assert!((tab.number(WIDTH) - whole).abs() < 2.0);
    let before = tab.number("document.querySelector('#system').viewBox.baseVal.x");
    tab.drag(".chart", 60.0);
    let after = tab.number("document.querySelector('#system').viewBox.baseVal.x");
    assert!(after < before, "{before} {after}");
}

#[test]
fn a_click_on_a_screen_tells_about_it_and_a_table_leads_there() {
    let case = Case::reduced();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    tab.click("#screen-1 rect");
    let told = "document.querySelector('.told')";
    let name = &case.report.system.screens[1].name;
    assert_eq!(
        tab.text(&format!("{told}.querySelector('h3').innerText")),
        *name
    );
    assert!(tab.holds(&format!("{told}.innerText.includes('Ways in')")));
    assert!(tab.visible(".node.lit") > 1);
    tab.eval("document.querySelector('#screens').open = true");
    tab.click("#screens a[href='#screen-2']");
    let name = &case.report.system.screens[2].name;
    assert_eq!(
        tab.text(&format!("{told}.querySelector('h3').innerText")),
        *name
    );
    assert!(tab.holds("document.activeElement === document.querySelector('.chart')"));
}

#[test]
fn no_name_on_the_map_sticks_out_of_its_box() {
    let mut case = Case::reduced();
    case.report.system.screens[1].name = "設定".repeat(20);
    case.report.system.screens[2].name = "W".repeat(40);
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    let out = "[...document.querySelectorAll('.node')].filter((n) => n.querySelector('text').getBBox().width > 140).length";
    assert_eq!(tab.eval(out), 0);
}

#[test]
fn a_map_that_has_no_room_yet_is_drawn_once_it_has() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    let before = tab.text(VIEW);
    for display in ["none", ""] {
        tab.eval(&format!(
            "document.querySelector('.chart').style.display = '{display}'"
        ));
        tab.eval("window.dispatchEvent(new Event('resize'))");
        tab.settle();
        assert_eq!(tab.text(VIEW), before);
    }
}
