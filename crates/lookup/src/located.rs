//! An ending's place in a database, and the questions that it answers there.

use setrograde_endgame::diagram::{Bounds, Diagram, Distribution, Verdict, View, Walk, Weights};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::set::EndingSet;
use setrograde_endgame::suit_order::SuitOrder;

use crate::error::Error;
use crate::store::{Level, PinnedDiagram, PinnedPayload};

/// What a database knows about an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Tricks for the leader's side, 0..=13.
    pub value: u8,
    /// Endings that all have this value, the one asked for among them: of the
    /// same shape, with owners of the top cards as the masks say. Suits and
    /// seats are those of the question.
    pub set: EndingSet,
}

/// The partition of an ending, and the order of its suits there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    level: &'a Level,
    /// The number of the partition.
    number: usize,
    pub(crate) order: SuitOrder,
}

impl<'a> Place<'a> {
    /// The place of an ending of that level.
    #[inline]
    pub(crate) fn of(ending: &Ending, level: &'a Level) -> Place<'a> {
        let canonical = ending.canonical();
        Place {
            level,
            number: level.partitions().number(canonical.partition),
            order: canonical.order,
        }
    }

    /// The diagram of the partition, if it is one that is kept.
    #[inline]
    pub(crate) fn kept_diagram(&self) -> Option<Diagram<'a>> {
        self.level.kept_diagram(self.number)
    }

    /// The same, if it is unpacked.
    #[inline]
    pub(crate) fn unpacked_diagram(&self) -> Option<Diagram<'a>> {
        self.level.unpacked_diagram_at(self.number)
    }
}

/// An ending's place in a database, found once for all questions about it, by
/// [`Database::locate`](crate::Database::locate). While it lives, what it
/// refers to stays in memory.
#[derive(Debug)]
pub struct Located<'a> {
    place: Place<'a>,
    payload: PinnedPayload<'a>,
    ending: Ending,
}

impl<'a> Located<'a> {
    /// The place of an ending of that level.
    #[inline]
    pub(crate) fn new(level: &'a Level, ending: &Ending) -> Result<Located<'a>, Error> {
        let place = Place::of(ending, level);
        let payload = level.payload_at(place.number)?;
        if let Some(diagram) = payload.diagram() {
            diagram.prefetch();
        }
        Ok(Located {
            place,
            payload,
            ending: *ending,
        })
    }

    /// The place of an ending, unless its shard must be unpacked first and that is
    /// not worthwhile yet.
    pub(crate) fn if_worthwhile(
        place: Place<'a>,
        ending: &Ending,
    ) -> Result<Option<Located<'a>>, Error> {
        let payload = place.level.payload_if_worthwhile(place.number)?;
        Ok(payload.map(|payload| Located {
            place,
            payload,
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
        let value = match self.payload.diagram() {
            Some(diagram) => diagram.value(&self.ending, self.place.order),
            None => self.payload.get().value(&self.ending, self.place.order),
        };
        match value {
            Some(value) => Ok(value),
            None => Err(self.leads_nowhere()),
        }
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
        let walk = match self.payload.diagram() {
            Some(diagram) => diagram.walk(&self.ending, self.place.order, target),
            None => self
                .payload
                .get()
                .walk(&self.ending, self.place.order, target),
        };
        walk.ok_or_else(|| self.leads_nowhere())
    }

    /// Whether the leader's side takes at least `target` tricks, and the fewest
    /// top cards of each suit that prove it: what a solver's transposition
    /// table stores.
    ///
    /// # Errors
    ///
    /// As [`value`](Self::value); and [`Error::Damaged`] if the partition has a
    /// tree that cannot be unfolded into a diagram.
    #[inline]
    pub fn decide(&self, target: u8) -> Result<Verdict, Error> {
        let verdict = match self.payload.diagram() {
            Some(diagram) => diagram.decide(&self.ending, self.place.order, target),
            None => {
                let diagram = self.unfolded()?;
                diagram.get().decide(&self.ending, self.place.order, target)
            }
        };
        verdict.ok_or_else(|| self.leads_nowhere())
    }

    /// How many endings of `set` have each value, 0..=13 tricks for the leader's
    /// side, as far as they have the shape, the strain and the leader of this
    /// one. They are counted on the diagram, not visited.
    ///
    /// # Errors
    ///
    /// As [`decide`](Self::decide).
    pub fn distribution(&self, set: &EndingSet) -> Result<Distribution<u128>, Error> {
        let shape = self.ending.canonical().partition.shape;
        let view = self.view();
        let counts = match self.payload.diagram() {
            Some(diagram) => diagram.distribution(shape, set, view),
            None => self.unfolded()?.get().distribution(shape, set, view),
        };
        counts.ok_or_else(|| self.leads_nowhere())
    }

    /// The sums of the weights of all endings with each value, where an ending
    /// weighs as much as the product of its cards' weights. As
    /// [`distribution`](Self::distribution).
    ///
    /// # Errors
    ///
    /// As [`decide`](Self::decide).
    pub fn weighed_distribution(&self, weights: &Weights) -> Result<Distribution<f64>, Error> {
        let shape = self.ending.canonical().partition.shape;
        let view = self.view();
        let sums = match self.payload.diagram() {
            Some(diagram) => diagram.weighed_distribution(shape, weights, view),
            None => self
                .unfolded()?
                .get()
                .weighed_distribution(shape, weights, view),
        };
        sums.ok_or_else(|| self.leads_nowhere())
    }

    /// The least and the greatest value of the endings in `set`, as far as they
    /// have the shape, the strain and the leader of this one.
    /// [`Bounds::NOTHING`] if there are none.
    #[must_use]
    pub fn bounds(&self, set: &EndingSet) -> Bounds {
        self.payload.get().bounds(set, self.view())
    }

    /// The set with as few known cards as the bounds bear: from each suit in
    /// turn the lowest known cards are forgotten as long as all endings of the
    /// set stay within `bounds`.
    #[must_use]
    pub fn widen(&self, set: &EndingSet, bounds: Bounds) -> EndingSet {
        self.payload.get().widen(set, self.view(), bounds)
    }

    /// The diagram that a tree unfolds into.
    fn unfolded(&self) -> Result<PinnedDiagram<'a>, Error> {
        self.place.level.diagram_at(self.place.number)
    }

    fn view(&self) -> View {
        View {
            order: self.place.order,
            leader: self.ending.leader_index(),
        }
    }

    #[cold]
    fn leads_nowhere(&self) -> Error {
        let place = format!("partition {}", self.ending.canonical().partition);
        Error::damaged(
            self.place.level.path(),
            place,
            "it does not cover an ending",
        )
    }
}
