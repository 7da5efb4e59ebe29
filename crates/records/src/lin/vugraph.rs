//! The header of a vugraph file, about all its boards.

use setrograde_cards::Contract;

use crate::Board;
use crate::auction::{tricks, with_result};
use crate::board::Room;

/// The `vg`, `rs` and `pn` of a file.
#[derive(Debug, Default)]
pub(super) struct Vugraph {
    pub first_board: Option<u32>,
    /// A result for each board and room, the open room first.
    pub results: Vec<String>,
    pub players: Vec<String>,
}

impl Vugraph {
    /// The contract and result of a board in the file's list, if the board has none.
    pub(crate) fn add_result(&self, board: &mut Board) {
        let (Some(first), Some(number), Some(room)) = (self.first_board, board.number, board.room)
        else {
            return;
        };
        let Some(index) = number.checked_sub(first) else {
            return;
        };
        let index = 2 * u64::from(index) + u64::from(room == Room::Closed);
        let listed = usize::try_from(index)
            .ok()
            .and_then(|index| self.results.get(index))
            .and_then(|result| listed_result(result));
        let Some((contract, tricks)) = listed else {
            return;
        };
        if board.contract.is_none() && !board.passed_out {
            match contract {
                Some(contract) => board.set_contract(contract),
                None => board.passed_out = true,
            }
        }
        if board.contract == contract && board.result.is_none() {
            board.result = tricks;
        }
    }
}

/// The contract and the tricks in a text like `3NWx-1` or `4HN+1`; no contract
/// in `PASS`.
fn listed_result(text: &str) -> Option<(Option<Contract>, Option<u8>)> {
    let (text, over) = with_result(text.trim());
    if text.eq_ignore_ascii_case("PASS") {
        return Some((None, None));
    }
    let (bid, rest) = text.split_at_checked(2)?;
    let (declarer, rest) = rest.split_at_checked(1)?;
    let contract = Contract {
        bid: bid.parse().ok()?,
        doubling: rest.parse().ok()?,
        declarer: declarer.parse().ok()?,
    };
    Some((Some(contract), Some(tricks(contract.bid, over?)?)))
}
