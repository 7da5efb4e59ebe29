//! Layouts under conditions on one or two hands, counted and numbered together.
//!
//! A condition is split into cells ([`cells`]). In each, the numbers of ways to distribute the
//! cards of a suit are multiplied for two suits, and these for all four ([`suits`]); cells share
//! the tables of suits. All hands that no condition is about are counted together, and their cards
//! shared out in the end. If there is too much to count, parts of the conditions are left out, and
//! a layout that does not fit them is drawn again.

mod cells;
mod suits;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use fastrand::Rng;
use setrograde_cards::{Card, Hand, Seat, Suit};
use setrograde_parallel::Stop;

use self::cells::{Cell, Cells, Holders, LeftOut};
use self::suits::{HOLDERS, HalfRow, HalfTable, Key, LENGTHS, REST, SuitSubject, SuitTable};
use crate::beliefs::Shares;
use crate::condition::{Placed, Steps};
use crate::counters::{counters, index};
use crate::facts::{BeliefsError, FactSummary, Given, bit_index, go_on};
use crate::layouts::Layout;
use crate::subsets::{share_out_nth, ways};

/// Maximum number of steps for the products of suits and of halves: some tens of milliseconds.
const MOST_STEPS: usize = 16_000_000;

/// Maximum number of counters in all cells.
const MOST_KEYS: usize = 1 << 20;

/// Maximum number of values of all dimensions together.
const MOST_TOTALS: usize = 1 << 18;

/// Number of layouts that are drawn to estimate the share that fits what was left out.
const TRIED: u32 = 200;

/// Number of fitting layouts after which that share is known well enough.
const ENOUGH: u32 = 10;

/// Maximum number of choices of hands and left-out parts that are counted.
const MOST_COUNTED: u32 = 4;

/// Layouts that satisfy conditions, or parts of them, by number.
#[derive(Debug)]
pub(crate) struct Joint {
    hands: Holders,
    halves: Vec<HalfTable>,
    cells: Vec<CountedCell>,
    predicates: Vec<Predicate>,
    /// The byte of the last dimension.
    last: usize,
    sizes: [u8; 4],
    /// Number of ways to deal the cards of the last holder to its hands.
    of_rest: u128,
    /// The number of layouts.
    pub total: u128,
    /// True if all of them satisfy all conditions.
    pub exact: bool,
}

#[derive(Debug)]
struct CountedCell {
    halves: [usize; 2],
    predicate: usize,
    /// For counters of the first half: their number, and that of the layouts up to them, in this
    /// cell.
    ends: Vec<(u32, u128)>,
    /// The number of layouts up to this cell.
    end: u128,
}

/// The tables that cells need, each made once.
struct Plan {
    halves: Vec<HalfTable>,
    /// The numbers of the halves of each cell.
    pairs: Vec<[usize; 2]>,
}

