//! Writes the lemmas that the results of a strain need: for each, its known cards and the moves of
//! its side in one trick.

use rustc_hash::FxHashMap;
use setrograde_check::{Lemma, Trick, X, each, theorems};

use crate::derive::{Derived, Lemmas};

/// The bytes of lemmas, in the order in which the checker reads them.
#[derive(Clone, Debug, Default)]
pub struct LemmaBytes {
    /// The moves of all lemmas.
    pub moves: Vec<u8>,
    /// Two bytes for each lemma: the known cards of its suits.
    pub tops: Vec<u8>,
}

/// Writes the lemmas that the results need, or returns the lemma that no derived one proves.
pub fn write(lemmas: &Lemmas, results: &[Lemma]) -> Result<LemmaBytes, Lemma> {
    let mut writer = Writer {
        lemmas,
        written: LemmaBytes::default(),
        next: Vec::new(),
        by_key: FxHashMap::default(),
        last: [[0; 4]; 4],
        steps: Vec::new(),
    };
    for lemma in results {
        if !writer.end(lemma) {
            return Err(*lemma);
        }
        writer.write_steps();
    }
    while !writer.next.is_empty() {
        writer.by_key.clear();
        for (lemma, lead) in std::mem::take(&mut writer.next) {
            let (suit, rank) = (lead / 16, lead % 16);
            let known = usize::from(rank) < lemma.known(suit.into());
            writer.last = [[0; 4]; 4];
            writer.last[0][0] = 16 * suit + if known { rank } else { X };
            if !writer.trick(&Trick::new(lemma)) {
                return Err(lemma);
            }
            writer.write_steps();
        }
    }
    Ok(writer.written)
}

struct Writer<'a> {
    lemmas: &'a Lemmas,
    written: LemmaBytes,
    /// The lemmas that are to be written next, each with the lead of its proof.
    next: Vec<(Lemma, u8)>,
    /// Their indices, by key.
    by_key: FxHashMap<u64, Vec<usize>>,
    /// By the number of cards on the trick and the suit led, the card that succeeded last; the lead
    /// is the first.
    last: [[u8; 4]; 4],
    /// The trick of a lemma.
    steps: Vec<Step<'a>>,
}

/// What is written of a trick.
enum Step<'a> {
    /// The index of a move.
    Move(u8),
    /// An end that follows from a derived lemma.
    End(Lemma, &'a Derived),
}

impl Writer<'_> {
    /// Completes a trick, if derived lemmas and theorems prove its ends.
    fn trick(&mut self, trick: &Trick) -> bool {
        if trick.count == 4 {
            return trick.ends().all(|end| self.end(&end));
        }
        let legal = trick.legal();
        if !trick.is_by_side() {
            return each(legal).all(|card| self.trick(&trick.with(card)));
        }
        let before = self.steps.len();
        let first = legal & 1 << self.last[trick.count][trick.led()];
        let tried = |card: u32| {
            if !legal.is_power_of_two() {
                let nth = (legal & ((1 << card) - 1)).count_ones();
                self.steps.push(Step::Move(nth as u8));
            }
            let holds = self.trick(&trick.with(card));
            if holds {
                self.last[trick.count][trick.led()] = card as u8;
            } else {
                self.steps.truncate(before);
            }
            holds
        };
        each(first).chain(each(legal ^ first)).any(tried)
    }

    /// Returns true if a lemma follows from one that is to be written next.
    fn is_written(&self, lemma: &Lemma) -> bool {
        let mut list = self.by_key.get(&lemma.key()).into_iter().flatten();
        list.any(|&index| lemma.follows_from(&self.next[index].0))
    }

    /// Returns true if a lemma holds by a theorem or follows from a derived one.
    fn end(&mut self, lemma: &Lemma) -> bool {
        let left = lemma.left();
        if lemma.goal > left {
            return false;
        }
        if lemma.goal <= 0 {
            return true;
        }
        if left == 1 {
            return self.trick(&Trick::new(*lemma));
        }
        if self.is_written(lemma) || theorems::prove(lemma) {
            return true;
        }
        let derived = self.lemmas.find(lemma);
        self.steps
            .extend(derived.map(|derived| Step::End(*lemma, derived)));
        derived.is_some()
    }

    /// Writes the moves, and the lemmas that ends need and that follow from none before.
    fn write_steps(&mut self) {
        for step in std::mem::take(&mut self.steps) {
            let (lemma, derived) = match step {
                Step::Move(nth) => {
                    self.written.moves.push(nth);
                    continue;
                }
                Step::End(lemma, _) if self.is_written(&lemma) => continue,
                Step::End(lemma, derived) => (lemma, derived),
            };
            let known = derived.known();
            let [a, b, c, d] = known;
            self.written.tops.extend([a | b << 4, c | d << 4]);
            self.by_key
                .entry(lemma.key())
                .or_default()
                .push(self.next.len());
            self.next.push((lemma.widened(known), derived.lead));
        }
    }
}
