//! Duplimate's DLM files.
//!
//! A DLM file is a settings file in the format of Windows. `Board NN=` has a letter for two cards
//! each, from the ace of spades down to the deuce of clubs, and three digits. The number of a
//! letter, from `a` = 0, is four times the seat of the first card and the seat of the second, from
//! North = 0. The digits are NN, the value of `Duplicates NN` and the codes of all letters, joined
//! by exclusive or. A file has 99 boards; those from `From board` to `To board` are meant.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use setrograde_cards::{Card, Deal, Hand, Seat};

use crate::Board;
use crate::error::Problem;
use crate::lines::{BoardResult, Lines, ReadBoards, is_number, number};

/// The letters of a board, and those with its digits.
const LETTERS: usize = 26;
const WHOLE: usize = LETTERS + 3;

/// Maximum number of a board.
const MOST: u32 = 99;

/// The cards of a board that is not meant, as other writers have them.
const FILLER: &str = "aaaaaabffffffkkkkkklpppppp";

/// Returns true if a line is one of a DLM file.
pub(crate) fn is_dlm(line: &str) -> bool {
    let value = setting(line, "board").filter(|(number, _)| number.is_some());
    value.is_some_and(|(_, value)| {
        let (letters, digits) = value.split_at_checked(LETTERS).unwrap_or_default();
        let is_letter = |byte: u8| byte.is_ascii_lowercase();
        value.len() == WHOLE && letters.bytes().all(is_letter) && is_number(digits)
    })
}

/// The number after the name of a setting, and its value.
fn setting<'a>(line: &'a str, name: &str) -> Option<(Option<u32>, &'a str)> {
    let (found, value) = line.split_once('=')?;
    let found = found.trim();
    let (start, rest) = found.split_at_checked(name.len())?;
    let number = number(rest.trim());
    let fits = start.eq_ignore_ascii_case(name) && (rest.is_empty() || number.is_some());
    fits.then_some((number, value.trim()))
}

/// The settings of a file as far as they were read.
#[derive(Debug, Default)]
pub(crate) struct DlmBoards {
    from: Option<u32>,
    to: Option<u32>,
    /// The copies of each board, by its number.
    copies: BTreeMap<u32, u32>,
    /// A board whose copies may follow, and its value.
    draft: Option<(u32, u64, String)>,
}

impl<R: BufRead> ReadBoards<R> for DlmBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while let Some(line) = lines.next()? {
            let text = line.start();
            if let Some((None, value)) = setting(text, "from board") {
                self.from = number(value);
            } else if let Some((None, value)) = setting(text, "to board") {
                self.to = number(value);
            } else if let Some((Some(board), value)) = setting(text, "duplicates") {
                if board <= MOST {
                    self.copies.insert(board, number(value).unwrap_or(0));
                }
            } else if let Some((Some(board), value)) = setting(text, "board") {
                let before = self.finish();
                self.draft = Some((board, line.number, value.to_owned()));
                if before.is_some() {
                    return Ok(before);
                }
            }
        }
        Ok(self.finish())
    }
}

impl DlmBoards {
    /// Ends the board that is being read; `None` if it is not one of those meant.
    fn finish(&mut self) -> Option<BoardResult> {
        let (number, line, value) = self.draft.take()?;
        let meant = match (self.from, self.to) {
            (None, None) => !value.starts_with(FILLER),
            (from, to) => (from.unwrap_or(1)..=to.unwrap_or(MOST)).contains(&number),
        };
        let copies = self.copies.get(&number).copied().unwrap_or(0);
        meant.then(|| {
            let mut board = Board::numbered(number, line);
            let deal = deal(&value).map_err(|problem| problem.at(line).of_board(number));
            board.set_deal(&deal?);
            let sum = value[LETTERS..].parse();
            if sum != Ok(checksum(number, copies, &value[..LETTERS])) {
                let expected = "the checksum of the board as its last three digits";
                board.doubt(line, Problem::expected("Board", &value, expected));
            }
            Ok(board)
        })
    }
}

fn checksum(number: u32, copies: u32, letters: &str) -> u32 {
    let codes = letters.bytes().map(u32::from);
    codes.fold(number ^ copies, |sum, code| sum ^ code)
}

/// The deal of a value.
fn deal(value: &str) -> Result<Deal, Problem> {
    let bad = || Problem::expected("Board", value, "26 letters from a to p and three digits");
    let (letters, digits) = value.split_at_checked(LETTERS).ok_or_else(bad)?;
    if value.len() != WHOLE || !is_number(digits) {
        return Err(bad());
    }
    let mut hands = [Hand::EMPTY; 4];
    let mut pack = Card::pack();
    for letter in letters.bytes() {
        let both = letter.checked_sub(b'a').filter(|&both| both < 16);
        let both = usize::from(both.ok_or_else(bad)?);
        for (seat, card) in [both / 4, both % 4].into_iter().zip(pack.by_ref()) {
            hands[seat].insert(card);
        }
    }
    if hands.iter().any(|hand| hand.len() != 13) {
        return Err(Problem::expected("Board", value, "13 cards in each hand"));
    }
    Deal::new(hands).map_err(Problem::Deal)
}

/// The text of a DLM file with these boards. A board with a number above 99 does not fit into one,
/// nor does a deal without 52 cards: both are left out.
pub fn write(boards: &BTreeMap<u32, Deal>) -> String {
    let fits = |(number, deal): &(&u32, &Deal)| {
        (1..=MOST).contains(*number) && deal.cards_per_hand() == Some(13)
    };
    let boards: BTreeMap<u32, &Deal> = boards
        .iter()
        .filter(fits)
        .map(|(&n, deal)| (n, deal))
        .collect();
    let from = boards.first_key_value().map_or(1, |(&number, _)| number);
    let to = boards.last_key_value().map_or(1, |(&number, _)| number);
    let mut text = format!(
        "[Document]\r\nHeadline=\r\nStatus=Show\r\nDuplicates=0\r\nFrom board={from}\r\nTo board={to}\r\n\
         Next board to duplimate=0\r\nPrintOuts=0\r\nCrypto key=0\r\nChecksum={}\r\n",
        1 ^ from ^ to
    );
    for number in 1..=MOST {
        let letters = boards
            .get(&number)
            .map_or(FILLER.to_owned(), |deal| letters(deal));
        let sum = checksum(number, 0, &letters);
        text += &format!("Duplicates {number:02}=0\r\nBoard {number:02}={letters}{sum:03}\r\n");
    }
    text
}

/// One letter for every two cards.
fn letters(deal: &Deal) -> String {
    let seats = Card::pack().filter_map(|card| deal.owner(card));
    let seats: Vec<usize> = seats.map(Seat::index).collect();
    let pairs = seats
        .chunks(2)
        .map(|pair| char::from(b'a' + (4 * pair[0] + pair[1]) as u8));
    pairs.collect()
}
