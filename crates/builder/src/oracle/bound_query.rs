//! Queries to the level below: does a bound hold for all endings of a set?

use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_order::SuitOrder;

use crate::oracle::abstract_trick::{KnownCards, card};

/// The suits, as a bit mask, that a failed proof would know more about.
pub(crate) type Blame = u8;

/// A bound to be proved over a set.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    AtLeast(u8),
    AtMost(u8),
}

impl Bound {
    /// What the bounds in a reference say, if they decide it. `NOTHING` passes.
    #[inline]
    pub(crate) fn decide(self, at: Edge) -> Option<bool> {
        let (holds, fails) = match self {
            Bound::AtLeast(least) => (at.lo() >= least, at.hi() < least),
            Bound::AtMost(most) => (at.hi() <= most, at.lo() > most),
        };
        if holds {
            Some(true)
        } else if fails {
            Some(false)
        } else {
            None
        }
    }
}

/// A diagram of the level below.
pub(crate) enum DiagramBelow<'a> {
    Plain { nodes: &'a [Node], root: Edge },
    Packed(Diagram<'a>),
}

impl<'a> DiagramBelow<'a> {
    /// A diagram that its level keeps packed.
    pub(crate) fn packed(diagram: Diagram<'a>) -> Self {
        DiagramBelow::Packed(diagram)
    }

    /// The diagram of a partition in which all endings have one value.
    pub(crate) const fn constant(value: u8) -> Self {
        let root = Edge::leaf(value);
        DiagramBelow::Plain { nodes: &[], root }
    }
}

/// Where the endings after a trick are looked up.
pub(crate) struct BoundQuery<'a> {
    diagram: DiagramBelow<'a>,
    order: SuitOrder,
    leader: u8,
}

impl<'a> BoundQuery<'a> {
    /// Queries to a diagram. `order` is this level's suit at each place of the
    /// diagram's canonical order, `leader` this level's hand that is the
    /// diagram's hand 0.
    pub(crate) fn new(diagram: DiagramBelow<'a>, order: SuitOrder, leader: usize) -> Self {
        BoundQuery {
            diagram,
            order,
            leader: leader as u8,
        }
    }

    /// Checks that `bound` holds for all endings of the set in which the known
    /// cards `left` are left, with these owners (as in `TopSet`).
    ///
    /// # Errors
    ///
    /// The suits to blame, if it does not hold.
    #[inline]
    pub(crate) fn holds(
        &self,
        owners: &PackedOwners,
        left: KnownCards,
        bound: Bound,
    ) -> Result<(), Blame> {
        match &self.diagram {
            DiagramBelow::Plain { nodes, root } => self.walk(*nodes, *root, owners, left, bound),
            DiagramBelow::Packed(diagram) => {
                self.walk(*diagram, diagram.root(), owners, left, bound)
            }
        }
    }

    #[inline]
    fn walk(
        &self,
        nodes: impl Nodes,
        root: Edge,
        owners: &PackedOwners,
        left: KnownCards,
        bound: Bound,
    ) -> Result<(), Blame> {
        let walk = BoundWalk {
            nodes,
            order: self.order,
            leader: usize::from(self.leader),
            owners,
            bound,
        };
        walk.check(root, left)
    }
}

/// The nodes of a diagram.
trait Nodes {
    /// What follows the node at `at` if its card belongs to `owner` (0..=3).
    fn child(&self, at: Edge, owner: usize) -> Edge;
    /// What follows the node at `at`, for each owner of its card.
    fn children(&self, at: Edge) -> [Edge; 4];
}

impl Nodes for &[Node] {
    #[inline]
    fn child(&self, at: Edge, owner: usize) -> Edge {
        self[at.place()].children[owner & 3]
    }

    #[inline]
    fn children(&self, at: Edge) -> [Edge; 4] {
        self[at.place()].children
    }
}

impl Nodes for Diagram<'_> {
    #[inline]
    fn child(&self, at: Edge, owner: usize) -> Edge {
        Diagram::child(self, at, owner)
    }

    #[inline]
    fn children(&self, at: Edge) -> [Edge; 4] {
        Diagram::children(self, at)
    }
}

/// A query's way through its diagram.
struct BoundWalk<'q, N> {
    nodes: N,
    order: SuitOrder,
    leader: usize,
    owners: &'q PackedOwners,
    bound: Bound,
}

impl<N: Nodes> BoundWalk<'_, N> {
    /// Checks that the bound holds below `at` with these known cards left.
    ///
    /// # Errors
    ///
    /// The suit of the first card on the way that is not known, if it does not.
    #[inline]
    fn check(&self, mut at: Edge, mut left: KnownCards) -> Result<(), Blame> {
        loop {
            match self.bound.decide(at) {
                Some(true) => return Ok(()),
                Some(false) => return Err(0),
                None => {}
            }
            match self.step(at, &mut left) {
                Ok(child) => at = child,
                Err(_) if self.holds_for_all(at, left) => return Ok(()),
                Err(suit) => return Err(1 << suit),
            }
        }
    }

    /// Whether the bound holds below the node at `at` for every owner of its card.
    fn holds_for_all(&self, at: Edge, left: KnownCards) -> bool {
        let children = self.nodes.children(at);
        let fails = |&child: &Edge| self.bound.decide(child) == Some(false);
        if children.iter().any(fails) {
            return false;
        }
        let mut open = children
            .into_iter()
            .filter(|&child| self.bound.decide(child).is_none());
        open.all(|child| self.holds_below(child, left))
    }

    /// Whether the bound holds below a node that does not decide it.
    #[inline]
    fn holds_below(&self, mut at: Edge, mut left: KnownCards) -> bool {
        loop {
            match self.step(at, &mut left) {
                Ok(child) => at = child,
                Err(_) => return self.holds_for_all(at, left),
            }
            if let Some(holds) = self.bound.decide(at) {
                return holds;
            }
        }
    }

    /// What follows a node, and the known cards that are left then; or the suit
    /// of which no known card is left.
    #[inline]
    fn step(&self, at: Edge, left: &mut KnownCards) -> Result<Edge, usize> {
        let suit = self.order.suit(at.suit());
        let of_suit = (*left >> (16 * suit)) as u16;
        if of_suit == 0 {
            return Err(suit);
        }
        let place = of_suit.trailing_zeros() as usize;
        let owner = self.owners.owner(suit, place).wrapping_sub(self.leader) & 3;
        *left &= !card(suit, place);
        Ok(self.nodes.child(at, owner))
    }
}
