//! Scouting: plans are walked live, and planned again with what the walks have shown, until
//! planning anew would not make things clearly cheaper.
//!
//! A session that was surprised went on all the same, so what it did is a trace that happened,
//! if not the planned one; it is kept for as long as nothing better is worth trying.

use std::sync::Arc;

use super::Search;
use super::lanes::Fresh;
use super::options::{self, Choice};
use super::plan::Planned;
use super::rescue;
use crate::model::{ActionId, Cover, Coverage, ElementId, RunEvent, ScreenId, Script, Stop, Walk};
use crate::reduce::Plan;
use crate::reduce::evidence::Known;

/// How often is planned at most.
const ROUNDS: usize = 60;
/// How many steps behind its end a walk is still surprised at once.
const AT_ONCE: usize = 2;
/// How often an element is planned for while scouting before recorded traces are tried.
const STUBBORN: u32 = 3;

/// What came of a round.
struct Tried {
    /// What is kept, with what held of the plans.
    held: Vec<Arc<Script>>,
    /// What held of other options.
    others: Vec<Arc<Script>>,
}

/// Recorded traces that are tried beside plans.
struct Recorded {
    traces: Vec<Arc<Script>>,
    /// What they are tried for.
    wanted: Coverage,
    /// What of it no plan covers.
    unplanned: Coverage,
}

impl Search<'_, '_> {
    /// Finds walks that cover what can be covered by plans and have held once.
    pub(super) fn scout(&mut self, held: Vec<Arc<Script>>) -> Result<Vec<Arc<Script>>, Stop> {
        let follows = !self.bench.settings.guides.is_empty();
        let mut latest = held;
        let mut pool = latest.clone();
        let mut expected: Option<(u64, u64)> = None;
        for _ in 0..ROUNDS {
            // What had to be pinned before may be known by now, and what is pinned tells nothing of other states.
            self.pinned.clear();
            self.learn();
            for walks in [&mut latest, &mut pool] {
                *walks = walks
                    .iter()
                    .filter_map(|walk| self.unbroken(walk))
                    .collect();
            }
            // Beside what is kept a plan for everything is one option of many, and shaken well only
            // if it is the best of them.
            let shakes = if latest.is_empty() {
                super::SHAKES
            } else {
                options::SHAKES
            };
            let fresh = self.plan_all(shakes, &pool);
            let recorded = self.recorded_for(&fresh.missing, &pool);
            let planned = fresh.micros(self.bench.settings.costs);
            self.weigh_patience(planned, &latest);
            let (choice, others) = if follows && !latest.is_empty() {
                // Whoever follows an earlier reduction wants what holds of it, even if another
                // plan were cheaper.
                (self.keep_all(&latest), Vec::new())
            } else {
                self.best_choices(fresh, &latest, &pool)
            };
            if let Some((micros, new_micros)) = expected {
                let now = self.keep_all(&latest).micros;
                self.luck.note(new_micros, now.saturating_sub(micros));
            }
            let is_planned = !choice.planned.is_empty();
            if !is_planned && recorded.traces.is_empty() {
                return Ok(choice.kept);
            }
            expected = is_planned.then_some((choice.micros, choice.new_micros));
            let tried = self.try_out(&choice, &others, &recorded)?;
            latest = tried.held;
            pool.extend(latest.iter().cloned().chain(tried.others));
            self.give_way(&recorded, &pool);
            let done = self.coverage(&latest).intersection(&self.goal).len();
            self.bench.replayer.emit(RunEvent::Progress { done });
        }
        Ok(self.cheapest(&pool))
    }

    /// A walk, or what is left of it when runs left it.
    fn unbroken(&self, walk: &Arc<Script>) -> Option<Arc<Script>> {
        let Known::Broken(position) = self.bench.evidence.known_live(walk, 1) else {
            return Some(Arc::clone(walk));
        };
        let len = position.checked_sub(2)? + 1;
        let beginning = Arc::new(Script {
            launch: walk.launch,
            steps: walk.steps[..len].to_vec(),
        });
        self.measured(&beginning).map(|proven| proven.script)
    }

