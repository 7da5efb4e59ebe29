//! Proves a setrograde endgame database right, by means that share no code
//! with what built it.
//!
//! [`Verify`] goes through the levels from the fewest cards up. Each level is
//! checked in up to four ways:
//!
//! 1. [`Check::Checksums`]: reads every shard again; manifest, header and diagrams must agree.
//! 2. [`Check::Sets`]: walks every diagram along all its paths. The paths must
//!    cover the partition, and the value of the set of endings at the end of
//!    each is proved from the level below, by an oracle of this crate's own in
//!    three-valued logic. With the level below proved before, this is a
//!    complete proof of the level. Of the deepest level it can be a [`LevelSample`].
//! 3. [`Check::Sample`]: compares random endings with plain minimax.
//! 4. [`Check::Exhaustive`], up to 12 cards: compares every single
//!    ending with plain minimax.
//!
//! ```
//! use setrograde_lookup::Database;
//! use setrograde_verify::{Check, SilentCheck, Stop, Verify};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let database = Database::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden"))?;
//! let verify = Verify { sample: 100, exhaustive: true, ..Verify::default() };
//! let report = verify.run(&database, &SilentCheck, &Stop::default())?;
//!
//! let sets = report.checks.iter().find(|check| check.cards == 8 && check.check == Check::Sets);
//! assert_eq!(sets.map(|check| (check.units, check.sets)), Some((2_054, 6_203)));
//! # Ok(())
//! # }
//! ```
//!
//! # What is trusted
//!
//! A proof is only as good as the code behind it. All four checks trust the compiler, the
//! processor, and the code that reads a database:
//!
//! - the *decoding* of `setrograde-lookup`: file, checksums, shards, nodes. A
//!   decoder that misread a diagram the same way each time would have its
//!   misreading proved, and look-ups would misread it alike.
//!
//! `Sets` also trusts, from `setrograde-endgame`,
//!
//! - the *canonical order* of suits and hands, `Shape::canonical`, which says
//!   in which partition the play continues after a trick,
//! - the *numbering* of partitions, `PartitionIndex`, which gives the offset of that partition in
//!   the file, and
//! - for databases of shallow trees, `unfold`, which makes diagrams of them.
//!
//! `Sample` and `Exhaustive` trust neither: they find values through the same look-up as a user
//! would, and play out the cards themselves. It finds mistakes in canonical order or numbering that
//! the builder and the other checks share.
//!
//! Nothing here depends on the crate that builds databases.
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod check;
mod checksums;
mod error;
mod exhaustive;
mod minimax;
mod path_set;
mod reproof;
mod survey;
mod three_valued;
mod verify;
mod workers;

pub use check::{Check, CheckPortion, CheckReport, LevelSample, SilentCheck, VerifyObserver};
pub use error::{PartitionName, VerifyError};
pub use setrograde_parallel::{MOST_THREADS, Stop};
pub use verify::{Verify, VerifyReport};

#[cfg(test)]
mod tests;
