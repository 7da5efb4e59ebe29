//! A play that was recorded: the cost of each card, and the cards that were right.

use serde_json::{Value, json};
use setrograde_solver::{Solver, Target, Wanted};

use crate::Answer;
use crate::position::{Play, names};

/// `STRAIN LEADER DEAL` and, after a tab, the cards: the tricks of the leader's side
/// at the start and after each card, and what each card cost the side that played it.
pub(crate) fn record(solver: &mut Solver, text: &str) -> Answer {
    let play = Play::read(text)?;
    let leader = play.start.leader();
    let analysis = solver.analyse(&play.start, &play.cards)?;
    let tricks: Vec<u8> = analysis.tricks(leader).collect();
    let mut position = play.start;
    let mut steps = Vec::with_capacity(play.cards.len());
    for (place, &card) in play.cards.iter().enumerate() {
        let cost = tricks[place].abs_diff(tricks[place + 1]);
        let mut right = Vec::new();
        if cost > 0 {
            let best = solver.solve(&position, Target::Most, Wanted::AllBest)?;
            for of in best.cards {
                right.push(of.card);
                right.extend(of.equal_cards());
            }
        }
        steps.push(json!({
            "seat": position.to_play().to_string(),
            "card": card.to_string(),
            "trick": play.start.tricks_left() - position.tricks_left() + 1,
            "tricks": tricks[place + 1],
            "gives_away": cost,
            "right": names(right),
        }));
        position = position.play(card)?;
    }
    Ok(json!({
        "leader": leader.to_string(),
        "tricks": tricks[0],
        "tricks_left": play.start.tricks_left(),
        "won": play.won,
        "cards": Value::Array(steps),
    }))
}
