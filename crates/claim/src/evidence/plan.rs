//! Plans: the card to play, whatever the opponents play.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use setrograde_cards::{Card, Hand, Suit};
use thiserror::Error;

use crate::evidence::json::Form;
use crate::knowledge::Knowledge;
use crate::ordered::Pair;

/// One step of a [`Plan`]; the numbers are indices in [`Plan::steps`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "PlanStep")
)]
#[serde(try_from = "Form", into = "Form")]
pub enum Step {
    /// The claimed tricks are made.
    Done,
    /// Play these pairs in turn, whatever the opponents play: the card that leads, then the card of
    /// the other visible hand. Each wins its trick, and these tricks are enough.
    Order(Vec<Pair>),
    /// The hand to play is the claimer's: play this card.
    Play {
        /// The card.
        card: Card,
        /// The step after it.
        then: usize,
    },
    /// From here on a claimer's hand beats the cards on the table as cheaply as it can, unless
    /// partner's card is winning. A hand that cannot, or that leads, plays the first legal one of
    /// these cards.
    Rule(Vec<Card>),
    /// The hand to play is another's: its card determines the next step.
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
/// It is a tree of [`Step`]s that shares equal branches. [`check_plan`] proves it without any
/// search.
///
/// [`check_plan`]: crate::check_plan
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Number of tricks taken.
    pub tricks: u8,
    /// The steps.
    pub steps: Vec<Step>,
    /// The first step.
    pub root: usize,
    /// The layouts in which it takes them, by [hidden hand](crate::Knowledge::hidden);
    /// all if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub among: Option<Vec<[Hand; 2]>>,
}

impl Plan {
    /// What is known where the plan applies.
    pub(crate) fn knowledge(&self, knowledge: &Knowledge) -> Knowledge {
        match &self.among {
            Some(layouts) => knowledge.among(layouts),
            None => knowledge.clone(),
        }
    }
}

/// Maximum number of steps of a plan.
pub const MOST_STEPS: usize = 20_000;

/// A plan with too many steps to be useful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the plan has more than {MOST_STEPS} steps")]
pub struct PlanTooLarge;

/// Builds a plan from its ends. Equal steps are shared.
#[derive(Clone, Debug)]
pub struct PlanBuilder {
    /// Maximum number of steps.
    most: usize,
    /// The steps so far, each after its successors.
    pub steps: Vec<Step>,
    numbers: HashMap<Step, usize>,
    /// Number of steps from a step on, shared ones counted each time.
    sizes: Vec<usize>,
}

impl PlanBuilder {
    /// A plan of at most this number of steps that contains [`DONE`](PlanBuilder::DONE).
    pub fn new(most: usize) -> PlanBuilder {
        PlanBuilder {
            most,
            steps: vec![Step::Done],
            numbers: HashMap::from([(Step::Done, PlanBuilder::DONE)]),
            sizes: vec![0],
        }
    }

    /// The step [`Step::Done`].
    pub const DONE: usize = 0;

    /// Returns the number of steps from a step on, shared ones counted each time.
    pub(crate) fn size(&self, step: usize) -> usize {
        self.sizes[step]
    }

    /// Returns the index of a step, whose successors must exist.
    ///
    /// # Errors
    ///
    /// If it is new, and there are too many already.
    pub fn add(&mut self, step: Step) -> Result<usize, PlanTooLarge> {
        if let Some(&nth) = self.numbers.get(&step) {
            return Ok(nth);
        }
        if self.steps.len() >= self.most {
            return Err(PlanTooLarge);
        }
        let size = match &step {
            Step::Done => 0,
            Step::Order(_) | Step::Rule(_) => 1,
            Step::Play { then, .. } => self.sizes[*then].saturating_add(1),
            Step::Watch { seen, otherwise } => {
                let branches = seen.iter().map(|&(_, then)| self.sizes[then]);
                branches.fold(self.sizes[*otherwise], |sum, size| {
                    sum.saturating_add(size).saturating_add(1)
                })
            }
        };
        self.numbers.insert(step.clone(), self.steps.len());
        self.steps.push(step);
        self.sizes.push(size);
        Ok(self.steps.len() - 1)
    }

