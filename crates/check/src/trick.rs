//! One trick of a lemma.

use crate::lemma::{Lemma, TRUMPS};

/// A card is `16 * suit + rank`, where rank 0 is the top of its suit and this rank an x.
pub const X: u8 = 15;

/// A trick of a lemma, complete or not.
#[derive(Clone, Copy, Debug)]
pub struct Trick {
    /// The lemma.
    pub lemma: Lemma,
    /// The moves of each hand, one bit for each card: the highest of each run of adjacent known
    /// cards, and an x in each suit where the hand has any.
    moves: [u64; 4],
    /// The cards on the table, from the lead on.
    cards: [u8; 4],
    /// The number of cards on the table.
    pub count: usize,
}

impl Trick {
    /// The start of the trick.
    pub fn new(lemma: Lemma) -> Trick {
        let mut moves = [0; 4];
        for suit in 0..4 {
            let mut unknown = [0, 1, 2, 3].map(|hand| lemma.length(suit, hand));
            for rank in 0..lemma.known(suit) {
                let owner = lemma.owner(suit, rank);
                unknown[owner] -= 1;
                if rank == 0 || owner != lemma.owner(suit, rank - 1) {
                    moves[owner] |= 1 << (16 * suit + rank);
                }
            }
            for hand in (0..4).filter(|&hand| unknown[hand] > 0) {
                moves[hand] |= 1 << (16 * suit + usize::from(X));
            }
        }
        Trick {
            lemma,
            moves,
            cards: [0; 4],
            count: 0,
        }
    }

    /// The suit led.
    pub fn led(&self) -> usize {
        usize::from(self.cards[0] / 16)
    }

    /// Returns true if the lemma's side is to play.
    pub fn is_by_side(&self) -> bool {
        self.lemma.is_by(self.lemma.hand(self.count))
    }

    /// The legal moves of the hand to play, one bit for each card.
    pub fn legal(&self) -> u64 {
        let moves = self.moves[self.lemma.hand(self.count)];
        let suit = moves & 0xffff << (16 * self.led());
        let follows = self.count > 0 && suit != 0;
        if follows { suit } else { moves }
    }

    /// The trick with one more card.
    pub fn with(mut self, card: u32) -> Trick {
        self.cards[self.count] = card as u8;
        self.count += 1;
        self
    }

    /// The lemmas that remain after the trick: more than one if x's compete for it.
    pub fn ends(&self) -> impl Iterator<Item = Lemma> {
        let strengths = self.cards.map(|card| match usize::from(card / 16) {
            TRUMPS if self.lemma.trumps => 32 - card % 16,
            suit if suit == self.led() => 16 - card % 16,
            _ => 0,
        });
        let best = strengths.into_iter().max();
        let winners = (0..4).filter(move |&nth| Some(strengths[nth]) == best);
        winners.map(|nth| self.end(self.lemma.hand(nth)))
    }

    /// The lemma after a trick that a hand won.
    fn end(&self, winner: usize) -> Lemma {
        let mut end = self.lemma;
        let mut cards = self.cards;
        for (nth, card) in cards.into_iter().enumerate() {
            end.shape -= 1 << (card / 16 * 16 + 4 * self.lemma.hand(nth) as u8);
        }
        // The lowest first: the higher ones keep their ranks.
        cards.sort_unstable();
        for card in cards.into_iter().rev().filter(|card| card % 16 != X) {
            // The cards of the suit from this one on move up.
            let suit = u128::from(u32::MAX) << (card / 16 * 32);
            let moved = suit & u128::MAX << (2 * card);
            let up = |bits: u128| bits & !moved | (bits & suit) >> 2 & moved;
            (end.owners, end.mask) = (up(end.owners), up(end.mask));
        }
        end.goal -= i32::from(end.is_by(winner));
        end.leader = winner as u8;
        end
    }
}

/// The cards of a set, in order.
pub fn each(mut cards: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros();
        cards &= cards.checked_sub(1)?;
        Some(card)
    })
}
