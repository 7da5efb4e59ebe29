//! Builds plans with the search as its guide.

use std::collections::HashMap;

use setrograde_cards::{Card, Hand};

use crate::claim_error::ClaimError;
use crate::evidence::check_plan::check_step;
use crate::evidence::plan::{Plan, PlanBuilder, Step};
use crate::knowledge::Knowledge;
use crate::ordered::fixed_order;
use crate::search::engine::Engine;

/// With so few tricks left, the smallest of all plans is looked for.
const FEW_TRICKS: usize = 4;

struct Planner<'a> {
    engine: &'a mut Engine,
    builder: PlanBuilder,
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
        builder: PlanBuilder::default(),
        known: HashMap::new(),
    };
    let root = planner.build(knowledge, need)?;
    Ok(planner.builder.finish(root, need))
}

impl Planner<'_> {
    fn build(&mut self, knowledge: &Knowledge, need: u8) -> Result<usize, ClaimError> {
        if need == 0 {
            return Ok(0);
        }
        let key = (knowledge.clone(), need);
        if let Some(&step) = self.known.get(&key) {
            return Ok(step);
        }
        let step = if let Some(order) = fixed_order(knowledge, need) {
            self.builder.add(Step::Order(order))?
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
            let need = knowledge.still_needed(&after, need);
            if !self.engine.is_sure(&after, need)? {
                continue;
            }
            let then = self.build(&after, need)?;
            let size = self.builder.size(then);
            if best.is_none_or(|(least, ..)| size < least) {
                best = Some((size, card, then));
            }
            if knowledge.tricks_left() > FEW_TRICKS {
                break;
            }
        }
        let (_, card, then) = best.ok_or(ClaimError::NotSure)?;
        Ok(self.builder.add(Step::Play { card, then })?)
    }

    /// Goes on after each card of another hand, in the same way where that will
    /// do.
    fn watch(&mut self, knowledge: &Knowledge, need: u8) -> Result<usize, ClaimError> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        for card in knowledge.playable().cards() {
            let Ok(after) = knowledge.play(card) else {
                continue;
            };
            let need = knowledge.still_needed(&after, need);
            let fits = |&&mut (_, then): &&mut (Hand, usize)| {
                need == 0 || check_step(&after, self.builder.steps(), then, need).is_ok()
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
        Ok(self.builder.watch(ways, knowledge.playable())?)
    }
}
