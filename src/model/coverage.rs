//! Sets of elements: small shared lists for single steps, bitsets for whole suites.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::ElementId;

/// What one step (or a launch) covered: a sorted list without repeats, cheap to share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cover(Arc<[ElementId]>);

impl Default for Cover {
    fn default() -> Self {
        Self(Arc::new([]))
    }
}

impl FromIterator<ElementId> for Cover {
    fn from_iter<I: IntoIterator<Item = ElementId>>(elements: I) -> Self {
        let mut elements: Vec<_> = elements.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        Self(elements.into())
    }
}

impl Cover {
    /// The elements in ascending order.
    #[must_use]
    pub fn elements(&self) -> &[ElementId] {
        &self.0
    }

    /// Whether the element is one of them.
    #[must_use]
    pub fn contains(&self, element: ElementId) -> bool {
        self.0.binary_search(&element).is_ok()
    }

    /// What both cover.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        if Arc::ptr_eq(&self.0, &other.0) || self == other {
            return self.clone();
        }
        let common = self.0.iter().copied().filter(|&e| other.contains(e));
        Self(common.collect())
    }
}

/// A set of elements as a bitset that grows on demand.
#[derive(Debug, Clone, Default)]
pub struct Coverage(FixedBitSet);

impl PartialEq for Coverage {
    fn eq(&self, other: &Self) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }
}

impl Eq for Coverage {}

impl FromIterator<ElementId> for Coverage {
    fn from_iter<I: IntoIterator<Item = ElementId>>(elements: I) -> Self {
        let mut coverage = Self::default();
        elements.into_iter().for_each(|e| {
            coverage.insert(e);
        });
        coverage
    }
}

impl Coverage {
    /// Adds an element; says whether it is new.
    pub fn insert(&mut self, element: ElementId) -> bool {
        let index = element.index();
        self.0.grow(index + 1);
        !self.0.put(index)
    }

    /// Adds all elements of a step.
    pub fn extend(&mut self, cover: &Cover) {
        for &element in cover.elements() {
            self.insert(element);
        }
    }

    /// Adds all elements of another set.
    pub fn union_with(&mut self, other: &Self) {
        self.0.union_with(&other.0);
    }

    /// Takes an element out.
    pub fn remove(&mut self, element: ElementId) {
        if element.index() < self.0.len() {
            self.0.remove(element.index());
        }
    }

    /// Takes all elements of another set out.
    pub fn subtract(&mut self, other: &Self) {
        self.0.difference_with(&other.0);
    }

    /// Whether the element is in the set.
    #[must_use]
    pub fn contains(&self, element: ElementId) -> bool {
        self.0.contains(element.index())
    }

    /// Whether all of this set is in the other.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.difference(&other.0).next().is_none()
    }

    /// What is in this set and not in the other, in ascending order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = ElementId> + 'a {
        self.0.difference(&other.0).map(ElementId::new)
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.0.intersection(&other.0).map(ElementId::new).collect()
    }

    /// All elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.0.ones().map(ElementId::new)
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cover, Coverage, ElementId};

    fn cover(ids: &[usize]) -> Cover {
        ids.iter().map(|&i| ElementId::new(i)).collect()
    }

    #[test]
    fn covers_are_sorted_and_intersect() {
        assert_eq!(cover(&[3, 1, 3]), cover(&[1, 3]));
        assert_eq!(
            cover(&[1, 3, 5]).intersection(&cover(&[3, 4, 5])),
            cover(&[3, 5])
        );
    }

    #[test]
    fn bitsets_of_different_length_compare_by_content() {
        let small: Coverage = cover(&[1]).elements().iter().copied().collect();
        let mut large = small.clone();
        large.insert(ElementId::new(900));
        assert!(small.is_subset(&large) && !large.is_subset(&small));
        large.remove(ElementId::new(900));
        assert_eq!(small, large);
    }
}
