//! Levels: their files, what is unpacked of them, and how.
//!
//! [`file`] maps or reads a level's file and hands out the checked streams of
//! its shards; [`journals`] does so for a level that is not whole, and [`held`]
//! knows what there is of it; [`unpack`] makes diagrams or trees of them.
//! [`kept`] has the shards of a level that fits in memory, [`bounded`] those of
//! one that does not, within the bound of [`memory`]; [`pinned`] keeps one of them
//! there for a question. [`level`] puts them together.

mod bounded;
mod file;
mod held;
mod journals;
mod kept;
mod level;
mod memory;
mod pinned;
mod unpack;

pub use file::Access;
pub(crate) use file::open_regular;
pub use level::Level;
pub(crate) use memory::Memory;
pub use memory::MemoryUse;
pub use pinned::{PinnedDiagram, PinnedPayload};
pub use unpack::{ShardDiagrams, ShardFacts};
