//! `report.html`: one file to open anywhere, without a network; its scripts only add comfort.

mod anchor;
mod certainty;
mod chart;
mod findings;
mod follow_up;
mod layout;
mod map;
mod origins;
mod page;
mod strips;
mod table;

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::facts::{Verdict, headline, verdict};
use super::text::{html, html_lines};
use super::{Renderer, Report, Shown};
use anchor::Anchors;
use page::Page;

pub(super) const RENDERER: Renderer = Renderer {
    name: "html",
    file: "report.html",
    render,
};

const STYLE: &str = concat!(
    include_str!("html/page.css"),
    include_str!("html/parts.css"),
    include_str!("html/media.css"),
);
const SCRIPT: &str = concat!(include_str!("html/list.js"), include_str!("html/map.js"));

/// Longest configuration that is shown, in bytes.
const LONGEST_CONFIG: usize = 50_000;

/// The parts that readers jump to: the place of each and its name.
const PARTS: [(&str, &str); 11] = [
    ("coverage", "Coverage"),
    ("bound", "Device time"),
    ("map", "Map"),
    ("reduced", "Reduced traces"),
    ("kept", "Kept traces"),
    ("removed", "Removed traces"),
    ("spots", "Flaky spots"),
    ("since", "Since before"),
    ("restored", "Restored traces"),
    ("elements", "Elements"),
    ("made", "How it was made"),
];

