//! The transposition table of partition search.
//!
//! A proof about a position holds for every position with the same suit lengths in
//! which the owners of the cards that mattered, counted from the top of each suit,
//! are the same. The table is a hash table on the
//! leader and the suit lengths; each slot has the list of such patterns, each
//! with bounds on the tricks that North and South take.

use std::collections::TryReserveError;
use std::ops::Range;

use setrograde_cards::Sorting;
use setrograde_endgame::owners::{PackedOwners, TopCards};

/// A set of positions and bounds that hold for all of them, in 16 bytes, because lists are long in
/// hard deals and mostly wait for memory.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    /// The owners of the four top cards of each suit, and where they matter.
    tops: u32,
    mask: u32,
    /// From the lowest bit: the number of cards known in each suit, 4 bits each; the
    /// fewest and the most tricks that North and South take, 4 bits each; the owners
    /// of the known cards below the four top ones, suit by suit, at most [`DEEP`].
    rest: u64,
}

/// The known cards below the four top ones of their suit that have room.
const DEEP: u32 = 20;

/// The low eight bits of each word.
#[inline]
fn tops(owners: PackedOwners) -> u32 {
    let [a, b, c, d] = owners.words();
    a & 0xff | (b & 0xff) << 8 | (c & 0xff) << 16 | d << 24
}

impl Pattern {
    /// `None` if too many cards are known for a pattern to be of use.
    #[inline]
    fn new(owners: PackedOwners, known: TopCards, lo: u32, hi: u32) -> Option<Pattern> {
        let mask = PackedOwners::mask(known);
        let owners = owners.masked(mask);
        let (mut deep, mut shift) = (0, 0);
        for (suit, word) in owners.words().into_iter().enumerate() {
            deep |= u64::from(word >> 8) << shift;
            shift += 2 * deep_cards(known, suit);
        }
        (shift <= 2 * DEEP).then(|| Pattern {
            tops: tops(owners),
            mask: tops(mask),
            rest: u64::from(known.to_bits())
                | u64::from(lo) << 16
                | u64::from(hi) << 20
                | deep << 24,
        })
    }

    #[inline]
    const fn known(&self) -> TopCards {
        TopCards::from_bits(self.rest as u16)
    }

    #[inline]
    const fn lo(&self) -> u32 {
        (self.rest >> 16) as u32 & 15
    }

    #[inline]
    const fn hi(&self) -> u32 {
        (self.rest >> 20) as u32 & 15
    }

    /// The owners of the known cards.
    #[inline]
    fn owners(&self) -> PackedOwners {
        let mut deep = self.rest >> 24;
        PackedOwners::from_words(std::array::from_fn(|suit| {
            let bits = 2 * deep_cards(self.known(), suit);
            let word = (deep as u32 & ((1 << bits) - 1)) << 8 | self.tops >> (8 * suit) & 0xff;
            deep >>= bits;
            word
        }))
    }

    /// Returns true if a position with these owners, and these four top cards, is in the set.
    #[inline]
    fn has(&self, asked: u32, owners: &PackedOwners) -> bool {
        (self.tops ^ asked) & self.mask == 0
            && (self.rest >> 24 == 0 && !any_above_four(self.known())
                || self
                    .owners()
                    .agree(owners, &PackedOwners::mask(self.known())))
    }

    /// Returns true if both have the same positions.
    #[inline]
    const fn is_set_of(&self, other: &Pattern) -> bool {
        self.tops == other.tops && (self.rest ^ other.rest) & !(0xff << 16) == 0
    }

    /// Takes over the bounds of another pattern where they are closer.
    #[inline]
    fn tighten(&mut self, other: &Pattern) {
        let lo = u64::from(self.lo().max(other.lo()));
        let hi = u64::from(self.hi().min(other.hi()));
        self.rest = self.rest & !(0xff << 16) | lo << 16 | hi << 20;
    }

    /// Returns whether its bounds decide if North and South take `need` tricks, and how.
    #[inline]
    const fn decides(&self, need: u32) -> Option<bool> {
        if self.lo() >= need {
            Some(true)
        } else if self.hi() < need {
            Some(false)
        } else {
            None
        }
    }
}