impl Plan {
    /// The tables of the cells' suits; `None` if they take too many steps.
    fn new(
        cells: &Cells,
        summary: &FactSummary,
        stop: &Stop,
    ) -> Result<Option<Plan>, BeliefsError> {
        let of_cell = |cell| Suit::ALL.map(|suit| cells.subject(cell, suit, summary));
        let subjects: Vec<[SuitSubject; 4]> = cells.cells.iter().map(of_cell).collect();
        let mut tables: HashMap<&SuitSubject, Arc<SuitTable>> = HashMap::new();
        for (number, subject) in subjects.iter().flatten().enumerate() {
            if number % 64 == 0 {
                go_on(stop)?;
            }
            let table = || Arc::new(SuitTable::new(subject, &cells.dimensions));
            tables.entry(subject).or_insert_with(table);
        }
        let mut steps = 0;
        let mut numbers: HashMap<[&SuitSubject; 2], usize> = HashMap::new();
        let (mut wanted, mut pairs) = (Vec::new(), Vec::with_capacity(subjects.len()));
        for [a, b, c, d] in &subjects {
            let mut pair = [0; 2];
            for (number, half) in pair.iter_mut().zip([[a, b], [c, d]]) {
                *number = number_of(&mut numbers, half);
                if *number == wanted.len() {
                    let suits = half.map(|subject| Arc::clone(&tables[subject]));
                    steps += suits[0].entries.len() * suits[1].entries.len();
                    if steps > MOST_STEPS {
                        return Ok(None);
                    }
                    wanted.push(suits);
                }
            }
            pairs.push(pair);
        }
        let apart = [0, 1].map(|holder| size_of(&cells.hands[holder], summary.sizes));
        let mut halves = Vec::with_capacity(wanted.len());
        for suits in wanted {
            go_on(stop)?;
            match HalfTable::new(suits, apart, cells.last()) {
                Some(half) => halves.push(half),
                None => return Ok(None),
            }
        }
        let (mut steps, mut keys) = (0, 0);
        for pair in &pairs {
            let [first, second] = pair.map(|number: usize| &halves[number]);
            let rows = second.rows.len() / second.of_lengths.len().max(1) + 1;
            steps += first.reached.len() * rows;
            keys += first.reached.len();
        }
        let plan = Plan { halves, pairs };
        Ok((steps <= MOST_STEPS && keys <= MOST_KEYS).then_some(plan))
    }
}

/// The number of a key: the next one, from 0, if it is new.
fn number_of<K: Eq + Hash>(numbers: &mut HashMap<K, usize>, key: K) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

/// The greatest totals that two halves may have, by the bytes of a key.
fn most_totals(halves: &[HalfTable]) -> [usize; 8] {
    let mut most = [0; 8];
    for (key, _) in halves.iter().flat_map(|half| &half.reached) {
        for (most, byte) in most.iter_mut().zip(key.to_le_bytes()) {
            *most = (*most).max(2 * usize::from(byte));
        }
    }
    most
}

/// The totals that satisfy the conditions.
#[derive(Debug)]
struct Predicate {
    /// The step of each byte of a key but the last dimension in the index of `runs`.
    steps: [usize; 8],
    /// The values of the last dimension, in runs, by the other dimensions.
    runs: Vec<Vec<(i16, i16)>>,
}

impl Predicate {
    fn new(cells: &Cells, cell: &Cell, most: [usize; 8]) -> Option<Predicate> {
        let last = cells.last();
        let mut steps = [0; 8];
        let mut all = 1;
        for byte in (2..8).filter(|&byte| byte != last) {
            steps[byte] = all;
            all *= most[byte] + 1;
            if all * (most[last] + 1) > MOST_TOTALS {
                return None;
            }
        }
        let of_index = |index: usize| {
            let mut runs: Vec<(i16, i16)> = Vec::new();
            let mut bytes: [u8; 8] = std::array::from_fn(|byte| match steps[byte] {
                0 => 0,
                step => (index / step % (most[byte] + 1)) as u8,
            });
            for value in 0..=most[last] {
                bytes[last] = value as u8;
                if !cells.fits(&cell.alternatives, counters(bytes)) {
                    continue;
                }
                let value = value as i16;
                match runs.last_mut() {
                    Some(run) if run.1 + 1 == value => run.1 = value,
                    _ => runs.push((value, value)),
                }
            }
            runs
        };
        Some(Predicate {
            runs: (0..all).map(of_index).collect(),
            steps,
        })
    }
}

