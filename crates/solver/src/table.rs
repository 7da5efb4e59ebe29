//! `Solver::table`: the 20 results of a deal.

use std::fmt;

use setrograde_cards::{Deal, Seat, Strain};

use crate::board::Board;
use crate::error::SolveError;
use crate::guess;
use crate::solver::Solver;
use crate::state::is_north_south;
use crate::zero_window::most_tricks;

/// The tricks that each declarer takes in each strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrickTable {
    tricks: [[u8; 4]; 5],
}

impl TrickTable {
    /// The table with these tricks, 0 to 13, by strain as in [`Strain::ALL`]
    /// and then by declarer from North.
    #[must_use]
    pub const fn new(tricks: [[u8; 4]; 5]) -> TrickTable {
        TrickTable { tricks }
    }

    /// The tricks that `declarer` takes, the seat to his left leading.
    #[must_use]
    pub const fn tricks(&self, strain: Strain, declarer: Seat) -> u8 {
        self.tricks[strain.index()][declarer.index()]
    }

    /// All results: strains as in [`Strain::ALL`], in each the declarers North,
    /// East, South, West.
    pub fn results(&self) -> impl Iterator<Item = (Strain, Seat, u8)> + '_ {
        Strain::ALL.into_iter().flat_map(move |strain| {
            Seat::ALL
                .into_iter()
                .map(move |seat| (strain, seat, self.tricks(strain, seat)))
        })
    }
}

/// Writes the 20 numbers in the order of [`TrickTable::results`], with blanks
/// between them.
impl fmt::Display for TrickTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (_, _, tricks)) in self.results().enumerate() {
            write!(f, "{}{tricks}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Solver {
    /// The tricks of all declarers in all strains.
    ///
    /// # Errors
    ///
    /// If the hands are empty or not equally long, if the search was cancelled,
    /// and if the database fails.
    pub fn table(&mut self, deal: &Deal) -> Result<TrickTable, SolveError> {
        let mut tricks = [[0; 4]; 5];
        for strain in Strain::ALL {
            tricks[strain.index()] = self.declarer_tricks(deal, strain)?;
        }
        Ok(TrickTable { tricks })
    }

    /// The tricks of all declarers in one strain, from North on.
    ///
    /// # Errors
    ///
    /// As for [`table`](Self::table).
    pub fn declarer_tricks(&mut self, deal: &Deal, strain: Strain) -> Result<[u8; 4], SolveError> {
        let Some(left) = deal.cards_per_hand() else {
            return Err(SolveError::UnequalHands(
                deal.hands().map(|hand| hand.len()),
            ));
        };
        if left == 0 {
            return Err(SolveError::NoCards);
        }
        let left = left as i32;
        let board = Board::from_deal(strain, deal);
        let mut search = self.search(deal, strain, &board);
        let mut tricks = [0; 4];
        let mut guess = guess::north_south_tricks(&board.start, 0, left);
        // Partners next to each other: they mostly take the same tricks.
        for leader in [0, 2, 1, 3] {
            let north_south = most_tricks(left, guess, |need| {
                let proof = search.lead(leader, need, left);
                search.finished()?;
                Ok(proof.reached)
            })?;
            guess = north_south;
            let declarer = (leader + 3) & 3;
            tricks[declarer] = if is_north_south(declarer) {
                north_south
            } else {
                left - north_south
            } as u8;
        }
        Ok(tricks)
    }
}
