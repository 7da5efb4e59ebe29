//! Facts about unseen cards.

use std::fmt;

use setrograde_cards::{Card, Hand, Seat};
use setrograde_parallel::Stop;
use thiserror::Error;

use crate::condition::{Condition, Steps};
use crate::limits::{ANY_CASE, Limits};
use crate::question_error::{Location, QuestionError};

/// Index of a card in a table of 64: the number of its bit in a [`Hand`].
#[inline]
pub(crate) const fn bit_index(card: Card) -> usize {
    Hand::of(card).bits().trailing_zeros() as usize
}

/// The origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The seat played this card.
    Play(Card),
    /// The seat's hand is within these limits.
    Limits(Limits),
    /// An assumption or a given fact.
    Given,
}

#[derive(Clone, Copy, Debug)]
enum Fact {
    Weighed { cards: Hand, factor: f64 },
    Limited { limits: Limits },
}

/// Facts about the unseen cards: the number in each hand, the impossible cards of each hand, the
/// more or less likely ones, and limits on each hand.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(crate) unseen: Hand,
    pub(crate) sizes: [u8; 4],
    facts: Vec<(Seat, Reason, Fact)>,
    pub(crate) given: Vec<Given>,
    /// Those that are left for further conditions.
    steps: Steps,
}

/// A condition that limits on each hand cannot express, as long as it can still be satisfied.
#[derive(Clone, Debug)]
pub struct Given {
    /// The condition.
    pub condition: Condition,
    /// Its hands.
    pub hidden: Vec<Seat>,
    /// The cards that each hand has played since the condition held, from North.
    pub played: [Hand; 4],
    /// Disjoint cases of the rest of each hand; `None` if limits cannot express them.
    pub cases: Option<Vec<[Limits; 4]>>,
}

impl Given {
    /// Returns true if the condition holds for these hidden cards.
    pub(crate) fn allows(&self, layout: &[Hand; 4]) -> bool {
        let hands = std::array::from_fn(|seat| layout[seat] | self.played[seat]);
        self.condition.allows(&self.hidden, &hands)
    }
}

/// Facts that allow no layout, or are invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BeliefsError {
    /// The hidden hands do not have the same number of cards as the unseen ones.
    #[error("{cards} cards are not seen, but the hidden hands hold {} ({}, {}, {} and {} from North)", .sizes.iter().sum::<u8>(), .sizes[0], .sizes[1], .sizes[2], .sizes[3])]
    Sizes {
        /// Number of unseen cards.
        cards: usize,
        /// Number of cards assumed for each seat.
        sizes: [u8; 4],
    },
    /// A weight that is negative, infinite or not a number.
    #[error("a weight of {0}; it must be a finite number, 0 or more")]
    Weight(f64),
    /// No layout matches the conditions, or too few to find one.
    #[error("{}", if *.drawn {
        format!("fewer than one in 5,000 layouts of the hidden cards fits {condition}; add limits on lengths, points or cards")
    } else {
        format!("no layout of the hidden cards fits {condition}")
    })]
    NoneFits {
        /// The conditions that limits cannot express.
        condition: String,
        /// True if this is known only from a sample.
        drawn: bool,
    },
    /// The layouts were not counted, since the work was to end.
    #[error("the work was stopped")]
    Stopped,
    /// No layout matches all facts.
    #[error("no layout of the hidden cards is left: {}", impossible(*.seat, .reason))]
    NoLayout {
        /// The seat of the first fact that contradicts the earlier ones.
        seat: Seat,
        /// The origin of that fact.
        reason: Reason,
    },
}

/// Returns an error once `stop` is due.
pub(crate) fn go_on(stop: &Stop) -> Result<(), BeliefsError> {
    if stop.is_due() {
        Err(BeliefsError::Stopped)
    } else {
        Ok(())
    }
}

