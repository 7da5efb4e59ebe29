//! The number of threads, and starting them.

use std::num::NonZero;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::BuildError;

/// The most worker threads that a build or an estimate starts.
pub const MOST_THREADS: usize = 1024;

/// The threads to use: as many as asked for, or one for each core.
///
/// # Errors
///
/// [`BuildError::TooManyThreads`] above [`MOST_THREADS`].
pub(crate) fn checked_threads(asked: Option<usize>) -> Result<usize, BuildError> {
    match asked {
        Some(threads) if threads > MOST_THREADS => Err(BuildError::TooManyThreads {
            threads,
            most: MOST_THREADS,
        }),
        Some(threads) => Ok(threads.max(1)),
        None => Ok(available_parallelism()
            .map_or(1, NonZero::get)
            .min(MOST_THREADS)),
    }
}

/// Starts a pool of threads.
pub(crate) fn pool_of(threads: usize) -> Result<ThreadPool, BuildError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