impl Joint {
    /// Counts the layouts of `unseen` that satisfy the conditions, or those parts of the conditions
    /// that can be counted in time; returns `None` if there are too many limits and weights. `fits`
    /// returns true for a layout that satisfies all conditions.
    ///
    /// # Errors
    ///
    /// [`BeliefsError::Stopped`] once `stop` is due.
    pub(crate) fn new(
        summary: &FactSummary,
        given: &[Given],
        fits: &dyn Fn(&Layout) -> bool,
        stop: &Stop,
    ) -> Result<Option<Joint>, BeliefsError> {
        let is_played = |given: &Given| given.played != [Hand::EMPTY; 4];
        if !summary.is_plain() || given.iter().any(is_played) {
            return Ok(None);
        }
        let mut best: Option<(u32, Joint)> = None;
        let mut counted = 0;
        for hands in choices(summary, given) {
            for (boxes, values) in LEFT_OUT {
                go_on(stop)?;
                let left_out = LeftOut { boxes, values };
                let mut steps = Steps::default();
                let cells = Cells::new(summary, given, hands.clone(), left_out, &mut steps);
                let Some(cells) = cells else { continue };
                let Some(joint) = Joint::of_cells(&cells, summary, stop)? else {
                    continue;
                };
                if joint.exact || joint.total == 0 {
                    return Ok(Some(joint));
                }
                let mut rng = Rng::with_seed(1);
                let drawn = (0..TRIED).filter(|_| fits(&joint.sample(&mut rng)));
                let fit = drawn.count() as u32;
                if best.as_ref().is_none_or(|(most, _)| fit > *most) {
                    best = Some((fit, joint));
                }
                counted += 1;
                if fit >= ENOUGH || counted == MOST_COUNTED {
                    return Ok(best.map(|(_, joint)| joint));
                }
            }
        }
        Ok(best.map(|(_, joint)| joint))
    }

    /// Counts the layouts in `cells`; `None` if there is too much to count.
    fn of_cells(
        cells: &Cells,
        summary: &FactSummary,
        stop: &Stop,
    ) -> Result<Option<Joint>, BeliefsError> {
        let (hands, sizes) = (&cells.hands, summary.sizes);
        // Cards that only some of the rest may have are checked on each layout.
        let may = |seat: Seat, card: Card| summary.weight(seat.index(), card) > 0.0;
        let are_alike = |pair: &[Seat]| {
            let mut cards = summary.unseen.iter();
            cards.all(|card| may(pair[0], card) == may(pair[1], card))
        };
        let exact = cells.exact && hands[REST].windows(2).all(are_alike);
        let Some(plan) = Plan::new(cells, summary, stop)? else {
            return Ok(None);
        };
        let mut split = [0; 4];
        for (size, &seat) in split.iter_mut().zip(&hands[REST]) {
            *size = sizes[seat];
        }
        let mut joint = Joint {
            hands: hands.clone(),
            halves: plan.halves,
            cells: Vec::new(),
            predicates: Vec::new(),
            last: cells.last(),
            sizes,
            of_rest: ways(split),
            total: 0,
            exact,
        };
        let counted = joint.count(cells, &plan.pairs, stop)?;
        Ok(counted.then_some(joint))
    }

    /// Counts the layouts of each cell, of which `pairs` are the halves; returns false if there are
    /// too many totals.
    fn count(
        &mut self,
        cells: &Cells,
        pairs: &[[usize; 2]],
        stop: &Stop,
    ) -> Result<bool, BeliefsError> {
        let most = most_totals(&self.halves);
        let mut predicates: HashMap<&[_], usize> = HashMap::new();
        for (cell, &halves) in cells.cells.iter().zip(pairs) {
            go_on(stop)?;
            let predicate = number_of(&mut predicates, &cell.alternatives[..]);
            if predicate == self.predicates.len() {
                match Predicate::new(cells, cell, most) {
                    Some(new) => self.predicates.push(new),
                    None => return Ok(false),
                }
            }
            let [first, second] = halves.map(|number| &self.halves[number]);
            let mut ends = Vec::new();
            let mut end = 0;
            for (number, &(key, ways)) in first.reached.iter().enumerate() {
                let rest = self.ways_of_rest(&self.predicates[predicate], second, key);
                if rest > 0 {
                    end += u128::from(ways) * u128::from(rest);
                    ends.push((number as u32, end));
                }
            }
            if end > 0 {
                self.total += end;
                self.cells.push(CountedCell {
                    halves,
                    predicate,
                    ends,
                    end: self.total,
                });
            }
        }
        self.total *= self.of_rest;
        Ok(true)
    }

