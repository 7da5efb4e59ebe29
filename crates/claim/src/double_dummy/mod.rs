//! Double dummy against a claim: layouts in which no play takes the tricks.

pub(crate) mod bad_layouts;
pub(crate) mod path;
pub(crate) mod refuters;
