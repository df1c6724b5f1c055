//! The device's log since the last look: what was covered, what broke, what did not respond.
//!
//! A mark of ours stands before each start. From it on no line is read twice and none is missed:
//! reading starts at the time of the last line that is known, which has to be there again. Where
//! it is not, the device has forgotten lines, and that is said instead of losing coverage.

use super::words::quoted;
use crate::model::Signature;
use crate::replay::DriverError;

/// What our own lines are tagged with.
pub(super) const TAG: &str = "ReduceSuite";
/// What an app says there when it ignored an action.
const REFUSED: &str = "!refused";
/// What an app says there to name a fault itself.
const FAULT: &str = "!fault ";
/// What an app says there when it ends by itself.
const CRASH: &str = "!crash";
/// A stack longer than this says nothing more.
const MOST_STACK: usize = 500;

/// How much of the log is known.
#[derive(Debug, Default)]
pub(super) struct Position {
    /// The time of the last line that was read.
    since: String,
    /// All lines of that time.
    known: Vec<String>,
    mark: String,
    is_marked: bool,
}

/// What the log tells of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Told {
    /// Covered elements, in order.
    pub(super) covers: Vec<String>,
    /// The app ignored the action.
    pub(super) refused: bool,
    /// The first fault.
    pub(super) fault: Option<String>,
    /// The app has died of an exception.
    pub(super) crashed: bool,
    /// The system said that the app does not respond.
    pub(super) hung: bool,
}

impl Told {
    /// Adds what was told later.
    pub(super) fn add(&mut self, later: Self) {
        self.covers.extend(later.covers);
        self.refused |= later.refused;
        self.fault = self.fault.take().or(later.fault);
        self.crashed |= later.crashed;
        self.hung |= later.hung;
    }

    /// Whether nothing was told.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Position {
    /// The script that sets a mark; its output is for [`Position::marked`].
    pub(super) fn mark_script(mark: &str) -> String {
        let mark = quoted(&format!("!mark {mark}"));
        format!("date '+%m-%d %H:%M:%S.000'; log -p i -t {TAG} {mark}")
    }

    /// Starts at a mark that was set.
    pub(super) fn marked(mark: &str, output: &str) -> Self {
        Self {
            since: output.trim().to_owned(),
            known: Vec::new(),
            mark: format!("!mark {mark}"),
            is_marked: false,
        }
    }

    /// The script that reads what is new.
    pub(super) fn script(&self, tag: &str) -> String {
        let since = quoted(&self.since);
        let more = match tag {
            "" | TAG => String::new(),
            tag => quoted(&format!("{tag}:V")),
        };
        format!(
            "logcat -d -v threadtime -T {since} -s {TAG}:V AndroidRuntime:E System.err:W \
             ActivityManager:E DEBUG:F {more}"
        )
    }

    /// Takes in what the script gave.
    pub(super) fn read(
        &mut self,
        text: &str,
        tag: &str,
        package: &str,
    ) -> Result<Told, DriverError> {
        let lines: Vec<Line> = text.lines().filter_map(Line::parse).collect();
        let fresh = self.fresh(&lines)?;
        let told = tell(&lines[fresh..], tag, package);
        if let Some(last) = lines.last() {
            last.time.clone_into(&mut self.since);
            let of_then = lines.iter().filter(|line| line.time == last.time);
            self.known = of_then.map(|line| line.whole.to_owned()).collect();
        }
        Ok(told)
    }

    /// The first line that is new.
    fn fresh(&mut self, lines: &[Line]) -> Result<usize, DriverError> {
        let forgotten = || {
            DriverError::Unwell(
                "the device's log has forgotten lines that were not read yet; make it larger \
                 (adb logcat -G 16M)"
                    .to_owned(),
            )
        };
        if !self.is_marked {
            let at = lines.iter().position(|line| line.text == self.mark);
            let at = at.ok_or_else(forgotten)?;
            self.is_marked = true;
            return Ok(at + 1);
        }
        let is_there = lines
            .iter()
            .zip(&self.known)
            .filter(|(line, known)| line.whole == known.as_str())
            .count();
        if is_there == self.known.len() {
            Ok(is_there)
        } else {
            Err(forgotten())
        }
    }
}

