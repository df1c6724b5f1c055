//! Apps that try to take over the page that tells about them.

use super::case::Case;
use super::tab::{DESKTOP, Tab};

#[test]
fn nothing_that_an_app_says_is_ever_run_or_becomes_markup() {
    let mut shape = None;
    for evil in [
        "plain",
        "<script>window.owned=1</script>\"><img src=x onerror=window.owned=1>' onfocus='window.owned=1' x='",
        "</title></svg></style></script><svg onload=window.owned=1><!--<script>}*{display:none}",
        "javascript:window.owned=1\u{2028}\u{2029}\u{202e}\0${window.owned=1}",
    ] {
        let Some(mut tab) = Tab::open(&Case::speaking(evil), DESKTOP) else {
            return;
        };
        let names = "[...new Set([...document.querySelectorAll('*')].map((e) => \
                     e.localName + [...e.attributes].map((a) => a.name).sort()))].sort().join()";
        let names = tab.text(names);
        assert_eq!(*shape.get_or_insert_with(|| names.clone()), names, "{evil}");
        // Everything that a reader can do puts texts into new places.
        tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        tab.fill("#map input[type=search]", &evil.replace('\0', ""));
        tab.fill("#map input[type=search]", "");
        tab.click("#screen-1 rect");
        tab.click("#r-1 .from a, #r-1 summary");
        tab.fill("#removed input", &evil.replace('\0', ""));
        tab.fill("#removed input", "");
        assert!(tab.holds("window.owned === undefined"), "{evil}");
        assert_eq!(tab.trouble(), Vec::<String>::new(), "{evil}");
        let told = "[...new Set([...document.querySelectorAll('.told *')].map((e) => e.localName))].join()";
        assert_eq!(tab.text(told), "h3,p,div,h4,ul,li", "{evil}");
    }
}

#[test]
fn the_policy_stops_what_would_get_in_all_the_same() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    tab.eval(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.owned = 1'; document.body.append(s); \
         document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.owned = 1\"><p id=p style=\"color:red\">'); })()",
    );
    tab.settle();
    assert!(tab.holds("window.owned === undefined"));
    assert!(tab.holds("getComputedStyle(document.querySelector('#p')).color !== 'rgb(255, 0, 0)'"));
}
