//! How often candidates reach the target: a discrete prior, and what a final check says under it (paper 001, 3 and 5.2).

/// The prior that comes with the program.
const DEFAULT: &str = include_str!("../../../config/prior.txt");
/// A sequence that reaches its target this often is reliable.
const RELIABLE: f64 = 0.85;

/// Chances to reach the target, each with the share of candidates that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Chances(Vec<(f64, f64)>);

/// What makes a candidate pass: of so many runs, so many that reach the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The most runs of a candidate (`nr` in the paper).
    pub runs: u32,
    /// How many of them must reach the target (`st`).
    pub accept: u32,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            runs: 20,
            accept: 18,
        }
    }
}

impl Rule {
    /// The most runs that may miss.
    #[must_use]
    pub fn misses(self) -> u32 {
        self.runs - self.accept
    }

    /// The chance to pass of a candidate that reaches the target with a chance.
    #[must_use]
    pub fn passes(self, chance: f64) -> f64 {
        (self.accept..=self.runs)
            .map(|hits| binomial(self.runs, hits, chance))
            .sum()
    }
}

impl Default for Chances {
    fn default() -> Self {
        Self::parse(DEFAULT).expect("the prior that comes along is right")
    }
}

impl Chances {
    /// Reads lines of a chance and its share; says which line is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut chances = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let mut words = line.split_whitespace().map(str::parse);
            match (words.next(), words.next(), words.next()) {
                (Some(Ok(chance)), Some(Ok(share)), None)
                    if (0.0..=1.0).contains(&chance) && (0.0..=1e12).contains(&share) =>
                {
                    chances.push((chance, share));
                }
                _ => {
                    let line = number + 1;
                    return Err(format!("line {line}: expected a chance and its share"));
                }
            }
        }
        let sum: f64 = chances.iter().map(|(_, share): &(f64, f64)| share).sum();
        if sum <= 0.0 {
            return Err("there is no share above 0".to_owned());
        }
        for (_, share) in &mut chances {
            *share /= sum;
        }
        Ok(Self(chances))
    }

    /// The chances and their shares.
    #[must_use]
    pub fn shares(&self) -> &[(f64, f64)] {
        &self.0
    }

    /// The chance that a sequence is reliable of which so many runs reached the target.
    #[must_use]
    pub fn p_reliable(&self, runs: u32, accepted: u32) -> f64 {
        let seen = |chance| binomial(runs, accepted, chance);
        self.share_of(seen, |chance| chance >= RELIABLE)
    }

    /// The chance that a sequence without any one of its events passes less often than the rule
    /// asks for, given that none of them passed (Lemma 1).
    #[must_use]
    pub fn p_minimal(&self, rule: Rule, events: usize) -> f64 {
        let asked = f64::from(rule.accept) / f64::from(rule.runs);
        let failed = |chance| 1.0 - rule.passes(chance);
        let wrong = self.share_of(failed, |chance| chance >= asked);
        (1.0 - wrong).powf(events as f64)
    }

    /// The share of what is likely by `seen` that some chances have.
    fn share_of(&self, seen: impl Fn(f64) -> f64, of: impl Fn(f64) -> bool) -> f64 {
        let weights = self
            .0
            .iter()
            .map(|&(chance, share)| (chance, share * seen(chance)));
        let all: f64 = weights.clone().map(|(_, weight)| weight).sum();
        let some: f64 = weights
            .filter(|(chance, _)| of(*chance))
            .map(|(_, weight)| weight)
            .sum();
        if all > 0.0 { some / all } else { 0.0 }
    }
}

/// The chance of exactly so many hits.
pub(super) fn binomial(runs: u32, hits: u32, chance: f64) -> f64 {
    let mut ways = 1.0;
    for i in 0..hits.min(runs - hits) {
        ways *= f64::from(runs - i) / f64::from(i + 1);
    }
    let exponent = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    ways * chance.powi(exponent(hits)) * (1.0 - chance).powi(exponent(runs - hits))
}

#[cfg(test)]
mod tests {
    use super::{Chances, Rule};

    /// A chance as the paper's tables give it: hundredths, cut off.
    fn cut(chance: f64) -> u32 {
        let hundredths = (0..=100).rfind(|&n| f64::from(n) <= chance * 100.0 + 1e-9);
        hundredths.expect("chances are not negative")
    }

    #[test]
    fn the_prior_gives_what_the_paper_prints() {
        let chances = Chances::default();
        let reliable = [
            (20, 99),
            (19, 94),
            (18, 69),
            (17, 43),
            (16, 23),
            (15, 11),
            (7, 0),
        ];
        for (accepted, expect) in reliable {
            assert_eq!(cut(chances.p_reliable(20, accepted)), expect, "{accepted}");
        }
        let minimal = [
            (0, 100),
            (1, 98),
            (2, 96),
            (3, 95),
            (4, 93),
            (5, 91),
            (6, 90),
            (7, 88),
            (8, 87),
            (10, 84),
            (11, 82),
            (13, 80),
            (15, 77),
            (16, 76),
            (19, 72),
            (23, 67),
            (25, 65),
        ];
        for (events, expect) in minimal {
            assert_eq!(
                cut(chances.p_minimal(Rule::default(), events)),
                expect,
                "{events}"
            );
        }
    }

    #[test]
    fn a_wrong_prior_is_refused_by_line() {
        let check = |text, expect| assert_eq!(Chances::parse(text), Err(String::from(expect)));
        check("0.5 1\n2 1", "line 2: expected a chance and its share");
        check("0.5", "line 1: expected a chance and its share");
        check("# nothing", "there is no share above 0");
        check("0.5 nan", "line 1: expected a chance and its share");
    }
}
