//! Plans that win in all worlds of a set.

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Seat};

use super::together::{Search, Together};
use crate::worlds::{At, Stop};
use setrograde_games::Game;

/// How to make sure of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing is left to be done.
    Won,
    /// The side plays a card.
    Play {
        /// Who plays.
        seat: Seat,
        /// The card.
        card: Card,
        /// What follows.
        then: Box<Plan>,
    },
    /// An opponent plays; cards after which the plan is the same stand together.
    Reply {
        /// Who plays.
        seat: Seat,
        /// What follows each of the cards that the opponent may play.
        branches: Vec<(CardSet, Plan)>,
    },
}

impl<G: Game> Search<'_, G> {
    /// A plan that begins with `card` and wins in all worlds that are alive.
    pub fn plan_with(&mut self, at: &At, card: Card) -> Result<Option<Plan>, Stop> {
        let next = self.subject.next(at, card, at.alive);
        if let Together::Lost(_) = self.together(&next)? {
            return Ok(None);
        }
        let then = self.plan_from(&next)?;
        Ok(Some(Plan::Play {
            seat: at.trick.to_play(),
            card,
            then: Box::new(then),
        }))
    }

    /// A plan for a position that can be won in all worlds that are alive.
    fn plan_from(&mut self, at: &At) -> Result<Plan, Stop> {
        if at.alive.is_empty() || self.subject.won(at) >= self.subject.target {
            return Ok(Plan::Won);
        }
        let seat = at.trick.to_play();
        if self.subject.is_own(at) {
            for card in self.subject.own_cards(at) {
                if let Some(plan) = self.plan_with(at, card)? {
                    return Ok(plan);
                }
            }
            return Ok(Plan::Won);
        }
        let mut branches: Vec<(CardSet, Plan)> = Vec::new();
        for (card, worlds) in self.subject.replies(at) {
            let plan = self.plan_from(&self.subject.next(at, card, worlds))?;
            match branches.iter_mut().find(|(_, known)| *known == plan) {
                Some((cards, _)) => *cards |= card.into(),
                None => branches.push((card.into(), plan)),
            }
        }
        Ok(Plan::Reply { seat, branches })
    }
}
