//! The list of moves of one position, the most promising first.

/// Moves and how promising they look, at most one for each card of a hand.
///
/// Most nodes look at one move only, so the best one is picked when asked for
/// and the rest is never sorted. A move is a number of 16 bits, the weight above
/// the card's bit number, and the list has a fixed length, so that a few vector
/// instructions find the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    list: [i16; 16],
    len: usize,
}

/// Marks an empty place.
const NONE: i16 = i16::MIN;

/// Weights beyond this are cut.
const LIMIT: i32 = 500;

impl Moves {
    #[inline]
    pub const fn new() -> Moves {
        Moves {
            list: [NONE; 16],
            len: 0,
        }
    }

    /// Returns the number of moves in the list.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Adds a move: the highest of a run of equivalent cards.
    #[inline]
    pub fn push(&mut self, card: u64, weight: i32) {
        let place = (card | 1).ilog2() as i16;
        self.list[self.len & 15] = weight.clamp(-LIMIT, LIMIT) as i16 * 64 + place;
        self.len += 1;
    }

    /// Makes a move heavier.
    #[inline]
    pub fn add_weight(&mut self, place: usize, weight: i32) {
        let slot = &mut self.list[place & 15];
        *slot = slot.saturating_add(weight as i16 * 64) & !63 | *slot & 63;
    }

    /// Takes out the heaviest move; of equal ones the one with the higher bit.
    #[inline]
    pub fn next(&mut self) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        let last = self.len & 15;
        let mut best = self.list[last];
        let mut at = last;
        for place in 0..last {
            if self.list[place] > best {
                best = self.list[place];
                at = place;
            }
        }
        self.list[at] = self.list[last];
        Some(1 << (best & 63))
    }
}
