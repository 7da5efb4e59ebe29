//! Integration tests: each file keeps one promise about builds.

mod both_methods;
mod chunks;
mod estimate;
mod golden;
mod strangers;
mod unfinished;
mod unpack;