/// Returns true if more than four cards of a suit are known.
#[inline]
const fn any_above_four(known: TopCards) -> bool {
    let bits = known.to_bits();
    (bits | bits << 1 & (bits << 2 | bits << 3)) & 0x8888 != 0
}

/// Returns the cards without the lowest one of `suit`, which must have one.
#[inline]
const fn without_lowest(known: TopCards, suit: usize) -> TopCards {
    TopCards::from_bits(known.to_bits() - (1 << (4 * (suit & 3))))
}

/// Returns the cards without the lowest one of each suit that has any.
#[inline]
const fn without_all_lowest(known: TopCards) -> TopCards {
    let bits = known.to_bits();
    TopCards::from_bits(bits - ((bits | bits >> 1 | bits >> 2 | bits >> 3) & 0x1111))
}

/// The known cards of a suit below the four top ones.
#[inline]
const fn deep_cards(known: TopCards, suit: usize) -> u32 {
    (known.of_suit(suit) as u32).saturating_sub(4)
}

/// A slot of the hash table: all patterns of one leader and shape.
#[derive(Clone, Copy, Debug, Default)]
struct TableSlot {
    /// The leader and the shape, never 0; 0 for an empty slot.
    key: u64,
    /// The index of the first pattern in the arena, and the number of patterns.
    start: u32,
    len: u16,
    /// The lead that last decided the question: its bit number plus 1, or 0.
    best: u8,
}

impl TableSlot {
    /// The indices of its patterns in the arena.
    #[inline]
    fn list(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// Returns the number of patterns that have room: a power of two.
    #[inline]
    fn room(&self) -> usize {
        match self.len {
            0 => 0,
            len => (len as usize).next_power_of_two().max(FIRST_ROOM),
        }
    }
}

/// An answer from the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// True if North and South take the tricks asked for.
    pub reached: bool,
    /// The top cards that prove it.
    pub known: TopCards,
}

/// The slot of a question whose answer the table does not know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Miss {
    /// The index of the slot of the key, now or, unless the table grows, in future.
    index: usize,
    /// The lead that was best in a position of the same shape; 0 for none.
    pub hint: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Transposition {
    slots: Vec<TableSlot>,
    used: usize,
    arena: Vec<Pattern>,
    /// Blocks given back, by the logarithm of their size.
    free: [Vec<u32>; 32],
    limit: usize,
}

const FIRST_SLOTS: usize = 1 << 8;
const FIRST_ROOM: usize = 2;

/// The key of a position at the start of a trick.
///
/// The lengths of one suit follow from the other lengths and the number of tricks left, so their
/// bits hold the latter and the leader.
#[inline]
pub(crate) const fn key(shape: u64, leader: usize, left: u32) -> u64 {
    shape & !0xffff | (left as u64) << 2 | leader as u64
}

/// The tricks left in the position of a key.
const fn tricks_left(key: u64) -> usize {
    (key >> 2) as usize & 15
}

#[inline]
const fn hash(key: u64) -> usize {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 24) as usize
}

impl Transposition {
    /// An empty table that will not use much more than `limit` bytes. If the system has less, it
    /// forgets earlier.
    pub(crate) fn new(limit: usize) -> Transposition {
        // Patterns have numbers of 32 bits.
        let limit = limit.min(size_of::<Pattern>().saturating_mul(1 << 31));
        Transposition {
            slots: vec![TableSlot::default(); FIRST_SLOTS],
            used: 0,
            arena: Vec::new(),
            free: Default::default(),
            limit,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(FIRST_SLOTS, TableSlot::default());
        self.used = 0;
        self.arena.clear();
        for list in &mut self.free {
            list.clear();
        }
    }

    /// Bytes allocated from the system.
    pub(crate) fn memory(&self) -> usize {
        self.arena.capacity() * size_of::<Pattern>()
            + self.slots.capacity() * size_of::<TableSlot>()
    }

    /// Bytes in use.
    fn size(&self) -> usize {
        self.arena.len() * size_of::<Pattern>() + self.slots.len() * size_of::<TableSlot>()
    }

    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = hash(key) & mask;
        // There is always an empty slot.
        while self.slots[index].key != key && self.slots[index].key != 0 {
            index = (index + 1) & mask;
        }
        index
    }