    /// Adds a card, and the step after it, to sets of cards with the same step.
    pub fn add_way(ways: &mut Vec<(Hand, usize)>, card: Card, then: usize) {
        match ways.iter_mut().find(|(_, way)| *way == then) {
            Some((cards, _)) => *cards |= card.into(),
            None => ways.push((card.into(), then)),
        }
    }

    /// Makes the step that watches another hand, which may play one of `playable`: `ways` are sets
    /// of these cards, each with the next step.
    pub(crate) fn watch(
        &mut self,
        mut ways: Vec<(Hand, usize)>,
        playable: Hand,
    ) -> Result<usize, PlanTooLarge> {
        // The most frequent next step needs no list of cards. In each suit, the continuation shared
        // by most cards becomes the default for cards without one, so it also covers positions
        // after other cards.
        let most = (0..ways.len()).max_by_key(|&n| ways[n].0.len());
        let otherwise = most.map_or(PlanBuilder::DONE, |most| ways.remove(most).1);
        for suit in Suit::ALL {
            let most = ways
                .iter_mut()
                .max_by_key(|(cards, _)| cards.holding(suit).len());
            if let Some((cards, _)) = most
                && 2 * cards.holding(suit).len() > playable.holding(suit).len()
            {
                *cards |= Hand::PACK.suit(suit) - playable;
            }
        }
        self.add(Step::Watch {
            seen: ways,
            otherwise,
        })
    }

    /// Returns the plan for `tricks` that begins with step `root`, without unreachable steps.
    pub(crate) fn finish(&self, root: usize, tricks: u8) -> Plan {
        let mut plan = Plan {
            tricks,
            steps: Vec::new(),
            root: 0,
            among: None,
        };
        plan.root = self.keep(root, &mut plan.steps, &mut HashMap::new());
        plan
    }

    fn keep(&self, step: usize, kept: &mut Vec<Step>, at: &mut HashMap<usize, usize>) -> usize {
        if let Some(&nth) = at.get(&step) {
            return nth;
        }
        let new = match &self.steps[step] {
            Step::Play { card, then } => Step::Play {
                card: *card,
                then: self.keep(*then, kept, at),
            },
            Step::Watch { seen, otherwise } => {
                let seen = seen
                    .iter()
                    .map(|&(cards, then)| (cards, self.keep(then, kept, at)));
                Step::Watch {
                    seen: seen.collect(),
                    otherwise: self.keep(*otherwise, kept, at),
                }
            }
            other => other.clone(),
        };
        kept.push(new);
        at.insert(step, kept.len() - 1);
        kept.len() - 1
    }
}

/// An invalid plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[error("step {step}: {fault}")]
pub struct PlanError {
    /// The step, an index in [`Plan::steps`].
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
    /// An end before the tricks are made.
    #[error("the plan ends {missing} tricks short")]
    Short {
        /// Number of tricks that are missing.
        missing: u8,
    },
    /// A card that cannot be played there.
    #[error("the {card} cannot be played")]
    Unplayable {
        /// The card.
        card: Card,
    },
    /// A rule has no playable card.
    #[error("the rule names no card that can be played")]
    NoCard,
    /// A card for a hand that the claimer does not play, or the reverse.
    #[error("the step is for another hand than the one that is to play")]
    WrongHand,
    /// A pair of a fixed order that may lose its trick.
    #[error("the {card} need not win its trick")]
    MayLose {
        /// The card that should win.
        card: Card,
    },
    /// A layout of [`Plan::among`] that contradicts the knowledge.
    #[error("layout {layout} does not agree with what is known")]
    NotALayout {
        /// Its index in [`Plan::among`].
        layout: usize,
    },
    /// A card in two sets of a step.
    #[error("the {card} leads to two steps")]
    Ambiguous {
        /// The card.
        card: Card,
    },
    /// The proof takes too long.
    #[error("the proof has more than {limit} splits at its points of play together")]
    TooLarge {
        /// Maximum number of splits that are looked at.
        limit: usize,
    },
}
