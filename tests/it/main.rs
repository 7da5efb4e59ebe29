//! Tests of the whole: the command, and databases that it builds.

mod build;
mod chunks;
mod damage;
mod database;
mod estimate;
mod golden;
mod query;
mod resume;
mod signature;
mod solve;
mod values;
mod verify;
