//! Writing packed nodes.

use std::convert::Infallible;

use crate::diagram::packed::{ABOVE, BACK, CODED, PackedNodes, UNUSED, WIDE, WORD, ones};
use crate::diagram::{Bounds, Diagram, Edge, Node, TooManyNodes};

/// Packs nodes one after another, children before parents.
#[derive(Debug)]
pub struct NodePacker {
    /// The nodes, and room for more.
    words: Vec<u16>,
    /// The end of the nodes.
    end: usize,
    /// The subtree of the last node.
    last: u32,
}

/// At least as many words as a node takes: 11 at most.
const ROOM: usize = 16;

/// By what a child's bounds are above the parent's least value, in an edge's bits:
/// its code of four bits.
static CODES: [u8; 256] = {
    let mut codes = [NOTHING; 256];
    let mut code = 0;
    while code < NOTHING {
        codes[ABOVE[code as usize] as usize] = code;
        code += 1;
    }
    codes
};
/// The code of four bits where no ending leads.
const NOTHING: u8 = 15;

impl NodePacker {
    /// No nodes yet, and room for a number of them as they come.
    #[must_use]
    pub fn with_capacity(nodes: usize) -> NodePacker {
        NodePacker {
            words: vec![0; UNUSED + nodes.saturating_mul(11) / 4 + ROOM],
            end: UNUSED,
            last: 0,
        }
    }

    /// The nodes.
    #[must_use]
    pub fn finish(mut self) -> PackedNodes {
        self.words.truncate(self.end);
        PackedNodes::new(self.words)
    }

    /// The edge to a new node that asks for the owner of the next card of `suit`
    /// (0..=3, canonical order) and continues with these children, which are
    /// leaves or came from here. If all of them have one value, the edge is that
    /// leaf, and there is no node.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no place left.
    #[inline]
    pub fn push(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let bounds = children
            .iter()
            .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
        if bounds.lo >= bounds.hi {
            return Ok(Edge::of_bounds(bounds));
        }
        let (lo, hi) = (u32::from(bounds.lo), u32::from(bounds.hi));
        if self.words.len() < self.end + ROOM {
            self.grow();
        }
        let room = self.words.get_mut(self.end..);
        let Some(words) = room.and_then(<[u16]>::first_chunk_mut::<ROOM>) else {
            return Err(TooManyNodes);
        };
        let subtrees = children.map(Edge::subtree);
        let is_stored = |owner: usize| subtrees[owner] != 0 && subtrees[owner] != self.last;
        let stored = (0..4).fold(0, |stored, owner| {
            stored | u32::from(is_stored(owner)) << owner
        });
        let mut head = stored << 8 | (self.last & 3) << 12;
        let first = (self.end + ones(stored)) as u32;
        let ways = subtrees.map(|subtree| (first << 2).wrapping_sub(subtree));
        let mut count = 0;
        for (owner, way) in ways.into_iter().enumerate().rev() {
            words[count % ROOM] = way as u16;
            count += (stored >> owner & 1) as usize;
        }
        let is_far = |owner: usize| stored >> owner & 1 == 1 && ways[owner] >> 16 != 0;
        if first >> BACK != 0 && (0..4).any(is_far) {
            head |= WIDE;
            count = store_wide(words, stored, ways);
        }
        let bounds = children.map(|child| child.to_bits() & 0xff);
        if hi - lo == 1 {
            let code =
                |bounds: u32| u32::from(bounds & 15 == lo) | u32::from(bounds >> 4 == hi) << 1;
            head |= in_one_word(bounds.map(code), 2);
        } else if hi - lo <= CODED {
            let code = |bounds: u32| CODES[bounds.wrapping_sub(0x11 * lo) as usize & 0xff];
            words[count % ROOM] = in_one_word(bounds.map(code).map(u32::from), 4) as u16;
            count += 1;
        } else {
            let [a, b, c, d] = bounds;
            words[count % ROOM] = (c | d << 8) as u16;
            words[(count + 1) % ROOM] = (a | b << 8) as u16;
            count += 2;
        }
        words[count % ROOM] = head as u16;
        let place = self.end + count;
        if place >= Edge::MAX_NODES {
            return Err(TooManyNodes);
        }
        let at = Edge::from_parts(lo | hi << 4, suit as u32, place);
        self.end = place + 1;
        self.last = at.subtree();
        Ok(at)
    }

    #[cold]
    fn grow(&mut self) {
        self.words.resize(2 * self.end + 4 * ROOM, 0);
    }
}

