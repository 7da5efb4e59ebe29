//! The double-dummy solver, asked about states.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_cards::{Card, Deal, Hand, Position, Strain};
use setrograde_lookup::Database;
use setrograde_solver::{Options, Solver, Target, Wanted};

use crate::endings::Endings;
use crate::error::SearchError;
use setrograde_games::{Game, State, View};

/// What each card that may be played takes of the tricks left, for the side to
/// play.
pub fn tricks_of_cards(
    solver: &mut Solver,
    state: &State,
    strain: Strain,
) -> Result<Vec<(Card, u8)>, SearchError> {
    let solution = solver.solve(&position(state, strain), Target::Most, Wanted::All)?;
    let mut cards = Vec::with_capacity(13);
    for of in &solution.cards {
        cards.push((of.card, of.tricks));
        let equals = of.equals.iter();
        cards.extend(equals.map(|rank| (Card::new(of.card.suit, rank), of.tricks)));
    }
    Ok(cards)
}

/// Whether `party` takes at least `target` tricks in all, with those won before.
fn reaches<G: Game>(
    solver: &mut Solver,
    state: &State,
    strain: Strain,
    game: &G,
    (party, target): (usize, u8),
) -> Result<bool, SearchError> {
    let (won, left) = (state.tally().tricks[party], state.tricks_left() as u8);
    if won >= target || won + left < target {
        return Ok(won >= target);
    }
    let need = target - won;
    let ours = game.party(state.to_play()) == party;
    // The others stop the party with one trick more than it can spare.
    let need = if ours { need } else { left - need + 1 };
    let position = position(state, strain);
    let solution = solver.solve(&position, Target::AtLeast(need), Wanted::One)?;
    Ok(solution.cards.is_empty() != ours)
}

fn position(state: &State, strain: Strain) -> Position {
    let trick = state.trick();
    let deal = Deal::new(state.hands().map(Hand::from)).expect("a state's hands are disjoint");
    Position::new(strain, trick.leader(), deal, trick.cards())
        .expect("a state's hands fit its trick")
}

/// Whether a side reaches a target in some worlds with all cards known. Endings
/// come from a database if there is one that holds them; otherwise each world
/// has a solver.
pub struct OpenCards<'a, G> {
    game: G,
    strain: Strain,
    party: usize,
    target: u8,
    endings: Option<Endings<'a, G>>,
    options: Options,
    solvers: Vec<Option<Solver>>,
}

impl<'a, G: Game> OpenCards<'a, G> {
    /// For the side of the seat to play in `view`, which wants `target` of the
    /// tricks left; `None` for a game that the solver does not know.
    pub fn new(
        view: &'a View<G>,
        target: u8,
        database: Option<&'a Database>,
        cancel: Option<Arc<AtomicBool>>,
    ) -> Option<OpenCards<'a, G>> {
        let party = view.game().party(view.to_play());
        Some(OpenCards {
            game: *view.game(),
            strain: view.game().strain()?,
            party,
            target: view.tally().tricks[party] + target,
            endings: Endings::new(view.game(), database),
            options: Options {
                memory: 1 << 20,
                endgames: None,
                cancel,
            },
            solvers: Vec::new(),
        })
    }

    /// Whether the side reaches the target from a position of the world
    /// numbered `world`.
    ///
    /// # Errors
    ///
    /// If the solver was cancelled, or the database fails.
    pub fn reaches(&mut self, world: usize, state: &State) -> Result<bool, SearchError> {
        if let Some(endings) = &self.endings
            && state.tricks_left() <= endings.depth()
        {
            let tally = endings.finish(state)?;
            return Ok(tally.tricks[self.party] >= self.target);
        }
        if self.solvers.len() <= world {
            self.solvers.resize_with(world + 1, || None);
        }
        let solver = self.solvers[world].get_or_insert_with(|| Solver::new(self.options.clone()));
        let goal = (self.party, self.target);
        reaches(solver, state, self.strain, &self.game, goal)
    }
}
