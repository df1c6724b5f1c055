//! Shards of random suites: even, stable, and the same however a suite is ordered.

use super::{Load, shard, spread};
use crate::model::Seed;

/// A suite of traces of `least` to `most` seconds.
fn suite(seed: u64, traces: usize, (least, most): (u64, u64)) -> Vec<Load> {
    let load = |number: u64| {
        let seed = Seed(seed).mix(number);
        let seconds = least + seed.derive("length").0 % (most - least + 1);
        Load {
            key: seed.derive("key").0,
            micros: seconds * 1_000_000,
        }
    };
    (0..traces as u64).map(load).collect()
}

fn times(loads: &[Load], of: &[usize], total: usize) -> Vec<u64> {
    let mut times = vec![0; total];
    for (load, &shard) in loads.iter().zip(of) {
        times[shard] += load.micros;
    }
    times
}

const SHAPES: [(usize, (u64, u64)); 5] = [
    (40, (17, 120)),
    (100, (17, 75)),
    (300, (17, 75)),
    (1_000, (17, 400)),
    (3_000, (17, 40)),
];

#[test]
fn shards_are_within_five_percent_of_each_other() {
    for (traces, lengths) in SHAPES {
        for total in [2, 3, 4, 8]
            .into_iter()
            .filter(|total| traces / total >= 10)
        {
            for seed in 0..20 {
                let loads = suite(seed, traces, lengths);
                let times = times(&loads, &shard(&loads, total), total);
                let spread = spread(&times);
                assert!(spread <= 0.05, "{traces} in {total}, seed {seed}: {spread}");
            }
        }
    }
}

#[test]
fn few_long_traces_are_packed_as_well_as_they_can_be() {
    #[track_caller]
    fn check(seconds: &[u64], total: usize, longest: u64) {
        let loads = seconds.iter().zip(0..).map(|(&s, n)| Load {
            key: Seed(3).mix(n).0,
            micros: s,
        });
        let loads: Vec<Load> = loads.collect();
        let times = times(&loads, &shard(&loads, total), total);
        assert_eq!(times.iter().max(), Some(&longest), "{times:?}");
    }
    check(&[100, 10, 10, 10], 2, 100);
    check(&[5, 5, 4, 3, 3], 2, 10);
    check(&[7, 7, 7], 3, 7);
    check(&[8, 1, 1, 1, 1, 1, 1, 1, 1], 2, 8);
    check(&[9], 1, 9);
    check(&[0, 0, 5], 3, 5);
}

#[test]
fn no_shard_is_empty_while_there_are_traces() {
    for traces in 1..12 {
        for total in 1..=traces {
            for seed in 0..20 {
                let mut loads = suite(seed, traces, (1, 50));
                loads[0].micros *= 100;
                let of = shard(&loads, total);
                assert!(
                    (0..total).all(|s| of.contains(&s)),
                    "{traces} in {total}: {of:?}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_a_suite_does_not_matter() {
    for seed in 0..20 {
        let loads = suite(seed, 60, (10, 90));
        let reversed: Vec<Load> = loads.iter().copied().rev().collect();
        let mut other = shard(&reversed, 4);
        other.reverse();
        assert_eq!(shard(&loads, 4), other);
    }
}

/// How many of the others move when one trace is added: on average, and at worst.
fn moves(traces: usize, lengths: (u64, u64), total: usize) -> (f64, usize) {
    let (mut sum, mut worst) = (0, 0);
    let rounds = 60;
    for seed in 0..rounds {
        let loads = suite(seed, traces + 1, lengths);
        // What is added is the last one, so all others keep their places in the list.
        let (before, after) = (shard(&loads[..traces], total), shard(&loads, total));
        let moved = before.iter().zip(&after).filter(|(b, a)| b != a).count();
        sum += moved;
        worst = worst.max(moved);
    }
    (sum as f64 / rounds as f64, worst)
}

#[test]
fn one_trace_more_or_less_moves_few_others() {
    for (traces, lengths) in SHAPES {
        for total in [2, 4, 8].into_iter().filter(|total| traces / total >= 10) {
            let (mean, worst) = moves(traces, lengths, total);
            println!(
                "{traces} traces of {lengths:?} s in {total}: {mean:.1} on average, {worst} at worst"
            );
            assert!(mean <= 1.5 * total as f64, "{traces} in {total}: {mean}");
            assert!(worst <= 6 * total, "{traces} in {total}: {worst}");
        }
    }
}

#[test]
fn times_beyond_all_measure_do_no_harm() {
    let loads = [1, 2, 3].map(|key| Load {
        key,
        micros: u64::MAX / 8,
    });
    assert_eq!(shard(&loads, 3), [0, 1, 2]);
    assert_eq!(shard(&[], 3), Vec::<usize>::new());
    assert_eq!(shard(&loads[..1], 3).len(), 1);
}
