//! Proofs without a search: tricks that a side surely takes from here on, and the
//! cards that prove it.

pub(crate) mod later_tricks;
pub(crate) mod quick_tricks;
mod sure_trumps;
