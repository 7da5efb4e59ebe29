//! Richard Pavlicek's notation (RBN).
//!
//! A line has a letter, a space and a value; an empty line ends a record. The fields read here are
//! `B` (the board), `N` (players), `H` (hands), `A` (dealer, vulnerability and calls), `C`
//! (contract) and `R` (result). `B`, `N` and `H` are those of the record before unless they are
//! stated.

use std::io::{self, BufRead};
use std::sync::Arc;

use setrograde_cards::{Call, Hand, PartialContract, Seat, Vulnerability};

use crate::auction::{self, AuctionEnd, Part};
use crate::board::{Room, check_hands, complete};
use crate::error::{AtLine, Problem, RecordError, quote};
use crate::lines::{TextLines, number};
use crate::text::{BOM, decode_line};
use crate::{Board, Doubt, Options};

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

/// The boards of a file.
#[derive(Debug)]
pub(crate) struct RbnBoards<R> {
    pub lines: TextLines<R>,
    file: Arc<str>,
    options: Options,
    draft: PartialBoard,
    /// The number, the room, the hands and the players, for the next record.
    kept: Board,
    /// The first line with text that is no part of a board.
    pub text_between: Option<u64>,
}

/// A record being read.
#[derive(Debug, Default)]
struct PartialBoard {
    begun: bool,
    board: Board,
    calls: Vec<Call>,
    over: bool,
    error: Option<AtLine>,
}

impl<R: BufRead> RbnBoards<R> {
    pub(crate) fn new(reader: R, file: Arc<str>, options: Options) -> RbnBoards<R> {
        RbnBoards {
            lines: TextLines::new(reader),
            file,
            options,
            draft: PartialBoard::default(),
            kept: Board::default(),
            text_between: None,
        }
    }

    /// The next board.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        let mut in_text = false;
        while let Some(line) = self.lines.next()? {
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii());
            if text.is_empty() {
                in_text = false;
                if let Some(board) = self.finish() {
                    return Ok(Some(board));
                }
                continue;
            }
            // A paragraph in braces may have several lines.
            in_text |= text.starts_with('{');
            if in_text || !line.starts {
                in_text &= !text.ends_with('}');
                continue;
            }
            let (label, value) = text.split_once(' ').unwrap_or((&text, ""));
            self.take(line.number, label, value.trim());
        }
        Ok(self.finish())
    }

    fn take(&mut self, line: u64, label: &str, value: &str) {
        let draft = &mut self.draft;
        if matches!(label, "B" | "N" | "H" | "A" | "C" | "R") && !draft.begun {
            draft.begun = true;
            draft.board = self.kept.clone();
            draft.board.line = line;
        }
        let board = &mut draft.board;
        match label {
            "B" => board.number = number(value),
            "N" => (board.players, board.room) = names(value, self.options),
            "H" => match hands(value) {
                Ok(hands) => board.hands = hands,
                Err(problem) => draft.error = Some(AtLine { line, problem }),
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
                    board.strain = Some(contract.bid.strain());
                    if let Some(declarer) = contract.declarer.or(declarer.ok()) {
                        board.set_contract(contract.or_by(declarer));
                    }
                }
            }
            "R" => {
                let tricks = value.split(':').next().unwrap_or_default();
                board.result = number(tricks).filter(|&tricks: &u8| tricks <= 13);
            }
            _ if label.len() == 1 && label.starts_with(char::is_alphanumeric)
                || label.starts_with('%') => {}
            _ => drop(self.text_between.get_or_insert(line)),
        }
    }

    /// Ends the record, if it has a board.
    fn finish(&mut self) -> Option<Result<Board, RecordError>> {
        let draft = std::mem::take(&mut self.draft);
        if !draft.begun {
            return None;
        }
        let mut board = draft.board;
        if let Some(error) = draft.error {
            return Some(Err(error.in_file(&self.file, board.number)));
        }
        self.kept = Board {
            number: board.number,
            room: board.room,
            hands: board.hands,
            players: board.players.clone(),
            ..Board::default()
        };
        if self.options.keep_names {
            board.players.get_or_insert_default();
        }
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
        let mut head = head.chars();
        let dealer = head.next().unwrap_or('?').to_string();
        self.board.dealer = dealer.parse().ok();
        self.board.vulnerability = match head.next() {
            Some('Z' | 'z') => Some(Vulnerability::None),
            Some('N' | 'n') => Some(Vulnerability::NorthSouth),
            Some('E' | 'e') => Some(Vulnerability::EastWest),
            Some('B' | 'b') => Some(Vulnerability::Both),
            _ => None,
        };
        if self.board.dealer.is_none() || self.board.vulnerability.is_none() && !value.contains('?')
        {
            let problem = Problem::expected("A", value, "a dealer and one of Z N E B");
            self.board.doubt(line, Doubt::Value(problem));
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
        for part in auction::parts(&plain) {
            match part {
                Part::Call(call) => self.calls.push(call),
                Part::AllPass => {
                    self.over = true;
                    auction::all_pass(&mut self.calls);
                }
                Part::Alert(_) => {}
                Part::Unread(word) => {
                    self.board.doubt(line, Doubt::Call(quote(&word)));
                    self.calls.clear();
                    return;
                }
            }
        }
    }
}

/// `North+South:West+East`, and perhaps `O` or `C` for the room.
fn names(value: &str, options: Options) -> (Option<[String; 4]>, Option<Room>) {
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
    (options.keep_names.then_some(players), room)
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
            known[first.plus(nth).index()] = Some(hand);
        }
    }
    complete(&mut known);
    check_hands(&known).map_err(Problem::Deal)?;
    Ok(known)
}
