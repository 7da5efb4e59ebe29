//! Levels: their files, what is unpacked of them, and how.
//!
//! [`file`] maps or reads a level's file and hands out the checked streams of
//! its shards; [`journals`] does so for a level that is not whole, and [`held`]
//! knows what there is of it; [`unpack`] makes diagrams or trees of them; [`cache`] keeps what
//! is unpacked; [`level`] puts the three together.

mod cache;
mod file;
mod held;
mod journals;
mod level;
mod unpack;

pub use file::Access;
pub(crate) use file::open_regular;
pub use level::Level;
pub use unpack::{ShardDiagrams, ShardFacts};
