//! A database: its levels, and the questions that they answer.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use setrograde_cards::Position;
use setrograde_endgame::diagram::{Verdict, Walk};
use setrograde_endgame::ending::Ending;

use crate::bytes::Bytes;
#[cfg(not(target_family = "wasm"))]
use crate::bytes::DiskReads;
use crate::error::{Error, ProbeError};
use crate::format::level_header;
use crate::format::manifest::{LevelRecord, Manifest, path_in};
use crate::located::Located;
use crate::store::{Level, LevelFile};

/// An opened database. Threads may share it.
#[derive(Debug)]
pub struct Database {
    directory: Option<PathBuf>,
    manifest: Manifest,
    /// By cards per hand.
    levels: [Option<Level>; 14],
    notes: Vec<Note>,
}

/// A remark about the opening of a database. Its text says what the user can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A level was unpacked into memory, because it has no map.
    Unpacked {
        /// The cards of the level.
        cards: usize,
        /// Its size in memory, in bytes.
        bytes: usize,
        /// The time that it took.
        took: Duration,
        /// The reason.
        reason: String,
    },
    /// A level is not used: it has no map, and is too large to unpack into memory.
    TooLarge {
        /// The cards of the level.
        cards: usize,
        /// Its size in memory, in bytes, or slightly more.
        bytes: u64,
        /// The reason why it has no map.
        reason: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Unpacked {
                cards,
                bytes,
                took,
                reason,
            } => write!(
                f,
                "{cards} cards: unpacked into {} MB of memory in {:.1} s, because {reason}",
                bytes.div_ceil(1_000_000),
                took.as_secs_f64(),
            ),
            Note::TooLarge {
                cards,
                bytes,
                reason,
            } => write!(
                f,
                "{cards} cards: not used, because {reason}, and {} GB are too large to unpack into memory",
                bytes.div_ceil(1_000_000_000),
            ),
        }
    }
}

/// Maximum size in memory of a level that cannot be mapped, in bytes.
const MOST_IN_MEMORY: u64 = 2 << 30;

impl Database {
    /// Opens the database in a directory: its manifest and its mapped levels. Opening takes
    /// milliseconds and little memory, because the system reads only the pages that look-ups touch.
    ///
    /// Nothing is written. A level without a map is unpacked into memory if it is
    /// not too large; a [note](Self::notes) says so.
    ///
    /// # Safety
    ///
    /// The files are [mapped](crate::Bytes). If another program truncates one while the database is
    /// open, the process ends with SIGBUS; if it changes bytes, answers may change or become errors,
    /// and nothing else happens. The programs of this project do neither: they write a new file
    /// and rename it.
    ///
    /// # What is not checked
    ///
    /// Opening checks the manifest, and the header and length of each map. The checksum of a part of
    /// a map is checked at the part's first use, and every offset at every use, so look-ups in a
    /// damaged file return an error. Values are not proved: a database that was forged together with
    /// its checksums returns wrong ones. `setrograde db verify` proves a database.
    ///
    /// # Errors
    ///
    /// If there is no database, if its manifest is damaged or of another version, or if a level is
    /// missing or cannot be unpacked because it is damaged.
    pub fn open(directory: impl AsRef<Path>) -> Result<Database, Error> {
        let directory = directory.as_ref();
        let manifest = Manifest::read(directory)?;
        let mut database = Database::without_levels(Some(directory.to_owned()));
        for record in &manifest.levels {
            let number = record.level as usize;
            let Some(slot) = database.levels.get_mut(number).filter(|_| number > 0) else {
                let part = format!("level {number}");
                return Err(Error::damaged(&path_in(directory), part, "no such level"));
            };
            *slot = open_level(directory, record, &mut database.notes)?;
        }
        database.manifest = manifest;
        Ok(database)
    }

