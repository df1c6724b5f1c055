//! A page of ten thousand elements and a thousand traces.

use super::case::Case;
use super::tab::{DESKTOP, Tab};

#[test]
fn a_large_page_stays_below_five_megabytes_and_loses_nothing() {
    let case = Case::large();
    let page = case.page();
    assert!(page.len() < 5_000_000, "{}", page.len());
    for capped in ["not on this page", "not drawn", "are in <code>suite.jsonl"] {
        assert!(!page.contains(capped), "{capped}");
    }
    let Some(mut tab) = Tab::open(&case, DESKTOP) else {
        return;
    };
    assert_eq!(tab.trouble(), Vec::<String>::new());
    assert_eq!(tab.visible(".node"), 300);
    tab.click("#elements > summary");
    assert_eq!(tab.visible("#elements tbody tr"), 20);
    tab.fill("#elements input", "File249.java#L9999");
    assert_eq!(tab.visible("#elements tbody tr"), 1);
    tab.fill("#removed input", "t999");
    assert_eq!(tab.visible("#removed tbody tr"), 9);
    tab.fill("#removed input", "");
    tab.click("#removed .tools button");
    assert_eq!(tab.visible("#removed tbody tr"), 1_000);
}
