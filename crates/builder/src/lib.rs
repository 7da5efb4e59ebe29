//! Builds setrograde endgame databases for double-dummy bridge.
//!
//! A database has the value of every *ending*: a position with no card on the table and the same
//! number of cards in each hand. It is built level by level, from 4 cards up, each from the one
//! below.
//!
//! ```
//! use setrograde_builder::{Build, Silent, Stop};
//! use setrograde_lookup::{Database, Ending};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! let manifest = Build::new(directory.path(), 8).run(&Silent, &Stop::default())?;
//! assert_eq!(manifest.levels[1].states, 87_921);
//!
//! let database = Database::open(directory.path())?;
//! let position = "NT S N:AQ... 76... 54... K3...".parse()?;
//! let located = database.locate(&Ending::from_position(&position)?)?;
//! assert_eq!(located.ok_or("not held")?.value()?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! # Overview
//!
//! - [`Build`] builds all levels up to a number of cards, or one [`Chunk`] of a level; [`plan()`]
//!   lists the chunks. A build may be cancelled or killed at any moment, and continues when it is
//!   run again. The bytes of the levels depend neither on that nor on the number of threads.
//! - [`repair`] restores a manifest; [`constructions`] lists levels under construction.
//! - [`digests`] identifies the contents of chunks, to compare two builds.
//! - [`Estimate`] predicts what building a level would take, from a sample of it.
//! - [`Method`] is the method of finding sets of endings: `refine` splits a partition from the top
//!   down until each set has one value; `coarse` does so only as far as searches reach; `setrograde`
//!   is the method of the paper. An oracle proves each value from the level below.
//!
//! `docs/algorithm.md` explains the method, `docs/format.md` the files. The crate
//! `setrograde-verify` proves a database with independent code.
//!
//! I. Stone, N. R. Sturtevant, J. Schaeffer, "Set-Based Retrograde Analysis:
//! Precomputing the Solution to 24-card Bridge Double Dummy Deals", 2024,
//! arXiv:2411.09089, is "the paper" in these pages.
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

mod build;
mod counts;
mod digest;
mod directory;
mod error;
mod estimate;
mod files;
mod level;
mod method;
mod observer;
mod oracle;
mod plan;
mod refine;
mod repair;
mod setrograde;
mod shard;
mod system_memory;
mod unpack;

pub use build::Build;
pub use counts::Work;
pub use digest::digests;
pub use error::BuildError;
pub use estimate::{Effort, Estimate, EstimateError, EstimateReport, Projection};
pub use files::is_ours;
pub use level::unfinished::FinishedChunk;
pub use method::Method;
pub use observer::{BuildObserver, Portion, Silent};
pub use plan::{Chunk, ChunkError, DEEPEST, Share, plan, shard_partitions};
pub use repair::{Construction, constructions, repair};
pub use setrograde_parallel::{MOST_THREADS, Stop};
pub use unpack::{Unpack, UnpackedLevel};

#[cfg(test)]
mod tests;
