//! Levels in their two forms, and the conversion between them.
//!
//! A compressed level, [`LevelFile`], is built, proved and copied, and is read shard by shard. A
//! mapped level, [`Level`], is walked in a mapped file or in memory without further decoding.
//! [`unpack`] makes the second from the first, and unfolds the paper's trees into diagrams.

mod blocks;
mod index;
mod level;
mod level_file;
mod level_writer;
mod map_file;
mod map_writer;
mod recent;
mod shard;

pub(crate) use index::MatrixSlot;
pub use level::Level;
pub use level_file::{LevelFile, UnpackError, unpack};
pub use level_writer::LevelWriter;
pub use map_writer::{MapWriter, PackedDiagram};
pub use shard::{Damage, Shard, ShardDiagrams};
