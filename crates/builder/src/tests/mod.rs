//! Builds that fail at any moment, journals of strangers, and levels of any size.

#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod faulty;
mod hostile;
mod large;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::build::Method;
use crate::shard::PackedShard;

type Shards = HashMap<(usize, Range<usize>), PackedShard>;

/// Shards that this process has built before, for tests that build the same levels
/// hundreds of times. All of them start from the same levels below.
static SHARDS: LazyLock<Mutex<Shards>> = LazyLock::new(Mutex::default);

/// The shard of these partitions of a level, if it was built before.
pub(crate) fn remembered_shard(
    method: Method,
    level: usize,
    numbers: &Range<usize>,
) -> Option<PackedShard> {
    if method != Method::Refine {
        return None;
    }
    let shards = SHARDS.lock().unwrap_or_else(PoisonError::into_inner);
    shards.get(&(level, numbers.clone())).cloned()
}

/// Remembers a shard.
pub(crate) fn remember(method: Method, level: usize, numbers: &Range<usize>, packed: &PackedShard) {
    if method == Method::Refine {
        let mut shards = SHARDS.lock().unwrap_or_else(PoisonError::into_inner);
        shards.insert((level, numbers.clone()), packed.clone());
    }
}
