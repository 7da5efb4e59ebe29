//! One trick of a lemma.

use crate::lemma::{Lemma, TRUMPS};

/// A card is `16 * suit + rank`, where rank 0 is the top of its suit and this rank an x.
pub const X: u8 = 15;

/// A trick of a lemma, complete or not.
#[derive(Clone, Copy, Debug)]
pub struct Trick {
    /// The lemma, without the cards that are on the table.
    lemma: Lemma,
    /// The moves of each hand at the start, one bit for each card: the highest of each run of
    /// adjacent known cards, and an x in each suit where the hand has any.
    moves: [u64; 4],
    /// The cards on the table, from the lead on.
    cards: [u8; 4],
    /// The number of cards on the table.
    pub count: usize,
    /// The strength of the best card, and one bit for each card on the table that has it.
    best: (u8, u8),
}

impl Trick {
    /// The start of the trick.
    pub fn new(lemma: &Lemma) -> Trick {
        let (mut moves, mut unknown) = ([0; 4], lemma.shape);
        for suit in 0..4 {
            for rank in 0..lemma.known(suit) {
                let owner = lemma.owner(suit, rank);
                unknown -= 1 << (16 * suit + 4 * owner);
                let is_top = rank == 0 || owner != lemma.owner(suit, rank - 1);
                moves[owner] |= u64::from(is_top) << (16 * suit + rank);
            }
        }
        // The lowest bit of each length is whether it is more than 0.
        unknown |= unknown >> 1 | unknown >> 2 | unknown >> 3;
        for (hand, moves) in moves.iter_mut().enumerate() {
            *moves |= (unknown >> (4 * hand) & 0x0001_0001_0001_0001) << X;
        }
        Trick {
            lemma: *lemma,
            moves,
            cards: [X; 4],
            count: 0,
            best: (0, 0),
        }
    }

    /// The suit led.
    pub fn led(&self) -> usize {
        usize::from(self.cards[0] / 16) & 3
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

    /// Plays a card.
    pub fn play(&mut self, card: u32) {
        let (suit, rank, nth) = ((card as usize / 16) & 3, card as u8 % 16, self.count & 3);
        let strength = match suit {
            TRUMPS if self.lemma.trumps => 32 - rank,
            suit if suit == self.led() || nth == 0 => 16 - rank,
            _ => 0,
        };
        self.best = self.best.max((strength, 0));
        self.best.1 |= u8::from(strength == self.best.0) << nth;
        self.lemma.shape -= 1 << (16 * suit + 4 * self.lemma.hand(nth));
        if rank != X {
            // Those of the suit above it that were played are gone.
            let gone = |other: u8| u32::from(other.wrapping_sub(16 * suit as u8) < rank);
            let above: u32 = self.cards.map(gone).iter().sum();
            let higher = (1 << (2 * (u32::from(rank) - above))) - 1;
            for bits in [&mut self.lemma.owners[suit], &mut self.lemma.mask[suit]] {
                *bits = *bits & higher | *bits >> 2 & !higher;
            }
        }
        self.cards[nth] = card as u8;
        self.count += 1;
    }

    /// The trick with one more card.
    pub fn with(mut self, card: u32) -> Trick {
        self.play(card);
        self
    }

    /// The lemmas that remain after the trick: more than one if x's compete for it.
    pub fn ends(&self) -> impl Iterator<Item = Lemma> {
        each(self.best.1.into()).map(|nth| {
            let mut end = self.lemma;
            end.leader = end.hand(nth as usize) as u8;
            end.goal -= i32::from(end.is_by(end.leader.into()));
            end
        })
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
