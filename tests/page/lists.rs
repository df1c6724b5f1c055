//! The lists of the page: searched, shown in full, and reached by links.

use super::case::Case;
use super::tab::{DESKTOP, Tab};

const ROWS: &str = "#removed tbody tr";
const STATUS: &str = "document.querySelector('#removed [role=status]').innerText";

#[test]
fn a_search_leaves_the_rows_that_match_and_says_how_many() {
    let mut case = Case::reduced();
    let total = case.report.removed.len();
    assert!(total > 25, "{total} traces were removed");
    case.report.removed[total - 1].why = "unstable".to_owned();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    assert_eq!(tab.visible(ROWS), 20);
    assert_eq!(tab.text(STATUS), format!("The first 20 of {total}"));
    tab.fill("#removed input", "UNstable");
    assert_eq!(tab.visible(ROWS), 1);
    assert_eq!(tab.text(STATUS), format!("1 match of {total}"));
    tab.fill("#removed input", "no such thing");
    assert_eq!(tab.visible(ROWS), 0);
    assert_eq!(tab.text(STATUS), format!("No match in {total}"));
    tab.fill("#removed input", "");
    assert_eq!(tab.visible(ROWS), 20);
    tab.click("#removed .tools button");
    assert_eq!(tab.visible(ROWS), total);
    tab.click("#removed .tools button");
    assert_eq!(tab.visible(ROWS), 20);
}

#[test]
fn a_fragment_leads_to_its_origin_and_the_origin_back() {
    let case = Case::reduced();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    let last = "[...document.querySelectorAll('.strip[open] .from a')].at(-1)";
    tab.eval(&format!("{last}.id = 'chosen'"));
    let name = tab.text("document.querySelector('#chosen').innerText");
    tab.click("#chosen");
    let row = "document.querySelector('tr:target')";
    assert_eq!(tab.text(&format!("{row}.cells[0].innerText")), name);
    assert!(tab.holds(&format!(
        "{row}.closest('#kept') !== null && document.activeElement === {row}"
    )));
    assert_eq!(tab.visible("tr:target"), 1);
    assert!(tab.holds(&format!(
        "{row}.getBoundingClientRect().bottom < innerHeight"
    )));
    tab.click("tr:target a");
    assert!(tab.holds("document.querySelector('details.strip:target').open"));
}

#[test]
fn every_link_leads_somewhere_even_to_rows_that_are_folded_away() {
    let case = Case::reduced();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    let dead = "[...document.links].filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.outerHTML)";
    assert_eq!(tab.eval(dead), serde_json::json!([]));
    let hidden = tab.text("document.querySelector('#removed .rest tr:last-child').id");
    assert_eq!(tab.visible(&format!("#{hidden}")), 0);
    tab.go(DESKTOP, &format!("#{hidden}"));
    assert_eq!(tab.visible(&format!("#{hidden}")), 1);
}

#[test]
fn strips_show_joins_faults_and_live_steps() {
    let mut case = Case::reduced();
    let strip = &mut case.strips[0];
    strip.steps[0].fault = Some("NullPointer".to_owned());
    strip.from[0].trace = None;
    strip.from[0].observed = Some(3);
    let joins: usize = case.strips[0].from.len() - 1;
    let steps = case.strips[0].steps.len();
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    let marks =
        "[...document.querySelectorAll('#r-1 .join')].filter((e) => e.innerText === '⋈').length";
    assert_eq!(tab.eval(marks), joins);
    assert_eq!(tab.visible("#r-1 li"), steps + 1);
    assert_eq!(
        tab.text("document.querySelector('#r-1 .pill.bad').innerText"),
        "NullPointer"
    );
    assert!(
        tab.holds("document.querySelector('#r-1 .observed').innerText.startsWith('seen live')")
    );
}
