//! Whist: every trick counts one. So does the play of bridge without a contract.

use setrograde_cards::{Hand, Seat, Strain};

use super::game::{Game, Tally, short_pack};

/// Whist with or without trumps, partners opposite, with only the own hand visible; or the play of
/// bridge without a contract.
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
    pub fn new(strain: Strain, dealer: Seat, cards: usize) -> Whist {
        Whist {
            strain,
            dealer,
            cards: cards.clamp(1, 13) as u8,
        }
    }

    /// The strain.
    pub const fn strain(&self) -> Strain {
        self.strain
    }
}

impl Game for Whist {
    const NAME: &'static str = "whist";

    fn pack(&self) -> Hand {
        short_pack(self.cards.into())
    }

    fn first_leader(&self) -> Seat {
        self.dealer.next()
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
}
