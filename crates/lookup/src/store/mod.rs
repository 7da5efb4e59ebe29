//! Levels: their files, what is unpacked of them, and how.
//!
//! [`file`] maps or reads a level's file and hands out the checked streams of
//! its shards; [`journals`] does so for a level that is not whole, and [`held`]
//! knows what there is of it; [`unpack`] makes diagrams or trees of them.
//! [`kept`] has the shards of a level that fits in memory, their nodes in an
//! [`arena`]; [`bounded`] has those of one that does not, each [`counted`] within the
//! bound of [`memory`]. [`demand`] tells when a shard is worth unpacking, and
//! [`pinned`] keeps it for a question. [`level`] puts them together, [`opening`]
//! opens it, and [`payloads`] asks it.

mod arena;
mod bounded;
mod counted;
mod demand;
mod file;
mod held;
mod journals;
mod kept;
mod level;
mod memory;
mod opening;
mod payloads;
mod pinned;
mod unpack;

pub use file::Access;
pub(crate) use file::open_regular;
pub use level::Level;
pub(crate) use memory::Memory;
pub use memory::MemoryUse;
pub use pinned::{PinnedDiagram, PinnedPayload};
pub use unpack::{ShardDiagrams, ShardFacts};