fn render(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let mut body = Vec::new();
    content(shown, &mut Page::new(&mut body))?;
    head(shown.report, out)?;
    banner(shown.report, out)?;
    contents(&body, out)?;
    out.write_all(&body)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// All that comes behind the verdict.
fn content(shown: &Shown, page: &mut Page) -> io::Result<()> {
    let report = shown.report;
    let anchors = Anchors::new(shown);
    chart::sizes(report, page)?;
    findings::urgent(report, &anchors, page)?;
    chart::coverage(report, page)?;
    findings::files(report, page)?;
    chart::bound(report, page)?;
    chart::phases(report, page)?;
    chart::device_time(report, page)?;
    certainty::choice_table(report, page)?;
    map::map(report, page)?;
    map::tables(report, page)?;
    strips::strips(shown, &anchors, page)?;
    certainty::reduced(shown, &anchors, page)?;
    origins::kept(shown, &anchors, page)?;
    origins::removed(report, &anchors, page)?;
    findings::flaky_spots(report, &anchors, page)?;
    follow_up::since(report, &anchors, page)?;
    follow_up::restored(report, &anchors, page)?;
    findings::limits(report, page)?;
    findings::elements(report, &anchors, page)?;
    about(report, page)
}

/// The digest by which the policy knows a style or script.
pub(super) fn source_hash(text: &str) -> String {
    let digest = STANDARD.encode(Sha256::digest(text));
    format!("'sha256-{digest}'")
}

/// The beginning of a page that needs no network; the policy comes before anything it could
/// apply to.
pub(super) fn policy_and_title(
    title: &str,
    style: &str,
    script_hash: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style_hash = source_hash(style);
    writeln!(
        out,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {style_hash}; script-src {script_hash}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{} – reduce-suite</title>
<style>{style}</style>"#,
        html(title)
    )
}

fn head(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    policy_and_title(&headline(report), STYLE, &source_hash(SCRIPT), out)?;
    writeln!(out, "<script>{SCRIPT}</script>\n</head>\n<body>\n<main>")
}

/// Links to the parts that are there.
fn contents(body: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let body = String::from_utf8_lossy(body);
    writeln!(out, "<nav aria-label=\"On this page\">")?;
    for (id, name) in PARTS {
        if body.contains(&format!(" id=\"{id}\"")) {
            writeln!(out, "<a href=\"#{id}\">{name}</a>")?;
        }
    }
    writeln!(out, "</nav>")
}

fn banner(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (class, mark) = match verdict(report) {
        Verdict::Kept => ("good", "✓"),
        Verdict::Stopped => ("warn", "!"),
        Verdict::Broken => ("bad", "✕"),
    };
    let headline = headline(report);
    let (short, long) = headline.split_once(": ").unwrap_or((&headline, ""));
    writeln!(
        out,
        "<header class=\"banner {class}\">\n<span class=\"mark\" aria-hidden=\"true\">{mark}</span>\n\
         <div><h1>{}</h1>\n<p>{}</p>",
        html(short),
        html(&capitalized(long)),
    )?;
    if let Some(why) = &report.stopped {
        writeln!(out, "<p>Reason to stop early: {}</p>", html(why))?;
    }
    writeln!(out, "</div>\n</header>")
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// What is needed to make the same report again.
fn about(report: &Report, out: &mut Page) -> io::Result<()> {
    let facts = [
        ("tool", report.tool.as_str()),
        ("strategy", &report.strategy),
        ("algorithm", &report.algorithm),
        ("seed", &report.seed.to_string()),
        ("device", &report.subject.device),
        ("app sha256", &report.subject.sha256),
        ("input sha256", &report.input.sha256),
        ("output sha256", &report.output.sha256),
    ];
    writeln!(
        out,
        "<details id=\"made\">\n<summary><h2>How it was made</h2></summary>\n<dl>"
    )?;
    for (name, value) in facts {
        writeln!(out, "<dt>{name}</dt><dd><code>{}</code></dd>", html(value))?;
    }
    let config = format!("{:#}", report.config);
    let label = "tabindex=\"0\" role=\"region\" aria-label=\"Configuration\"";
    writeln!(
        out,
        "</dl>\n<h3>Configuration</h3>\n<pre {label}>{}</pre>\n</details>",
        html_lines(&config, LONGEST_CONFIG)
    )
}

#[cfg(test)]
mod tests {
    use super::RENDERER;
    use crate::report::sample::{broken, gone, hostile, old, rendered, sample};
    use crate::report::{Removed, Report};

    /// Everything between `<` and `>`, which is all that a browser could act on.
    fn tags(text: &str) -> Vec<&str> {
        let parts = text.split('<').skip(1);
        parts.map(|part| &part[..part.find('>').unwrap()]).collect()
    }

    #[test]
    fn hostile_names_add_no_element_and_no_attribute() {
        let text = rendered(&RENDERER, &hostile());
        let text = text.split_once("</script>").unwrap().1;
        for tag in tags(text) {
            let href = tag.split_once("href=\"").map(|(_, href)| href);
            assert!(href.is_none_or(|href| href.starts_with('#')), "{tag}");
            let name = tag.trim_start_matches('/').split(' ').next().unwrap();
            let known = [
                "head", "body", "html", "main", "header", "section", "div", "span", "p", "h1",
                "h2", "h3", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
                "caption", "code", "dl", "dt", "dd", "pre", "ol", "li", "nav", "a", "b", "br",
                "small", "svg", "g", "defs", "marker", "path", "rect", "text", "title",
            ];
            assert!(known.contains(&name), "{tag}");
            for bad in ["alert", "everyone", " on", "src", "url(", "style"] {
                assert!(!tag.contains(bad), "{tag}");
            }
        }
        assert_eq!(text.matches("<script").count(), 0);
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        let control = |c: char| c.is_control() && c != '\n';
        assert_eq!(text.find(control), None);
    }

    #[test]
    fn the_page_forbids_all_but_its_own_style_and_script() {
        let text = rendered(&RENDERER, &sample());
        let policy = text.find("default-src 'none'; style-src 'sha256-").unwrap();
        assert!(policy < text.find("<style>").unwrap());
        assert!(!text.contains("unsafe"));
        assert_eq!(text.matches("<script").count(), 1);
        for outside in ["http:", "https:", "@import", "<link", "<img", " style="] {
            assert!(!text.contains(outside), "{outside}");
        }
        let own = text.matches("url(#tip)").count();
        assert_eq!(text.matches("url(").count(), own);
    }

    #[test]
    fn the_verdict_is_the_first_thing_on_the_page() {
        let check = |report: &Report, expect: &str| {
            let text = rendered(&RENDERER, report);
            let body = text.split_once("<main>").unwrap().1;
            assert!(body.find(expect).is_some_and(|at| at < 150), "{body}");
        };
        check(&sample(), "<h1>Coverage kept</h1>");
        check(&broken(), "<h1>Coverage lost</h1>");
    }

    #[test]
    fn a_flaky_trace_is_seen_and_the_others_stay_calm() {
        let text = rendered(&RENDERER, &sample());
        let flag = "<span class=\"pill warn\">flaky</span>";
        assert_eq!(text.matches(flag).count(), 1);
        assert!(text.contains(&format!("<code>r7</code> {flag}")));
        assert!(text.contains("<details class=\"list warning\" id=\"flaky\" open>"));
        let text = rendered(&RENDERER, &old());
        for absent in [
            flag,
            "list warning",
            "Size against risk",
            "As far as is known",
        ] {
            assert!(!text.contains(absent), "{absent}");
        }
    }

    #[test]
    fn every_tag_that_opens_closes() {
        for report in [sample(), old(), broken(), hostile()] {
            let text = rendered(&RENDERER, &report);
            let mut open: Vec<&str> = Vec::new();
            for tag in tags(text.split_once("</head>").unwrap().1) {
                match tag.strip_prefix('/') {
                    Some("html") => {}
                    Some(name) => assert_eq!(open.pop(), Some(name)),
                    None if tag == "br" || tag.ends_with('/') => {}
                    None => open.push(tag.split(' ').next().unwrap()),
                }
            }
            assert_eq!(open, Vec::<&str>::new());
        }
    }

    #[test]
    fn ten_thousand_rows_of_everything_stay_below_five_megabytes() {
        let name = "<&\"'>".repeat(50);
        let mut report = sample();
        report.lost = (0..10_000).map(|_| gone(&name, &name)).collect();
        report.unstable = report.lost.clone();
        let removed = |idx: usize| Removed {
            trace: format!("t{idx}"),
            why: "redundant".to_owned(),
            covered_by: vec![name.clone(); 100],
            now: Vec::new(),
        };
        report.removed = (0..10_000).map(removed).collect();
        report.cut = vec![report.cut[0].clone(); 10_000];
        report.limits = vec![report.limits[0].clone(); 10_000];
        report.validation.traces = vec![report.validation.traces[0].clone(); 10_000];
        for trace in &mut report.validation.traces {
            trace.trace.clone_from(&name);
            trace.diverged = 1;
            trace.flaky = true;
        }
        report.choices = vec![report.choices[0].clone(); 10_000];
        for choice in &mut report.choices {
            choice.what.clone_from(&name);
        }
        report.bound.expensive = vec![report.bound.expensive[0].clone(); 10_000];
        report.phases = vec![report.phases[0].clone(); 10_000];
        let witness = report.witness["b1"].clone();
        let element = |idx: usize| (format!("line:{name}{idx}.js:1"), witness.clone());
        report.witness = (0..10_000).map(element).collect();
        report.dropped = vec![report.dropped[0].clone(); 10_000];
        report.dropped[0].now = vec![name.clone(); 100];
        for screen in 0..10_000 {
            let mut one = report.system.screens[screen % 2].clone();
            one.name = format!("{screen}{name}");
            report.system.screens.push(one);
            let mut one = report.system.transitions[screen % 2].clone();
            one.to = screen;
            one.action.clone_from(&name);
            report.system.transitions.push(one);
        }
        report.config = name.repeat(100_000).into();
        let text = rendered(&RENDERER, &report);
        assert!(text.len() < 5_000_000, "{}", text.len());
        assert!(text.contains("more rows are not on this page"));
    }

    #[test]
    fn ten_thousand_plain_removed_traces_are_all_listed() {
        let mut report = sample();
        let removed = |idx: usize| Removed {
            trace: format!("t{idx}"),
            why: "redundant".to_owned(),
            covered_by: vec!["t2".to_owned()],
            now: vec!["r1".to_owned()],
        };
        report.removed = (0..10_000).map(removed).collect();
        let text = rendered(&RENDERER, &report);
        assert!(text.contains("<code>t9999</code>"));
        assert!(!text.contains("not on this page"));
    }
}
