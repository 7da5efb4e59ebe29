//! Questions over sets of endings: along all paths that a set leaves open.

use super::{Bounds, Diagram, Edge, MOST_DEPTH, View};
use crate::set::EndingSet;

/// Maximum number of nodes that one question over sets may visit, far more than any diagram of a
/// builder needs. A diagram made to be slow gets wider bounds or a narrower set, which are also
/// correct.
const MOST_STEPS: u32 = 1 << 20;

impl Diagram<'_> {
    /// Returns the minimum and maximum value of the endings of `set`, given in the question's suits
    /// and hands; [`Bounds::NOTHING`] if the set is empty. They are exact if each card's mask names
    /// one hand; otherwise they may include paths that no deal of the shape can follow.
    pub fn bounds(&self, set: &EndingSet, view: View) -> Bounds {
        let mut found = Bounds::NOTHING;
        let mut paths = Paths::new(*self);
        let set = set.seen_by(view.order, view.leader);
        paths.join(self.root(), UnaskedCards::of(&set), &mut found, false);
        found
    }

    /// Returns the set with as few known cards as the bounds allow, in the question's suits and
    /// hands: suit by suit, it drops the lowest known cards as long as all endings of the set stay
    /// within `bounds`.
    pub fn widen(&self, set: &EndingSet, view: View, bounds: Bounds) -> EndingSet {
        let mut indices = [0; 4];
        for (index, suit) in view.order.suits().into_iter().enumerate() {
            indices[suit] = index;
        }
        let seen = set.seen_by(view.order, view.leader);
        let seen = Paths::new(*self).widest(seen, indices, bounds);
        let mut set = *set;
        for (suit, index) in indices.into_iter().enumerate() {
            set = set.forget_from(suit, seen.known(index));
        }
        set
    }
}

/// Returns the number of known cards of each suit, one byte each.
#[inline]
fn known(set: &EndingSet) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|suit| set.known(suit) as u8))
}

/// The known cards of a set that no node has asked for yet, in the diagram's
/// suits and hands.
#[derive(Clone, Copy)]
struct UnaskedCards {
    /// The masks of each suit, the next card's in the lowest nibble.
    masks: [u64; 4],
    /// Number of known cards of each suit, one byte each.
    known: u32,
    /// Maximum number of cards that a path may still ask for. Valid paths need fewer.
    steps: u8,
}

impl UnaskedCards {
    fn of(set: &EndingSet) -> UnaskedCards {
        UnaskedCards {
            masks: [0, 1, 2, 3].map(|suit| set.masks(suit)),
            known: known(set),
            steps: MOST_DEPTH,
        }
    }

    /// Takes the next card of a suit, and returns the hands that may own it.
    #[inline]
    fn pop(&mut self, suit: usize) -> u8 {
        self.steps -= 1;
        let one = 1 << (8 * suit);
        if self.known >> (8 * suit) & 0xff == 0 {
            return 15;
        }
        self.known -= one;
        let mask = self.masks[suit & 3] as u8 & 15;
        self.masks[suit & 3] >>= 4;
        mask
    }
}

/// All paths through a diagram that a set leaves open.
struct Paths<'a> {
    diagram: Diagram<'a>,
    steps: u32,
}

impl<'a> Paths<'a> {
    fn new(diagram: Diagram<'a>) -> Self {
        Paths {
            diagram,
            steps: MOST_STEPS,
        }
    }

    /// Returns the set with the fewest known cards that keep all paths within the bounds.
    fn widest(&mut self, set: EndingSet, suits: [usize; 4], bounds: Bounds) -> EndingSet {
        let root = self.diagram.root();
        set.widen(suits, |wider| {
            !self.join(root, UnaskedCards::of(wider), &mut { bounds }, true)
        })
    }

    /// Joins the values below `at` to `found`, all of them, or until the first that is not in it if
    /// `stops` is true. Returns true if it stopped.
    fn join(
        &mut self,
        mut at: Edge,
        mut left: UnaskedCards,
        found: &mut Bounds,
        stops: bool,
    ) -> bool {
        loop {
            if found.contain(at.bounds()) {
                return false;
            }
            // If nothing more is known, the bounds of the edge are exact.
            if !at.is_node() || left.known == 0 || left.steps == 0 || self.steps == 0 {
                *found = found.join(at.bounds());
                return stops;
            }
            self.steps -= 1;
            let node = self.diagram.node(at);
            let mask = left.pop(node.suit());
            if mask.is_power_of_two() {
                at = self.diagram.child_of(&node, mask.trailing_zeros() as usize);
                continue;
            }
            return different(self.diagram.children_of(&node), mask)
                .any(|child| self.join(child, left, found, stops));
        }
    }
}

