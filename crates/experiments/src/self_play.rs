//! Views of self-play, with the true layouts.

use setrograde_beliefs::{Layout, Limits};
use setrograde_cards::{Hand, Seat};

use setrograde_games::{Game, Table, View};
use setrograde_play::players::{Player, PlayerError};
use setrograde_play::tournament::{Board, generator};

/// A view, and the true layout of its hidden cards.
#[derive(Clone, Debug)]
pub struct Sample<G> {
    /// The view.
    pub view: View<G>,
    /// The hidden hands.
    pub truth: Layout,
}

/// Plays a board, and returns the view of a random seat in the middle of each trick
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
    let mut table = Table::new(board.game, board.hands, [Limits::default(); 4])
        .expect("a board's hands can be played");
    let mut rng = generator(&[seed, board.number.into()]);
    let mut samples = Vec::new();
    for player in players.iter_mut() {
        player.new_board();
    }
    while !table.state().is_over() {
        let view = table.view();
        let choice = players[view.observer().index()].choose(&view, &mut rng)?;
        table.play(choice.card).expect("players choose legal cards");
        if table.state().trick().len() == 2 && table.state().tricks_left() > 2 {
            let view = table.view_of(Seat::from_index(rng.usize(0..4)));
            let truth = std::array::from_fn(|seat| match view.hand(Seat::from_index(seat)) {
                Some(_) => Hand::EMPTY,
                None => table.state().hands()[seat],
            });
            samples.push(Sample { view, truth });
        }
    }
    Ok(samples)
}
