//! `report.md`: fit for a pull-request comment or the summary of a CI step.

mod certainty;
mod since;

use std::io::{self, Write};

use super::certainty::elapsed;
use super::facts::{
    Verdict, bound_sentence, coverage, headline, listed, phase_uses, seen, verdict,
};
use super::number::{counted, grouped, percent};
use super::text::{markdown as code, markdown_remark as remark};
use super::{Gone, Renderer, Report, Shown, human_seconds};

pub(super) const RENDERER: Renderer = Renderer {
    name: "markdown",
    file: "report.md",
    render,
};

/// How many findings of one sort are named: forges refuse long comments.
const NAMED: usize = 20;

fn render(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let report = shown.report;
    verdict_lines(report, out)?;
    size_table(report, out)?;
    coverage_table(report, out)?;
    phase_table(report, out)?;
    gone_list("Lost", &report.lost, out)?;
    diverged_list(report, out)?;
    certainty::flaky_list(report, out)?;
    gone_list("Unstable, set aside", &report.unstable, out)?;
    cut_table(report, out)?;
    since::list(report, out)?;
    limit_list(report, out)?;
    restored_list(report, out)?;
    certainty::choice_table(report, out)?;
    certainty::trace_table(report, out)?;
    writeln!(
        out,
        "\n<sub>{}, strategy {} ({}), seed {}</sub>",
        code(&report.tool),
        code(&report.strategy),
        code(&report.algorithm),
        report.seed
    )
}

fn verdict_lines(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mark = match verdict(report) {
        Verdict::Kept => "✅",
        Verdict::Stopped => "⚠️",
        Verdict::Broken => "❌",
    };
    writeln!(out, "## {mark} {}\n", headline(report))?;
    if let Some(why) = &report.stopped {
        writeln!(out, "Stopped early: {}\n", remark(why))?;
    }
    Ok(())
}

fn size_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (old, new) = (&report.input, &report.output);
    let count = |label: &str, old: usize, new: usize| {
        let share = percent(new as f64, old as f64);
        format!(
            "| {label} | {} | {} | {share} |",
            grouped(old),
            grouped(new)
        )
    };
    writeln!(out, "| | before | after | left |\n|---|--:|--:|--:|")?;
    writeln!(out, "{}", count("traces", old.traces, new.traces))?;
    writeln!(out, "{}", count("steps", old.steps, new.steps))?;
    writeln!(
        out,
        "| device time of one replay | {} | {} | {} |\n",
        human_seconds(old.seconds),
        human_seconds(new.seconds),
        percent(new.seconds, old.seconds)
    )?;
    if let Some(bound) = bound_sentence(report) {
        writeln!(out, "{bound}\n")?;
    }
    certainty::sentences(report, out)
}

fn coverage_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let head = "| coverage | kept | of | unstable | lost |\n|---|--:|--:|--:|--:|";
    writeln!(out, "{head}")?;
    for row in coverage(report) {
        let note = if row.promised { "" } else { " (not asked for)" };
        writeln!(
            out,
            "| {}{note} | {} | {} | {} | {} |",
            code(row.kind),
            grouped(row.kept),
            grouped(row.recorded),
            grouped(row.unstable),
            grouped(row.lost)
        )?;
    }
    writeln!(out)
}

fn phase_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let device = &report.device;
    writeln!(
        out,
        "Reducing took {} of device time: {} launches, {} steps; {} of {} candidates rejected, \
         {} retries.{}\n",
        human_seconds(device.seconds),
        grouped(device.launches),
        grouped(device.steps),
        grouped(device.rejected),
        grouped(device.candidates),
        grouped(device.retries),
        elapsed(report).map_or_else(String::new, |text| format!(" {text}"))
    )?;
    writeln!(
        out,
        "| phase | traces | steps | device time |\n|---|--:|--:|--:|"
    )?;
    for phase in &report.phases {
        let used = device.by_phase.get(&phase.name);
        writeln!(
            out,
            "| {} | {} | {} | {} |",
            code(&phase.name),
            grouped(phase.traces),
            grouped(phase.steps),
            used.map_or_else(|| "–".to_owned(), |used| human_seconds(used.seconds))
        )?;
    }
    for (name, used) in phase_uses(report) {
        if report.phases.iter().all(|phase| phase.name != name) {
            let time = human_seconds(used.seconds);
            writeln!(out, "| {} | – | – | {time} |", code(name))?;
        }
    }
    Ok(())
}

