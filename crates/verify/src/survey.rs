//! A query to the level below: are all endings of a set worth at least *t*
//! tricks, or none of them, or some?

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::partition::SuitOrder;

use crate::path_set::{TopOwners, suit_bits};

/// Some ending reached has less than the value in question.
pub(crate) const LESS: u8 = 1;
/// Some ending reached has at least the value in question.
pub(crate) const ENOUGH: u8 = 2;
/// Both.
pub(crate) const BOTH: u8 = LESS | ENOUGH;

/// Maximum number of nodes that a walk goes through.
///
/// A walk takes at most one path for each ending of its set, and a path has at
/// most one node for each card. So no walk through a sound diagram of 12 cards
/// needs more than 12 · 369,600 = 4,435,200. Those of 16 cards and more have no
/// such bound, but walks through what builders made end after dozens of nodes.
/// A diagram that needs more than this is refused.
pub(crate) const MOST_NODES: u32 = 1 << 23;

/// Maximum number of nodes on a path: as many as there are cards. A diagram with more is refused.
const MOST_DEPTH: u32 = 52;

/// A walk through a diagram along all paths that a set allows.
pub(crate) struct Survey<'a> {
    /// The diagram.
    pub(crate) diagram: Diagram<'a>,
    /// The set's suit for each suit of the diagram's order.
    pub(crate) order: SuitOrder,
    /// The set's hand that is the diagram's hand 0.
    pub(crate) leader: usize,
    /// The owners of the set's known cards.
    pub(crate) owners: &'a TopOwners,
    /// The value asked for.
    pub(crate) least: u8,
    /// The walk ends when it has met one of these.
    pub(crate) stop: u8,
    /// [`LESS`] and [`ENOUGH`], as met so far.
    pub(crate) met: u8,
    /// A suit whose next card, which the set does not know, makes the
    /// difference between less and enough.
    pub(crate) learn: Option<usize>,
    /// The nodes visited by the walk. If this is [`MOST_NODES`], the survey ended early and is
    /// incomplete.
    pub(crate) nodes: u32,
}

