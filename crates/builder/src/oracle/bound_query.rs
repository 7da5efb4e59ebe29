//! Queries to the level below: does a bound hold for all endings of a set?

use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::partition::SuitOrder;

use crate::oracle::abstract_trick::{KnownCards, card};
use crate::oracle::bookmarks::Bookmark;

/// The suits whose next card might have saved a failed proof, as a bit mask.
pub(crate) type Blame = u8;

/// The blame of a proof that reached an open interval: no further card of the set would help.
pub(crate) const OPEN: Blame = 1 << 4;

/// A bound to prove over a set: all values are `least` or more, or all are less.
#[derive(Clone, Copy)]
pub(crate) struct Bound {
    pub(crate) least: u8,
    pub(crate) or_more: bool,
}

impl Bound {
    /// Returns true if the bounds in a reference do not decide it.
    #[inline]
    fn is_open(self, at: Edge) -> bool {
        at.bounds().leave_open(self.least)
    }

    /// Returns true if the query holds for all values within the bounds of a reference, which is
    /// the case for `NOTHING`.
    #[inline]
    fn holds(self, at: Edge) -> bool {
        if self.or_more {
            at.lo() >= self.least
        } else {
            at.hi() < self.least
        }
    }
}

/// A query to the diagram of the endings after a trick.
pub(crate) struct BoundQuery<'a> {
    diagram: Diagram<'a>,
    order: SuitOrder,
    leader: u8,
}

/// A question: does a bound hold for all endings that can follow a trick from a set?
pub(crate) struct Question<'q> {
    /// The owners of the set's known cards, as in `TopSet`.
    pub(crate) owners: &'q PackedOwners,
    /// Its known cards after the trick.
    pub(crate) left: KnownCards,
    /// The known cards of an enclosing set: in each suit all cards from the top to some rank.
    pub(crate) around: KnownCards,
    pub(crate) bound: Bound,
}

impl<'a> BoundQuery<'a> {
    /// Makes a query to a diagram. `order` is this level's suit at each index of the diagram's
    /// canonical order, `leader` this level's hand that is the diagram's hand 0.
    pub(crate) fn new(diagram: Diagram<'a>, order: SuitOrder, leader: usize) -> Self {
        BoundQuery {
            diagram,
            order,
            leader: leader as u8,
        }
    }

    /// Returns success if the bound holds, or else the suits to blame; and the bookmark that the
    /// cards of the enclosing set lead to, or an earlier one that decides the bound. The walk
    /// starts at `begin`, which some of these cards lead to.
    #[inline]
    pub(crate) fn answer(
        &self,
        question: &Question<'_>,
        begin: Option<Bookmark>,
    ) -> (Result<(), Blame>, Bookmark) {
        match self.diagram.plain_nodes() {
            Some(nodes) => self.walk(nodes, self.diagram.root(), question, begin),
            None => self.walk_packed(self.diagram, question, begin),
        }
    }

    /// A separate function, to keep the path through plain nodes short.
    #[inline(never)]
    fn walk_packed(
        &self,
        diagram: Diagram<'_>,
        question: &Question<'_>,
        begin: Option<Bookmark>,
    ) -> (Result<(), Blame>, Bookmark) {
        self.walk(diagram, diagram.root(), question, begin)
    }

    #[inline]
    fn walk(
        &self,
        nodes: impl NodeReader,
        root: Edge,
        question: &Question<'_>,
        begin: Option<Bookmark>,
    ) -> (Result<(), Blame>, Bookmark) {
        let walk = BoundWalk {
            nodes,
            order: self.order,
            leader: usize::from(self.leader),
            owners: question.owners,
            bound: question.bound,
        };
        let begin = begin.unwrap_or(Bookmark { at: root, taken: 0 });
        walk.check(question, begin)
    }
}

/// The nodes of a diagram.
trait NodeReader {
    /// The edge from the node at `at` if its card belongs to `owner` (0..=3).
    fn child(&self, at: Edge, owner: usize) -> Edge;
    /// The edges from the node at `at`, for each owner of its card.
    fn children(&self, at: Edge) -> [Edge; 4];
    /// The suit that the node at `at` asks about, in the diagram's order.
    fn suit(&self, at: Edge) -> usize;
}

