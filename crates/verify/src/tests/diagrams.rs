//! Diagrams that are wrong.

use std::error::Error;
use std::io::Cursor;
use std::iter;
use std::time::Instant;

use setrograde_endgame::diagram::{
    Bounds, Diagram, DiagramBuilder, Edge, Node, NodePacker, TooManyNodes,
};
use setrograde_lookup::{Database, MapWriter, PackedDiagram};
use setrograde_parallel::Stop;

use super::{DATABASE, GO_ON, evaluator, level};
use crate::reproof::check_diagram;
use crate::three_valued::Evaluator;
use crate::{PartitionName, VerifyError};

/// The partitions of 8 cards, and the nodes and the root of the diagram of each.
fn diagrams() -> impl Iterator<Item = (PartitionName, Vec<Node>, Edge)> {
    let partitions = level(2).partitions().iter().enumerate();
    partitions.map(|(number, partition)| {
        let diagram = level(2).diagram(partition).expect("a sound diagram");
        let (nodes, root) = diagram.own_nodes();
        (PartitionName { number, partition }, nodes, root)
    })
}

#[test]
fn diagrams_with_wrong_bounds_or_owners_are_found() {
    let mut evaluator = evaluator();
    let mut tried = 0;
    for (name, nodes, root) in diagrams().filter(|(.., root)| root.is_node()) {
        let lengths = name.partition.shape.lengths;
        let mut problem = |nodes: &[Node], root: Edge| {
            let diagram = Diagram::new(nodes, root);
            match check_diagram(&mut evaluator, level(2), name, diagram) {
                Err(VerifyError::Cover { problem, .. }) => problem,
                Err(_) => "another error",
                Ok(_) => "none",
            }
        };
        assert_eq!(problem(&nodes, root), "none");
        if root.bounds() == (Bounds { lo: 0, hi: 1 }) {
            let wide = Edge::node(root.suit(), root.slot(), Bounds { lo: 0, hi: 2 });
            let found = problem(&nodes, wide);
            assert_eq!(found, "the bounds are not those of the children");
            tried += 1;
        }
        let suit_lengths = lengths[root.suit()];
        if let Some(none) = (0..4).find(|&owner| suit_lengths.length(owner) == 0) {
            let mut nodes = nodes.clone();
            nodes[root.slot()].children[none] = Edge::leaf(root.lo());
            let found = problem(&nodes, root);
            assert_eq!(found, "a hand without cards may own the next card");
            tried += 1;
        }
        if suit_lengths.holders() == 4 {
            let mut nodes = nodes.clone();
            let children = &mut nodes[root.slot()].children;
            for owner in 0..4 {
                let child = std::mem::replace(&mut children[owner], Edge::NOTHING);
                let joined: Bounds = children.iter().map(|child| child.bounds()).collect();
                if joined == root.bounds() {
                    tried += 1;
                    break;
                }
                children[owner] = child;
            }
            if children.contains(&Edge::NOTHING) {
                let found = problem(&nodes, root);
                assert_eq!(found, "a hand that may own the next card is left out");
            }
        }
        if let Some(empty) = (0..4).find(|&suit| lengths[suit].total() == 0) {
            let wrong = Edge::node(empty, root.slot(), root.bounds());
            let found = problem(&nodes, wrong);
            assert_eq!(found, "it asks for a card of a suit that has none left");
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}

/// A bound that is proved at a node is not proved again below it, and a walk ends when it knows
/// enough: no answer shows that.
#[test]
fn a_proof_takes_no_more_work_than_it_did() -> Result<(), Box<dyn Error>> {
    let mut work = [0; 2];
    for (level, work) in DATABASE.levels().zip(&mut work) {
        for (number, partition) in level.partitions().iter().enumerate() {
            let below = DATABASE.level(level.level() - 1);
            let mut evaluator = Evaluator::new(level, below, &GO_ON);
            let diagram = level.diagram(partition)?;
            let name = PartitionName { number, partition };
            check_diagram(&mut evaluator, level, name, diagram)?;
            *work += evaluator.nodes();
        }
    }
    assert_eq!(work, [90, 40_128]);
    Ok(())
}

/// Returns the subtree at `at`, with one leaf changed: that of `owner` at the node
/// at `index`.
fn with_leaf(
    diagram: Diagram<'_>,
    at: Edge,
    (index, owner, value): (usize, usize, u8),
    builder: &mut DiagramBuilder,
) -> Result<Edge, TooManyNodes> {
    if !at.is_node() {
        return Ok(at);
    }
    let mut children = diagram.children(at);
    for (hand, child) in children.iter_mut().enumerate() {
        *child = if (at.slot(), hand) == (index, owner) {
            Edge::leaf(value)
        } else {
            with_leaf(diagram, *child, (index, owner, value), builder)?
        };
    }
    builder.node(at.suit(), children)
}

#[test]
fn every_wrong_leaf_of_eight_cards_is_found() -> Result<(), Box<dyn Error>> {
    let mut evaluator = evaluator();
    let mut builder = DiagramBuilder::new();
    let mut tried = 0;
    for (name, nodes, root) in diagrams() {
        let diagram = Diagram::new(&nodes, root);
        for (index, node) in nodes.iter().enumerate() {
            for (owner, leaf) in node.children.iter().enumerate() {
                for value in (0..=2).filter(|&value| leaf.is_leaf() && value != leaf.lo()) {
                    builder.clear();
                    let root = with_leaf(diagram, root, (index, owner, value), &mut builder)?;
                    let wrong = Diagram::new(builder.nodes(), root);
                    let found = check_diagram(&mut evaluator, level(2), name, wrong);
                    let Err(VerifyError::WrongSet { stored, right, .. }) = found else {
                        return Err(format!("{name}: {value} for {leaf:?}: {found:?}").into());
                    };
                    assert_eq!((stored, right), (value, leaf.lo()));
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
    Ok(())
}

#[test]
fn a_level_below_that_asks_for_a_card_that_is_not_there_proves_nothing()
-> Result<(), Box<dyn Error>> {
    let mut builder = DiagramBuilder::new();
    let leaves = [0, 1, 0, 1].map(Edge::leaf);
    let root = builder.node(3, leaves)?;
    let wrong = Diagram::new(builder.nodes(), root);
    let packed = PackedDiagram::new(wrong, &mut NodePacker::new())?;
    let partitions = level(1).partitions();
    let writer = MapWriter::new(partitions, 0, 1 << 16, None, false)?;
    writer.push(
        partitions
            .iter()
            .map(|partition| (partition, packed.clone())),
    )?;
    let bytes = writer.finish(Cursor::new(Vec::new()), || true)?;
    let forged = Database::from_bytes([bytes.into_inner()])?;
    let mut evaluator = Evaluator::new(level(2), forged.level(1), &GO_ON);
    let mut refused = 0;
    for (name, nodes, root) in diagrams() {
        let found = check_diagram(&mut evaluator, level(2), name, Diagram::new(&nodes, root));
        // Below, the last suit is empty, too.
        if root.is_node() && name.partition.shape.lengths[3].total() == 0 {
            let error = found.err().ok_or_else(|| name.to_string())?.to_string();
            refused += usize::from(error.contains("asks for a card that no hand has"));
        }
    }
    assert!(refused > 100, "{refused}");
    Ok(())
}

#[test]
fn a_proof_under_way_can_be_cancelled() -> Result<(), Box<dyn Error>> {
    let cancelled = Stop::default().by(Instant::now());
    let mut evaluator = Evaluator::new(level(2), Some(level(1)), &cancelled);
    // The whole level many times over: it is small.
    for (name, nodes, root) in iter::repeat_with(diagrams).take(100).flatten() {
        match check_diagram(&mut evaluator, level(2), name, Diagram::new(&nodes, root)) {
            Ok(_) => {}
            Err(VerifyError::Cancelled) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    Err("nobody looked at the flag".into())
}
