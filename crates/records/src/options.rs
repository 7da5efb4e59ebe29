//! Options of reading.

/// Options of reading records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether boards keep the names of the players.
    pub keep_names: bool,
}

impl Options {
    /// The options with [`keep_names`](Options::keep_names) as given.
    #[must_use]
    pub const fn keep_names(mut self, keep: bool) -> Options {
        self.keep_names = keep;
        self
    }
}
