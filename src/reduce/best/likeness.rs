//! How well two sets of outcomes of one action fit one state, as against two.
//!
//! An action of an app does one thing in a state, but for a small share of actions that are left
//! to chance; and most actions do the same in states that differ. So outcomes that agree say
//! little, and outcomes that differ say much, unless they differ as chance would have it.

/// An outcome of an action: the screen it shows and what it covers.
pub(super) type Outcome = (u32, u32);

/// How often each outcome of an action was seen.
pub(super) type Counts = Vec<(Outcome, u32)>;

/// How many other things an action might do.
const OUTCOMES: f64 = 20.0;
/// How likely an action does the same in two states of one screen.
const ALIKE: f64 = 0.98;
/// The same for an action that was seen to do several things on that screen.
const CONTESTED: f64 = 0.6;
/// How often the less likely outcome of an action left to chance comes.
const RARE: [f64; 5] = [0.03, 0.08, 0.15, 0.3, 0.5];

/// Adds counts to others.
pub(super) fn add(counts: &mut Counts, outcome: Outcome, times: u32) {
    match counts.iter_mut().find(|(known, _)| *known == outcome) {
        Some((_, seen)) => *seen += times,
        None => counts.push((outcome, times)),
    }
}

/// The logarithm of how much likelier the counts are in one state than in two; `chance` is the
/// share of actions that are left to chance. To agree on what is `contested` says much.
pub(super) fn likeness(one: &Counts, other: &Counts, chance: f64, contested: bool) -> f64 {
    let alike = if contested { CONTESTED } else { ALIKE };
    let mut both = one.clone();
    for &(outcome, times) in other {
        add(&mut both, outcome, times);
    }
    if both.len() == 1 {
        return -alike.ln();
    }
    let together = evidence(&both, chance);
    let apart = evidence(one, chance) + evidence(other, chance);
    // ln(together / (alike * together + (1 - alike) * apart)) without overflow.
    let gap = apart - together;
    if gap > 0.0 {
        -gap - (alike * (-gap).exp() + (1.0 - alike)).ln()
    } else {
        -(alike + (1.0 - alike) * gap.exp()).ln()
    }
}

/// What speaks against two states from the start.
const SPLIT: f64 = 6.0;

/// Whether the outcomes of an action are likelier of several states than of one.
pub(super) fn contradicts(counts: &Counts, chance: f64) -> bool {
    let apart: f64 = counts
        .iter()
        .map(|outcome| evidence(&vec![*outcome], chance))
        .sum();
    counts.len() > 1 && apart - SPLIT > evidence(counts, chance)
}

/// The logarithm of how likely counts are for an action of one state.
fn evidence(counts: &Counts, chance: f64) -> f64 {
    let all: u32 = counts.iter().map(|(_, times)| times).sum();
    let most = counts.iter().map(|(_, times)| *times).max().unwrap_or(0);
    let rare = f64::from(all - most);
    let most = f64::from(most);
    let by_chance: f64 = RARE
        .iter()
        .map(|&share| (1.0 - share).powf(most) * share.powf(rare))
        .sum::<f64>()
        / RARE.len() as f64;
    let kinds = counts.len() as f64;
    let by_chance = (chance * by_chance).max(1e-300).ln() - kinds.max(2.0) * OUTCOMES.ln();
    if counts.len() > 1 {
        return by_chance;
    }
    let surely = (1.0 - chance).ln() - OUTCOMES.ln();
    let (high, low) = if surely > by_chance {
        (surely, by_chance)
    } else {
        (by_chance, surely)
    };
    high + (low - high).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::{Counts, likeness};

    #[track_caller]
    fn check(one: &[(u32, u32)], other: &[(u32, u32)], expect: bool) {
        let counts = |list: &[(u32, u32)]| -> Counts {
            list.iter()
                .map(|&(screen, times)| ((screen, 0), times))
                .collect()
        };
        let score = likeness(&counts(one), &counts(other), 0.02, false);
        assert_eq!(score > -1.0, expect, "{score}");
    }

    #[test]
    fn one_odd_outcome_among_many_may_be_chance_and_several_are_not() {
        check(&[(1, 20)], &[(1, 3)], true);
        check(&[(1, 20)], &[(2, 6)], false);
        check(&[(1, 3)], &[(2, 3)], false);
        check(&[(1, 18), (2, 2)], &[(1, 4), (2, 1)], true);
    }

    #[test]
    fn to_agree_on_what_is_contested_says_more() {
        let counts: Counts = vec![((1, 0), 3)];
        let plain = likeness(&counts, &counts, 0.02, false);
        assert!(plain > 0.0 && likeness(&counts, &counts, 0.02, true) > 10.0 * plain);
    }
}
