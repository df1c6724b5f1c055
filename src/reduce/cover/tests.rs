//! What must hold of every cover, on random problems small enough to try all choices.

use super::{Cover, Effort, Instance, MAX_COST, finish, limits, scale, sieve, solve, traces_of};
use crate::import::text::parse_suite;
use crate::model::{Costs, Kind, Seed};

/// A random problem of at most 12 sets and 10 elements.
fn random(number: u64) -> Instance {
    let seed = Seed(11).mix(number);
    let draw = |purpose: u64, below: u64| seed.mix(purpose).0 % below;
    let (n_sets, n_elements) = (1 + draw(1, 12), 1 + draw(2, 10));
    let density = 1 + draw(3, 6);
    let costs = [1, 3, 40, 1_000_003][draw(4, 4) as usize];
    let mut instance = Instance::new(n_elements as usize, 1 + draw(5, 3) as u32);
    for set in 0..n_sets {
        let of_set = seed.mix(100 + set);
        let elements = (0..n_elements).filter(|&e| of_set.mix(e).0 % 8 < density);
        let cost = of_set.mix(77).0 % (costs + 1);
        instance.push(cost, elements.map(|e| e as u32));
    }
    instance
}

/// The least cost of all choices that cover.
fn least_cost(instance: &Instance) -> u64 {
    let choices = (0..1_u32 << instance.n_sets()).map(|bits| {
        let sets = 0..instance.n_sets() as u32;
        sets.filter(|set| bits >> set & 1 == 1).collect::<Vec<_>>()
    });
    let covers = choices.filter(|chosen| instance.is_covered_by(chosen));
    let cost = |chosen: Vec<u32>| chosen.iter().map(|&s| instance.cost(s as usize)).sum();
    covers.map(cost).min().unwrap()
}

#[track_caller]
fn check_cover(instance: &Instance, cover: &Cover) {
    let Cover {
        chosen,
        cost,
        bound,
        optimal,
    } = cover;
    assert!(instance.is_covered_by(chosen), "{instance:?}\n{cover:?}");
    assert!(chosen.is_sorted_by(|a, b| a < b));
    let sum: u64 = chosen.iter().map(|&s| instance.cost(s as usize)).sum();
    assert_eq!((sum, *optimal), (*cost, bound == cost));
    for left_out in chosen {
        let rest: Vec<u32> = chosen.iter().copied().filter(|s| s != left_out).collect();
        assert!(!instance.is_covered_by(&rest), "{instance:?}\n{cover:?}");
    }
}

#[test]
fn covers_of_small_problems_are_the_cheapest() {
    for number in 0..1500 {
        let instance = random(number);
        let least = least_cost(&instance);
        for effort in [Effort::Quick, Effort::Exact { max_nodes: 10_000 }] {
            let cover = solve(&instance, effort);
            check_cover(&instance, &cover);
            assert_eq!((cover.cost, cover.bound), (least, least), "{instance:?}");
            assert_eq!(cover, solve(&instance, effort));
        }
    }
}

#[test]
fn sifting_gives_covers_and_bounds_that_hold() {
    let mut n_optimal = 0;
    for number in 0..1500 {
        let instance = random(number);
        let (unit, shift) = scale(&instance);
        let mut effort = limits(Effort::Quick, shift);
        let demands = instance.demands();
        let answer = sieve(&instance, &demands).solve(&mut effort);
        let cover = finish(&instance, answer.chosen, answer.bound * unit);
        check_cover(&instance, &cover);
        let least = least_cost(&instance);
        assert!(cover.bound <= least, "{instance:?}\n{cover:?}");
        n_optimal += usize::from(cover.cost == least);
    }
    assert!(n_optimal >= 1490, "{n_optimal}");
}

#[test]
fn costs_beyond_all_measure_do_no_harm() {
    let mut instance = Instance::new(3, 2);
    for elements in [[0, 1], [1, 2], [0, 2], [0, 1]] {
        instance.push(u64::MAX, elements);
    }
    let cover = solve(&instance, Effort::Quick);
    assert_eq!(cover.chosen.len(), 3);
    assert_eq!((cover.cost, cover.optimal), (3 * MAX_COST, true));
}

#[test]
fn what_nothing_covers_is_not_wanted() {
    let cover = solve(&Instance::new(5, 1), Effort::Quick);
    assert!(cover.chosen.is_empty() && cover.optimal);
    let mut instance = Instance::new(5, 3);
    instance.push(4, []);
    instance.push(4, [2, 2]);
    assert_eq!(solve(&instance, Effort::Quick).chosen, [1]);
}

#[test]
fn traces_that_cover_the_same_are_one_set_and_the_cheapest_stands_for_it() {
    let text = "Home{b0} -a{b1}-> Menu -a{b1}-> Menu
        Home{b0} -a{b1,!E}-> Menu
        Home{b0} -a{b1}-> Menu
        Home{b0} -b{b0}-> Home -a{b1}-> Menu";
    let (suite, names) = parse_suite(text).unwrap();
    let costs = Costs {
        restart_micros: 10,
        action_micros: 1,
    };
    let sets = |kinds: &[Kind], demand| {
        let recorded = traces_of(&suite, &names, kinds, costs, demand);
        let instance = &recorded.instance;
        let sets = instance.sets().zip(instance.costs()).zip(0..);
        let sets = sets.map(|((set, cost), n)| (recorded.trace(n).index(), set.len(), *cost));
        sets.collect::<Vec<_>>()
    };
    assert_eq!(sets(&Kind::ALL, 1), [(2, 4, 11), (1, 5, 11)]);
    assert_eq!(sets(&[Kind::Fault], 1), [(1, 1, 11)]);
    let twice = [(0, 4, 12), (1, 5, 11), (2, 4, 11)];
    assert_eq!(sets(&Kind::ALL, 2), twice);
}

#[test]
fn a_chain_of_consequences_is_followed_to_its_end() {
    let mut instance = Instance::new(2001, 1);
    instance.push(1, [0]);
    for link in 0..2000 {
        instance.push(2, [link, link + 1]);
    }
    let cover = solve(&instance, Effort::Quick);
    assert!(cover.optimal && instance.is_covered_by(&cover.chosen));
    assert_eq!(cover.cost, 2001);
}
