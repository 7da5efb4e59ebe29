//! Lemmas about sets of endings.

use std::fmt;

/// The suit that may be trumps.
pub const TRUMPS: usize = 3;

/// The lemma that a side takes at least some tricks in all endings of a set: those with a leader,
/// suit lengths, and owners of the top cards of each suit. The other cards, the x's, may lie
/// anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The suit lengths: 4 bits each, hand by hand within suit by suit.
    pub shape: u64,
    /// The owners of each suit's known cards: 2 bits each, the top card's lowest. The other bits are 0.
    pub owners: [u32; 4],
    /// The bits of the known cards.
    pub mask: [u32; 4],
    /// Whether the last suit is trumps.
    pub trumps: bool,
    /// The hand that leads: 0 to 3, from North clockwise.
    pub leader: u8,
    /// 0 for North and South, 1 for East and West.
    pub side: u8,
    /// The tricks that the side takes at least.
    pub goal: i32,
}

impl Lemma {
    /// The `nth` hand from the leader on.
    pub fn hand(&self, nth: usize) -> usize {
        (usize::from(self.leader) + nth) & 3
    }

    /// The length of a suit in a hand.
    pub fn length(&self, suit: usize, hand: usize) -> i32 {
        (self.shape >> (16 * suit + 4 * (hand & 3))) as i32 & 15
    }

    /// The owner of a known card.
    pub fn owner(&self, suit: usize, rank: usize) -> usize {
        (self.owners[suit] >> (2 * rank)) as usize & 3
    }

    /// The tricks left.
    pub fn left(&self) -> i32 {
        // The sum of North's lengths, in the highest bits.
        ((self.shape & 0x000f_000f_000f_000f).wrapping_mul(0x0001_0001_0001_0001) >> 48) as i32
    }

    /// Returns true if a hand is of its side.
    pub fn is_by(&self, hand: usize) -> bool {
        hand & 1 == usize::from(self.side)
    }

    /// The number of known cards of a suit.
    pub fn known(&self, suit: usize) -> usize {
        (32 - self.mask[suit].leading_zeros()) as usize / 2
    }

    /// A number that differs between leaders, lengths and sides. West's length in the first suit
    /// follows from the others.
    pub fn key(&self) -> u64 {
        self.shape & !0xf000 | u64::from(self.leader) << 12 | u64::from(self.side) << 14
    }

    /// Returns the lemma about all endings in which this many top cards of each suit have the same
    /// owners.
    pub fn widened(mut self, known: [u8; 4]) -> Lemma {
        for (suit, known) in known.into_iter().enumerate() {
            self.mask[suit] = (1 << (2 * known)) - 1;
            self.owners[suit] &= self.mask[suit];
        }
        self
    }

    /// Returns true if all its known cards are known in `other`, with the same owners.
    pub fn knows_part_of(&self, other: &Lemma) -> bool {
        (0..4).fold(0, |bits, suit| {
            bits | ((self.owners[suit] ^ other.owners[suit]) | !other.mask[suit]) & self.mask[suit]
        }) == 0
    }

    /// Returns true if it includes `other`, which then follows from it.
    pub fn includes(&self, other: &Lemma) -> bool {
        self.knows_part_of(other) && self.goal >= other.goal && self.key() == other.key()
    }
}

/// Writes the lengths of each suit in the hands from North on, and the owners of its top cards, as in
/// `N leads, NS take 2 of 3: 1101N 2112NSE 0010 0000`.
impl fmt::Display for Lemma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |hand: usize| ["N", "E", "S", "W"][hand & 3];
        let side = ["NS", "EW"][usize::from(self.side & 1)];
        let (leader, goal, left) = (hand(self.leader.into()), self.goal, self.left());
        write!(f, "{leader} leads, {side} take {goal} of {left}:")?;
        for suit in 0..4 {
            let lengths = [0, 1, 2, 3].map(|hand| format!("{:x}", self.length(suit, hand)));
            let owners = (0..self.known(suit)).map(|rank| hand(self.owner(suit, rank)));
            write!(f, " {}{}", lengths.concat(), owners.collect::<String>())?;
        }
        Ok(())
    }
}
