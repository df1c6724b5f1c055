//! `report.html`: one file to open anywhere, without scripts and without a network.

mod certainty;
mod chart;
mod findings;
mod table;

use std::io::{self, Write};

use super::facts::{Verdict, headline, verdict};
use super::text::{html, html_lines};
use super::{Renderer, Report, Shown};

pub(super) const RENDERER: Renderer = Renderer {
    name: "html",
    file: "report.html",
    render,
};

const STYLE: &str = include_str!("style.css");

/// Longest configuration that is shown, in bytes.
const LONGEST_CONFIG: usize = 50_000;

fn render(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let report = shown.report;
    head(report, out)?;
    banner(report, out)?;
    chart::sizes(report, out)?;
    findings::urgent(report, out)?;
    chart::coverage(report, out)?;
    chart::phases(report, out)?;
    chart::device_time(report, out)?;
    certainty::choice_table(report, out)?;
    findings::rest(report, out)?;
    about(report, out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// The policy comes before anything it could apply to.
fn head(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{} – reduce-suite</title>
<style>
{STYLE}</style>
</head>
<body>
<main>"#,
        html(&headline(report))
    )
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
fn about(report: &Report, out: &mut dyn Write) -> io::Result<()> {
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
        "<details>\n<summary><h2>How it was made</h2></summary>\n<dl>"
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
        let text = text.split_once("</style>").unwrap().1;
        for tag in tags(text) {
            let name = tag.trim_start_matches('/').split(' ').next().unwrap();
            let known = [
                "head", "body", "html", "main", "header", "section", "div", "span", "p", "h1",
                "h2", "h3", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
                "caption", "code", "dl", "dt", "dd", "pre", "ol", "li",
            ];
            assert!(known.contains(&name), "{tag}");
            for bad in ["alert", "everyone", " on", "href", "src", "url("] {
                assert!(!tag.contains(bad), "{tag}");
            }
        }
        assert_eq!(text.matches("<script").count(), 0);
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        let control = |c: char| c.is_control() && c != '\n';
        assert_eq!(text.find(control), None);
    }

    #[test]
    fn the_page_forbids_all_but_its_own_style() {
        let text = rendered(&RENDERER, &sample());
        let policy = text
            .find("default-src 'none'; style-src 'unsafe-inline'")
            .unwrap();
        assert!(policy < text.find("<style>").unwrap());
        for outside in [
            "http:", "https:", "//", "@import", "url(", "<script", "<link", "<img",
        ] {
            assert!(!text.contains(outside), "{outside}");
        }
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
        assert!(text.contains("<details class=\"list warning\" open>"));
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
        report.config = name.repeat(100_000).into();
        let text = rendered(&RENDERER, &report);
        assert!(text.len() < 5_000_000, "{}", text.len());
        assert!(text.contains("more rows are in <code>report.json</code>"));
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
        assert!(!text.contains("more rows are in"));
    }
}