/// A line of the log.
struct Line<'a> {
    whole: &'a str,
    /// `MM-DD hh:mm:ss.mmm`
    time: &'a str,
    pid: &'a str,
    tag: &'a str,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// Reads `MM-DD hh:mm:ss.mmm PID TID LEVEL TAG: TEXT`.
    fn parse(whole: &'a str) -> Option<Self> {
        let time = whole.get(..18)?;
        if !time.is_ascii() || time.as_bytes()[2] != b'-' || time.as_bytes()[14] != b'.' {
            return None;
        }
        let (pid, rest) = word(whole.get(18..)?)?;
        let (_, rest) = word(rest)?;
        let (_, rest) = word(rest)?;
        let (tag, text) = rest.split_once(':')?;
        Some(Self {
            whole,
            time,
            pid,
            tag: tag.trim(),
            text: text.strip_prefix(' ').unwrap_or(text),
        })
    }
}

fn word(text: &str) -> Option<(&str, &str)> {
    text.trim_start().split_once(' ')
}

fn tell(lines: &[Line], tag: &str, package: &str) -> Told {
    let mut told = Told::default();
    let mut own_fault = None;
    let mut native = Native::default();
    let mut stacks: Vec<Stack> = Vec::new();
    for line in lines {
        match line.tag {
            "AndroidRuntime" | "System.err" => stack_line(&mut stacks, line),
            "ActivityManager" => {
                let whose = line.text.strip_prefix("ANR in ");
                let whose = whose.and_then(|rest| rest.split([' ', '(']).next());
                told.hung |= whose == Some(package);
            }
            "DEBUG" => native.line(line.text, package),
            _ if line.text == REFUSED => told.refused = true,
            _ if line.text == CRASH => told.crashed = true,
            _ if line.text.starts_with("!mark ") => {}
            known if known == tag || known == TAG => {
                if let Some(fault) = line.text.strip_prefix(FAULT) {
                    // As it is, or as JSON where it has line ends.
                    let fault = serde_json::from_str(fault).unwrap_or(fault.to_owned());
                    own_fault = own_fault.or(Some(fault));
                } else if known == tag {
                    told.covers.extend(elements(line.text));
                }
            }
            _ => {}
        }
    }
    for stack in &stacks {
        let is_ours = stack
            .process
            .as_deref()
            .is_none_or(|process| process == package);
        if is_ours && !stack.text.is_empty() {
            told.crashed |= stack.process.is_some();
            let fault = Signature::parse(&stack.text).to_string();
            told.fault = told.fault.take().or(Some(fault));
        }
    }
    told.crashed |= native.fault.is_some();
    told.fault = own_fault.or(told.fault).or(native.fault);
    told
}

/// A crash of native code, as the system describes it.
#[derive(Default)]
struct Native {
    is_ours: bool,
    fault: Option<String>,
}

impl Native {
    fn line(&mut self, text: &str, package: &str) {
        if let Some((_, process)) = text.split_once(">>> ") {
            self.is_ours = process.split(" <<<").next() == Some(package);
        } else if let Some(signal) = text.strip_prefix("signal ")
            && self.is_ours
        {
            let name = signal
                .split_once('(')
                .and_then(|(_, name)| name.split(')').next());
            self.fault = self.fault.take().or(name.map(str::to_owned));
        }
    }
}

/// An exception with its stack, as it is read line by line.
struct Stack {
    tag: String,
    pid: String,
    /// Whose it is, where the log says so: then it was the end of it.
    process: Option<String>,
    text: String,
}

fn stack_line(stacks: &mut Vec<Stack>, line: &Line) {
    let is_first = line.text.starts_with("FATAL EXCEPTION");
    let goes_on = stacks
        .iter()
        .rposition(|stack| stack.pid == line.pid && stack.tag == line.tag);
    let starts = |text: &str| !text.starts_with(['\t', ' ']) && !text.starts_with("Caused by");
    let index = match goes_on {
        Some(index) if !is_first => {
            let stack = &stacks[index];
            let is_another =
                line.tag == "System.err" && starts(line.text) && !stack.text.is_empty();
            if is_another { None } else { Some(index) }
        }
        _ => None,
    };
    let index = index.unwrap_or_else(|| {
        stacks.push(Stack {
            tag: line.tag.to_owned(),
            pid: line.pid.to_owned(),
            process: None,
            text: String::new(),
        });
        stacks.len() - 1
    });
    let stack = &mut stacks[index];
    if is_first {
        return;
    }
    if let Some(process) = line.text.strip_prefix("Process: ") {
        stack.process = process.split(',').next().map(str::to_owned);
    } else if stack.text.lines().count() < MOST_STACK {
        stack.text.push_str(line.text);
        stack.text.push('\n');
    }
}

/// Ids between blanks, or a list of JSON.
fn elements(text: &str) -> Vec<String> {
    let list = text
        .starts_with('[')
        .then(|| serde_json::from_str(text).ok());
    let plain = || text.split_whitespace().map(str::to_owned).collect();
    list.flatten().unwrap_or_else(plain)
}

#[cfg(test)]
mod tests;
