//! Integration tests: the command, and databases that it builds.

mod build;
mod builtin;
mod chunks;
mod claim;
mod command;
mod damage;
mod database;
mod documents;
mod doors;
mod english;
mod estimate;
mod examples;
mod fetch;
mod interrupts;
mod json;
mod layers;
mod names;
mod odds;
mod outputs;
mod page;
mod pasted;
mod play;
mod query;
mod questions;
mod records;
mod resume;
mod signature;
mod solve;
mod streams;
mod suggestions;
#[cfg(target_os = "linux")]
mod terminal;
mod unpack;
mod values;
mod verify;
mod wording;