impl NodeReader for &[Node] {
    #[inline]
    fn child(&self, at: Edge, owner: usize) -> Edge {
        self[at.slot()].children[owner & 3]
    }

    #[inline]
    fn children(&self, at: Edge) -> [Edge; 4] {
        self[at.slot()].children
    }

    #[inline]
    fn suit(&self, at: Edge) -> usize {
        at.suit()
    }
}

impl NodeReader for Diagram<'_> {
    #[inline]
    fn child(&self, at: Edge, owner: usize) -> Edge {
        Diagram::child(self, at, owner)
    }

    #[inline]
    fn children(&self, at: Edge) -> [Edge; 4] {
        Diagram::children(self, at)
    }

    #[inline]
    fn suit(&self, at: Edge) -> usize {
        Diagram::suit(self, at)
    }
}

/// A query's walk through its diagram.
struct BoundWalk<'q, N> {
    nodes: N,
    order: SuitOrder,
    leader: usize,
    owners: &'q PackedOwners,
    bound: Bound,
}

impl<N: NodeReader> BoundWalk<'_, N> {
    /// Answers first with the cards of the enclosing set, then with the cards that have become
    /// known since. These are lower, so the path is the same.
    #[inline]
    fn check(&self, question: &Question<'_>, begin: Bookmark) -> (Result<(), Blame>, Bookmark) {
        let of_around = question.left & question.around;
        let Bookmark { mut at, taken } = begin;
        let mut left = of_around & !taken;
        if left != 0 {
            at = self.follow(at, &mut left);
        }
        let taken = of_around & !left;
        let bookmark = Bookmark { at, taken };
        left |= question.left & !question.around;
        at = self.follow(at, &mut left);
        let (holds, blame) = if !self.bound.is_open(at) {
            (self.bound.holds(at), 0)
        } else if at.is_interval() {
            (false, OPEN)
        } else {
            let suit = self.order.suit(self.nodes.suit(at));
            (self.holds_for_all(at, left), 1 << suit)
        };
        (if holds { Ok(()) } else { Err(blame) }, bookmark)
    }

    /// Returns the edge that the known cards lead to, or the first one that decides the bound.
    #[inline]
    fn follow(&self, mut at: Edge, left: &mut KnownCards) -> Edge {
        while self.bound.is_open(at)
            && at.is_node()
            && let Some(child) = self.step(at, left)
        {
            at = child;
        }
        at
    }

    /// Returns true if the bound holds below the node at `at` for every owner of its card.
    fn holds_for_all(&self, at: Edge, left: KnownCards) -> bool {
        let children = self.nodes.children(at);
        let may_hold = |&child: &Edge| self.bound.is_open(child) || self.bound.holds(child);
        children.iter().all(may_hold)
            && children
                .into_iter()
                .all(|child| !self.bound.is_open(child) || self.holds_below(child, left))
    }

    /// Returns true if the bound holds below `at`.
    fn holds_below(&self, at: Edge, mut left: KnownCards) -> bool {
        let at = self.follow(at, &mut left);
        if self.bound.is_open(at) {
            at.is_node() && self.holds_for_all(at, left)
        } else {
            self.bound.holds(at)
        }
    }

    /// Takes the next known card of a node's suit and returns the edge for it; `None` if no known
    /// card of the suit is left.
    #[inline]
    fn step(&self, at: Edge, left: &mut KnownCards) -> Option<Edge> {
        let suit = self.order.suit(self.nodes.suit(at));
        let of_suit = (*left >> (16 * suit)) as u16;
        if of_suit == 0 {
            return None;
        }
        let rank = of_suit.trailing_zeros() as usize;
        let owner = self.owners.owner(suit, rank).wrapping_sub(self.leader) & 3;
        *left &= !card(suit, rank);
        Some(self.nodes.child(at, owner))
    }
}
