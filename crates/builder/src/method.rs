//! The methods of finding sets.

use setrograde_lookup::Grain;
use setrograde_lookup::format::level_header::{COARSE, DIAGRAMS, TREES};

/// A method of finding sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Top-down splitting into decision diagrams.
    #[default]
    Refine,
    /// Top-down splitting that stops at sets that searches rarely reach: a coarse level.
    Coarse(Grain),
    /// The paper's method: independent endings, generalized to sets in shallow
    /// trees.
    Setrograde,
}

impl Method {
    /// Returns true if the method's levels are coarse.
    pub fn is_coarse(self) -> bool {
        matches!(self, Method::Coarse(_))
    }

    /// Returns the kind of payload and the grain as a journal encodes them.
    pub(crate) fn recipe(self) -> u64 {
        u64::from(self.payload()) | u64::from(self.grain().in_trillionths()) << 32
    }

    /// Returns the method of a journal with this kind and grain.
    pub(crate) fn of_recipe(recipe: u64) -> Method {
        match recipe as u32 {
            COARSE => Method::Coarse(Grain::new((recipe >> 32) as u32)),
            TREES => Method::Setrograde,
            _ => Method::Refine,
        }
    }

    /// The grain of the method's levels.
    pub(crate) fn grain(self) -> Grain {
        match self {
            Method::Coarse(grain) => grain,
            _ => Grain::EXACT,
        }
    }

    /// Returns the kind of payload of the method's levels.
    pub(crate) fn payload(self) -> u32 {
        match self {
            Method::Refine => DIAGRAMS,
            Method::Coarse(_) => COARSE,
            Method::Setrograde => TREES,
        }
    }
}