    /// Returns whether North and South take at least `need` tricks if that is known,
    /// and otherwise the lead that was best in a position of the same shape (0 for
    /// none).
    #[inline]
    pub(crate) fn probe(&self, key: u64, owners: &PackedOwners, need: u32) -> Result<Hit, Miss> {
        let index = self.find(key);
        let slot = &self.slots[index];
        let asked = tops(*owners);
        for pattern in &self.arena[slot.list()] {
            if pattern.has(asked, owners)
                && let Some(reached) = pattern.decides(need)
            {
                return Ok(Hit {
                    reached,
                    known: pattern.known(),
                });
            }
        }
        Err(Miss {
            index,
            hint: 1 << slot.best >> 1,
        })
    }

    /// Returns the lead that was best in a position of this key; 0 for none.
    #[cfg(feature = "open-search")]
    pub(crate) fn best_lead(&self, key: u64) -> u64 {
        1 << self.slots[self.find(key)].best >> 1
    }

    /// Stores that North and South take `lo` to `hi` tricks in all positions with the same `known`
    /// top cards, and the lead that decided it (0 for none).
    pub(crate) fn store(
        &mut self,
        key: u64,
        miss: &Miss,
        owners: &PackedOwners,
        known: TopCards,
        (lo, hi): (u32, u32),
        best: u64,
    ) {
        if self.size() > self.limit {
            self.forget();
        }
        if 4 * self.used >= 3 * self.slots.len() && self.grow().is_err() {
            self.clear();
        }
        let slot_bytes = self.slots.capacity() * size_of::<TableSlot>();
        let most = self.limit.saturating_sub(slot_bytes) / size_of::<Pattern>();
        let mut index = miss.index;
        if self.slots.get(index).is_none_or(|slot| slot.key != key) {
            index = self.find(key);
        }
        let slot = &mut self.slots[index];
        if slot.key == 0 {
            slot.key = key;
            self.used += 1;
        }
        if best != 0 {
            slot.best = best.ilog2() as u8 + 1;
        }
        if let Some(pattern) = Pattern::new(*owners, known, lo, hi) {
            self.note(index, pattern, most);
        }
    }

