//! The ways to distribute the cards of a suit among the counted hands, and of two suits together.

use std::collections::HashMap;
use std::sync::Arc;

use setrograde_cards::{Holding, Rank, Sorting};

use crate::counters::{Counters, at_most, counters, index};
use crate::limits::{Measure, card_points};

/// Maximum number of hands that are distinguished: two, and the rest together.
pub(super) const HOLDERS: usize = 3;

/// Index of the rest among the holders.
pub(super) const REST: usize = 2;

/// Counters of the cards of the first two holders, then of the [`Dimensions`].
pub(super) type Key = Counters;

/// The bytes of a key that count cards.
pub(super) const LENGTHS: Key = 0xffff;

/// A measure, and the holders in which it is counted together, as bits.
pub(super) type Dimension = (u8, Measure);

/// What is added up over the suits: measures, and the maximum that is wanted of each.
pub(super) type Dimensions = Vec<(Dimension, u8)>;

/// Maximum number of dimensions.
pub(super) const MOST_DIMENSIONS: usize = 6;

/// The cards of a suit, and which holder may have which of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SuitSubject {
    /// The cards that each holder may have.
    pub allowed: [Holding; HOLDERS],
    pub cards: Holding,
    /// Minimum and maximum number of cards of each holder.
    pub lengths: [(u8, u8); HOLDERS],
}

/// Honours of each holder, and numbers of its other cards.
#[derive(Debug)]
struct Combo {
    key: Key,
    /// By holder.
    honours: [Holding; HOLDERS],
    spots: [u8; HOLDERS],
    /// Number of ways to distribute the other cards.
    ways: u64,
}

/// The ways with the same counters.
#[derive(Debug)]
pub(super) struct SuitEntry {
    pub key: Key,
    pub ways: u64,
    combos: (u32, u32),
}

/// The ways to distribute the cards of a suit.
#[derive(Debug)]
pub(super) struct SuitTable {
    /// The cards that the dimensions do not distinguish, and the holders of each as bits.
    spots: Vec<(Rank, u8)>,
    /// After 0, 1, … of the spot cards: the number of ways, by how many of them the first two
    /// holders have.
    layers: Vec<[[u64; 14]; 14]>,
    combos: Vec<Combo>,
    pub entries: Vec<SuitEntry>,
}

/// The holders that are bits of `holders`.
fn each(holders: u8) -> impl Iterator<Item = usize> {
    (0..HOLDERS).filter(move |holder| holders >> holder & 1 == 1)
}

impl SuitTable {
    /// The ways in which each holder is within its lengths, and no dimension above its maximum.
    pub(super) fn new(subject: &SuitSubject, dimensions: &Dimensions) -> SuitTable {
        let is_honour = |rank: &Rank| {
            let mut added = dimensions.iter().filter_map(|((_, of), _)| of.of_card());
            let is_added = added.any(|of| of(*rank) > 0);
            is_added || !dimensions.is_empty() && card_points(*rank) > 0
        };
        let holders = |rank: Rank| {
            let may = |&holder: &usize| subject.allowed[holder].contains(rank);
            let holders = (0..HOLDERS).filter(may);
            holders.fold(0, |all, holder| all | 1 << holder)
        };
        let ranks = subject.cards.iter().map(|rank| (rank, holders(rank)));
        let (honours, spots): (Vec<_>, Vec<_>) = ranks.partition(|(rank, _)| is_honour(rank));
        let layers = layers(spots.iter().map(|&(_, holders)| holders));
        let mut table = SuitTable {
            spots,
            layers,
            combos: Vec::new(),
            entries: Vec::new(),
        };
        let mut held = [Holding::EMPTY; HOLDERS];
        table.add(subject, dimensions, &honours, &mut held);
        table.combos.in_order_by_key(|combo| combo.key);
        for (at, combo) in table.combos.iter().enumerate() {
            match table.entries.last_mut() {
                Some(last) if last.key == combo.key => {
                    last.ways += combo.ways;
                    last.combos.1 += 1;
                }
                _ => table.entries.push(SuitEntry {
                    key: combo.key,
                    ways: combo.ways,
                    combos: (at as u32, at as u32 + 1),
                }),
            }
        }
        table
    }

