//! Builds that fail at any moment, journals of strangers, and levels of any size.

mod coarse;
#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod faulty;
mod hostile;
mod large;
mod sample;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::error::BuildError;
use crate::method::Method;
use crate::shard::PackedShard;

type Shards = HashMap<(usize, Range<usize>), PackedShard>;

/// Shards that this process has already built, for tests that build the same levels hundreds of
/// times. All tests start from the same levels.
static SHARDS: LazyLock<Mutex<Shards>> = LazyLock::new(Mutex::default);

/// The shard of these partitions of a level, built unless it was built before.
pub(crate) fn remembered(
    method: Method,
    level: usize,
    numbers: Range<usize>,
    build: impl FnOnce() -> Result<PackedShard, BuildError>,
) -> Result<PackedShard, BuildError> {
    if method != Method::Refine {
        return build();
    }
    let shards = || SHARDS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (level, numbers);
    if let Some(packed) = shards().get(&key) {
        return Ok(packed.clone());
    }
    let packed = build()?;
    shards().insert(key, packed.clone());
    Ok(packed)
}
