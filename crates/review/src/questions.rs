//! The questions that boards of records stand for, written as on a line.

use setrograde_cards::{Card, Contract, Deal, Position, Seat};
use setrograde_records::Board;
use setrograde_solver::SolveError;

/// The deal of a board, or what it lacks.
fn deal(board: &Board) -> Result<Deal, String> {
    let hidden = |seat: &Seat| board.hands[seat.index()].is_none();
    let hidden: Vec<&str> = Seat::ALL
        .into_iter()
        .filter(hidden)
        .map(Seat::name)
        .collect();
    match (board.deal(), &hidden[..]) {
        (Some(deal), _) => Ok(deal),
        (None, [] | [_, _, _, _]) => Err("it shows no hands".to_owned()),
        (None, [one]) => Err(format!("the hand of {one} is hidden")),
        (None, [more @ .., last]) => Err(format!(
            "the hands of {} and {last} are hidden",
            more.join(", ")
        )),
    }
}

/// The deal of a board, if it has a table of 20 results.
///
/// # Errors
///
/// If a hand is hidden, or the hands are not equally long.
pub fn table_deal(board: &Board) -> Result<Deal, String> {
    let deal = deal(board)?;
    match deal.cards_per_hand() {
        None => Err(SolveError::UnequalHands(deal.hands().map(|hand| hand.len())).to_string()),
        Some(0) => Err(SolveError::NoCards.to_string()),
        Some(_) => Ok(deal),
    }
}

/// `DEAL`, from North on.
///
/// # Errors
///
/// As [`table_deal`].
pub fn deal_line(board: &Board) -> Result<String, String> {
    deal(board).map(|deal| deal.to_string())
}

/// `STRAIN LEADER DEAL`, before the first card is played; without a contract the deal
/// alone, and nothing if the board was passed out.
///
/// # Errors
///
/// As [`table_deal`].
pub fn position_line(board: &Board) -> Result<String, String> {
    if board.passed_out {
        return Ok(String::new());
    }
    let deal = table_deal(board)?;
    let (Some(strain), Some(leader)) = (board.strain, board.leader) else {
        return Ok(deal.to_string());
    };
    let position = Position::new(strain, leader, deal, &board.on_table);
    position
        .map(|position| position.to_string())
        .map_err(|error| error.to_string())
}

/// The question that a declarer's claim asks, the defenders' hands hidden.
///
/// # Errors
///
/// As [`table_deal`].
pub fn claim_line(board: &Board) -> Result<String, String> {
    let line = position_line(board)?;
    let Some((contract, deal)) = board.contract.zip(board.deal()) else {
        return Ok(line);
    };
    let seen = |seat| contract.side().includes(seat);
    let claimer = contract.declarer;
    Ok(claim_question(contract, &deal, seen, claimer, &board.play))
}

/// The question that a claim asks after the cards of `play`: `claimer` has `seen` some hands
/// of the deal, and the others are hidden.
#[must_use]
pub fn claim_question(
    contract: Contract,
    deal: &Deal,
    seen: impl Fn(Seat) -> bool,
    claimer: Seat,
    play: &[Card],
) -> String {
    let hands = Seat::ALL.map(|seat| match seen(seat) {
        true => deal.hand(seat).to_string(),
        false => "?".to_owned(),
    });
    let (strain, leader) = (contract.strain(), contract.leader());
    let mut text = format!("{strain} {leader} N:{} by={claimer}", hands.join(" "));
    for card in play {
        text += &format!(" {card}");
    }
    text
}

/// `STRAIN LEADER DEAL CARDS`, with the cards that were played.
///
/// # Errors
///
/// As [`table_deal`].
pub fn play_line(board: &Board) -> Result<String, String> {
    let mut line = position_line(board)?;
    for card in board.play.iter().filter(|_| board.strain.is_some()) {
        line.push_str(&format!(" {card}"));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_board_lacks_is_named() {
        let mut board = Board::default();
        assert_eq!(deal_line(&board), Err("it shows no hands".to_owned()));
        board.hands = ["A...", "K...", "Q...", "J..."].map(|hand| hand.parse().ok());
        assert_eq!(deal_line(&board).as_deref(), Ok("N:A... K... Q... J..."));
        assert_eq!(position_line(&board), deal_line(&board));
        board.strain = "NT".parse().ok();
        board.leader = Some(Seat::West);
        board.play = ["SJ", "SA"]
            .map(|card| card.parse().expect("a card"))
            .to_vec();
        assert_eq!(
            play_line(&board).as_deref(),
            Ok("NT W N:A... K... Q... J... SJ SA")
        );
        board.hands[1] = None;
        board.hands[2] = None;
        let hidden = play_line(&board).expect_err("hidden");
        assert_eq!(hidden, "the hands of East and South are hidden");
    }
}
