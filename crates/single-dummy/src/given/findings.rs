//! The table of a search: for each position, the goals that one line reaches there and those that
//! no line reaches.

use std::ops::{Index, IndexMut};

use rustc_hash::FxHashMap;
use setrograde_beliefs::State;
use setrograde_cards::{Card, Hand};

/// A layout's number, and its target in tricks, counted from the root.
pub(super) type LayoutGoal = (u16, u8);

/// Goals by ascending layout, one for each layout at most.
pub(super) type Goals = Vec<LayoutGoal>;

/// The decision whether one line reaches all of some goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GoalsVerdict {
    Reached,
    /// No line does; these goals among them prove it.
    Refuted(Goals),
}

/// A position as the side sees it: hidden hands are empty in its state.
#[derive(Clone, Copy)]
pub(super) struct SidePosition {
    /// The cards played since the root.
    pub played: Hand,
    pub state: State,
}

/// The cards played before the trick, the trick's cards, its length and leader.
type StateKey = (u64, u32);

/// Findings about a position. Tricks are counted from here.
#[derive(Default)]
pub(super) struct Findings {
    /// Goals that one line reaches together.
    reached: Vec<Goals>,
    /// Cores: see [`search`](super::search).
    refuted: Vec<Goals>,
    /// By layout, at the start of a trick: the [`bounds`] of the side's tricks with all cards
    /// known; empty until needed.
    pub double_dummy: Box<[u8]>,
    /// The card that reached the goals last, or refuted them.
    pub best: Option<Card>,
    /// The largest number of tricks that could be claimed, and the smallest that could not.
    pub claimed: Option<(u8, u8)>,
}

/// Maximum number of stored sets for a position, of either kind.
const MOST_SETS: usize = 48;

/// Bounds of a layout without a value yet.
const OPEN: u8 = bounds(0, 15);

/// The minimum and maximum number of tricks, in a byte.
pub(super) const fn bounds(least: u8, most: u8) -> u8 {
    16 * most + least
}

/// Decodes the minimum and maximum number of tricks from the byte of [`bounds`].
pub(super) const fn least_and_most(bounds: u8) -> (u8, u8) {
    (bounds % 16, bounds / 16)
}

/// Findings by position, in bounded memory.
pub(super) struct Table {
    /// Maximum size in bytes; the table is cleared at this size.
    memory: usize,
    slots: FxHashMap<StateKey, u32>,
    findings: Vec<Findings>,
    bytes: usize,
}

impl Table {
    pub(super) fn new(memory: usize) -> Table {
        Table {
            memory,
            slots: FxHashMap::default(),
            findings: Vec::new(),
            bytes: 0,
        }
    }

    /// Returns the slot of a position's findings, valid until the next call: a full table is
    /// cleared first.
    pub(super) fn slot(&mut self, at: &SidePosition) -> usize {
        if self.bytes > self.memory {
            self.slots.clear();
            self.findings.clear();
            self.bytes = 0;
        }
        let trick = at.state.trick();
        let cards = trick.cards().iter().fold(0, |packed, card| {
            packed << 6 | (card.suit.index() << 4 | usize::from(card.rank.value())) as u32
        });
        let packed = cards << 4 | (trick.len() << 2 | trick.leader().index()) as u32;
        let key = ((at.played - trick.set()).bits(), packed);
        let next = self.findings.len() as u32;
        let slot = *self.slots.entry(key).or_insert(next);
        if slot == next {
            self.findings.push(Findings::default());
            self.bytes += size_of::<Findings>() + 2 * size_of::<(StateKey, u32)>();
        }
        slot as usize
    }

    /// Adds a finding about goals to a slot.
    pub(super) fn add(&mut self, slot: usize, goals: &[LayoutGoal], found: &GoalsVerdict, won: u8) {
        self.bytes += self.findings[slot].add(goals, found, won);
    }

    /// Allocates the bounds of all layouts in a slot that has none yet.
    pub(super) fn make_room(&mut self, slot: usize, layouts: usize) {
        let bounds = &mut self.findings[slot].double_dummy;
        if bounds.is_empty() {
            self.bytes += layouts;
            *bounds = vec![OPEN; layouts].into();
        }
    }
}

impl Index<usize> for Table {
    type Output = Findings;

    fn index(&self, slot: usize) -> &Findings {
        &self.findings[slot]
    }
}

impl IndexMut<usize> for Table {
    fn index_mut(&mut self, slot: usize) -> &mut Findings {
        &mut self.findings[slot]
    }
}

impl Findings {
    pub(super) fn find(&self, goals: &[LayoutGoal], won: u8) -> Option<GoalsVerdict> {
        if self.reached.iter().any(|set| is_within(goals, set, won)) {
            return Some(GoalsVerdict::Reached);
        }
        let core = self.refuted.iter().find(|core| contains(goals, core, won));
        core.map(|core| {
            let core = core.iter().map(|&(layout, tricks)| (layout, tricks + won));
            GoalsVerdict::Refuted(core.collect())
        })
    }