    /// Plans for everything. What only walks that held can show is planned for by their ways.
    fn plan_all(&mut self, shakes: usize, pool: &[Arc<Script>]) -> Planned {
        let goal = self.missing(&[]);
        let fresh = self.plan_beside(&goal, &[], shakes);
        let recorded = self.recorded_that_held.iter();
        let recorded = recorded.filter(|script| self.has_held(script));
        let held: Vec<_> = recorded.chain(pool).cloned().collect();
        if !self.pin(&held, &fresh.missing) {
            return fresh;
        }
        self.learn();
        let again = self.plan_beside(&goal, &[], shakes);
        let in_vain = again.missing.intersection(&self.coverage(pool));
        self.set_aside.union_with(&in_vain);
        again
    }

    /// Lets plans go the ways of those walks that have some of these elements, as far as the last of them; false
    /// if none has any.
    fn pin(&mut self, walks: &[Arc<Script>], elements: &Coverage) -> bool {
        let mut open = elements.clone();
        for walk in walks {
            let nodes: Vec<_> = self.bench.evidence.walk(walk).collect();
            let mut len = 0;
            for (at, &node) in nodes.iter().enumerate() {
                let prefix = self.bench.evidence.prefix(node);
                let screen = self.bench.names().screen_element(prefix.screen);
                let shown = prefix.cover.iter().flat_map(Cover::elements);
                for &element in shown.chain([&screen]) {
                    if open.contains(element) {
                        open.remove(element);
                        len = at + 1;
                    }
                }
            }
            self.pinned.extend(&nodes[..len]);
        }
        open.len() < elements.len()
    }

    /// Recorded traces for what no plan covers, and for what was planned for again and again in vain.
    fn recorded_for(&mut self, unplanned: &Coverage, pool: &[Arc<Script>]) -> Recorded {
        let missing = self.missing(pool);
        let wanted: Coverage = missing
            .iter()
            .filter(|&element| unplanned.contains(element) || self.tries_of(element) >= STUBBORN)
            .collect();
        let traces = if wanted.is_empty() {
            Vec::new()
        } else {
            self.rescue(&wanted, pool)
        };
        Recorded {
            unplanned: wanted.intersection(unplanned),
            wanted,
            traces,
        }
    }

    /// How often an element was planned for in vain.
    fn tries_of(&self, element: ElementId) -> u32 {
        self.tries.get(&element).copied().unwrap_or(0)
    }

    /// Whether something went through a script and nothing left it.
    fn has_held(&self, script: &Arc<Script>) -> bool {
        self.passes(script).is_some_and(|passes| passes > 0)
    }

    /// What recorded traces showed is planned for by their ways; what they did not show time after time has
    /// to wait for certification.
    fn give_way(&mut self, recorded: &Recorded, pool: &[Arc<Script>]) {
        for script in &recorded.traces {
            if self.has_held(script) && !self.recorded_that_held.contains(script) {
                self.recorded_that_held.push(Arc::clone(script));
            }
        }
        let missing = self.missing(pool).intersection(&recorded.wanted);
        let in_vain: Coverage = missing
            .iter()
            .filter(|&element| self.tries_of(element) >= rescue::PLANS + 2)
            .collect();
        self.set_aside.union_with(&in_vain);
    }

    /// Walks what is planned, and what lanes have room for beside it; gives what is kept with what
    /// came of the plans, and what held of other options.
    fn try_out(
        &mut self,
        choice: &Choice,
        others: &[Choice],
        recorded: &Recorded,
    ) -> Result<Tried, Stop> {
        let mut held = choice.kept.clone();
        let mut fresh = Vec::new();
        let mut known_broken = Vec::new();
        for (walk, script) in self.walks_of(choice) {
            match self.passes(&script) {
                Some(0) => fresh.push((walk, script)),
                Some(_) => held.push(script),
                // What something left before cannot be certified, so it is not walked again.
                None => known_broken.push(script),
            }
        }
        let mut wanted = self.missing(&held);
        wanted.subtract(&recorded.wanted);
        let (plans, also) = self.sessions(&fresh, choice, others, &recorded.traces);
        let walked = self.explore(&plans)?;
        for ((_, planned), walk) in fresh.iter().zip(&walked) {
            let script = self.what_held(planned, walk, &held);
            held.extend(script);
        }
        for script in &recorded.traces {
            let accepted = self.has_held(script);
            self.bench
                .replayer
                .emit(RunEvent::CandidateDecided { accepted });
            // What plans can take the way of is planned for rather than kept.
            let covers = self.coverage(std::slice::from_ref(script));
            let planned = covers
                .intersection(&recorded.wanted)
                .is_subset(&recorded.unplanned);
            held.extend((accepted && !planned).then(|| Arc::clone(script)));
        }
        let walked = walked[fresh.len()..].iter();
        let others = also.iter().zip(walked);
        let others = others
            .filter_map(|((_, planned), walk)| self.what_held(planned, walk, &[]))
            .collect();
        let tried = fresh.into_iter().map(|(_, script)| script);
        let tried: Vec<_> = tried.chain(known_broken).collect();
        self.note_dead_ends(choice, &tried);
        for element in wanted.intersection(&self.missing(&held)).iter() {
            *self.tries.entry(element).or_default() += 1;
        }
        Ok(Tried { held, others })
    }