fn impossible(seat: Seat, reason: &Reason) -> impl fmt::Display {
    let holder = seat;
    let seat = seat.name();
    match reason {
        Reason::Play(card) => {
            format!("what {seat}'s play of {card} shows does not fit what was known before it")
        }
        Reason::Limits(limits) => format!("{} cannot be met", Condition::of_limits(holder, limits)),
        Reason::Given => format!("the facts given about {seat}'s hand contradict each other"),
    }
}

impl Facts {
    /// Makes the facts of the cards `unseen`, distributed among the seats in numbers `sizes`, by
    /// seat from North; 0 for a visible hand.
    pub fn new(unseen: Hand, sizes: [u8; 4]) -> Facts {
        Facts {
            unseen,
            sizes,
            facts: Vec::new(),
            given: Vec::new(),
            steps: Steps::default(),
        }
    }

    /// The unseen cards.
    pub const fn unseen(&self) -> Hand {
        self.unseen
    }

    /// Returns the number of hidden cards of each seat, from North.
    pub const fn sizes(&self) -> [u8; 4] {
        self.sizes
    }

    /// `seat` has none of these cards.
    pub fn deny(&mut self, seat: Seat, cards: Hand, reason: Reason) {
        let cards = cards & self.unseen;
        if !cards.is_empty() {
            let fact = Fact::Weighed { cards, factor: 0.0 };
            self.facts.push((seat, reason, fact));
        }
    }

    /// Multiplies the weight of a layout by `factor` for each of these cards that `seat` has.
    pub fn weigh(&mut self, seat: Seat, cards: Hand, factor: f64) {
        let cards = cards & self.unseen;
        if !cards.is_empty() && factor != 1.0 {
            let fact = Fact::Weighed { cards, factor };
            self.facts.push((seat, Reason::Given, fact));
        }
    }

    /// The hidden cards of `seat` are within these limits. Cards that it has played must have been
    /// subtracted from the limits ([`Limits::without`]).
    pub fn limit(&mut self, seat: Seat, limits: Limits, reason: Reason) {
        self.facts.push((seat, reason, Fact::Limited { limits }));
    }

    /// The condition holds for the `hidden` hands as they are now.
    ///
    /// # Errors
    ///
    /// If it is not about these hands and the unseen cards.
    pub fn suppose(&mut self, condition: &Condition, hidden: &[Seat]) -> Result<(), QuestionError> {
        let at = |(column, error)| QuestionError::at(Location::Condition(column), error);
        let fitted = condition.fit(hidden, self.unseen, &mut self.steps);
        let fitted = fitted.map_err(at)?;
        let around = fitted.around;
        if !fitted.is_limits() {
            self.given(Given {
                condition: condition.clone(),
                hidden: hidden.to_vec(),
                played: [Hand::EMPTY; 4],
                cases: fitted.cases,
            });
        }
        for &seat in hidden {
            let limits = around[seat];
            if limits != Limits::default() {
                self.limit(seat, limits, Reason::Limits(limits));
            }
        }
        Ok(())
    }

    /// Adds a condition. Limits around it speed up the search for layouts.
    pub fn given(&mut self, given: Given) {
        self.given.push(given);
    }

    pub(crate) fn count(&self) -> usize {
        self.facts.len()
    }

    /// The seat and the origin of the fact numbered `at`.
    pub(crate) fn origin(&self, at: usize) -> Option<(Seat, Reason)> {
        self.facts.get(at).map(|&(seat, reason, _)| (seat, reason))
    }

    /// Returns true if points and limits of several hands are to be counted, or points and
    /// conditions: that multiplies what takes a few milliseconds alone.
    pub(crate) fn are_costly(&self) -> bool {
        let mut seats = [(false, false); 4];
        for (seat, _, fact) in &self.facts {
            if let Fact::Limited { limits } = fact {
                seats[*seat].0 |= limits.limit_points();
                seats[*seat].1 |= limits.limit_lengths();
            }
        }
        let count =
            |wanted: fn(&(bool, bool)) -> bool| seats.iter().filter(|of| wanted(of)).count();
        let (points, lengths) = (count(|of| of.0), count(|of| of.1));
        let hidden = self.sizes.iter().filter(|&&size| size > 0).count();
        let limited = count(|of| of.0 || of.1);
        let is_more = lengths > 0 && (limited > 1 || !self.given.is_empty())
            || points > 1 && !self.given.is_empty();
        hidden > 2 && self.unseen.len() > 26 && points > 0 && is_more
    }

