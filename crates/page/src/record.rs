//! A play that was recorded: the cost of each card, and the cards that were right.

use serde::Serialize;
use setrograde::{Review, Step};
use setrograde_cards::Seat;
use setrograde_solver::Solver;

use crate::EngineAnswer;
use crate::position::Play;

/// A play, reviewed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ReviewedPlay {
    #[serde(flatten)]
    review: Review,
    /// The tricks won by North and South, and by East and West.
    won: [u8; 2],
    /// The declarer's tricks after 0, 1, … cards, with best play from there.
    makes: Vec<u8>,
    /// The players; dummy's cards are the declarer's.
    players: Vec<PlayerCards>,
}

/// The cards of a player.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PlayerCards {
    seat: Seat,
    /// The number of cards.
    cards: usize,
    /// The number of mistakes among them.
    mistakes: usize,
    /// The tricks that these cost.
    tricks: u32,
}

/// `STRAIN LEADER DEAL` and, after a tab, the cards: the object of `setrograde analyse --json`, the
/// tricks won by each side, the declarer's tricks after each card with best play from there, and
/// the tricks that each player gave away.
pub(crate) fn record(solver: &mut Solver, text: &str) -> EngineAnswer<ReviewedPlay> {
    let play = Play::read(text)?;
    let review = Review::new(solver, &play.start, &play.cards)?;
    let leads = play.declarer().side() == play.start.leader().side();
    let all = play.start.tricks_left() as u8;
    let leaders = [review.tricks]
        .into_iter()
        .chain(review.steps.iter().map(|step| step.tricks));
    let makes = leaders.map(|tricks| if leads { tricks } else { all - tricks });
    Ok(ReviewedPlay {
        won: play.won,
        makes: makes.collect(),
        players: players(&play, &review.steps),
        review,
    })
}

/// The cards of each player, the mistakes among them, and the tricks that these cost. Dummy's
/// cards are the declarer's.
fn players(play: &Play, steps: &[Step]) -> Vec<PlayerCards> {
    let declarer = play.declarer();
    let dummy = (!play.is_ending()).then(|| declarer.partner());
    let seats = Seat::ALL.into_iter().filter(|seat| Some(*seat) != dummy);
    let player = |seat: Seat| {
        let own =
            |step: &&Step| step.seat == seat || (seat == declarer && Some(step.seat) == dummy);
        let own: Vec<&Step> = steps.iter().filter(own).collect();
        PlayerCards {
            seat,
            cards: own.len(),
            mistakes: own.iter().filter(|step| step.cost > 0).count(),
            tricks: own.iter().map(|step| u32::from(step.cost)).sum(),
        }
    };
    seats.map(player).collect()
}
