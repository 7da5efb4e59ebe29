//! What to believe of the play of others, by maximum likelihood on self-play.

pub mod inference;
pub mod rules;
mod sample;

pub use sample::{Sample, self_play};
