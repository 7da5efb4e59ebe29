//! Cards by their rank among those that are left, as the search sees them.

use setrograde_cards::{Card, Hand, Suit};

use crate::knowledge::Knowledge;
use crate::knowledge::state::State;
use crate::lanes::{self, bit};
use crate::search::trick::Trick;

impl Knowledge {
    /// The state with relative ranks, the trick under way on top of them, and
    /// how the cards that matter are named in it.
    pub(crate) fn relative(&self) -> (State, Option<Trick>, Ranks) {
        let on_table = self.trick().cards();
        let played = on_table.iter().fold(0, |all, &card| all | bit(card));
        let ranks = Ranks {
            here: self.state().held() | played,
        };
        let mut state = self.state().clone();
        state.close_gaps(Hand::PACK.bits() & !ranks.here);
        let trump = self.strain().trump().map(Suit::index);
        let mut trick: Option<Trick> = None;
        for (seat, card) in self.trick().plays() {
            let card = ranks.relative(card);
            trick = Some(match trick {
                None => Trick::new(seat.index(), card),
                Some(trick) => trick.with(card, trump),
            });
        }
        (state, trick, ranks)
    }
}

/// Translates between cards and relative ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks {
    /// The cards that are held or on the table.
    here: u64,
}

impl Ranks {
    /// The bit of a card that is held or on the table.
    pub fn relative(&self, card: Card) -> u64 {
        let suit = card.suit.index();
        let below = self.here & lanes::lane(suit) & (bit(card) - 1);
        1 << (16 * suit + below.count_ones() as usize)
    }

    /// The card of a relative bit.
    pub fn card(&self, relative: u64) -> Card {
        let suit = lanes::suit_of(relative);
        let place = relative.trailing_zeros() as usize % 16;
        let held = lanes::each(self.here & lanes::lane(suit)).nth(place);
        lanes::card(held.unwrap_or(1))
    }
}
