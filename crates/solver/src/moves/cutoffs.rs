//! The cards that last cut off, by what the hand to play could see.
//!
//! A card that decided the question decides it again in most positions that look
//! alike to its hand, so it is tried before the others are even put in order.
//! The idea is that of macroxue's solver. What looks alike: to the leader the same
//! hand, and the same two hands of the side; to a hand that follows suit the same
//! cards of the suit and the same winning card; to a hand that discards or ruffs
//! the same two hands of the side and the same winner.

use crate::state::State;
use crate::trick::Trick;

/// A hash table that keeps the latest card of each slot and grows with use.
#[derive(Clone, Debug)]
pub(crate) struct Cutoffs {
    slots: Vec<Slot>,
    used: usize,
}

/// What a hand sees, mixed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    hash: u32,
    seat: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    /// For each seat the bit number of the card.
    cards: [u8; 4],
}

const NO_CARD: u8 = 64;

const EMPTY: Slot = Slot {
    hash: 0,
    cards: [NO_CARD; 4],
};

const FIRST_SLOTS: usize = 1 << 8;
const MOST_SLOTS: usize = 1 << 18;

impl View {
    /// What the leader sees of the own hand.
    #[inline]
    pub fn lead(state: &State, leader: usize) -> View {
        View::mix(leader, state.hands[leader])
    }

    /// What the leader sees of both hands of the side.
    #[inline]
    pub fn lead_of_side(state: &State, leader: usize) -> View {
        View::mix(leader, both_hands(state, leader))
    }

    /// What the hand sees that plays card number `N` of a trick.
    #[inline]
    pub fn follow<const N: usize>(state: &State, trick: &Trick, seat: usize) -> View {
        let follows = state.hands[seat] & trick.led_mask != 0;
        let cards = if follows {
            state.all & trick.led_mask
        } else {
            both_hands(state, seat)
        };
        let winning = if follows || state.trumps != 0 {
            (trick.best | 1).ilog2() as usize
        } else {
            trick.winner
        };
        // No card has the three highest bits of a lane.
        let (low, high) = (winning & 7, winning >> 3);
        let extra = (low << 13 | high << 29) as u64 | (N as u64) << 45;
        View::mix(seat, cards ^ extra)
    }

    #[inline]
    fn mix(seat: usize, sight: u64) -> View {
        View {
            hash: (sight.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32,
            seat,
        }
    }
}

/// The hand of a seat and its partner's, mixed.
#[inline]
fn both_hands(state: &State, seat: usize) -> u64 {
    state.hands[seat] ^ state.hands[(seat + 2) & 3].wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Cutoffs {
    pub fn new() -> Cutoffs {
        Cutoffs {
            slots: vec![EMPTY; FIRST_SLOTS],
            used: 0,
        }
    }

    pub fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(FIRST_SLOTS, EMPTY);
        self.used = 0;
    }

    #[inline]
    fn place(&self, hash: u32) -> usize {
        hash as usize >> (32 - self.slots.len().trailing_zeros())
    }

    /// The card that last cut off, if any. The hand need not hold it.
    #[inline]
    pub fn card(&self, view: View) -> u64 {
        let slot = &self.slots[self.place(view.hash)];
        let card = slot.cards[view.seat & 3];
        if slot.hash == view.hash && card != NO_CARD {
            1 << (card & 63)
        } else {
            0
        }
    }

    /// Remembers a card.
    #[inline]
    pub fn remember(&mut self, view: View, card: u64) {
        if 2 * self.used > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.grow();
        }
        let place = self.place(view.hash);
        let slot = &mut self.slots[place];
        if slot.hash != view.hash {
            self.used += usize::from(slot.hash == 0);
            *slot = Slot {
                hash: view.hash,
                ..EMPTY
            };
        }
        slot.cards[view.seat & 3] = (card | 1).ilog2() as u8;
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vec![EMPTY; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, slots) {
            let place = self.place(slot.hash);
            if slot.hash != 0 {
                self.slots[place] = slot;
            }
        }
    }
}
