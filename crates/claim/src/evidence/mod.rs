//! Evidence for answers: a plan if the tricks are sure, a core of layouts if they are not. Both can
//! be checked by code that is independent of the search, and printed in words.

pub(crate) mod check_core;
pub(crate) mod check_plan;
pub(crate) mod cores;
pub(crate) mod json;
pub(crate) mod plan;
mod planner;
pub(crate) mod words;
