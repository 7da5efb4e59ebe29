//! Diagrams copied from plain nodes to packed ones, and back.

use std::convert::Infallible;

use super::packed::WORD;
use super::{Diagram, Edge, Node, NodePacker, PackedNodes, TooManyNodes};

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
            &mut |at, children| packer.push(at.suit(), &children.into()),
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
                &mut |at, children| packer.push(at.suit(), &children.into()),
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
