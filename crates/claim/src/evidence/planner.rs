//! Builds plans with the search as its guide.

use std::collections::HashMap;

use setrograde_cards::{Card, Hand, Suit};

use crate::claim_error::ClaimError;
use crate::evidence::check_plan::check_step;
use crate::evidence::plan::{Plan, Step};
use crate::knowledge::Knowledge;
use crate::ordered::fixed_order;
use crate::search::engine::Engine;

/// The most steps of a plan.
const MOST_STEPS: usize = 20_000;
/// With so few tricks left, the smallest of all plans is looked for.
const FEW_TRICKS: usize = 4;

struct Planner<'a> {
    engine: &'a mut Engine,
    steps: Vec<Step>,
    /// The number of steps from a step on, shared ones counted each time.
    sizes: Vec<usize>,
    known: HashMap<(Knowledge, u8), usize>,
}

/// A plan for `need` tricks, which must be sure: a fixed order if there is one,
/// else a tree, the smallest where few tricks are left.
pub(crate) fn plan(
    engine: &mut Engine,
    knowledge: &Knowledge,
    need: u8,
) -> Result<Plan, ClaimError> {
    let mut planner = Planner {
        engine,
        steps: vec![Step::Done],
        sizes: vec![0],
        known: HashMap::new(),
    };
    let root = planner.build(knowledge, need)?;
    Ok(Plan {
        tricks: need,
        steps: planner.steps,
        root,
    }
    .trimmed())
}

/// The tricks still needed after a card.
fn needed(before: &Knowledge, after: &Knowledge, need: u8) -> u8 {
    let ends = after.trick().cards().is_empty();
    let ours = after.trick().leader().index() % 2 == before.claimer().index() % 2;
    need.saturating_sub(u8::from(ends && ours))
}

impl Planner<'_> {
    fn add(&mut self, step: Step) -> Result<usize, ClaimError> {
        if let Some(place) = self.steps.iter().rposition(|old| *old == step) {
            return Ok(place);
        }
        if self.steps.len() >= MOST_STEPS {
            return Err(ClaimError::PlanTooLarge { limit: MOST_STEPS });
        }
        let size = match &step {
            Step::Done => 0,
            Step::Order(_) => 1,
            Step::Play { then, .. } => 1 + self.sizes[*then],
            Step::Watch { seen, otherwise } => {
                let branches: usize = seen.iter().map(|&(_, then)| 1 + self.sizes[then]).sum();
                branches + self.sizes[*otherwise]
            }
        };
        self.steps.push(step);
        self.sizes.push(size);
        Ok(self.steps.len() - 1)
    }

    fn build(&mut self, knowledge: &Knowledge, need: u8) -> Result<usize, ClaimError> {
        if need == 0 {
            return Ok(0);
        }
        let key = (knowledge.clone(), need);
        if let Some(&step) = self.known.get(&key) {
            return Ok(step);
        }
        let step = if let Some(order) = fixed_order(knowledge, need) {
            self.add(Step::Order(order))?
        } else if knowledge.plays_for(knowledge.to_play()) {
            self.choose(knowledge, need)?
        } else {
            self.watch(knowledge, need)?
        };
        self.known.insert(key, step);
        Ok(step)
    }

    /// Plays a card that keeps the tricks sure.
    fn choose(&mut self, knowledge: &Knowledge, need: u8) -> Result<usize, ClaimError> {
        let mut best: Option<(usize, Card, usize)> = None;
        for card in self.engine.candidates(knowledge) {
            let Ok(after) = knowledge.play(card) else {
                continue;
            };
            let need = needed(knowledge, &after, need);
            if !self.engine.is_sure(&after, need)? {
                continue;
            }
            let then = self.build(&after, need)?;
            let size = self.sizes[then];
            if best.is_none_or(|(least, ..)| size < least) {
                best = Some((size, card, then));
            }
            if knowledge.tricks_left() > FEW_TRICKS {
                break;
            }
        }
        let (_, card, then) = best.ok_or(ClaimError::NotSure)?;
        self.add(Step::Play { card, then })
    }

    /// Goes on after each card of another hand, in the same way where that will
    /// do.
    fn watch(&mut self, knowledge: &Knowledge, need: u8) -> Result<usize, ClaimError> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        for card in knowledge.playable().cards() {
            let Ok(after) = knowledge.play(card) else {
                continue;
            };
            let need = needed(knowledge, &after, need);
            let fits = |&&mut (_, then): &&mut (Hand, usize)| {
                need == 0 || check_step(&after, &self.steps, then, need).is_ok()
            };
            if let Some((cards, _)) = ways.iter_mut().find(fits) {
                cards.insert(card);
                continue;
            }
            let then = self.build(&after, need)?;
            let one = [card].into_iter().collect();
            match ways.iter_mut().find(|(_, way)| *way == then) {
                Some((cards, _)) => {
                    cards.insert(card);
                }
                None => ways.push((one, then)),
            }
        }
        // The way of most cards needs no list of them. Of the other ways, the one
        // of most cards of a suit is for all cards of the suit that have no way
        // yet: so it will do where other cards have gone, too.
        let most = (0..ways.len()).max_by_key(|&n| ways[n].0.len());
        let otherwise = most.map_or(0, |most| ways.remove(most).1);
        let mut seen = ways;
        let playable = knowledge.playable();
        for suit in Suit::ALL {
            let most = seen
                .iter_mut()
                .max_by_key(|(cards, _)| cards.holding(suit).len());
            if let Some((cards, _)) = most
                && 2 * cards.holding(suit).len() > playable.holding(suit).len()
            {
                for card in Card::pack().filter(|card| card.suit == suit) {
                    if !playable.contains(card) {
                        cards.insert(card);
                    }
                }
            }
        }
        self.add(Step::Watch { seen, otherwise })
    }
}

impl Plan {
    /// The plan without steps that nothing leads to.
    fn trimmed(self) -> Plan {
        fn keep(
            steps: &[Step],
            step: usize,
            kept: &mut Vec<Step>,
            places: &mut HashMap<usize, usize>,
        ) -> usize {
            if let Some(&place) = places.get(&step) {
                return place;
            }
            let new = match &steps[step] {
                Step::Play { card, then } => Step::Play {
                    card: *card,
                    then: keep(steps, *then, kept, places),
                },
                Step::Watch { seen, otherwise } => Step::Watch {
                    seen: seen
                        .iter()
                        .map(|&(cards, then)| (cards, keep(steps, then, kept, places)))
                        .collect(),
                    otherwise: keep(steps, *otherwise, kept, places),
                },
                other => other.clone(),
            };
            kept.push(new);
            places.insert(step, kept.len() - 1);
            kept.len() - 1
        }
        let mut steps = Vec::new();
        let root = keep(&self.steps, self.root, &mut steps, &mut HashMap::new());
        Plan {
            tricks: self.tricks,
            steps,
            root,
        }
    }
}
