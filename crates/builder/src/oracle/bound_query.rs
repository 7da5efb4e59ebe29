//! Queries to the level below: does a bound hold for all endings of a set?

use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::partition::SuitOrder;

use crate::oracle::abstract_trick::{KnownCards, card};
use crate::oracle::places::Place;

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

/// Whether a bound holds for all endings that can follow a trick from a set.
pub(crate) struct Question<'q> {
    /// The owners of the set's known cards, as in `TopSet`.
    pub(crate) owners: &'q PackedOwners,
    /// Its known cards that are left after the trick.
    pub(crate) left: KnownCards,
    /// The known cards of a set around: in each suit none below a card that is
    /// not among them.
    pub(crate) around: KnownCards,
    pub(crate) bound: Bound,
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

    /// Whether the bound holds, or else the suits to blame; and the place to
    /// which the cards that the set around knows lead, or which decides before.
    /// The walk begins at the place to which some of them are known to lead.
    #[inline]
    pub(crate) fn answer(
        &self,
        question: &Question<'_>,
        begin: Option<Place>,
    ) -> (Result<(), Blame>, Place) {
        match &self.diagram {
            DiagramBelow::Plain { nodes, root } => self.walk(*nodes, *root, question, begin),
            DiagramBelow::Packed(diagram) => self.walk(*diagram, diagram.root(), question, begin),
        }
    }

    #[inline]
    fn walk(
        &self,
        nodes: impl Nodes,
        root: Edge,
        question: &Question<'_>,
        begin: Option<Place>,
    ) -> (Result<(), Blame>, Place) {
        let walk = BoundWalk {
            nodes,
            order: self.order,
            leader: usize::from(self.leader),
            owners: question.owners,
            bound: question.bound,
        };
        let begin = begin.unwrap_or(Place { at: root, taken: 0 });
        walk.check(question, begin)
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
    /// The answer: first with the cards that the set around knows, then with
    /// those that have become known since. They lie below, so the way is the same.
    #[inline]
    fn check(&self, question: &Question<'_>, begin: Place) -> (Result<(), Blame>, Place) {
        let of_around = question.left & question.around;
        let mut left = of_around & !begin.taken;
        let (at, decided) = self.follow(begin.at, &mut left);
        let place = Place {
            at,
            taken: of_around & !left,
        };
        if let Some(holds) = decided {
            return (holds.then_some(()).ok_or(0), place);
        }
        left |= question.left & !question.around;
        let (at, decided) = self.follow(at, &mut left);
        let answer = match decided {
            Some(true) => Ok(()),
            Some(false) => Err(0),
            None if self.holds_for_all(at, left) => Ok(()),
            None => Err(1 << self.order.suit(at.suit())),
        };
        (answer, place)
    }

    /// The edge to which the known cards lead, or the first on the way that decides
    /// the bound, with what it says.
    #[inline]
    fn follow(&self, mut at: Edge, left: &mut KnownCards) -> (Edge, Option<bool>) {
        loop {
            let decided = self.bound.decide(at);
            if decided.is_some() {
                return (at, decided);
            }
            match self.step(at, left) {
                Some(child) => at = child,
                None => return (at, None),
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

    /// Whether the bound holds below `at`.
    fn holds_below(&self, at: Edge, mut left: KnownCards) -> bool {
        let (at, decided) = self.follow(at, &mut left);
        decided.unwrap_or_else(|| self.holds_for_all(at, left))
    }

    /// What follows a node; nothing if no known card of its suit is left. Takes the
    /// card that leads there.
    #[inline]
    fn step(&self, at: Edge, left: &mut KnownCards) -> Option<Edge> {
        let suit = self.order.suit(at.suit());
        let of_suit = (*left >> (16 * suit)) as u16;
        if of_suit == 0 {
            return None;
        }
        let place = of_suit.trailing_zeros() as usize;
        let owner = self.owners.owner(suit, place).wrapping_sub(self.leader) & 3;
        *left &= !card(suit, place);
        Some(self.nodes.child(at, owner))
    }
}
