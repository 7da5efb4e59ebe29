//! The readers under test.

pub mod ask;
pub mod codecs;
pub mod desk;
pub mod head;
pub mod journal;
pub mod level;
pub mod manifest;
pub mod map;
pub mod players;
pub mod questions;
pub mod records;
pub mod text;