    /// Opens the database in a directory as [`open`](Self::open) does, with a choice of how
    /// look-ups read the mapped levels that are not in memory.
    ///
    /// ```
    /// use setrograde_lookup::{Database, DiskReads};
    ///
    /// # fn main() -> Result<(), setrograde_lookup::Error> {
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    /// let database = Database::open_reading(directory, DiskReads::Ahead)?;
    /// assert_eq!(database.max_tricks(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if a level cannot be read.
    #[cfg(not(target_family = "wasm"))]
    pub fn open_reading(directory: impl AsRef<Path>, reads: DiskReads) -> Result<Database, Error> {
        let mut database = Database::open(directory)?;
        for level in database.levels.iter_mut().flatten() {
            level.set_disk_reads(reads)?;
        }
        Ok(database)
    }

    /// Makes a database of levels in memory. Each is the bytes of a map, which are used
    /// directly, or of a `level-NN.sdb`, which is unpacked. Needs no file system.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use setrograde_lookup::{Bytes, Database, Ending};
    ///
    /// let levels = [
    ///     Bytes::from(include_bytes!("../../../data/golden/level-04.sdb")),
    ///     Bytes::from(include_bytes!("../../../data/golden/level-08.sdb")),
    /// ];
    /// let database = Database::from_bytes(levels)?;
    /// let ending = Ending::from_position(&"NT W N:A.2.. K..A. .AK.. Q..K.".parse()?)?;
    /// let located = database.locate(&ending)?.ok_or("it has eight cards")?;
    /// assert_eq!(located.value()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the bytes are not a level, if they are damaged, or if two have the same number of cards.
    pub fn from_bytes(
        levels: impl IntoIterator<Item = impl Into<Bytes>>,
    ) -> Result<Database, Error> {
        let mut database = Database::without_levels(None);
        for (at, bytes) in levels.into_iter().enumerate() {
            let (name, bytes) = (PathBuf::from(format!("bytes {at}")), bytes.into());
            let level = if UNPACKS && bytes.starts_with(&level_header::MAGIC) {
                LevelFile::from_bytes(&name, bytes)?.in_memory()?
            } else {
                Level::new(&name, bytes)?
            };
            // Headers allow no deeper level.
            let slot = &mut database.levels[level.level()];
            if slot.is_some() {
                let problem = format!("a second level of {} cards", 4 * level.level());
                return Err(Error::damaged(&name, "header", problem));
            }
            *slot = Some(level);
        }
        Ok(database)
    }

    fn without_levels(directory: Option<PathBuf>) -> Database {
        Database {
            directory,
            manifest: Manifest::default(),
            levels: [const { None }; 14],
            notes: Vec::new(),
        }
    }

    /// The notes on the opening of the database, for people to read.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The directory; `None` if the database came from bytes.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Returns the records of the levels; empty if the database came from bytes.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the level of the endings with this many tricks.
    #[inline]
    pub fn level(&self, tricks: usize) -> Option<&Level> {
        self.levels.get(tricks).and_then(Option::as_ref)
    }

