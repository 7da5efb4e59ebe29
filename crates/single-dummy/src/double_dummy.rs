//! Double-dummy values: of endings from a database, of states by the solver.

use setrograde_beliefs::{State, Tally, Whist};
use setrograde_cards::{Card, Deal, Hand, Position, Seat, Side, Strain};
use setrograde_lookup::{Database, Ending, ProbeError};
use setrograde_solver::{Solver, Target, Wanted};

use crate::error::SearchError;

/// The endings of one strain in a database.
pub struct Endings<'a> {
    rules: Whist,
    database: &'a Database,
}

impl<'a> Endings<'a> {
    /// The endings of `strain`.
    pub fn new(strain: Strain, database: &'a Database) -> Endings<'a> {
        Endings {
            rules: Whist::new(strain, Seat::North, 13),
            database,
        }
    }

    /// Returns the maximum number of tricks left in an ending of the database.
    pub fn depth(&self) -> usize {
        self.database.max_tricks()
    }

    /// The tally at the end of the board with double-dummy play.
    ///
    /// # Errors
    ///
    /// If the database does not hold the ending, or is damaged.
    pub fn finish(&self, state: &State) -> Result<Tally, ProbeError> {
        Ok(with_tricks(state, self.tricks(state)?))
    }

    /// The tally at the end when the seat to play plays `card`.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    pub fn finish_with(&self, state: &State, card: Card) -> Result<Tally, ProbeError> {
        self.finish(&state.after(&self.rules, card))
    }

    /// The tricks of North and South from here on. The rest of a trick is searched.
    fn tricks(&self, state: &State) -> Result<u8, ProbeError> {
        if state.is_over() {
            return Ok(0);
        }
        let side = state.to_play().side();
        if state.trick().is_empty() {
            let ending = ending(state, self.rules.strain());
            let located = self
                .database
                .locate(&ending)?
                .ok_or_else(|| self.database.not_held(&ending))?;
            let tricks = located.value()?;
            return Ok(match side {
                Side::NorthSouth => tricks,
                Side::EastWest => state.tricks_left() as u8 - tricks,
            });
        }
        let mut best = None;
        let mine = state.hands()[state.to_play()];
        let hands: Hand = state.hands().iter().copied().collect();
        for card in runs(
            state.legal(&self.rules),
            (hands | state.trick().set()) - mine,
        ) {
            let after = state.after(&self.rules, card);
            let won = after.tally().tricks[0] - state.tally().tricks[0];
            let tricks = won + self.tricks(&after)?;
            best = match side {
                Side::NorthSouth => best.max(Some(tricks)),
                Side::EastWest => Some(best.map_or(tricks, |best: u8| best.min(tricks))),
            };
        }
        Ok(best.expect("a seat that has cards may play one of them"))
    }
}

/// The highest card of each run of `cards` that none of `others` divides.
pub(crate) fn runs(cards: Hand, others: Hand) -> impl Iterator<Item = Card> {
    cards.iter().filter(move |&card| {
        let bit = Hand::of(card).bits();
        let above = (cards | others).suit(card.suit).bits() & !(bit | (bit - 1));
        above & above.wrapping_neg() & cards.bits() == 0
    })
}

/// The tally when North and South take `won` of the tricks left.
pub fn with_tricks(state: &State, won: u8) -> Tally {
    let mut tally = *state.tally();
    let lost = state.tricks_left() as u8 - won;
    for (side, tricks) in [won, lost].into_iter().enumerate() {
        tally.tricks[side] += tricks;
        tally.points[side] += i16::from(tricks);
    }
    tally
}

/// The tricks that each playable card takes of those left, for the side to
/// play.
///
/// # Errors
///
/// If the solver was cancelled or fails.
pub fn tricks_of_cards(
    solver: &mut Solver,
    state: &State,
    strain: Strain,
) -> Result<Vec<(Card, u8)>, SearchError> {
    let solution = solver.solve(&position(state, strain), Target::Most, Wanted::All)?;
    let mut cards = Vec::with_capacity(13);
    for found in &solution.cards {
        cards.push((found.card, found.tricks));
        let equals = found.equals.iter();
        cards.extend(equals.map(|rank| (Card::new(found.card.suit, rank), found.tricks)));
    }
    Ok(cards)
}

/// The hands of a state.
pub(crate) fn deal(state: &State) -> Deal {
    Deal::new(*state.hands()).expect("a state's hands are disjoint")
}

pub(crate) fn position(state: &State, strain: Strain) -> Position {
    let trick = state.trick();
    Position::new(strain, trick.leader(), deal(state), trick.cards())
        .expect("a state's hands fit its trick")
}

/// The ending of a state at the start of a trick.
pub(crate) fn ending(state: &State, strain: Strain) -> Ending {
    let ending = Ending::from_deal(strain, state.to_play(), &deal(state));
    ending.expect("at the start of a trick hands are of one length")
}