fn gone_list(title: &str, gone: &[Gone], out: &mut dyn Write) -> io::Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n### {title}: {}\n", counted(gone.len(), "element"))?;
    for one in gone.iter().take(NAMED) {
        writeln!(out, "- {}: {}", code(&one.element), remark(&one.why))?;
    }
    more(gone.len(), out)
}

fn diverged_list(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let traces = report.validation.traces.iter();
    let diverged: Vec<_> = traces.filter(|trace| trace.diverged > 0).collect();
    if diverged.is_empty() {
        return Ok(());
    }
    let count = counted(diverged.len(), "trace");
    writeln!(out, "\n### Diverged in validation: {count}\n")?;
    for trace in diverged.iter().take(NAMED) {
        let name = code(&trace.trace);
        writeln!(out, "- {name}: {} of {} runs", trace.diverged, trace.runs)?;
    }
    more(diverged.len(), out)
}

fn cut_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.cut.is_empty() {
        return Ok(());
    }
    let count = counted(report.cut.len(), "trace");
    writeln!(out, "\n### Cut where replays left the recording: {count}\n")?;
    let head = "| trace | kept steps | diverged | expected | seen |\n|---|--:|--:|---|---|";
    writeln!(out, "{head}")?;
    for cut in report.cut.iter().take(NAMED) {
        writeln!(
            out,
            "| {} | {} of {} | {} of {} | {} | {} |",
            code(&cut.trace),
            grouped(cut.kept),
            grouped(cut.of),
            cut.diverged,
            cut.runs,
            code(&cut.expected),
            seen(cut, code)
        )?;
    }
    more(report.cut.len(), out)
}

fn limit_list(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.limits.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n### Limits reached: {}\n",
        grouped(report.limits.len())
    )?;
    for hit in report.limits.iter().take(NAMED) {
        let place = [Some(&hit.phase), hit.trace.as_ref()];
        let place: Vec<&str> = place.into_iter().flatten().map(String::as_str).collect();
        let place = listed(place.into_iter(), 2, code);
        writeln!(out, "- {place}: {}", remark(&hit.limit))?;
    }
    more(report.limits.len(), out)
}

fn restored_list(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.restored.is_empty() {
        return Ok(());
    }
    let count = counted(report.restored.len(), "trace");
    writeln!(out, "\n### Put back by hand, not validated: {count}\n")?;
    for one in report.restored.iter().take(NAMED) {
        let (trace, name) = (code(&one.trace), code(&one.name));
        writeln!(out, "- {trace} as {name}: {}", remark(&one.why))?;
    }
    more(report.restored.len(), out)
}

/// Says how many of `all` were not named.
fn more(all: usize, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(NAMED) {
        0 => Ok(()),
        rest => writeln!(out, "\n… and {} more in `report.json`.", grouped(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::RENDERER;
    use crate::report::sample::{broken, gone, hostile, old, rendered, sample};

    #[test]
    fn markdown_starts_with_the_verdict() {
        insta::assert_snapshot!(rendered(&RENDERER, &sample()));
    }

    #[test]
    fn markdown_names_what_is_wrong() {
        insta::assert_snapshot!(rendered(&RENDERER, &broken()));
    }

    #[test]
    fn markdown_of_an_old_report_leaves_out_what_it_does_not_know() {
        insta::assert_snapshot!(rendered(&RENDERER, &old()));
    }

    #[test]
    fn hostile_names_add_no_markup_to_markdown() {
        let text = rendered(&RENDERER, &hostile());
        let control = |c: char| c.is_control() && c != '\n';
        assert_eq!(text.find(control), None);
        let columns = |line: &str| line.matches('|').count();
        for line in text.lines().filter(|line| line.starts_with('|')) {
            assert!([5, 6].contains(&columns(line)), "{line}");
        }
        assert_eq!(
            text.matches("alert").count(),
            text.matches("alert&#40;").count()
        );
    }

    #[test]
    fn long_lists_end_with_a_count_and_fit_a_comment() {
        let mut report = sample();
        let name = "x|".repeat(4_000);
        report.lost = (0..10_000).map(|_| gone(&name, &name)).collect();
        report.cut = vec![report.cut[0].clone(); 21];
        let text = rendered(&RENDERER, &report);
        assert!(text.contains("\n\n… and 9,980 more in `report.json`.\n"));
        assert!(text.contains("|\n\n… and 1 more in `report.json`.\n"));
        assert!(text.chars().count() < 65_536, "{}", text.len());
    }
}
