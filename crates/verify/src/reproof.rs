//! Walking every diagram along all its paths: do they cover the partition, and
//! is the value at the end of each right?
//!
//! A path says who owns some top cards of each suit, so it represents a set of
//! endings. At each node every hand that has cards of the node's suit left must
//! have a way on, and no other hand; then every ending has exactly one path.
//!
//! The value *t* at a path's end claims "at least *t*" and "no more", and an interval claims both
//! of its ends. A claim about a set holds for its subsets: a claim proved at the node whose bounds
//! first make it is not proved again below. At the ends, a claim that three-valued logic leaves
//! open is proved part by part, knowing one more card. Single endings leave nothing open, so ends,
//! and every claim is proved or refuted.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_endgame::diagram::{Bounds, Diagram, Edge};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::format::level_header::DIAGRAMS;
use setrograde_lookup::{Level, LevelFile};

use crate::check::{CheckPortion, LevelSample, Passed, VerifyObserver};
use crate::error::{PartitionName, VerifyError, same};
use crate::path_set::PathSet;
use crate::three_valued::{Evaluator, Truth};
use crate::workers::Workers;

/// The partitions of a level in groups: those of each compressed shard, or, if there are none,
/// about as many.
pub(crate) struct Groups {
    size: usize,
    partitions: usize,
    /// About in proportion to the time that a group takes.
    costs: Vec<u64>,
}

/// The partitions of a group where there are no shards.
const GROUP: usize = 256;

impl Groups {
    pub(crate) fn new(level: &Level, file: Option<&LevelFile>) -> Groups {
        let size = file.map_or(GROUP, |file| file.header().shard_partitions as usize);
        let partitions = level.partitions().len();
        let mut costs = vec![0; partitions.div_ceil(size)];
        for (number, partition) in level.partitions().iter().enumerate() {
            costs[number / size] += level.diagram_bytes(partition);
        }
        Groups {
            size,
            partitions,
            costs,
        }
    }

    /// Returns the number of groups.
    pub(crate) fn count(&self) -> usize {
        self.costs.len()
    }

    /// The numbers of the partitions in a group.
    pub(crate) fn numbers(&self, group: usize) -> Range<usize> {
        let first = group * self.size;
        first..self.partitions.min(first + self.size)
    }

    /// A group as a part of a check.
    pub(crate) fn portion(&self, group: usize) -> CheckPortion {
        CheckPortion {
            units: 1,
            cost: self.costs[group],
        }
    }

    /// All groups as a part of a check.
    pub(crate) fn all(&self) -> CheckPortion {
        CheckPortion {
            units: self.count() as u64,
            cost: self.costs.iter().sum(),
        }
    }
}

/// The partitions of a level to prove.
pub(crate) struct Chosen<'a> {
    groups: &'a Groups,
    part: Option<LevelSample>,
    seed: u64,
    /// The groups with a partition to prove, and the numbers of these.
    chosen: Vec<(usize, u64)>,
    /// The groups whose partitions are all proved.
    largest: HashSet<usize>,
}

impl<'a> Chosen<'a> {
    /// All of the level, or a part of it.
    pub(crate) fn new(
        level: &Level,
        groups: &'a Groups,
        part: Option<LevelSample>,
        seed: u64,
    ) -> Chosen<'a> {
        let mut chosen = Chosen {
            groups,
            part,
            seed,
            chosen: Vec::new(),
            largest: HashSet::new(),
        };
        if let Some(part) = part {
            let mut by_cost: Vec<usize> = (0..groups.count()).collect();
            by_cost.sort_by_key(|&group| Reverse(groups.costs[group]));
            let mut partitions = 0;
            let is_wanted = |group: &usize| {
                let before = partitions;
                partitions += groups.numbers(*group).len();
                before < part.largest
            };
            chosen.largest = by_cost.into_iter().take_while(is_wanted).collect();
        }
        for group in 0..groups.count() {
            let count = chosen.of_group(level, group).count();
            if count > 0 {
                chosen.chosen.push((group, count as u64));
            }
        }
        chosen
    }

    /// The partitions of a group to prove.
    fn of_group(&self, level: &Level, group: usize) -> impl Iterator<Item = (usize, Partition)> {
        let numbers = self.groups.numbers(group);
        let partitions = level.partitions().iter_from(numbers.start);
        let is_chosen = move |number: usize| {
            let Some(part) = self.part else {
                return true;
            };
            let random = || fastrand::Rng::with_seed(self.seed ^ (number as u64) << 20).f64();
            self.largest.contains(&group) || random() < part.share
        };
        numbers
            .zip(partitions)
            .filter(move |&(number, _)| is_chosen(number))
    }

    /// Returns the number of chosen partitions, and the cost of their groups.
    pub(crate) fn portion(&self) -> CheckPortion {
        let mut all = CheckPortion::default();
        for &(group, units) in &self.chosen {
            all.units += units;
            all.cost += self.groups.costs[group];
        }
        all
    }
}

