//! Whether the in-toto Statement beside the files speaks of these files.

use serde_json::Value;

use super::reduced::Reduced;
use super::{Case, Check, Findings};
use crate::report::{ATTESTATION, PREDICATE, STATEMENT, predicate};

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

fn subjects(case: &Case, statement: &Value, findings: &mut Findings) {
    let subjects = statement["subject"].as_array();
    let digest = |name: &str| {
        let mut subjects = subjects.into_iter().flatten();
        let subject = subjects.find(|subject| subject["name"] == name);
        subject.and_then(|subject| subject["digest"]["sha256"].as_str())
    };
    // Whether the bytes are the signed ones is for the tools that sign; what the files say is
    // compared by the digests of traces and claims.
    for (name, found) in [
        ("suite.jsonl", case.reduced.sha256),
        ("report.json", case.report_sha256),
    ] {
        findings.looked_at += 1;
        match digest(name) {
            None => findings.wrong(ATTESTATION, format!("it attests no {name}")),
            Some(said) if said != found => findings.note(format!(
                "{name} has other bytes than the attested one; what it says was compared instead"
            )),
            Some(_) => {}
        }
    }
}
