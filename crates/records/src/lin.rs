//! LIN, the format of Bridge Base Online.
//!
//! A file is a sequence of fields, `name|value|`, where a name has two
//! letters. The fields read here are `md` (dealer and hands), `sv`
//! (vulnerability), `mb` (a call), `pc` (a card), `mc` (the declarer's tricks in
//! a claim), `ah` and `qx` (the board), `pn` (players), and the `vg` and `rs` of
//! a vugraph file (its boards and their results). Others are passed over.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use setrograde_cards::{Card, Contract, Doubling, Hand, Seat, Suit, Vulnerability};

use crate::auction::{self, AuctionEnd, Call};
use crate::board::{PlayEnd, Room, check_hands, complete};
use crate::error::{AtLine, Problem, RecordError, quote};
use crate::text::{BOM, decode};
use crate::{Board, Options};

/// The greatest length of a name or value, in bytes.
const FIELD_LIMIT: usize = 1 << 16;

/// The greatest number of calls, and of cards, that a board may have: more
/// than the longest auction has.
const PLAYS_LIMIT: usize = 400;

/// The order in which players and hands are written.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// The boards of a LIN file.
#[derive(Debug)]
pub(crate) struct LinBoards<R> {
    reader: R,
    file: Arc<str>,
    options: Options,
    line: u64,
    /// The board being read.
    draft: Draft,
    vugraph: Vugraph,
    finished: bool,
}

/// A field and the line of its value.
struct Field {
    line: u64,
    name: String,
    value: String,
}

/// A board of which some fields have been read.
#[derive(Debug, Default)]
struct Draft {
    board: Board,
    /// Whether the fields read so far make a board: a number or hands.
    begun: bool,
    /// Whether hands have been read.
    has_deal: bool,
    calls: Vec<Call>,
    /// The calls as written, if one of them cannot be understood.
    unread_calls: Option<Vec<String>>,
    error: Option<AtLine>,
    players: Vec<String>,
}

impl Draft {
    fn fail(&mut self, line: u64, problem: Problem) {
        self.error.get_or_insert(AtLine { line, problem });
    }
}

/// What a vugraph file says of all its boards.
#[derive(Debug, Default)]
struct Vugraph {
    first_board: Option<u32>,
    /// A result for each board and room, the open room first.
    results: Vec<String>,
    players: Vec<String>,
}

impl<R: BufRead> LinBoards<R> {
    pub fn new(reader: R, file: Arc<str>, options: Options) -> LinBoards<R> {
        LinBoards {
            reader,
            file,
            options,
            line: 1,
            draft: Draft::default(),
            vugraph: Vugraph::default(),
            finished: false,
        }
    }

