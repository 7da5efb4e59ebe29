//! Packed nodes are read as they were written.

use super::*;
use crate::diagram::{Bounds, PADDING};

fn read(packer: &NodePacker) -> Vec<u8> {
    let mut bytes = packer.to_bytes();
    bytes.resize(bytes.len() + PADDING, 0);
    bytes
}

/// Returns the edge after the bytes are reversed.
fn turned(packer: &NodePacker, at: Edge) -> Edge {
    if at.is_node() {
        Edge::to_byte(at.to_bits() & 0xff, packer.offset(at) as u32)
    } else {
        at
    }
}

/// Random children, near and far, with bounds of every width.
#[test]
#[cfg_attr(miri, ignore = "packs megabytes")]
fn children_are_read_as_they_were_written() {
    for with_intervals in [false, true] {
        children_are_read(with_intervals);
    }
}

fn children_are_read(with_intervals: bool) {
    let random = &mut fastrand::Rng::with_seed(11);
    for most in 1..=13 {
        let mut packer = NodePacker::new();
        let mut made = vec![Edge::leaf(0)];
        let mut pushed = Vec::new();
        while packer.len() < 180_000 {
            let child = |random: &mut fastrand::Rng| match random.u8(..8) {
                0 => Edge::NOTHING,
                1 | 2 => Edge::leaf(random.u8(..=most)),
                3 if with_intervals => {
                    let lo = random.u8(..most);
                    let hi = random.u8(lo + 1..=most);
                    Edge::interval(Bounds { lo, hi })
                }
                3 | 4 => made[made.len() - 1],
                5 | 6 => made[made.len() - 1 - random.usize(..made.len().min(100))],
                _ => made[random.usize(..made.len())],
            };
            let children = [(); 4].map(|()| child(random));
            let suit = random.usize(..4);
            let at = packer.push(suit, children).expect("few nodes");
            if at.is_node() {
                pushed.push((at, suit, children));
                made.push(at);
            }
        }
        let bytes = read(&packer);
        for (at, suit, children) in pushed {
            let at = turned(&packer, at);
            let children = children.map(|child| turned(&packer, child));
            let diagram = Diagram::packed(&bytes, at);
            assert_eq!(diagram.children(at), children);
            assert_eq!(diagram.suit(at), suit);
            for (owner, child) in children.into_iter().enumerate() {
                assert_eq!(diagram.child(at, owner), child);
            }
        }
    }
}

/// The node of docs/format.md.
#[test]
fn an_interval_in_narrow_bounds_takes_a_byte() -> Result<(), TooManyNodes> {
    let mut packer = NodePacker::new();
    let bounds = Bounds { lo: 2, hi: 3 };
    let children = [
        Edge::leaf(2),
        Edge::interval(bounds),
        Edge::NOTHING,
        Edge::leaf(3),
    ];
    let root = packer.push(1, children)?;
    let bytes = read(&packer);
    // Suit 1; kinds 3 (instead of 1), 3, 0, 2; hand 0: kind 1, hand 1: an interval.
    let head = 1 | 3 << 2 | 3 << 5 | 2 << 11;
    assert_eq!(
        bytes[..3],
        [192 + (head >> 8) as u8, head as u8, 1 | 2 << 3]
    );
    let at = turned(&packer, root);
    assert_eq!(Diagram::packed(&bytes, at).children(at), children);
    Ok(())
}

#[test]
fn equal_children_make_no_node() {
    let mut packer = NodePacker::new();
    let open = Edge::interval(Bounds { lo: 1, hi: 3 });
    let (nothing, three) = (Edge::NOTHING, Edge::leaf(3));
    for (children, edge) in [
        ([open, nothing, open, open], open),
        ([three, nothing, three, three], three),
        ([nothing; 4], nothing),
    ] {
        assert_eq!(packer.push(1, children), Ok(edge));
    }
    assert_eq!(packer.len(), 0);
    for other in [Edge::interval(Bounds { lo: 1, hi: 2 }), Edge::leaf(2)] {
        let pushed = packer.push(1, [open, other, open, open]);
        assert!(pushed.is_ok_and(Edge::is_node));
    }
}

