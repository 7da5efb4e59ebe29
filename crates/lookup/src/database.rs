//! A database: levels, and questions to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use setrograde_cards::Position;
use setrograde_endgame::diagram::{Diagram, Verdict};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::suit_order::SuitOrder;

use crate::error::{Error, ProbeError};
use crate::format::manifest::{self, Manifest};
use crate::located::{Answer, Located, Place};
use crate::options::Options;
use crate::store::{Level, Memory, MemoryUse};

/// An opened database. Threads may share it.
#[derive(Debug)]
pub struct Database {
    directory: PathBuf,
    manifest: Manifest,
    /// By cards per hand.
    levels: [Option<Level>; 14],
    /// The level after the deepest one, as far as it is built.
    unfinished: Option<Level>,
    memory: Arc<Memory>,
}

impl Database {
    /// Opens the database in a directory: its manifest and its levels, and what
    /// is finished of the next one. Shards are read when they are needed, so this
    /// takes milliseconds; but of an [`unfinished`](Self::unfinished) level the
    /// head of every shard is read.
    ///
    /// The files are mapped into memory. That is safe as long as nobody cuts
    /// them short meanwhile; see [`Access::Mapped`](crate::Access::Mapped), and
    /// [`open_with`](Self::open_with) for another way.
    ///
    /// # Errors
    ///
    /// If there is no database, or its manifest or a level's header or index
    /// is damaged, of another version, or does not belong to the manifest.
    pub fn open(directory: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(directory, Options::default())
    }

