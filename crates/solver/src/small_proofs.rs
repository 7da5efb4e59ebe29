//! Proofs with few cards, from values alone.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt::{self, Debug};
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, PoisonError};

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;

use crate::alike::{Alike, top_cards};
use crate::endgames::{Endgames, EndgamesError};

/// Maximum number of endings whose values a proof compares.
const MOST_ENDINGS: usize = 4096;

/// Values of endings without proofs: a table of numbers, another program, a search.
pub trait EndgameValues: Debug + Send + Sync {
    /// Returns the maximum number of tricks of an ending that has a value.
    fn max_tricks(&self) -> usize;

    /// Returns the tricks of the leader's side, or `None` if the value is not known.
    ///
    /// # Errors
    ///
    /// If the value cannot be read.
    fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError>;
}

#[cfg(feature = "database")]
impl EndgameValues for setrograde_lookup::Database {
    fn max_tricks(&self) -> usize {
        self.max_level()
    }

    fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError> {
        Ok(match self.locate(ending)? {
            Some(located) => Some(located.value()?),
            None => None,
        })
    }
}

/// A source of endgame values that finds a small proof for each verdict: it forgets all cards,
/// and takes the highest back that makes a difference until all endings with the same lengths and
/// the same top cards agree.
///
/// Proofs and values are kept, up to about a million, because a search asks the same endings again
/// and again. This pays up to two or three tricks: the number of endings to compare grows quickly
/// with the number of cards.
///
/// ```
/// use std::sync::Arc;
///
/// use setrograde_cards::{Deal, Position};
/// use setrograde_solver::{
///     EndgameValues, EndgamesError, Ending, Options, SmallProofs, Solver,
/// };
///
/// /// Plays out the last two tricks by plain search.
/// #[derive(Debug)]
/// struct TwoTricks;
///
/// /// The tricks of the leaders' side.
/// fn tricks(position: &Position) -> u8 {
///     let (leader, left) = (position.leader(), position.tricks_left() as u8);
///     let values = position.legal_cards().map(|card| {
///         let next = position.play(card).expect("a legal card");
///         match (next.is_trick_boundary(), next.leader().side() == leader.side()) {
///             (false, _) => tricks(&next),
///             (true, true) => 1 + tricks(&next),
///             (true, false) => left - 1 - tricks(&next),
///         }
///     });
///     match position.to_play().side() == leader.side() {
///         true => values.max().unwrap_or(0),
///         false => values.min().unwrap_or(0),
///     }
/// }
///
/// impl EndgameValues for TwoTricks {
///     fn max_tricks(&self) -> usize {
///         2
///     }
///
///     fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError> {
///         Ok(Some(tricks(&ending.to_position())))
///     }
/// }
///
/// let deal: Deal = "N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.".parse()?;
/// let endgames = Arc::new(SmallProofs::new(TwoTricks));
/// let options = Options { endgames: Some(endgames), ..Options::default() };
/// let table = Solver::new(options).table(&deal)?;
/// assert_eq!(table, Solver::new(Options::default()).table(&deal)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SmallProofs<V> {
    values: V,
    proofs: Kept<(Ending, u8), Option<Verdict>>,
    known: Kept<Ending, Option<u8>>,
}

impl<V: EndgameValues> SmallProofs<V> {
    /// Returns a source with these values.
    #[must_use]
    pub fn new(values: V) -> SmallProofs<V> {
        SmallProofs {
            values,
            proofs: Kept::default(),
            known: Kept::default(),
        }
    }

    fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError> {
        self.known.get(*ending, || self.values.value(ending))
    }

    /// Finds a proof; `None` if the value of the ending is not known.
    fn prove(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let Some(value) = self.value(ending)? else {
            return Ok(None);
        };
        let reached = value >= target;
        let mut known = [0; 4];
        let whole = Alike::new(ending, known);
        'proof: loop {
            let mut alike = Alike::new(ending, known);
            alike.rewind();
            for _ in 0..MOST_ENDINGS {
                let other = self.value(&alike.ending())?;
                if other.is_none_or(|other| (other >= target) != reached) {
                    break;
                }
                if !alike.advance() {
                    break 'proof;
                }
            }
            // One that differs, or one of too many.
            let suit = Alike::new(ending, known).difference(&alike);
            let Some((suit, place)) = suit.or(whole.difference(&alike)) else {
                break;
            };
            known[suit] = place + 1;
        }
        let known = top_cards(known);
        Ok(Some(Verdict { reached, known }))
    }
}

impl<V: EndgameValues> Endgames for SmallProofs<V> {
    fn max_tricks(&self) -> usize {
        self.values.max_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let prove = || self.prove(ending, target);
        self.proofs.get((*ending, target), prove)
    }
}

impl<V: Debug> Debug for SmallProofs<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SmallProofs").field(&self.values).finish()
    }
}

/// Number of maps, each with its lock.
const SHARDS: usize = 64;

/// Maximum number of results in a map.
const MOST_KEPT: usize = 1 << 14;

/// Results that are kept for all threads.
struct Kept<K, R> {
    hasher: RandomState,
    shards: [Mutex<HashMap<K, R>>; SHARDS],
}

impl<K, R> Default for Kept<K, R> {
    fn default() -> Kept<K, R> {
        Kept {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl<K: Copy + Eq + Hash, R: Copy> Kept<K, R> {
    /// Returns the result of `key`, which `find` finds unless it is kept.
    fn get<E>(&self, key: K, find: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
        let shard = &self.shards[self.hasher.hash_one(key) as usize % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&result) = lock().get(&key) {
            return Ok(result);
        }
        let result = find()?;
        let mut kept = lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, result);
        Ok(result)
    }
}
