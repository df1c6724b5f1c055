//! What must hold of every cover, on random problems small enough to try all choices.

use super::{Cover, Effort, Instance, solve};
use crate::model::Seed;

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
