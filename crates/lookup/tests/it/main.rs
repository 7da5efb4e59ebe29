//! Integration tests: each file keeps one promise about opened databases.

mod codec;
mod golden;
mod hostile;
mod level;
mod repair;
