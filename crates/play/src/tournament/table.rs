//! One board at one table.

use std::time::{Duration, Instant};

use crate::{Table, TableError};
use fastrand::Rng;
use setrograde_beliefs::{Game, Tally};
use setrograde_cards::{Card, Seat};

use super::board::Board;
use crate::players::{Player, PlayerError};

/// The result of one board at one table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableResult {
    /// The cards in the order of play.
    pub cards: Vec<Card>,
    /// The points and tricks won.
    pub tally: Tally,
    /// True if a seat forfeited the board.
    pub forfeit: Option<Forfeit>,
}

/// A board that ended because a player did not play by the rules. The other
/// side gets all tricks that were left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The seat that forfeited.
    pub seat: Seat,
    /// The problem.
    pub problem: String,
}

/// The decisions of a side: those in which there was something to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decisions {
    /// Their number.
    pub count: u64,
    /// The time that they took together.
    pub time: Duration,
    /// The total number of layouts examined.
    pub layouts: u64,
    /// The effective numbers of layouts, all together.
    pub effective: f64,
}

impl Decisions {
    /// Adds others.
    pub fn add(&mut self, other: &Decisions) {
        self.count += other.count;
        self.time += other.time;
        self.layouts += other.layouts;
        self.effective += other.effective;
    }
}

/// Plays a board with four players, by seat. The generator of each decision comes from the seed,
/// the board, the seat and the number of the card: not from the table, so equal players make equal
/// decisions at both.
///
/// # Errors
///
/// If a player fails other than by playing a wrong card.
pub(crate) fn play_table<G: Game>(
    board: &Board<G>,
    seed: u64,
    players: &mut [&mut Box<dyn Player<G>>; 4],
    decisions: &mut [Decisions; 2],
) -> Result<TableResult, PlayerError> {
    let mut table = board.table()?;
    for player in players.iter_mut() {
        player.new_board();
    }
    let mut forfeit = None;
    while !table.state().is_over() {
        let view = table.view();
        let seat = view.observer();
        let card_number = table.history().len() as u64;
        let mut rng = generator(&[seed, board.number.into(), seat.index() as u64, card_number]);
        let start = Instant::now();
        let choice = match players[seat].choose(&view, &mut rng) {
            Ok(choice) => choice,
            Err(PlayerError::External { command, problem }) => {
                let problem = format!("{command}: {problem}");
                forfeit = Some(Forfeit { seat, problem });
                break;
            }
            Err(error) => return Err(error),
        };
        if view.legal().len() > 1 {
            let of_side = &mut decisions[seat.index() & 1];
            of_side.count += 1;
            of_side.time += start.elapsed();
            of_side.layouts += choice.layouts as u64;
            of_side.effective += choice.effective;
        }
        if let Err(error) = table.play(choice.card) {
            let problem = error.to_string();
            forfeit = Some(Forfeit { seat, problem });
            break;
        }
    }
    Ok(result(&table, forfeit))
}

fn result<G: Game>(table: &Table<G>, forfeit: Option<Forfeit>) -> TableResult {
    TableResult {
        tally: final_tally(table, forfeit.as_ref()),
        cards: table.history().to_vec(),
        forfeit,
    }
}

/// The tally; after a forfeit all remaining tricks are the other side's.
fn final_tally<G: Game>(table: &Table<G>, forfeit: Option<&Forfeit>) -> Tally {
    let game = table.game();
    let mut tally = *table.state().tally();
    if let Some(forfeit) = forfeit {
        // The rest is played out for its points and tricks alone.
        let mut end = *table.state();
        while let Some(card) = end.legal(game).iter().next() {
            end.play(game, card);
        }
        let other = game.party(forfeit.seat.next());
        let sum = |tally: &Tally| {
            let tricks = tally.tricks.iter().map(|&tricks| i16::from(tricks));
            (tally.points.iter().sum::<i16>(), tricks.sum::<i16>())
        };
        let ((points, tricks), (points_now, tricks_now)) = (sum(end.tally()), sum(&tally));
        tally.points[other] += points - points_now;
        tally.tricks[other] += (tricks - tricks_now) as u8;
    }
    tally
}

/// The result of a table from its cards.
///
/// # Errors
///
/// If a card could not be played, or cards are missing without a forfeit.
pub fn replay<G: Game>(
    board: &Board<G>,
    cards: &[Card],
    forfeit: Option<Forfeit>,
) -> Result<TableResult, TableError> {
    let mut table = board.table()?;
    for &card in cards {
        table.play(card)?;
    }
    Ok(result(&table, forfeit))
}

/// Returns a generator seeded by these numbers.
pub fn generator(numbers: &[u64]) -> Rng {
    // SplitMix64's finalizer over a running sum.
    let mix = |sum: u64, number: &u64| {
        let mut z = (sum ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    Rng::with_seed(numbers.iter().fold(0, mix))
}
