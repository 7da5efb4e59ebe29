//! An ending's place in a database, and the questions that it answers there.

use setrograde_endgame::diagram::{
    Bounds, Cursor, Diagram, Distribution, Edge, Verdict, View, Walk, Weights,
};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::{Canonical, SuitOrder};
use setrograde_endgame::set::EndingSet;

use crate::database::Database;
use crate::error::Error;
use crate::store::{Level, Place};

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
    /// The place of an ending of that level; `None` if its partition is not held.
    #[inline]
    pub(crate) fn new(level: &'a Level, ending: &Ending) -> Result<Option<Located<'a>>, Error> {
        let canonical = ending.canonical();
        let place = level.place_of(canonical.partition.relative());
        Located::at(level, ending, &canonical, &place)
    }

    /// The place of an ending of that level, given what was found of it.
    #[inline]
    fn at(
        level: &'a Level,
        ending: &Ending,
        canonical: &Canonical,
        place: &Place,
    ) -> Result<Option<Located<'a>>, Error> {
        let diagram = level.diagram_of(canonical.partition, place)?;
        Ok(diagram.map(|diagram| Located {
            level,
            diagram,
            order: canonical.order,
            ending: *ending,
        }))
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
        let mut sets = Vec::with_capacity(self.count_sets(diagram)?);
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

// Many look-ups at once.
//
// A look-up waits for memory: the partition's root, then a node for each card
// that matters, each in a place of its own. Endings of a batch take these
// steps side by side, and what the next step of each needs is asked for while
// the others take theirs, so that their waits overlap.

/// The number of walks side by side: as many as a core can wait for.
const WIDTH: usize = 16;

/// The lines of cache before a root that are asked for with it: walks begin
/// there.
const ROOT_LINES: usize = 3;

impl Database {
    /// The values of many endings, in their order: tricks for each leader's
    /// side, or `None` where the database does not hold the ending. Several times as
    /// fast as one look-up after another on endings that have nothing to do with each
    /// other.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if what is held of one of them is.
    pub fn values(&self, endings: &[Ending]) -> Result<Vec<Option<u8>>, Error> {
        let mut values = Vec::with_capacity(endings.len());
        for group in endings.chunks(WIDTH) {
            self.values_of_group(group, &mut values)?;
        }
        Ok(values)
    }

    /// Appends the values of at most [`WIDTH`] endings.
    fn values_of_group(
        &self,
        endings: &[Ending],
        values: &mut Vec<Option<u8>>,
    ) -> Result<(), Error> {
        // Each step of a look-up is asked for while those before it are under way.
        let mut found = [None; WIDTH];
        for (found, ending) in found.iter_mut().zip(endings) {
            if let Some(level) = self.level(ending.level()) {
                let canonical = ending.canonical();
                let place = level.place_of(canonical.partition.relative());
                level.prefetch_line(&place);
                *found = Some((level, canonical, place));
            }
        }
        for (level, _, place) in found.iter().flatten() {
            level.prefetch_head(place);
        }
        let mut places = [None; WIDTH];
        let mut cursors = [Cursor::NOWHERE; WIDTH];
        for (at, (ending, found)) in endings.iter().zip(&found).enumerate() {
            if let Some((level, canonical, place)) = found {
                places[at] = Located::at(level, ending, canonical, place)?;
            }
            if let Some(place) = &places[at] {
                cursors[at] = place.cursor();
                cursors[at].prefetch(ROOT_LINES);
            }
        }
        walk_all(&mut cursors);
        for (cursor, place) in cursors.iter().zip(&places).take(endings.len()) {
            let at = cursor.edge();
            values.push(match place {
                None => None,
                Some(place) if at.is_leaf() && place.is_possible(at.lo()) => Some(at.lo()),
                Some(place) => return Err(place.leads_nowhere()),
            });
        }
        Ok(())
    }
}

/// Leads all cursors to their ends, a step at a time.
fn walk_all(cursors: &mut [Cursor<'_>; WIDTH]) {
    // Those that are at nodes come first.
    let mut at_nodes: [usize; WIDTH] = std::array::from_fn(|at| at);
    let mut count = WIDTH;
    while count > 0 {
        let mut left = 0;
        for turn in 0..count {
            let number = at_nodes[turn];
            let cursor = &mut cursors[number];
            if cursor.edge().is_node() {
                cursor.step();
                cursor.prefetch(1);
            }
            at_nodes[left] = number;
            left += usize::from(cursor.edge().is_node());
        }
        count = left;
    }
}
