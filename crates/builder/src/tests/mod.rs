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
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::error::BuildError;
use crate::level::journal::Recipe;
use crate::shard::PackedShard;

type Shards = HashMap<([u64; Recipe::FIELDS], usize), PackedShard>;

/// Shards that this process has already built, for tests that build the same levels hundreds of
/// times.
static SHARDS: LazyLock<Mutex<Shards>> = LazyLock::new(Mutex::default);

/// The shard of a level with this recipe, built unless it was built before.
pub(crate) fn remembered(
    recipe: &Recipe,
    shard: usize,
    build: impl FnOnce() -> Result<PackedShard, BuildError>,
) -> Result<PackedShard, BuildError> {
    let shards = || SHARDS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (recipe.fields(), shard);
    if let Some(packed) = shards().get(&key) {
        return Ok(packed.clone());
    }
    let packed = build()?;
    shards().insert(key, packed.clone());
    Ok(packed)
}
