//! The cards played since the search began, under their real names.
//!
//! The search counts ranks among the cards that are left. Layouts and the
//! double-dummy solver need the cards themselves, and which of them each hidden
//! hand has shown.

use crate::knowledge::case::Hidden;
use crate::lanes::{count, each, lane, suit_of};

/// The way from the root of a search to where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// The cards held or on the table when the trick began.
    here: u64,
    /// The cards on the table, in order, and how many.
    table: [u64; 4],
    count: usize,
    /// The cards that each hidden hand has played.
    played: [u64; 2],
    /// The suits in which each hidden hand has shown out.
    void: [u64; 2],
}

impl Path {
    /// The root: `held` is in the hands, `table` on the table.
    pub fn new(held: u64, table: impl Iterator<Item = u64>) -> Path {
        let mut path = Path {
            here: held,
            table: [0; 4],
            count: 0,
            played: [0; 2],
            void: [0; 2],
        };
        for card in table {
            path.here |= card;
            path.put(card);
        }
        path
    }

    fn put(&mut self, card: u64) {
        if let Some(place) = self.table.get_mut(self.count) {
            *place = card;
            self.count += 1;
        }
    }

    /// A card of relative rank is played; `hidden` says which hidden hand played
    /// it, if one did.
    pub fn play(&mut self, card: u64, hidden: Option<Hidden>) {
        let card = self.real(card);
        if let Some(who) = hidden.map(Hidden::index) {
            self.played[who] |= card;
            let led = suit_of(self.table[0]);
            if self.count > 0 && suit_of(card) != led {
                self.void[who] |= lane(led);
            }
        }
        self.put(card);
    }

    /// The trick is over.
    pub fn end_trick(&mut self) {
        self.here &= !self.table.iter().fold(0, |all, card| all | card);
        self.table = [0; 4];
        self.count = 0;
    }

    /// The cards on the table, in order.
    pub fn table(&self) -> &[u64] {
        &self.table[..self.count]
    }

    /// The cards of `hand` at the root that are still held.
    pub fn held(&self, hand: u64) -> u64 {
        self.table()
            .iter()
            .fold(hand & self.here, |hand, card| hand & !card)
    }

    /// Whether the play so far is possible in a layout of the root.
    pub fn agrees(&self, layout: &[u64; 2]) -> bool {
        (0..2).all(|who| {
            let left = layout[who] & !self.played[who];
            self.played[who] & !layout[who] == 0 && left & self.void[who] == 0
        })
    }

    /// The first hidden hand of the root that holds the `relative` cards now.
    pub fn first_hand(&self, relative: u64) -> u64 {
        each(relative).fold(self.played[0], |hand, card| hand | self.real(card))
    }

    /// The real card of a relative rank.
    fn real(&self, relative: u64) -> u64 {
        let mut cards = self.here & lane(suit_of(relative));
        for _ in 0..relative.trailing_zeros() % 16 {
            cards &= cards.wrapping_sub(1);
        }
        cards & cards.wrapping_neg()
    }

    /// The relative ranks of real cards.
    pub fn relative(&self, cards: u64) -> u64 {
        let relative = |card: u64| {
            let suit = suit_of(card);
            1 << (16 * suit + usize::from(count(self.here & (card - 1), suit)))
        };
        each(cards).fold(0, |all, card| all | relative(card))
    }
}