/// Checks the chosen diagrams of a level against the level below; there is none
/// below level 1, where nothing is left to win.
pub(crate) fn check<O: VerifyObserver>(
    level: &Level,
    file: Option<&LevelFile>,
    below: Option<&Level>,
    chosen: &Chosen<'_>,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let sets = AtomicU64::new(0);
    let cpu = workers.each(
        chosen.chosen.len(),
        || Evaluator::new(level, below, workers.stop),
        |evaluator, item| {
            let (group, units) = chosen.chosen[item];
            for (number, partition) in chosen.of_group(level, group) {
                workers.check_stop()?;
                let diagram = level.diagram(partition)?;
                let name = PartitionName { number, partition };
                let proved = check_diagram(evaluator, level, name, diagram)?;
                sets.fetch_add(proved, Ordering::Relaxed);
            }
            let cost = chosen.groups.portion(group).cost;
            Ok(CheckPortion { units, cost })
        },
    )?;
    let sets = sets.into_inner();
    // A tree's sets are counted with the checksums; its diagram has others.
    if let Some(file) = file.filter(|file| file.header().payload == DIAGRAMS)
        && chosen.part.is_none()
    {
        same(
            file.path(),
            "number of sets",
            file.header().sets,
            sets.into(),
        )?;
    }
    Ok(Passed { sets, cpu })
}

/// Checks one diagram, and returns the number of its sets.
pub(crate) fn check_diagram(
    evaluator: &mut Evaluator<'_>,
    level: &Level,
    name: PartitionName,
    diagram: Diagram<'_>,
) -> Result<u64, VerifyError> {
    evaluator.enter(name.partition);
    let anything = Bounds {
        lo: 0,
        hi: level.level() as u8,
    };
    let mut walk = Reproof {
        evaluator,
        level,
        name,
        diagram,
        sets: 0,
    };
    let set = PathSet::nothing(name.partition.shape);
    walk.descend(diagram.root(), &set, anything, true)?;
    Ok(walk.sets)
}

/// A walk through one diagram.
struct Reproof<'w, 'a> {
    evaluator: &'w mut Evaluator<'a>,
    level: &'w Level,
    name: PartitionName,
    diagram: Diagram<'w>,
    sets: u64,
}

impl Reproof<'_, '_> {
    /// Checks the diagram below `at`, the end of the path of `set`. `proved` holds for all its
    /// endings. Owners with the same child share one 4-bit mask; `first` says that no owner on the
    /// path shares one with an owner before it.
    fn descend(
        &mut self,
        at: Edge,
        set: &PathSet,
        proved: Bounds,
        first: bool,
    ) -> Result<(), VerifyError> {
        if at.hi() as usize > self.level.level() {
            return Err(self.uncovered(set, "the value is beyond the number of tricks"));
        }
        if at.is_leaf() || at.is_interval() {
            self.sets += u64::from(first);
            return self.leaf(at.bounds(), set, proved);
        }
        let children = self.diagram.children(at);
        let suit = self.diagram.suit(at);
        let hidden = set.hidden(suit);
        if hidden.total() == 0 {
            return Err(self.uncovered(set, "it asks for a card of a suit that has none left"));
        }
        let bounds: Bounds = children.iter().map(|child| child.bounds()).collect();
        if bounds != at.bounds() {
            return Err(self.uncovered(set, "the bounds are not those of the children"));
        }
        let proved = self.narrow(at, set, proved)?;
        for (owner, &child) in children.iter().enumerate() {
            match (hidden.length(owner) > 0, child.is_nothing()) {
                (true, false) => {
                    let first = first && !children[..owner].contains(&child);
                    self.descend(child, &set.learn(suit, owner), proved, first)?;
                }
                (false, true) => {}
                (true, true) => {
                    return Err(
                        self.uncovered(set, "a hand that may own the next card is left out")
                    );
                }
                (false, false) => {
                    return Err(self.uncovered(set, "a hand without cards may own the next card"));
                }
            }
        }
        Ok(())
    }

