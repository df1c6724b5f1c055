//! The page as it looks: its verdict, in dark and light, on a desk and on a phone.

use super::case::Case;
use super::tab::{DESKTOP, Look, Tab};

/// The lowest contrast of any visible text with what lies behind it, and that text.
const CONTRAST: &str = r"(() => {
  const parse = (text) => { const n = text.match(/[\d.]+/g).map(Number); return { c: n.slice(0, 3), a: n.length > 3 ? n[3] : 1 }; };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => {
    const box = e.closest('.node')?.querySelector('rect');
    if (box) return parse(getComputedStyle(box).fill).c;
    for (let at = e; at; at = at.parentElement) {
      const back = parse(getComputedStyle(at).backgroundColor);
      if (back.a > 0) return back.c;
    }
    return parse(getComputedStyle(document.body).backgroundColor).c;
  };
  let worst = [99, 'nothing'];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    const drawn = !e.closest('title, .mark') && walk.currentNode.data.trim() && e.checkVisibility({ opacityProperty: true });
    if (!drawn) continue;
    const style = getComputedStyle(e);
    const [a, b] = [parse(e.closest('svg') ? style.fill : style.color).c, behind(e)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, walk.currentNode.data.trim() + ' in ' + e.outerHTML.slice(0, 80)];
  }
  return worst;
})()";

#[test]
fn the_verdict_is_seen_first_and_the_browser_has_nothing_to_complain_about() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    assert_eq!(
        tab.text("document.querySelector('h1').innerText"),
        "Coverage kept"
    );
    assert!(tab.number("document.querySelector('h1').getBoundingClientRect().bottom") < 150.0);
    assert!(tab.holds("document.body.innerText.includes('src/app.js')"));
    for part in [
        "coverage", "files", "bound", "map", "reduced", "kept", "removed", "spots", "made",
    ] {
        assert_eq!(tab.visible(&format!("#{part}")), 1, "{part}");
    }
    assert_eq!(tab.trouble(), Vec::<String>::new());
}

#[test]
fn text_stands_out_in_dark_and_in_light_and_the_two_look_different() {
    let Some(mut tab) = Tab::open(&Case::reduced(), DESKTOP) else {
        return;
    };
    tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    let mut pictures = Vec::new();
    for dark in [false, true] {
        tab.look(Look { dark, ..DESKTOP });
        tab.settle();
        let worst = tab.eval(CONTRAST);
        assert!(
            worst[0].as_f64().expect("it is a ratio") >= 4.5,
            "dark {dark}: {worst}"
        );
        pictures.push(tab.picture());
    }
    assert_ne!(pictures[0], pictures[1]);
}

#[test]
fn nothing_sticks_out_of_a_phone() {
    let phone = Look {
        width: 360,
        ..DESKTOP
    };
    let long = "AVeryLongNameWithoutAnyPlaceToBreakIt".repeat(5);
    for case in [Case::reduced(), Case::speaking(&long)] {
        let Some(mut tab) = Tab::open(&case, phone) else {
            return;
        };
        tab.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        for scripts in [true, false] {
            let width = tab.number("document.documentElement.scrollWidth");
            assert!(width <= 360.0, "scripts {scripts}: {width}");
            let wide = "[...document.querySelectorAll('main > *')].filter((e) => e.getBoundingClientRect().right > 360).length";
            assert_eq!(tab.eval(wide), 0);
            tab.go(
                Look {
                    scripts: false,
                    ..phone
                },
                "",
            );
        }
    }
}