    /// Returns all levels, in ascending order.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().flatten()
    }

    /// Returns the exact levels, in ascending order.
    fn exact_levels(&self) -> impl Iterator<Item = &Level> {
        self.levels().filter(|level| !level.is_coarse())
    }

    /// Returns the maximum number of tricks of an ending in an exact level; 0 if there is none.
    pub fn max_tricks(&self) -> usize {
        self.exact_levels().map(Level::level).max().unwrap_or(0)
    }

    /// Returns the size of the largest endings, in words: `20 cards`, or `20 cards, coarse up to
    /// 28`.
    pub fn extent(&self) -> String {
        let coarse = self.levels().filter(|level| level.is_coarse());
        let exact = format!("{} cards", 4 * self.max_tricks());
        match coarse.map(Level::level).max() {
            Some(deepest) => format!("{exact}, coarse up to {}", 4 * deepest),
            None => exact,
        }
    }

    /// Finds an ending, for any number of questions about it. Returns `None` if no exact level has
    /// it.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the block of its diagram is damaged.
    #[inline]
    pub fn locate(&self, ending: &Ending) -> Result<Option<Located<'_>>, Error> {
        match self.level(ending.level()) {
            Some(level) if !level.is_coarse() => Located::new(level, ending).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the bounds on the value of an ending, equal unless its level is coarse, and a set of
    /// endings for which they hold. Returns `None` if no level has the ending.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the bytes read are damaged.
    pub fn bounds(&self, ending: &Ending) -> Result<Option<Walk>, Error> {
        let level = self.level(ending.level());
        let located = level.map(|level| Located::new(level, ending)).transpose()?;
        located.map(|located| located.bounded()).transpose()
    }

    /// Answers as [`Located::decide`] does. Returns `None` if the database does not have the
    /// ending, if its level is coarse and leaves the question open, or if the answer would need a
    /// disk read in a file larger than 1 GiB. In the last case the system starts to read those
    /// bytes and the caller continues its search. The result of the search is the same; its node
    /// count depends on timing until the file is cached. Other questions wait.
    ///
    /// # Errors
    ///
    /// As [`Located::decide`].
    #[inline]
    pub fn decide(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, Error> {
        match self.level(ending.level()) {
            Some(level) => level.decide(ending, target),
            None => Ok(None),
        }
    }

    /// Returns the tricks of the side that led to the current trick, this trick included. The
    /// position may be in the middle of a trick: the rest of that trick is searched, and the
    /// endings after it are looked up.
    ///
    /// # Errors
    ///
    /// If the database does not have the endings after the trick, or if it is damaged.
    pub fn position_value(&self, position: &Position) -> Result<u8, ProbeError> {
        if position.tricks_left() == 0 {
            return Ok(0);
        }
        if position.is_trick_boundary() {
            let ending = Ending::from_position(position)?;
            return match self.locate(&ending)? {
                Some(located) => Ok(located.value()?),
                None => Err(self.not_held(&ending)),
            };
        }
        let leader = position.leader();
        let maximizes = position.to_play().distance_from(leader).is_multiple_of(2);
        let mut best: Option<u8> = None;
        for card in position.legal_cards() {
            let next = position.play(card).expect("a legal card can be played");
            let value = if next.is_trick_boundary() {
                let below = self.position_value(&next)?;
                if next.leader().distance_from(leader).is_multiple_of(2) {
                    below + 1
                } else {
                    next.tricks_left() as u8 - below
                }
            } else {
                self.position_value(&next)?
            };
            best = Some(match best {
                Some(best) if maximizes => best.max(value),
                Some(best) => best.min(value),
                None => value,
            });
        }
        Ok(best.expect("who is to play has a legal card"))
    }

    /// Returns the error for an ending that the database does not have, for callers that need one.
    #[cold]
    pub fn not_held(&self, ending: &Ending) -> ProbeError {
        ProbeError::LevelNotHeld {
            cards: 4 * ending.level(),
            levels: self.exact_levels().map(|level| 4 * level.level()).collect(),
        }
    }
}

/// Whether compressed levels can be read. The code that unpacks them is left out where not.
const UNPACKS: bool = cfg!(any(feature = "zstd", target_family = "wasm"));

/// Opens the level of a record: its map, or else the compressed level unpacked into memory. Returns
/// `None` if it is too large for memory.
fn open_level(
    directory: &Path,
    record: &LevelRecord,
    notes: &mut Vec<Note>,
) -> Result<Option<Level>, Error> {
    let number = record.level as usize;
    let cards = 4 * number;
    let reason = match Level::open(directory, number, record.checksum) {
        Ok(level) => return Ok(Some(level)),
        Err(error) if !UNPACKS => return Err(error),
        Err(error) => error.in_one_line(),
    };
    let file = LevelFile::open_recorded(directory, record)?;
    let most = file.map_bytes();
    if most > MOST_IN_MEMORY {
        notes.push(Note::TooLarge {
            cards,
            bytes: most,
            reason,
        });
        return Ok(None);
    }
    let begun = Instant::now();
    let level = file.in_memory()?;
    notes.push(Note::Unpacked {
        cards,
        bytes: level.header().bytes() as usize,
        took: begun.elapsed(),
        reason,
    });
    Ok(Some(level))
}
