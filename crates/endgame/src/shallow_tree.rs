//! The shallow tree: the sets of a partition, four cards to a node.
//!
//! A node holds the owner masks of four cards, a *key*, in the partition's
//! [`CardOrder`](crate::card_order::CardOrder): those at the roots of the first four cards, those
//! one level down of the next four. A set is a path from a root to a leaf; cards below the leaf are
//! x's and take no room. The first child of a node follows it, and its sibling follows all its
//! descendants, at a distance that the node stores.
//!
//! Sets may overlap, so a node's bounds are those of its sets, and not of all endings that match
//! its keys. Trees are a form of storage; for look-ups they are [unfolded](crate::unfold) into
//! diagrams.
//!
//! "Setrograde analysis" (2024), section 9.2 and Figure 4.

use std::fmt;

use crate::card_order::{EVERYTHING, OrderKey};
use crate::diagram::Bounds;

/// Cards in a node's key.
pub const CARDS_IN_KEY: usize = 4;

/// A node in eight bytes, from the lowest bit: key (16), minimum (4), maximum (4), unused (8),
/// number of nodes of its subtree, itself included (32).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct TreeNode(u64);

impl TreeNode {
    /// Makes a node whose subtree has `nodes` nodes, itself included.
    #[must_use]
    pub const fn new(key: u16, bounds: Bounds, nodes: u32) -> TreeNode {
        let bounds_bits = (bounds.lo as u64 & 15) << 16 | (bounds.hi as u64 & 15) << 20;
        TreeNode(key as u64 | bounds_bits | (nodes as u64) << 32)
    }

    /// The owner masks of four cards, the first card's lowest.
    #[inline]
    #[must_use]
    pub const fn key(self) -> u16 {
        self.0 as u16
    }

    /// Returns the minimum and maximum value of the sets below.
    #[inline]
    #[must_use]
    pub const fn bounds(self) -> Bounds {
        Bounds {
            lo: (self.0 >> 16) as u8 & 15,
            hi: (self.0 >> 20) as u8 & 15,
        }
    }

    /// Returns the distance to the next sibling, or to the end of the siblings.
    #[inline]
    #[must_use]
    pub const fn to_sibling(self) -> usize {
        (self.0 >> 32) as usize
    }

    /// Returns true if the node has no child: its path is a set.
    #[inline]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.to_sibling() == 1
    }
}

impl fmt::Debug for TreeNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { lo, hi } = self.bounds();
        write!(f, "{:04x} [{lo}, {hi}] +{}", self.key(), self.to_sibling())
    }
}

/// The sets of one partition.
#[derive(Clone, Copy, Debug)]
pub struct ShallowTree<'a> {
    nodes: &'a [TreeNode],
}

impl<'a> ShallowTree<'a> {
    /// Makes the tree of nodes that [`grow`] made or a reader has checked.
    #[must_use]
    pub fn new(nodes: &'a [TreeNode]) -> Self {
        ShallowTree { nodes }
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &'a [TreeNode] {
        self.nodes
    }

    /// Returns the number of sets in the tree: its leaves.
    #[must_use]
    pub fn set_count(&self) -> u64 {
        self.nodes.iter().filter(|node| node.is_leaf()).count() as u64
    }

    /// All sets with their values.
    #[must_use]
    pub fn sets(&self) -> Vec<(OrderKey, u8)> {
        let mut sets = Vec::new();
        collect(self.nodes, 0, EVERYTHING, &mut sets);
        sets
    }
}

/// Returns a node's key at its depth, with x's everywhere else.
#[inline]
fn path(key: u16, depth: u32) -> OrderKey {
    !(OrderKey::from(!key) << (16 * depth))
}

fn collect(nodes: &[TreeNode], depth: u32, above: OrderKey, sets: &mut Vec<(OrderKey, u8)>) {
    let mut at = 0;
    while at < nodes.len() {
        let node = nodes[at];
        let end = at + node.to_sibling();
        let set = above & path(node.key(), depth);
        if node.is_leaf() {
            sets.push((set, node.bounds().lo));
        } else {
            collect(&nodes[at + 1..end], depth + 1, set, sets);
        }
        at = end;
    }
}

/// Returns true if each of four cards has a possible owner.
#[must_use]
pub fn is_key(key: u16) -> bool {
    (0..CARDS_IN_KEY).all(|card| key >> (4 * card) & 15 != 0)
}

/// Appends the nodes of a tree of these sets to `nodes`. Sets within another one on the same path
/// are left out. `sets` may be in any order, and are sorted.
pub fn grow(sets: &mut [(OrderKey, u8)], nodes: &mut Vec<TreeNode>) {
    sets.sort_unstable_by_key(|&(set, _)| by_keys(set));
    siblings(sets, 0, nodes);
}

