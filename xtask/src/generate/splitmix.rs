//! A tiny seeded generator (splitmix64) whose draws are the same on every platform.

/// The state of the generator.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator whose draws depend on `seed` alone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, or 0 where there is none.
    ///
    /// # Panics
    /// Never: the draw is below its bound.
    pub fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.bits()) * (bound as u128);
        usize::try_from(product >> 64).expect("a product shifted by 64 bits is below its bound")
    }

    /// A number from 0 up to, but not including, 1.
    ///
    /// # Panics
    /// Never: half of 64 bits are 32.
    pub fn unit(&mut self) -> f64 {
        let high = u32::try_from(self.bits() >> 32).expect("32 bits are left");
        f64::from(high) / 4_294_967_296.0
    }

    /// True in a share of `probability` of all draws.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `items`, each as likely as any other.
    ///
    /// # Panics
    /// If there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts `items` in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_are_those_of_the_published_generator() {
        let mut random = SplitMix::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn draws_stay_in_range_and_reach_every_value() {
        let mut random = SplitMix::new(3);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[random.below(5)] = true;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        assert_eq!(seen, [true; 5]);
        assert!(!random.chance(0.0) && random.chance(1.0));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<usize> = (0..50).collect();
        SplitMix::new(9).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
