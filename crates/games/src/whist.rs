//! Whist: every trick counts one.

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Seat, Strain};

use crate::clues::{self, Play, Rule};
use crate::game::{Game, Tally, beats_in_strain, follow_suit, short_pack};
use crate::trick::Trick;

/// Whist with or without trumps, partners opposite, nothing but the own hand
/// seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whist {
    strain: Strain,
    dealer: Seat,
    cards: u8,
}

impl Whist {
    /// Whist with 1 to 13 cards in each hand, the top ones of each suit; other
    /// numbers are taken as the nearest of these. The seat after the dealer
    /// leads.
    #[must_use]
    pub fn new(strain: Strain, dealer: Seat, cards: usize) -> Whist {
        Whist {
            strain,
            dealer,
            cards: cards.clamp(1, 13) as u8,
        }
    }
}

impl Game for Whist {
    const NAME: &'static str = "whist";

    fn pack(&self) -> CardSet {
        short_pack(self.cards.into())
    }

    fn first_leader(&self) -> Seat {
        self.dealer.next()
    }

    #[inline]
    fn legal(&self, hand: CardSet, trick: &Trick) -> CardSet {
        follow_suit(hand, trick)
    }

    #[inline]
    fn beats(&self, card: Card, best: Card) -> bool {
        beats_in_strain(self.strain, card, best)
    }

    #[inline]
    fn points(&self, _: &Trick, _: bool) -> i16 {
        1
    }

    fn result(&self, tally: &Tally, party: usize) -> i32 {
        tally.tricks[party].into()
    }

    fn utility_range(&self) -> (f64, f64) {
        (0.0, self.cards.into())
    }

    fn strain(&self) -> Option<Strain> {
        Some(self.strain)
    }

    fn setup(&self) -> Vec<(&'static str, String)> {
        vec![
            ("trump", self.strain.to_string()),
            ("leader", self.first_leader().to_string()),
        ]
    }

    fn headline(&self) -> String {
        match self.strain {
            Strain::NoTrump => "no trumps".to_owned(),
            Strain::Trump(suit) => format!("{} are trumps", suit.name()),
        }
    }

    fn rules() -> &'static [Rule] {
        clues::FOLLOW_SUIT
    }

    fn clues(&self, play: &Play, tell: &mut dyn FnMut(usize, Seat, CardSet)) {
        clues::follow_suit(play, self.strain, |seat| self.party(seat), tell);
    }
}
