//! External sources of endgame values.

#[cfg(feature = "database")]
mod database;

use std::error::Error;
use std::fmt::Debug;

/// A position at the start of a trick as the search has it.
///
/// Suits are the search's own: the trump suit, if there is one, comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// Suit lengths: for each suit four numbers of 4 bits, North's lowest, then
    /// clockwise.
    pub lengths: [u16; 4],
    /// Owners of each suit's cards from the top down, two bits each (North 0,
    /// then clockwise), starting with the highest bits; 0 below the last card.
    pub owners: [u32; 4],
    /// The seat on lead, 0 (North) to 3.
    pub leader: u8,
    /// Whether the last suit is a trump suit.
    pub trump: bool,
}

/// Whether a target is reached, and the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the leader's side takes the tricks that were asked for.
    pub reached: bool,
    /// How many top cards of each suit prove it: whoever owns the cards below
    /// them, in hands of these lengths, the answer is the same.
    pub known: [u8; 4],
}

/// A source of endgame values, asked at the start of a trick.
///
/// `setrograde_lookup::Database` is one, with the feature `database`.
pub trait Endgames: Debug + Send + Sync {
    /// The most tricks that an ending may have for a value to be there; all
    /// endings with fewer tricks must have one too.
    fn max_tricks(&self) -> usize;

    /// Whether the leader's side takes at least `target` tricks, 1 up to the
    /// number of cards in each hand, and the cards that prove it.
    ///
    /// # Errors
    ///
    /// If the source cannot be read; the search stops with
    /// [`SolveError::Endgames`](crate::SolveError::Endgames).
    fn verdict(&self, ending: &Boundary, target: u8) -> Result<Verdict, EndgamesError>;
}

/// What a source of endgame values fails with: any error.
pub type EndgamesError = Box<dyn Error + Send + Sync>;