    /// Tries to prove a node's bounds, so its leaves need not.
    fn narrow(
        &mut self,
        at: Edge,
        set: &PathSet,
        mut proved: Bounds,
    ) -> Result<Bounds, VerifyError> {
        if at.lo() > proved.lo && self.evaluator.holds(set, at.lo(), true)? {
            proved.lo = at.lo();
        }
        if at.hi() < proved.hi && self.evaluator.holds(set, at.hi() + 1, false)? {
            proved.hi = at.hi();
        }
        Ok(proved)
    }

    fn leaf(&mut self, stored: Bounds, set: &PathSet, proved: Bounds) -> Result<(), VerifyError> {
        if proved.lo < stored.lo {
            self.prove(set, set, stored.lo, stored.lo, true)?;
        }
        if proved.hi > stored.hi {
            self.prove(set, set, stored.hi, stored.hi + 1, false)?;
        }
        Ok(())
    }

    /// Proves that "at least `tricks` tricks" is true, or false, for all endings of `part`, a part
    /// of the `whole` set with the diagram's `value`, which is a lower or an upper bound if the set
    /// has an interval.
    fn prove(
        &mut self,
        whole: &PathSet,
        part: &PathSet,
        value: u8,
        tricks: u8,
        hoped: bool,
    ) -> Result<(), VerifyError> {
        if self.evaluator.holds(part, tricks, hoped)? {
            return Ok(());
        }
        let (truth, learn) = self.evaluator.truth(part, tricks)?;
        if truth != Truth::Unknown {
            return self.wrong(whole, part, value);
        }
        // Without a suit to learn, the set led to an interval of the level below. Parts of the set
        // may lead to others.
        let open = |&suit: &usize| part.hidden(suit).holders() > 1;
        let Some(suit) = learn.or_else(|| (0..4).find(open)) else {
            let problem = "its bounds do not follow from the coarse level below";
            return Err(self.uncovered(whole, problem));
        };
        let hidden = part.hidden(suit);
        if hidden.total() == 0 {
            let problem = "a diagram asks for a card that no hand has";
            return Err(self.evaluator.damaged(problem).into());
        }
        for owner in (0..4).filter(|&owner| hidden.length(owner) > 0) {
            self.prove(whole, &part.learn(suit, owner), value, tricks, hoped)?;
        }
        Ok(())
    }

    /// Names an ending of `part`, none of which has this value.
    #[cold]
    fn wrong<T>(&mut self, whole: &PathSet, part: &PathSet, stored: u8) -> Result<T, VerifyError> {
        let ending = part.any_ending();
        let mut right = 0;
        while usize::from(right) < self.level.level()
            && self.evaluator.truth(&ending, right + 1)?.0 == Truth::True
        {
            right += 1;
        }
        Err(VerifyError::WrongSet {
            path: self.level.path().to_owned(),
            partition: self.name,
            set: whole.text(),
            ending: ending.ending_text(self.name.partition.trump),
            stored,
            right,
        })
    }

    #[cold]
    fn uncovered(&self, set: &PathSet, problem: &'static str) -> VerifyError {
        VerifyError::Cover {
            path: self.level.path().to_owned(),
            partition: self.name,
            known: set.text(),
            problem,
        }
    }
}
