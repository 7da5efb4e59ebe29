//! Richard Pavlicek's notation (RBN).
//!
//! A line has a letter, a space and a value; an empty line ends a record. The fields read here are
//! `B` (the board), `N` (players), `H` (hands), `A` (dealer, vulnerability and calls), `C`
//! (contract) and `R` (result). `B`, `N` and `H` are those of the record before unless they are
//! stated.

use std::io::{self, BufRead};

use setrograde_cards::{Call, Hand, PartialContract, Seat, Vulnerability};

use crate::auction::{self, AuctionEnd};
use crate::board::{Room, complete};
use crate::error::{Problem, RecordError, quote};
use crate::lines::{BoardResult, Lines, ReadBoards, is_number, number, tricks_in};
use crate::{Board, Doubt};

/// Returns true if a line is that of an RBN file: its first, or one with hands.
pub(crate) fn is_rbn(line: &str) -> bool {
    let first = line.strip_prefix('%').map(str::trim_start);
    let hands = line.strip_prefix("H ").map(str::trim_start);
    first.is_some_and(|text| text.starts_with("RBN"))
        || hands.is_some_and(|hands| {
            let seat = hands.get(..1).and_then(|seat| seat.parse::<Seat>().ok());
            seat.is_some() && hands[1..].starts_with([':', ';'])
        })
}

/// A file as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct RbnBoards {
    draft: PartialBoard,
    /// The number, the room, the hands and the players, for the next record.
    kept: Board,
}

/// A record being read.
#[derive(Debug, Default)]
struct PartialBoard {
    begun: bool,
    board: Board,
    calls: Vec<Call>,
    over: bool,
    error: Option<RecordError>,
}

impl<R: BufRead> ReadBoards<R> for RbnBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        let (mut in_text, mut text_line) = (false, 0);
        while let Some(line) = lines.next()? {
            let text = line.text.trim_ascii_start();
            if text.is_empty() {
                if in_text {
                    lines.pass_over(text_line);
                }
                in_text = false;
                if let Some(board) = self.finish(lines) {
                    return Ok(Some(board));
                }
                continue;
            }
            // A paragraph in braces may have several lines.
            if !in_text {
                text_line = line.number;
            }
            in_text |= text.starts_with('{');
            if in_text {
                in_text = !text.ends_with('}');
                continue;
            }
            let (label, value) = text.split_once(' ').unwrap_or((text, ""));
            if !self.take(line.number, label, value.trim()) {
                lines.pass_over(line.number);
            }
        }
        if in_text {
            lines.pass_over(text_line);
        }
        Ok(self.finish(lines))
    }
}

impl RbnBoards {
    /// Reads a line; returns false if it is no part of a board.
    fn take(&mut self, line: u64, label: &str, value: &str) -> bool {
        // A field in a field is a slip.
        let is_auction = |text: &str| text.find(':') == Some(2);
        if value
            .strip_prefix("B ")
            .is_some_and(|text| is_number(text.trim()))
            || value.strip_prefix("A ").is_some_and(is_auction)
            || value.starts_with("H ")
        {
            return false;
        }
        let draft = &mut self.draft;
        if matches!(label, "B" | "N" | "H" | "A" | "C" | "R") && !draft.begun {
            draft.begun = true;
            draft.board = self.kept.clone();
            draft.board.line = line;
        }
        let board = &mut draft.board;
        match label {
            "B" => {
                let expected = Problem::expected("B", value, "the number of the board");
                board.number = board.understood(line, number(value).ok_or(expected));
            }
            "N" => (board.players, board.room) = names(value),
            "H" => match hands(value) {
                Ok(hands) => board.hands = hands,
                Err(problem) => draft.error = Some(problem.at(line)),
            },
            "A" => draft.take_auction(line, value),
            "C" if value.parse() == Ok(Call::Pass) => board.passed_out = true,
            "C" => {
                let (contract, rest) = value.split_once(':').unwrap_or((value, ""));
                let declarer = rest.split(':').next().unwrap_or_default().parse();
                let read = auction::with_result(contract)
                    .0
                    .parse::<PartialContract>()
                    .map_err(|error| Problem::text("C", value, error));
                if let Some(contract) = board.understood(line, read) {
                    board.set_bid(contract, contract.declarer.or(declarer.ok()));
                }
            }
            "R" => {
                let tricks = value.split(':').next().unwrap_or_default();
                board.result = tricks_in(tricks);
            }
            _ => {
                let is_field = label.len() == 1
                    && label.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
                return is_field || label.starts_with('%');
            }
        }
        true
    }