    /// Adds the ways in which the holders have `held`, and the rest of the honours.
    fn add(
        &mut self,
        subject: &SuitSubject,
        dimensions: &Dimensions,
        honours: &[(Rank, u8)],
        held: &mut [Holding; HOLDERS],
    ) {
        if let Some((&(rank, holders), others)) = honours.split_first() {
            for holder in each(holders) {
                let before = held[holder];
                held[holder].insert(rank);
                self.add(subject, dimensions, others, held);
                held[holder] = before;
            }
            return;
        }
        let spots = self.spots.len() as u8;
        let least = |holder: usize| {
            let least = subject.lengths[holder].0;
            least.saturating_sub(held[holder].len() as u8)
        };
        let most = |holder: usize| {
            let most = subject.lengths[holder].1.min(13);
            most.checked_sub(held[holder].len() as u8)
        };
        let (Some(most0), Some(most1), Some(most2)) = (most(0), most(1), most(REST)) else {
            return;
        };
        for first in least(0)..=most0.min(spots) {
            for second in least(1)..=most1.min(spots - first) {
                let rest = spots - first - second;
                let ways = self.layers[spots as usize][first as usize][second as usize];
                if ways == 0 || rest < least(REST) || rest > most2 {
                    continue;
                }
                let spots = [first, second, rest];
                let length = |holder: usize| held[holder].len() as u8 + spots[holder];
                let mut bytes = [0; 8];
                (bytes[0], bytes[1]) = (length(0), length(1));
                let mut values = bytes[2..].iter_mut().zip(dimensions);
                let are_wanted = values.all(|(byte, &((holders, of), most))| {
                    let values =
                        each(holders).map(|of_one| of.of_suit(held[of_one], length(of_one)));
                    *byte = values.sum();
                    *byte <= most
                });
                if are_wanted {
                    self.combos.push(Combo {
                        key: counters(bytes),
                        honours: *held,
                        spots,
                        ways,
                    });
                }
            }
        }
    }

    /// The cards of each holder in the way numbered `number` of an entry.
    pub(super) fn nth(&self, entry: usize, mut number: u64) -> [Holding; HOLDERS] {
        let (first, end) = self.entries[entry].combos;
        let combos = &self.combos[first as usize..end as usize];
        let found = combos.iter().find(|combo| {
            let here = number < combo.ways;
            number -= if here { 0 } else { combo.ways };
            here
        });
        let combo = found.expect("the number is below the ways of the entry");
        let mut hands = combo.honours;
        let mut left = combo.spots;
        for (at, &(rank, holders)) in self.spots.iter().enumerate().rev() {
            let holder = (0..HOLDERS).find(|&holder| {
                if holders >> holder & 1 == 0 || left[holder] == 0 {
                    return false;
                }
                let mut before = left;
                before[holder] -= 1;
                let ways = self.layers[at][before[0] as usize][before[1] as usize];
                let here = number < ways;
                number -= if here { 0 } else { ways };
                here
            });
            let holder = holder.expect("the number is below the ways of the combination");
            left[holder] -= 1;
            hands[holder].insert(rank);
        }
        hands
    }

    /// Adds to `shares`, by card and holder, the number of the ways in which the holder has the
    /// card, each multiplied by the `flow` of its entry.
    pub(super) fn add_shares(&self, flows: &[f64], shares: &mut HashMap<(Rank, usize), f64>) {
        // Spots that the same holders may have are alike.
        let mut without: HashMap<u8, Vec<[[u64; 14]; 14]>> = HashMap::new();
        for (at, &(_, holders)) in self.spots.iter().enumerate() {
            let others = self.spots.iter().enumerate().filter(|(n, _)| *n != at);
            without
                .entry(holders)
                .or_insert_with(|| layers(others.map(|(_, &(_, holders))| holders)));
        }
        for (entry, &flow) in self.entries.iter().zip(flows) {
            if flow == 0.0 {
                continue;
            }
            let combos = &self.combos[entry.combos.0 as usize..entry.combos.1 as usize];
            for combo in combos {
                let through = flow * combo.ways as f64;
                for (holder, honours) in combo.honours.iter().enumerate() {
                    for rank in *honours {
                        *shares.entry((rank, holder)).or_default() += through;
                    }
                }
                for &(rank, holders) in &self.spots {
                    let layers = &without[&holders];
                    let last = &layers[layers.len() - 1];
                    for holder in each(holders) {
                        let mut before = combo.spots;
                        if before[holder] > 0 {
                            before[holder] -= 1;
                            let ways = last[before[0] as usize][before[1] as usize];
                            *shares.entry((rank, holder)).or_default() += flow * ways as f64;
                        }
                    }
                }
            }
        }
    }

