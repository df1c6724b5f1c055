//! `attestation.json`: the certificate as an in-toto Statement, so that it can be signed and stored
//! with the tools that release engineers already use.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::claims::{canonical, claims_sha256};
use super::{Report, Shown, json as json_report};
use crate::model::sha256;

/// The file it fills in the output folder.
pub const ATTESTATION: &str = "attestation.json";

/// What an in-toto Statement is.
pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";

/// What kind of statement this is.
pub const PREDICATE: &str = "urn:reduce-suite:reduction:v1";

/// The field of the predicate that repeats the digests of the subjects.
pub const SUBJECTS: &str = "subjects";

/// Writes the statement about a reduced suite and its report.
pub fn write_attestation(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Vec::new();
    (json_report::RENDERER.render)(shown, &mut report)?;
    serde_json::to_writer_pretty(&mut *out, &statement(shown.report, &sha256(&report)))?;
    writeln!(out)
}

fn statement(report: &Report, report_sha256: &str) -> Value {
    let suite_sha256 = &report.output.sha256;
    let mut predicate = predicate(report);
    predicate[SUBJECTS] = json!({"suite.jsonl": suite_sha256, "report.json": report_sha256});
    json!({
        "_type": STATEMENT,
        "subject": [
            resource("suite.jsonl", suite_sha256),
            resource("report.json", report_sha256),
        ],
        "predicateType": PREDICATE,
        "predicate": predicate,
    })
}

/// What is said about the suite, but for the digests of both files; an audit makes it again from
/// the report and compares.
#[must_use]
pub fn predicate(report: &Report) -> Value {
    let certificate = &report.certificate;
    let inputs = certificate.inputs.iter();
    let runs: usize = certificate.traces.iter().map(|t| t.runs.len()).sum();
    json!({
        "tool": resource(&report.tool, &certificate.tool_sha256),
        "config": resource("config", &certificate.config_sha256),
        "app": resource(&report.subject.device, &report.subject.sha256),
        "journal": resource("journal", &certificate.journal.sha256),
        "original": {
            "sha256": report.input.sha256,
            "files": inputs.map(|file| resource(&file.path, &file.sha256)).collect::<Vec<_>>(),
            "traces": report.input.traces,
            "steps": report.input.steps,
        },
        "reduced": {
            "traces": report.output.traces,
            "steps": report.output.steps,
            "runs": runs,
        },
        "elements": {
            "covered": report.witness.len(),
            "lost": report.lost.len(),
            "unstable": report.unstable.len(),
        },
        "preserved": report.preserved,
        "seed": report.seed,
        "strategy": report.strategy,
        "claims": {"sha256": claims_sha256(report)},
        "traces": {"sha256": sha256(canonical(&traces(report)).as_bytes())},
    })
}

/// The digests of the reduced traces, by name.
fn traces(report: &Report) -> Value {
    let traces = report.certificate.traces.iter();
    traces
        .map(|trace| (trace.trace.clone(), Value::from(trace.sha256.as_str())))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn resource(name: &str, sha256: &str) -> Value {
    json!({"name": name, "digest": {"sha256": sha256}})
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{STATEMENT, write_attestation};
    use crate::model::sha256;
    use crate::report::sample::strips;
    use crate::report::{Shown, all, sample};

    #[test]
    fn the_statement_names_both_files_by_their_bytes() {
        let (report, strips) = (sample(), strips());
        let shown = Shown {
            report: &report,
            strips: &strips,
        };
        let mut text = Vec::new();
        write_attestation(&shown, &mut text).unwrap();
        let statement: Value = serde_json::from_slice(&text).unwrap();
        let mut file = Vec::new();
        (all()[0].render)(&shown, &mut file).unwrap();
        assert_eq!(statement["_type"], STATEMENT);
        let subject = &statement["subject"];
        assert_eq!(subject[0]["digest"]["sha256"], report.output.sha256);
        assert_eq!(subject[1]["digest"]["sha256"], sha256(&file));
    }
}
