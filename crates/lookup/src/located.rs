//! An ending's place in a database, and the questions that it answers there.

use setrograde_endgame::diagram::{
    Bounds, Cursor, Diagram, Distribution, Edge, Verdict, View, Walk, Weights,
};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::{Canonical, SuitOrder};
use setrograde_endgame::set::EndingSet;

use crate::error::Error;
use crate::store::{Level, MatrixSlot};

/// The answer of a database to an ending: its value, and the set that proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Tricks for the leader's side, 0..=13.
    pub value: u8,
    /// Endings that all have this value, the one asked for among them: of the
    /// same shape, with owners of the top cards as the masks say. Suits and
    /// seats are those of the question.
    pub set: EndingSet,
}

/// An ending's place in a database, found once for all questions about it, by
/// [`Database::locate`](crate::Database::locate).
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
    level: &'a Level,
    diagram: Diagram<'a>,
    /// The ending's suit at each place of the diagram's canonical order.
    order: SuitOrder,
    ending: Ending,
}

impl<'a> Located<'a> {
    /// The place of an ending of that level.
    #[inline]
    pub(crate) fn new(level: &'a Level, ending: &Ending) -> Result<Located<'a>, Error> {
        let canonical = ending.canonical();
        let place = level.place_of(canonical.partition.relative());
        Located::at(level, ending, &canonical, &place)
    }

    /// The place of an ending of that level, given what was found of it.
    #[inline]
    pub(crate) fn at(
        level: &'a Level,
        ending: &Ending,
        canonical: &Canonical,
        place: &MatrixSlot,
    ) -> Result<Located<'a>, Error> {
        Ok(Located {
            level,
            diagram: level.diagram_of(canonical.partition, place)?,
            order: canonical.order,
            ending: *ending,
        })
    }

    /// The value of the ending: tricks for the leader's side.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the ending leads nowhere.
    #[inline]
    pub fn value(&self) -> Result<u8, Error> {
        self.diagram.prefetch();
        let value = self.diagram.value(&self.ending, self.order);
        value
            .filter(|&value| self.is_possible(value))
            .ok_or_else(|| self.leads_nowhere())
    }

    /// The value of the ending and a set of endings that share it.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn answer(&self) -> Result<Answer, Error> {
        let Walk { bounds, set } = self.walk(None)?;
        let value = bounds.lo;
        Ok(Answer { value, set })
    }

    /// Whether the leader's side takes at least `target` tricks, as bounds that
    /// decide it, and the set of endings for which they hold. The set is often
    /// larger than the one of [`answer`](Self::answer), and found sooner.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn prove(&self, target: u8) -> Result<Walk, Error> {
        self.walk(Some(target))
    }

    /// The bounds of the leaf to which the ending leads, and the endings that share it.
    pub(crate) fn bounded(&self) -> Result<Walk, Error> {
        self.walk(None)
    }

    fn walk(&self, target: Option<u8>) -> Result<Walk, Error> {
        self.diagram.prefetch();
        let walk = self.diagram.walk(&self.ending, self.order, target);
        walk.filter(|walk| self.is_possible(walk.bounds.hi))
            .ok_or_else(|| self.leads_nowhere())
    }

    /// Whether the leader's side takes at least `target` tricks, and the fewest
    /// top cards of each suit that prove it: what a solver's transposition
    /// table stores.
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

    /// The number of endings of `set` with each value, 0..=13 tricks for the leader's
    /// side, as far as they have the shape, the strain and the leader of this
    /// one. They are counted on the diagram, not visited.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value).
    pub fn distribution(&self, set: &EndingSet) -> Result<Distribution<u128>, Error> {
        let shape = self.ending.canonical().partition.shape;
        let counts = self.diagram.distribution(shape, set, self.view());
        counts.ok_or_else(|| self.leads_nowhere())
    }

    /// The sums of the weights of all endings with each value, where an ending
    /// weighs as much as the product of its cards' weights. As
    /// [`distribution`](Self::distribution).
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

    /// The least and the greatest value of the endings in `set`, as far as they
    /// have the shape, the strain and the leader of this one.
    /// [`Bounds::NOTHING`] if there are none.
    #[must_use]
    pub fn bounds(&self, set: &EndingSet) -> Bounds {
        self.diagram.bounds(set, self.view())
    }

    /// The set with as few known cards as the bounds bear: from each suit in
    /// turn the lowest known cards are forgotten as long as all endings of the
    /// set stay within `bounds`.
    #[must_use]
    pub fn widen(&self, set: &EndingSet, bounds: Bounds) -> EndingSet {
        self.diagram.widen(set, self.view(), bounds)
    }

    /// The diagram of the ending's partition.
    #[must_use]
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
    /// [`Error::TooManySets`] if there are more than [`MOST_SETS`].
    pub fn sets(&self) -> Result<Vec<(EndingSet, u8)>, Error> {
        let (nodes, root) = self.diagram.alone();
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

    /// Returns the number of paths of a diagram, which may come from any bytes.
    fn count_sets(&self, diagram: Diagram<'_>) -> Result<usize, Error> {
        let nodes = diagram.plain_nodes().unwrap_or_default();
        // By node: the paths to a leaf, and the cards that the longest asks for.
        let mut below: Vec<(u64, usize)> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let (mut sets, mut cards) = (0_u64, 0);
            for (_, child) in branches(node.children) {
                let (more, asked) = match child.is_node() {
                    true => below.get(child.place()).copied().unwrap_or_default(),
                    false => (1, 0),
                };
                sets = sets.saturating_add(more);
                cards = cards.max(asked);
            }
            below.push((sets, cards + 1));
        }
        let (sets, cards) = match diagram.root().is_node() {
            true => below.last().copied().unwrap_or_default(),
            false => (u64::from(!diagram.root().is_nothing()), 0),
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
            leader: self.ending.leader_index(),
        }
    }

    /// Returns true if an ending with as many cards may have the value.
    #[inline]
    pub(crate) fn is_possible(&self, value: u8) -> bool {
        usize::from(value) <= self.ending.level()
    }

    #[cold]
    pub(crate) fn leads_nowhere(&self) -> Error {
        self.level.leads_nowhere(self.ending.canonical().partition)
    }
}

/// The most sets that [`Located::sets`] lists.
pub const MOST_SETS: u64 = 1 << 24;

/// The children that endings lead to, each once, with the first owner of each.
fn branches(children: [Edge; 4]) -> impl DoubleEndedIterator<Item = (usize, Edge)> {
    let is_new = move |&(hand, child): &(usize, Edge)| {
        !child.is_nothing() && !children[..hand].contains(&child)
    };
    children.into_iter().enumerate().filter(is_new)
}
