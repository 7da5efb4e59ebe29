//! Parts that several of the programs share.

#![forbid(unsafe_code)]

pub mod paper;
