//! Games of PBN 2.1, for other programs to read.

use std::fmt::Write;

use setrograde_cards::{Card, Seat, Side};
use setrograde_games::{Bridge, Game, Trick};

use super::board::Board;
use super::table::{Forfeit, TableResult};

const ROOMS: [&str; 2] = ["Open", "Closed"];

/// One board at one table, 0 for the open room and 1 for the closed one. `names` are the
/// players of North and South, and of East and West.
#[must_use]
pub fn pbn_game(
    board: &Board<Bridge>,
    table: usize,
    names: [&str; 2],
    result: &TableResult,
) -> String {
    let contract = board.game.contract();
    let declarer = contract.declarer;
    let bid = format!("{}{}", contract.bid, contract.doubling);
    let dealer = Seat::dealer_of_board(board.number);
    let tricks = result.tally.tricks[declarer.side().index()];
    let score = board.game.result(&result.tally, Side::NorthSouth.index());
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(value));
    };
    tag("Event", "setrograde tournament");
    tag("Site", "");
    tag("Date", "");
    tag("Board", &board.number.to_string());
    for seat in [Seat::West, Seat::North, Seat::East, Seat::South] {
        tag(seat.name(), names[seat.side().index()]);
    }
    tag("Dealer", &dealer.to_string());
    tag("Vulnerable", &board.game.vulnerability().to_string());
    tag("Deal", &board.deal_text());
    tag("Scoring", "IMP");
    tag("Declarer", &declarer.to_string());
    tag("Contract", &bid);
    tag("Result", &tricks.to_string());
    tag("Room", ROOMS[table & 1]);
    tag("Score", &format!("NS {score}"));
    if let Some(Forfeit { seat, problem }) = &result.forfeit {
        tag(
            "SetrogradeForfeit",
            &format!("{seat} {}", problem.replace('\n', " ")),
        );
    }
    tag("Auction", &dealer.to_string());
    let _ = writeln!(text, "{}", auction(dealer, declarer, &bid));
    let leader = declarer.next();
    let _ = writeln!(text, "[Play \"{leader}\"]");
    text.push_str(&play(board, leader, &result.cards));
    text.push('\n');
    text
}

/// The shortest auction that ends in the contract.
fn auction(dealer: Seat, declarer: Seat, contract: &str) -> String {
    let bid = contract.trim_end_matches('X');
    let mut calls = vec!["Pass"; declarer.distance_from(dealer)];
    calls.push(bid);
    match contract.len() - bid.len() {
        0 => {}
        1 => calls.push("X"),
        _ => calls.extend(["X", "XX"]),
    }
    calls.extend(["Pass"; 3]);
    let rows: Vec<String> = calls.chunks(4).map(|row| row.join(" ")).collect();
    rows.join("\n")
}

/// The cards in PBN's order: a row for each trick, a column for each seat, from
/// the opening leader; `-` where no card was played.
fn play(board: &Board<Bridge>, first: Seat, cards: &[Card]) -> String {
    let mut text = String::new();
    let mut leader = first;
    for trick_cards in cards.chunks(4) {
        let mut trick = Trick::new(leader);
        for &card in trick_cards {
            board.game.play_to(&mut trick, card);
        }
        let mut row = ["-"; 4].map(str::to_owned);
        for (seat, card) in trick.plays() {
            row[seat.distance_from(first)] = card.to_string();
        }
        let _ = writeln!(text, "{}", row.join(" "));
        leader = trick.winner();
    }
    if cards.len() < 52 {
        text.push_str("*\n");
    }
    text
}
