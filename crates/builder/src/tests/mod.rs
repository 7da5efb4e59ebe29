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
use std::sync::{LazyLock, Mutex};

use setrograde_lookup::format::manifest::level_path;
use setrograde_lookup::{Error, LevelFile};
use setrograde_parallel::lock;

use crate::error::BuildError;
use crate::level::journal::Recipe;
use crate::oracle::stored_level::StoredLevel;
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
    let shards = || lock(&SHARDS);
    let key = (recipe.fields(), shard);
    if let Some(packed) = shards().get(&key) {
        return Ok(packed.clone());
    }
    let packed = build()?;
    shards().insert(key, packed.clone());
    Ok(packed)
}

/// A level of the golden database, of 4 or 8 cards.
pub(crate) fn golden(level: usize) -> Result<LevelFile, Error> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    LevelFile::open(&level_path(golden.as_ref(), level))
}

/// The same to build from, with its nodes unpacked.
pub(crate) fn golden_below(level: usize) -> Result<StoredLevel, Error> {
    StoredLevel::new(golden(level)?, true)
}