/// Returns the distinct children for the owners in `mask`.
#[inline]
fn different(children: [Edge; 4], mask: u8) -> impl Iterator<Item = Edge> {
    let in_mask = move |&owner: &usize| mask >> owner & 1 == 1;
    let owners = (0..4).filter(in_mask);
    let is_new = move |&owner: &usize| {
        let mut before = (0..owner).filter(in_mask);
        before.all(|other| children[other] != children[owner])
    };
    owners.filter(is_new).map(move |owner| children[owner])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{Node, Verdict};
    use crate::ending::{Ending, EndingError};
    use crate::owners::TopCards;
    use crate::partition::SuitOrder;
    use setrograde_cards::{Seat, Strain};

    /// Nodes each of which leads to the two before it, and the edge to the last. Only the
    /// first two ask for a card of suit 1.
    fn ladder(rungs: usize) -> (Vec<Node>, Edge) {
        let bounds = Bounds { lo: 0, hi: 1 };
        let mut nodes = vec![
            Node {
                children: [0, 1, 1, 1].map(Edge::leaf),
            },
            Node {
                children: [0, 1, 0, 1].map(Edge::leaf),
            },
        ];
        let (mut at, mut beside) = (Edge::node(1, 0, bounds), Edge::node(1, 1, bounds));
        for index in 1..rungs {
            for children in [[at, beside, at, beside], [beside, at, at, at]] {
                nodes.push(Node { children });
            }
            at = Edge::node(0, 2 * index, bounds);
            beside = Edge::node(0, 2 * index + 1, bounds);
        }
        (nodes, at)
    }

    /// Trying all paths would take practically forever: 2^40 paths, or paths that ask for more
    /// cards than there are.
    #[test]
    #[cfg_attr(miri, ignore = "asks until the limit of the work")]
    fn questions_end_however_many_paths_a_diagram_has() -> Result<(), EndingError> {
        let view = View {
            order: SuitOrder::IDENTITY,
            leader: 0,
        };
        let owners = [0, 1, 2, 3];
        let ending = Ending::new(Strain::NoTrump, Seat::North, [&owners, &owners, &[], &[]])?;
        for rungs in [40, 500] {
            let (nodes, at) = ladder(rungs);
            let diagram = Diagram::new(&nodes, at);
            let mut set = EndingSet::EVERYTHING;
            for known in 1..3 {
                set.learn(1, 1);
                assert!(diagram.bounds(&set, view).contain(Bounds::exactly(0)));
                let widened = diagram.widen(&set, view, Bounds::exactly(0));
                assert_eq!(widened.known(1), known);
                assert_eq!(diagram.widen(&set, view, at.bounds()).known(1), 0);
            }
            let value = (rungs == 40).then_some(0);
            assert_eq!(diagram.value(&ending, SuitOrder::IDENTITY), value);
            let verdict = diagram.decide(&ending, SuitOrder::IDENTITY, 1);
            assert_eq!(verdict.map(|verdict| verdict.reached), value.map(|_| false));
        }
        Ok(())
    }

    #[test]
    fn a_walk_that_leads_nowhere_decides_nothing() {
        // The leader's side wins with the top card, and only the leader and its partner can own it.
        let children = [Edge::leaf(1), Edge::NOTHING, Edge::leaf(0), Edge::NOTHING];
        let nodes = [Node { children }];
        let diagram = Diagram::new(&nodes, Edge::node(0, 0, Bounds { lo: 0, hi: 1 }));
        let decide = |top: u8| {
            let owners = [0, 1, 2, 3].map(|index| (top + index) % 4);
            let ending =
                Ending::new(Strain::NoTrump, Seat::North, [&owners, &[], &[], &[]]).ok()?;
            let verdict = diagram.decide(&ending, SuitOrder::IDENTITY, 1);
            assert_eq!(
                verdict.map(|verdict| u8::from(verdict.reached)),
                diagram.value(&ending, SuitOrder::IDENTITY)
            );
            verdict
        };
        let known = TopCards::new([1, 0, 0, 0]);
        let verdict = |reached| Some(Verdict { reached, known });
        assert_eq!(decide(0), verdict(true));
        assert_eq!(decide(2), verdict(false));
        assert_eq!(decide(1), None);
    }
}