    /// The same facts, but those about points are checked layout by layout.
    pub(crate) fn without_points(&self) -> Facts {
        let mut facts = self.clone();
        for (seat, _, fact) in &mut facts.facts {
            if let Fact::Limited { limits } = fact
                && limits.limit_points()
            {
                let points = Limits {
                    points: limits.points,
                    ..Limits::default()
                };
                limits.points = Limits::default().points;
                facts.given.push(Given {
                    condition: Condition::of_limits(*seat, &points),
                    hidden: vec![*seat],
                    played: [Hand::EMPTY; 4],
                    cases: None,
                });
            }
        }
        facts
    }

    /// The combined weights and limits of the first `count` facts.
    pub(crate) fn summary(&self, count: usize) -> Result<FactSummary, BeliefsError> {
        let mut summary = FactSummary {
            unseen: self.unseen,
            sizes: self.sizes,
            weights: Box::new([[1.0; 4]; 64]),
            limits: ANY_CASE,
        };
        for (seat, _, fact) in &self.facts[..count.min(self.facts.len())] {
            let seat = seat.index();
            match *fact {
                Fact::Weighed { cards, factor } => {
                    if !(factor.is_finite() && factor >= 0.0) {
                        return Err(BeliefsError::Weight(factor));
                    }
                    for card in cards {
                        summary.weights[bit_index(card)][seat] *= factor;
                    }
                }
                Fact::Limited { limits } => summary.limit(seat, &limits),
            }
        }
        for (seat, &size) in self.sizes.iter().enumerate() {
            if size == 0 {
                for weights in summary.weights.iter_mut() {
                    weights[seat] = 0.0;
                }
            }
        }
        Ok(summary)
    }
}

/// The facts combined: a weight for each card and seat, and each seat's limits.
#[derive(Clone, Debug)]
pub(crate) struct FactSummary {
    pub unseen: Hand,
    /// The number of cards of each seat.
    pub sizes: [u8; 4],
    /// By the card's bit, then by seat.
    pub weights: Box<[[f64; 4]; 64]>,
    pub limits: [Limits; 4],
}

impl FactSummary {
    /// The hand of a seat is within these limits, too.
    pub(crate) fn limit(&mut self, seat: usize, limits: &Limits) {
        let all = &mut self.limits[seat];
        *all = all.and(limits);
        if !(limits.cards - self.unseen).is_empty() {
            all.lengths[0] = (1, 0);
        }
        for card in limits.cards {
            let weights = &mut self.weights[bit_index(card)];
            let own = weights[seat];
            *weights = [0.0; 4];
            weights[seat] = own;
        }
        for card in limits.lacks & self.unseen {
            self.weights[bit_index(card)][seat] = 0.0;
        }
    }

    pub(crate) fn weight(&self, seat: usize, card: Card) -> f64 {
        self.weights[bit_index(card)][seat]
    }

    /// Returns true if every card is as likely in each hand that may have it.
    pub(crate) fn is_plain(&self) -> bool {
        let weights = |card: Card| self.weights[bit_index(card)];
        let mut all = self.unseen.iter().flat_map(weights);
        all.all(|weight| weight == 0.0 || weight == 1.0)
    }

    /// The same with weight 1 of all that is possible.
    pub(crate) fn plain(mut self) -> FactSummary {
        for weight in self.weights.as_flattened_mut() {
            *weight = f64::from(u8::from(*weight > 0.0));
        }
        self
    }
}
