//! Recorded traces as the checker reads them, and what their parts cover.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

const KINDS: [&str; 7] = [
    "branch", "method", "function", "line", "block", "activity", "fault",
];

/// Something that can be covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Element {
    pub(super) kind: String,
    pub(super) name: String,
}

pub(super) type Coverage = BTreeSet<Element>;

impl Element {
    fn new(kind: &str, name: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            name: name.to_owned(),
        }
    }

    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(match text.split_once(':') {
                Some((kind, name)) if KINDS.contains(&kind) => Self::new(kind, name),
                _ => Self::new("branch", text),
            }),
            Value::Number(number) if !number.is_f64() => {
                Ok(Self::new("branch", &number.to_string()))
            }
            other => Err(format!("{other} is no element")),
        }
    }
}

/// Branches are bare in a report unless their name could be taken for another kind.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = self.name.split_once(':').map(|(prefix, _)| prefix);
        let clear = prefix.is_none_or(|prefix| prefix != "screen" && !KINDS.contains(&prefix));
        if self.kind == "branch" && clear {
            return f.write_str(&self.name);
        }
        write!(f, "{}:{}", self.kind, self.name)
    }
}

/// The elements of a `covers` list; an absent list is empty.
pub(super) fn covers(of: &Value) -> Result<Coverage, String> {
    match &of["covers"] {
        Value::Null => Ok(Coverage::new()),
        Value::Array(elements) => elements.iter().map(Element::read).collect(),
        other => Err(format!("covers is {other}")),
    }
}

pub(super) fn text(of: &Value, field: &str) -> Result<String, String> {
    of[field]
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("{field} is {}", of[field]))
}

/// A stretch of a reduced trace and where it came from.
#[derive(Debug, Clone)]
pub(super) struct Fragment {
    /// The original trace; none for steps that only a run observed.
    pub(super) trace: Option<String>,
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Fragment {
    fn read(value: &Value) -> Result<Self, String> {
        let index = |field: &str| {
            let index = value[field]
                .as_u64()
                .and_then(|index| usize::try_from(index).ok());
            index.ok_or_else(|| format!("{field} of a fragment is {}", value[field]))
        };
        let trace = match value.get("observed") {
            Some(_) => None,
            None => Some(text(value, "trace")?),
        };
        Ok(Self {
            trace,
            first: index("first")?,
            last: index("last")?,
        })
    }
}

#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) action: Value,
    pub(super) screen: String,
    pub(super) fault: Option<String>,
    pub(super) covers: Coverage,
}

impl Step {
    fn read(value: &Value) -> Result<Self, String> {
        let action = value["action"].clone();
        if !action.is_string() && !action.is_object() {
            return Err(format!("action is {action}"));
        }
        let fault = value["fault"].as_str().map(str::to_owned);
        Ok(Self {
            action,
            screen: text(value, "screen")?,
            fault,
            covers: covers(value)?,
        })
    }

    pub(super) fn elements(&self) -> Coverage {
        let mut elements = self.covers.clone();
        elements.insert(Element::new("screen", &self.screen));
        elements.extend(self.fault.iter().map(|fault| Element::new("fault", fault)));
        elements
    }
}

#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) id: String,
    pub(super) screen: String,
    pub(super) covers: Coverage,
    pub(super) steps: Vec<Step>,
    pub(super) from: Option<Vec<Fragment>>,
}

impl Trace {
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        let list = |field: &str| {
            value[field]
                .as_array()
                .ok_or_else(|| format!("{field} is {}", value[field]))
        };
        let from = match value.get("from") {
            None => None,
            Some(_) => Some(
                list("from")?
                    .iter()
                    .map(Fragment::read)
                    .collect::<Result<_, _>>()?,
            ),
        };
        Ok(Self {
            id: text(value, "id")?,
            screen: text(&value["launch"], "screen")?,
            covers: covers(&value["launch"])?,
            steps: list("steps")?
                .iter()
                .map(Step::read)
                .collect::<Result<_, _>>()?,
            from,
        })
    }

    /// The screen before a step; the launch screen before the first.
    pub(super) fn screen_before(&self, step: usize) -> Option<&str> {
        match step {
            0 => Some(&self.screen),
            _ => self.steps.get(step - 1).map(|step| step.screen.as_str()),
        }
    }

    pub(super) fn launch_elements(&self) -> Coverage {
        let mut elements = self.covers.clone();
        elements.insert(Element::new("screen", &self.screen));
        elements
    }

    fn elements(&self) -> Coverage {
        let mut elements = self.launch_elements();
        elements.extend(self.steps.iter().flat_map(Step::elements));
        elements
    }
}

/// All that a suite covers.
pub(super) fn coverage(suite: &[Trace]) -> Coverage {
    suite.iter().flat_map(Trace::elements).collect()
}

/// Reads a suite in JSON Lines; an error names its line.
pub(super) fn suite(text: &str) -> Result<Vec<Trace>, String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let value: Result<Value, _> = serde_json::from_str(line);
            let trace = value
                .map_err(|error| error.to_string())
                .and_then(|value| Trace::read(&value));
            trace.map_err(|error| format!("line {}: {error}", at + 1))
        })
        .collect()
}
