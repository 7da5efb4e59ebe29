//! Boards written as LIN.

use setrograde_cards::{Call, Doubling, Hand, Seat, Suit, Vulnerability};

use super::values::SEATS;
use crate::text::with_blanks;
use crate::{Board, Room};

/// A board of LIN, on a line: players, dealer, hands, vulnerability, auction with explanations,
/// play and claim. Missing fields of the board are left out.
///
/// LIN has no field for a contract. One without its auction is written as the shortest auction
/// that ends in it. Double-dummy results are left out, too. A bar (`|`) in a text is written as a
/// broken one (`¦`).
///
/// ```
/// use setrograde_cards::Seat;
/// use setrograde_records::{Board, lin};
///
/// let mut board = Board::default();
/// board.number = Some(7);
/// board.dealer = Some(Seat::South);
/// board.auction = Some("1NT Pass Pass Pass".to_owned());
/// board.alerts = vec![(0, "15-17".to_owned())];
/// assert_eq!(
///     lin::write(&board),
///     "md|1|ah|Board 7|mb|1N!|an|15-17|mb|p|mb|p|mb|p|pg||\n"
/// );
/// ```
pub fn write(board: &Board) -> String {
    let mut lin = String::new();
    let mut add = |name: &str, value: &str| {
        // A field ends with a bar.
        let value = with_blanks(value).replace('|', "¦");
        lin += &format!("{name}|{}|", value.trim());
    };
    let number = board.number.map(|number| number.to_string());
    let number = number.as_deref();
    if let Some(room) = board.room {
        let letter = if room == Room::Open { 'o' } else { 'c' };
        add("qx", &format!("{letter}{}", number.unwrap_or_default()));
    }
    let named = |players: &&[String; 4]| players.iter().any(|name| !name.trim().is_empty());
    if let Some(players) = board.players.as_ref().filter(named) {
        // A comma in a name is recognized by the blank after it.
        let name = |seat: Seat| players[seat].trim().replace(", ", ",").replace(',', ", ");
        add("pn", &SEATS.map(name).join(","));
    }
    let dealer = board
        .dealer
        .and_then(|dealer| SEATS.iter().position(|&seat| seat == dealer));
    let dealer = dealer.map_or(0, |index| index + 1);
    let hands = SEATS.map(|seat| board.hands[seat].map_or(String::new(), written));
    if board.hands.iter().any(Option::is_some) {
        add("md", &format!("{dealer}{}", hands.join(",")));
    } else {
        add("md", &dealer.to_string());
    }
    if let Some(sides) = board.vulnerability {
        let letter = match sides {
            Vulnerability::None => "o",
            Vulnerability::NorthSouth => "n",
            Vulnerability::EastWest => "e",
            Vulnerability::Both => "b",
        };
        add("sv", letter);
    }
    if let Some(number) = number.filter(|_| board.room.is_none()) {
        add("ah", &format!("Board {number}"));
    }
    for (at, call) in calls(board).into_iter().enumerate() {
        let word = match call {
            Call::Pass => "p".to_owned(),
            Call::Double => "d".to_owned(),
            Call::Redouble => "r".to_owned(),
            Call::Bid(bid) => bid.to_string().replace("NT", "N"),
        };
        match board.alerts.iter().find(|(of, _)| *of == at) {
            Some((_, text)) => {
                add("mb", &format!("{word}!"));
                // PBN's word for an alert without a text.
                if !matches!(text.trim(), "" | "alert") {
                    add("an", text);
                }
            }
            None => add("mb", &word),
        }
    }
    for card in board.on_table.iter().chain(&board.play) {
        add("pc", &card.to_string());
    }
    let result = board
        .claim
        .or(board.result.filter(|_| board.play.len() < 52));
    if let Some(tricks) = result {
        add("mc", &tricks.to_string());
    }
    lin + "pg||\n"
}

/// The calls of the auction, or the shortest auction with the board's end.
fn calls(board: &Board) -> Vec<Call> {
    if let Some(calls) = board.calls() {
        return calls;
    }
    let (Some(dealer), Some(contract)) = (board.dealer, board.contract) else {
        let passes = if board.passed_out { 4 } else { 0 };
        return vec![Call::Pass; passes];
    };
    let mut calls = vec![Call::Pass; contract.declarer.distance_from(dealer)];
    calls.push(Call::Bid(contract.bid));
    calls.extend(match contract.doubling {
        Doubling::Undoubled => &[][..],
        Doubling::Doubled => &[Call::Double],
        Doubling::Redoubled => &[Call::Double, Call::Redouble],
    });
    calls.extend([Call::Pass; 3]);
    calls
}

/// A hand, each suit after its letter.
fn written(hand: Hand) -> String {
    let suits = Suit::ALL.map(|suit| format!("{suit}{}", hand.holding(suit)));
    suits.concat()
}
