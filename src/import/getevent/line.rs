//! Lines of `getevent`, with names or with numbers: when, what, and how much.

/// A line: when, what, and how much.
pub(super) struct Line {
    pub(super) micros: Option<u64>,
    pub(super) code: Code,
    pub(super) value: u32,
}

/// What a line speaks of.
pub(super) enum Code {
    Report,
    MtReport,
    Slot,
    TrackingId,
    X,
    Y,
    Touch,
    Key(String),
    Other,
}

impl Line {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (micros, rest) = match line.strip_prefix('[') {
            Some(rest) => {
                let (time, rest) = rest.split_once(']')?;
                (micros(time.trim()), rest)
            }
            None => (None, line),
        };
        let mut words = rest.split_whitespace();
        let mut kind = words.next()?;
        if kind.starts_with("/dev/") {
            kind = words.next()?;
        }
        let (code, value) = (words.next()?, words.next()?);
        let value = match value {
            "DOWN" => 1,
            "UP" => 0,
            "REPEAT" => 2,
            hex => u32::from_str_radix(hex, 16).ok()?,
        };
        Some(Self {
            micros,
            code: Code::of(kind, code)?,
            value,
        })
    }
}

/// `1193.605705`
fn micros(time: &str) -> Option<u64> {
    let (seconds, fraction) = time.split_once(['.', '-'])?;
    let seconds: u64 = seconds.trim().parse().ok()?;
    let fraction: u64 = fraction.trim().parse().ok()?;
    seconds.checked_mul(1_000_000)?.checked_add(fraction)
}

impl Code {
    fn of(kind: &str, code: &str) -> Option<Self> {
        Some(match (kind, code) {
            ("EV_SYN" | "0000", "SYN_REPORT" | "0000") => Self::Report,
            ("EV_SYN" | "0000", "SYN_MT_REPORT" | "0002") => Self::MtReport,
            ("EV_ABS" | "0003", "ABS_MT_SLOT" | "002f") => Self::Slot,
            ("EV_ABS" | "0003", "ABS_MT_TRACKING_ID" | "0039") => Self::TrackingId,
            ("EV_ABS" | "0003", "ABS_MT_POSITION_X" | "0035" | "ABS_X" | "0000") => Self::X,
            ("EV_ABS" | "0003", "ABS_MT_POSITION_Y" | "0036" | "ABS_Y" | "0001") => Self::Y,
            ("EV_KEY" | "0001", "BTN_TOUCH" | "014a") => Self::Touch,
            ("EV_KEY", key) if key.starts_with("KEY_") => Self::Key(key[4..].to_owned()),
            ("0001", "009e") => Self::Key("BACK".to_owned()),
            ("0001", "008b") => Self::Key("MENU".to_owned()),
            ("0001", "0066" | "00ac") => Self::Key("HOME".to_owned()),
            (kind, _) if kind.starts_with("EV_") || kind.len() == 4 && is_hex(kind) => Self::Other,
            _ => return None,
        })
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}
