//! Writes the lemmas that the results of a strain need: for each, its known cards and the moves of
//! its side in one trick.

use rustc_hash::FxHashMap;
use setrograde_check::{Lemma, X, playable, winners};

use crate::derive::{Derived, Lemmas};

/// The bytes of lemmas, in the order in which the checker reads them.
#[derive(Clone, Debug, Default)]
pub struct LemmaBytes {
    /// Two bytes for each lemma: the known cards of its suits.
    pub tops: Vec<u8>,
    /// The moves of all lemmas.
    pub moves: Vec<u8>,
}

/// Writes the lemmas that the results need, or returns the lemma that no derived one proves.
pub fn write(lemmas: &Lemmas, trumps: bool, results: &[Lemma]) -> Result<LemmaBytes, Lemma> {
    let mut writer = Writer {
        lemmas,
        trumps,
        written: LemmaBytes::default(),
        next: Vec::new(),
        by_key: FxHashMap::default(),
        last: [[0; 4]; 4],
        moves: Vec::new(),
        ends: Vec::new(),
    };
    for lemma in results {
        if !writer.end(lemma) {
            return Err(*lemma);
        }
        writer.use_ends();
    }
    while !writer.next.is_empty() {
        writer.by_key.clear();
        for (lemma, lead) in std::mem::take(&mut writer.next) {
            let (suit, rank) = (lead / 16, lead % 16);
            let known = usize::from(rank) < lemma.known(suit.into());
            writer.last = [[0; 4]; 4];
            writer.last[0][0] = 16 * suit + if known { rank } else { X as u8 };
            if !writer.trick(&lemma, &lemma.moves(), 0, 0) {
                return Err(lemma);
            }
            writer.written.moves.append(&mut writer.moves);
            writer.use_ends();
        }
    }
    Ok(writer.written)
}

struct Writer<'a> {
    lemmas: &'a Lemmas,
    trumps: bool,
    written: LemmaBytes,
    /// The lemmas that are to be written next, each with the lead of its proof.
    next: Vec<(Lemma, u8)>,
    /// Their indices, by shape, leader and side.
    by_key: FxHashMap<(u64, u8, u8), Vec<usize>>,
    /// By the number of cards on the trick and the suit led, the card that succeeded last; the lead
    /// is the first.
    last: [[u8; 4]; 4],
    /// The moves of the lemma whose trick is played.
    moves: Vec<u8>,
    /// The ends of its trick that follow from lemmas, and a derived lemma for each.
    ends: Vec<(Lemma, &'a Derived)>,
}

impl Writer<'_> {
    /// Finds the moves after `n` cards of a trick, one in each byte of `cards`.
    fn trick(&mut self, lemma: &Lemma, moves: &[u64; 4], cards: u32, n: usize) -> bool {
        let leader = usize::from(lemma.leader);
        if n == 4 {
            let cards = cards.to_le_bytes();
            let winners = winners(leader, cards, self.trumps);
            let mut hands = (0..4).filter(|hand| winners >> hand & 1 == 1);
            return hands.all(|hand| self.end(&lemma.after(cards, hand)));
        }
        let hand = (leader + n) & 3;
        let mut options = moves[hand];
        if n > 0 {
            options = playable(options, cards as u8);
        }
        let play = |card: u32| cards | card << (8 * n);
        if !lemma.is_by(hand) {
            while options != 0 {
                let card = options.trailing_zeros();
                options &= options - 1;
                if !self.trick(lemma, moves, play(card), n + 1) {
                    return false;
                }
            }
            return true;
        }
        let suit = if n == 0 { 0 } else { cards as usize % 64 / 16 };
        let before = (self.moves.len(), self.ends.len());
        let mut left = options;
        let mut bit = options & 1 << self.last[n][suit];
        while left != 0 {
            if bit == 0 {
                bit = left & left.wrapping_neg();
            }
            left ^= bit;
            if !options.is_power_of_two() {
                self.moves.push((options & (bit - 1)).count_ones() as u8);
            }
            let card = bit.trailing_zeros();
            if self.trick(lemma, moves, play(card), n + 1) {
                self.last[n][suit] = card as u8;
                return true;
            }
            self.moves.truncate(before.0);
            self.ends.truncate(before.1);
            bit = 0;
        }
        false
    }

    /// Returns true if a lemma holds by a theorem or follows from a derived one.
    fn end(&mut self, lemma: &Lemma) -> bool {
        let left = lemma.left();
        if i32::from(lemma.goal) > left {
            return false;
        }
        if lemma.goal <= 0 || lemma.is_sure(self.trumps) {
            return true;
        }
        if left == 1 {
            return self.trick(lemma, &lemma.moves(), 0, 0);
        }
        let derived = self.lemmas.find(lemma);
        self.ends.extend(derived.map(|derived| (*lemma, derived)));
        derived.is_some()
    }

    /// Writes the lemmas that the ends of a trick need and that follow from none before.
    fn use_ends(&mut self) {
        for (lemma, derived) in self.ends.drain(..) {
            let list = self.by_key.entry((lemma.shape, lemma.leader, lemma.side));
            let list = list.or_default();
            if list
                .iter()
                .any(|&index| lemma.follows_from(&self.next[index].0))
            {
                continue;
            }
            let known = derived.known();
            let [a, b, c, d] = known;
            self.written.tops.extend([a | b << 4, c | d << 4]);
            list.push(self.next.len());
            self.next.push((lemma.widened(known), derived.lead));
        }
    }
}
