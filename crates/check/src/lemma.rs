//! Lemmas about sets of endings, and one trick of them.

use std::fmt;

use crate::theorems;

/// A card is `16 * suit + rank`, where rank 0 is the top of its suit and this rank an x.
pub const X: usize = 15;

/// The suit that may be trumps.
pub const TRUMPS: usize = 3;

/// The lemma that a side takes at least some tricks in all endings of a set: those with a leader,
/// suit lengths, and owners of the top cards of each suit. The other cards, the x's, may lie
/// anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The suit lengths: 4 bits each, hand by hand within suit by suit.
    pub shape: u64,
    /// The owners of the known cards of each suit: 2 bits each, the top card's lowest. Higher bits
    /// are 0.
    pub owners: [u32; 4],
    /// The bits of the known cards.
    pub masks: [u32; 4],
    /// The hand that leads: 0 to 3, from North clockwise.
    pub leader: u8,
    /// 0 for North and South, 1 for East and West.
    pub side: u8,
    /// The tricks that the side takes at least.
    pub goal: i8,
}

impl Lemma {
    /// The length of a suit in a hand.
    pub fn length(&self, suit: usize, hand: usize) -> i32 {
        (self.shape >> (16 * suit + 4 * hand)) as i32 & 15
    }

    /// The owner of a known card.
    pub fn owner(&self, suit: usize, rank: usize) -> usize {
        (self.owners[suit] >> (2 * rank)) as usize & 3
    }

    /// The tricks left.
    pub fn left(&self) -> i32 {
        (0..4).map(|suit| self.length(suit, 0)).sum()
    }

    /// Returns true if a hand is of its side.
    pub fn is_by(&self, hand: usize) -> bool {
        hand & 1 == usize::from(self.side)
    }

    /// Returns true if the lemma follows from a theorem.
    pub fn is_sure(&self, trumps: bool) -> bool {
        trumps && theorems::sure_trumps(self) >= i32::from(self.goal)
            || self.is_by(self.leader.into()) && theorems::quick_tricks(self, trumps)
    }

    /// The number of known cards of a suit.
    pub fn known(&self, suit: usize) -> usize {
        self.masks[suit].count_ones() as usize / 2
    }

    /// The lemma about all endings in which only the owners of so many top cards are the same.
    pub fn widened(&self, known: [u8; 4]) -> Lemma {
        let mut wide = *self;
        wide.masks = known.map(|known| (1 << (2 * known)) - 1);
        for (owners, mask) in wide.owners.iter_mut().zip(wide.masks) {
            *owners &= mask;
        }
        wide
    }

    /// Returns true if this lemma, of the same shape, leader and side, follows from `other`.
    pub fn follows_from(&self, other: &Lemma) -> bool {
        let differ = (0..4).fold(0, |differ, suit| {
            let owners = self.owners[suit] ^ other.owners[suit] | !self.masks[suit];
            differ | owners & other.masks[suit]
        });
        differ == 0 && self.goal <= other.goal
    }

    /// The moves of each hand, one bit for each card: the highest of each run of adjacent known
    /// cards, and an x in each suit where the hand has any.
    pub fn moves(&self) -> [u64; 4] {
        let mut moves = [0; 4];
        for suit in 0..4 {
            let mut count = [0; 4];
            let mut last = 4;
            for rank in 0..self.known(suit) {
                let owner = self.owner(suit, rank);
                count[owner] += 1;
                if owner != last {
                    moves[owner] |= 1 << (16 * suit + rank);
                }
                last = owner;
            }
            for hand in 0..4 {
                if self.length(suit, hand) > count[hand] {
                    moves[hand] |= 1 << (16 * suit + X);
                }
            }
        }
        moves
    }

    /// The lemma after a trick that a hand won.
    pub fn after(&self, cards: [u8; 4], winner: usize) -> Lemma {
        let mut after = *self;
        let mut taken = 0_u64;
        for (nth, card) in cards.map(usize::from).into_iter().enumerate() {
            let (suit, hand) = (card / 16, (usize::from(self.leader) + nth) & 3);
            after.shape -= 1 << (16 * suit + 4 * hand);
            if card % 16 != X {
                taken |= 1 << card;
            }
        }
        while taken != 0 {
            // The lowest first: the higher ones keep their ranks.
            let card = 63 - taken.leading_zeros() as usize;
            taken ^= 1 << card;
            let (suit, rank) = (card / 16, card % 16);
            let owners = after.owners[suit];
            let above = (1 << (2 * rank)) - 1;
            after.owners[suit] = owners & above | owners >> 2 & !above;
            after.masks[suit] >>= 2;
        }
        after.leader = winner as u8;
        after.goal -= i8::from(self.is_by(winner));
        after
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

/// The legal moves of a hand after a lead.
pub fn playable(moves: u64, led: u8) -> u64 {
    let suit = moves & 0xffff << (16 * (led / 16));
    if suit != 0 { suit } else { moves }
}

/// The hands, one bit each, that may win a trick: more than one if x's compete for it.
pub fn winners(leader: usize, cards: [u8; 4], trumps: bool) -> u32 {
    let (mut best, mut hands) = (cards[0], 1 << leader);
    for (nth, &card) in cards.iter().enumerate().skip(1) {
        let hand = 1 << ((leader + nth) & 3);
        if card == best {
            hands |= hand;
        } else if card / 16 == best / 16 && card < best
            || trumps && card / 16 == TRUMPS as u8 && best / 16 != TRUMPS as u8
        {
            (best, hands) = (card, hand);
        }
    }
    hands
}
