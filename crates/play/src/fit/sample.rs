//! Views of self-play, with how the hidden cards lay.

use setrograde_beliefs::{CardSet, Layout, Limits};
use setrograde_cards::Seat;

use crate::players::{Player, PlayerError};
use crate::tournament::{Board, generator};
use setrograde_games::{Game, Table, View};

/// What a seat saw, and how the hidden cards lay.
#[derive(Clone, Debug)]
pub struct Sample<G> {
    /// What was seen.
    pub view: View<G>,
    /// The hidden hands.
    pub truth: Layout,
}

/// Plays a board, and returns what a random seat saw in the middle of each trick
/// with more than two tricks left.
///
/// # Errors
///
/// If a player fails.
pub fn self_play<G: Game>(
    board: &Board<G>,
    players: &mut [Box<dyn Player<G>>; 4],
    seed: u64,
) -> Result<Vec<Sample<G>>, PlayerError> {
    let table = Table::new(board.game, board.hands, [Limits::default(); 4]);
    let Ok(mut table) = table else {
        return Err(PlayerError::NothingToPlay);
    };
    let mut rng = generator(&[seed, board.number.into()]);
    let mut samples = Vec::new();
    for player in players.iter_mut() {
        player.new_board();
    }
    while !table.state().is_over() {
        let view = table.view();
        let choice = players[view.observer().index()].choose(&view, &mut rng)?;
        if table.play(choice.card).is_err() {
            return Err(PlayerError::NothingToPlay);
        }
        if table.state().trick().len() == 2 && table.state().tricks_left() > 2 {
            let view = table.view_of(Seat::from_index(rng.usize(0..4)));
            let truth = std::array::from_fn(|seat| match view.hand(Seat::from_index(seat)) {
                Some(_) => CardSet::EMPTY,
                None => table.state().hands()[seat],
            });
            samples.push(Sample { view, truth });
        }
    }
    Ok(samples)
}