    /// The walks that an option wants, those that go on from known ones included.
    pub(super) fn walks_of(&self, choice: &Choice) -> Vec<Fresh> {
        let mut walks = choice.planned.walks.clone();
        for (end, more) in &choice.planned.longer {
            let mut walk = self.path(&choice.kept[*end]).unwrap_or_default();
            walk.extend(more);
            walks.push(walk);
        }
        let walks = walks.into_iter();
        walks
            .filter_map(|walk| {
                let script = self.script(&walk)?;
                Some((walk, script))
            })
            .collect()
    }

    /// What is left of a planned walk: all of it, or what the session did instead.
    fn what_held(
        &mut self,
        planned: &Arc<Script>,
        walk: &Walk,
        held: &[Arc<Script>],
    ) -> Option<Arc<Script>> {
        let accepted = self.has_held(planned);
        self.luck.tried(accepted);
        self.bench
            .replayer
            .emit(RunEvent::CandidateDecided { accepted });
        if accepted {
            Some(Arc::clone(planned))
        } else {
            self.as_walked(walk, held)
        }
    }

    /// Remembers the ends of walks behind which the machine was wrong at once.
    fn note_dead_ends(&mut self, choice: &Choice, walked: &[Arc<Script>]) {
        for &(end, _) in &choice.planned.longer {
            let known = &choice.kept[end];
            let mut longer = walked
                .iter()
                .filter(|script| script.steps.starts_with(&known.steps));
            let broken = longer.any(|script| {
                let broken = self.bench.evidence.known_live(script, 1);
                matches!(broken, Known::Broken(position) if position <= known.steps.len() + AT_ONCE)
            });
            if let Some(node) = self.end_of(known).filter(|_| broken) {
                *self.dead_ends.entry(node).or_default() += 1;
            }
        }
    }

    /// What a session did as a script, without the tail that covers nothing needed.
    fn as_walked(&self, walk: &Walk, held: &[Arc<Script>]) -> Option<Arc<Script>> {
        let shown = walk.steps.iter().filter_map(|step| {
            let (screen, _) = step.shown.as_ref()?;
            Some((step.action, *screen))
        });
        let steps: Vec<_> = shown.collect();
        self.needed_of(&steps, held)
    }

    /// Steps that held as a script, without the tail that covers nothing needed.
    pub(super) fn needed_of(
        &self,
        steps: &[(ActionId, ScreenId)],
        held: &[Arc<Script>],
    ) -> Option<Arc<Script>> {
        let suite = self.bench.suite;
        let script = self.origins.script(suite, self.launch_trace, steps)?;
        let observed = script.steps.iter().any(|step| step.step().is_none());
        if observed && !self.bench.settings.allow_observed {
            return None;
        }
        let proven = self.measured(&self.unbroken(&Arc::new(script))?)?;
        let needed: Coverage = self.needed(&proven, held);
        let cut = proven.cut_tail(suite, self.bench.names(), &needed).script;
        (!needed.is_empty() && cut.steps.len() <= self.bench.settings.max_steps).then_some(cut)
    }

    /// Walks plans live and takes in what they show.
    pub(super) fn explore(&mut self, plans: &[Arc<dyn Plan>]) -> Result<Vec<Walk>, Stop> {
        let first = self.next_session;
        let walked = self.bench.replayer.explore(plans, first)?;
        let steps = walked.iter().map(|walk| walk.steps.len()).sum();
        let spent = self.bench.settings.costs.micros(walked.len(), steps);
        self.patience.spend(spent);
        for (walk, session) in walked.iter().zip(first..) {
            self.origins.add(session, walk);
            self.bench.evidence.record_walk(walk);
        }
        self.next_session += plans.len() as u32;
        Ok(walked)
    }
}
