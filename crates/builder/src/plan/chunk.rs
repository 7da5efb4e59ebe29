//! The name of a chunk.

use std::fmt;
use std::str::FromStr;

/// One of the shares of a level's work, as in `3/1000`: the third of a thousand.
///
/// ```
/// use setrograde_builder::Chunk;
///
/// let chunk: Chunk = "3/1000".parse()?;
/// assert_eq!((chunk.number(), chunk.of()), (3, 1000));
/// assert!("0/10".parse::<Chunk>().is_err());
/// # Ok::<(), setrograde_builder::ChunkError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chunk {
    number: u32,
    of: u32,
}

/// An error: a text that is not a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a chunk is NUMBER/CHUNKS, from 1/CHUNKS to CHUNKS/CHUNKS, as in 3/1000")]
pub struct ChunkError;

impl Chunk {
    /// All the work in one chunk.
    pub const WHOLE: Chunk = Chunk { number: 1, of: 1 };

    /// Returns chunk `number` of `of`, counted from 1; `None` if there is no such chunk.
    pub fn new(number: u32, of: u32) -> Option<Chunk> {
        (1..=of).contains(&number).then_some(Chunk { number, of })
    }

    /// All chunks of a level that is cut into this many.
    pub(crate) fn all(of: u32) -> impl Iterator<Item = Chunk> {
        (1..=of).map(move |number| Chunk { number, of })
    }

    /// Its number, counted from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of chunks.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl FromStr for Chunk {
    type Err = ChunkError;

    fn from_str(text: &str) -> Result<Chunk, ChunkError> {
        let (number, of) = text.split_once('/').ok_or(ChunkError)?;
        let number = number.parse().map_err(|_| ChunkError)?;
        let of = of.parse().map_err(|_| ChunkError)?;
        Chunk::new(number, of).ok_or(ChunkError)
    }
}

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
