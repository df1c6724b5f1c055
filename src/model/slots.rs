//! Where entries of a table stand by the hash of what they say: eight bytes for each.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

/// Numbers of entries by the hash of their content, which is kept elsewhere.
///
/// The place of an entry follows from the upper half of its hash, which stands beside its number.
/// So few entries are looked at in vain, and a table grows from front to back, whatever its size.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slots {
    /// Hash and number, or zero; a power of two.
    slots: Vec<u64>,
    n_taken: usize,
}

/// A table of so many slots is the smallest.
const FEWEST: usize = 16;

/// Numbers count from one here, so that zero is an empty slot.
const NUMBER: u64 = u32::MAX as u64;

impl Slots {
    /// The hash that entries are found by.
    pub(crate) fn hash<T: Hash + ?Sized>(content: &T) -> u32 {
        let hash = FxBuildHasher.hash_one(content);
        // The hasher is weak in its upper bits.
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as u32
    }

    /// The entry of this hash that is meant.
    pub(crate) fn find(&self, hash: u32, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mut place = self.place(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return None;
            }
            let number = (slot & NUMBER) as usize - 1;
            if (slot >> 32) as u32 == hash && is_meant(number) {
                return Some(number);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds an entry that is not there yet.
    pub(crate) fn insert(&mut self, hash: u32, number: usize) {
        if (self.n_taken + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.n_taken += 1;
        assert!((number as u64) < NUMBER, "tables hold fewer than 2^32 - 1");
        self.put(u64::from(hash) << 32 | (number as u64 + 1));
    }

    fn grow(&mut self) {
        let more = FEWEST.max(self.slots.len() * 2);
        let before = std::mem::replace(&mut self.slots, vec![0; more]);
        for slot in before.into_iter().filter(|&slot| slot != 0) {
            self.put(slot);
        }
    }

    fn put(&mut self, slot: u64) {
        let mut place = self.place((slot >> 32) as u32);
        while self.slots[place] != 0 {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = slot;
    }

    fn place(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn entries_are_found_in_tables_of_all_sizes() {
        let mut slots = Slots::default();
        for number in 0..5000_usize {
            let hash = Slots::hash(&number);
            assert_eq!(slots.find(hash, |other| other == number), None);
            slots.insert(hash, number);
            let first = Slots::hash(&0_usize);
            assert_eq!(slots.find(first, |other| other == 0), Some(0));
        }
        for number in 0..5000_usize {
            let hash = Slots::hash(&number);
            assert_eq!(slots.find(hash, |other| other == number), Some(number));
        }
    }

    #[test]
    fn entries_of_one_hash_stay_apart() {
        let mut slots = Slots::default();
        for number in 0..100 {
            slots.insert(u32::MAX, number);
        }
        assert_eq!(slots.find(u32::MAX, |number| number == 70), Some(70));
        assert_eq!(slots.find(u32::MAX, |number| number == 100), None);
        assert_eq!(slots.find(0, |_| true), None);
    }
}
