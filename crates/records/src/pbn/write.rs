//! Boards written as PBN games.

use super::rewrite::wanted;
use crate::board::Board;

/// A PBN game with the number, dealer, vulnerability and deal of a board, and its
/// double-dummy results; what the board does not tell is left out.
///
/// ```
/// use setrograde_cards::Seat;
/// use setrograde_records::{Board, pbn};
///
/// let mut board = Board::default();
/// board.number = Some(7);
/// board.dealer = Some(Seat::South);
/// board.double_dummy.par_score = Some(-50);
/// assert_eq!(
///     pbn::write(&board),
///     "[Board \"7\"]\n[Dealer \"S\"]\n[OptimumScore \"NS -50\"]\n\n"
/// );
/// ```
#[must_use]
pub fn write(board: &Board) -> String {
    let number = board.number.map(|number| number.to_string());
    let dealer = board.dealer.map(|dealer| dealer.to_string());
    let vulnerable = board.vulnerability.map(|sides| sides.to_string());
    let deal = board.deal().map(|deal| deal.to_string());
    let mut text = String::new();
    for (name, value) in [
        ("Board", number),
        ("Dealer", dealer),
        ("Vulnerable", vulnerable),
        ("Deal", deal),
    ] {
        if let Some(value) = value {
            text += &format!("[{name} \"{value}\"]\n");
        }
    }
    for (_, tag) in wanted(&board.double_dummy, "\n") {
        text += &tag;
        text.push('\n');
    }
    text.push('\n');
    text
}
