//! Hearts without partners; points are bad. There is no passing.

use setrograde_cards::{Card, Hand, Rank, Seat, Suit};

use crate::clues::Rule;
use crate::game::{Game, Tally};
use crate::state::Trick;

/// Hearts: each heart costs a point, the queen of spades thirteen; a seat that takes all of them
/// costs the other three seats 26 each. Any card may be led at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hearts {
    /// The seat that leads to the first trick.
    pub leader: Seat,
}

const QUEEN: u8 = 12;

impl Game for Hearts {
    const NAME: &'static str = "hearts";
    const PARTNERS: bool = false;
    const RULES: &'static [Rule] = &[];

    fn pack(&self) -> Hand {
        Hand::PACK
    }

    fn first_leader(&self) -> Seat {
        self.leader
    }

    fn points(&self, trick: &Trick) -> i16 {
        let values = trick.cards().iter().map(|&card| self.card_value(card));
        values.sum()
    }

    fn card_value(&self, card: Card) -> i16 {
        match card.suit {
            Suit::Hearts => -1,
            Suit::Spades if Some(card.rank) == Rank::new(QUEEN) => -13,
            _ => 0,
        }
    }

    fn party(&self, seat: Seat) -> usize {
        seat.index()
    }

    fn result(&self, tally: &Tally, party: usize) -> i32 {
        match tally.points.iter().position(|&points| points == -26) {
            Some(shooter) if shooter == party => 0,
            Some(_) => -26,
            None => tally.points[party].into(),
        }
    }

    fn utility_range(&self) -> (f64, f64) {
        (-26.0, 0.0)
    }

    fn setup(&self) -> Vec<(&'static str, String)> {
        vec![("leader", self.leader.to_string())]
    }

    fn headline(&self) -> String {
        "hearts cost 1 each, the queen of spades 13".to_owned()
    }
}
