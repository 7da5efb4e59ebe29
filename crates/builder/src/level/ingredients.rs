//! Building the shards of a level with all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_channel::Receiver;
use setrograde_endgame::partition_index::PartitionIndex;

use crate::counts::Work;
use crate::error::BuildError;
use crate::level::journal::Journal;
use crate::method::Method;
use crate::observer::{BuildObserver, Portion};
use crate::oracle::stored_level::StoredLevel;
use crate::plan::cost::predicted_cost;
use crate::shard::{PackedShard, ShardBuilder};

/// The inputs of a level's shards.
pub(crate) struct Ingredients<'a> {
    pub(crate) method: Method,
    pub(crate) partitions: &'a PartitionIndex,
    pub(crate) below: &'a StoredLevel,
    /// Partitions in a shard.
    pub(crate) shard_partitions: usize,
}

impl Ingredients<'_> {
    /// The partitions of a shard.
    pub(crate) fn numbers(&self, shard: usize) -> Range<usize> {
        let first = shard * self.shard_partitions;
        first..self.partitions.len().min(first + self.shard_partitions)
    }

    /// The partitions of a shard, their predicted cost, and these sets.
    pub(crate) fn portion(&self, shard: usize, sets: u64) -> Portion {
        let numbers = self.numbers(shard);
        let partitions = self.partitions.iter_from(numbers.start);
        Portion {
            partitions: numbers.len() as u64,
            sets,
            cost: partitions.take(numbers.len()).map(predicted_cost).sum(),
        }
    }

    /// Builds shards with the threads of the pool, one after another, and writes
    /// each into the journal as soon as it is finished. Returns the work on them.
    pub(crate) fn build_shards(
        &self,
        shards: &[usize],
        journal: &mut Journal<'_>,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Work, BuildError> {
        let next = AtomicUsize::new(0);
        // Bounded, so that workers wait rather than pile up what a slow disk
        // cannot take.
        let (sender, receiver) = crossbeam_channel::bounded(4 * pool.current_num_threads());
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| self.write_down(journal, receiver, observer));
            let results = pool.broadcast(|_| {
                let sender = sender.clone();
                let mut builder =
                    ShardBuilder::new(self.method, self.below, self.partitions, cancel);
                while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let packed = builder.build(self.numbers(shard))?;
                    // The writer hangs up only on an error of its own, which
                    // is reported below.
                    let sent = sender.send((shard, packed));
                    sent.map_err(|_| BuildError::Cancelled)?;
                }
                Ok(())
            });
            drop(sender);
            let written = match writer.join() {
                Ok(written) => written,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            let work = written?;
            results.into_iter().collect::<Result<(), BuildError>>()?;
            Ok(work)
        })
    }

    /// Writes finished shards down as they come. Returns the work on them.
    fn write_down(
        &self,
        journal: &mut Journal<'_>,
        shards: Receiver<(usize, PackedShard)>,
        observer: &impl BuildObserver,
    ) -> Result<Work, BuildError> {
        let mut work = Work::default();
        for (shard, packed) in shards {
            journal.append(shard, &packed)?;
            work += packed.counts.work();
            observer.advanced(self.portion(shard, packed.counts.sets));
        }
        Ok(work)
    }
}
