//! Builds and verifies setrograde endgame databases.

mod build;
mod cpu_clock;
mod error;
mod level_file;
mod oracle;
mod question;
mod refine;
mod shard;
mod top_set;
mod trick;

pub use build::{Build, Observer, Silent};
pub use error::BuildError;
pub use oracle::OracleCounts;
