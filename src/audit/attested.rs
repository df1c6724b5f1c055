//! Whether the in-toto Statement beside the files speaks of these files.

use serde_json::Value;

use super::reduced::Reduced;
use super::{Case, Check, Findings};
use crate::report::{ATTESTATION, PREDICATE, STATEMENT, SUBJECTS, predicate};

pub(super) const CHECK: Check = Check {
    name: "attestation",
    about: "the in-toto statement speaks of this suite and of this report",
    run,
};

fn run(case: &Case, _: &Reduced, findings: &mut Findings) {
    let Some(statement) = case.attestation else {
        findings.note(format!("there is no {ATTESTATION}, so it was not checked"));
        return;
    };
    findings.looked_at += 2;
    if statement["_type"] != STATEMENT || statement["predicateType"] != PREDICATE {
        findings.wrong(ATTESTATION, "it is no statement about a reduction");
        return;
    }
    subjects(case, statement, findings);
    let expected = predicate(case.report);
    let said = &statement["predicate"];
    let empty = serde_json::Map::new();
    for (name, expected) in expected.as_object().unwrap_or(&empty) {
        findings.looked_at += 1;
        if said[name] != *expected {
            let what = format!("it says {}, the report gives {expected}", said[name]);
            findings.wrong(format!("{ATTESTATION}, {name}"), what);
        }
    }
}

/// The statement is about the suite and the report, each with the digest that its predicate
/// repeats.
fn subjects(case: &Case, statement: &Value, findings: &mut Findings) {
    let files = [
        ("suite.jsonl", case.reduced.sha256),
        ("report.json", case.report_sha256),
    ];
    let subjects = statement["subject"].as_array();
    let mut named = Vec::new();
    for subject in subjects.into_iter().flatten() {
        findings.looked_at += 1;
        let name = subject["name"].as_str().unwrap_or_default();
        let Some((_, found)) = files.iter().find(|(file, _)| *file == name) else {
            let what = format!("it attests `{name}`, which is no file of a reduction");
            findings.wrong(format!("{ATTESTATION}, subject"), what);
            continue;
        };
        let here = format!("{ATTESTATION}, subject {name}");
        if named.contains(&name) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        named.push(name);
        let said = &subject["digest"]["sha256"];
        if !said.is_string() || *said != statement["predicate"][SUBJECTS][name] {
            findings.wrong(here, "its digest is not the one that the predicate repeats");
        } else if said != found {
            // Whether the bytes are the signed ones is for the tools that sign; what the files
            // say is compared by the digests of traces and claims.
            findings.note(format!(
                "{name} has other bytes than the attested one; what it says was compared instead"
            ));
        }
    }
    for (name, _) in files {
        if !named.contains(&name) {
            findings.wrong(ATTESTATION, format!("it attests no {name}"));
        }
    }
}
