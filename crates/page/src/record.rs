//! A play that was recorded: the cost of each card, and the cards that were right.

use serde_json::{Value, json};
use setrograde::{Review, Step};
use setrograde_cards::Seat;
use setrograde_solver::Solver;

use crate::JsonAnswer;
use crate::position::Play;

/// `STRAIN LEADER DEAL` and, after a tab, the cards: the object of `setrograde analyse --json`, the
/// tricks won by each side, the declarer's tricks after each card with best play from there, and
/// the tricks that each player gave away.
pub(crate) fn record(solver: &mut Solver, text: &str) -> JsonAnswer {
    let play = Play::read(text)?;
    let review = Review::new(solver, &play.start, &play.cards)?;
    let mut answer = serde_json::to_value(&review)?;
    answer["won"] = play.won.into();
    let leads = play.declarer().side() == play.start.leader().side();
    let all = play.start.tricks_left() as u8;
    let leaders = [review.tricks].into_iter();
    let leaders = leaders.chain(review.steps.iter().map(|step| step.tricks));
    answer["makes"] = leaders
        .map(|tricks| if leads { tricks } else { all - tricks })
        .collect();
    answer["players"] = players(&play, &review.steps);
    Ok(answer)
}

/// The cards of each player, the mistakes among them, and the tricks that these cost. Dummy's
/// cards are the declarer's.
fn players(play: &Play, steps: &[Step]) -> Value {
    let declarer = play.declarer();
    let dummy = (!play.is_ending()).then(|| declarer.partner());
    let seats = Seat::ALL.into_iter().filter(|seat| Some(*seat) != dummy);
    let player = |seat: Seat| {
        let own =
            |step: &&Step| step.seat == seat || (seat == declarer && Some(step.seat) == dummy);
        let own: Vec<&Step> = steps.iter().filter(own).collect();
        json!({
            "seat": seat.to_string(),
            "cards": own.len(),
            "mistakes": own.iter().filter(|step| step.cost > 0).count(),
            "tricks": own.iter().map(|step| u32::from(step.cost)).sum::<u32>(),
        })
    };
    seats.map(player).collect()
}
