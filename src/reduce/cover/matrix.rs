//! A cover problem in both directions: the elements of each set and the sets of each element.

/// Lists of numbers, one behind the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }

    pub(super) fn get(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        let items = &self.items;
        let list = move |w: &[u32]| w[0] as usize..w[1] as usize;
        self.starts.windows(2).map(move |w| &items[list(w)])
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn n_items(&self) -> usize {
        self.items.len()
    }

    /// For each of `n` items the lists that hold it, in ascending order.
    fn transposed(&self, n: usize) -> Self {
        let mut starts = vec![0_u32; n + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for at in 0..n {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for (list, of_list) in (0..).zip(self.iter()) {
            for &item in of_list {
                let place = &mut next[item as usize];
                items[*place as usize] = list;
                *place += 1;
            }
        }
        Self { starts, items }
    }
}

/// A cover problem small enough to be looked at from both sides.
///
/// Rare elements have low numbers and so have small sets, so that tests of inclusion fail early.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    pub(super) sets: Lists,
    pub(super) elements: Lists,
    pub(super) costs: Vec<u64>,
    /// How often each element is wanted; never more often than there are sets that hold it,
    /// which is up to those who make smaller problems of this one.
    pub(super) demands: Vec<u32>,
    /// What each set is called outside.
    pub(super) labels: Vec<u32>,
    /// A guess at what covering each element is worth, in the fixed point of the prices.
    pub(super) guesses: Vec<i64>,
}

impl Matrix {
    /// The problem of these sets, given by label, cost and elements; `demands` and `guesses` are
    /// by element. Elements without a demand are left out.
    pub(super) fn new<'a>(
        sets: impl Iterator<Item = (u32, u64, &'a [u32])> + Clone,
        demands: &[u32],
        guesses: &[i64],
    ) -> Self {
        Self::numbered(sets, demands, guesses).0
    }

    /// The same, with the number that each of its elements had.
    pub(super) fn numbered<'a>(
        sets: impl Iterator<Item = (u32, u64, &'a [u32])> + Clone,
        demands: &[u32],
        guesses: &[i64],
    ) -> (Self, Vec<u32>) {
        let mut frequency = vec![0_u32; demands.len()];
        let mut order = Vec::new();
        for (index, (label, cost, elements)) in sets.clone().enumerate() {
            let wanted = elements.iter().filter(|&&e| demands[e as usize] > 0);
            let mut size = 0_u32;
            for &element in wanted {
                frequency[element as usize] += 1;
                size += 1;
            }
            if size > 0 {
                order.push((size, index as u32, label, cost));
            }
        }
        order.sort_unstable_by_key(|&(size, index, ..)| (size, index));
        let mut by_rarity: Vec<u32> = (0..demands.len() as u32)
            .filter(|&e| frequency[e as usize] > 0)
            .collect();
        by_rarity.sort_by_key(|&e| frequency[e as usize]);
        let mut number = vec![u32::MAX; demands.len()];
        for (new, &old) in (0..).zip(&by_rarity) {
            number[old as usize] = new;
        }
        let sources: Vec<&[u32]> = sets.map(|(_, _, elements)| elements).collect();
        let mut lists = Lists::new();
        for &(_, index, ..) in &order {
            let elements = sources[index as usize].iter();
            let mut elements: Vec<u32> = elements
                .map(|&e| number[e as usize])
                .filter(|&e| e != u32::MAX)
                .collect();
            elements.sort_unstable();
            lists.push(elements);
        }
        let of = |e: &u32| *e as usize;
        let matrix = Self {
            elements: lists.transposed(by_rarity.len()),
            sets: lists,
            costs: order.iter().map(|&(.., cost)| cost).collect(),
            labels: order.iter().map(|&(_, _, label, _)| label).collect(),
            demands: by_rarity.iter().map(|e| demands[of(e)]).collect(),
            guesses: by_rarity.iter().map(|e| guesses[of(e)]).collect(),
        };
        (matrix, by_rarity)
    }

    /// The same problem with some sets only and with these demands, none where an element does
    /// not matter any more.
    pub(super) fn keep(&self, is_kept: impl Fn(u32) -> bool + Copy, demands: &[u32]) -> Self {
        let sets = (0..self.n_sets() as u32).filter(move |&set| is_kept(set));
        let sets = sets.map(|set| {
            let at = set as usize;
            (self.labels[at], self.costs[at], self.sets.get(set))
        });
        Self::new(sets, demands, &self.guesses)
    }

    /// What is left to do once some sets are taken and others are not to be had; nothing if it
    /// cannot be done then.
    pub(super) fn under(&self, taken: &[u32], refused: &[u32]) -> Option<Self> {
        let mut is_open = vec![true; self.n_sets()];
        let mut demands = self.demands.clone();
        for &set in taken {
            is_open[set as usize] = false;
            for &element in self.sets.get(set) {
                let demand = &mut demands[element as usize];
                *demand = demand.saturating_sub(1);
            }
        }
        for &set in refused {
            is_open[set as usize] = false;
        }
        let can_be_met = |(sets, &demand): (&[u32], &u32)| {
            demand == 0 || {
                let open = sets.iter().filter(|&&set| is_open[set as usize]);
                open.take(demand as usize).count() == demand as usize
            }
        };
        let all_can = self.elements.iter().zip(&demands).all(can_be_met);
        all_can.then(|| self.keep(|set| is_open[set as usize], &demands))
    }

    /// Whether nothing that is wanted is missing here or held by too few sets.
    pub(super) fn meets(&self, demands: &[u32]) -> bool {
        let n_wanted = demands.iter().filter(|&&demand| demand > 0).count();
        let mut enough = self.elements.iter().zip(&self.demands);
        n_wanted == self.n_elements() && enough.all(|(sets, &demand)| sets.len() >= demand as usize)
    }

    pub(super) fn n_sets(&self) -> usize {
        self.sets.len()
    }

    pub(super) fn n_elements(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn n_pairs(&self) -> usize {
        self.sets.n_items()
    }

    pub(super) fn cost_of(&self, chosen: &[u32]) -> u64 {
        let costs = chosen.iter().map(|&set| self.costs[set as usize]);
        costs.fold(0, u64::saturating_add)
    }

    pub(super) fn labels_of(&self, chosen: &[u32]) -> impl Iterator<Item = u32> {
        chosen.iter().map(|&set| self.labels[set as usize])
    }
}
