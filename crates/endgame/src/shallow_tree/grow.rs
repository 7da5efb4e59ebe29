//! Growing a shallow tree from sets.

use super::TreeNode;
use crate::card_order::{EVERYTHING, Key};
use crate::diagram::Bounds;

/// Appends the nodes of a tree that holds these sets to `nodes`. Sets that lie
/// in another one with the same path so far are left out. The order of `sets`
/// does not matter; they are sorted.
pub fn grow(sets: &mut [(Key, u8)], nodes: &mut Vec<TreeNode>) {
    sets.sort_unstable_by_key(|&(set, _)| by_keys(set));
    siblings(sets, 0, nodes);
}

/// A number by which sets are in the order of their paths: the key of the root
/// counts most.
fn by_keys(set: Key) -> Key {
    (0..8).fold(0, |number, depth| {
        number << 16 | (set >> (16 * depth) & 0xffff)
    })
}

fn siblings(mut sets: &[(Key, u8)], depth: u32, nodes: &mut Vec<TreeNode>) -> Bounds {
    let key = |set: Key| (set >> (16 * depth)) as u16;
    let mut joint = Bounds::NOTHING;
    while let Some(&(first, _)) = sets.first() {
        let same = sets.partition_point(|&(set, _)| key(set) <= key(first));
        let (group, rest) = sets.split_at(same);
        sets = rest;
        let at = nodes.len();
        nodes.push(TreeNode::new(key(first), Bounds::NOTHING, 1));
        // X's sort last.
        let below = |set: Key| {
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
