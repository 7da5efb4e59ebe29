//! Writes derived lemmas as a certificate: for each lemma that is needed, the moves of its side in
//! one abstract trick, and the lemmas that each end of it follows from.

use std::collections::BTreeMap;

use crate::check::{self, Claim, Leaves, Rule, Rules, Set};
use crate::derive::{Lemma, Lemmas, List};

/// The reasons at the ends of tricks, and the sizes of the columns.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub lemmas: u64,
    pub derived: u64,
    pub ends: u64,
    pub rules: [u64; 5],
    /// By tricks left.
    pub by_left: [u64; 14],
    /// The trick that no proof was found for.
    pub failed: u64,
}

/// The columns of a strain's lemmas.
pub type Columns = [Vec<u8>; check::COLUMNS];

/// Joins columns to a certificate of a strain.
pub fn join(columns: &Columns) -> Vec<u8> {
    let mut bytes = Vec::new();
    for column in columns {
        bytes.extend((column.len() as u32).to_le_bytes());
        bytes.extend(column);
    }
    bytes
}

/// The index of a lemma: its list, and its index there.
type LemmaIndex = (usize, usize);

/// A proof of a lemma by one trick.
#[derive(Clone, Debug, Default)]
struct Proof {
    moves: Vec<u8>,
    ends: Vec<LemmaIndex>,
    rules: [u64; 5],
    all_ends: u64,
}

/// Explains the lemmas of one strain.
pub struct Explanation<'a, 'd> {
    lemmas: &'a Lemmas,
    rules: Rules,
    leaves: Option<&'d mut dyn Leaves>,
    used: Vec<Vec<bool>>,
    /// By the number of cards on the trick and the suit led, the move that succeeded last.
    last: [[u8; 4]; 4],
    lead: usize,
}

fn set_of(list: &List, lemma: &Lemma) -> Set {
    Set {
        shape: list.shape,
        leader: list.leader,
        known: lemma.known,
        owners: lemma.owners,
    }
}

impl<'a, 'd> Explanation<'a, 'd> {
    pub fn new(lemmas: &'a Lemmas, rules: Rules, leaves: Option<&'d mut dyn Leaves>) -> Self {
        let used = |list: &List| vec![false; list.lemmas.len()];
        Explanation {
            used: lemmas.lists.iter().map(used).collect(),
            lemmas,
            rules,
            leaves,
            last: [[0; 4]; 4],
            lead: 0,
        }
    }

    /// Writes the lemmas that `results` need.
    pub fn write(
        &mut self,
        results: &[(Set, Claim)],
        counts: &mut Counts,
    ) -> Result<Columns, String> {
        for (set, claim) in results {
            if check::rule(set, *claim, self.rules, &mut self.leaves)?.is_none() {
                let place = self.lemma(set, *claim).ok_or("a result was not derived")?;
                self.used[place.0][place.1] = true;
            }
        }
        let mut by_left: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
        for (nth, list) in self.lemmas.lists.iter().enumerate() {
            counts.derived += list.lemmas.len() as u64;
            let set = Set {
                shape: list.shape,
                leader: 0,
                known: [0; 4],
                owners: [0; 4],
            };
            by_left.entry(-set.left()).or_default().push(nth);
        }
        let mut proofs = Vec::new();
        for (left, mut nths) in by_left {
            nths.sort_by_key(|&nth| (self.lemmas.lists[nth].shape, self.lemmas.lists[nth].leader));
            for nth in nths {
                let mut of_list = Vec::new();
                for at in 0..self.lemmas.lists[nth].lemmas.len() {
                    if !self.used[nth][at] {
                        continue;
                    }
                    let proof = self.explain(nth, at)?.unwrap_or_else(|| {
                        counts.failed += 1;
                        if counts.failed < 4 {
                            eprintln!("not explained: {:?}", self.lemmas.lists[nth].lemmas[at]);
                        }
                        Proof::default()
                    });
                    for &(list, at) in &proof.ends {
                        self.used[list][at] = true;
                    }
                    counts.lemmas += 1;
                    counts.by_left[-left as usize] += 1;
                    counts.ends += proof.all_ends;
                    for (sum, more) in counts.rules.iter_mut().zip(proof.rules) {
                        *sum += more;
                    }
                    of_list.push((at, proof));
                }
                if !of_list.is_empty() {
                    proofs.push((nth, of_list));
                }
            }
        }
        Ok(self.columns(&proofs))
    }

