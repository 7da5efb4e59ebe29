//! Parts that several of the programs share.

pub mod paper;
pub mod self_play;
