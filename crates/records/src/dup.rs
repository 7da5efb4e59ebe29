//! Duplimate's DUP files.
//!
//! A deal has 156 bytes: 78 digits, two for each card of North, East and South (01 the ace of
//! spades, 52 the deuce of clubs); 68 bytes with the same in signs; `Y` or `N` for drawn hands
//! and for counting down; the lowest board, the copies and the highest board in 3, 2 and 3.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use setrograde_cards::{Card, Hand, Seat, Vulnerability};

use crate::Board;
use crate::board::complete;
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::number;
use crate::text::decode_line;

/// The length of a deal, and of the numbers of its cards.
const DEAL: u64 = 156;
const DIGITS: usize = 78;

/// Returns true if a file with this beginning is a DUP file.
pub(crate) fn is_dup(bytes: &[u8]) -> bool {
    let digits = bytes.get(..DIGITS);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}

/// The boards of a file.
#[derive(Debug)]
pub(crate) struct DupBoards<R> {
    reader: R,
    file: Arc<str>,
    count: u32,
}

impl<R: BufRead> DupBoards<R> {
    pub(crate) fn new(reader: R, file: Arc<str>) -> DupBoards<R> {
        DupBoards {
            reader,
            file,
            count: 0,
        }
    }

    /// The number of the deal that was read to.
    pub(crate) fn line(&self) -> u64 {
        u64::from(self.count)
    }

    /// The next board.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        let mut bytes = Vec::new();
        (&mut self.reader).take(DEAL).read_to_end(&mut bytes)?;
        // Some writers end the file as a text.
        if bytes.trim_ascii().iter().all(|&byte| byte < b' ') {
            return Ok(None);
        }
        let before = self.count;
        self.count = before.saturating_add(1);
        let text = decode_line(&bytes);
        let end = text.get(DIGITS + 68..).unwrap_or_default();
        let field = |from: usize, to: usize| end.get(from..to).and_then(|n| number(n.trim()));
        let number = match end.get(1..2) {
            Some("Y") => field(7, 10).and_then(|highest: u32| highest.checked_sub(before)),
            _ => field(2, 5).and_then(|lowest: u32| lowest.checked_add(before)),
        };
        let number = number.unwrap_or(self.count);
        let line = self.line();
        let mut board = Board {
            line,
            number: Some(number),
            dealer: Some(Seat::dealer_of_board(number)),
            vulnerability: Some(Vulnerability::of_board(number)),
            ..Board::default()
        };
        let Some(hands) = hands(&bytes) else {
            let cards = text.get(..DIGITS).unwrap_or(&text);
            let problem = Problem::expected("deal", cards, "39 numbers of cards, 01 to 52");
            let error = AtLine { line, problem };
            return Ok(Some(Err(error.in_file(&self.file, Some(number)))));
        };
        board.hands = hands;
        Ok(Some(Ok(board)))
    }
}

/// The hands by the numbers of their cards; `None` if these are not numbers, or not distinct.
fn hands(bytes: &[u8]) -> Option<[Option<Hand>; 4]> {
    let mut hands = [None; 4];
    let digits = std::str::from_utf8(bytes.get(..DIGITS)?).ok()?;
    let mut pack = Hand::PACK;
    for seat in [Seat::North, Seat::East, Seat::South] {
        let mut hand = Hand::EMPTY;
        for nth in 0..13 {
            let at = 26 * seat.index() + 2 * nth;
            let card: usize = number(&digits[at..at + 2])?;
            let card = Card::pack().nth(card.checked_sub(1)?)?;
            pack.remove(card).then(|| hand.insert(card))?;
        }
        hands[seat.index()] = Some(hand);
    }
    complete(&mut hands);
    Some(hands)
}
