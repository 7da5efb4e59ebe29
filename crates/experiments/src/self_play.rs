//! Views of self-play, with the true layouts.

use std::error::Error;

use setrograde_beliefs::{Layout, Limits};
use setrograde_cards::{Hand, Seat};
use setrograde_games::{Bridge, Game, Goal, Jass, Table, View, Whist};
use setrograde_play::players::{Player, PlayerError, Roster, Spec};
use setrograde_play::tournament::{
    Board, Boards, BridgeBoards, JassBoards, WhistBoards, generator,
};

/// A fit to the self-play of a program.
pub trait Fit {
    /// Fits to `count` boards, which four `players` like `spec` play, and prints what comes
    /// of it.
    ///
    /// # Errors
    ///
    /// If a player fails, or there is nothing to fit.
    fn run<G: Game>(
        boards: &impl Boards<G>,
        players: &mut [Box<dyn Player<G>>; 4],
        spec: &Spec,
        count: u32,
    ) -> Result<(), Box<dyn Error>>;
}

/// Runs a fit with the arguments of the program, GAME PLAYER BOARDS.
///
/// # Errors
///
/// If an argument is wrong, and as [`Fit::run`].
pub fn fit<F: Fit>(seed: u64, example: &str) -> Result<(), Box<dyn Error>> {
    fn with<F: Fit, G: Game>(
        boards: &impl Boards<G>,
        spec: &Spec,
        count: u32,
    ) -> Result<(), Box<dyn Error>> {
        let player = || Roster::default().player::<G>(spec);
        let mut players = [player()?, player()?, player()?, player()?];
        F::run(boards, &mut players, spec, count)
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, player, boards] = &arguments[..] else {
        return Err(format!("expected GAME PLAYER BOARDS, as {example}").into());
    };
    let (spec, count) = (player.parse()?, boards.parse()?);
    match game.as_str() {
        "whist" => with::<F, Whist>(
            &WhistBoards {
                seed,
                cards: 13,
                strain: None,
            },
            &spec,
            count,
        ),
        "bridge" => with::<F, Bridge>(
            &BridgeBoards {
                seed,
                goal: Goal::Score,
                contract: None,
                within: None,
            },
            &spec,
            count,
        ),
        "jass" => with::<F, Jass>(
            &JassBoards {
                seed,
                cards: 9,
                mode: None,
            },
            &spec,
            count,
        ),
        other => Err(format!("{other:?} is no game; expected whist, bridge or jass").into()),
    }
}

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