    /// Returns the known cards that a proof still needs beside the patterns of the
    /// same shape: the lowest known card of a suit is dropped if for each other hand
    /// that could have it a pattern, with no further card known, proves the same.
    ///
    /// `question` is the tricks that North and South were to take, and whether they
    /// do. `others` returns the other hands, one bit each, for a suit and the number
    /// of its known cards.
    #[inline]
    pub(crate) fn widen(
        &self,
        key: u64,
        miss: &Miss,
        owners: &PackedOwners,
        mut known: TopCards,
        question: (u32, bool),
        others: impl Fn(usize, usize) -> u32,
    ) -> TopCards {
        let Some(slot) = self.slots.get(miss.index).filter(|slot| slot.key == key) else {
            return known;
        };
        let (need, reached) = question;
        let list = &self.arena[slot.list()];
        let asked = tops(*owners);
        'widened: loop {
            let mask = PackedOwners::mask(known);
            // The list is in the order of the number of known cards.
            let most = known.total();
            let wider = list.partition_point(|pattern| pattern.known().total() <= most);
            let outside = !tops(mask);
            // Without the lowest known cards.
            let firm = tops(PackedOwners::mask(without_all_lowest(known)));
            let mut covered = [0; 4];
            for pattern in &list[..wider] {
                if (pattern.tops ^ asked) & pattern.mask & firm | pattern.mask & outside != 0
                    || pattern.decides(need) != Some(reached)
                {
                    continue;
                }
                let theirs = pattern.owners();
                let kept = PackedOwners::mask(pattern.known());
                if let Some(suit) = theirs.differs_in_lowest(owners, &kept, &mask) {
                    let known_here = known.of_suit(suit);
                    covered[suit] |= 1 << theirs.owner(suit, known_here - 1);
                    if others(suit, known_here) & !covered[suit] == 0 {
                        known = without_lowest(known, suit);
                        continue 'widened;
                    }
                }
            }
            return known;
        }
    }

    /// Adds a pattern to the list of a slot; the arena should not grow beyond
    /// `most` patterns.
    #[inline]
    fn note(&mut self, index: usize, fresh: Pattern, most: usize) {
        let slot = &mut self.slots[index];
        let list = slot.list();
        // The most general first: they make the most general proofs above.
        let rank = fresh.known().total();
        let mut after = list.start
            + self.arena[list.clone()].partition_point(|old| old.known().total() <= rank);
        for old in self.arena[list.start..after].iter_mut().rev() {
            if old.known().total() < rank {
                break;
            }
            if old.is_set_of(&fresh) {
                old.tighten(&fresh);
                return;
            }
        }
        let (room, last) = (slot.room(), slot.len);
        let Some(len) = last.checked_add(1) else {
            return;
        };
        slot.len = len;
        if usize::from(last) == room {
            let room = slot.room();
            let block = match self.free[room.ilog2() as usize].pop() {
                Some(block) => block as usize,
                None => {
                    let block = self.arena.len();
                    if make_room(&mut self.arena, room, most).is_err() {
                        slot.len = last;
                        // The next one finds the table full.
                        self.limit = self.size() - 1;
                        return;
                    }
                    self.arena.resize(block + room, Pattern::default());
                    block
                }
            };
            if last != 0 {
                self.free[last.ilog2() as usize].push(slot.start);
            }
            after = after - list.start + block;
            self.arena.copy_within(list, block);
            slot.start = block as u32;
        }
        let end = slot.list().end;
        self.arena.copy_within(after..end - 1, after + 1);
        self.arena[after] = fresh;
    }

    /// Makes room: forgets the positions with the fewest tricks left, which are
    /// the cheapest to search again, and keeps what fits in half of the limit.
    #[cold]
    fn forget(&mut self) {
        let mut bytes = [0; 16];
        for slot in self.slots.iter().filter(|slot| slot.key != 0) {
            bytes[tricks_left(slot.key)] += slot.room() * size_of::<Pattern>();
        }
        let mut kept_bytes = self.slots.len() * size_of::<TableSlot>();
        if kept_bytes > self.limit / 2 {
            self.clear();
            return;
        }
        let mut fewest = 16;
        while fewest > 0 && kept_bytes + bytes[fewest - 1] <= self.limit / 2 {
            fewest -= 1;
            kept_bytes += bytes[fewest];
        }
        let mut kept = std::mem::take(&mut self.slots);
        let slots = kept.len();
        kept.retain(|slot| slot.len > 0 && tricks_left(slot.key) >= fewest);
        // Blocks move down in their order, so none is overwritten.
        kept.in_any_order_by_key(|slot| slot.start);
        let mut end = 0;
        for slot in &mut kept {
            self.arena.copy_within(slot.list(), end);
            slot.start = end as u32;
            end += slot.room();
        }
        self.arena.truncate(end);
        for list in &mut self.free {
            list.clear();
        }
        self.slots.resize(slots, TableSlot::default());
        self.used = kept.len();
        for slot in kept {
            let index = self.find(slot.key);
            self.slots[index] = slot;
        }
    }

    fn grow(&mut self) -> Result<(), TryReserveError> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(self.slots.len() * 2)?;
        slots.resize(self.slots.len() * 2, TableSlot::default());
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.key != 0 {
                let index = self.find(slot.key);
                self.slots[index] = slot;
            }
        }
        Ok(())
    }
}

