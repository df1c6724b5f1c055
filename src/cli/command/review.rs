//! `review`: step through what is left of a failing trace, and write an error report if somebody agrees.

use std::io::{self, BufRead, IsTerminal as _, Write};
use std::path::Path;

use super::show;
use crate::cli::args::{Format, ReviewArgs};
use crate::cli::exit_code::ExitCode;
use crate::cli::print;
use crate::report::{ErrorReport, visible};
use crate::session::{JobError, Review, ReviewReport};

pub(super) fn run(args: &ReviewArgs) -> Result<ExitCode, JobError> {
    let file = args.common.out.as_deref().map(Path::new);
    let review = Review::new(&args.dir, args.trace.as_deref(), file)?;
    let report = if let Some(page) = &args.page {
        review.write_page(&args.dir, page.as_deref())?
    } else if args.agree {
        if args.common.format == Format::Human {
            print(&review.report.text());
        }
        review.write()?
    } else if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let (mut answers, mut screen) = (io::stdin().lock(), io::stderr().lock());
        let file = review.file.display().to_string();
        // A terminal that is gone has agreed to nothing.
        let agreed = step_through(&review.report, &file, &mut answers, &mut screen);
        match agreed.unwrap_or(Consent::Refused) {
            Consent::Given => review.write()?,
            Consent::Refused => review.unwritten(),
        }
    } else {
        return Err(JobError::Unfit(
            "nobody is at a terminal to look at it and agree; --page writes a page to step through \
             in a browser, --agree says yes beforehand"
                .to_owned(),
        ));
    };
    show(&args.common, &report, || text(&report));
    Ok(ExitCode::Done)
}

/// What somebody said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Consent {
    Given,
    Refused,
}

/// Shows each part and then asks; only a whole `yes` after all of them is a yes.
fn step_through(
    report: &ErrorReport,
    file: &str,
    answers: &mut dyn BufRead,
    screen: &mut dyn Write,
) -> io::Result<Consent> {
    let total = report.parts.len();
    writeln!(
        screen,
        "All that the error report will hold, in {total} parts. Nothing is written before you agree."
    )?;
    let mut at = 0;
    while at < total {
        writeln!(screen, "\n--- {} of {total} ---", at + 1)?;
        screen.write_all(report.parts[at].as_bytes())?;
        let keys = "[Enter] next, [b] back, [q] stop: ";
        match answer(keys, answers, screen)?.as_deref() {
            None | Some("q") => return Ok(Consent::Refused),
            Some("b") => at = at.saturating_sub(1),
            Some(_) => at += 1,
        }
    }
    let question = format!(
        "\nThat was all of it. Type yes to agree and write it to {}: ",
        visible(file)
    );
    Ok(match answer(&question, answers, screen)?.as_deref() {
        Some("yes") => Consent::Given,
        _ => Consent::Refused,
    })
}

/// A line that somebody types; nothing if nobody is there any more.
fn answer(
    question: &str,
    answers: &mut dyn BufRead,
    screen: &mut dyn Write,
) -> io::Result<Option<String>> {
    write!(screen, "{question}")?;
    screen.flush()?;
    let mut line = String::new();
    let n_bytes = answers.read_line(&mut line)?;
    Ok((n_bytes > 0).then(|| line.trim().to_lowercase()))
}

fn text(report: &ReviewReport) -> String {
    let path = |path: &Path| visible(&path.display().to_string()).into_owned();
    match (&report.written, &report.page) {
        (Some(file), _) => format!("The error report is in {}.\n", path(file)),
        (None, Some(page)) => format!(
            "Open {} in a browser to step through it; it saves the error report if you agree.\n",
            path(page)
        ),
        (None, None) => "Nothing was written.\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Consent, step_through};
    use crate::report::ErrorReport;

    /// What comes of these lines, and what was shown before.
    #[track_caller]
    fn check(lines: &str, expect: Consent) -> String {
        let report = ErrorReport {
            parts: ["one\n", "two\n", "three\n"].map(str::to_owned).into(),
        };
        let mut screen = Vec::new();
        let said = step_through(&report, "report.txt", &mut lines.as_bytes(), &mut screen).unwrap();
        let screen = String::from_utf8(screen).unwrap();
        assert_eq!(said, expect, "{screen}");
        screen
    }

    #[test]
    fn only_a_yes_behind_all_parts_is_consent() {
        let shown = check("\n\n\nyes\n", Consent::Given);
        for part in ["one\n", "two\n", "three\n", "report.txt"] {
            assert!(shown.contains(part), "{shown}");
        }
        check("\n\n\n YES \n", Consent::Given);
        for lines in [
            "",
            "yes\n",
            "yes\nyes\nyes\n",
            "\n\n\n",
            "\n\n\n\n",
            "\n\n\ny\n",
            "\n\n\nno\nyes\n",
            "\n\nq\nyes\n",
        ] {
            check(lines, Consent::Refused);
        }
    }

    #[test]
    fn there_is_a_way_back() {
        let shown = check("\nb\n\n\n\nyes\n", Consent::Given);
        assert_eq!(shown.matches("--- 1 of 3 ---").count(), 2);
        check("b\nb\n\n\n\nyes\n", Consent::Given);
    }
}
