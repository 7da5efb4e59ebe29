//! Files of dealing machines with the numbers of cards: Duplimate's DUP, and BRI.
//!
//! A deal begins with 78 digits, two for each card of North, East and South (01 the ace of spades,
//! 52 the deuce of clubs). In BRI 50 bytes of spaces and zeros follow; in DUP 68 bytes with the
//! same in signs, `Y` or `N` for drawn hands and for counting down, and the lowest board, the
//! copies and the highest board in 3, 2 and 3. Old files have only the digits, one deal per line.

use std::io::{self, BufRead, Read};

use setrograde_cards::{Card, Deal, Hand, Rank, Seat, Suit};

use crate::Board;
use crate::board::complete;
use crate::error::Problem;
use crate::lines::{BoardResult, Lines, ReadBoards, number};
use crate::text::decode_line;

/// The length of the numbers of the cards, of a deal in BRI, and of one in DUP.
const DIGITS: usize = 78;
const BRI: usize = 128;
const DUP: usize = 156;

/// Returns true if a file with this beginning is a DUP file.
pub(crate) fn is_dup(line: &str) -> bool {
    let digits = line.as_bytes().get(..DIGITS);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_digit))
}

/// The bytes after the deal that was read last.
#[derive(Debug, Default)]
pub(crate) struct DupBoards {
    ahead: Vec<u8>,
}

impl<R: BufRead> ReadBoards<R> for DupBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        let mut bytes = std::mem::take(&mut self.ahead);
        let missing = (DUP - bytes.len()) as u64;
        (&mut lines.stream).take(missing).read_to_end(&mut bytes)?;
        // Line breaks between deals, and the sign that ends a file of text.
        let first = bytes.iter().take_while(|&&byte| byte < b' ').count();
        if first == bytes.len() {
            return Ok(None);
        }
        if first > 0 {
            self.ahead = bytes.split_off(first);
            return self.read(lines);
        }
        let length = length(&bytes).min(bytes.len());
        self.ahead = bytes.split_off(length);
        let before = lines.count;
        let line = u64::from(lines.count());
        lines.number = line;
        Ok(Some(board(&bytes, before, line)))
    }
}

/// The board of a deal with so many deals before it.
fn board(bytes: &[u8], before: u32, line: u64) -> BoardResult {
    let text = decode_line(bytes);
    let end = text.get(DIGITS + 68..).unwrap_or_default();
    let field = |from: usize, to: usize| end.get(from..to).and_then(|n| number(n.trim()));
    let number = match end.get(1..2) {
        Some("Y") => field(7, 10).and_then(|highest: u32| highest.checked_sub(before)),
        Some("N") => field(2, 5).and_then(|lowest: u32| lowest.checked_add(before)),
        _ => None,
    };
    let number = number
        .filter(|&number| number > 0)
        .unwrap_or(before.saturating_add(1));
    let mut board = Board::numbered(number, line);
    let Some(hands) = hands(bytes) else {
        let cards = text.get(..DIGITS).unwrap_or(&text);
        let problem = Problem::expected("deal", cards, "39 numbers of cards, 01 to 52");
        return Err(problem.at(line).of_board(number));
    };
    let behind = bytes.get(DIGITS..).unwrap_or_default();
    let found = text.get(DIGITS..).unwrap_or_default().trim_end();
    let differs = Problem::expected("deal", found, "the cards of the numbers before it");
    match signs(bytes) {
        Some(signs) if signs != hands => return Err(differs.at(line).of_board(number)),
        None if behind.iter().any(u8::is_ascii_uppercase) => {
            board.doubt(line, differs);
        }
        _ => {}
    }
    let range = [field(2, 5), field(7, 10)];
    let is_sound = match range {
        [Some(lowest), Some(highest)] => (lowest..=highest).contains(&number),
        [None, None] => true,
        _ => false,
    };
    if !is_sound {
        let problem = Problem::expected("boards", end, "the lowest and the highest board");
        board.doubt(line, problem);
    }
    board.hands = hands;
    Ok(board)
}

