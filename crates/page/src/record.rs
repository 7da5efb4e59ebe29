//! A play that was recorded: the cost of each card, and the cards that were right.

use setrograde_review::Review;
use setrograde_solver::Solver;

use crate::Answer;
use crate::position::Play;

/// `STRAIN LEADER DEAL` and, after a tab, the cards: the object of `setrograde analyse
/// --json`, and the tricks that each side won.
pub(crate) fn record(solver: &mut Solver, text: &str) -> Answer {
    let play = Play::read(text)?;
    let review = Review::new(solver, &play.start, &play.cards)?;
    let mut answer = serde_json::to_value(&review)?;
    answer["won"] = play.won.into();
    Ok(answer)
}
