//! The line itself, as the steps of a plan.

use std::collections::HashMap;

use serde::Serialize;
use setrograde_cards::Hand;
use setrograde_claim::{MOST_STEPS, PlanBuilder, Step};

use crate::error::SearchError;
use crate::given::findings::{Goals, GoalsVerdict, LayoutGoal, SidePosition};
use crate::given::search::Search;

/// A line of play, as the [steps](Step) of a plan: the card to play, depending on the opponents'
/// cards. [`Step::Done`] means that the goal is reached in each remaining layout by any card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "LineSteps")
)]
pub struct Line {
    /// The steps, without duplicates.
    pub steps: Vec<Step>,
    /// The first step.
    pub root: usize,
}

/// A line that reaches these goals, which must be reachable; `None` if it has more than
/// 20,000 steps.
pub(super) fn line(
    search: &mut Search<'_>,
    at: &SidePosition,
    goals: &[LayoutGoal],
) -> Result<Option<Line>, SearchError> {
    let mut lines = LineWriter {
        search,
        builder: PlanBuilder::new(MOST_STEPS),
        built: HashMap::new(),
    };
    let root = lines.step(at, goals)?;
    let steps = lines.builder.steps;
    Ok(root.map(|root| Line { steps, root }))
}

struct LineWriter<'s, 'a> {
    search: &'s mut Search<'a>,
    builder: PlanBuilder,
    /// The step from a position on, by the cards played before the trick and in it, in order, the
    /// tricks won, and the goals.
    built: HashMap<(Hand, String, Goals), usize>,
}

impl LineWriter<'_, '_> {
    /// Returns the number of the step from a position on; `None` if there are too many.
    fn step(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<Option<usize>, SearchError> {
        let won = self.search.won(at);
        let goals: Goals = goals
            .iter()
            .filter(|&&(_, tricks)| tricks > won)
            .copied()
            .collect();
        if goals.is_empty() {
            return Ok(Some(PlanBuilder::DONE));
        }
        let trick = at.state.trick();
        let table = trick.cards().iter().map(ToString::to_string);
        let table = format!("{won}{}{}", trick.leader(), table.collect::<String>());
        let key = (at.played, table, goals);
        if let Some(&number) = self.built.get(&key) {
            return Ok(Some(number));
        }
        let goals = &key.2;
        let step = if self.search.is_own(at) {
            self.own(at, goals)?
        } else {
            self.watch(at, goals)?
        };
        let Some(number) = step.and_then(|step| self.builder.add(step).ok()) else {
            return Ok(None);
        };
        self.built.insert(key, number);
        Ok(Some(number))
    }

    fn own(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<Option<Step>, SearchError> {
        for card in self.search.own_cards(at) {
            let next = self.search.next(at, card);
            if self.search.together(&next, goals)? == GoalsVerdict::Reached {
                let then = self.step(&next, goals)?;
                return Ok(then.map(|then| Step::Play { card, then }));
            }
        }
        unreachable!("a card reaches the goals that one line reaches")
    }

    fn watch(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<Option<Step>, SearchError> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        for (card, goals) in self.search.replies(at, goals) {
            let next = self.search.next(at, card);
            let Some(then) = self.step(&next, &goals)? else {
                return Ok(None);
            };
            PlanBuilder::add_way(&mut ways, card, then);
        }
        Ok(Some(Step::Watch {
            seen: ways,
            otherwise: PlanBuilder::DONE,
        }))
    }
}
