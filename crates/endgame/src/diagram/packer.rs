//! Writing packed nodes.

use super::packed::{BACK, PackedNodes, UNUSED, WIDE, code_words, ones};
use super::{Bounds, Edge, TooManyNodes};

/// Packs nodes one after another, children before parents.
#[derive(Debug)]
pub struct NodePacker {
    /// The nodes, and room for more.
    words: Vec<u16>,
    /// Where the nodes end.
    end: usize,
}

/// The most words that a node takes.
const MOST_WORDS: usize = 11;

/// By what the least value is above the parent's: the code of four bits of this
/// value's leaf.
const LEAVES: [u16; 5] = [0, 5, 9, 12, 14];

impl NodePacker {
    /// No nodes yet, and room for a number of them as they come.
    #[must_use]
    pub fn with_capacity(nodes: usize) -> NodePacker {
        NodePacker {
            words: vec![0; UNUSED + nodes.saturating_mul(11) / 4 + MOST_WORDS],
            end: UNUSED,
        }
    }

    /// The nodes.
    #[must_use]
    pub fn finish(mut self) -> PackedNodes {
        self.words.truncate(self.end);
        PackedNodes::of_words(self.words.into_boxed_slice())
    }

    /// The edge to a new node that asks for the owner of the next card of `suit`
    /// (0..=3, canonical order) and goes on with these children, which are
    /// leaves or came from here. If all of them have one value, the edge is that
    /// leaf, and there is no node.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no place left.
    pub fn push(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let lo = children.iter().fold(15, |lo, child| child.lo().min(lo));
        let hi = children.iter().fold(0, |hi, child| child.hi().max(hi));
        let bounds = Bounds { lo, hi };
        if lo >= hi {
            return Ok(Edge::of_bounds(bounds));
        }
        // Few branches, for nobody could foretell them.
        let end = self.end;
        let (mut stored, mut before) = (0, 0);
        for (owner, child) in children.iter().enumerate() {
            let is_node = child.is_node();
            let is_before = is_node & (child.place() + 1 == end);
            stored |= u32::from(is_node & !is_before) << owner;
            before |= if is_before { child.suit() as u32 } else { 0 };
        }
        let mut words = [0; MOST_WORDS];
        let mut count = 0;
        let mut first = end + ones(stored);
        let mut head = stored << 8 | before << 12;
        let mut farthest = 0;
        for (owner, child) in children.iter().enumerate().rev() {
            let is_stored = stored >> owner & 1;
            let back = first.wrapping_sub(child.place()) as u32;
            words[count] = (back | (child.suit() as u32) << BACK) as u16;
            farthest |= back * is_stored;
            count += is_stored as usize;
        }
        if farthest >> BACK != 0 {
            head |= WIDE;
            first += count;
            count = 0;
            for (_, child) in (0..4)
                .zip(&children)
                .rev()
                .filter(|(owner, _)| stored >> owner & 1 == 1)
            {
                let back = (first - child.place()) as u32;
                words[count] = (back >> 16 | (child.suit() as u32) << BACK) as u16;
                words[count + 1] = back as u16;
                count += 2;
            }
        }
        let width = u32::from(hi - lo);
        match code_words(width) {
            0 => head |= codes_of_two_bits(&children, lo),
            1 => {
                words[count] = codes_of_four_bits(&children, lo);
                count += 1;
            }
            _ => {
                let [a, b, c, d] = children.map(|child| child.to_bits() as u16 & 0xff);
                (words[count], words[count + 1]) = (c | d << 8, a | b << 8);
                count += 2;
            }
        }
        words[count] = head as u16;
        let place = end + count;
        if place >= Edge::MAX_NODES {
            return Err(TooManyNodes);
        }
        if self.words.len() < end + MOST_WORDS {
            self.words.resize(2 * end + 4 * MOST_WORDS, 0);
        }
        self.words[end..end + MOST_WORDS].copy_from_slice(&words);
        self.end = place + 1;
        Ok(Edge::node(suit, place, bounds))
    }
}

/// The children's codes where their bounds are `lo` and one more.
#[inline]
fn codes_of_two_bits(children: &[Edge; 4], lo: u8) -> u32 {
    let mut codes = 0;
    for (owner, child) in children.iter().enumerate() {
        // 1 for a leaf of the lesser value, 2 for the other, 3 for a node.
        let (low, high) = (child.lo() == lo, child.hi() > lo);
        let code = u32::from(low) | u32::from(high) << 1;
        codes |= code << (2 * owner);
    }
    codes
}

/// The children's codes where the least of their values is `lo`.
#[inline]
fn codes_of_four_bits(children: &[Edge; 4], lo: u8) -> u16 {
    let mut codes = 0;
    for (owner, child) in children.iter().enumerate() {
        let code = if child.is_nothing() {
            15
        } else {
            LEAVES[usize::from(child.lo() - lo)] + u16::from(child.hi() - child.lo())
        };
        codes |= code << (4 * owner);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random children, near and far, with bounds of every width.
    #[test]
    fn children_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(11);
        for most in 1..=13 {
            let mut packer = NodePacker::with_capacity(0);
            let mut made = vec![Edge::leaf(0)];
            let mut pushed = Vec::new();
            while packer.end < 90_000 {
                let child = |random: &mut fastrand::Rng| match random.u8(..8) {
                    0 => Edge::NOTHING,
                    1 | 2 => Edge::leaf(random.u8(..=most)),
                    3 | 4 => made[made.len() - 1],
                    5 | 6 => made[made.len() - 1 - random.usize(..made.len().min(100))],
                    _ => made[random.usize(..made.len())],
                };
                let children = [(); 4].map(|()| child(random));
                let at = packer.push(random.usize(..4), children).expect("few nodes");
                if at.is_node() {
                    pushed.push((at, children));
                    made.push(at);
                }
            }
            let nodes = packer.finish();
            for (at, children) in pushed {
                let diagram = nodes.diagram(at);
                assert_eq!(diagram.children(at), children);
                for (owner, child) in children.into_iter().enumerate() {
                    assert_eq!(diagram.child(at, owner), child);
                    let sharers = (0..4).filter(|&other| children[other] == child);
                    let sharers = sharers.fold(0, |mask, other| mask | 1 << other);
                    assert_eq!(diagram.child_and_sharers(at, owner), (child, sharers));
                }
            }
        }
    }

    #[test]
    fn one_value_makes_no_node() {
        let mut packer = NodePacker::with_capacity(0);
        let same = [Edge::leaf(3), Edge::NOTHING, Edge::leaf(3), Edge::leaf(3)];
        assert_eq!(packer.push(1, same), Ok(Edge::leaf(3)));
        assert_eq!(packer.push(1, [Edge::NOTHING; 4]), Ok(Edge::NOTHING));
        assert_eq!(packer.end, UNUSED);
    }

    #[test]
    fn places_come_to_an_end() {
        let mut packer = NodePacker::with_capacity(0);
        let leaves = [0, 1, 1, 1].map(Edge::leaf);
        let first = packer.push(0, leaves).expect("the first");
        let mut last = first;
        let children = [first, first, first, Edge::leaf(0)];
        while let Ok(at) = packer.push(0, children) {
            last = at;
        }
        let nodes = packer.finish();
        assert_eq!(nodes.diagram(last).children(last), children);
        let words = nodes.bytes() / size_of::<u16>();
        assert!(words <= Edge::MAX_NODES);
        assert!(words + 8 > Edge::MAX_NODES);
    }
}