    /// The text up to the next bar; `None` at the end of the file.
    fn text(&mut self) -> io::Result<Option<Result<String, Problem>>> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        loop {
            let limit = FIELD_LIMIT as u64;
            let mut part = Vec::new();
            let read = (&mut self.reader).take(limit).read_until(b'|', &mut part)?;
            self.line += part.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let ends = part.ends_with(b"|") || read < FIELD_LIMIT;
            too_long |= bytes.len() + part.len() > FIELD_LIMIT;
            if too_long {
                bytes.clear();
            } else {
                bytes.append(&mut part);
            }
            if read == 0 && bytes.is_empty() && !too_long {
                return Ok(None);
            }
            if ends {
                break;
            }
        }
        if too_long {
            return Ok(Some(Err(Problem::TooLong {
                what: "a field",
                limit: FIELD_LIMIT,
            })));
        }
        let bytes = bytes.strip_suffix(b"|").unwrap_or(&bytes);
        let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let text = decode(bytes).replace(['\r', '\n'], "");
        Ok(Some(Ok(text.trim().to_owned())))
    }

    /// The next field with a sound name; problems go to the draft.
    fn field(&mut self) -> io::Result<Option<Field>> {
        loop {
            let name = match self.text()? {
                None => return Ok(None),
                Some(Ok(name)) => name,
                Some(Err(problem)) => {
                    self.draft.fail(self.line, problem);
                    continue;
                }
            };
            let sound = name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !sound {
                // A bar is missing or one too many: go on with what follows.
                if !name.is_empty() {
                    let found = quote(&name);
                    self.draft.fail(self.line, Problem::FieldName { found });
                }
                continue;
            }
            let line = self.line;
            match self.text()? {
                None => return Ok(None),
                Some(Ok(value)) => return Ok(Some(Field { line, name, value })),
                Some(Err(problem)) => self.draft.fail(line, problem),
            }
        }
    }

    /// Takes a field in; returns the board that ends before it.
    fn take(&mut self, field: Field) -> Option<Result<Board, RecordError>> {
        let Field { line, name, value } = field;
        let name = name.to_ascii_lowercase();
        let begins = match name.as_str() {
            "qx" | "vg" | "rs" => self.draft.begun,
            "md" | "pn" => self.draft.has_deal,
            _ => false,
        };
        let before = if begins { self.finish() } else { None };
        let draft = &mut self.draft;
        if !draft.begun {
            draft.board.line = line;
        }
        match name.as_str() {
            "pn" => {
                draft.players = names(&value);
                self.vugraph.players.clone_from(&draft.players);
            }
            "vg" => {
                self.vugraph = Vugraph {
                    first_board: value.split(',').nth(3).and_then(|n| n.trim().parse().ok()),
                    ..Vugraph::default()
                };
            }
            "rs" => self.vugraph.results = value.split(',').map(str::to_owned).collect(),
            "qx" => {
                draft.begun = true;
                (draft.board.room, draft.board.number) = room_and_number(&value);
            }
            "ah" => {
                let digits = value.rsplit(|c: char| !c.is_ascii_digit()).next();
                draft.board.number = digits.and_then(|n| n.parse().ok());
            }
            "md" => {
                draft.begun = true;
                draft.has_deal = true;
                if let Err(problem) = read_deal(&value, &mut draft.board) {
                    draft.fail(line, problem);
                }
            }
            "sv" => match vulnerability(&value) {
                Ok(vulnerability) => draft.board.vulnerability = vulnerability,
                Err(problem) => draft.fail(line, problem),
            },
            "mb" => take_calls(draft, &value),
            "pc" => {
                if let Err(problem) = take_cards(&mut draft.board, &value) {
                    draft.fail(line, problem);
                }
            }
            "mc" => match value.parse() {
                Ok(tricks @ 0..=13) => {
                    draft.board.claim = Some(tricks);
                    draft.board.play_end = PlayEnd::Stopped;
                }
                _ => draft.fail(line, Problem::expected("mc", &value, "0 to 13 tricks")),
            },
            _ => {}
        }
        before
    }

    /// Ends the board being read, if there is one.
    fn finish(&mut self) -> Option<Result<Board, RecordError>> {
        let draft = std::mem::take(&mut self.draft);
        if !draft.begun {
            return draft
                .error
                .map(|error| Err(error.in_file(&self.file, None)));
        }
        let number = draft.board.number;
        if let Some(error) = draft.error {
            return Some(Err(error.in_file(&self.file, number)));
        }
        // The players of a vugraph file stand before its first board.
        let players = if draft.players.is_empty() && self.vugraph.first_board.is_some() {
            &self.vugraph.players
        } else {
            &draft.players
        };
        let mut board = draft.board;
        if self.options.keep_names {
            let closed = board.room == Some(Room::Closed) && players.len() == 8;
            let four = players.iter().skip(if closed { 4 } else { 0 });
            let mut by_seat: [String; 4] = Default::default();
            for (seat, name) in SEATS.into_iter().zip(four) {
                by_seat[seat.index()].clone_from(name);
            }
            board.players = Some(by_seat);
        }
        board.auction = match draft.unread_calls {
            Some(words) => Some(words.join(" ")),
            None if draft.calls.is_empty() => None,
            None => Some(auction::text(&draft.calls)),
        };
        if let Some(dealer) = board.dealer {
            let over = !board.play.is_empty() || board.claim.is_some();
            match auction::end(dealer, &draft.calls, over) {
                AuctionEnd::Open => {}
                AuctionEnd::PassedOut => board.passed_out = true,
                AuctionEnd::Contract(contract) => board.set_contract(contract),
            }
        }
        board.result = board.claim;
        if board.result.is_none() && board.play.len() == 52 {
            board.result = board.tricks_played();
        }
        self.vugraph.add_result(&mut board);
        Some(Ok(board))
    }
}

impl<R: BufRead> Iterator for LinBoards<R> {
    type Item = Result<Board, RecordError>;

    fn next(&mut self) -> Option<Result<Board, RecordError>> {
        while !self.finished {
            match self.field() {
                Ok(Some(field)) => {
                    if let Some(board) = self.take(field) {
                        return Some(board);
                    }
                }
                Ok(None) => {
                    self.finished = true;
                    return self.finish();
                }
                Err(error) => {
                    self.finished = true;
                    let problem = Problem::Io(error.to_string());
                    let line = self.line;
                    return Some(Err(AtLine { line, problem }.in_file(&self.file, None)));
                }
            }
        }
        None
    }
}

