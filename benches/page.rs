//! How quickly `report.html` opens: `cargo bench --bench page`, with a Chromium on this machine.

#[path = "../tests/page/case.rs"]
#[expect(dead_code, reason = "the tests open more pages than this")]
mod case;
#[path = "../tests/page/chromium.rs"]
mod chromium;
#[path = "../tests/page/tab.rs"]
#[expect(dead_code, reason = "the tests do more with a page than this")]
mod tab;

use std::io::{self, Write as _};

use case::Case;
use tab::{DESKTOP, Tab};

/// How often each page is opened; the median counts.
const OPENED: usize = 7;

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(
        out,
        "| page | size | first paint | ready |\n|---|--:|--:|--:|"
    )?;
    let pages = [
        ("60 traces, 25 screens", Case::reduced()),
        ("1,000 traces, 10,000 elements, 300 screens", Case::large()),
    ];
    for (name, case) in pages {
        let size = case.page().len() as f64 / 1e6;
        let Some(mut tab) = Tab::open(&case, DESKTOP) else {
            return Ok(());
        };
        let paint = "new Promise((done) => new PerformanceObserver((list) => {
            const paint = list.getEntriesByName('first-contentful-paint')[0];
            if (paint) done(paint.startTime);
        }).observe({ type: 'paint', buffered: true }))";
        let ready = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd";
        let (mut paints, mut readies) = (Vec::new(), Vec::new());
        for _ in 0..OPENED {
            tab.go(DESKTOP, "");
            paints.push(tab.number(paint));
            readies.push(tab.number(ready));
        }
        writeln!(
            out,
            "| {name} | {size:.2} MB | {:.0} ms | {:.0} ms |",
            median(paints),
            median(readies)
        )?;
    }
    Ok(())
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