/// Makes room for `more` patterns. The arena grows by doubling, but not beyond
/// `most` patterns as long as they are not needed.
fn make_room(arena: &mut Vec<Pattern>, more: usize, most: usize) -> Result<(), TryReserveError> {
    let needed = arena.len() + more;
    if needed > arena.capacity() {
        let wanted = (2 * arena.capacity()).min(most).max(needed);
        arena.try_reserve_exact(wanted - arena.len())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_known_cards_are_compared_and_lessened() {
        for bits in 0..=u16::MAX {
            let counts = [0, 4, 8, 12].map(|suit| (bits >> suit) as u8 & 15);
            let known = TopCards::new(counts);
            assert_eq!(any_above_four(known), counts.iter().any(|&n| n > 4));
            let lesser = counts.map(|n| n.saturating_sub(1));
            assert_eq!(without_all_lowest(known), TopCards::new(lesser));
            for suit in (0..4).filter(|&suit| counts[suit] > 0) {
                let mut expected = counts;
                expected[suit] -= 1;
                assert_eq!(without_lowest(known, suit), TopCards::new(expected));
            }
        }
    }

    #[test]
    fn what_is_dear_is_forgotten_last() {
        let mut table = Transposition::new(1 << 16);
        // With more tricks left there are fewer positions.
        let (mut stored, mut forgotten) = (Vec::new(), 0);
        for n in 0..20_000_u32 {
            let tricks = if n % 50 == 0 { 9 } else { 4 };
            let key = key(u64::from(n / 50 % 97) << 16, 0, tricks);
            let owners = PackedOwners::from_words([n << 4, 0, 0, 0]);
            let Err(miss) = table.probe(key, &owners, 3) else {
                continue;
            };
            let size = table.size();
            table.store(key, &miss, &owners, TopCards::new([14, 0, 0, 0]), (3, 9), 0);
            forgotten += usize::from(table.size() < size);
            if tricks == 9 {
                stored.push((key, owners));
            }
        }
        assert!(forgotten > 3, "{forgotten}");
        assert!(stored.len() > 300);
        for (key, owners) in stored {
            assert!(matches!(table.probe(key, &owners, 3), Ok(hit) if hit.reached));
            assert!(table.probe(key, &owners, 4).is_err());
        }
    }

    #[test]
    fn a_card_that_any_owner_may_have_is_dropped() {
        let mut table = Transposition::new(1 << 20);
        let key = key(0x1234 << 16, 2, 5);
        // The second suit's three top cards are known, the third with owner 0, 1 or 3.
        let owners = |third: u32| PackedOwners::from_words([0b01, third << 4 | 0b10_01, 0, 0]);
        let known = |first, second| TopCards::new([first, second, 0, 0]);
        let mut store = |third, bounds| {
            let owners = owners(third);
            let Err(miss) = table.probe(key, &owners, 3) else {
                panic!("known already");
            };
            table.store(key, &miss, &owners, known(1, 3), bounds, 0);
        };
        store(0, (3, 5));
        store(1, (0, 2));
        let widen = |table: &Transposition, question, hands| {
            let Err(miss) = table.probe(key, &owners(3), 3) else {
                panic!("known already");
            };
            table.widen(
                key,
                &miss,
                &owners(3),
                known(1, 3),
                question,
                |suit, known| {
                    assert_eq!((suit, known), (1, 3));
                    hands
                },
            )
        };
        assert_eq!(widen(&table, (3, true), 0b0001), known(1, 2));
        assert_eq!(
            widen(&table, (3, true), 0b0011),
            known(1, 3),
            "hand 1 loses"
        );
        assert_eq!(widen(&table, (4, true), 0b0001), known(1, 3), "not proved");
        assert_eq!(widen(&table, (3, false), 0b0010), known(1, 2));
        assert_eq!(
            widen(&table, (3, false), 0b0110),
            known(1, 3),
            "no pattern has hand 2"
        );
    }

    #[test]
    fn memory_stays_within_the_limit() {
        const LIMIT: usize = 1 << 20;
        let mut table = Transposition::new(LIMIT);
        let mut emptied = 0;
        for n in 0..200_000_u32 {
            let owners =
                PackedOwners::from_words([n.wrapping_mul(0x9e37_79b9), n << 7, n << 20, 0]);
            let key = 4 + u64::from(n % 50);
            if let Err(miss) = table.probe(key, &owners, 1) {
                let before = table.size();
                table.store(
                    key,
                    &miss,
                    &owners,
                    TopCards::new([10, 10, 10, 4]),
                    (1, 13),
                    0,
                );
                emptied += usize::from(table.size() < before);
            }
            // The largest block may come on top.
            let bytes = table.arena.capacity() * size_of::<Pattern>()
                + table.slots.capacity() * size_of::<TableSlot>();
            assert!(bytes <= LIMIT + LIMIT / 4, "{bytes}");
        }
        assert!(emptied > 2);
    }
}
