//! Endings found in a database, and the questions about them.

use setrograde_endgame::diagram::{
    Bounds, Cursor, Diagram, Distribution, Edge, Verdict, View, Walk, Weights,
};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::{Canonical, SuitOrder};
use setrograde_endgame::set::EndingSet;

use crate::error::{Error, MOST_SETS};
use crate::store::{Level, MatrixSlot};

/// The answer of a database to an ending: its value, and the set that proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Tricks for the leader's side, 0..=13.
    pub value: u8,
    /// A set of endings with this value, which includes the one asked about: they have its shape,
    /// and the owners of the top cards match the masks. Suits and seats are those of the question.
    pub set: EndingSet,
}

/// An ending found in a database by [`Database::locate`](crate::Database::locate), for any number
/// of questions.
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
    level: &'a Level,
    diagram: Diagram<'a>,
    /// The ending's suit at each index of the diagram's canonical order.
    order: SuitOrder,
    ending: Ending,
}

impl<'a> Located<'a> {
    /// Finds an ending of that level.
    #[inline]
    pub(crate) fn new(level: &'a Level, ending: &Ending) -> Result<Located<'a>, Error> {
        let canonical = ending.canonical();
        let slot = level.slot_of(canonical.partition.relative());
        Located::at(level, ending, &canonical, &slot)
    }

    /// Finds an ending of that level, given its canonical form and the slot of its matrix.
    #[inline]
    pub(crate) fn at(
        level: &'a Level,
        ending: &Ending,
        canonical: &Canonical,
        slot: &MatrixSlot,
    ) -> Result<Located<'a>, Error> {
        Ok(Located {
            level,
            diagram: level.diagram_of(canonical.partition, slot)?,
            order: canonical.order,
            ending: *ending,
        })
    }

    /// Returns the value of the ending: the tricks of the leader's side.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the diagram does not cover the ending.
    #[inline]
    pub fn value(&self) -> Result<u8, Error> {
        self.diagram.prefetch();
        let value = self.diagram.value(&self.ending, self.order);
        value
            .filter(|&value| self.is_possible(value))
            .ok_or_else(|| self.leads_nowhere())
    }

