//! `review.html`: every part is seen before anybody can agree, and what is saved is what was shown.

use std::fs;
use std::path::{Path, PathBuf};

use reduce_suite::report::{ErrorReport, review_page};

use super::tab::{DESKTOP, Look, Tab};

const EVIL: &str =
    "</pre><script>window.owned=1</script><img src=x onerror=window.owned=1>\n&amp;\n";

fn report() -> ErrorReport {
    ErrorReport {
        parts: ["first\n", EVIL, "\n  third 😀\n\n"]
            .map(str::to_owned)
            .into(),
    }
}

fn page(folder: &Path) -> PathBuf {
    let path = folder.join("review.html");
    let mut bytes = Vec::new();
    review_page(&report(), "error-report.txt", &mut bytes).expect("memory takes all");
    fs::write(&path, bytes).expect("there is room for a page");
    path
}

fn shown(tab: &mut Tab) -> usize {
    tab.visible(".part")
}

#[test]
fn what_was_stepped_through_and_agreed_to_is_what_is_saved() {
    let Some(mut tab) = Tab::open_page(page, DESKTOP) else {
        return;
    };
    tab.eval(
        "(() => { const make = URL.createObjectURL; window.saved = null; \
         URL.createObjectURL = (blob) => { window.saved = blob; return make(blob); }; return 1; })()",
    );
    assert_eq!((shown(&mut tab), tab.visible(".consent")), (1, 0));
    tab.click("#next");
    assert_eq!(tab.visible(".consent"), 0);
    tab.press("ArrowRight");
    tab.settle();
    assert_eq!((shown(&mut tab), tab.visible(".consent")), (1, 1));
    assert!(tab.holds("document.getElementById('save').disabled"));
    // What a script makes of the button does not matter without consent.
    tab.eval("(() => { const save = document.getElementById('save'); save.disabled = false; save.click(); save.disabled = true; return 1; })()");
    assert!(tab.holds("window.saved === null"));
    tab.click("#agree");
    tab.click("#save");
    tab.settle();
    assert_eq!(tab.text("window.saved.text()"), report().text());
    assert!(tab.holds("window.owned === undefined"));
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

#[test]
fn without_scripts_everything_can_be_read_and_nothing_agreed_to() {
    let look = Look {
        scripts: false,
        ..DESKTOP
    };
    let Some(mut tab) = Tab::open_page(page, look) else {
        return;
    };
    assert_eq!(tab.visible(".part"), 3);
    assert_eq!(tab.visible(".consent"), 0);
}