    /// The entry with a key, if there is one.
    fn entry(&self, key: Key) -> Option<usize> {
        let found = self.entries.binary_search_by_key(&key, |entry| entry.key);
        found.ok()
    }
}

/// The ways to distribute cards, after 0, 1, … of them, by the numbers of the first two holders.
fn layers(cards: impl Iterator<Item = u8>) -> Vec<[[u64; 14]; 14]> {
    let mut layers = vec![[[0; 14]; 14]];
    layers[0][0][0] = 1;
    for (at, holders) in cards.enumerate() {
        let before = layers[at];
        let mut after = [[0; 14]; 14];
        for first in 0..=at {
            for second in 0..=at - first {
                let ways: u64 = before[first][second];
                if holders & 1 == 1 {
                    after[first + 1][second] += ways;
                }
                if holders & 2 == 2 {
                    after[first][second + 1] += ways;
                }
                if holders & 4 == 4 {
                    after[first][second] += ways;
                }
            }
        }
        layers.push(after);
    }
    layers
}

/// The ways in two suits that have the same cards, and dimensions that differ only in the last.
#[derive(Debug)]
pub(super) struct HalfRow {
    /// The lengths and the dimensions except the last.
    pub key: Key,
    /// Minimum of the last dimension.
    first: u8,
    /// The ways with less than the minimum plus 0, 1, ….
    below: Vec<u64>,
}

impl HalfRow {
    /// Returns the number of ways in which the last dimension is within these bounds.
    pub(super) fn within(&self, (least, most): (i16, i16)) -> u64 {
        let last = self.below.len() as i16 - 1;
        let at = |value: i16| self.below[(value - i16::from(self.first)).clamp(0, last) as usize];
        at(most + 1) - at(least.min(most + 1))
    }

    /// The value of the last dimension of the way numbered `number` of those within these bounds,
    /// and the rest of the number.
    pub(super) fn nth(&self, (least, _): (i16, i16), number: u64) -> (u8, u64) {
        let last = self.below.len() as i16 - 1;
        let start = (least - i16::from(self.first)).clamp(0, last) as usize;
        let number = self.below[start] + number;
        let at = self.below.partition_point(|&below| below <= number) - 1;
        (self.first + at as u8, number - self.below[at])
    }
}

/// The ways to distribute the cards of two suits.
#[derive(Debug)]
pub(super) struct HalfTable {
    pub suits: [Arc<SuitTable>; 2],
    /// The counters that occur, and their ways, in order.
    pub reached: Vec<(Key, u64)>,
    /// The same by rows: those with the same lengths are neighbours.
    pub rows: Vec<HalfRow>,
    /// The rows with these lengths.
    pub of_lengths: HashMap<u16, (u32, u32)>,
}