    /// The rows of the second half that complete counters of the first, each with bounds of the
    /// last dimension.
    fn rest_of<'a>(
        &'a self,
        predicate: &'a Predicate,
        second: &'a HalfTable,
        key: Key,
    ) -> impl Iterator<Item = (&'a HalfRow, (i16, i16))> + 'a {
        let [first, other] = [0, 1].map(|holder| size_of(&self.hands[holder], self.sizes));
        let sizes = counters([first, other, 0, 0, 0, 0, 0, 0]);
        let place = index(key, &predicate.steps);
        let here = i16::from(key.to_le_bytes()[self.last]);
        // Counters of the first half are not above the sizes.
        let rows = second.rows_of(sizes - (key & LENGTHS));
        rows.iter().flat_map(move |row| {
            let runs = &predicate.runs[place + index(row.key, &predicate.steps)];
            let bounds = runs.iter();
            bounds.map(move |&(least, most)| (row, (least - here, most - here)))
        })
    }

    /// The number of ways in the second half that complete counters of the first.
    fn ways_of_rest(&self, predicate: &Predicate, second: &HalfTable, key: Key) -> u64 {
        let rest = self.rest_of(predicate, second, key);
        rest.map(|(row, bounds)| row.within(bounds)).sum()
    }

    /// Draws a layout.
    pub(crate) fn sample(&self, rng: &mut Rng) -> Layout {
        self.nth(rng.u128(0..self.total))
    }

    /// The layout numbered `number`, which must be below the total.
    pub(crate) fn nth(&self, number: u128) -> Layout {
        let (mut left, of_rest) = (number / self.of_rest, number % self.of_rest);
        let at = self.cells.partition_point(|cell| cell.end <= left);
        let cell = &self.cells[at];
        let last_end = cell.ends.last().map_or(0, |&(_, end)| end);
        left -= cell.end - last_end;
        let at = cell.ends.partition_point(|&(_, end)| end <= left);
        left -= at.checked_sub(1).map_or(0, |before| cell.ends[before].1);
        let [first, second] = cell.halves.map(|half| &self.halves[half]);
        let (key, ways) = first.reached[cell.ends[at].0 as usize];
        let (of_first, mut of_second) = (
            (left % u128::from(ways)) as u64,
            (left / u128::from(ways)) as u64,
        );
        let mut other = 0;
        let predicate = &self.predicates[cell.predicate];
        for (row, bounds) in self.rest_of(predicate, second, key) {
            let within = row.within(bounds);
            if of_second < within {
                let (value, rest) = row.nth(bounds, of_second);
                other = row.key | Key::from(value) << (8 * self.last);
                of_second = rest;
                break;
            }
            of_second -= within;
        }
        let [spades, hearts] = first.nth(key, of_first);
        let [diamonds, clubs] = second.nth(other, of_second);
        let hand =
            |holder: usize| Hand::new([spades, hearts, diamonds, clubs].map(|suit| suit[holder]));
        let mut layout = [Hand::EMPTY; 4];
        for holder in 0..REST {
            for &seat in &self.hands[holder] {
                layout[seat] = hand(holder);
            }
        }
        let mut split = [0; 4];
        for &seat in &self.hands[REST] {
            split[seat] = self.sizes[seat];
        }
        let rest: Vec<Card> = hand(REST).iter().collect();
        share_out_nth(&rest, split, of_rest, &mut layout);
        layout
    }

    /// The chance of each hidden card to be with each seat.
    pub(crate) fn marginals(&self, stop: &Stop) -> Result<Shares, BeliefsError> {
        // The flow of each half's counters, apart for the first two suits and the others.
        let mut flows: BTreeMap<(usize, usize), HashMap<Key, f64>> = BTreeMap::new();
        for cell in &self.cells {
            go_on(stop)?;
            let predicate = &self.predicates[cell.predicate];
            for place in 0..2 {
                let [half, other] = [cell.halves[place], cell.halves[1 - place]];
                let flow = flows.entry((place, half)).or_default();
                for &(key, _) in &self.halves[half].reached {
                    let rest = self.ways_of_rest(predicate, &self.halves[other], key);
                    if rest > 0 {
                        *flow.entry(key).or_default() += rest as f64;
                    }
                }
            }
        }
        let mut marginals: Shares = Box::new([[0.0; 4]; 64]);
        let total = (self.total / self.of_rest) as f64;
        for ((place, half), flows) in flows {
            go_on(stop)?;
            let half = &self.halves[half];
            let suits = [Suit::ALL[2 * place], Suit::ALL[2 * place + 1]];
            for ((suit, table), flows) in suits.into_iter().zip(&half.suits).zip(half.flows(&flows))
            {
                let mut shares = HashMap::new();
                table.add_shares(&flows, &mut shares);
                for ((rank, holder), share) in shares {
                    let card = Card::new(suit, rank);
                    let of_card = &mut marginals[bit_index(card)];
                    let seats = &self.hands[holder];
                    for &seat in seats {
                        let part =
                            f64::from(self.sizes[seat]) / f64::from(size_of(seats, self.sizes));
                        of_card[seat] += part * share / total;
                    }
                }
            }
        }
        Ok(marginals)
    }
}

