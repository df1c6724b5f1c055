//! What a weighted set cover problem is: sets of elements, what each set costs, how often each
//! element is wanted.

/// Costs above this are counted as this, so that sums stay far from the end of the numbers; in
/// microseconds it is 2,000 years.
pub const MAX_COST: u64 = 1 << 56;

/// Sets of elements in one flat list, each with its cost.
///
/// Elements are dense numbers below `n_elements`. An element that fewer sets hold than `demand`
/// asks for is wanted as often as it can be had.
#[derive(Debug, Clone)]
pub struct Instance {
    n_elements: usize,
    demand: u32,
    starts: Vec<usize>,
    elements: Vec<u32>,
    costs: Vec<u64>,
}

impl Instance {
    /// A problem without sets; every element is wanted `demand` times.
    #[must_use]
    pub fn new(n_elements: usize, demand: u32) -> Self {
        Self {
            n_elements,
            demand,
            starts: vec![0],
            elements: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// Adds a set, its elements in any order and any number of times each.
    ///
    /// # Panics
    /// When an element is not below `n_elements`.
    pub fn push(&mut self, cost: u64, elements: impl IntoIterator<Item = u32>) {
        let start = self.elements.len();
        self.elements.extend(elements);
        let added = &mut self.elements[start..];
        added.sort_unstable();
        if let Some(&last) = added.last() {
            assert!((last as usize) < self.n_elements, "{last} is no element");
        }
        let mut end = start;
        for at in start..self.elements.len() {
            let element = self.elements[at];
            if end == start || self.elements[end - 1] != element {
                self.elements[end] = element;
                end += 1;
            }
        }
        self.elements.truncate(end);
        self.starts.push(end);
        self.costs.push(cost.min(MAX_COST));
    }

    /// Gives a set another cost.
    pub(super) fn reprice(&mut self, set: usize, cost: u64) {
        self.costs[set] = cost.min(MAX_COST);
    }

    /// The elements of a set in ascending order.
    #[must_use]
    pub fn set(&self, set: usize) -> &[u32] {
        &self.elements[self.starts[set]..self.starts[set + 1]]
    }

    /// All sets in order.
    #[must_use]
    pub fn sets(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        let elements = &self.elements;
        self.starts.windows(2).map(|w| &elements[w[0]..w[1]])
    }

    /// What a set costs.
    #[must_use]
    pub fn cost(&self, set: usize) -> u64 {
        self.costs[set]
    }

    /// What sets cost, in order.
    #[must_use]
    pub fn costs(&self) -> &[u64] {
        &self.costs
    }

    /// How many sets there are.
    #[must_use]
    pub fn n_sets(&self) -> usize {
        self.costs.len()
    }

    /// How many elements there may be.
    #[must_use]
    pub fn n_elements(&self) -> usize {
        self.n_elements
    }

    /// How many pairs of a set and an element in it there are.
    #[must_use]
    pub fn n_pairs(&self) -> usize {
        self.elements.len()
    }

    /// How often each element is wanted: as often as asked for, or as often as it can be had.
    #[must_use]
    pub fn demands(&self) -> Vec<u32> {
        let mut demands = vec![0; self.n_elements];
        for &element in &self.elements {
            let demand = &mut demands[element as usize];
            *demand = self.demand.min(*demand + 1);
        }
        demands
    }

    /// Whether these sets cover everything as often as it is wanted.
    #[must_use]
    pub fn is_covered_by(&self, chosen: &[u32]) -> bool {
        let mut open = self.demands();
        for &set in chosen {
            for &element in self.set(set as usize) {
                let open = &mut open[element as usize];
                *open = open.saturating_sub(1);
            }
        }
        open.iter().all(|&open| open == 0)
    }
}
