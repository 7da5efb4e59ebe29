//! What a search has found, and why.

/// Whether tricks are sure, and what that rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// Whether the tricks are sure.
    pub reached: bool,
    /// The cards whose ranks mattered. The same is true wherever these cards and
    /// all that are higher lie alike, whatever the order of the others.
    pub used: u64,
    /// The cards of the first hidden hand in a layout in which some line failed,
    /// if one was noted: likely to refute other lines too.
    pub layout: Option<u64>,
}

impl Proof {
    /// What was seen without a search.
    #[inline]
    pub fn at_sight(reached: bool, used: u64) -> Proof {
        Proof {
            reached,
            used,
            layout: None,
        }
    }
}
