//! The bound against the cheapest suite, found by trying everything on small graphs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::lower_bound;
use crate::import::text::parse_suite;
use crate::model::{
    Costs, Cover, Coverage, ElementId, Names, NewStep, NewTrace, Script, Seed, Suite, TraceIdx,
};
use crate::reduce::Proven;
use crate::reduce::fixture::below;

const SECOND: u64 = 1_000_000;

const COSTS: Costs = Costs {
    restart_micros: 15 * SECOND,
    action_micros: 2 * SECOND,
};

/// The bound in seconds and the dearest elements of a suite in the notation for people.
fn bound_of(text: &str) -> (u64, Vec<String>) {
    let (suite, names) = parse_suite(text).unwrap();
    let goal = suite.coverage(&names);
    let bound = lower_bound(&suite, &[], &goal, COSTS, &names);
    let dearest = bound.expensive.iter().map(|&(element, micros)| {
        let seconds = (micros + SECOND / 2) / SECOND;
        format!("{} {seconds}", names.element_name(element))
    });
    (bound.micros / SECOND, dearest.collect())
}

#[track_caller]
fn check(text: &str, seconds: u64) {
    assert_eq!(bound_of(text).0, seconds);
}

#[test]
fn one_trace_without_repeats_is_its_own_bound() {
    check("Home{b0}", 15);
    check("Home{b0} -a{b1}-> Menu -b{b2}-> Options", 19);
}

#[test]
fn every_dead_end_needs_a_launch() {
    check("Home -a-> A\nHome -b-> B\nHome -c-> C", 3 * 17);
}

#[test]
fn a_way_back_saves_a_launch() {
    check("Home -a-> A -back-> Home\nHome -b-> B", 15 + 6);
}

#[test]
fn a_circle_far_away_has_to_be_reached() {
    // The flow alone would go round at C without ever getting there.
    check("Home{b0} -a-> A -b-> B -c-> C -d{b1}-> C", 15 + 8);
}

#[test]
fn who_need_not_go_far_is_not_made_to() {
    let near = "Home -w{b2}-> A -back-> Home -x{b1}-> A\nHome -y{b3}-> B";
    let far = "Home -z-> D -z-> E -z-> C -l{b1}-> C";
    let (suite, mut names) = parse_suite(&format!("{near}\n{far}")).unwrap();
    let goal = ["b1", "b2", "b3"].map(|name| names.element(name));
    let goal = goal.into_iter().collect();
    let bound = lower_bound(&suite, &[], &goal, COSTS, &names);
    assert_eq!(bound.micros, (15 + 10) * SECOND);
}

#[test]
fn many_elements_of_one_step_are_paid_once() {
    check("Home -a{b1,b2,b3,b4}-> Home -a{b5}-> Home", 17);
}

#[test]
fn any_of_several_launches_will_do() {
    check("Home{b1} -a{b2}-> A\nOther{b1} -a{b3}-> A", 34);
}

#[test]
fn nothing_to_cover_costs_nothing() {
    let (suite, names) = parse_suite("Home -a{b1}-> A").unwrap();
    let bound = lower_bound(&suite, &[], &Coverage::default(), COSTS, &names);
    assert_eq!((bound.micros, bound.expensive.len()), (0, 0));
}

#[test]
fn elements_that_no_transition_covers_demand_nothing() {
    let (suite, mut names) = parse_suite("Home -a{b1}-> A").unwrap();
    let mut goal = suite.coverage(&names);
    goal.insert(names.element("b99"));
    let bound = lower_bound(&suite, &[], &goal, COSTS, &names);
    assert_eq!(bound.micros, 17 * SECOND);
}

#[test]
fn the_dearest_elements_are_named() {
    let (seconds, named) = bound_of("Home{b0} -a-> A -b-> B\nHome -c{b1}-> Home -d-> C");
    assert_eq!(seconds, 15 + 4 + 15 + 4);
    // The way to each dead end costs a launch of its own, b1 only a step.
    assert_eq!(named, ["screen:B 19", "screen:C 17", "b1 2"]);
}

#[test]
fn times_beyond_all_measure_do_not_overflow() {
    let (suite, names) = parse_suite("Home -a{b1}-> A -b{b2}-> B\nHome -b{b2}-> C").unwrap();
    let goal = suite.coverage(&names);
    for (restart_micros, action_micros) in [(u64::MAX, u64::MAX), (0, u64::MAX), (u64::MAX, 0)] {
        let costs = Costs {
            restart_micros,
            action_micros,
        };
        let bound = lower_bound(&suite, &[], &goal, costs, &names);
        assert!(bound.micros >= restart_micros.max(action_micros) / 2);
    }
    let free = Costs {
        restart_micros: 0,
        action_micros: 0,
    };
    assert_eq!(lower_bound(&suite, &[], &goal, free, &names).micros, 0);
}