    /// Ends the record, if it has a board.
    fn finish<R>(&mut self, lines: &Lines<R>) -> Option<BoardResult> {
        let draft = std::mem::take(&mut self.draft);
        if !draft.begun {
            return None;
        }
        let mut board = draft.board;
        if let Some(error) = draft.error {
            return Some(Err(error.of_board(board.number)));
        }
        self.kept = Board {
            number: board.number,
            room: board.room,
            hands: board.hands,
            players: board.players.clone(),
            ..Board::default()
        };
        board.players = lines
            .options
            .keep_names
            .then(|| board.players.unwrap_or_default());
        if let Some(dealer) = board.dealer {
            match auction::end(dealer, &draft.calls, draft.over) {
                AuctionEnd::PassedOut => board.passed_out = true,
                AuctionEnd::Contract(contract) if board.contract.is_none() => {
                    board.set_contract(contract);
                }
                _ => {}
            }
        }
        if !draft.calls.is_empty() {
            board.auction = Some(auction::text(&draft.calls));
        }
        Some(Ok(board))
    }
}

impl PartialBoard {
    /// Dealer, vulnerability and calls, such as `NZ:1SP4SA`; `A` is all pass.
    fn take_auction(&mut self, line: u64, value: &str) {
        let (head, calls) = value.split_once(':').unwrap_or((value, ""));
        let (mut head, is_long) = (head.chars(), head.trim_end().chars().count() > 2);
        let dealer = head.next().unwrap_or('?').to_string();
        self.board.dealer = dealer.parse().ok();
        self.board.vulnerability = match head.next() {
            Some('Z' | 'z') => Some(Vulnerability::None),
            Some('N' | 'n') => Some(Vulnerability::NorthSouth),
            Some('E' | 'e') => Some(Vulnerability::EastWest),
            Some('B' | 'b') => Some(Vulnerability::Both),
            _ => None,
        };
        let lacks = self.board.vulnerability.is_none() && !value.contains('?');
        if self.board.dealer.is_none() || lacks || is_long {
            let problem = Problem::expected("A", value, "a dealer and one of Z N E B");
            self.board.doubt(line, problem);
        }
        // The number behind a caret is that of a note.
        let mut letters = calls.chars();
        let mut plain = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                '^' => drop(letters.next()),
                ':' => plain.push(' '),
                'A' | 'a' => plain.push_str(" AP"),
                'Y' | 'y' => {}
                _ => plain.push(letter),
            }
        }
        if let Err(word) = auction::add(&plain, &mut self.calls, &mut self.over) {
            self.board.doubt(line, Doubt::Call(quote(&word)));
            self.calls.clear();
        }
    }
}

/// `North+South:West+East`, and perhaps `O` or `C` for the room.
fn names(value: &str) -> (Option<[String; 4]>, Option<Room>) {
    let mut parts = value.split(':');
    let mut players: [String; 4] = Default::default();
    for [first, second] in [[Seat::North, Seat::South], [Seat::West, Seat::East]] {
        let pair = parts.next().unwrap_or_default();
        let (one, two) = pair.split_once('+').unwrap_or((pair, ""));
        players[first] = one.trim().to_owned();
        players[second] = two.trim().to_owned();
    }
    let room = match parts.next().map(str::trim) {
        Some("O" | "o") => Some(Room::Open),
        Some("C" | "c") => Some(Room::Closed),
        _ => None,
    };
    (Some(players), room)
}

/// The first seat, and hands from it on, each after a colon or a semicolon.
fn hands(value: &str) -> Result<[Option<Hand>; 4], Problem> {
    let form = "a seat and hands, as W:AK.Q.J.T:…";
    let bad = || Problem::expected("H", value, form);
    let (seat, hands) = value.split_at_checked(1).ok_or_else(bad)?;
    let first: Seat = seat.parse().map_err(|_| bad())?;
    let mut known = [None; 4];
    for (nth, text) in hands.split([':', ';']).skip(1).enumerate() {
        if nth == 4 {
            return Err(bad());
        }
        let text = text.trim();
        if !text.is_empty() {
            // Suits without cards may be left out at the end.
            let dots = 3_usize.saturating_sub(text.matches('.').count());
            let hand = format!("{text}{}", ".".repeat(dots))
                .parse::<Hand>()
                .map_err(|error| Problem::text("H", text, error))?;
            known[first.plus(nth)] = Some(hand);
        }
    }
    complete(known)
}
