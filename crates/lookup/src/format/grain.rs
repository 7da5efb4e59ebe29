//! The grain of coarse levels.

use std::fmt;
use std::str::FromStr;

/// The grain of a coarse level. The builder split a set of endings if it expected at least this
/// share of all questions to the level to be about the set.
///
/// ```
/// use setrograde_lookup::Grain;
///
/// let grain: Grain = "1.4e-9".parse()?;
/// assert_eq!(grain.in_trillionths(), 1_400);
/// assert_eq!(grain.to_string(), "1.4e-9");
/// # Ok::<(), setrograde_lookup::GrainError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grain(u32);

/// An error: a text that is not a grain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a grain is a number from 1e-12 to 1e-3, as in 1e-8, or 0")]
pub struct GrainError;

impl Grain {
    /// The grain of an exact level: every set with several values was split.
    pub const EXACT: Grain = Grain(0);

    /// Makes a grain of this many trillionths (10^-12).
    pub const fn new(trillionths: u32) -> Grain {
        Grain(trillionths)
    }

    /// The grain in trillionths.
    pub const fn in_trillionths(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Grain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let exponent = 13 - digits.len();
        match digits.trim_end_matches('0').split_at_checked(1) {
            None => write!(f, "0"),
            Some((first, "")) => write!(f, "{first}e-{exponent}"),
            Some((first, rest)) => write!(f, "{first}.{rest}e-{exponent}"),
        }
    }
}

impl FromStr for Grain {
    type Err = GrainError;

    fn from_str(text: &str) -> Result<Grain, GrainError> {
        let share: f64 = text.parse().map_err(|_| GrainError)?;
        let trillionths = (1e12 * share).round();
        if (0.0..=1e9).contains(&trillionths) && (trillionths > 0.0 || share == 0.0) {
            Ok(Grain(trillionths as u32))
        } else {
            Err(GrainError)
        }
    }
}
