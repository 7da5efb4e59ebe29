//! Builds setrograde endgame databases for double-dummy bridge, and proves
//! them right.
//!
//! [`Build`] makes all levels up to a number of cards. Every partition of a
//! level is split from the top down until each set of endings has one value,
//! which an oracle proves from the level below; `docs/algorithm.md` tells how.
//! [`verify::Verify`] then proves the result by other means.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use setrograde_builder::verify::Verify;
//! use setrograde_builder::{Build, Silent};
//! use setrograde_lookup::{Database, Ending};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! let never = AtomicBool::new(false);
//! let manifest = Build::new(directory.path(), 8).run(&Silent, &never)?;
//! assert_eq!(manifest.levels[1].states, 87_921);
//!
//! let database = Database::open(directory.path())?;
//! let position = "NT S N:AQ... 76... 54... K3...".parse()?;
//! assert_eq!(database.value(&Ending::from_position(&position)?)?, 2);
//!
//! let verify = Verify { sample: 100, exhaustive: true, ..Verify::default() };
//! verify.run(&database, &Silent, &never)?;
//! # Ok(())
//! # }
//! ```

mod below;
mod build;
mod chunk;
mod cost;
mod cpu_clock;
mod error;
mod estimate;
mod journal;
mod level_file;
mod level_work;
mod memory;
mod method;
mod observer;
mod oracle;
mod plan;
mod question;
mod refine;
mod setrograde;
mod shard;
mod shard_counts;
mod top_set;
mod trick;
pub mod verify;

pub use build::{Build, FinishedChunk};
pub use chunk::{Chunk, ChunkError};
pub use error::BuildError;
pub use estimate::{
    BuiltOnTheFly, Effort, Estimate, EstimateError, EstimateObserver, EstimateReport, Projection,
};
pub use method::Method;
pub use observer::{Observer, Silent};
pub use plan::{DEEPEST, Plan, Share};
pub use setrograde::Metric;
pub use shard_counts::Took;
