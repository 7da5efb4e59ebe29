//! Tests of the whole: the command, and databases that it builds.

mod build;
mod damage;
mod database;
mod query;
mod solve;
mod values;
mod verify;
