//! The cards to try, and their order.

pub(crate) mod cutoffs;
pub(crate) mod follow_order;
pub(crate) mod lead_order;
pub(crate) mod list;
