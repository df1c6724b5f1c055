//! One seed for everything, derived anew for each purpose.

/// A seed; equal seeds give equal answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// A seed of its own for a purpose.
    #[must_use]
    pub fn derive(self, purpose: &str) -> Self {
        purpose
            .bytes()
            .fold(self.mix(purpose.len() as u64), |seed, byte| {
                seed.mix(u64::from(byte))
            })
    }

    /// A seed of its own for a number.
    #[must_use]
    pub fn mix(self, number: u64) -> Self {
        // SplitMix64's finaliser: every bit of the input reaches every bit of the output.
        let mut z = (self.0 ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93))
            .wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(z ^ (z >> 31))
    }

    /// A number in `0.0..1.0`.
    #[must_use]
    pub fn fraction(self) -> f64 {
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn purposes_get_different_seeds_and_fractions_are_spread() {
        assert_ne!(Seed(7).derive("run"), Seed(7).derive("fault"));
        let mean = (0..10_000).map(|i| Seed(7).mix(i).fraction()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
