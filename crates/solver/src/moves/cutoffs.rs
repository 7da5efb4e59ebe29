//! The cards of the last cutoffs, by the cards visible to the hand to play.
//!
//! A card that decided the question decides it again in most positions that look
//! alike to its hand, so it is tried before the others are even put in order.
//! The idea is that of macroxue's solver. Positions look alike to the leader if its
//! hand is the same, or both hands of its side; to a hand that follows suit, if the
//! cards of the suit and the winning card are, or if the trick is ruffed; to a hand
//! that discards or ruffs, if both hands of its side and the winner are.

use crate::lanes::{LANE, SUIT, rank, suit_of};
use crate::state::{State, Trick};

/// The latest card for everything that a hand can see.
#[derive(Clone, Debug)]
pub(crate) struct Cutoffs {
    suits: [Vec<Rounds>; 4],
    /// The mark of lines written since the last start. Others count as empty: a
    /// start need not clear megabytes.
    mark: u32,
    hands: Hands,
}

/// The part of a position that determines a hand's entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    /// A suit that is led, to a hand that follows.
    Suit {
        suit: usize,
        /// The cards of the suit in play, from bit 0.
        cards: usize,
        /// The index of the winning card in [`Rounds`].
        winning: usize,
        /// The seat and its turn in the trick.
        follower: u32,
    },
    /// Hands, mixed.
    Hands { hash: u32, seat: usize },
}

impl Sight {
    /// Returns the sight of the leader: its hand.
    #[inline]
    pub(crate) fn lead(state: &State, leader: usize) -> Sight {
        Sight::mix(leader, state.hands[leader])
    }

    /// Returns the leader's second sight: both hands of its side.
    #[inline]
    pub(crate) fn lead_of_side(state: &State, leader: usize) -> Sight {
        Sight::mix(leader, both_hands(state, leader))
    }

    /// Returns the sight of the hand that plays card number `N` of a trick.
    #[inline]
    pub(crate) fn follow<const N: usize>(state: &State, trick: &Trick, seat: usize) -> Sight {
        if state.hands[seat] & trick.led_mask != 0 {
            let suit = suit_of(trick.led_mask);
            let ruffed = trick.best & trick.led_mask == 0;
            Sight::Suit {
                suit,
                cards: (state.all >> (LANE as usize * suit) & SUIT) as usize,
                winning: if ruffed {
                    RUFFED
                } else {
                    LOWEST - rank(trick.best) as usize
                },
                follower: if ruffed {
                    (N as u32 & 1) << 2 | seat as u32
                } else {
                    // The winning card says who has played it.
                    FOLLOWERS[N & 3] + ((seat + 3 - trick.winner) & 3) as u32
                },
            }
        } else {
            let winning = if state.trumps != 0 {
                (trick.best | 1).ilog2() as usize
            } else {
                trick.winner
            };
            // No card has the three highest bits of a lane.
            let (low, high) = (winning & 7, winning >> 3);
            let extra = (low << 13 | high << 29) as u64 | (N as u64) << 45;
            Sight::mix(seat, both_hands(state, seat) ^ extra)
        }
    }

