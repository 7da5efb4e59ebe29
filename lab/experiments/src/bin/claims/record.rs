//! Boards of records as claims.

use setrograde_cards::{Hand, Position, Trick};
use setrograde_claim::Knowledge;
use setrograde_records::{Board, PlayEnd};

/// A claim of a record.
pub struct Claim {
    pub knowledge: Knowledge,
    /// The actual hidden hands.
    pub layout: [Hand; 2],
    pub claimed: u8,
}

/// A board that is not a claim.
pub enum NoClaim {
    /// Played out, passed out, or without a result.
    None,
    /// It contradicts itself.
    Bad(String),
}

pub fn claim_of(board: &Board) -> Result<Claim, NoClaim> {
    let bad = |why: &str| NoClaim::Bad(why.to_owned());
    let (Some(deal), Some(strain), Some(declarer), Some(leader)) =
        (board.deal(), board.strain, board.declarer, board.leader)
    else {
        return Err(NoClaim::None);
    };
    let total = board.claim.or(board.result.filter(|_| {
        board.play_end != PlayEnd::Unknown && !board.play.is_empty() && board.play.len() < 49
    }));
    let Some(total) = total.filter(|_| board.play.len() < 49) else {
        return Err(NoClaim::None);
    };
    if total > 13 {
        return Err(bad("more than 13 tricks are claimed"));
    }
    let start =
        Position::new(strain, leader, deal, &[]).map_err(|e| NoClaim::Bad(e.to_string()))?;
    let known = Knowledge::from_position(&start, declarer, declarer.partner());
    let mut knowledge = known.map_err(|error| NoClaim::Bad(error.to_string()))?;
    let mut position = start;
    let mut won = 0;
    let mut trick = Trick::new(leader);
    for (n, &card) in board.play.iter().enumerate() {
        let at_card =
            |error: &dyn std::fmt::Display| NoClaim::Bad(format!("card {}: {error}", n + 1));
        position = position.play(card).map_err(|error| at_card(&error))?;
        knowledge = knowledge.play(card).map_err(|error| at_card(&error))?;
        trick = trick.with(card).unwrap_or(trick);
        if trick.is_complete()
            && let Some(winner) = trick.winner(strain)
        {
            won += u8::from(winner.side() == declarer.side());
            trick = Trick::new(winner);
        }
    }
    let left = knowledge.tricks_left() as u8;
    let claimed = total
        .checked_sub(won)
        .filter(|&claimed| claimed <= left)
        .ok_or_else(|| bad("the result does not agree with the tricks played"))?;
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    Ok(Claim {
        knowledge,
        layout,
        claimed,
    })
}
