//! What a level holds for a partition, held in memory.

use setrograde_endgame::diagram::{Diagram, Edge};

use super::bounded::Held;
use super::unpack::Shard;
use crate::payload::Payload;

/// What a level holds for a partition. As long as this lives, it stays in memory,
/// whatever must be forgotten.
#[derive(Debug)]
pub struct PinnedPayload<'a>(Pinned<'a>);

/// The diagram of a partition. As long as this lives, it stays in memory,
/// whatever must be forgotten.
#[derive(Debug)]
pub struct PinnedDiagram<'a>(Pinned<'a>);

#[derive(Debug)]
enum Pinned<'a> {
    /// Of a level that keeps what it unpacks, or of something else that stays.
    Diagram(Diagram<'a>),
    /// Of a level that keeps what it unpacks: the partition's place in a shard.
    Kept { shard: &'a Shard, place: usize },
    /// Of a shard that may be forgotten: the partition's place in it.
    Held { held: Held, place: usize },
}

impl<'a> PinnedPayload<'a> {
    #[inline]
    pub(super) const fn diagram_of(diagram: Diagram<'a>) -> PinnedPayload<'a> {
        PinnedPayload(Pinned::Diagram(diagram))
    }

    pub(super) const fn kept(shard: &'a Shard, place: usize) -> PinnedPayload<'a> {
        PinnedPayload(Pinned::Kept { shard, place })
    }

    pub(super) const fn held(held: Held, place: usize) -> PinnedPayload<'a> {
        PinnedPayload(Pinned::Held { held, place })
    }

    /// The diagram or tree.
    #[must_use]
    pub fn get(&self) -> Payload<'_> {
        match &self.0 {
            Pinned::Diagram(diagram) => Payload::Diagram(*diagram),
            Pinned::Kept { shard, place } => shard.payload(*place),
            Pinned::Held { held, place } => match &**held {
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
            Pinned::Diagram(diagram) => Some(*diagram),
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

impl<'a> PinnedDiagram<'a> {
    pub(super) const fn held(held: Held, place: usize) -> PinnedDiagram<'a> {
        PinnedDiagram(Pinned::Held { held, place })
    }

    /// The diagram.
    #[inline]
    #[must_use]
    pub fn get(&self) -> Diagram<'_> {
        match &self.0 {
            Pinned::Diagram(diagram) => *diagram,
            _ => self.other(),
        }
    }

    #[inline(never)]
    fn other(&self) -> Diagram<'_> {
        let (shard, place) = match &self.0 {
            Pinned::Diagram(diagram) => return *diagram,
            Pinned::Kept { shard, place } => (Some(*shard), *place),
            Pinned::Held { held, place } => (held.as_ref().map(|counted| &counted.shard), *place),
        };
        let diagram = shard.and_then(|shard| shard.diagram(place).ok());
        // Only what is there, and a diagram, is pinned.
        diagram.unwrap_or(NOWHERE)
    }
}

/// A diagram that lives as long as it is needed anyhow.
impl<'a> From<Diagram<'a>> for PinnedDiagram<'a> {
    #[inline]
    fn from(diagram: Diagram<'a>) -> PinnedDiagram<'a> {
        PinnedDiagram(Pinned::Diagram(diagram))
    }
}

/// A diagram that covers no ending.
const NOWHERE: Diagram<'static> = Diagram::new(&[], Edge::NOTHING);
