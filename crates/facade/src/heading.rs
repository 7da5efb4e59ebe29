//! Boards, contracts and cards as players write them.

use setrograde_cards::{Contract, Strain, Vulnerability};
use setrograde_records::{Board, Room};

use crate::words::shown;

/// Returns the heading of a board: `Board 7  N-S vul.  4♠ by South, lead ♥K, 9 tricks`, with
/// the parts that the record has. A board without a number is named by its line.
pub(crate) fn heading(board: &Board) -> String {
    let mut text = match board.number {
        Some(number) => format!("Board {number}"),
        None => format!("Line {}", board.line),
    };
    match board.room {
        Some(Room::Open) => text += ", open room",
        Some(Room::Closed) => text += ", closed room",
        None => {}
    }
    if let Some(table) = &board.table {
        text += &format!(", table {table}");
    }
    if let [Some(north_south), Some(east_west)] = &board.pairs {
        text += &format!(", pairs {north_south} and {east_west}");
    }
    text += match board.vulnerability {
        Some(Vulnerability::None) => "  none vul.",
        Some(Vulnerability::NorthSouth) => "  N-S vul.",
        Some(Vulnerability::EastWest) => "  E-W vul.",
        Some(Vulnerability::Both) => "  both vul.",
        None => "",
    };
    let Some(contract) = board.contract else {
        if board.passed_out {
            text += "  passed out";
        }
        return text;
    };
    text += &format!("  {}", by_declarer(contract));
    if let Some(&lead) = board.play.first() {
        text += &format!(", lead {}", shown(lead));
    }
    if let Some(result) = board.result {
        let s = if result == 1 { "" } else { "s" };
        text += &format!(", {result} trick{s}");
    }
    text
}

/// The contract as people write it, such as `4♠X by South`.
pub(crate) fn by_declarer(contract: Contract) -> String {
    let (bid, doubling) = (bid(contract), contract.doubling);
    format!("{bid}{doubling} by {}", contract.declarer.name())
}

/// The level and the strain, such as `4♠` or `3NT`.
pub(crate) fn bid(contract: Contract) -> String {
    let level = contract.bid.level();
    match contract.strain() {
        Strain::Trump(suit) => format!("{level}{}", suit.symbol()),
        Strain::NoTrump => format!("{level}NT"),
    }
}

/// Returns the result of a contract with this number of tricks for its declarer: `makes`, `makes 1
/// over` or `down 2`.
pub fn outcome(contract: Contract, tricks: u8) -> String {
    let needed = contract.bid.tricks();
    match tricks.checked_sub(needed) {
        Some(0) => "makes".to_owned(),
        Some(over) => format!("makes {over} over"),
        None => format!("down {}", needed - tricks),
    }
}

#[cfg(test)]
mod tests {
    use setrograde_cards::Seat;

    use super::*;
    use crate::words::cards_by_suit;

    #[test]
    fn a_board_is_named_as_players_do() {
        let contract: Contract = "4SXS".parse().expect("a contract");
        let board = Board {
            line: 12,
            room: Some(Room::Closed),
            table: Some("3".to_owned()),
            pairs: ["5", "12"].map(|pair| Some(pair.to_owned())),
            vulnerability: Some(Vulnerability::EastWest),
            contract: Some(contract),
            leader: Some(Seat::West),
            play: vec!["HK".parse().expect("a card")],
            result: Some(9),
            ..Board::default()
        };
        let text = "Line 12, closed room, table 3, pairs 5 and 12  E-W vul.  4♠X by South, lead ♥K, 9 tricks";
        assert_eq!(heading(&board), text);
        let passed = Board {
            number: Some(7),
            passed_out: true,
            ..Board::default()
        };
        assert_eq!(heading(&passed), "Board 7  passed out");
        let outcomes = [8, 9, 10, 12].map(|tricks| outcome(contract, tricks));
        assert_eq!(outcomes, ["down 2", "down 1", "makes", "makes 2 over"]);
        let cards = ["H2", "S3", "SA", "SK"].map(|card| card.parse().expect("a card"));
        assert_eq!(cards_by_suit(&cards), "♠AK3 ♥2");
    }
}
