//! `shadow`: what the reduced suite would have missed over several builds.

use super::show;
use crate::cli::args::{CountBy, PairBy, ShadowArgs};
use crate::cli::exit_code::ExitCode;
use crate::report::shadow_summary;
use crate::session::{self, JobError, MissLimit, Pairing, Shadow};

pub(super) fn run(args: &ShadowArgs) -> Result<ExitCode, JobError> {
    let asked = Shadow {
        full: &args.full,
        reduced: &args.reduced,
        pairing: match args.pair {
            PairBy::Name => Pairing::Name,
            PairBy::Order => Pairing::Order,
        },
        flaky_fails: args.count_flaky,
        limit: args.max_miss.map(|max_miss| MissLimit {
            max_miss,
            by_failure: args.by == CountBy::Failure,
            strict: args.strict,
        }),
    };
    let report = session::shadow(&asked)?;
    show(&args.common, &report, || shadow_summary(&report));
    Ok(match report.gate {
        Some(gate) if !gate.holds => ExitCode::Finding,
        _ => ExitCode::Done,
    })
}
