//! Boards, contracts and cards as players write them.

use setrograde_cards::{Contract, Strain, Vulnerability};
use setrograde_claim::tricks;
use setrograde_records::Board;

use crate::words::shown;

/// Returns the heading of a board: `Board 7  N-S vul.  4♠ by South, lead ♥K, 9 tricks`, with
/// the parts that the record has. A board without a number is named by its line.
pub(crate) fn heading(board: &Board) -> String {
    let mut text = match board.number {
        Some(number) => format!("Board {number}"),
        None => format!("Line {}", board.line),
    };
    if let Some(room) = board.room {
        text += &format!(", {} room", room.name());
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
        text += &format!(", {}", tricks(result));
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
    match contract.bid.strain() {
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
