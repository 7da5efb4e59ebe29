//! `Solver::solve`: the cards of a position and what they are worth.

use setrograde_cards::{Card, Holding, Position, Seat};

use crate::board::Board;
use crate::error::SolveError;
use crate::root::{Root, RootCard};
use crate::solver::Solver;

/// The number of tricks that the side to play is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// As many as it can take.
    Most,
    /// At least this many, the trick under way included. A target of 0 is met
    /// by every card.
    AtLeast(u8),
}

/// The cards that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// One that meets the target.
    One,
    /// All that meet the target.
    AllBest,
    /// All that may be played, each with its tricks, whatever the target.
    All,
}

/// A card and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardTricks {
    /// The card: the highest of those that are worth the same because no
    /// other hand has a card between them.
    pub card: Card,
    /// The lower ones.
    pub equals: Holding,
    /// Tricks for the side to play, the trick under way included. With
    /// [`Target::AtLeast`] and without [`Wanted::All`] this is the target,
    /// although the card may take more.
    pub tricks: u8,
}

/// The answer to a [`Solver::solve`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Solution {
    /// The seat to play.
    pub seat: Seat,
    /// The cards that were asked for: the most tricks first, then spades first,
    /// each suit high to low. Empty if the target cannot be met.
    pub cards: Vec<CardTricks>,
}

impl Solver {
    /// The cards of the seat to play that meet a target.
    ///
    /// # Errors
    ///
    /// If the position is finished or the target exceeds the tricks left, if
    /// the search was cancelled, and if the database fails.
    pub fn solve(
        &mut self,
        position: &Position,
        target: Target,
        wanted: Wanted,
    ) -> Result<Solution, SolveError> {
        let left = position.tricks_left() as u8;
        if left == 0 {
            return Err(SolveError::NoCards);
        }
        if let Target::AtLeast(target) = target
            && target > left
        {
            return Err(SolveError::TargetTooHigh { target, left });
        }
        let seat = position.to_play();
        let board = Board::new(position);
        let mut cards = ask(&mut self.root(position, &board), target, wanted)?;
        cards.sort_by_key(|card| {
            (
                u8::MAX - card.tricks,
                card.card.suit,
                u8::MAX - card.card.rank.value(),
            )
        });
        if wanted == Wanted::One {
            cards.truncate(1);
        }
        Ok(Solution { seat, cards })
    }
}

fn ask(root: &mut Root<'_>, target: Target, wanted: Wanted) -> Result<Vec<CardTricks>, SolveError> {
    match (wanted, target) {
        (Wanted::All, _) => every_card(root),
        (_, Target::AtLeast(0)) => Ok(root.cards().iter().map(|card| worth(card, 0)).collect()),
        (_, Target::Most) => {
            let best = root.tricks()?;
            meeting(root, best, wanted)
        }
        (_, Target::AtLeast(target)) => meeting(root, target, wanted),
    }
}

/// The cards that take at least `target` tricks.
fn meeting(root: &mut Root<'_>, target: u8, wanted: Wanted) -> Result<Vec<CardTricks>, SolveError> {
    let mut found = Vec::new();
    for card in root.cards() {
        if root.takes(card.bit, target)? {
            found.push(worth(&card, target));
            if wanted == Wanted::One {
                break;
            }
        }
    }
    Ok(found)
}

/// All cards, each with its tricks.
fn every_card(root: &mut Root<'_>) -> Result<Vec<CardTricks>, SolveError> {
    let mut guess = root.tricks()?;
    let mut found = Vec::new();
    for card in root.cards() {
        guess = root.tricks_with(card.bit, guess)?;
        found.push(worth(&card, guess));
    }
    Ok(found)
}

fn worth(card: &RootCard, tricks: u8) -> CardTricks {
    CardTricks {
        card: card.card,
        equals: card.equals,
        tricks,
    }
}
