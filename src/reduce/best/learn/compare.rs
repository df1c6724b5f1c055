//! How well what follows nodes of the evidence fits what follows a state.

use rustc_hash::FxHashMap;

use super::super::chance::weight;
use super::super::likeness::{Counts, add, likeness};
use super::super::machine::State;
use super::{AHEAD, LOOKS, Learner, TRUST};
use crate::model::{ActionId, ScreenId};
use crate::reduce::evidence::Node;

/// An action with its outcomes, and the nodes behind each screen.
type Outcomes = (ActionId, Counts, Vec<(ScreenId, Vec<Node>)>);

/// What nodes are compared with: a state, or nodes that belong to no state yet.
enum Place {
    Settled(State),
    Loose(Vec<Node>),
}

impl Learner<'_, '_> {
    /// How well what follows these nodes fits what follows a state.
    pub(super) fn score(&self, nodes: &[Node], state: State) -> f64 {
        let mut score = TRUST;
        let mut seen: FxHashMap<(State, ActionId), Counts> = FxHashMap::default();
        let mut order = Vec::new();
        let mut open = vec![(nodes.to_vec(), Place::Settled(state), 0)];
        let mut looks = 0;
        while let Some((nodes, place, depth)) = open.pop() {
            looks += nodes.len();
            if looks > LOOKS || depth > AHEAD {
                continue;
            }
            let ours = self.outcomes(&nodes);
            let theirs = match &place {
                Place::Settled(_) => Vec::new(),
                Place::Loose(nodes) => self.outcomes(nodes),
            };
            for (action, counts, groups) in ours {
                let others = match &place {
                    Place::Settled(state) => {
                        if !self.states[*state as usize].counts.contains_key(&action) {
                            continue;
                        }
                        let known = seen.entry((*state, action)).or_insert_with(|| {
                            order.push((*state, action));
                            Counts::new()
                        });
                        for (outcome, times) in counts {
                            add(known, outcome, times);
                        }
                        None
                    }
                    Place::Loose(_) => {
                        let others = theirs.iter().find(|(known, _, _)| *known == action);
                        let Some((_, known, groups)) = others else {
                            continue;
                        };
                        let screen = self.evidence.prefix(nodes[0]).screen;
                        score += self.likeness(screen, action, known, &counts);
                        Some(groups)
                    }
                };
                for (screen, children) in groups {
                    let next = match (&place, others) {
                        (Place::Settled(state), _) => self.place(*state, action, screen),
                        (Place::Loose(_), groups) => {
                            let known = groups.into_iter().flatten();
                            let mut known = known.filter(|(other, _)| *other == screen);
                            known.next().map(|(_, nodes)| Place::Loose(nodes.clone()))
                        }
                    };
                    open.extend(next.map(|next| (children, next, depth + 1)));
                }
            }
        }
        let known = |state: State, action| &self.states[state as usize].counts[&action];
        let scores = order.iter().map(|&(state, action)| {
            let counts = &seen[&(state, action)];
            let screen = self.states[state as usize].screen;
            self.likeness(screen, action, known(state, action), counts)
        });
        score + scores.sum::<f64>()
    }

    fn likeness(&self, screen: ScreenId, action: ActionId, one: &Counts, other: &Counts) -> f64 {
        let contested = self.contested.contains(&(screen, action));
        likeness(one, other, self.chance.of(screen, action), contested)
    }

    /// What is behind an outcome in a state.
    fn place(&self, state: State, action: ActionId, screen: ScreenId) -> Option<Place> {
        let group = self.states[state as usize].groups.get(&(action, screen))?;
        Some(match group.target {
            Some(target) => Place::Settled(target),
            None => Place::Loose(group.nodes.clone()),
        })
    }

    /// What was done after any of these nodes: for each action its outcomes, and the nodes
    /// behind each screen.
    fn outcomes(&self, nodes: &[Node]) -> Vec<Outcomes> {
        let mut all: Vec<Outcomes> = Vec::new();
        for &node in nodes {
            for &child in &self.evidence.prefix(node).next {
                let prefix = self.evidence.prefix(child);
                let times = weight(self.evidence, child);
                let Some((_, action)) = prefix.step.filter(|_| times > 0) else {
                    continue;
                };
                let at = all.iter().position(|(known, _, _)| *known == action);
                let at = at.unwrap_or_else(|| {
                    all.push((action, Counts::new(), Vec::new()));
                    all.len() - 1
                });
                let (_, counts, groups) = &mut all[at];
                let outcome = (prefix.screen.index() as u32, self.covers[child as usize]);
                add(counts, outcome, times);
                match groups
                    .iter_mut()
                    .find(|(screen, _)| *screen == prefix.screen)
                {
                    Some((_, nodes)) => nodes.push(child),
                    None => groups.push((prefix.screen, vec![child])),
                }
            }
        }
        all
    }
}
