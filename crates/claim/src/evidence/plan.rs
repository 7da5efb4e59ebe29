//! Plans: which card to play, whatever falls.

use setrograde_cards::{Card, Hand};
use thiserror::Error;

use crate::ordered::Pair;

/// One step of a [`Plan`]; the numbers are places in [`Plan::steps`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The tricks that were claimed are made.
    Done,
    /// Play these pairs one after the other, whatever the others play: the card
    /// that leads, then the card of the other visible hand. Each wins its trick,
    /// and no more are needed.
    Order(Vec<Pair>),
    /// The hand to play is the claimer's: play this card.
    Play {
        /// The card.
        card: Card,
        /// The step after it.
        then: usize,
    },
    /// The hand to play is another's: go on as its card says.
    Watch {
        /// Cards and the step after any of them; no card is in two sets.
        seen: Vec<(Hand, usize)>,
        /// The step after any other card.
        otherwise: usize,
    },
}

/// A plan that takes some number of tricks in every layout against every
/// defence.
///
/// It is a tree of [`Step`]s, where equal branches are one. [`check_plan`]
/// proves it without any search.
///
/// [`check_plan`]: crate::check_plan
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// The number of tricks that it takes.
    pub tricks: u8,
    /// The steps.
    pub steps: Vec<Step>,
    /// The first step.
    pub root: usize,
}

impl Plan {
    /// The pairs of the plan if it is a fixed order.
    #[must_use]
    pub fn order(&self) -> Option<&[Pair]> {
        match self.steps.get(self.root) {
            Some(Step::Order(pairs)) => Some(pairs),
            _ => None,
        }
    }
}

/// A plan that is not a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("step {step}: {fault}")]
pub struct PlanError {
    /// The step, a place in [`Plan::steps`].
    pub step: usize,
    /// The fault.
    pub fault: PlanFault,
}

/// A fault in a step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// A step that does not exist.
    #[error("the plan has no such step")]
    NoSuchStep,
    /// The end before the tricks are made.
    #[error("the plan ends {missing} tricks short")]
    Short {
        /// The number of tricks that are missing.
        missing: u8,
    },
    /// A card that cannot be played there.
    #[error("the {card} cannot be played")]
    Unplayable {
        /// The card.
        card: Card,
    },
    /// A card for a hand that the claimer does not play, or the reverse.
    #[error("the step is for another hand than the one that is to play")]
    WrongHand,
    /// A pair of a fixed order that may lose its trick.
    #[error("the {card} need not win its trick")]
    MayLose {
        /// The card that was to win.
        card: Card,
    },
    /// A card that two sets of a step have in common.
    #[error("the {card} leads to two steps")]
    Ambiguous {
        /// The card.
        card: Card,
    },
}
