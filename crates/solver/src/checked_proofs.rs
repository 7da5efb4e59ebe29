//! Sources whose proofs are checked.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use setrograde_cards::{Position, Suit};
use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;
use thiserror::Error;

use crate::endgames::{Endgames, EndgamesError};
use crate::solver::{Options, Solver};

/// A source that checks each verdict of another: for tests, because it is slow.
///
/// The verdict must be right for the ending, and for some endings with the same lengths and the
/// same known cards, in which the other cards are dealt anew. A source that names too few cards
/// gives wrong results without an error; here it fails with [`FalseProof`].
///
/// ```
/// use std::sync::Arc;
///
/// use setrograde_solver::{
///     CheckedProofs, Endgames, EndgamesError, Ending, Options, SolveError, Solver, TopCards, Verdict,
/// };
///
/// #[derive(Debug)]
/// struct NamesNoCards;
///
/// impl Endgames for NamesNoCards {
///     fn max_tricks(&self) -> usize {
///         3
///     }
///
///     fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
///         let tricks = Solver::new(Options::default()).tricks(&ending.to_position())?;
///         let known = TopCards::new([0; 4]);
///         Ok(Some(Verdict { reached: tricks >= target, known }))
///     }
/// }
///
/// let endgames = Arc::new(CheckedProofs { source: NamesNoCards, deals: 4 });
/// let options = Options { endgames: Some(endgames), ..Options::default() };
/// let table = Solver::new(options).table(&"N:AQ72... KT3..2. J9.2.3. 8.34.4.".parse()?);
/// assert!(matches!(table, Err(SolveError::Endgames(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CheckedProofs<E> {
    /// The source.
    pub source: E,
    /// The number of endings that each verdict is checked with, besides the one in question.
    pub deals: usize,
}

/// A verdict that is wrong for an ending that its proof names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "a source of endgame values is wrong: it says that the leader's side {} {target} in \
     {asked} because of the top {:?} cards of the suits, but it takes {tricks} in {counterexample}",
    if *.reached { "reaches" } else { "does not reach" },
    .known
)]
pub struct FalseProof {
    /// The ending in question.
    pub asked: Position,
    /// The target.
    pub target: u8,
    /// The verdict.
    pub reached: bool,
    /// The number of top cards of each suit that it named.
    pub known: [u8; 4],
    /// An ending with the same known cards.
    pub counterexample: Position,
    /// Its tricks.
    pub tricks: u8,
}

impl<E: Endgames> Endgames for CheckedProofs<E> {
    fn max_tricks(&self) -> usize {
        self.source.max_tricks()
    }

    fn exact_tricks(&self) -> usize {
        self.source.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let Some(verdict) = self.source.verdict(ending, target)? else {
            return Ok(None);
        };
        let known = [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit));
        let mut owners = Suit::ALL.map(|suit| {
            let owners = (0..).map_while(|nth| ending.owner(suit, nth));
            owners.map(|seat| seat.index() as u8).collect::<Vec<u8>>()
        });
        let mut solver = Solver::new(Options {
            memory: 1 << 20,
            ..Options::default()
        });
        // The same endings in each run.
        let mut state = BuildHasherDefault::<DefaultHasher>::default().hash_one((ending, target));
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..=self.deals {
            let [s, h, d, c] = &owners;
            let dealt = Ending::new(ending.strain(), ending.leader(), [s, h, d, c]);
            let dealt = dealt.expect("an ending's cards keep the lengths of its hands");
            let position = dealt.to_position();
            let tricks = solver.tricks(&position)?;
            if (tricks >= target) != verdict.reached {
                return Err(Box::new(FalseProof {
                    asked: ending.to_position(),
                    target,
                    reached: verdict.reached,
                    known: known.map(|cards| cards as u8),
                    counterexample: position,
                    tricks,
                }));
            }
            for (owners, known) in owners.iter_mut().zip(known) {
                for last in (known + 1..owners.len()).rev() {
                    owners.swap(last, known + random(last + 1 - known));
                }
            }
        }
        Ok(Some(verdict))
    }
}
