//! A level under construction.
//!
//! Finished shards stand in [journals](journal) in the directory
//! `level-NN.work` beside the levels, one journal for each chunk and host. It
//! does not matter who finished a shard or how the level was cut into chunks:
//! [the level](unfinished) is made from [the union](finished) of all journals.

pub(crate) mod file;
mod finished;
pub(crate) mod journal;
pub(crate) mod unfinished;
pub(crate) mod work_directory;
