//! Many look-ups at once.
//!
//! A look-up waits for memory: the partition's root, then a node for each card
//! that matters, each in a place of its own. Endings of a batch take these
//! steps side by side, so that their waits overlap.

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::suit_order::SuitOrder;

use crate::database::Database;
use crate::error::ProbeError;
use crate::payload::Payload;

/// How many walks go side by side: as many as a core can wait for.
const WIDTH: usize = 16;

/// An ending's walk through its diagram.
#[derive(Clone, Copy)]
struct Step<'a> {
    diagram: Diagram<'a>,
    order: SuitOrder,
    owners: [u32; 4],
    leader: u32,
    at: Edge,
}

impl Step<'_> {
    const DONE: Step<'static> = Step {
        diagram: Diagram::constant(0),
        order: SuitOrder::IDENTITY,
        owners: [0; 4],
        leader: 0,
        at: Edge::leaf(0),
    };

    #[inline]
    fn advance(&mut self) {
        let owners = &mut self.owners[self.order.suit(self.at.suit())];
        let owner = owners.wrapping_sub(self.leader) & 3;
        *owners >>= 2;
        self.at = self.diagram.nodes[self.at.place()].children[owner as usize];
    }
}

impl Database {
    /// The values of many endings, in their order: tricks for each leader's
    /// side. Several times as fast as [`value`](Self::value) on endings that
    /// have nothing to do with each other.
    ///
    /// # Errors
    ///
    /// The first ending without an answer, by its index, and why.
    pub fn values(&self, endings: &[Ending]) -> Result<Vec<u8>, (usize, ProbeError)> {
        let mut values = Vec::with_capacity(endings.len());
        for (group, endings) in endings.chunks(WIDTH).enumerate() {
            let index = |at: usize| group * WIDTH + at;
            let mut steps = [Step::DONE; WIDTH];
            for (at, (step, ending)) in steps.iter_mut().zip(endings).enumerate() {
                let (payload, order) = self.payload(ending).map_err(|error| (index(at), error))?;
                *step = match payload {
                    Payload::Diagram(diagram) => Step {
                        diagram,
                        order,
                        owners: ending.packed_owners(),
                        leader: u32::from(ending.leader_index()),
                        at: diagram.root,
                    },
                    // A tree is searched from one node to the next in memory:
                    // there is little to wait for.
                    Payload::Tree(tree) => {
                        let at = tree.value(ending, order).map_or(Edge::NOTHING, Edge::leaf);
                        Step { at, ..Step::DONE }
                    }
                };
            }
            while steps.iter().any(|step| step.at.is_node()) {
                for step in steps.iter_mut().filter(|step| step.at.is_node()) {
                    step.advance();
                }
            }
            for (at, (step, ending)) in steps.iter().zip(endings).enumerate() {
                if step.at.is_nothing() {
                    return Err((index(at), self.leads_nowhere(ending)));
                }
                values.push(step.at.lo());
            }
        }
        Ok(values)
    }
}
