//! Builds databases.
mod oracle;
mod refine;
mod top_set;
pub mod proto;
