//! The tricks that a side reaches with all cards known.

use setrograde_beliefs::{BridgeView, State};
use setrograde_cards::{Deal, Position, Side, Strain};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Endings, SearchError};
use setrograde_solver::{Options, Solver};

/// True if a side reaches a target in some layouts with all cards known. Endings come from a
/// database if there is one that holds them; otherwise each layout has a solver.
pub struct OpenCards<'a> {
    strain: Strain,
    side: Side,
    /// The tricks wanted, with those won before.
    target: u8,
    endings: Option<Endings<'a>>,
    options: Options,
    solvers: Vec<Option<Solver>>,
}

impl<'a> OpenCards<'a> {
    /// For the side of the seat to play in `view`, which wants `target` of the
    /// tricks left.
    pub fn new(view: &BridgeView, target: u8, database: Option<&'a Database>) -> OpenCards<'a> {
        let (strain, side) = (view.game().strain(), view.to_play().side());
        OpenCards {
            strain,
            side,
            target: view.tally().tricks[side.index()] + target,
            endings: database.map(|database| Endings::new(strain, database)),
            options: Options {
                memory: 1 << 20,
                ..Options::default()
            },
            solvers: Vec::new(),
        }
    }

    /// Returns whether the side reaches the target from a position of the layout of this number.
    ///
    /// # Errors
    ///
    /// If the solver was cancelled, or the database fails.
    pub fn reaches(&mut self, number: usize, state: &State) -> Result<bool, SearchError> {
        let side = self.side.index();
        if let Some(endings) = &self.endings
            && state.tricks_left() <= endings.depth()
        {
            return Ok(endings.finish(state)?.tricks[side] >= self.target);
        }
        let (won, left) = (state.tally().tricks[side], state.tricks_left() as u8);
        if won >= self.target || won + left < self.target {
            return Ok(won >= self.target);
        }
        if self.solvers.len() <= number {
            self.solvers.resize_with(number + 1, || None);
        }
        let solver = self.solvers[number].get_or_insert_with(|| Solver::new(self.options.clone()));
        // Of the side that led: the opponents stop it with one trick more than it can spare.
        let ours = state.trick().leader().side() == self.side;
        let need = if ours {
            self.target - won
        } else {
            left - (self.target - won) + 1
        };
        let reach = solver.reaches(&position(state, self.strain), need)?;
        Ok(reach.reached == ours)
    }
}

fn position(state: &State, strain: Strain) -> Position {
    let trick = state.trick();
    let deal = Deal::new(*state.hands()).expect("a state's hands are disjoint");
    Position::new(strain, trick.leader(), deal, trick.cards())
        .expect("a state's hands fit its trick")
}