    /// Returns the value of the ending and a set of endings that share it.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn answer(&self) -> Result<Answer, Error> {
        let Walk { bounds, set, .. } = self.walk(None)?;
        let value = bounds.lo;
        Ok(Answer { value, set })
    }

    /// Decides whether the leader's side takes at least `target` tricks. Returns bounds that decide
    /// it, and the set of endings for which they hold, which is often larger than the set of
    /// [`answer`](Self::answer) and found faster.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn prove(&self, target: u8) -> Result<Walk, Error> {
        self.walk(Some(target))
    }

    /// Returns bounds on the value, and endings for which they hold: in an exact level the widest
    /// set found around the leaf, in a coarse level the leaf itself.
    pub(crate) fn bounded(&self) -> Result<Walk, Error> {
        let mut walk = self.walk(None)?;
        if !self.level.is_coarse() {
            walk.set = self.widen(&walk.set, walk.bounds);
        }
        Ok(walk)
    }

    fn walk(&self, target: Option<u8>) -> Result<Walk, Error> {
        self.diagram.prefetch();
        let walk = self.diagram.walk(&self.ending, self.order, target);
        walk.filter(|walk| self.is_possible(walk.bounds.hi))
            .ok_or_else(|| self.leads_nowhere())
    }

    /// Decides whether the leader's side takes at least `target` tricks, any number, and returns the
    /// fewest top cards of each suit that prove it, as a solver's transposition table stores them.
    /// For 0 and for more tricks than there are these are none.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    #[inline]
    pub fn decide(&self, target: u8) -> Result<Verdict, Error> {
        self.diagram.prefetch();
        let verdict = self.diagram.decide(&self.ending, self.order, target);
        verdict.ok_or_else(|| self.leads_nowhere())
    }

    /// Returns the number of endings of `set` with each value, 0..=13 tricks for the leader's side,
    /// among those with the shape, the strain and the leader of this ending. The count walks the
    /// diagram, not the endings.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn distribution(&self, set: &EndingSet) -> Result<Distribution<u128>, Error> {
        let shape = self.ending.canonical().partition.shape;
        let counts = self.diagram.distribution(shape, set, self.view());
        counts.ok_or_else(|| self.leads_nowhere())
    }

    /// Returns the total weight of the endings with each value, as
    /// [`distribution`](Self::distribution) does for their number. The weight of an ending is the
    /// product of its cards' weights.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn weighed_distribution(&self, weights: &Weights) -> Result<Distribution<f64>, Error> {
        let shape = self.ending.canonical().partition.shape;
        let sums = self
            .diagram
            .weighed_distribution(shape, weights, self.view());
        sums.ok_or_else(|| self.leads_nowhere())
    }

    /// Returns the minimum and maximum value of the endings in `set` with the shape, the strain and
    /// the leader of this ending.
    /// [`Bounds::NOTHING`] if there are none.
    pub fn bounds(&self, set: &EndingSet) -> Bounds {
        self.diagram.bounds(set, self.view())
    }

    /// Returns the largest set around `set` within `bounds`: suit by suit, it drops the lowest
    /// relevant cards as long as all endings of the set stay within the bounds.
    pub fn widen(&self, set: &EndingSet, bounds: Bounds) -> EndingSet {
        self.diagram.widen(set, self.view(), bounds)
    }

    /// Returns the diagram of the ending's partition.
    #[doc(hidden)]
    pub fn diagram(&self) -> Diagram<'a> {
        self.diagram
    }

    /// Returns the sets of the ending's partition, each with the value of its endings: the
    /// paths of the diagram. They are disjoint and cover the partition.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if no path leads to a value, one leads to more tricks than there are,
    /// or one asks for more cards than the ending has;
    /// [`Error::TooManySets`] if there are more than 2^24.
    pub fn sets(&self) -> Result<Vec<(EndingSet, u8)>, Error> {
        let (nodes, root) = self.diagram.own_nodes();
        let diagram = Diagram::new(&nodes, root);
        let count = self.count_sets(diagram)?;
        let mut sets = Vec::with_capacity(count);
        let mut open = vec![(root, EndingSet::EVERYTHING)];
        while let Some((edge, set)) = open.pop() {
            if !edge.is_node() {
                if usize::from(edge.lo()) > self.ending.level() {
                    return Err(self.leads_nowhere());
                }
                sets.push((set, edge.lo()));
                continue;
            }
            let children = diagram.children(edge);
            for (hand, child) in branches(children).rev() {
                let owners = (hand..4).filter(|&other| children[other] == child);
                let seats = owners.map(|owner| 1 << self.ending.leader().plus(owner).index());
                let mut below = set;
                below.learn(self.order.suit(diagram.suit(edge)), seats.sum());
                open.push((child, below));
            }
        }
        debug_assert_eq!(sets.len(), count);
        Ok(sets)
    }

    /// Returns the number of paths of a diagram. Its bytes are not trusted.
    fn count_sets(&self, diagram: Diagram<'_>) -> Result<usize, Error> {
        let nodes = diagram.plain_nodes().unwrap_or_default();
        // By node: the number of paths to a leaf, and the length of the longest.
        let mut below: Vec<(u64, usize)> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let (mut sets, mut cards) = (0_u64, 0);
            for (_, child) in branches(node.children) {
                let (more, asked) = if child.is_node() {
                    below.get(child.slot()).copied().unwrap_or_default()
                } else {
                    (1, 0)
                };
                sets = sets.saturating_add(more);
                cards = cards.max(asked);
            }
            below.push((sets, cards + 1));
        }
        let (sets, cards) = if diagram.root().is_node() {
            below.last().copied().unwrap_or_default()
        } else {
            (u64::from(!diagram.root().is_nothing()), 0)
        };
        // Every diagram has a path for each of its endings.
        if sets == 0 || cards > 4 * self.ending.level() {
            return Err(self.leads_nowhere());
        }
        if sets > MOST_SETS {
            return Err(Error::TooManySets { sets });
        }
        Ok(sets as usize)
    }

    /// A cursor at the root of the diagram, for walks side by side.
    #[inline]
    pub(crate) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.diagram, &self.ending, self.order)
    }

    fn view(&self) -> View {
        View {
            order: self.order,
            leader: self.ending.leader().index() as u8,
        }
    }

    /// Returns true if an ending with this number of cards may have the value.
    #[inline]
    pub(crate) fn is_possible(&self, value: u8) -> bool {
        usize::from(value) <= self.ending.level()
    }

    #[cold]
    pub(crate) fn leads_nowhere(&self) -> Error {
        self.level.leads_nowhere(self.ending.canonical().partition)
    }
}

/// Returns the distinct children, each with its first owner.
fn branches(children: [Edge; 4]) -> impl DoubleEndedIterator<Item = (usize, Edge)> {
    let is_new = move |&(hand, child): &(usize, Edge)| {
        !child.is_nothing() && !children[..hand].contains(&child)
    };
    children.into_iter().enumerate().filter(is_new)
}
