//! The levels below, as far as a sample asks for them.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use cpu_time::ThreadTime;
use setrograde_endgame::diagram::{DiagramBuilder, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Error, LevelFile};

use super::draws::Line;
use crate::error::BuildError;
use crate::oracle::bound_query::DiagramBelow;
use crate::oracle::stored_level::PlainShards;
use crate::oracle::{LevelBelow, Oracle};
use crate::refine::refine;

/// A level below: of a database, or built partition by partition.
pub(super) enum SampledLevel<'a> {
    /// Below the first level no cards are left.
    Empty,
    Stored(Box<LevelFile>, PlainShards),
    OnTheFly(Box<OnTheFly<'a>>),
}

/// A level whose partitions are solved when they are first asked for.
pub(super) struct OnTheFly<'a> {
    partitions: PartitionIndex,
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

type Slot = OnceLock<Solved>;

/// A partition's diagram.
struct Solved {
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
    pub(super) fn new(
        level: usize,
        database: Option<(&Path, &Manifest)>,
        cancel: &'a AtomicBool,
    ) -> Result<SampledLevel<'a>, Error> {
        if level == 0 {
            return Ok(SampledLevel::Empty);
        }
        if let Some((directory, manifest)) = database
            && let Some(record) = manifest.level(level)
        {
            let stored = LevelFile::open_recorded(&level_path(directory, level), record)?;
            let shards = PlainShards::of(&stored);
            return Ok(SampledLevel::Stored(Box::new(stored), shards));
        }
        let partitions = PartitionIndex::new(level);
        let pages = partitions.len().div_ceil(PAGE);
        Ok(SampledLevel::OnTheFly(Box::new(OnTheFly {
            partitions,
            below: SampledLevel::new(level - 1, database, cancel)?,
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            cancel,
            failure: Mutex::new(None),
            solved: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        })))
    }

    /// Returns true if a partition that was asked for could not be solved.
    pub(super) fn has_failed(&self) -> bool {
        let SampledLevel::OnTheFly(level) = self else {
            return false;
        };
        let own = level.failure.lock();
        level.below.has_failed() || own.is_ok_and(|failure| failure.is_some())
    }

    /// Fails if any partition that was asked for could not be solved.
    pub(super) fn check(&self) -> Result<(), BuildError> {
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
    pub(super) fn built(&self) -> Vec<BuiltOnTheFly> {
        let mut built = Vec::new();
        let mut lower = self;
        while let SampledLevel::OnTheFly(level) = lower {
            built.push(BuiltOnTheFly {
                cards: 4 * level.partitions.level(),
                partitions: level.solved.load(Ordering::Relaxed),
                nodes: level.nodes.load(Ordering::Relaxed),
                all: level.partitions.len(),
                predicted: Line::new(&level.partitions, 1).predicted(),
            });
            lower = &level.below;
        }
        built
    }
}

impl LevelBelow for SampledLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<DiagramBelow<'_>, Error> {
        match self {
            SampledLevel::Empty => Ok(DiagramBelow::constant(0)),
            SampledLevel::Stored(level, shards) => shards.diagram(level, partition),
            SampledLevel::OnTheFly(level) => Ok(level.diagram(partition)),
        }
    }
}

impl OnTheFly<'_> {
    fn diagram(&self, partition: Partition) -> DiagramBelow<'_> {
        let number = self.partitions.number(partition);
        let page =
            self.pages[number / PAGE].get_or_init(|| (0..PAGE).map(|_| Slot::new()).collect());
        // A partition asks only for partitions of levels below its own, so
        // that threads which wait for each other's never do so in a circle.
        let Solved { root, nodes } = page[number % PAGE].get_or_init(|| self.solved(partition));
        DiagramBelow::Plain { nodes, root: *root }
    }

    fn solved(&self, partition: Partition) -> Solved {
        self.solve(partition).unwrap_or_else(|error| {
            if let Ok(mut failure) = self.failure.lock() {
                failure.get_or_insert(error);
            }
            Solved {
                root: Edge::leaf(0),
                nodes: Box::default(),
            }
        })
    }

    fn solve(&self, partition: Partition) -> Result<Solved, BuildError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(BuildError::Cancelled);
        }
        let level = self.partitions.level();
        let mut oracle = Oracle::new(&self.below, level);
        let mut diagram = DiagramBuilder::new();
        let root = refine(&mut oracle, partition, level, &mut diagram).map_err(|source| {
            BuildError::Diagram {
                partition: self.partitions.number(partition),
                cards: 4 * level,
                source,
            }
        })?;
        if let Some(error) = oracle.take_failure() {
            return Err(error.into());
        }
        let nodes: Box<[Node]> = diagram.nodes().into();
        self.solved.fetch_add(1, Ordering::Relaxed);
        self.nodes.fetch_add(nodes.len() as u64, Ordering::Relaxed);
        Ok(Solved { root, nodes })
    }
}

/// A level below that measures the time spent fetching diagrams from it, so
/// that it can be subtracted: a build unpacks each shard once, and a sample
/// would pay for each diagram.
pub(super) struct TimedLevel<'a> {
    pub(super) below: &'a SampledLevel<'a>,
    pub(super) time: Cell<Duration>,
}

impl LevelBelow for TimedLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<DiagramBelow<'_>, Error> {
        let start = ThreadTime::now();
        let diagram = self.below.diagram(partition);
        self.time.set(self.time.get() + start.elapsed());
        diagram
    }
}