impl HalfTable {
    /// The ways in which the first two holders have no more than `sizes` cards. `last` is the byte
    /// of the last dimension. `None` if they take too much memory.
    pub(super) fn new(
        suits: [Arc<SuitTable>; 2],
        sizes: [u8; 2],
        last: usize,
    ) -> Option<HalfTable> {
        let [mut steps, mut size] = [[0_usize; 8], [1; 8]];
        let mut all = 1;
        for byte in 0..8 {
            let most = suits.iter().map(|suit| {
                let of = suit
                    .entries
                    .iter()
                    .map(|entry| entry.key.to_le_bytes()[byte]);
                usize::from(of.max().unwrap_or(0))
            });
            let most: usize = most.sum();
            let most = sizes.get(byte).map_or(most, |&size| most.min(size.into()));
            (steps[byte], size[byte]) = (all, most + 1);
            all *= most + 1;
            if all > MOST_STATES {
                return None;
            }
        }
        // Entries of the second suit, in runs of equal lengths: the lengths are the low bytes.
        let mut second: Vec<(Key, usize, u64)> = suits[1]
            .entries
            .iter()
            .map(|entry| (entry.key & LENGTHS, index(entry.key, &steps), entry.ways))
            .collect();
        second.in_order_by_key(|&(lengths, ..)| lengths);
        let mut sums = vec![0_u64; all];
        for entry in &suits[0].entries {
            let at = index(entry.key, &steps);
            for run in second.chunk_by(|a, b| a.0 == b.0) {
                let lengths = (entry.key & LENGTHS) + run[0].0;
                let [first, other, ..] = lengths.to_le_bytes();
                if first > sizes[0] || other > sizes[1] {
                    continue;
                }
                for &(_, step, ways) in run {
                    sums[at + step] += entry.ways * ways;
                }
            }
        }
        let mut reached = Vec::new();
        for (at, &ways) in sums.iter().enumerate().filter(|(_, ways)| **ways > 0) {
            let bytes = std::array::from_fn(|byte| (at / steps[byte] % size[byte]) as u8);
            reached.push((counters(bytes), ways));
        }
        let of_last = |key: Key| key.to_le_bytes()[last];
        let without = |key: Key| key & !(0xff << (8 * last));
        reached.in_order_by_key(|&(key, _)| {
            let row = without(key);
            (row & LENGTHS, row & !LENGTHS, of_last(key))
        });
        let mut rows: Vec<HalfRow> = Vec::new();
        for run in reached.chunk_by(|a, b| without(a.0) == without(b.0)) {
            let first = of_last(run[0].0);
            let mut below = vec![0];
            let mut sum = 0;
            for &(key, ways) in run {
                below.resize(usize::from(of_last(key) - first) + 1, sum);
                sum += ways;
                below.push(sum);
            }
            rows.push(HalfRow {
                key: without(run[0].0),
                first,
                below,
            });
        }
        let mut of_lengths = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let at = at as u32;
            let range = of_lengths
                .entry((row.key & LENGTHS) as u16)
                .or_insert((at, at));
            range.1 = at + 1;
        }
        Some(HalfTable {
            suits,
            reached,
            rows,
            of_lengths,
        })
    }

    /// The rows in which the first two holders have these numbers of cards.
    pub(super) fn rows_of(&self, lengths: Key) -> &[HalfRow] {
        match self.of_lengths.get(&(lengths as u16)) {
            Some(&(first, end)) => &self.rows[first as usize..end as usize],
            None => &[],
        }
    }

    /// The cards of each holder in the two suits, in the way numbered `number` of those of a key.
    pub(super) fn nth(&self, wanted: Key, mut number: u64) -> [[Holding; HOLDERS]; 2] {
        let [first, second] = &self.suits;
        for (at, entry) in first.entries.iter().enumerate() {
            if !at_most(entry.key, wanted) {
                continue;
            }
            let Some(other) = second.entry(wanted - entry.key) else {
                continue;
            };
            let ways = second.entries[other].ways;
            if number < entry.ways * ways {
                return [
                    first.nth(at, number / ways),
                    second.nth(other, number % ways),
                ];
            }
            number -= entry.ways * ways;
        }
        unreachable!("the number is below the ways of the key")
    }

    /// For each suit, the sum over the ways through each entry of the flow of the counters that
    /// they lead to, without the entry's own ways.
    pub(super) fn flows(&self, flows: &HashMap<Key, f64>) -> [Vec<f64>; 2] {
        let [first, second] = &self.suits;
        let mut found = [first, second].map(|suit| vec![0.0; suit.entries.len()]);
        for (a, one) in first.entries.iter().enumerate() {
            for (b, other) in second.entries.iter().enumerate() {
                if let Some(flow) = flows.get(&(one.key + other.key)) {
                    found[0][a] += flow * other.ways as f64;
                    found[1][b] += flow * one.ways as f64;
                }
            }
        }
        found
    }
}

/// Maximum number of states of two suits.
const MOST_STATES: usize = 1 << 20;
