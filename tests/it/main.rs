//! Tests of the whole: the command, and databases that it builds.

mod build;
mod chunks;
mod damage;
mod database;
mod estimate;
mod odds;
mod play;
mod query;
mod resume;
mod signature;
mod solve;
mod values;
mod verify;
