//! Opens and probes setrograde endgame databases: the exact number of tricks
//! of every double-dummy bridge ending that the database holds, and the set of
//! endings that proves it.
//!
//! A database is a directory, built by `setrograde build`: a [manifest](Manifest) and two
//! files for each level (a level is all endings with the same number of cards): the compressed
//! level, and the mapped level, which [`Database::open`] maps without unpacking anything. Look-ups
//! read the mapped file, and the system's page cache keeps its hot pages. [`Database::from_bytes`]
//! does the same with bytes that are not a file. Everything is safe to share between threads.
//!
//! ```
//! use setrograde_lookup::{Database, Ending};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
//! let database = Database::open(directory)?;
//!
//! // An ending from text: no trump, West leads, two cards each.
//! let position = "NT W N:A.2.. K..A. .AK.. Q..K.".parse()?;
//! let ending = Ending::from_position(&position)?;
//!
//! let located = database.locate(&ending)?.ok_or("not held")?;
//! let answer = located.answer()?;
//! assert_eq!(answer.value, 1, "a trick for West and East");
//! assert_eq!(answer.set.mask(0, 0), 0b0001, "the top spade must be North's");
//!
//! // "At least one trick?" is answered sooner, for a larger set.
//! let walk = located.prove(1)?;
//! assert!(walk.bounds.lo >= 1 || walk.bounds.hi < 1);
//! # Ok(())
//! # }
//! ```
//!
//! A position with a trick under way goes to [`Database::position_value`].
//!
//! The unit of depth is the trick, one card of each hand: [`Database::max_tricks`] of a database
//! with `level-20.sdb` is 5. The command and file names count the cards of all hands together.
//!
//! # Overview
//!
//! - Questions: [`Database::locate`] finds an ending's diagram, [`Located`] answers: its
//!   [`value`](Located::value), the [`Answer`] with the set that proves it, a
//!   [`proof`](Located::prove) of one bound, a [`decision`](Located::decide), the [`Distribution`]
//!   of the values in a set. [`Database::values`] answers many at once; [`Database::decide`]
//!   answers one and reads the fewest bytes.
//! - The database that programs use by default, with the feature `builtin`: [`in_use`].
//! - Errors: [`Error`], [`ProbeError`], and the [`Note`]s of an opened
//!   database.
//!
//! | type | what it is |
//! |---|---|
//! | [`Database`] | a directory, opened: its levels |
//! | [`Manifest`], [`LevelRecord`] | what the directory says about its levels |
//! | [`Level`] | a level as look-ups walk it: its map |
//! | [`Located`] | an ending and its diagram in a level |
//! | `LevelFile`, `Shard` | a level as it is built and copied: compressed, in shards |
//! | `LevelWriter`, `MapWriter` | write the compressed level, and its map |
//!
//! The types of cards, hands and deals are those of `setrograde_cards`, which is here as [`cards`].
//!
//! Items that are hidden here are for the builder and the provers of this project: they read and
//! write the files (`docs/format.md`), name types of internal crates, and change with any version.
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![warn(unreachable_pub)]

mod bytes;
mod database;
mod error;
#[doc(hidden)]
pub mod format;
#[cfg(feature = "builtin")]
#[doc(hidden)]
pub mod in_use;
mod located;
#[doc(hidden)]
pub mod paper;
mod patience;
mod store;
mod values;

pub use bytes::{Bytes, DiskReads};
pub use database::{Database, Note};
pub use error::{Error, ProbeError};
pub use format::grain::{Grain, GrainError};
pub use format::manifest::{LevelRecord, Manifest};
pub use located::{Answer, Located};
#[doc(hidden)]
pub use patience::patiently;
pub use setrograde_cards as cards;
pub use setrograde_endgame::diagram::{Bounds, Distribution, Verdict, Walk, Weights};
pub use setrograde_endgame::ending::{Ending, EndingError};
pub use setrograde_endgame::owners::TopCards;
pub use setrograde_endgame::set::EndingSet;
pub use store::Level;
#[doc(hidden)]
pub use store::{
    Damage, LevelFile, LevelWriter, MapWriter, PackedDiagram, Shard, ShardDiagrams, UnpackError,
    unpack,
};
