//! Whether the digests of a report are those of the files.

use std::collections::HashSet;

use super::reduced::Reduced;
use super::{Case, Check, Findings};
use crate::model::sha256;
use crate::report::{VERSION, canonical, claims, claims_sha256, trace_sha256};

pub(super) const CHECK: Check = Check {
    name: "digests",
    about: "files, configuration and claims are those that the certificate names",
    run,
};

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let (report, original) = (case.report, case.original);
    findings.same("version", report.version, VERSION);
    findings.same(
        "input.sha256",
        report.input.sha256.as_str(),
        original.sha256,
    );
    findings.same(
        "output.sha256",
        report.output.sha256.as_str(),
        case.reduced.sha256,
    );
    let certificate = &report.certificate;
    if certificate.claims_sha256.is_empty() {
        findings.wrong("certificate", "the report has no certificate");
        return;
    }
    inputs(case, findings);
    let config = sha256(canonical(&report.config).as_bytes());
    let said = &certificate.config_sha256;
    findings.same("certificate.config_sha256", said, &config);
    traces(case, reduced, findings);
    sealed(case, findings);
}

/// What the suites do not show is what was written.
fn sealed(case: &Case, findings: &mut Findings) {
    let certificate = &case.report.certificate;
    let (said, found) = (&certificate.claims, claims(case.report));
    if said.is_empty() {
        findings.wrong(
            "certificate.claims",
            "it does not say what is claimed where",
        );
        return;
    }
    let before = findings.violations.len();
    for (place, digest) in &found {
        findings.looked_at += 1;
        match said.get(place) {
            Some(said) if said == digest => {}
            Some(_) => findings.wrong(place, "it was changed after the report was written"),
            None => findings.wrong(place, "it was added after the report was written"),
        }
    }
    for place in said.keys().filter(|place| !found.contains_key(*place)) {
        findings.wrong(place, "it was taken out after the report was written");
    }
    let is_named = findings.violations.len() > before;
    if certificate.claims_sha256 != claims_sha256(case.report) && !is_named {
        findings.wrong(
            "certificate.claims_sha256",
            "what the report claims about devices, runs, phases or chance was changed after it was written",
        );
    }
}

/// The files are those that were reduced, whatever the auditor calls them.
fn inputs(case: &Case, findings: &mut Findings) {
    let said = &case.report.certificate.inputs;
    let found = case.original.files;
    findings.same("certificate.inputs", said.len(), found.len());
    for (said, (_, digest)) in said.iter().zip(found) {
        let place = format!("certificate.inputs, {}", said.path);
        findings.same(&place, said.sha256.as_str(), digest);
    }
}

/// The certificate has each trace of the suite once, with the digest of what it says.
fn traces(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let mut named = HashSet::new();
    for certified in &case.report.certificate.traces {
        findings.looked_at += 1;
        let id = certified.trace.as_str();
        if !named.insert(id) {
            findings.wrong(id, "it is certified twice");
        }
        let Some(trace) = reduced.trace(id) else {
            findings.wrong(id, "it is certified, but not in the reduced suite");
            continue;
        };
        let mut lines = trace.lines.clone();
        if certified.sha256 != trace_sha256(id, &mut lines, &trace.fragments) {
            findings.wrong(
                id,
                "what it does, shows, covers or comes from was changed after it was certified",
            );
        }
    }
    for trace in &reduced.traces {
        if !named.contains(trace.id) {
            findings.wrong(trace.id, "it is in the reduced suite, but not certified");
        }
    }
}
