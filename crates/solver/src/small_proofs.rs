//! Proofs with few cards, from values alone.

use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;

use crate::alike::{Alike, top_cards};
use crate::endgames::{Endgames, EndgamesError};

/// Maximum number of endings whose values a proof compares.
const MOST_ENDINGS: usize = 4096;

/// Values of endings without proofs: a table of numbers, another program, a search.
///
/// [`SmallProofs`] asks for canonical endings only ([`Ending::to_canonical`]), so a table needs
/// their values alone.
pub trait EndgameValues: Debug + Send + Sync {
    /// Returns the maximum number of tricks of an ending that has a value.
    fn max_tricks(&self) -> usize;

    /// Returns the tricks of the leader's side, or `None` if the value is not known. The search
    /// continues below such an ending. [`SmallProofs`] also asks for endings that the deal does not
    /// contain, to compare them; one of them without a value makes a proof larger, not wrong.
    ///
    /// # Errors
    ///
    /// If the value cannot be read.
    fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError>;
}

#[cfg(feature = "database")]
impl EndgameValues for setrograde_lookup::Database {
    fn max_tricks(&self) -> usize {
        self.max_tricks()
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
/// and again. Up to two tricks this costs little more than no source; from three tricks on there
/// are too many endings to compare, and a source should name its proofs itself. `docs/rust.md` of
/// the project has figures.
///
/// ```
/// use std::sync::Arc;
///
/// use setrograde_solver::cards::{Deal, Position};
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
    /// Those of canonical endings.
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
            let Some((suit, nth)) = suit.or(whole.difference(&alike)) else {
                break;
            };
            known[suit] = nth + 1;
        }
        let known = top_cards(known);
        Ok(Some(Verdict { reached, known }))
    }
}

impl<V: EndgameValues> Endgames for SmallProofs<V> {
    fn max_tricks(&self) -> usize {
        self.values.max_tricks()
    }

    /// None: the search's own knowledge costs less than a proof.
    fn exact_tricks(&self) -> usize {
        0
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        // The same with other seats and suits has the same proof.
        let (canonical, suits) = ending.to_canonical();
        let prove = || self.prove(&canonical, target);
        let verdict = self.proofs.get((canonical, target), prove)?;
        Ok(verdict.map(|Verdict { reached, known }| {
            let mut counts = [0; 4];
            for (nth, suit) in suits.into_iter().enumerate() {
                counts[suit.index()] = known.of_suit(nth);
            }
            let known = top_cards(counts);
            Verdict { reached, known }
        }))
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
    shards: [KeptShard<K, R>; SHARDS],
}

type KeptShard<K, R> = Mutex<HashMap<Hashed<K>, R, BuildHasherDefault<Mixed>>>;

/// A key with its hash, which is computed once.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hashed<K> {
    hash: u64,
    key: K,
}

impl<K: Hash> Hashed<K> {
    fn new(key: K) -> Hashed<K> {
        let hash = BuildHasherDefault::<Mixed>::default().hash_one(&key);
        Hashed { hash, key }
    }
}

impl<K> Hash for Hashed<K> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// A hash of a few numbers that no stranger chooses.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0.rotate_left(26) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    /// The lengths of arrays, which do not differ.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

impl<K, R> Default for Kept<K, R> {
    fn default() -> Kept<K, R> {
        Kept {
            shards: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl<K: Copy + Eq + Hash, R: Copy> Kept<K, R> {
    /// Returns the result of `key`, which `find` finds unless it is kept.
    fn get<E>(&self, key: K, find: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
        let key = Hashed::new(key);
        let shard = &self.shards[(key.hash >> 40) as usize % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&result) = lock().get(&key) {
            return Ok(result);
        }
        let result = find()?;
        let mut kept = lock();
        if kept.len() >= MOST_KEPT || kept.try_reserve(1).is_err() {
            kept.clear();
        }
        kept.insert(key, result);
        Ok(result)
    }
}