/// The length of the deal that begins here, by what follows the digits.
fn length(bytes: &[u8]) -> usize {
    let line = bytes
        .iter()
        .position(|&byte| byte == b'\n' || byte == b'\r');
    match (line, bytes.get(BRI..)) {
        // The signs of suits are control characters, too.
        (Some(end), _) if end <= BRI => end,
        (_, Some(after))
            if after
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte < b' ') =>
        {
            BRI
        }
        _ => DUP,
    }
}

/// The hands by the numbers of their cards; `None` if these are not numbers, or not distinct.
fn hands(bytes: &[u8]) -> Option<[Option<Hand>; 4]> {
    let mut hands = [None; 4];
    // One digit more is a slip in one of them.
    if bytes.get(DIGITS).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let digits = std::str::from_utf8(bytes.get(..DIGITS)?).ok()?;
    let mut pack = Hand::PACK;
    for seat in [Seat::North, Seat::East, Seat::South] {
        let mut hand = Hand::EMPTY;
        for nth in 0..13 {
            let at = 26 * seat.index() + 2 * nth;
            let card: usize = number(digits.get(at..at + 2)?)?;
            let card = Card::pack().nth(card.checked_sub(1)?)?;
            pack.remove(card).then(|| hand.insert(card))?;
        }
        hands[seat.index()] = Some(hand);
    }
    complete(hands).ok()
}

/// The hands of a deal in DUP by the signs and ranks behind the numbers; `None` if they are none.
fn signs(bytes: &[u8]) -> Option<[Option<Hand>; 4]> {
    let (mut hands, mut seat, mut suit) = ([Hand::EMPTY; 4], 0, 3);
    for &byte in bytes.get(DIGITS..DIGITS + 68)? {
        if let Some(at) = [6, 3, 4, 5].iter().position(|&sign| sign == byte) {
            seat += usize::from(at == 0 && suit == 3 && hands != [Hand::EMPTY; 4]);
            suit = at;
        } else {
            let rank = Rank::from_letter(char::from(byte))?;
            hands
                .get_mut(seat)?
                .insert(Card::new(Suit::ALL[suit], rank));
        }
    }
    Some(hands.map(Some))
}

/// A DUP file with these deals, whose boards have the numbers from `first` on.
pub fn write_dup(first: u32, deals: &[Deal]) -> Vec<u8> {
    let last = (u64::from(first) + deals.len() as u64).saturating_sub(1);
    let mut bytes = Vec::with_capacity(DUP * deals.len());
    for deal in deals {
        bytes.extend(digits(deal).bytes());
        for hand in deal.hands() {
            for (suit, sign) in Suit::ALL.into_iter().zip([6, 3, 4, 5]) {
                bytes.push(sign);
                bytes.extend(hand.holding(suit).to_string().bytes());
            }
        }
        let (first, last) = (first.min(999), last.min(999));
        bytes.extend(format!("YN{first:<3}0 {last:<3}").bytes());
    }
    bytes
}

/// A BRI file with these deals. It has no numbers of boards.
pub fn write_bri(deals: &[Deal]) -> Vec<u8> {
    let record = |deal| [digits(deal).as_bytes(), &[b' '; 32], &[0; 18]].concat();
    deals.iter().flat_map(record).collect()
}

/// The numbers of the cards of North, East and South.
fn digits(deal: &Deal) -> String {
    let [north, east, south, _] = deal.hands();
    let of_hand = |hand: Hand| {
        let pack = (1..).zip(Card::pack());
        pack.filter(move |&(_, card)| hand.contains(card))
            .map(|(number, _)| format!("{number:02}"))
    };
    [*north, *east, *south]
        .into_iter()
        .flat_map(of_hand)
        .collect()
}
