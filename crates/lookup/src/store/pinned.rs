//! What a level holds for a partition, held in memory.

use setrograde_endgame::diagram::{Diagram, Edge};

use super::counted::Held;
use super::unpack::Trees;
use crate::payload::Payload;

/// What a level holds for a partition. It stays in memory while this lives, even if
/// its shard is forgotten.
#[derive(Debug)]
pub struct PinnedPayload<'a>(PayloadSource<'a>);

#[derive(Debug)]
enum PayloadSource<'a> {
    /// Of a level that keeps what it unpacks.
    Diagram(Diagram<'a>),
    /// Of a level that keeps what it unpacks: the partition's place among the trees
    /// of its shard.
    Tree { trees: &'a Trees, place: usize },
    /// Of a shard that may be forgotten: the partition's place in it.
    Held { held: Held, place: usize },
}

impl<'a> PinnedPayload<'a> {
    #[inline]
    pub(super) const fn diagram_of(diagram: Diagram<'a>) -> PinnedPayload<'a> {
        PinnedPayload(PayloadSource::Diagram(diagram))
    }

    pub(super) const fn tree(trees: &'a Trees, place: usize) -> PinnedPayload<'a> {
        PinnedPayload(PayloadSource::Tree { trees, place })
    }

    pub(super) const fn held(held: Held, place: usize) -> PinnedPayload<'a> {
        PinnedPayload(PayloadSource::Held { held, place })
    }

    /// The diagram or tree.
    #[must_use]
    pub fn get(&self) -> Payload<'_> {
        match &self.0 {
            PayloadSource::Diagram(diagram) => Payload::Diagram(*diagram),
            PayloadSource::Tree { trees, place } => Payload::Tree(trees.tree(*place)),
            PayloadSource::Held { held, place } => match &**held {
                Some(counted) => counted.shard.payload(*place),
                // Only what is there is held.
                None => Payload::Diagram(NOWHERE),
            },
        }
    }

    /// The diagram, if it is one: the usual case, without a detour by way of a
    /// payload, which has room for a tree.
    #[inline]
    pub(crate) fn diagram(&self) -> Option<Diagram<'_>> {
        match &self.0 {
            PayloadSource::Diagram(diagram) => Some(*diagram),
            _ => self.other_diagram(),
        }
    }

    #[inline(never)]
    fn other_diagram(&self) -> Option<Diagram<'_>> {
        match self.get() {
            Payload::Diagram(diagram) => Some(diagram),
            Payload::Tree(_) => None,
        }
    }
}

/// The diagram of a partition. It stays in memory while this lives, even if its
/// shard is forgotten.
#[derive(Debug)]
pub struct PinnedDiagram<'a>(DiagramSource<'a>);

#[derive(Debug)]
enum DiagramSource<'a> {
    /// Of a level that keeps what it unpacks, or of something else that stays.
    Diagram(Diagram<'a>),
    /// Of a shard that may be forgotten: the partition's place in it.
    Held { held: Held, place: usize },
}

impl PinnedDiagram<'_> {
    pub(super) const fn held(held: Held, place: usize) -> Self {
        PinnedDiagram(DiagramSource::Held { held, place })
    }

    /// The diagram.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Diagram<'_> {
        match &self.0 {
            DiagramSource::Diagram(diagram) => *diagram,
            DiagramSource::Held { held, place } => diagram_in(held, *place),
        }
    }
}

/// Apart, so that look-ups in a level that is kept stay short.
#[inline(never)]
fn diagram_in(held: &Held, place: usize) -> Diagram<'_> {
    let counted = held.as_ref();
    let diagram = counted.and_then(|counted| counted.shard.diagram(place).ok());
    // Only what is there, and a diagram, is pinned.
    diagram.unwrap_or(NOWHERE)
}

/// A diagram that lives as long as it is needed anyhow.
impl<'a> From<Diagram<'a>> for PinnedDiagram<'a> {
    #[inline]
    fn from(diagram: Diagram<'a>) -> PinnedDiagram<'a> {
        PinnedDiagram(DiagramSource::Diagram(diagram))
    }
}

/// A diagram that covers no ending.
const NOWHERE: Diagram<'static> = Diagram::new(&[], Edge::NOTHING);
