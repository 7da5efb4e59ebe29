//! Writes the lemmas that the results of a strain need: for each, its known cards and the moves of
//! its side in one trick.

use rustc_hash::FxHashMap;
use setrograde_check::{Lemma, Trick, X, each, theorems};

use crate::derive::Lemmas;

/// The bytes of lemmas, in the order in which the checker reads them.
#[derive(Clone, Debug, Default)]
pub struct LemmaBytes {
    /// The moves of all lemmas.
    pub moves: Vec<u8>,
    /// Two bytes for each lemma: the known cards of its suits.
    pub tops: Vec<u8>,
}

/// Writes the lemmas that the results need, or returns a lemma that no derived lemma proves.
pub fn write(lemmas: &Lemmas, results: &[Lemma]) -> Result<LemmaBytes, Lemma> {
    let mut writer = Writer {
        lemmas,
        written: LemmaBytes::default(),
        next: Vec::new(),
        by_key: FxHashMap::default(),
        last: [[0; 4]; 4],
    };
    for lemma in results {
        if !writer.end(lemma) {
            return Err(*lemma);
        }
    }
    while !writer.next.is_empty() {
        writer.by_key.clear();
        for Next { lemma, lead, .. } in std::mem::take(&mut writer.next) {
            let (suit, rank) = (lead / 16, lead % 16);
            let known = usize::from(rank) < lemma.known(suit.into());
            writer.last = [[0; 4]; 4];
            writer.last[0][0] = 16 * suit + if known { rank } else { X };
            if !writer.trick(Trick::new(&lemma)) {
                return Err(lemma);
            }
        }
    }
    Ok(writer.written)
}

struct Writer<'a> {
    lemmas: &'a Lemmas,
    written: LemmaBytes,
    /// The lemmas that are to be written next.
    next: Vec<Next>,
    /// One more than the index of the last of them with a key.
    by_key: FxHashMap<u64, usize>,
    /// By the number of cards on the trick and the suit led, the card that succeeded last; the lead
    /// is the first.
    last: [[u8; 4]; 4],
}

struct Next {
    lemma: Lemma,
    /// The lead of its proof.
    lead: u8,
    /// One more than the index of the last one before it with the same key, or 0.
    before: usize,
}

impl Writer<'_> {
    /// Completes a trick, if derived lemmas and theorems prove its ends.
    fn trick(&mut self, mut trick: Trick) -> bool {
        while trick.count < 4 {
            let legal = trick.legal();
            if trick.is_by_side() && !legal.is_power_of_two() {
                return self.choose(&trick, legal);
            }
            let last = (legal | 1).ilog2();
            if !each(legal ^ 1 << last).all(|card| self.trick(trick.with(card))) {
                return false;
            }
            trick.play(last);
        }
        trick.ends().all(|end| self.end(&end))
    }

    /// Writes the first move with which the trick succeeds.
    fn choose(&mut self, trick: &Trick, legal: u64) -> bool {
        let (moves, lemmas) = (self.written.moves.len(), self.next.len());
        let (count, led) = (trick.count, trick.led());
        let first = legal & 1 << self.last[count][led];
        each(first).chain(each(legal ^ first)).any(|card| {
            let nth = (legal & ((1 << card) - 1)).count_ones();
            self.written.moves.push(nth as u8);
            let holds = self.trick(trick.with(card));
            if holds {
                self.last[count][led] = card as u8;
            } else {
                self.take_back(moves, lemmas);
            }
            holds
        })
    }

    /// Truncates the moves and the next lemmas to these numbers.
    fn take_back(&mut self, moves: usize, lemmas: usize) {
        self.written.moves.truncate(moves);
        for Next { lemma, before, .. } in self.next.drain(lemmas..).rev() {
            self.by_key.insert(lemma.key(), before);
            self.written.tops.truncate(self.written.tops.len() - 2);
        }
    }

    /// Returns true if a lemma is proved: by a theorem, by a lemma that is to be written next, or
    /// by a derived lemma, which is then written next.
    fn end(&mut self, lemma: &Lemma) -> bool {
        let left = lemma.left();
        if lemma.goal > left {
            return false;
        }
        if lemma.goal <= 0 {
            return true;
        }
        if left == 1 {
            return self.trick(Trick::new(lemma));
        }
        let last = self.by_key.entry(lemma.key()).or_default();
        let mut number = *last;
        while number > 0 {
            let next = &self.next[number - 1];
            if next.lemma.includes(lemma) {
                return true;
            }
            number = next.before;
        }
        if theorems::prove(lemma) {
            return true;
        }
        let Some(derived) = self.lemmas.find(lemma) else {
            return false;
        };
        let known = derived.known();
        let [a, b, c, d] = known;
        self.written.tops.extend([a | b << 4, c | d << 4]);
        self.next.push(Next {
            lemma: lemma.widened(known),
            lead: derived.lead,
            before: std::mem::replace(last, self.next.len() + 1),
        });
        true
    }
}
