//! Shallow trees as bytes: the two streams of a shard.
//!
//! A node holds the owner masks of four cards, a *key*, in the partition's [`CardOrder`]: those at
//! the roots of the first four cards, those one level down of the next four. A set is a path from a
//! root to a leaf; cards below the leaf are x's and take no room. Sets may overlap.
//!
//! A partition's tree is written from its roots down, each node before its children. The first
//! stream has the keys, two bytes for each node. The second has the structure: the number of each
//! group of siblings (the roots, or a node's children), then for each sibling its value if it is a
//! leaf, or 15 if it has children.
//!
//! "Setrograde analysis" (2024), section 9.2 and Figure 4.

use setrograde_endgame::diagram::census::DiagramCounts;

use super::card_order::{CardOrder, DEEPEST, EVERYTHING, OrderKey};
use crate::format::{self, StreamError};

/// Cards in a node's key.
const CARDS_IN_KEY: usize = 4;
/// Bits of a node's key.
const KEY_BITS: usize = 4 * CARDS_IN_KEY;
/// Marks a node with children; smaller bytes are values of leaves.
const INNER: u8 = 15;

/// The two streams of a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeStreams {
    /// Two bytes for each node: its key, little-endian.
    pub keys: Vec<u8>,
    /// Numbers of siblings, in base 128 with the lowest digit first, all digits
    /// but the last with the top bit set; values; 15 for inner nodes.
    pub links: Vec<u8>,
}

impl TreeStreams {
    /// Clears the streams and keeps their memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.links.clear();
    }

    /// Appends the tree of the next partition's sets with their values, and returns its counts.
    /// Sets within another one on the same path are left out. `sets` may be in any order, and are
    /// sorted.
    pub fn push(&mut self, sets: &mut [(OrderKey, u8)]) -> DiagramCounts {
        // By the keys on the path, the root's first.
        sets.sort_unstable_by_key(|&(set, _)| {
            (0..DEEPEST).fold(0, |path, depth| {
                path << KEY_BITS | OrderKey::from(key(set, depth))
            })
        });
        let before = self.keys.len();
        let sets = self.siblings(sets, 0);
        counts(sets, self.keys.len() - before)
    }

    /// Returns the number of leaves.
    fn siblings(&mut self, sets: &[(OrderKey, u8)], depth: usize) -> u64 {
        let siblings =
            || sets.chunk_by(|(one, _), (next, _)| key(*one, depth) == key(*next, depth));
        format::write_number(siblings().count(), &mut self.links);
        let mut leaves = 0;
        for below in siblings() {
            // X's sort last.
            let (widest, value) = below[below.len() - 1];
            self.keys.extend(key(widest, depth).to_le_bytes());
            if (depth + 1..DEEPEST).all(|depth| key(widest, depth) == u16::MAX) {
                self.links.push(value);
                leaves += 1;
            } else {
                self.links.push(INNER);
                leaves += self.siblings(below, depth + 1);
            }
        }
        leaves
    }
}

/// Returns the key at a depth of a set's path.
fn key(set: OrderKey, depth: usize) -> u16 {
    (set >> (KEY_BITS * depth)) as u16
}

/// Returns true if each of four cards has a possible owner.
fn is_key(key: u16) -> bool {
    (0..CARDS_IN_KEY).all(|card| key >> (4 * card) & 15 != 0)
}

/// Returns the counts of a tree with this number of bytes in its keys.
fn counts(sets: u64, keys: usize) -> DiagramCounts {
    let nodes = keys as u64 / 2;
    DiagramCounts {
        sets,
        nodes,
        largest: nodes,
    }
}

/// Reads the trees of a shard one after another.
#[derive(Debug)]
pub struct TreeReader<'a> {
    keys: &'a [u8],
    links: &'a [u8],
    level: u8,
}

