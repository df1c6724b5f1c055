//! How a command ended, as scripts and CI see it.

/// The exit codes of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExitCode {
    /// Done, and every promise was kept.
    Done = 0,
    /// A finding: coverage was lost, or a replay diverged.
    Finding = 1,
    /// Bad usage or bad input; the message names file, line and reason.
    Usage = 2,
    /// Devices or infrastructure failed; progress is saved.
    Infrastructure = 3,
    /// Interrupted; progress is saved.
    Interrupted = 130,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::ExitCode;

    #[test]
    fn exit_codes_are_those_that_the_help_promises() {
        let codes = [
            ExitCode::Done,
            ExitCode::Finding,
            ExitCode::Usage,
            ExitCode::Infrastructure,
            ExitCode::Interrupted,
        ];
        assert_eq!(codes.map(|code| code as u8), [0, 1, 2, 3, 130]);
        for code in codes {
            let line = format!("  {:<4}", code as u8);
            assert!(crate::cli::args::EXIT_CODES.contains(&line), "{code:?}");
        }
    }
}