impl Survey<'_> {
    /// Visits every edge below `at` that the set leads to. `left` has a bit
    /// for each known card that was not played.
    pub(crate) fn visit(&mut self, at: Edge, left: u64) {
        self.visit_below(at, left, MOST_DEPTH);
    }

    /// The same, on paths of at most `depth` nodes.
    fn visit_below(&mut self, mut at: Edge, mut left: u64, mut depth: u32) {
        loop {
            if at.is_nothing() {
                return;
            }
            if at.lo() >= self.least {
                self.met |= ENOUGH;
                return;
            }
            if at.hi() < self.least {
                self.met |= LESS;
                return;
            }
            if at.is_interval() {
                self.met = BOTH;
                return;
            }
            self.nodes += 1;
            if self.nodes >= MOST_NODES || depth == 0 {
                self.nodes = MOST_NODES;
                self.met = BOTH;
                return;
            }
            depth -= 1;
            let children = &self.diagram.children(at);
            let suit = self.order.suit(self.diagram.suit(at));
            let next = left & suit_bits(suit);
            if next == 0 {
                self.visit_all(children, suit, left, depth);
                return;
            }
            let index = next.trailing_zeros() & 15;
            left &= !(next & next.wrapping_neg());
            let owner = self.owners.owner(suit, index).wrapping_sub(self.leader) & 3;
            at = children[owner];
        }
    }

    fn visit_all(&mut self, children: &[Edge; 4], suit: usize, left: u64, depth: u32) {
        let mut ways = 0;
        for &child in children {
            if !child.is_nothing() {
                ways += 1;
                self.visit_below(child, left, depth);
                if self.met == BOTH || self.met & self.stop != 0 {
                    break;
                }
            }
        }
        if self.met == BOTH && ways > 1 && self.learn.is_none() {
            self.learn = Some(suit);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use setrograde_endgame::diagram::{Bounds, DiagramBuilder, Node, TooManyNodes};
    use setrograde_endgame::partition::Shape;
    use setrograde_endgame::suit_lengths::SuitLengths;

    use super::*;
    use crate::path_set::PathSet;

    /// Asks for all cards of suits 0 and 1, to no end, and then for the owner of
    /// the one card of suit 2: hand 0, worth nothing, or hand 1. So all paths
    /// lead to the same node.
    fn to_no_end(
        left: [SuitLengths; 2],
        builder: &mut DiagramBuilder,
        known: &mut HashMap<[SuitLengths; 2], Edge>,
    ) -> Result<Edge, TooManyNodes> {
        if let Some(&at) = known.get(&left) {
            return Ok(at);
        }
        let nothing = Edge::NOTHING;
        let at = match left.iter().position(|lengths| lengths.total() > 0) {
            None => builder.node(2, [Edge::leaf(0), Edge::leaf(1), nothing, nothing])?,
            Some(suit) => {
                let mut children = [nothing; 4];
                for (owner, child) in children.iter_mut().enumerate() {
                    if left[suit].length(owner) > 0 {
                        let mut left = left;
                        left[suit] = left[suit].without_one(owner);
                        *child = to_no_end(left, builder, known)?;
                    }
                }
                builder.node(suit, children)?
            }
        };
        known.insert(left, at);
        Ok(at)
    }

    /// Walks through a whole diagram and asks for one trick, with these known cards. Returns what it
    /// meets, the card that it would learn, and its nodes.
    fn surveyed(
        diagram: Diagram<'_>,
        owners: &TopOwners,
        cards: u64,
        leader: usize,
        stop: u8,
    ) -> (u8, Option<usize>, u32) {
        let mut survey = Survey {
            diagram,
            order: SuitOrder::IDENTITY,
            leader,
            owners,
            least: 1,
            stop,
            met: 0,
            learn: None,
            nodes: 0,
        };
        survey.visit(diagram.root(), cards);
        (survey.met, survey.learn, survey.nodes)
    }

    #[test]
    fn a_walk_without_end_is_given_up() -> Result<(), TooManyNodes> {
        for (each, given_up) in [(1, false), (3, true)] {
            let mut builder = DiagramBuilder::new();
            let left = [SuitLengths::new([each; 4]); 2];
            let root = to_no_end(left, &mut builder, &mut HashMap::new())?;
            let diagram = Diagram::new(builder.nodes(), root);
            // Hand 0 owns the card of suit 2.
            let (met, _, nodes) = surveyed(diagram, &TopOwners::default(), 1 << 32, 0, 0);
            assert_eq!(nodes == MOST_NODES, given_up, "{each}");
            assert_eq!(met, if given_up { BOTH } else { LESS }, "{each}");
        }
        Ok(())
    }

    /// An interval instead of a value.
    const OPEN: u8 = 2;

    /// A walk from a root that asks for the card of suit 0: hand 0 leads to a node of suit 1, and
    /// hand 1 to one of suit 2, which have these leaves for hands 0 and 1. The sets it meets, the
    /// cards it would learn, and its nodes.
    fn walk(
        leaves: [[u8; 2]; 2],
        known: &[(usize, usize)],
        leader: usize,
        stop: u8,
    ) -> (u8, Option<usize>, u32) {
        let bounds = Bounds { lo: 0, hi: 1 };
        let of_two = |[first, second]: [Edge; 2]| Node {
            children: [first, second, Edge::NOTHING, Edge::NOTHING],
        };
        let leaf = |value| match value {
            OPEN => Edge::interval(bounds),
            value => Edge::leaf(value),
        };
        let [first, second] = leaves.map(|values| of_two(values.map(leaf)));
        let both = [Edge::node(1, 0, bounds), Edge::node(2, 1, bounds)];
        let nodes = [first, second, of_two(both)];
        let lengths = [SuitLengths::new([1; 4]); 4];
        let nothing = PathSet::nothing(Shape { lengths });
        let set = known
            .iter()
            .fold(nothing, |set, &(suit, owner)| set.learn(suit, owner));
        let diagram = Diagram::new(&nodes, Edge::node(0, 2, bounds));
        surveyed(diagram, set.owners(), set.cards(), leader, stop)
    }

    #[test]
    fn a_walk_ends_when_it_knows_enough_and_says_what_makes_the_difference() {
        let (to_the_interval, past_it) = ([(0, 0), (1, 1)], [(0, 0), (1, 0)]);
        let (known, seen_from_left) = ([(0, 1), (2, 0)], [(0, 2), (2, 1)]);
        for (leaves, known, leader, stop, expected) in [
            // Both values at the first node.
            ([[0, 1], [0, 1]], &[][..], 0, 0, (BOTH, Some(1), 2)),
            // Only at the second, or only between the two.
            ([[0, 0], [0, 1]], &[], 0, 0, (BOTH, Some(2), 3)),
            ([[0, 0], [1, 1]], &[], 0, 0, (BOTH, Some(0), 3)),
            ([[0, 0], [0, 0]], &[], 0, 0, (LESS, None, 3)),
            // The target of the search is met first, or last.
            ([[0, 1], [0, 1]], &[], 0, LESS, (LESS, None, 2)),
            ([[1, 1], [1, 0]], &[], 0, LESS, (BOTH, Some(2), 3)),
            // An interval has both.
            ([[0, 0], [0, OPEN]], &[], 0, 0, (BOTH, Some(2), 3)),
            ([[0, OPEN], [0, 0]], &to_the_interval, 0, 0, (BOTH, None, 2)),
            ([[0, OPEN], [0, 0]], &past_it, 0, 0, (LESS, None, 2)),
            // Known cards show the way.
            ([[0, 0], [1, 0]], &known, 0, 0, (ENOUGH, None, 2)),
            ([[0, 0], [0, 1]], &known, 0, 0, (LESS, None, 2)),
            ([[0, 0], [1, 0]], &seen_from_left, 1, 0, (ENOUGH, None, 2)),
            ([[0, 0], [0, 1]], &known[..1], 0, 0, (BOTH, Some(2), 2)),
        ] {
            let found = walk(leaves, known, leader, stop);
            assert_eq!(found, expected, "{leaves:?} {known:?} {leader} {stop}");
        }
    }

    /// A node after another, each of which leads on for hand 0: a path that is longer than
    /// there are cards is refused long before it could overflow the stack.
    #[test]
    fn a_path_longer_than_there_are_cards_is_given_up() {
        for (length, given_up) in [(MOST_DEPTH, false), (MOST_DEPTH + 1, true)] {
            let bounds = Bounds { lo: 0, hi: 1 };
            let [none, some] = [0, 1].map(Edge::leaf);
            let mut nodes = vec![Node {
                children: [none, some, none, some],
            }];
            let mut root = Edge::node(0, 0, bounds);
            for index in 1..length as usize {
                nodes.push(Node {
                    children: [root, some, some, some],
                });
                root = Edge::node(0, index, bounds);
            }
            let diagram = Diagram::new(&nodes, root);
            let (_, _, nodes) = surveyed(diagram, &TopOwners::default(), 0, 0, 0);
            assert_eq!(nodes == MOST_NODES, given_up, "{length}");
        }
    }
}
