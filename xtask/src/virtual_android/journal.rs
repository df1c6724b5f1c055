//! The device's log, as logcat shows it.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The oldest lines beyond these are forgotten, as a ring buffer does.
const MOST_LINES: usize = 20_000;

/// One line of the log.
#[derive(Debug, Clone)]
pub(super) struct Line {
    millis: u128,
    pid: u32,
    level: char,
    tag: String,
    text: String,
}

/// The log.
#[derive(Debug, Default)]
pub(super) struct Journal {
    lines: Vec<Line>,
    /// How many lines have been forgotten or cleared.
    gone: usize,
}

/// What somebody wants to see of the log.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Tags with the least level; none is everything.
    pub(super) tags: Vec<(String, char)>,
    pub(super) silent: bool,
    /// From this time on, in milliseconds of the day's spelling.
    pub(super) since: Option<String>,
    /// So many of the last lines.
    pub(super) last: Option<usize>,
    pub(super) brief: bool,
}

impl Journal {
    pub(super) fn add(&mut self, pid: u32, level: char, tag: &str, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = now.unwrap_or(Duration::ZERO).as_millis();
        // Lines keep their order even where the clock does not.
        let millis = self
            .lines
            .last()
            .map_or(millis, |last| last.millis.max(millis));
        for text in text.lines() {
            self.lines.push(Line {
                millis,
                pid,
                level,
                tag: tag.to_owned(),
                text: text.to_owned(),
            });
        }
        if self.lines.len() > MOST_LINES {
            let surplus = self.lines.len() - MOST_LINES;
            self.lines.drain(..surplus);
            self.gone += surplus;
        }
    }

    pub(super) fn clear(&mut self) {
        self.gone += self.lines.len();
        self.lines.clear();
    }

    /// How many lines there ever were.
    pub(super) fn end(&self) -> usize {
        self.gone + self.lines.len()
    }

    /// The lines from a position on as text.
    pub(super) fn text(&self, from: usize, wanted: &Wanted) -> String {
        let lines = self.lines.iter().skip(from.saturating_sub(self.gone));
        let lines: Vec<_> = lines.filter(|line| wanted.has(line)).collect();
        let skip = wanted
            .last
            .map_or(0, |last| lines.len().saturating_sub(last));
        let mut text = String::new();
        for line in &lines[skip..] {
            let Line {
                pid,
                level,
                tag,
                text: message,
                ..
            } = line;
            let _ = if wanted.brief {
                writeln!(text, "{level}/{tag}({pid:5}): {message}")
            } else {
                writeln!(
                    text,
                    "{} {pid:5} {pid:5} {level} {tag}: {message}",
                    line.time()
                )
            };
        }
        text
    }
}

impl Line {
    fn time(&self) -> String {
        time(self.millis)
    }
}

/// Milliseconds since 1970 as `MM-DD hh:mm:ss.mmm` in universal time.
pub(super) fn time(millis: u128) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (month, day) = month_and_day(u64::try_from(days).unwrap_or(0));
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!(
        "{month:02}-{day:02} {hour:02}:{minute:02}:{:02}.{millis:03}",
        second % 60
    )
}

impl Wanted {
    fn has(&self, line: &Line) -> bool {
        const LEVELS: &str = "VDIWEFS";
        let rank = |level: char| LEVELS.find(level).unwrap_or(0);
        let tag = self.tags.iter().find(|(tag, _)| *tag == line.tag);
        let tag = tag.or_else(|| self.tags.iter().find(|(tag, _)| tag == "*"));
        let is_wanted = match tag {
            Some((_, least)) => rank(line.level) >= rank(*least) && *least != 'S',
            None => !self.silent,
        };
        is_wanted
            && self
                .since
                .as_ref()
                .is_none_or(|since| line.time() >= *since)
    }
}

/// Month and day of a day since 1970, by the civil calendar.
fn month_and_day(days: u64) -> (u64, u64) {
    // Years that begin in March, so that the leap day is the last one.
    let shifted = days + 719_468;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    (if month < 10 { month + 3 } else { month - 9 }, day)
}

#[cfg(test)]
mod tests {
    use super::month_and_day;

    #[test]
    fn days_have_their_months() {
        assert_eq!(month_and_day(0), (1, 1));
        assert_eq!(month_and_day(31 + 28), (3, 1));
        // 2024-02-29 and 2026-11-18.
        assert_eq!(month_and_day(19_782), (2, 29));
        assert_eq!(month_and_day(20_775), (11, 18));
    }
}
