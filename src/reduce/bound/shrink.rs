//! From transitions and lists of elements to a network with few demands.
//!
//! Elements with the same arcs demand the same, and an element demands nothing new when its arcs
//! contain all arcs of another. Leaving a demand out never makes the bound wrong, only lower; so
//! arcs are compared by digest, and what would need too much room or work is left out too.

use super::gather::Gathered;
use super::network::{Arc, Network, Rows, grouped};
use crate::model::{Coverage, ElementId, Names, ScreenId, Seed};

/// Most pairs of arc and demand that are kept: 4 bytes each, a few times over.
const MOST_ENTRIES: u64 = 8_000_000;

/// Most looks at pairs in the search for demands that follow from others.
const MOST_LOOKS: usize = 100_000_000;

/// The arcs that were gathered with the demands of `goal` on them.
pub(super) fn network(gathered: &Gathered, goal: &Coverage, names: &Names) -> Network {
    let mut demands = Demands {
        gathered,
        seen_at: vec![u32::MAX; names.n_elements()],
        goal,
        names,
    };
    let mut elements = demands.different();
    let mut met_by = demands.met_by(&elements);
    let meets = met_by.transposed(gathered.arcs.len());
    let mut follows = following(&gathered.arcs, gathered.n_screens + 1, &meets, &met_by);
    at_every_launch(gathered, &meets, &mut follows);
    let mut kept = Rows::default();
    for (row, _) in met_by
        .iter()
        .zip(&follows)
        .filter(|(_, follows)| !**follows)
    {
        kept.push(row.iter().copied());
    }
    met_by = kept;
    let mut follows = follows.into_iter();
    elements.retain(|_| follows.next() == Some(false));
    Network::new(gathered.n_screens, gathered.arcs.clone(), elements, met_by)
}

/// Marks what every launch meets: that there is a launch is a demand of its own.
fn at_every_launch(gathered: &Gathered, meets: &Rows, follows: &mut [bool]) {
    let nowhere = gathered.n_screens as u32;
    let arcs = gathered.arcs.iter().zip(meets.iter());
    let launches = arcs.filter(|(arc, _)| arc.from == nowhere);
    let (mut n_launches, mut n_met) = (0, vec![0_u32; follows.len()]);
    for (_, demands) in launches {
        n_launches += 1;
        for &demand in demands {
            n_met[demand as usize] += 1;
        }
    }
    for (follows, n_met) in follows.iter_mut().zip(n_met) {
        *follows |= n_met == n_launches;
    }
}

struct Demands<'a> {
    gathered: &'a Gathered<'a>,
    /// The arc that each element was last seen at.
    seen_at: Vec<u32>,
    goal: &'a Coverage,
    names: &'a Names,
}

/// How often an element was seen, and a digest of where.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Places {
    n: u32,
    digest: u64,
}

impl Demands<'_> {
    /// Each arc and element of the goal that belong together, once, arc by arc.
    fn for_each(&mut self, mut visit: impl FnMut(u32, ElementId)) {
        self.seen_at.fill(u32::MAX);
        let mut see = |arc: u32, element: ElementId| {
            let seen_at = &mut self.seen_at[element.index()];
            if *seen_at != arc && self.goal.contains(element) {
                *seen_at = arc;
                visit(arc, element);
            }
        };
        for (arc, lists) in self.gathered.lists() {
            for list in lists {
                for &element in list {
                    see(arc as u32, element);
                }
            }
            let screen = ScreenId::new(self.gathered.arcs[arc].to as usize);
            see(arc as u32, self.names.screen_element(screen));
        }
    }

    /// Elements of which no two have the same arcs, those with few arcs first.
    fn different(&mut self) -> Vec<ElementId> {
        let mut places = vec![Places::default(); self.names.n_elements()];
        self.for_each(|arc, element| {
            let places = &mut places[element.index()];
            places.n += 1;
            places.digest = places.digest.wrapping_add(Seed(u64::from(arc)).mix(1).0);
        });
        let seen = places.iter().enumerate().filter(|(_, places)| places.n > 0);
        let mut seen: Vec<_> = seen.map(|(e, &places)| (places, e as u32)).collect();
        seen.sort_unstable();
        seen.dedup_by_key(|&mut (places, _)| places);
        seen.sort_unstable_by_key(|&(places, element)| (places.n, element));
        let mut room = MOST_ENTRIES;
        let fits = seen.iter().take_while(|(places, _)| {
            let rest = room.checked_sub(u64::from(places.n));
            room = rest.unwrap_or(room);
            rest.is_some()
        });
        fits.map(|&(_, e)| ElementId::new(e as usize)).collect()
    }

    /// The arcs of each of these elements.
    fn met_by(&mut self, elements: &[ElementId]) -> Rows {
        let mut demand_of = vec![u32::MAX; self.names.n_elements()];
        for (demand, element) in (0..).zip(elements) {
            demand_of[element.index()] = demand;
        }
        let mut pairs = Vec::new();
        self.for_each(|arc, element| {
            let demand = demand_of[element.index()];
            if demand < u32::MAX {
                pairs.push((demand, arc));
            }
        });
        grouped(elements.len(), || pairs.iter().copied())
    }
}

/// Whether each demand follows from another one.
///
/// It does when all arcs of the other meet it too, or when all of them leave one screen and every
/// arc to that screen meets it: who gets there has met it before. No two follow from each other.
fn following(arcs: &[Arc], n_places: usize, meets: &Rows, met_by: &Rows) -> Vec<bool> {
    let mut following = Following {
        meets,
        follows: vec![false; met_by.len()],
        count: vec![0; met_by.len()],
        looks: 0,
    };
    for (demand, row) in met_by.iter().enumerate() {
        if !following.follows[demand] {
            following.mark(row, Some(demand));
        }
    }
    let entering = grouped(n_places, || {
        let arcs = (0..).zip(arcs).filter(|(_, arc)| arc.from != arc.to);
        arcs.map(|(index, arc)| (arc.to, index))
    });
    let mut tried = vec![false; n_places];
    for row in met_by.iter() {
        let mut tails = row.iter().map(|&arc| arcs[arc as usize].from);
        if let Some(first) = tails.next()
            && tails.all(|tail| tail == first)
            && !std::mem::replace(&mut tried[first as usize], true)
        {
            following.mark(entering.row(first as usize), None);
        }
    }
    following.follows
}

struct Following<'a> {
    meets: &'a Rows,
    follows: Vec<bool>,
    count: Vec<u32>,
    looks: usize,
}

impl Following<'_> {
    /// Marks the demands, but `itself`, that each of these arcs meets.
    fn mark(&mut self, arcs: &[u32], itself: Option<usize>) {
        let rows = || arcs.iter().map(|&arc| self.meets.row(arc as usize));
        self.looks += arcs.len() + 2 * rows().map(<[u32]>::len).sum::<usize>();
        if self.looks > MOST_LOOKS {
            return;
        }
        for &demand in rows().flatten() {
            self.count[demand as usize] += 1;
        }
        for &demand in rows().flatten() {
            let demand = demand as usize;
            let all = self.count[demand] as usize == arcs.len();
            self.follows[demand] |= all && Some(demand) != itself;
            self.count[demand] = 0;
        }
    }
}
