//! Solving the runs of a sample.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_endgame::partition_index::PartitionIndex;

use super::draws::{Draw, Line};
use super::on_the_fly::{SampledLevel, TimedLevel};
use crate::error::BuildError;
use crate::method::Method;
use crate::shard::ShardBuilder;
use crate::shard::counts::ShardCounts;

/// A level to draw from.
pub(super) struct Sample<'a> {
    pub(super) line: Line<'a>,
    pub(super) partitions: &'a PartitionIndex,
    pub(super) below: &'a SampledLevel<'a>,
    pub(super) cancel: &'a AtomicBool,
}

impl Sample<'_> {
    /// Solves these runs, and calls `finished` after each. Returns those that were
    /// finished before it was cancelled.
    pub(super) fn solve(
        &self,
        draws: Vec<Draw>,
        finished: impl Fn() + Sync,
    ) -> Result<Vec<(Draw, Solved)>, BuildError> {
        let solved = draws
            .into_par_iter()
            .with_max_len(1)
            .filter_map(|draw| match self.solve_one(&draw) {
                // What a failed level below has said is worthless.
                Ok(_) if self.below.has_failed() => None,
                Ok(solved) => {
                    finished();
                    Some(Ok((draw, solved)))
                }
                Err(BuildError::Cancelled) => None,
                Err(error) => Some(Err(error)),
            })
            .collect::<Result<Vec<_>, BuildError>>()?;
        match self.below.check() {
            Ok(()) | Err(BuildError::Cancelled) => Ok(solved),
            Err(error) => Err(error),
        }
    }

    fn solve_one(&self, draw: &Draw) -> Result<Solved, BuildError> {
        let below = TimedLevel {
            below: self.below,
            time: Cell::default(),
        };
        let mut builder = ShardBuilder::new(Method::Refine, &below, self.partitions, self.cancel);
        let packed = builder.build(draw.partitions.clone())?;
        Ok(Solved {
            bytes: packed.streams.iter().map(Vec::len).sum(),
            cpu: packed.counts.cpu.saturating_sub(below.time.get()),
            counts: packed.counts,
        })
    }
}

/// The contents and the cost of a run.
pub(super) struct Solved {
    pub(super) bytes: usize,
    /// Processor time but for that spent on the levels below.
    pub(super) cpu: Duration,
    pub(super) counts: ShardCounts,
}