    /// Adds a finding; returns its size in bytes.
    fn add(&mut self, goals: &[LayoutGoal], found: &GoalsVerdict, won: u8) -> usize {
        let (sets, set) = match found {
            GoalsVerdict::Reached => (&mut self.reached, goals),
            GoalsVerdict::Refuted(core) => (&mut self.refuted, &core[..]),
        };
        if sets.len() >= MOST_SETS {
            sets.remove(0);
        }
        let set: Goals = set
            .iter()
            .map(|&(layout, tricks)| (layout, tricks - won))
            .collect();
        match found {
            GoalsVerdict::Reached => sets.retain(|old| !is_within(old, &set, 0)),
            GoalsVerdict::Refuted(_) => sets.retain(|old| !contains(old, &set, 0)),
        }
        let bytes = size_of::<Goals>() + size_of_val(&set[..]);
        sets.push(set);
        bytes
    }
}

/// Returns true if `set`, counted from a position with `won` tricks won, asks for at least as much
/// as `goals`.
fn is_within(goals: &[LayoutGoal], set: &[LayoutGoal], won: u8) -> bool {
    is_part_where(goals, set, |tricks, of_set| tricks <= of_set + won)
}

/// Returns true if `goals` ask for at least as much as the core.
fn contains(goals: &[LayoutGoal], core: &[LayoutGoal], won: u8) -> bool {
    core.len() <= goals.len()
        && core.iter().all(|&(layout, tricks)| {
            goals
                .binary_search_by_key(&layout, |goal| goal.0)
                .is_ok_and(|slot| goals[slot].1 >= tricks + won)
        })
}

/// Returns true if `all` contains all layouts of `part`.
pub(super) fn is_part(part: &[LayoutGoal], all: &[LayoutGoal]) -> bool {
    is_part_where(part, all, |_, _| true)
}

/// The same, if the tricks of each layout fit, too.
#[inline]
fn is_part_where(part: &[LayoutGoal], all: &[LayoutGoal], fit: impl Fn(u8, u8) -> bool) -> bool {
    let mut slot = 0;
    part.len() <= all.len()
        && part.iter().all(|&(layout, tricks)| {
            while all.get(slot).is_some_and(|goal| goal.0 < layout) {
                slot += 1;
            }
            all.get(slot)
                .is_some_and(|goal| goal.0 == layout && fit(tricks, goal.1))
        })
}

/// The union of the goals, with the higher one for layouts in both.
pub(super) fn union(one: &[LayoutGoal], other: &[LayoutGoal]) -> Goals {
    let mut all = Goals::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(&&a), Some(&&b)) = (one.peek(), other.peek()) {
        if a.0 <= b.0 {
            one.next();
        }
        if b.0 <= a.0 {
            other.next();
        }
        all.push(match a.0.cmp(&b.0) {
            std::cmp::Ordering::Less => a,
            std::cmp::Ordering::Greater => b,
            std::cmp::Ordering::Equal => (a.0, a.1.max(b.1)),
        });
    }
    all.extend(one);
    all.extend(other);
    all
}

#[cfg(test)]
mod tests {
    use setrograde_beliefs::{Layout, Strengths, View};
    use setrograde_cards::Side;
    use setrograde_parallel::Stop;

    use super::*;
    use crate::given::Seen;
    use crate::given::search::Search;

    /// The table is cleared in time if the byte count is about right, and the answers stay the
    /// same.
    #[test]
    fn the_table_keeps_to_its_memory() {
        let question = "NT S N:AQT.2.. ? 54.A3.. ? out=KJ76.KQJT..";
        let view = View::of_bridge(&question.parse().expect("a question")).expect("a view");
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        let layouts: Vec<Layout> = beliefs.layouts().collect();
        let seen = Seen::of(&view, Side::NorthSouth);
        let answers = |memory: usize| {
            let stop = Stop::default();
            let (mut search, root) = Search::new(&seen, &layouts, (None, None), u64::MAX, &stop);
            search.table = Table::new(memory);
            let mut answers = Vec::new();
            for some in 1..20 {
                let numbers = (0..layouts.len() as u16).filter(|number| number * 7 % some == 0);
                for tricks in 1..=4 {
                    let goals: Goals = numbers.clone().map(|number| (number, tricks)).collect();
                    let found = search.together(&root, &goals).expect("an answer");
                    answers.push(found == GoalsVerdict::Reached);
                }
            }
            (answers, search)
        };
        let (roomy, search) = answers(usize::MAX);
        let table = search.table;
        let sets = table
            .findings
            .iter()
            .flat_map(|found| found.reached.iter().chain(&found.refuted))
            .map(|set| size_of::<Goals>() + set.len() * size_of::<LayoutGoal>());
        let bounds = table.findings.iter().map(|found| found.double_dummy.len());
        let slot = size_of::<Findings>() + size_of::<(StateKey, u32)>();
        let taken = sets.sum::<usize>() + bounds.sum::<usize>() + table.findings.len() * slot;
        assert!(taken <= table.bytes && table.bytes <= 2 * taken);
        let (tight, search) = answers(taken / 8);
        assert!(search.table.bytes < taken / 4);
        assert_eq!(tight, roomy);
    }
}