/// The number of cards of some hands together.
fn size_of(seats: &[Seat], sizes: [u8; 4]) -> u8 {
    seats.iter().map(|&seat| sizes[seat]).sum()
}

/// What is left out until the rest can be counted in time, and enough layouts fit.
const LEFT_OUT: [([bool; HOLDERS], [bool; HOLDERS]); 6] = [
    ([false; HOLDERS], [false; HOLDERS]),
    ([false, true, false], [false; HOLDERS]),
    ([true, false, false], [false; HOLDERS]),
    ([false; HOLDERS], [false, true, true]),
    ([false, true, true], [false, true, true]),
    ([true, false, true], [true, false, true]),
];

/// Returns the choices of the hands that are counted separately: each two of the hands with
/// conditions, or the only one.
fn choices(summary: &FactSummary, given: &[Given]) -> Vec<Holders> {
    let mut hidden = Seat::ALL.to_vec();
    hidden.retain(|&seat| summary.sizes[seat] > 0);
    let terms = || given.iter().flat_map(|given| given.condition.terms());
    let is_named = |seat: &Seat| {
        let limits = &summary.limits[*seat];
        let mut seats = terms().flat_map(Placed::seats);
        limits.limit_points() || limits.limit_lengths() || seats.any(|other| other == *seat)
    };
    let mut named: Vec<Seat> = hidden.iter().copied().filter(is_named).collect();
    if named.is_empty() {
        named.clone_from(&hidden);
    }
    let apart: Vec<[Option<Seat>; 2]> = match (&hidden[..], &named[..]) {
        ([..], []) => return Vec::new(),
        (&[_] | &[_, _], &[first, ..]) | (_, &[first]) => vec![[Some(first), None]],
        // The third is the rest.
        (&[_, _, _], &[first, second, ..]) => vec![[Some(first), Some(second)]],
        (_, named) => {
            let pairs = named.iter().enumerate().flat_map(|(at, &first)| {
                let others = named[at + 1..].iter();
                others.map(move |&second| [Some(first), Some(second)])
            });
            pairs.collect()
        }
    };
    let hands = |apart: [Option<Seat>; 2]| {
        let mut rest = hidden.clone();
        rest.retain(|&seat| !apart.contains(&Some(seat)));
        let [first, second] = apart.map(Vec::from_iter);
        [first, second, rest]
    };
    apart.into_iter().map(hands).collect()
}

#[cfg(test)]
mod tests;
