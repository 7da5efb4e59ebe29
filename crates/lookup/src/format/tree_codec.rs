//! Shallow trees as bytes: the two streams of a shard.
//!
//! A partition's tree is written from its roots down, each node before its children. The first
//! stream has the keys, two bytes for each node. The second has the structure: the number of each
//! group of siblings (the roots, or a node's children), then for each sibling its value if it is a
//! leaf, or 15 if it has children. Bounds and sibling links follow from these, and are not stored.

use setrograde_endgame::card_order::{CardOrder, DEEPEST};
use setrograde_endgame::diagram::Bounds;
use setrograde_endgame::shallow_tree::{CARDS_IN_KEY, ShallowTree, TreeNode, is_key};

use crate::format::{self, StreamError};

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

    /// Appends the tree of the next partition.
    pub fn push(&mut self, tree: &ShallowTree<'_>) {
        self.siblings(tree.nodes());
    }

    fn siblings(&mut self, nodes: &[TreeNode]) {
        let starts = || {
            let mut at = 0;
            std::iter::from_fn(move || {
                let here = at;
                at += nodes.get(here)?.to_sibling();
                Some((here, at))
            })
        };
        format::write_number(starts().count(), &mut self.links);
        for (start, end) in starts() {
            let node = nodes[start];
            self.keys.extend(node.key().to_le_bytes());
            if node.is_leaf() {
                self.links.push(node.bounds().lo);
            } else {
                self.links.push(INNER);
                self.siblings(&nodes[start + 1..end]);
            }
        }
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
    #[must_use]
    pub fn new(keys: &'a [u8], links: &'a [u8], level: usize) -> TreeReader<'a> {
        TreeReader {
            keys,
            links,
            level: level.min(DEEPEST) as u8,
        }
    }

    /// Reads the next tree, which belongs to the partition with this order of
    /// cards, and appends its nodes to `nodes`.
    ///
    /// # Errors
    ///
    /// A [`StreamError`] if the streams are damaged. A result without an error is a well-formed
    /// tree.
    pub fn next(
        &mut self,
        order: &CardOrder,
        nodes: &mut Vec<TreeNode>,
    ) -> Result<(), StreamError> {
        self.siblings(order.cards() / CARDS_IN_KEY, nodes)
            .map(|_| ())
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

    fn siblings(&mut self, room: usize, nodes: &mut Vec<TreeNode>) -> Result<Bounds, StreamError> {
        let count = self.count()?;
        if count == 0 || count > self.keys.len() / 2 {
            return Err(StreamError::Siblings);
        }
        if room == 0 {
            return Err(StreamError::Depth);
        }
        let mut joint = Bounds::NOTHING;
        for _ in 0..count {
            let key = self.key()?;
            let at = nodes.len();
            nodes.push(TreeNode::new(key, Bounds::NOTHING, 1));
            let bounds = match self.link()? {
                INNER => self.siblings(room - 1, nodes)?,
                value if value <= self.level => Bounds {
                    lo: value,
                    hi: value,
                },
                other => return Err(StreamError::Value(other)),
            };
            // A shard's stream is shorter than 2^32 bytes, so its nodes fit.
            nodes[at] = TreeNode::new(key, bounds, (nodes.len() - at) as u32);
            joint = joint.join(bounds);
        }
        Ok(joint)
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

    fn count(&mut self) -> Result<usize, StreamError> {
        format::read_number(|| self.link())?.ok_or(StreamError::Siblings)
    }
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::card_order::{EVERYTHING, OrderKey};
    use setrograde_endgame::diagram::Bounds;
    use setrograde_endgame::partition::Shape;
    use setrograde_endgame::shallow_tree::grow;
    use setrograde_endgame::suit_lengths::SuitLengths;

    use super::*;

    fn order() -> CardOrder {
        let mut lengths = [SuitLengths::EMPTY; 4];
        lengths[0] = SuitLengths::new([2; 4]);
        CardOrder::new(Shape { lengths })
    }

    fn nodes() -> Vec<TreeNode> {
        let key = |high: u16, low: u16| {
            EVERYTHING << 32 | OrderKey::from(low) << 16 | OrderKey::from(high)
        };
        let mut sets = [
            (key(0x8421, 0xfff5), 1),
            (key(0x8421, 0xfffa), 0),
            (key(0xff55, 0xffff), 2),
        ];
        let mut nodes = Vec::new();
        grow(&mut sets, &mut nodes);
        nodes
    }

    fn read(streams: &TreeStreams, trees: usize) -> Result<Vec<TreeNode>, StreamError> {
        let mut reader = TreeReader::new(&streams.keys, &streams.links, 2);
        let mut read = Vec::new();
        for _ in 0..trees {
            reader.next(&order(), &mut read)?;
        }
        reader.finish()?;
        Ok(read)
    }

    #[test]
    fn what_is_written_is_read_again() -> Result<(), Box<dyn std::error::Error>> {
        let nodes = nodes();
        let tree = ShallowTree::new(&nodes);
        let mut streams = TreeStreams::default();
        streams.push(&tree);
        streams.push(&tree);
        assert_eq!(streams.keys.len(), 16);
        assert_eq!(read(&streams, 2)?, [nodes.clone(), nodes].concat());
        assert_eq!(read(&streams, 1), Err(StreamError::TrailingBytes));
        assert_eq!(read(&streams, 3), Err(StreamError::Ends));
        streams.clear();
        assert_eq!(streams, TreeStreams::default());
        Ok(())
    }

    #[test]
    fn a_tree_is_as_deep_as_its_cards_allow() {
        // A branch of `depth` nodes, each the child of the previous one.
        let branch = |depth: usize| TreeStreams {
            keys: [0x21, 0x43].repeat(depth),
            links: [[1, INNER].repeat(depth - 1), vec![1, 1]].concat(),
        };
        let most = order().cards() / CARDS_IN_KEY;
        assert!(most >= 2 && is_key(0x4321));
        assert_eq!(read(&branch(most), 1).map(|nodes| nodes.len()), Ok(most));
        assert_eq!(read(&branch(most + 1), 1), Err(StreamError::Depth));
    }

    /// Checks that nodes form trees of two tricks within `room` keys, and returns the bounds of
    /// all.
    fn check(nodes: &[TreeNode], room: usize) -> Bounds {
        let (mut joint, mut at) = (Bounds::NOTHING, 0);
        while at < nodes.len() {
            let (node, end) = (nodes[at], at + nodes[at].to_sibling());
            assert!(end > at && end <= nodes.len() && room > 0 && is_key(node.key()));
            let below = if node.is_leaf() {
                Bounds::exactly(node.bounds().lo.min(2))
            } else {
                check(&nodes[at + 1..end], room - 1)
            };
            assert_eq!(node.bounds(), below);
            (joint, at) = (joint.join(below), end);
        }
        joint
    }

    #[test]
    fn damaged_streams_never_panic_and_never_make_an_unsound_tree() {
        let nodes = nodes();
        let mut streams = TreeStreams::default();
        streams.push(&ShallowTree::new(&nodes));
        let sound = |streams: &TreeStreams| {
            if let Ok(nodes) = read(streams, 1) {
                check(&nodes, order().cards() / CARDS_IN_KEY);
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
            assert!(read(&cut, 1).is_err());
        }
    }
}