impl Vugraph {
    /// The contract and result of a board as the file lists them, where the
    /// board itself does not tell.
    fn add_result(&self, board: &mut Board) {
        let (Some(first), Some(number), Some(room)) = (self.first_board, board.number, board.room)
        else {
            return;
        };
        let Some(place) = number.checked_sub(first) else {
            return;
        };
        let place = 2 * u64::from(place) + u64::from(room == Room::Closed);
        let listed = usize::try_from(place)
            .ok()
            .and_then(|place| self.results.get(place))
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
    let text = text.trim();
    if text.eq_ignore_ascii_case("PASS") {
        return Some((None, None));
    }
    let (bid, rest) = text.split_at_checked(2)?;
    let (declarer, rest) = rest.split_at_checked(1)?;
    let crosses = rest.len() - rest.trim_start_matches(['x', 'X']).len();
    let doubling = *Doubling::ALL.get(crosses)?;
    let contract = Contract::new(bid.parse().ok()?, doubling, declarer.parse().ok()?);
    let over: i8 = match &rest[crosses..] {
        "=" => 0,
        over => over.parse().ok()?,
    };
    let tricks = i8::try_from(contract.bid.tricks())
        .ok()?
        .checked_add(over)?;
    let tricks = u8::try_from(tricks).ok().filter(|&tricks| tricks <= 13)?;
    Some((Some(contract), Some(tricks)))
}

fn names(value: &str) -> Vec<String> {
    let names = value.split(',').map(|name| name.trim().to_owned());
    names.take(8).collect()
}

/// `o5` is board 5 in the open room, `c5` in the closed.
fn room_and_number(value: &str) -> (Option<Room>, Option<u32>) {
    let room = match value.chars().next() {
        Some('o' | 'O') => Some(Room::Open),
        Some('c' | 'C') => Some(Room::Closed),
        _ => None,
    };
    let number: String = value
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    (room, number.parse().ok())
}

fn vulnerability(value: &str) -> Result<Option<Vulnerability>, Problem> {
    match value.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "o" | "0" | "-" => Ok(Some(Vulnerability::None)),
        "n" => Ok(Some(Vulnerability::NorthSouth)),
        "e" => Ok(Some(Vulnerability::EastWest)),
        "b" => Ok(Some(Vulnerability::Both)),
        _ => Err(Problem::expected("sv", value, "one of o n e b")),
    }
}

/// `3S…H…D…C…,…,…,…`: the dealer (1 South, 2 West, 3 North, 4 East) and the
/// hands of South, West, North and East. The last is often left out.
fn read_deal(value: &str, board: &mut Board) -> Result<(), Problem> {
    let mut chars = value.chars();
    board.dealer = match chars.next() {
        None => return Ok(()),
        Some('0') => None,
        Some(digit @ '1'..='4') => Some(SEATS[(digit as usize - '1' as usize) % 4]),
        Some(_) => {
            return Err(Problem::expected(
                "md",
                value,
                "a dealer, 1 to 4, and hands",
            ));
        }
    };
    let hands = chars.as_str();
    let mut known: [Option<Hand>; 4] = [None; 4];
    for (place, text) in hands.split(',').enumerate() {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let Some(seat) = SEATS.get(place) else {
            return Err(Problem::expected("md", value, "at most four hands"));
        };
        known[seat.index()] = Some(read_hand(text)?);
    }
    complete(&mut known);
    check_hands(&known).map_err(Problem::Deal)?;
    board.hands = known;
    Ok(())
}

/// `SAK2HQ…`: the suits in any order, each with its letter before its ranks.
fn read_hand(text: &str) -> Result<Hand, Problem> {
    let bad = || Problem::expected("md", text, "suit letters and ranks, as SAK2HQ");
    let mut hand = Hand::EMPTY;
    let mut suit = None;
    let mut chars = text.chars().peekable();
    while let Some(letter) = chars.next() {
        if let Some(found) = Suit::from_letter(letter) {
            suit = Some(found);
            continue;
        }
        let rank = if letter == '1' && chars.next_if_eq(&'0').is_some() {
            'T'
        } else {
            letter
        };
        let rank = setrograde_cards::Rank::from_letter(rank).ok_or_else(bad)?;
        if !hand.insert(Card::new(suit.ok_or_else(bad)?, rank)) {
            return Err(bad());
        }
    }
    Ok(hand)
}

/// A call, or several passes in one field.
fn take_calls(draft: &mut Draft, value: &str) {
    if draft.calls.len() >= PLAYS_LIMIT {
        return;
    }
    let passes = value.trim_end_matches('!');
    let calls = if passes.len() > 1 && passes.len() <= 4 && passes.bytes().all(|b| b == b'p') {
        vec![Some(Call::Pass); passes.len()]
    } else {
        vec![Call::read(value)]
    };
    for call in calls {
        match (call, &mut draft.unread_calls) {
            (Some(call), None) => draft.calls.push(call),
            (_, Some(words)) if words.len() < PLAYS_LIMIT => words.push(quote(value)),
            (_, Some(_)) => {}
            (None, unread @ None) => {
                let mut words: Vec<String> = draft.calls.drain(..).map(|c| c.to_string()).collect();
                words.push(quote(value));
                *unread = Some(words);
            }
        }
    }
}

/// One card or several, as `SA` or `C2CAC3C4`.
fn take_cards(board: &mut Board, value: &str) -> Result<(), Problem> {
    let value = value.replace("10", "T");
    let letters: Vec<char> = value.chars().filter(|c| !c.is_whitespace()).collect();
    for pair in letters.chunks(2) {
        let text: String = pair.iter().collect();
        let card = text.parse();
        let card: Card = card.map_err(|error| Problem::text("pc", &value, error))?;
        if board.play.len() >= PLAYS_LIMIT {
            return Err(Problem::expected("pc", &value, "no more than 52 cards"));
        }
        board.play.push(card);
    }
    Ok(())
}