/// A code for each child, of fixed width, the first owner's in the lowest bits.
#[inline]
fn in_one_word(codes: [u32; 4], bits: u32) -> u32 {
    let [a, b, c, d] = codes;
    a | b << bits | c << (2 * bits) | d << (3 * bits)
}

/// Stores references of two words, given the ways back that short ones would have,
/// and returns how many words they take.
#[cold]
fn store_wide(words: &mut [u16; ROOM], stored: u32, ways: [u32; 4]) -> usize {
    let more = ones(stored) as u32;
    let mut count = 0;
    for (owner, way) in ways.into_iter().enumerate().rev() {
        if stored >> owner & 1 == 1 {
            let way = way + (more << 2);
            words[count] = (way >> 16) as u16;
            words[count + 1] = way as u16;
            count += 2;
        }
    }
    count
}

// Diagrams copied from plain nodes to packed ones, and back.

impl PackedNodes {
    /// The nodes that these roots among `nodes` lead to; the roots become those
    /// of the same diagrams here.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is not place enough.
    pub fn pack(nodes: &[Node], roots: &mut [Edge]) -> Result<PackedNodes, TooManyNodes> {
        let mut packer = NodePacker::with_capacity(nodes.len());
        copy(
            |root| Diagram::new(nodes, root),
            roots,
            nodes.len(),
            &mut |at, children| packer.push(at.suit(), children),
        )?;
        Ok(packer.finish())
    }

    /// The nodes of these diagrams, which have none in common, one after another, and
    /// the root of each.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if they are too many.
    pub fn join<'a>(
        diagrams: impl IntoIterator<Item = Diagram<'a>>,
    ) -> Result<(PackedNodes, Vec<Edge>), TooManyNodes> {
        let mut packer = NodePacker::with_capacity(0);
        let mut roots = Vec::new();
        for diagram in diagrams {
            let mut root = [diagram.root()];
            copy(
                |_| diagram,
                &mut root,
                diagram.places(),
                &mut |at, children| packer.push(at.suit(), children),
            )?;
            roots.extend(root);
        }
        Ok((packer.finish(), roots))
    }

    /// The nodes that these roots lead to, as a [`DiagramBuilder`](super::DiagramBuilder) has them; the
    /// roots become those of the same diagrams there. They take three times the
    /// memory, and walks through them are faster.
    #[must_use]
    pub fn unpack(&self, roots: &mut [Edge]) -> Vec<Node> {
        let bytes = self.to_bytes();
        let mut nodes = Vec::new();
        let Ok(()) = copy(
            |root| Diagram::packed(&bytes, root),
            roots,
            bytes.len() / WORD,
            &mut |at, children| -> Result<Edge, Infallible> {
                nodes.push(Node { children });
                Ok(Edge::node(at.suit(), nodes.len() - 1, at.bounds()))
            },
        );
        nodes.shrink_to_fit();
        nodes
    }
}

/// Copies the diagrams with these roots, whose places are below `places`, and
/// makes the roots those of the copies. `push` takes a node and the edges to its
/// copied children, and returns the edge to its copy.
fn copy<'a, E>(
    diagram: impl Fn(Edge) -> Diagram<'a>,
    roots: &mut [Edge],
    places: usize,
    push: &mut impl FnMut(Edge, [Edge; 4]) -> Result<Edge, E>,
) -> Result<(), E> {
    let mut copies = vec![Edge::NOTHING; places];
    for root in roots {
        *root = copy_below(diagram(*root), *root, &mut copies, push)?;
    }
    Ok(())
}

/// Copies what `at` leads to, unless `copies` has it. Each node on the way takes
/// a card, so that this calls itself no deeper than there are cards.
fn copy_below<E>(
    diagram: Diagram<'_>,
    at: Edge,
    copies: &mut [Edge],
    push: &mut impl FnMut(Edge, [Edge; 4]) -> Result<Edge, E>,
) -> Result<Edge, E> {
    if !at.is_node() {
        return Ok(at);
    }
    if copies[at.place()].is_nothing() {
        let mut children = diagram.children(at);
        for child in &mut children {
            *child = copy_below(diagram, *child, copies, push)?;
        }
        copies[at.place()] = push(at, children)?;
    }
    Ok(copies[at.place()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
    use crate::diagram::packed::WORD;

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
            let bytes = packer.finish().to_bytes();
            for (at, children) in pushed {
                let diagram = Diagram::packed(&bytes, at);
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
        let bytes = packer.finish().to_bytes();
        assert_eq!(Diagram::packed(&bytes, last).children(last), children);
        let words = bytes.len() / WORD;
        assert!(words <= Edge::MAX_NODES);
        assert!(words + 8 > Edge::MAX_NODES);
    }
}
