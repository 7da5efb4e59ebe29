//! A level under construction.
//!
//! Finished shards are kept in [journals](journal) in the directory `level-NN.work`, one journal
//! for each chunk and host. Neither the process that finished a shard nor the division into chunks
//! matters: [the level](unfinished) is made from [the union](finished) of all journals.

pub(crate) mod chunk_file;
pub(crate) mod file;
mod finished;
pub(crate) mod journal;
pub(crate) mod unfinished;
pub(crate) mod work_directory;