    /// Opens the database in a directory, and says how its files are read and how
    /// much memory what is unpacked of them may take.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(
        directory: impl AsRef<Path>,
        options: impl Into<Options>,
    ) -> Result<Database, Error> {
        let directory = directory.as_ref();
        let Options { access, memory } = options.into();
        let memory = Arc::new(Memory::new(memory));
        let manifest = Manifest::read(directory)?;
        let mut levels = [const { None }; 14];
        for record in &manifest.levels {
            let number = record.level as usize;
            let path = manifest::level_path(directory, number);
            let Some(slot) = levels.get_mut(number).filter(|_| number > 0) else {
                let place = format!("level {number}");
                return Err(Error::damaged(
                    &manifest::path_in(directory),
                    place,
                    "no such level",
                ));
            };
            if !path.exists() {
                return Err(Error::MissingLevel {
                    path,
                    cards: 4 * number,
                });
            }
            *slot = Some(Level::recorded_in(&path, record, access, &memory)?);
        }
        let deepest = levels.iter().flatten().last();
        let next = deepest.map_or(1, |level| level.level() + 1);
        let below = deepest.map_or(0, Level::checksum);
        let unfinished = if next < levels.len() {
            Level::unfinished_in(directory, next, below, access, &memory)?
        } else {
            None
        };
        Ok(Database {
            directory: directory.to_owned(),
            manifest,
            levels,
            unfinished,
            memory,
        })
    }

    /// What there is in memory of its levels.
    #[must_use]
    pub fn memory_use(&self) -> MemoryUse {
        self.memory.in_use()
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What was built, and how.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The endings with `level` cards in each hand, if the database has them all.
    #[inline]
    #[must_use]
    pub fn level(&self, level: usize) -> Option<&Level> {
        self.levels.get(level).and_then(Option::as_ref)
    }

    /// The level that follows the deepest one, as far as builds had finished it
    /// when the database was opened. Questions about its other endings are
    /// refused with [`Error::PartitionNotHeld`].
    #[inline]
    #[must_use]
    pub fn unfinished(&self) -> Option<&Level> {
        self.unfinished.as_ref()
    }

    /// All whole levels, rising.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().flatten()
    }

    /// The most cards per hand of any whole level; 0 if there is none.
    #[must_use]
    pub fn max_level(&self) -> usize {
        self.levels().map(Level::level).max().unwrap_or(0)
    }

    /// The most cards per hand of any level, whole or not; 0 if there is none.
    #[must_use]
    pub fn deepest_level(&self) -> usize {
        let unfinished = self.unfinished().map(Level::level);
        unfinished.unwrap_or_else(|| self.max_level())
    }

    /// The largest endings that it has, in words: `20 cards`, or `24 cards in part`
    /// if that level is not whole.
    #[must_use]
    pub fn extent(&self) -> String {
        match &self.unfinished {
            Some(level) => format!("{} cards in part", 4 * level.level()),
            None => format!("{} cards", 4 * self.max_level()),
        }
    }

    /// The place of an ending in the database, for any number of questions.
    ///
    /// # Errors
    ///
    /// If the level, or the partition, is not held, or damaged.
    #[inline]
    pub fn locate(&self, ending: &Ending) -> Result<Located<'_>, ProbeError> {
        match self.level(ending.level()) {
            Some(level) => Ok(Located::new(level, ending)?),
            None => self.locate_in_unfinished(ending),
        }
    }

    #[cold]
    fn locate_in_unfinished(&self, ending: &Ending) -> Result<Located<'_>, ProbeError> {
        match self.unfinished_level(ending) {
            Some(level) => Ok(Located::new(level, ending)?),
            None => Err(self.not_held(ending)),
        }
    }

    /// The value of an ending: tricks for the leader's side.
    ///
    /// # Errors
    ///
    /// As [`locate`](Self::locate).
    #[inline]
    pub fn value(&self, ending: &Ending) -> Result<u8, ProbeError> {
        let kept = self.kept_diagram(ending).and_then(|(diagram, order)| {
            diagram.prefetch();
            diagram.value(ending, order)
        });
        match kept {
            Some(value) => Ok(value),
            None => Ok(self.locate(ending)?.value()?),
        }
    }

    /// Whether the leader's side takes at least `target` tricks, and the fewest
    /// top cards of each suit that prove it; as [`Located::decide`], but faster
    /// where nothing else is asked.
    ///
    /// # Errors
    ///
    /// As [`locate`](Self::locate).
    #[inline]
    pub fn decide(&self, ending: &Ending, target: u8) -> Result<Verdict, ProbeError> {
        let kept = self.kept_diagram(ending).and_then(|(diagram, order)| {
            diagram.prefetch();
            diagram.decide(ending, order, target)
        });
        match kept {
            Some(verdict) => Ok(verdict),
            None => Ok(self.locate(ending)?.decide(target)?),
        }
    }

    /// As [`decide`](Self::decide), for a search that can do without an answer:
    /// `None` if the ending's shard must be unpacked first and has been asked too
    /// seldom for that to be worthwhile.
    ///
    /// # Errors
    ///
    /// As [`locate`](Self::locate).
    #[inline]
    pub fn decide_if_worthwhile(
        &self,
        ending: &Ending,
        target: u8,
    ) -> Result<Option<Verdict>, ProbeError> {
        let place = self.place_of(ending).ok_or_else(|| self.not_held(ending))?;
        let verdict = place.unpacked_diagram().and_then(|diagram| {
            diagram.prefetch();
            diagram.decide(ending, place.order, target)
        });
        match verdict {
            Some(verdict) => Ok(Some(verdict)),
            None => Database::decide_slowly(place, ending, target),
        }
    }

    /// Apart, so that the usual look-up stays short.
    #[inline(never)]
    fn decide_slowly(
        place: Place<'_>,
        ending: &Ending,
        target: u8,
    ) -> Result<Option<Verdict>, ProbeError> {
        match Located::if_worthwhile(place, ending)? {
            Some(located) => Ok(Some(located.decide(target)?)),
            None => Ok(None),
        }
    }

    /// The diagram of the ending's partition, and the order of its suits there,
    /// if it is one that is kept: there is nothing to hold on to beside it.
    // Diagrams go by way of memory unless this is inlined: a tenth of the time of
    // a look-up where endings are alike.
    #[inline(always)]
    fn kept_diagram(&self, ending: &Ending) -> Option<(Diagram<'_>, SuitOrder)> {
        let place = self.place_of(ending)?;
        Some((place.kept_diagram()?, place.order))
    }

    /// Where an ending stands in the levels that there are.
    #[inline]
    pub(crate) fn place_of(&self, ending: &Ending) -> Option<Place<'_>> {
        let level = match self.level(ending.level()) {
            Some(level) => level,
            None => self.unfinished_level(ending)?,
        };
        Some(Place::of(ending, level))
    }

    #[cold]
    fn unfinished_level(&self, ending: &Ending) -> Option<&Level> {
        let of_ending = |level: &&Level| level.level() == ending.level();
        self.unfinished().filter(of_ending)
    }

    /// The value of an ending and the set that proves it.
    ///
    /// # Errors
    ///
    /// As [`locate`](Self::locate).
    pub fn probe(&self, ending: &Ending) -> Result<Answer, ProbeError> {
        Ok(self.locate(ending)?.answer()?)
    }

    /// Tricks for the side of the hand that led to the current trick, this
    /// trick included, in a position that may be in the middle of a trick:
    /// the rest of the trick is searched, what follows is looked up. So is a
    /// whole trick in an ending that an unfinished level does not have yet.
    ///
    /// # Errors
    ///
    /// If what follows is no ending that the database holds, or is damaged.
    pub fn position_value(&self, position: &Position) -> Result<u8, ProbeError> {
        if position.is_finished() {
            return Ok(0);
        }
        if position.is_trick_boundary() {
            match self.value(&Ending::from_position(position)?) {
                Err(ProbeError::Database(Error::PartitionNotHeld { .. })) => {}
                looked_up => return looked_up,
            }
        }
        let leader = position.leader();
        let maximizes = position.to_play().distance_from(leader).is_multiple_of(2);
        let mut best: Option<u8> = None;
        for card in position.legal_cards() {
            // Legal cards can be played.
            let Ok(next) = position.play(card) else {
                continue;
            };
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
        Ok(best.unwrap_or(0))
    }

    #[cold]
    fn not_held(&self, ending: &Ending) -> ProbeError {
        ProbeError::LevelNotHeld {
            cards: 4 * ending.level(),
            levels: self.levels().map(|level| 4 * level.level()).collect(),
        }
    }
}
