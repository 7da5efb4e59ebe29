//! Tests of the whole: the command, and databases that it builds.

mod build;
mod chunks;
mod claim;
mod command;
mod damage;
mod database;
mod estimate;
mod examples;
mod interrupts;
mod layers;
mod odds;
mod play;
mod query;
mod records;
mod resume;
mod signature;
mod solve;
mod streams;
mod values;
mod verify;
