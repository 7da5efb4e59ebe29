//! A level under construction.
//!
//! Finished shards are kept in [journals](journal) in the directory `level-NN.work`, one journal
//! for each chunk and host. Neither the process that finished a shard nor the division into chunks
//! matters: [the level](unfinished) is made from [the union](finished) of all journals.
//!
//! | type | what it is |
//! |---|---|
//! | `UnfinishedLevel` | the level: its missing shards are built, and then it is sealed |
//! | `LevelPlan` | what the bytes of its shards depend on, and how they are cut into chunks |
//! | `StoredLevel` | the level below, from which it is built |
//! | `PackedShard` | a finished shard: its compressed streams and its counts |
//! | `ShardRecord` | a shard in a file, without its streams |
//! | `Journal` | the file to which this process appends shards as they are finished |
//! | `FinishedShards` | the records of all journals, and of files of chunks |
//! | `ChunkFile` | a finished chunk as one file, read and checked |
//! | `Salvage` | a damaged level whose sound shards are taken over |
//! | `NewLevel`, `NewMap` | the level's file and its map until they get their names |

pub(crate) mod chunk_file;
pub(crate) mod file;
mod finished;
pub(crate) mod journal;
pub(crate) mod unfinished;
pub(crate) mod work_directory;