/// A small suite with times, faults and several launch screens, and what ships of it.
fn random_case(seed: Seed) -> (Suite, Names, Vec<Proven>, Costs) {
    let (mut suite, mut names) = (Suite::default(), Names::default());
    let draw = |purpose: u64, limit: u64| below(seed, purpose, limit);
    let (n_screens, n_elements) = (2 + draw(1, 3), 2 + draw(2, 4));
    for trace in 0..=draw(3, 4) {
        let draw = |purpose: u64, limit: u64| below(seed.mix(trace), purpose, limit);
        let launch = draw(4, 2) * draw(5, 2);
        let mut steps = Vec::new();
        for step in 0..draw(6, 6) {
            let draw = |purpose: u64, limit: u64| below(seed.mix(trace).mix(step), purpose, limit);
            let covers = (0..draw(7, 3)).map(|i| format!("e{}", draw(20 + i, n_elements)));
            let covers = covers.map(|name| names.element(&name)).collect();
            let fault = (draw(8, 8) == 0).then(|| names.fault("Null"));
            steps.push(NewStep {
                action: names.action(&format!("a{}", draw(9, 2))),
                screen: names.screen(&format!("s{}", draw(10, n_screens))),
                covers,
                fault,
                millis: (draw(11, 4) == 0).then(|| draw(12, 4000) as u32),
                fields: Vec::new(),
            });
        }
        let trace = NewTrace {
            id: format!("t{trace}").into(),
            launch_screen: names.screen(&format!("s{launch}")),
            launch_covers: vec![names.element(&format!("e{}", draw(13, n_elements)))],
            launch_fields: Vec::new(),
            fields: Vec::new(),
            joins: Vec::new(),
        };
        suite.push(trace, steps);
    }
    let shipped = vec![shown_more(&suite, seed, names.element("e0"))];
    let costs = Costs {
        restart_micros: draw(14, 4) * 5 * SECOND,
        action_micros: draw(15, 3) * SECOND + draw(16, 2) * 7,
    };
    (suite, names, shipped, costs)
}

/// The first trace with an element at its last position that no recording has there.
fn shown_more(suite: &Suite, seed: Seed, element: ElementId) -> Proven {
    let trace = TraceIdx::new(below(seed, 17, suite.n_traces() as u64) as usize);
    let mut proven = Proven::trusted(suite, trace);
    let last = proven.covers.last_mut().expect("a launch is always there");
    *last = last
        .elements()
        .iter()
        .copied()
        .chain([element])
        .collect::<Cover>();
    proven.script = Arc::new(Script::clone(&proven.script));
    proven
}

/// Where one can go from a place, what is covered on the way, and what it costs.
type Moves = BTreeMap<Option<u32>, Vec<(u32, BTreeSet<ElementId>, u64)>>;

fn moves(suite: &Suite, names: &Names, shipped: &[Proven], costs: Costs) -> Moves {
    let mut all: BTreeMap<_, (BTreeSet<ElementId>, u64)> = BTreeMap::new();
    let mut add = |from: Option<_>, to, covers: &[ElementId], micros| {
        let known = all.entry((from, to)).or_insert((BTreeSet::new(), micros));
        known.0.extend(covers);
        known.0.insert(names.screen_element(to));
        known.1 = known.1.min(micros);
    };
    for (trace, head) in suite.traces() {
        let covers = suite.cover(head.launch_covers).elements();
        add(None, head.launch_screen, covers, costs.restart_micros);
        let mut at = head.launch_screen;
        for step in suite.steps(trace) {
            let recorded = step
                .millis
                .map_or(u64::MAX, |millis| u64::from(millis) * 1000);
            let micros = recorded.min(costs.action_micros);
            let covers = suite.step_cover(step);
            add(
                Some((at, step.action)),
                step.screen,
                covers.elements(),
                micros,
            );
            at = step.screen;
        }
    }
    for proven in shipped {
        for (position, cover) in proven.covers.iter().enumerate() {
            let from = position.checked_sub(1).map(|step| {
                let action = proven.script.steps[step].action;
                (proven.screen_at(suite, step), action)
            });
            let to = proven.screen_at(suite, position);
            let micros = from.map_or(costs.restart_micros, |_| costs.action_micros);
            add(from, to, cover.elements(), micros);
        }
    }
    let mut moves = Moves::new();
    for ((from, to), (covers, micros)) in all {
        let from = from.map(|(screen, _)| screen.index() as u32);
        let to = to.index() as u32;
        moves.entry(from).or_default().push((to, covers, micros));
    }
    moves
}

/// What the cheapest suite costs, by trying every way to go on from every state.
fn cheapest(moves: &Moves, goal: &[ElementId]) -> u64 {
    let bits = |covers: &BTreeSet<ElementId>| {
        let bits = goal
            .iter()
            .enumerate()
            .map(|(i, e)| u32::from(covers.contains(e)) << i);
        bits.sum::<u32>()
    };
    let all = (1_u32 << goal.len()) - 1;
    let mut done = BTreeSet::new();
    let mut queue = BinaryHeap::from([Reverse((0_u64, None, 0_u32))]);
    while let Some(Reverse((cost, place, covered))) = queue.pop() {
        if covered == all {
            return cost;
        }
        if !done.insert((place, covered)) {
            continue;
        }
        let fresh = moves.get(&None).into_iter().flatten();
        let on = moves.get(&place).into_iter().flatten();
        for (to, covers, micros) in fresh.chain(on) {
            queue.push(Reverse((cost + micros, Some(*to), covered | bits(covers))));
        }
    }
    unreachable!("the recorded traces cover everything")
}

#[test]
fn no_suite_is_cheaper_than_the_bound_and_the_bound_is_near() {
    let (mut bounds, mut optima) = (0, 0);
    for seed in 0..300 {
        let (suite, names, shipped, costs) = random_case(Seed(seed).derive("bound"));
        let goal = suite.coverage(&names);
        let elements: Vec<_> = goal.iter().collect();
        let optimum = cheapest(&moves(&suite, &names, &shipped, costs), &elements);
        let shipped: Vec<_> = shipped.iter().collect();
        let bound = lower_bound(&suite, &shipped, &goal, costs, &names).micros;
        assert!(bound <= optimum, "seed {seed}: {bound} is above {optimum}");
        bounds += bound;
        optima += optimum;
    }
    assert!(bounds * 100 >= optima * 95, "{bounds} of {optima}");
}
