//! The streams of shards: what is written is read back, and nothing read is trusted.

use proptest::prelude::*;
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, Edge};
use setrograde_endgame::partition::Shape;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::format::StreamError;
use setrograde_lookup::format::diagram_codec::{DiagramReader, DiagramStreams};
use setrograde_lookup::paper::card_order::{CardOrder, EVERYTHING, OrderKey};
use setrograde_lookup::paper::tree_codec::{TreeReader, TreeStreams};
use setrograde_lookup::paper::unfold::{UnfoldError, unfold};

const LEVEL: usize = 3;

/// A diagram over a shape whose leaves come from `leaves`, over and over.
fn grow(
    lengths: [SuitLengths; 4],
    depth: usize,
    leaves: &mut impl Iterator<Item = u8>,
    builder: &mut DiagramBuilder,
) -> Edge {
    let open = (0..4).find(|&suit| lengths[suit].holders() >= 2);
    let (Some(suit), 1..) = (open, depth) else {
        return Edge::leaf(leaves.next().expect("endless"));
    };
    let mut children = [Edge::NOTHING; 4];
    for (owner, child) in children.iter_mut().enumerate() {
        if lengths[suit].length(owner) > 0 {
            let mut lengths = lengths;
            lengths[suit] = lengths[suit].without_one(owner);
            *child = grow(lengths, depth - 1, leaves, builder);
        }
    }
    builder.node(suit, children).expect("few nodes")
}

fn shapes(first: usize, count: usize) -> Vec<Shape> {
    PartitionIndex::new(LEVEL)
        .iter_from(first)
        .take(count)
        .map(|partition| partition.shape)
        .collect()
}

