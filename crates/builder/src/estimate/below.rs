//! The parts of the levels below that a sample needs.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use cpu_time::ThreadTime;
use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Error, LevelFile};

use super::draws::CostLine;
use super::method_of;
use super::sample::build_diagram;
use crate::build::CoarseLevels;
use crate::error::BuildError;
use crate::method::Method;
use crate::oracle::LevelBelow;
use crate::oracle::plain_level::PlainLevel;

/// A level below: of a database, or built partition by partition.
pub(crate) enum SampledLevel<'a> {
    /// Below the first level no cards are left.
    Empty,
    Stored(Box<PlainLevel>),
    OnTheFly(Box<OnTheFly<'a>>),
}

/// A level whose partitions are solved when they are first asked for.
pub(crate) struct OnTheFly<'a> {
    partitions: PartitionIndex,
    method: Method,
    below: SampledLevel<'a>,
    /// By number, in pages that are made when they are first needed.
    pages: Vec<OnceLock<Box<[Slot]>>>,
    cancel: &'a AtomicBool,
    /// The reason why a partition could not be solved. From then on all answers are
    /// worthless, and the caller must ask for the failure.
    failure: Mutex<Option<BuildError>>,
    solved: AtomicU64,
    nodes: AtomicU64,
}

type Slot = OnceLock<SolvedPartition>;

/// A partition's diagram.
struct SolvedPartition {
    root: Edge,
    nodes: Box<[Node]>,
}

const PAGE: usize = 256;

/// A level that the database lacks, and how much of it was built on the fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltOnTheFly {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its partitions that were solved.
    pub partitions: u64,
    /// Their nodes.
    pub nodes: u64,
    /// All its partitions.
    pub all: usize,
    /// Look-ups that building all of it would take, as predicted from the shapes of
    /// its partitions alone.
    pub predicted: u64,
}

impl<'a> SampledLevel<'a> {
    /// The endings with `level` cards in each hand (0 for none at all): from
    /// the database if it has them.
    pub(crate) fn new(
        level: usize,
        database: Option<(&Path, &Manifest)>,
        coarse: Option<CoarseLevels>,
        cancel: &'a AtomicBool,
    ) -> Result<SampledLevel<'a>, Error> {
        if level == 0 {
            return Ok(SampledLevel::Empty);
        }
        if let Some((directory, manifest)) = database
            && let Some(record) = manifest.level(level)
        {
            let stored = LevelFile::open_recorded(&level_path(directory, level), record)?;
            return Ok(SampledLevel::Stored(Box::new(PlainLevel::new(stored))));
        }
        let partitions = PartitionIndex::new(level);
        let pages = partitions.len().div_ceil(PAGE);
        Ok(SampledLevel::OnTheFly(Box::new(OnTheFly {
            partitions,
            method: method_of(coarse, level),
            below: SampledLevel::new(level - 1, database, coarse, cancel)?,
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            cancel,
            failure: Mutex::new(None),
            solved: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        })))
    }

    /// Returns true if a partition that was asked for could not be solved.
    pub(crate) fn has_failed(&self) -> bool {
        let SampledLevel::OnTheFly(level) = self else {
            return false;
        };
        let own = level.failure.lock();
        level.below.has_failed() || own.is_ok_and(|failure| failure.is_some())
    }

    /// Fails if any partition that was asked for could not be solved.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let SampledLevel::OnTheFly(level) = self else {
            return Ok(());
        };
        level.below.check()?;
        match level.failure.lock() {
            Ok(mut failure) => failure.take().map_or(Ok(()), Err),
            // Another thread panicked, and takes the program down with it.
            Err(_) => Ok(()),
        }
    }

    /// Returns the levels that the database lacks, from the deepest level up.
    pub(crate) fn built(&self) -> Vec<BuiltOnTheFly> {
        let mut built = Vec::new();
        let mut lower = self;
        while let SampledLevel::OnTheFly(level) = lower {
            built.push(BuiltOnTheFly {
                cards: 4 * level.partitions.level(),
                partitions: level.solved.load(Ordering::Relaxed),
                nodes: level.nodes.load(Ordering::Relaxed),
                all: level.partitions.len(),
                predicted: CostLine::new(&level.partitions, level.method, 1).predicted(),
            });
            lower = &level.below;
        }
        built
    }
}

impl LevelBelow for SampledLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        match self {
            SampledLevel::Empty => Ok(Diagram::constant(0)),
            SampledLevel::Stored(level) => level.diagram(partition),
            SampledLevel::OnTheFly(level) => Ok(level.diagram(partition)),
        }
    }
}

impl OnTheFly<'_> {
    fn diagram(&self, partition: Partition) -> Diagram<'_> {
        let number = self.partitions.number(partition);
        let page =
            self.pages[number / PAGE].get_or_init(|| (0..PAGE).map(|_| Slot::new()).collect());
        // A partition asks only for partitions of levels below its own, so threads which wait for
        // each other's never do so in a circle.
        let SolvedPartition { root, nodes } =
            page[number % PAGE].get_or_init(|| self.solved(partition));
        Diagram::new(nodes, *root)
    }

    fn solved(&self, partition: Partition) -> SolvedPartition {
        self.solve(partition).unwrap_or_else(|error| {
            if let Ok(mut failure) = self.failure.lock() {
                failure.get_or_insert(error);
            }
            SolvedPartition {
                root: Edge::leaf(0),
                nodes: Box::default(),
            }
        })
    }

    fn solve(&self, partition: Partition) -> Result<SolvedPartition, BuildError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(BuildError::Cancelled);
        }
        let (nodes, root) = build_diagram(&self.below, &self.partitions, partition, self.method)?;
        self.solved.fetch_add(1, Ordering::Relaxed);
        self.nodes.fetch_add(nodes.len() as u64, Ordering::Relaxed);
        Ok(SolvedPartition { root, nodes })
    }
}

/// A level below that measures the time spent fetching diagrams from it, so it can be subtracted: a
/// build unpacks each shard once, and a sample would pay for each diagram.
pub(crate) struct TimedLevel<'a> {
    pub(crate) below: &'a SampledLevel<'a>,
    pub(crate) time: Cell<Duration>,
}

impl LevelBelow for TimedLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        let start = ThreadTime::now();
        let diagram = self.below.diagram(partition);
        self.time.set(self.time.get() + start.elapsed());
        diagram
    }
}