/// The nodes of docs/format.md.
#[test]
fn nodes_that_differ_by_a_number_are_one() -> Result<(), TooManyNodes> {
    let mut packer = NodePacker::new();
    let low = packer.push(2, [0, 1, 0, 1].map(Edge::leaf))?;
    let high = packer.push(2, [1, 2, 1, 2].map(Edge::leaf))?;
    assert_eq!((low.byte(), high.byte(), packer.len()), (2, 2, 2));
    let root = packer.push(0, [low, high, Edge::NOTHING, Edge::leaf(2)])?;
    let bytes = read(&packer);
    // Suit 0; hand 0: the node that follows, 0 to 1; hand 1: the same, 1 to 2;
    // hand 2: nothing; hand 3: a leaf, 2 above the least value.
    let head = 4 << 2 | (3 | 2 << 3) << 7 | (1 | 2 << 3) << 17;
    // Suit 2; leaves of the lesser and of the greater value in turn.
    let below = 2 | 1 << 2 | 2 << 5 | 1 << 8 | 2 << 11;
    assert_eq!(bytes[..3], u32::to_le_bytes(head)[..3]);
    assert!(HEADS.is_sorted() && !HEADS.contains(&below));
    assert_eq!(bytes[3..5], [192 + (below >> 8) as u8, below as u8]);
    let at = turned(&packer, root);
    let diagram = Diagram::packed(&bytes, at);
    let children = diagram.children(at);
    assert_eq!(children[2..], [Edge::NOTHING, Edge::leaf(2)]);
    assert_eq!(diagram.children(children[0]), [0, 1, 0, 1].map(Edge::leaf));
    assert_eq!(diagram.children(children[1]), [1, 2, 1, 2].map(Edge::leaf));
    // A common head takes a byte: suit 0; a greater leaf, a lesser one, and nothing.
    let nothing = Edge::NOTHING;
    let common = packer.push(0, [Edge::leaf(1), Edge::leaf(0), nothing, nothing])?;
    assert_eq!((packer.offset(common), packer.len()), (0, 6));
    assert_eq!(HEADS.binary_search(&(2 << 2 | 1 << 5)), Ok(0));
    assert_eq!(packer.to_bytes()[0], 0);
    Ok(())
}

#[test]
#[cfg_attr(miri, ignore = "pushes as many nodes as a diagram can have")]
fn offsets_come_to_an_end() {
    let mut packer = NodePacker::new();
    let mut last = packer.push(0, [0, 1, 1, 1].map(Edge::leaf)).expect("one");
    let first = last;
    let mut children = [Edge::NOTHING; 4];
    let mut next = [last, first, last, Edge::leaf(0)];
    while let Ok(at) = packer.push(0, next) {
        (last, children) = (at, next);
        next = [last, first, last, Edge::leaf(0)];
    }
    let bytes = read(&packer);
    let at = turned(&packer, last);
    let found = Diagram::packed(&bytes, at).children(at);
    assert_eq!(found, children.map(|child| turned(&packer, child)));
    assert!(packer.len() + 16 > Edge::MAX_BYTES as usize);
}

/// For any bytes, children have larger offsets than their parents, and questions end.
#[test]
fn bytes_that_nobody_wrote_lead_forward() {
    let random = &mut fastrand::Rng::with_seed(12);
    for _ in 0..if cfg!(miri) { 500 } else { 200_000 } {
        let bytes: Vec<u8> = (0..random.usize(..40)).map(|_| random.u8(..)).collect();
        let (lo, hi) = (random.u8(..15), random.u8(..15));
        let at = Edge::to_byte(u32::from(lo | hi << 4), random.u32(..50));
        if !at.is_node() {
            continue;
        }
        let diagram = Diagram::packed(&bytes, at);
        for child in diagram.children(at) {
            assert!(!child.is_node() || child.byte() > at.byte());
        }
        let _ = diagram.own_nodes();
    }
}