/// The sets of a diagram's paths, with their values.
fn paths(builder: &DiagramBuilder, root: Edge, order: &CardOrder) -> Vec<(OrderKey, u8)> {
    let diagram = Diagram::new(builder.nodes(), root);
    let (mut sets, mut open) = (Vec::new(), vec![(root, EVERYTHING, [0; 4])]);
    while let Some((at, key, known)) = open.pop() {
        if !at.is_node() {
            sets.push((key, at.lo()));
            continue;
        }
        let suit = diagram.suit(at);
        let mut below = known;
        below[suit] += 1;
        for (owner, child) in diagram.children(at).into_iter().enumerate() {
            let others = OrderKey::from(15u8 & !(1 << owner));
            let key = key & !(others << (4 * order.at(suit, known[suit])));
            if child != Edge::NOTHING && order.is_possible(key) {
                open.push((child, key, below));
            }
        }
    }
    sets.sort_unstable();
    sets
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The sets of a diagram's paths are read back from a tree, and unfold to a diagram with the
    /// same values; not so if one is left out or has two values.
    #[test]
    fn a_tree_has_the_values_of_its_sets(
        first in 0usize..32_000,
        leaves in prop::collection::vec(0u8..=LEVEL as u8, 1..40),
        depth in 0usize..6,
        pick in any::<prop::sample::Index>(),
    ) {
        let shape = shapes(first, 1)[0];
        let order = CardOrder::new(shape);
        let mut builder = DiagramBuilder::new();
        let root = grow(shape.lengths, depth, &mut leaves.into_iter().cycle(), &mut builder);
        let sets = paths(&builder, root, &order);
        let mut streams = TreeStreams::default();
        let written = streams.push(&mut sets.clone());
        let mut reader = TreeReader::new(&streams.keys, &streams.links, LEVEL);
        let mut read = Vec::new();
        prop_assert_eq!(reader.next(&order, &mut read), Ok(written));
        prop_assert_eq!(reader.finish(), Ok(()));
        read.sort_unstable();
        prop_assert_eq!(&read, &sets);

        let root = unfold(&order, &sets, &mut builder).expect("as from a builder");
        for (path, value) in paths(&builder, root, &order) {
            let mut common = sets.iter().filter(|(set, _)| order.is_possible(path & set));
            prop_assert!(common.all(|&(_, other)| other == value));
        }
        let (key, value) = read.swap_remove(pick.index(read.len()));
        let found = unfold(&order, &read, &mut builder);
        prop_assert_eq!(found, Err(UnfoldError::Uncovered));
        read.extend([(key, value), (key, value + 1)]);
        let found = unfold(&order, &read, &mut builder);
        prop_assert_eq!(found, Err(UnfoldError::Contradiction));
    }

    #[test]
    fn what_is_written_is_read_again(
        first in 0usize..32_000,
        leaves in prop::collection::vec(0u8..=LEVEL as u8, 1..40),
        depth in 0usize..6,
    ) {
        let mut streams = DiagramStreams::default();
        let mut leaves = leaves.into_iter().cycle();
        let mut builder = DiagramBuilder::new();
        let mut written = Vec::new();
        let shapes = shapes(first, 5);
        for shape in &shapes {
            let root = grow(shape.lengths, depth, &mut leaves, &mut builder);
            let diagram = Diagram::new(builder.nodes(), root);
            streams.push(diagram, *shape);
            written.push(root);
        }
        let mut reader = DiagramReader::new(&streams.tokens, &streams.distances, LEVEL, 0, false);
        let roots: Vec<_> = shapes.iter().map(|shape| reader.next(*shape)).collect();
        // Shared nodes are written once.
        prop_assert_eq!(reader.node_count(), builder.nodes().len());
        prop_assert_eq!(reader.node_count(), streams.node_count() as usize);
        let nodes = reader.finish().expect("sound streams");
        let mut again = DiagramStreams::default();
        for ((root, written), shape) in roots.into_iter().zip(written).zip(&shapes) {
            let root = root.expect("sound streams");
            prop_assert_eq!(root.bounds(), written.bounds());
            again.push(Diagram::new(&nodes, root), *shape);
        }
        prop_assert_eq!(again.tokens, streams.tokens);
        prop_assert_eq!(again.distances, streams.distances);
    }

    #[test]
    fn no_stream_of_bytes_makes_it_panic(
        first in 0usize..32_000,
        tokens in prop::collection::vec(prop_oneof![0u8..24, any::<u8>()], 0..200),
        distances in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let read = |partitions: usize| {
            let mut reader = DiagramReader::new(&tokens, &distances, LEVEL, 1 << 40, false);
            let roots: Result<Vec<Edge>, StreamError> = shapes(first, partitions)
                .into_iter()
                .map(|shape| reader.next(shape))
                .collect();
            roots.and_then(|roots| Ok((roots, reader.finish()?)))
        };
        for (roots, nodes) in (1..20).filter_map(|partitions| read(partitions).ok()) {
            for root in roots {
                prop_assert!(!root.is_node() || root.slot() < nodes.len());
            }
            for (slot, node) in nodes.iter().enumerate() {
                for child in node.children {
                    prop_assert!(!child.is_node() || child.slot() < slot);
                }
            }
        }
    }
}

#[test]
fn each_fault_has_a_name() {
    let shape = shapes(20_000, 1)[0];
    let read = |tokens: &[u8], distances: &[u8]| {
        let mut reader = DiagramReader::new(tokens, distances, LEVEL, 0, false);
        reader.next(shape).and_then(|_| reader.finish())
    };
    assert_eq!(read(&[2], &[]), Ok(vec![]));
    assert_eq!(read(&[], &[]), Err(StreamError::Ends));
    assert_eq!(read(&[2, 2], &[]), Err(StreamError::TrailingBytes));
    assert_eq!(read(&[2], &[0]), Err(StreamError::TrailingBytes));
    assert_eq!(
        read(&[4], &[]),
        Err(StreamError::Token(4)),
        "more tricks than cards"
    );
    assert_eq!(read(&[77], &[]), Err(StreamError::Token(77)));
    assert_eq!(
        read(&[20], &[0]),
        Err(StreamError::Distance),
        "nothing is finished yet"
    );
    assert_eq!(read(&[20], &[]), Err(StreamError::Ends));
    assert_eq!(read(&[16, 1, 1, 1, 1], &[]), Err(StreamError::IdleNode));
}
