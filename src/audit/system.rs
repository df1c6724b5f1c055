//! Whether the transition system of a report is that of the suites.

use std::collections::{HashMap, HashSet};

use super::reduced::Reduced;
use super::{Case, Check, Findings};

pub(super) const CHECK: Check = Check {
    name: "system",
    about: "screens and transitions are counted as the suites have them",
    run,
};

type Hop<'a> = (&'a str, &'a str, &'a str);

/// How often screens and transitions occur.
#[derive(Default)]
struct Count<'a> {
    launches: HashSet<&'a str>,
    screens: HashMap<&'a str, usize>,
    hops: HashMap<Hop<'a>, usize>,
}

impl<'a> Count<'a> {
    fn add(&mut self, launch: &'a str, steps: impl Iterator<Item = (&'a str, &'a str)>) {
        self.launches.insert(launch);
        *self.screens.entry(launch).or_default() += 1;
        let mut before = launch;
        for (action, screen) in steps {
            *self.screens.entry(screen).or_default() += 1;
            *self.hops.entry((before, action, screen)).or_default() += 1;
            before = screen;
        }
    }
}

fn run(case: &Case, reduced: &Reduced, findings: &mut Findings) {
    let (suite, names) = (case.original.suite, case.original.names);
    let mut seen = Count::default();
    for (idx, trace) in suite.traces() {
        let steps = suite.steps(idx).iter();
        let steps = steps.map(|s| (names.action_text(s.action), names.screen_name(s.screen)));
        seen.add(names.screen_name(trace.launch_screen), steps);
    }
    let mut kept = Count::default();
    for trace in reduced.all() {
        let steps = trace.lines[1..].iter().map(|line| (line.0, line.1));
        kept.add(trace.lines[0].1, steps);
    }
    let system = &case.report.system;
    let mut told = HashSet::new();
    for screen in &system.screens {
        let name = screen.name.as_str();
        let here = format!("system, screen {name}");
        if !told.insert(name) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        findings.same(
            &here,
            screen.seen,
            seen.screens.get(name).copied().unwrap_or(0),
        );
        findings.same(
            &here,
            screen.kept,
            kept.screens.get(name).copied().unwrap_or(0),
        );
        let launch = seen.launches.contains(name) || kept.launches.contains(name);
        findings.same(&here, screen.launch, launch);
    }
    let all: HashSet<_> = seen.screens.keys().chain(kept.screens.keys()).collect();
    findings.same("system.screens", told.len(), all.len());
    let mut listed = HashSet::new();
    for transition in &system.transitions {
        let ends = (
            system.screens.get(transition.from),
            system.screens.get(transition.to),
        );
        let (Some(from), Some(to)) = ends else {
            findings.wrong("system.transitions", "a transition leads to no screen");
            continue;
        };
        let hop = (
            from.name.as_str(),
            transition.action.as_str(),
            to.name.as_str(),
        );
        let here = format!("system, {} from {} to {}", hop.1, hop.0, hop.2);
        if !listed.insert(hop) {
            findings.wrong(here.as_str(), "it is named twice");
        }
        findings.same(
            &here,
            transition.seen,
            seen.hops.get(&hop).copied().unwrap_or(0),
        );
        findings.same(
            &here,
            transition.kept,
            kept.hops.get(&hop).copied().unwrap_or(0),
        );
    }
    let all: HashSet<_> = seen.hops.keys().chain(kept.hops.keys()).collect();
    let said = listed.len().saturating_add(system.left_out);
    findings.same("system.transitions", said, all.len());
}
