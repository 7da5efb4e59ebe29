//! Which cards to try, and in which order.

pub(crate) mod cutoffs;
pub(crate) mod follow_order;
pub(crate) mod lead_order;
pub(crate) mod list;
pub(crate) mod runs;
