//! A database: levels, and questions to them.

use std::path::{Path, PathBuf};

use setrograde_cards::Position;
use setrograde_endgame::diagram::{Bounds, View, Walk};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::set::EndingSet;
use setrograde_endgame::suit_order::SuitOrder;

use crate::error::{Error, ProbeError};
use crate::level::Level;
use crate::manifest::{self, Manifest};
use crate::payload::Payload;

/// An opened database. Threads may share it.
#[derive(Debug)]
pub struct Database {
    directory: PathBuf,
    manifest: Manifest,
    /// By cards per hand.
    levels: [Option<Level>; 14],
}

/// What a database knows about an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Tricks for the leader's side, 0..=13.
    pub value: u8,
    /// Endings that all have this value, the one asked for among them: of the
    /// same shape, with owners of the top cards as the masks say. Suits and
    /// seats are those of the question.
    pub set: EndingSet,
}

impl Database {
    /// Opens the database in a directory: its manifest and its levels. Shards
    /// are read when they are needed, so this takes milliseconds.
    ///
    /// # Errors
    ///
    /// If there is no database, or its manifest or a level's header or index
    /// is damaged, of another version, or does not belong to the manifest.
    pub fn open(directory: impl AsRef<Path>) -> Result<Database, Error> {
        let directory = directory.as_ref();
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
            *slot = Some(Level::open_recorded(&path, record)?);
        }
        Ok(Database {
            directory: directory.to_owned(),
            manifest,
            levels,
        })
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

    /// The endings with `level` cards in each hand, if the database has them.
    #[inline]
    #[must_use]
    pub fn level(&self, level: usize) -> Option<&Level> {
        self.levels.get(level).and_then(Option::as_ref)
    }

    /// All levels, rising.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().flatten()
    }

    /// The most cards per hand of any level; 0 if there is none.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.levels().map(Level::level).max().unwrap_or(0)
    }

    /// The value of an ending: tricks for the leader's side.
    ///
    /// # Errors
    ///
    /// If the level is not held, or damaged.
    #[inline]
    pub fn value(&self, ending: &Ending) -> Result<u8, ProbeError> {
        let (payload, order) = self.payload(ending)?;
        match payload.value(ending, order) {
            Some(value) => Ok(value),
            None => Err(self.leads_nowhere(ending)),
        }
    }

    /// The value of an ending and the set that proves it.
    ///
    /// # Errors
    ///
    /// If the level is not held, or damaged.
    pub fn probe(&self, ending: &Ending) -> Result<Answer, ProbeError> {
        let walk = self.walk(ending, None)?;
        Ok(Answer {
            value: walk.bounds.lo,
            set: walk.set,
        })
    }

    /// Whether the leader's side takes at least `target` tricks, as bounds that
    /// decide it, and the set of endings for which they hold. The set is often
    /// larger than the one of [`probe`](Self::probe).
    ///
    /// # Errors
    ///
    /// If the level is not held, or damaged.
    pub fn decide(&self, ending: &Ending, target: u8) -> Result<Walk, ProbeError> {
        self.walk(ending, Some(target))
    }

    fn walk(&self, ending: &Ending, target: Option<u8>) -> Result<Walk, ProbeError> {
        let (payload, order) = self.payload(ending)?;
        payload
            .walk(ending, order, target)
            .ok_or_else(|| self.leads_nowhere(ending))
    }

    /// The least and the greatest value of the endings in `set`, as far as they
    /// have the shape, the strain and the leader of `like`.
    /// [`Bounds::NOTHING`] if there are none.
    ///
    /// # Errors
    ///
    /// If the level is not held, or damaged.
    pub fn bounds(&self, like: &Ending, set: &EndingSet) -> Result<Bounds, ProbeError> {
        let (payload, order) = self.payload(like)?;
        Ok(payload.bounds(
            set,
            View {
                order,
                leader: like.leader_index(),
            },
        ))
    }

    /// The set with as few known cards as the bounds bear: from each suit in
    /// turn the lowest known cards are forgotten as long as all endings of the
    /// set stay within `bounds`.
    ///
    /// # Errors
    ///
    /// If the level is not held, or damaged.
    pub fn widen(
        &self,
        like: &Ending,
        set: &EndingSet,
        bounds: Bounds,
    ) -> Result<EndingSet, ProbeError> {
        let (payload, order) = self.payload(like)?;
        let view = View {
            order,
            leader: like.leader_index(),
        };
        let mut set = *set;
        for suit in 0..4 {
            while set.known(suit) > 0 {
                let wider = set.forget_from(suit, set.known(suit) - 1);
                let found = payload.bounds(&wider, view);
                if found.lo < bounds.lo || found.hi > bounds.hi {
                    break;
                }
                set = wider;
            }
        }
        Ok(set)
    }

    /// Tricks for the side of the hand that led to the current trick, this
    /// trick included, in a position that may be in the middle of a trick:
    /// the rest of the trick is searched, what follows is looked up.
    ///
    /// # Errors
    ///
    /// If what follows is no ending that the database holds, or is damaged.
    pub fn position_value(&self, position: &Position) -> Result<u8, ProbeError> {
        if position.is_finished() {
            return Ok(0);
        }
        if position.is_trick_boundary() {
            return self.value(&Ending::from_position(position)?);
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

    #[inline]
    pub(crate) fn payload(&self, ending: &Ending) -> Result<(Payload<'_>, SuitOrder), ProbeError> {
        let Some(level) = self.level(ending.level()) else {
            return Err(self.not_held(ending));
        };
        let canonical = ending.canonical();
        let payload = level.payload(canonical.partition)?;
        Ok((payload, canonical.order))
    }

    #[cold]
    fn not_held(&self, ending: &Ending) -> ProbeError {
        ProbeError::LevelNotHeld {
            cards: 4 * ending.level(),
            levels: self.levels().map(|level| 4 * level.level()).collect(),
        }
    }

    #[cold]
    pub(crate) fn leads_nowhere(&self, ending: &Ending) -> ProbeError {
        let place = format!("partition {}", ending.canonical().partition);
        let path = manifest::level_path(&self.directory, ending.level());
        Error::damaged(&path, place, "it does not cover an ending").into()
    }
}
