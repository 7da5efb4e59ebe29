//! Builds setrograde endgame databases for double-dummy bridge.
//!
//! [`Build`] makes all levels up to a number of cards. Every partition of a
//! level is split from the top down until each set of endings has one value,
//! which an oracle proves from the level below; `docs/algorithm.md` tells how.
//! The crate `setrograde-verify` proves the result by other means.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
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
//! # Ok(())
//! # }
//! ```

mod build;
mod cpu_clock;
#[cfg(all(test, unix))]
mod crash_tests;
mod error;
mod estimate;
mod files;
mod level;
mod method;
mod observer;
mod oracle;
mod plan;
mod refine;
mod session;
mod setrograde;
mod shard;
mod threads;

pub use build::{Build, FinishedChunk};
pub use error::BuildError;
pub use estimate::{
    BuiltOnTheFly, Effort, Estimate, EstimateError, EstimateObserver, EstimateReport, Projection,
};
pub use method::Method;
pub use observer::{BuildObserver, Silent};
pub use plan::chunk::{Chunk, ChunkError};
pub use plan::{DEEPEST, Plan, Share};
pub use setrograde::Metric;
pub use shard::counts::Work;
pub use threads::MOST_THREADS;