/// Returns a number that sorts sets in the order of their paths, with the root's key as the most
/// significant part.
fn by_keys(set: OrderKey) -> OrderKey {
    (0..8).fold(0, |number, depth| {
        number << 16 | (set >> (16 * depth) & 0xffff)
    })
}

fn siblings(mut sets: &[(OrderKey, u8)], depth: u32, nodes: &mut Vec<TreeNode>) -> Bounds {
    let key = |set: OrderKey| (set >> (16 * depth)) as u16;
    let mut joint = Bounds::NOTHING;
    while let Some(&(first, _)) = sets.first() {
        let same = sets.partition_point(|&(set, _)| key(set) <= key(first));
        let (group, rest) = sets.split_at(same);
        sets = rest;
        let at = nodes.len();
        nodes.push(TreeNode::new(key(first), Bounds::NOTHING, 1));
        // X's sort last.
        let below = |set: OrderKey| {
            if depth == 7 {
                EVERYTHING
            } else {
                set | !(EVERYTHING << (16 * (depth + 1)))
            }
        };
        let bounds = match group.last() {
            Some(&(last, value)) if below(last) == EVERYTHING => Bounds {
                lo: value,
                hi: value,
            },
            _ => siblings(group, depth + 1, nodes),
        };
        nodes[at] = TreeNode::new(key(first), bounds, (nodes.len() - at) as u32);
        joint = joint.join(bounds);
    }
    joint
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(masks: &[u8]) -> OrderKey {
        masks
            .iter()
            .enumerate()
            .fold(EVERYTHING, |key, (at, &mask)| {
                key & !(OrderKey::from(!mask & 15) << (4 * at))
            })
    }

    #[test]
    fn sets_share_the_nodes_of_their_common_path() {
        let mut sets = vec![
            (key(&[1, 2, 4, 8, 5]), 1),
            (key(&[5, 5]), 2),
            (key(&[1, 2, 4, 8, 10]), 0),
            (key(&[15, 15, 15, 15, 4]), 1),
        ];
        let mut nodes = Vec::new();
        grow(&mut sets, &mut nodes);
        assert_eq!(nodes.len(), 6);
        assert_eq!(format!("{:?}", nodes[0]), "8421 [0, 1] +3");
        let tree = ShallowTree::new(&nodes);
        assert_eq!(tree.set_count(), 4);
        let mut back = tree.sets();
        back.sort_unstable();
        sets.sort_unstable();
        assert_eq!(back, sets);
    }

    #[test]
    fn sets_within_another_of_the_same_path_are_left_out() {
        let mut sets = vec![
            (key(&[1, 2, 4, 8, 5]), 1),
            (key(&[1, 2, 4, 8]), 1),
            (key(&[1, 2, 4]), 0),
        ];
        let mut nodes = Vec::new();
        grow(&mut sets, &mut nodes);
        let mut back = ShallowTree::new(&nodes).sets();
        back.sort_unstable();
        assert_eq!(back, [(key(&[1, 2, 4, 8]), 1), (key(&[1, 2, 4]), 0)]);
        assert!(is_key(nodes[0].key()));
        assert!(!is_key(0x1101) && !is_key(0x0fff) && is_key(0x1248));
    }

    /// Sets of the maximum number of cards in a key, which share the upper cards.
    #[test]
    fn sets_of_thirty_two_cards_come_back() {
        let random = &mut fastrand::Rng::with_seed(23);
        let mut sets = Vec::new();
        let mut masks = [1; 32];
        for _ in 0..if cfg!(miri) { 5 } else { 200 } {
            masks[random.usize(..32)..].fill_with(|| random.u8(1..15));
            sets.push((key(&masks), random.u8(..=8)));
        }
        sets.sort_unstable();
        sets.dedup_by_key(|&mut (set, _)| set);
        let mut nodes = Vec::new();
        grow(&mut sets, &mut nodes);
        let tree = ShallowTree::new(&nodes);
        assert_eq!(tree.nodes(), nodes);
        assert_eq!(tree.set_count(), sets.len() as u64);
        let mut back = tree.sets();
        back.sort_unstable();
        sets.sort_unstable();
        assert_eq!(back, sets);
        // A node's bounds are those of the sets below.
        for (at, node) in nodes.iter().enumerate() {
            let below = &nodes[at..at + node.to_sibling()];
            let leaves = below.iter().filter(|node| node.is_leaf());
            let joint = leaves.fold(Bounds::NOTHING, |joint, leaf| joint.join(leaf.bounds()));
            assert_eq!(node.bounds(), joint);
        }
    }
}