impl<'a> TreeReader<'a> {
    /// A reader of a shard's streams at `level`.
    pub fn new(keys: &'a [u8], links: &'a [u8], level: usize) -> TreeReader<'a> {
        TreeReader {
            keys,
            links,
            level: level.min(DEEPEST) as u8,
        }
    }

    /// Reads the next tree, which belongs to the partition with this order of cards, appends its
    /// sets with their values to `sets`, and returns its counts.
    ///
    /// # Errors
    ///
    /// A [`StreamError`] if the streams are damaged. A result without an error is a well-formed
    /// tree.
    pub fn next(
        &mut self,
        order: &CardOrder,
        sets: &mut Vec<(OrderKey, u8)>,
    ) -> Result<DiagramCounts, StreamError> {
        let (keys, before) = (self.keys.len(), sets.len());
        self.siblings(order.cards() / CARDS_IN_KEY, 0, EVERYTHING, sets)?;
        Ok(counts((sets.len() - before) as u64, keys - self.keys.len()))
    }

    /// Checks that both streams are at their ends.
    ///
    /// # Errors
    ///
    /// [`StreamError::TrailingBytes`] if one is not.
    pub fn finish(self) -> Result<(), StreamError> {
        if self.keys.is_empty() && self.links.is_empty() {
            Ok(())
        } else {
            Err(StreamError::TrailingBytes)
        }
    }

    /// Reads siblings at `depth`, whose path has the cards of `above`.
    fn siblings(
        &mut self,
        most_depth: usize,
        depth: usize,
        above: OrderKey,
        sets: &mut Vec<(OrderKey, u8)>,
    ) -> Result<(), StreamError> {
        let count = format::read_number(|| self.link())?;
        let count = count.filter(|count| (1..=self.keys.len() / 2).contains(count));
        let count = count.ok_or(StreamError::Siblings)?;
        if depth == most_depth {
            return Err(StreamError::Depth);
        }
        for _ in 0..count {
            let set = above & !(OrderKey::from(!self.key()?) << (KEY_BITS * depth));
            match self.link()? {
                INNER => self.siblings(most_depth, depth + 1, set, sets)?,
                value if value <= self.level => sets.push((set, value)),
                other => return Err(StreamError::Value(other)),
            }
        }
        Ok(())
    }

    fn key(&mut self) -> Result<u16, StreamError> {
        let (&bytes, rest) = self.keys.split_first_chunk().ok_or(StreamError::Ends)?;
        self.keys = rest;
        let key = u16::from_le_bytes(bytes);
        if is_key(key) {
            Ok(key)
        } else {
            Err(StreamError::Key(key))
        }
    }

    fn link(&mut self) -> Result<u8, StreamError> {
        let (&byte, rest) = self.links.split_first().ok_or(StreamError::Ends)?;
        self.links = rest;
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition::Shape;
    use setrograde_endgame::suit_lengths::SuitLengths;

    use super::*;

    fn order(cards: u8) -> CardOrder {
        let lengths = [cards / 4, cards / 4, 0, 0].map(|each| SuitLengths::new([each / 2; 4]));
        CardOrder::new(Shape { lengths })
    }

    fn set(masks: &[u8]) -> OrderKey {
        let mask = |(at, &mask): (usize, &u8)| OrderKey::from(!mask & 15) << (4 * at);
        EVERYTHING & !masks.iter().enumerate().map(mask).sum::<OrderKey>()
    }

    type Sets = Vec<(OrderKey, u8)>;

    fn written(sets: &[(OrderKey, u8)]) -> TreeStreams {
        let mut streams = TreeStreams::default();
        streams.push(&mut sets.to_vec());
        streams
    }

    fn read(streams: &TreeStreams, order: &CardOrder) -> Result<Sets, StreamError> {
        let mut reader = TreeReader::new(&streams.keys, &streams.links, 8);
        let mut read = Vec::new();
        reader.next(order, &mut read)?;
        reader.finish()?;
        read.sort_unstable();
        Ok(read)
    }

    #[test]
    fn sets_share_the_nodes_of_their_common_path() {
        let mut sets = [
            (set(&[1, 2, 4, 8, 5]), 1),
            (set(&[5, 5]), 2),
            (set(&[1, 2, 4, 8, 10]), 0),
            (set(&[15, 15, 15, 15, 4]), 1),
        ];
        let counts = TreeStreams::default().push(&mut sets);
        assert_eq!((counts.sets, counts.nodes, counts.largest), (4, 6, 6));
        sets.sort_unstable();
        assert_eq!(read(&written(&sets), &order(8)), Ok(sets.to_vec()));
    }

    #[test]
    fn sets_within_another_of_the_same_path_are_left_out() {
        let wide = [(set(&[1, 2, 4]), 0), (set(&[1, 2, 4, 8]), 1)];
        let all = [wide[0], (set(&[1, 2, 4, 8, 5]), 1), wide[1]];
        let mut left = wide.to_vec();
        left.sort_unstable();
        assert_eq!(read(&written(&all), &order(8)), Ok(left));
    }

    /// Sets of the maximum number of cards in a key, which share the upper cards.
    #[test]
    fn sets_of_thirty_two_cards_come_back() {
        let random = &mut fastrand::Rng::with_seed(23);
        let mut sets = Vec::new();
        let mut masks = [1; 32];
        for _ in 0..if cfg!(miri) { 5 } else { 200 } {
            masks[random.usize(..32)..].fill_with(|| random.u8(1..15));
            sets.push((set(&masks), random.u8(..=8)));
        }
        sets.sort_unstable();
        sets.dedup_by_key(|&mut (set, _)| set);
        assert_eq!(read(&written(&sets), &order(32)), Ok(sets));
    }

    #[test]
    fn a_tree_is_as_deep_as_its_cards_allow() {
        // A branch of `depth` nodes, each the child of the previous one.
        let branch = |depth: usize| TreeStreams {
            keys: [0x21, 0x43].repeat(depth),
            links: [[1, INNER].repeat(depth - 1), vec![1, 1]].concat(),
        };
        let expected = vec![(set(&[1, 2, 3, 4, 1, 2, 3, 4]), 1)];
        assert_eq!(read(&branch(2), &order(8)), Ok(expected));
        assert_eq!(read(&branch(3), &order(8)), Err(StreamError::Depth));
    }

    #[test]
    fn damaged_streams_never_panic_and_never_make_an_unsound_set() {
        let sets = [([1, 2, 4, 8, 5], 1), ([1, 2, 4, 8, 10], 0), ([5; 5], 2)];
        let streams = written(&sets.map(|(masks, value)| (set(&masks), value)));
        let sound = |streams: &TreeStreams| {
            for (set, value) in read(streams, &order(8)).unwrap_or_default() {
                assert!(value <= 8 && (0..DEEPEST).all(|depth| is_key(key(set, depth))));
            }
        };
        for byte in 0..streams.keys.len() {
            for bit in 0..8 {
                let mut damaged = streams.clone();
                damaged.keys[byte] ^= 1 << bit;
                sound(&damaged);
            }
        }
        for byte in 0..streams.links.len() {
            for value in 0..=255 {
                let mut damaged = streams.clone();
                damaged.links[byte] = value;
                sound(&damaged);
            }
            let mut cut = streams.clone();
            cut.links.truncate(byte);
            assert!(read(&cut, &order(8)).is_err());
        }
    }
}