    #[inline]
    fn mix(seat: usize, cards: u64) -> Sight {
        Sight::Hands {
            hash: (cards.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32,
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
    pub(crate) fn new() -> Cutoffs {
        Cutoffs {
            suits: Default::default(),
            mark: 0,
            hands: Hands::new(),
        }
    }

    /// Bytes allocated from the system.
    pub(crate) fn memory(&self) -> usize {
        let suits: usize = self.suits.iter().map(Vec::capacity).sum();
        suits * size_of::<Rounds>() + self.hands.slots.capacity() * size_of::<CutoffSlot>()
    }

    /// Clears the statistics. From now on, suits have at most the cards of `all`.
    pub(crate) fn restart(&mut self, all: u64) {
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.suits.iter_mut().for_each(Vec::clear);
            self.mark = 1;
        }
        for (suit, rounds) in self.suits.iter_mut().enumerate() {
            let cards = (all >> (LANE as usize * suit) & SUIT) as usize;
            let sets = (cards + 1).next_power_of_two();
            if rounds.len() < sets {
                let mut room = Vec::<Rounds>::new();
                let has_room = room.try_reserve_exact(sets).is_ok();
                // Unused memory would not be asked for.
                std::hint::black_box(room);
                // Without memory nothing is remembered.
                let sets = if has_room { sets } else { 0 };
                // Zeroed pages from the system: only written pages take memory.
                *rounds = vec![[0; 16]; sets];
            }
        }
        self.hands.clear();
    }

    /// The card that last cut off, if any. The hand need not hold it.
    #[inline]
    pub(crate) fn card(&self, sight: Sight) -> u64 {
        match sight {
            Sight::Suit {
                suit,
                cards,
                winning,
                follower,
            } => self.suits[suit & 3].get(cards).map_or(0, |rounds| {
                if rounds[MARK] != self.mark {
                    return 0;
                }
                let number = rounds[winning & 15] >> (4 * follower) & 15;
                1 << (LANE as usize * suit) << number >> 1 & SUIT << (LANE as usize * suit)
            }),
            Sight::Hands { hash, seat } => self.hands.card(hash, seat),
        }
    }

    /// Remembers a card.
    #[inline]
    pub(crate) fn remember(&mut self, sight: Sight, card: u64) {
        match sight {
            Sight::Suit {
                suit,
                cards,
                winning,
                follower,
            } => {
                if let Some(rounds) = self.suits[suit & 3].get_mut(cards) {
                    if rounds[MARK] != self.mark {
                        *rounds = [0; 16];
                        rounds[MARK] = self.mark;
                    }
                    let word = &mut rounds[winning & 15];
                    *word &= !(15 << (4 * follower));
                    *word |= (rank(card) as u32 + 1) << (4 * follower);
                }
            }
            Sight::Hands { hash, seat } => self.hands.remember(hash, seat, card),
        }
    }
}

/// For a set of a suit's cards in play: for each winning card, and each follower, the
/// rank that cut off plus 1 in four bits, 0 if none has. All hands that follow to a
/// trick find theirs in the same 64 bytes. An allocator may well put these 16 bytes
/// past the start of a line of cache, so the last four words are those of low cards.
type Rounds = [u32; 16];

/// The index of the mark that says when a line was written; no start has mark 0.
const MARK: usize = 0;
/// The index of a trump.
const RUFFED: usize = 1;
/// The index of rank 0; the higher ranks come before it, rank 12 at 2.
const LOWEST: usize = 14;

/// By the turn in the trick: the number of the follower next to the winner so far; there are at
/// most as many as cards on the table.
const FOLLOWERS: [u32; 4] = [0, 0, 1, 3];

/// A hash table that keeps the latest card of each slot and grows with use.
#[derive(Clone, Debug)]
struct Hands {
    slots: Vec<CutoffSlot>,
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct CutoffSlot {
    hash: u32,
    /// For each seat the bit number of the card.
    cards: [u8; 4],
}

const NO_CARD: u8 = 64;

const EMPTY: CutoffSlot = CutoffSlot {
    hash: 0,
    cards: [NO_CARD; 4],
};

const FIRST_SLOTS: usize = 1 << 8;
const MOST_SLOTS: usize = 1 << 18;

impl Hands {
    fn new() -> Hands {
        Hands {
            slots: vec![EMPTY; FIRST_SLOTS],
            used: 0,
        }
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(FIRST_SLOTS, EMPTY);
        self.used = 0;
    }

    #[inline]
    fn index(&self, hash: u32) -> usize {
        hash as usize >> (32 - self.slots.len().trailing_zeros())
    }

    #[inline]
    fn card(&self, hash: u32, seat: usize) -> u64 {
        let slot = &self.slots[self.index(hash)];
        let card = slot.cards[seat & 3];
        if slot.hash == hash && card != NO_CARD {
            1 << (card & 63)
        } else {
            0
        }
    }

    #[inline]
    fn remember(&mut self, hash: u32, seat: usize, card: u64) {
        if 2 * self.used > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.grow();
        }
        let index = self.index(hash);
        let slot = &mut self.slots[index];
        if slot.hash != hash {
            self.used += usize::from(slot.hash == 0);
            *slot = CutoffSlot { hash, ..EMPTY };
        }
        slot.cards[seat & 3] = (card | 1).ilog2() as u8;
    }

    /// Doubles the number of slots if there is memory.
    #[cold]
    fn grow(&mut self) {
        let mut slots = Vec::new();
        if slots.try_reserve_exact(2 * self.slots.len()).is_err() {
            return;
        }
        slots.resize(2 * self.slots.len(), EMPTY);
        for slot in std::mem::replace(&mut self.slots, slots) {
            let index = self.index(slot.hash);
            if slot.hash != 0 {
                self.slots[index] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::suit_mask;

    #[test]
    fn a_hand_finds_what_it_saw() {
        // East has led the second suit, and South is to play.
        let hands = [0x11_0000, 0x22_0000, 0x44_0000, 0x88_0000];
        let state = State {
            hands,
            all: 0xff_0000,
            shape: 0,
            trumps: 0,
        };
        let led = Trick::new(1, 0x20_0000);
        let low = Trick::new(1, 0x02_0000);
        let mut cutoffs = Cutoffs::new();
        let south = Sight::follow::<1>(&state, &led, 2);
        assert_eq!(cutoffs.card(south), 0);
        cutoffs.remember(south, 0x40_0000);
        assert_eq!(cutoffs.card(south), 0, "there is no room before the start");
        cutoffs.restart(state.all);
        cutoffs.remember(south, 0x40_0000);
        cutoffs.remember(Sight::follow::<1>(&state, &low, 2), 0x04_0000);
        cutoffs.remember(Sight::follow::<2>(&state, &led, 3), 0x80_0000);
        cutoffs.remember(Sight::lead(&state, 2), 0x04_0000);
        assert_eq!(cutoffs.card(south), 0x40_0000);
        assert_eq!(cutoffs.card(Sight::lead(&state, 2)), 0x04_0000);
        assert_eq!(cutoffs.card(Sight::lead(&state, 3)), 0);
        cutoffs.restart(state.all);
        assert_eq!(cutoffs.card(south), 0);
    }

    #[test]
    fn no_two_followers_share_a_place() {
        let state = State {
            hands: [0x1, 0x2, 0x4, 0x8],
            all: 0xf,
            shape: 0,
            trumps: 0,
        };
        let mut indices = std::collections::HashSet::new();
        for seat in 0..4 {
            for winner in (0..4).filter(|&winner| winner != seat) {
                let trick = |leader: usize| Trick {
                    leader,
                    led_mask: suit_mask(0),
                    played: 0,
                    best: 1 << winner,
                    winner,
                };
                // The winner has played before the follower.
                let index = |sight| match sight {
                    Sight::Suit {
                        winning, follower, ..
                    } => (winning, follower),
                    Sight::Hands { .. } => (0, 0),
                };
                let distance = (seat + 4 - winner) % 4;
                let mut add = |sight| assert!(indices.insert(index(sight)), "{seat} {winner}");
                if distance <= 1 {
                    add(Sight::follow::<1>(&state, &trick((seat + 3) % 4), seat));
                }
                if distance <= 2 {
                    add(Sight::follow::<2>(&state, &trick((seat + 2) % 4), seat));
                }
                add(Sight::follow::<3>(&state, &trick((seat + 1) % 4), seat));
            }
        }
        assert_eq!(indices.len(), 24);
        assert!(indices.iter().all(|&(_, follower)| follower < 8));
    }
}
