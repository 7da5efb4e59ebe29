//! Builds and verifies setrograde endgame databases.

mod build;
mod cpu_clock;
mod error;
mod level_file;
mod oracle;
pub mod published;
mod question;
mod refine;
mod setrograde;
mod shard;
mod top_set;
mod trick;

pub use build::{Build, Method, Observer, Silent};
pub use error::BuildError;
pub use oracle::OracleCounts;
pub use setrograde::Metric;
