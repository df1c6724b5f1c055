//! How far a rate that was counted may be from the true one: the Clopper-Pearson interval.
//!
//! C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
//! case of the binomial", Biometrika 26 (1934). It holds the true rate in at least the share of
//! cases that was asked for, however few were counted; simpler intervals do not.

/// The interval around `hits` of `of` that holds the true rate with at least this confidence.
#[must_use]
pub fn clopper_pearson(hits: usize, of: usize, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    let low = match hits {
        0 => 0.0,
        // So many or more hits would be as rare as this.
        _ => solve(|rate| 1.0 - at_most(hits - 1, of, rate) < tail),
    };
    let high = if hits >= of {
        1.0
    } else {
        // So few or fewer would be.
        solve(|rate| at_most(hits, of, rate) > tail)
    };
    (low, high)
}

/// The rate up to which a condition holds.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Each round halves what is left, down to what a number can tell apart.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The chance of at most `hits` hits in `of` tries, each a hit at `rate`.
fn at_most(hits: usize, of: usize, rate: f64) -> f64 {
    let (log_hit, log_miss) = (rate.ln(), (-rate).ln_1p());
    let mut log_choose = 0.0;
    let mut sum = 0.0;
    for k in 0..=hits {
        if k > 0 {
            log_choose += ((of - k + 1) as f64).ln() - (k as f64).ln();
        }
        sum += (log_choose + k as f64 * log_hit + (of - k) as f64 * log_miss).exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{at_most, clopper_pearson};

    #[track_caller]
    fn check(hits: usize, of: usize, expect: (f64, f64)) {
        let (low, high) = clopper_pearson(hits, of, 0.95);
        let near = (low - expect.0).abs() < 5e-5 && (high - expect.1).abs() < 5e-5;
        assert!(near, "{hits} of {of}: {low} to {high}");
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        check(0, 10, (0.0, 0.3085));
        check(1, 10, (0.0025, 0.4450));
        check(5, 10, (0.1871, 0.8129));
        check(10, 10, (0.6915, 1.0));
        check(1, 1, (0.025, 1.0));
        check(0, 0, (0.0, 1.0));
        // Without a hit the upper end has a closed form.
        check(0, 300, (0.0, 1.0 - 0.025_f64.powf(1.0 / 300.0)));
    }

    #[test]
    fn the_true_rate_is_inside_as_often_as_promised() {
        for of in [1, 5, 20, 60] {
            for percent in [1, 5, 20, 50, 80, 99] {
                let rate = f64::from(percent) / 100.0;
                let mut inside = 0.0;
                for hits in 0..=of {
                    let (low, high) = clopper_pearson(hits, of, 0.95);
                    if (low..=high).contains(&rate) {
                        let below = hits.checked_sub(1).map_or(0.0, |h| at_most(h, of, rate));
                        inside += at_most(hits, of, rate) - below;
                    }
                }
                assert!(inside >= 0.95, "{of} tries at {rate}: {inside}");
            }
        }
    }

    #[test]
    fn many_tries_stay_within_numbers() {
        let (low, high) = clopper_pearson(5_000, 100_000, 0.95);
        assert!(low > 0.048 && low < 0.05 && high > 0.05 && high < 0.052);
    }
}
