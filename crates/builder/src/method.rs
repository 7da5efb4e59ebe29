//! The methods by which sets are found.

use setrograde_lookup::format::level_header::{DIAGRAMS, TREES};

/// The method by which sets are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Top-down splitting into decision diagrams.
    #[default]
    Refine,
    /// The paper's method: independent endings, generalized to sets in shallow
    /// trees.
    Setrograde,
}

impl Method {
    /// The method's name, as manifests have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Refine => "refine",
            Method::Setrograde => "setrograde",
        }
    }

    /// The kind of payload that the method's levels hold.
    pub(crate) fn payload(self) -> u32 {
        match self {
            Method::Refine => DIAGRAMS,
            Method::Setrograde => TREES,
        }
    }
}
