//! Lists one behind the other, by dense index: no room but for what is in them and eight bytes.

use std::hash::Hash;

use super::slots::Slots;

/// Lists in the order in which they came.
#[derive(Debug, Clone)]
pub(super) struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<T: Copy> Lists<T> {
    pub(super) fn push(&mut self, list: &[T]) -> usize {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len());
        self.ends.len() - 1
    }

    pub(super) fn get(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[index]]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All items of all lists.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }
}

impl Lists<u8> {
    pub(super) fn text(&self, index: usize) -> &str {
        std::str::from_utf8(self.get(index)).expect("only texts went in")
    }
}

/// Lists of which no two are the same.
#[derive(Debug, Clone)]
pub(super) struct Distinct<T> {
    lists: Lists<T>,
    slots: Slots,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self {
            lists: Lists::default(),
            slots: Slots::default(),
        }
    }
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    pub(super) fn find(&self, list: &[T]) -> Option<usize> {
        self.find_hashed(list, Slots::hash(list))
    }

    fn find_hashed(&self, list: &[T], hash: u32) -> Option<usize> {
        self.slots.find(hash, |index| self.lists.get(index) == list)
    }

    /// The index of a list, which is new if it was not there.
    pub(super) fn insert(&mut self, list: &[T]) -> usize {
        let hash = Slots::hash(list);
        self.find_hashed(list, hash).unwrap_or_else(|| {
            let index = self.lists.push(list);
            self.slots.insert(hash, index);
            index
        })
    }

    pub(super) fn lists(&self) -> &Lists<T> {
        &self.lists
    }
}

#[cfg(test)]
mod tests {
    use super::Distinct;

    #[test]
    fn equal_lists_have_one_index() {
        let mut distinct = Distinct::default();
        let lists: [&[u8]; 6] = [b"ab", b"", b"a", b"ab", b"b", b""];
        let found = lists.map(|list| distinct.insert(list));
        assert_eq!(found, [0, 1, 2, 0, 3, 1]);
        assert_eq!(distinct.find(b"b"), Some(3));
        assert_eq!(distinct.find(b"ba"), None);
        let lists = distinct.lists();
        assert_eq!(
            [0, 1, 2, 3].map(|index| lists.text(index)),
            ["ab", "", "a", "b"]
        );
        assert_eq!(lists.items(), b"abab");
    }
}