    fn columns(&self, proofs: &[(usize, Vec<(usize, Proof)>)]) -> Columns {
        let mut columns = Columns::default();
        let [groups, counts, heads, owners, moves] = &mut columns;
        for (nth, of_list) in proofs {
            let list = &self.lemmas.lists[*nth];
            groups.extend(list.shape.to_le_bytes());
            groups.push(list.leader as u8);
            counts.extend((of_list.len() as u16).to_le_bytes());
            for (at, proof) in of_list {
                let lemma = &list.lemmas[*at];
                let [a, b, c, d] = lemma.known;
                let claim = (lemma.claim.need as u8) << 1 | u8::from(lemma.claim.reached);
                heads.extend([claim, a | b << 4, c | d << 4]);
                for suit in 0..4 {
                    let known = u32::from(lemma.known[suit]);
                    let word = lemma.owners[suit] & ((1_u32 << (2 * known)) - 1);
                    owners.extend(&word.to_le_bytes()[..known.div_ceil(4) as usize]);
                }
                moves.extend(&proof.moves);
            }
        }
        columns
    }

    /// A lemma that proves the claim for the set: one that is used, if possible.
    fn lemma(&self, set: &Set, claim: Claim) -> Option<LemmaIndex> {
        let nth = *self.lemmas.places.get(&set.key())?;
        let list = &self.lemmas.lists[nth];
        let mut found = None;
        for (at, lemma) in list.lemmas.iter().enumerate() {
            if claim.follows_from(lemma.claim) && set_of(list, lemma).includes(set) {
                if self.used[nth][at] {
                    return Some((nth, at));
                }
                found = found.or(Some((nth, at)));
            }
        }
        found
    }

    fn explain(&mut self, nth: usize, at: usize) -> Result<Option<Proof>, String> {
        let lists = &self.lemmas.lists;
        let lemma = &lists[nth].lemmas[at];
        let set = set_of(&lists[nth], lemma);
        let (suit, rank) = (usize::from(lemma.lead / 16), lemma.lead % 16);
        self.lead = 16 * suit
            + if rank < lemma.known[suit] {
                rank.into()
            } else {
                check::X
            };
        self.last = [[0; 4]; 4];
        let mut proof = Proof::default();
        let found = self.trick(&set, lemma.claim, &set.moves(), [0; 4], 0, &mut proof)?;
        Ok(found.then_some(proof))
    }

    fn trick(
        &mut self,
        set: &Set,
        claim: Claim,
        moves: &[u64; 4],
        cards: [usize; 4],
        n: usize,
        proof: &mut Proof,
    ) -> Result<bool, String> {
        if n == 4 {
            let winners = check::winners(set.leader, cards, self.rules.trumps);
            for hand in (0..4).filter(|hand| winners >> hand & 1 == 1) {
                if !self.end(&set.after(cards, hand), claim.after(hand), proof)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let hand = (set.leader + n) & 3;
        let mut options = moves[hand];
        if n > 0 {
            options = check::playable(options, cards[0]);
        }
        if !claim.is_by(hand) {
            while options != 0 {
                let mut next = cards;
                next[n] = options.trailing_zeros() as usize;
                options &= options - 1;
                if !self.trick(set, claim, moves, next, n + 1, proof)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let first = match n {
            0 => self.lead,
            _ => self.last[n][cards[0] / 16].into(),
        };
        let before = (
            proof.moves.len(),
            proof.ends.len(),
            proof.rules,
            proof.all_ends,
        );
        let mut left = options;
        while left != 0 {
            let first = left & 1 << first;
            let bit = if first != 0 {
                first
            } else {
                left & left.wrapping_neg()
            };
            left ^= bit;
            let mut next = cards;
            next[n] = bit.trailing_zeros() as usize;
            if !options.is_power_of_two() {
                proof.moves.push((options & (bit - 1)).count_ones() as u8);
            }
            if self.trick(set, claim, moves, next, n + 1, proof)? {
                self.last[n][cards[0] / 16] = next[n] as u8;
                return Ok(true);
            }
            proof.moves.truncate(before.0);
            proof.ends.truncate(before.1);
            (proof.rules, proof.all_ends) = (before.2, before.3);
        }
        Ok(false)
    }

    fn end(&mut self, set: &Set, claim: Claim, proof: &mut Proof) -> Result<bool, String> {
        proof.all_ends += 1;
        if let Some(rule) = check::rule(set, claim, self.rules, &mut self.leaves)? {
            proof.rules[rule as usize] += 1;
            return Ok(true);
        }
        let place = if claim.goal(set.left()) > set.left() {
            None
        } else {
            self.lemma(set, claim)
        };
        proof.ends.extend(place);
        Ok(place.is_some())
    }
}

/// The rules, in the order of [`Counts::rules`].
pub const RULES: [(Rule, &str); 5] = [
    (Rule::TricksLeft, "tricks left"),
    (Rule::LastTrick, "last trick"),
    (Rule::SureTrumps, "sure trumps"),
    (Rule::QuickTricks, "quick tricks"),
    (Rule::Database, "database"),
];
