//! `inspect`: what each abstraction makes of window dumps.

use std::fmt::Write as _;

use super::{show, with_progress};
use crate::cli::args::InspectArgs;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::report::visible;
use crate::session::{self, InspectedWindow, Inspection, JobError};

/// How many windows are shown one by one.
const SHOWN: usize = 10;

pub(super) fn run(config: &Config, args: &InspectArgs) -> Result<ExitCode, JobError> {
    let lines = args.lines.as_deref();
    let inspection = with_progress(config, &args.common, false, |conditions| {
        session::inspect(conditions.config, &args.dumps, lines)
    })?;
    show(&args.common, &inspection, || text(&inspection));
    Ok(ExitCode::Done)
}

fn text(inspection: &Inspection) -> String {
    let mut text = String::new();
    for window in inspection.windows.iter().take(SHOWN) {
        window_text(&mut text, window, inspection);
    }
    let n_windows = inspection.windows.len();
    if n_windows > SHOWN {
        let more = n_windows - SHOWN;
        let _ = writeln!(text, "… and {more} more; --format json has all of them\n");
    }
    let _ = writeln!(text, "{n_windows} windows are so many different screens:");
    for screens in &inspection.screens {
        let (name, about) = (screens.abstraction, screens.about);
        let _ = writeln!(text, "  {name:<10} {:>6}  {about}", screens.distinct);
    }
    if !inspection.unusable.is_empty() {
        let n_unusable = inspection.unusable.len();
        let _ = writeln!(text, "{n_unusable} could not be read:");
    }
    for one in inspection.unusable.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}: {}", visible(&one.place), visible(&one.why));
    }
    text
}

fn window_text(text: &mut String, window: &InspectedWindow, inspection: &Inspection) {
    let app = match (&*window.package, &*window.activity) {
        ("", "") => "no app".to_owned(),
        (one, "") | ("", one) => one.to_owned(),
        (package, activity) => format!("{package}/{activity}"),
    };
    let _ = writeln!(
        text,
        "{}: {}, {} widgets, {} of them take something",
        visible(&window.place),
        visible(&app),
        window.widgets,
        window.actionable
    );
    for screens in &inspection.screens {
        let screen = window.screens.get(screens.abstraction);
        let screen = screen.map_or("", String::as_str);
        let _ = writeln!(text, "  {:<10} {}", screens.abstraction, visible(screen));
    }
    for line in window.lines.iter().flatten() {
        let _ = writeln!(text, "    {}", visible(line));
    }
    text.push('\n');
}
