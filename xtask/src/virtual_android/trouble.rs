//! Trouble on demand: shares of runs that end in it, or the next one by a property.

use std::fmt;

use reduce_suite::model::Seed;

/// Trouble strikes within the first so many commands after a start.
const EARLY: u64 = 24;

/// Kinds of trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The connection is cut in the middle of an answer.
    Drop,
    /// A command is never answered.
    Stall,
    /// A window dump ends in the middle.
    Half,
    /// The device goes down and comes up again.
    Reboot,
    /// A dialog over the app says that it does not respond.
    Anr,
    /// No room is left for files.
    Full,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Drop,
        Self::Stall,
        Self::Half,
        Self::Reboot,
        Self::Anr,
        Self::Full,
    ];

    /// The kind of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|fault| fault.to_string() == name)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Drop => "drop",
            Self::Stall => "stall",
            Self::Half => "half",
            Self::Reboot => "reboot",
            Self::Anr => "anr",
            Self::Full => "full",
        })
    }
}

/// What is to come.
#[derive(Debug)]
pub(super) struct Trouble {
    shares: Vec<(Fault, f64)>,
    seed: Seed,
    starts: u64,
    /// What strikes after so many commands.
    next: Option<(Fault, u64)>,
    /// What has struck so far.
    pub(super) struck: Vec<Fault>,
}

impl Trouble {
    pub(super) fn new(shares: &[(Fault, f64)], seed: u64) -> Self {
        Self {
            shares: shares.to_vec(),
            seed: Seed(seed),
            starts: 0,
            next: None,
            struck: Vec::new(),
        }
    }

    /// A run begins: draws whether it ends in trouble.
    pub(super) fn start(&mut self) {
        self.starts += 1;
        let seed = self.seed.mix(self.starts);
        let mut left = seed.fraction();
        for (fault, share) in &self.shares {
            if left < *share {
                self.next = Some((*fault, seed.mix(1).0 % EARLY));
                return;
            }
            left -= share;
        }
    }

    /// Trouble by order: `drop` for the next command, `drop:3` for the third one after it.
    pub(super) fn order(&mut self, text: &str) -> Result<(), String> {
        let (name, commands) = text.split_once(':').unwrap_or((text, "0"));
        let fault = Fault::of(name).ok_or_else(|| {
            let known = Fault::ALL.map(|fault| fault.to_string()).join(", ");
            format!("unknown trouble {name}; known are {known}")
        })?;
        let commands = commands
            .parse()
            .map_err(|_| format!("{commands} is no number"))?;
        self.next = Some((fault, commands));
        Ok(())
    }

    /// A command comes: what strikes now.
    pub(super) fn strike(&mut self) -> Option<Fault> {
        match &mut self.next {
            Some((_, commands @ 1..)) => {
                *commands -= 1;
                None
            }
            Some((fault, _)) => {
                let fault = *fault;
                self.next = None;
                self.struck.push(fault);
                Some(fault)
            }
            None => None,
        }
    }
}
