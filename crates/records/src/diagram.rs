//! Deals as people type and print them: hands after the names of their seats, one on a line or
//! under each other, and the diagrams of newspapers and forums.
//!
//! A hand is on one line, or has a line for each suit; then two hands, West's and East's, may be
//! beside each other. The name of a seat begins a line or is above the hand. Hands without names
//! come in the order North, East, South, West; suits without names in the order of their rank.
//! Three hands of 13 cards give the fourth. Lines that are none of this are text.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use setrograde_cards::{Hand, Holding, Seat, Suit};

use crate::board::{Board, Doubt, Note, check_hands, complete};
use crate::error::{AtLine, Problem, RecordError};
use crate::facts::{BoardFacts, are_facts, is_name_of_fact};
use crate::languages::{Language, seat, with_suit_signs};
use crate::lines::{LINE_LIMIT, TextLine, TextLines};
use crate::lists::{is_question, is_symbol, notation, plain};
use crate::rows::{
    SuitRow, bare_hand, columns, header, named_hands, plain_signs, rows, with_columns, with_font,
};
use crate::text::{BOM, decode_line};

/// The bytes that decide the language of the cards.
const LOOK_AHEAD: usize = 1 << 16;

/// Returns true if a line can only be a part of a diagram: a hand, or hands after their seats.
pub(crate) fn is_part(line: &str) -> bool {
    let line = &*with_suit_signs(line);
    let reads = |language: &Language| {
        let english = language.in_english(line);
        is_english_part(&english) || is_question(&english) && !is_question(line)
    };
    is_english_part(line) || Language::of_line(line).iter().any(reads)
}

fn is_english_part(line: &str) -> bool {
    let Some(line) = plain_signs(line) else {
        return false;
    };
    let mut hands = named_hands(&line)
        .into_iter()
        .map(|(_, hand)| hand)
        .chain(bare_hand(&line));
    let is_sure = match hands.next() {
        Some((_, hand)) => hand.is_ok_and(|hand| hand.len() == 13) || hands.next().is_some(),
        None => false,
    };
    is_sure && !notation(&line).is_ok_and(|board| is_whole(&board))
}

/// Returns true if a line has facts about a board.
pub(crate) fn has_facts(line: &str) -> bool {
    !facts_in(line).is_empty()
}

/// The facts about a board in a line, beside other text.
fn facts_in(line: &str) -> Vec<BoardFacts> {
    let apart = line
        .replace([',', ';', '|', '\t'], "  ")
        .replace(['–', '—'], "-");
    let apart = apart.replace(" - ", "  ").replace(" / ", "  ");
    if let Some(facts) = BoardFacts::of(&apart) {
        return vec![facts];
    }
    let parts = apart
        .split("  ")
        .filter_map(|part| part.split(is_symbol).next());
    let facts = |part| match BoardFacts::of(part) {
        Some(facts) => vec![facts],
        None => part.split(". ").filter_map(BoardFacts::of).collect(),
    };
    parts.flat_map(facts).collect()
}

/// Returns true if a board has hands of equal length.
fn is_whole(board: &Board) -> bool {
    board
        .deal()
        .is_some_and(|deal| deal.cards_per_hand().is_some())
}

/// Returns true if a line may be a part of a diagram: a hand, a suit with its symbol, two suits, the
/// name of a seat, or facts.
pub(crate) fn may_be_part(line: &str) -> bool {
    let line = &*with_suit_signs(line);
    let reads = |language: &Language| may_be_english_part(&language.in_english(line));
    may_be_english_part(line) || Language::of_line(line).iter().any(reads)
}

fn may_be_english_part(line: &str) -> bool {
    let Some(line) = plain_signs(line) else {
        return false;
    };
    let suits = || match rows(&line) {
        Some(Ok(rows)) => rows.len() >= 2 || line.contains(is_symbol),
        _ => false,
    };
    let is_name = || header(&line).is_some() || columns(&line).is_some() || has_facts(&line);
    is_name() || suits() || !named_hands(&line).is_empty() || bare_hand(&line).is_some()
}

/// A hand, perhaps without some of its suits.
type SuitsRead = [Option<Holding>; 4];

/// A board as far as it was read.
#[derive(Clone, Debug, Default)]
struct DiagramDraft {
    board: Board,
    suits: [SuitsRead; 4],
    /// The seats of the suits that follow.
    below: Vec<Seat>,
    /// True if the line before named them.
    is_named: bool,
    /// The letters of a compass that were read.
    compass: String,
    /// The name of a fact whose value is on the next line.
    fact: String,
    /// True after an error, which is the answer for this board.
    failed: bool,
}

impl DiagramDraft {
    fn has(&self, seat: Seat) -> bool {
        self.suits[seat].iter().any(Option::is_some)
    }

    fn is_complete(&self, seat: Seat) -> bool {
        self.suits[seat].iter().all(Option::is_some)
    }

    fn is_empty(&self) -> bool {
        Seat::ALL.iter().all(|&seat| !self.has(seat))
    }

    /// Returns true if two hands without names are there, and a compass may follow.
    fn is_around(&self) -> bool {
        let whole = [Seat::North, Seat::South]
            .iter()
            .all(|&seat| self.is_complete(seat));
        whole && self.below.is_empty() && !self.has(Seat::West) && !self.has(Seat::East)
    }

    fn is_finished(&self) -> bool {
        Seat::ALL.iter().all(|&seat| self.is_complete(seat))
    }

    fn set(&mut self, seat: Seat, hand: Hand) {
        self.suits[seat] = hand.holdings().map(Some);
        if self.below.len() < 4 {
            self.below.clear();
        }
    }

    /// The seats of a row with the suits of this many hands.
    fn seats_of(&self, count: usize, suit: Option<Suit>) -> Option<Vec<Seat>> {
        let open = |&seat: &Seat| match suit {
            Some(suit) => self.suits[seat][suit.index()].is_none(),
            None => !self.is_complete(seat),
        };
        let next = |seats: &[Seat]| seats.iter().copied().find(open).map(|seat| vec![seat]);
        // Four names head columns.
        let is_below = self.below.len() < 4 && self.below.iter().any(open);
        match count {
            _ if self.below.len() == count && self.below.iter().any(open) => {
                Some(self.below.clone())
            }
            1 if is_below => next(&self.below),
            1 => next(&[Seat::North, Seat::South]),
            2 => [Seat::West, Seat::East]
                .iter()
                .any(open)
                .then(|| vec![Seat::West, Seat::East]),
            4 => Some(Seat::ALL.to_vec()),
            _ => None,
        }
    }

    fn add_row(&mut self, rows: &[SuitRow]) -> bool {
        // Of the suits with one name, each belongs to another hand.
        let nth = |at: usize| match rows[at].0 {
            Some(suit) => rows[..at]
                .iter()
                .filter(|(named, _)| *named == Some(suit))
                .count(),
            None => at,
        };
        let count = (0..rows.len()).map(|at| nth(at) + 1).max().unwrap_or(0);
        let seats = self.seats_of(count, rows[0].0);
        let Some(seats) = seats.filter(|_| rows.len() < 16) else {
            return false;
        };
        for (at, &(suit, holding)) in rows.iter().enumerate() {
            let suits = &mut self.suits[seats[nth(at)]];
            let next = suits.iter().position(Option::is_none);
            if let Some(at) = suit.map(Suit::index).or(next) {
                suits[at] = Some(holding);
                if suit == Some(Suit::Clubs) {
                    close(suits);
                }
            }
        }
        true
    }

    /// Reads a line of a compass between two hands without names, and returns true if it is one. Its
    /// letters say that the hands are North's and West's, and that East's and South's follow.
    fn read_compass(&mut self, letters: &str) -> bool {
        let before = std::mem::take(&mut self.compass);
        let read = before.clone() + letters;
        if before.is_empty() && !self.is_around() || !"NWES".starts_with(&read) {
            return false;
        }
        if read == "NWES" {
            self.suits[Seat::West] = std::mem::take(&mut self.suits[Seat::South]);
            self.below = vec![Seat::East, Seat::South];
        } else {
            self.compass = read;
        }
        true
    }

    /// The names of the seats of the hands below; one without hands is the dealer's.
    fn head(&mut self, seats: Vec<Seat>) {
        if let ([dealer], [_], true) = (&self.below[..], &seats[..], self.is_named) {
            self.board.dealer.get_or_insert(*dealer);
        }
        self.below = seats;
    }

    /// The board, if it has a hand.
    fn board(mut self) -> Option<Result<Board, AtLine>> {
        if self.failed || !Seat::ALL.iter().any(|&seat| self.is_complete(seat)) {
            return None;
        }
        for seat in Seat::ALL {
            if self.has(seat) {
                let holdings = self.suits[seat].map(Option::unwrap_or_default);
                self.board.hands[seat] = Some(Hand::new(holdings));
            }
        }
        complete(&mut self.board.hands);
        let line = self.board.line;
        Some(match check_hands(&self.board.hands) {
            Ok(()) => Ok(self.board),
            Err(error) => Err(AtLine {
                line,
                problem: Problem::Deal(error),
            }),
        })
    }

    /// Reads the number of the board, the dealer and the vulnerable sides.
    fn read_facts(&mut self, line: &str) -> bool {
        let starts = self.is_empty() && self.below.len() < 2;
        let alone = starts.then(|| BoardFacts::alone(line)).flatten();
        let mut found = false;
        for facts in facts_in(line).into_iter().chain(alone) {
            let board = &mut self.board;
            board.number = facts.number.or(board.number);
            board.dealer = facts.dealer.or(board.dealer);
            board.vulnerability = facts.vulnerability.or(board.vulnerability);
            found = true;
        }
        found
    }
}

/// The suits of a hand that has no more of them are void.
fn close(suits: &mut SuitsRead) {
    for suit in suits {
        suit.get_or_insert(Holding::EMPTY);
    }
}

/// The boards of a text.
#[derive(Debug)]
pub(crate) struct DiagramBoards<R> {
    pub lines: TextLines<R>,
    file: Arc<str>,
    count: u32,
    draft: DiagramDraft,
    ready: VecDeque<Result<Board, AtLine>>,
    /// The first line of text that is not part of a board.
    pub text_between: Option<u64>,
    /// The language of the cards, once one of them has shown it.
    language: Option<Language>,
    /// True once the language is known, or need not be found.
    decided: bool,
    /// The warning about the language, for the next board.
    doubt: Option<Note>,
    /// Lines that were read to find the language.
    ahead: VecDeque<TextLine>,
    /// The names of the columns of the table that was read last.
    columns: Vec<String>,
}

impl<R: BufRead> DiagramBoards<R> {
    pub(crate) fn new(reader: R, file: Arc<str>) -> DiagramBoards<R> {
        DiagramBoards {
            lines: TextLines::new(reader),
            file,
            count: 0,
            draft: DiagramDraft::default(),
            ready: VecDeque::new(),
            text_between: None,
            language: None,
            decided: false,
            doubt: None,
            ahead: VecDeque::new(),
            columns: Vec::new(),
        }
    }

    /// Decides in which language the cards are, by the line that is the first with cards of another
    /// one and by those after it: that in which most cards are read.
    fn decide(&mut self, first: &TextLine, text: &str) -> io::Result<()> {
        self.decided = true;
        let mut bytes = first.bytes.clone();
        while bytes.len() < LOOK_AHEAD {
            let Some(line) = self.lines.next()? else {
                break;
            };
            bytes.extend_from_slice(&line.bytes);
            self.ahead.push_back(line);
        }
        let trial = |language: Option<Language>| {
            let mut boards = DiagramBoards::new(&bytes[..], Arc::clone(&self.file));
            (boards.draft, boards.decided) = (self.draft.clone(), true);
            boards.language = language;
            let read = std::iter::from_fn(|| boards.read().ok().flatten());
            let boards_read: Vec<Board> = read.flatten().collect();
            (boards.language, boards_read)
        };
        // Whole deals count, and then cards.
        let worth = |boards: &[Board]| {
            let hands = boards.iter().flat_map(|board| board.hands).flatten();
            let whole = boards.iter().filter(|board| is_whole(board)).count();
            (whole, hands.map(Hand::len).sum::<usize>())
        };
        let english = worth(&trial(None).1);
        let mut best: Vec<(Language, Vec<Board>)> = Vec::new();
        let mut most = english;
        for is_lettered in [false, true] {
            if most.0 > 0 {
                break;
            }
            let whole = decode_line(&bytes);
            let lines: Vec<_> = whole.lines().map(with_suit_signs).collect();
            for language in Language::of(&lines.join("\n"), is_lettered) {
                let (language, boards) = trial(Some(language));
                let found = worth(&boards);
                if found > most {
                    best.clear();
                    most = found;
                }
                if found == most && most > english {
                    best.extend(language.map(|language| (language, boards)));
                }
            }
        }
        let Some((language, boards)) = best.first() else {
            return Ok(());
        };
        let differs = |others: &[Board]| {
            let hands = |board: &Board| board.hands;
            !others.iter().map(hands).eq(boards.iter().map(hands))
        };
        match best.iter().find(|(_, others)| differs(others)) {
            Some((other, _)) => {
                let problem = language.or(other, text);
                self.fail(first.number, problem);
            }
            None => {
                self.doubt = Some(Note {
                    line: first.number,
                    doubt: Doubt::Language(language.to_string()),
                });
                self.language = Some(language.clone());
            }
        }
        Ok(())
    }

    /// The next board, or its error.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        while self.ready.is_empty() {
            let line = match self.ahead.pop_front() {
                Some(line) => Some(line),
                None => self.lines.next()?,
            };
            let Some(line) = line else {
                self.finish();
                break;
            };
            if !line.starts {
                continue;
            }
            if line.cut {
                let what = "a line";
                let limit = LINE_LIMIT;
                self.fail(line.number, Problem::TooLong { what, limit });
                continue;
            }
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii_end());
            let text = with_suit_signs(&text);
            if text.starts_with('#') && self.draft.is_empty() {
                self.draft.read_facts(&text);
            }
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            if !self.decided && !Language::of_line(&text).is_empty() {
                self.decide(&line, &text)?;
            }
            let language = self.language.as_ref();
            let english = language.map(|language| language.in_english(&text));
            self.add(english.as_deref().unwrap_or(&text), line.number);
        }
        let Some(board) = self.ready.pop_front() else {
            return Ok(None);
        };
        self.count = self.count.saturating_add(1);
        Ok(Some(match board {
            Ok(mut board) => {
                board.number.get_or_insert(self.count);
                board.notes.extend(self.doubt.take());
                Ok(board)
            }
            Err(error) => Err(error.in_file(&self.file, Some(self.count))),
        }))
    }

    /// Ends the board that is being read.
    fn finish(&mut self) {
        let draft = std::mem::take(&mut self.draft);
        self.ready.extend(draft.board());
    }

    fn fail(&mut self, line: u64, problem: Problem) {
        if !self.draft.failed {
            self.ready.push_back(Err(AtLine { line, problem }));
        }
        self.draft.failed = true;
    }

    /// Sets a hand; one of the same seat before it belongs to another board.
    fn set(&mut self, seat: Seat, hand: Hand, line: u64) {
        if self.draft.has(seat) {
            let failed = self.draft.failed && hand.is_empty();
            self.finish();
            self.draft.failed = failed;
        }
        self.begin(line);
        self.draft.set(seat, hand);
    }

    fn begin(&mut self, line: u64) {
        if self.draft.is_empty() && !self.draft.failed {
            self.draft.board.line = line;
        }
    }

    fn add(&mut self, text: &str, number: u64) {
        let (starts, heads) = (self.draft.is_empty(), self.draft.below.len() == 4);
        let named = plain_signs(text);
        let named = named.and_then(|line| with_columns(&self.columns, &line, starts, heads));
        let text = named.as_deref().unwrap_or(text);
        let text = &*if self.draft.is_empty() {
            text.into()
        } else {
            with_font(text)
        };
        let signs = plain_signs(text);
        let line = signs.as_deref().unwrap_or(text);
        let mut read = notation(line);
        let asks = read.is_ok() || is_question(line);
        let mut hands = signs.as_deref().map(named_hands).unwrap_or_default();
        if hands.is_empty() {
            let bare = signs.as_deref().and_then(bare_hand);
            hands.extend(bare.map(|hand| (self.next_seat(), hand)));
        }
        if hands.is_empty() {
            read = read.or_else(|_| plain(line));
        }
        let fact = std::mem::take(&mut self.draft.fact);
        if !fact.is_empty() && self.draft.read_facts(&format!("{fact} {text}")) {
            return;
        }
        if self.draft.is_empty() && is_name_of_fact(text) {
            text.clone_into(&mut self.draft.fact);
            return;
        }
        let facts = self.draft.read_facts(text);
        if read.as_ref().is_ok_and(is_whole) || hands.is_empty() && asks {
            let before = if self.draft.is_empty() {
                std::mem::take(&mut self.draft.board)
            } else {
                Board::default()
            };
            self.finish();
            self.ready.push_back(match read {
                Ok(mut board) => {
                    let is_fact =
                        |note: &Note| matches!(&note.doubt, Doubt::Beside(text) if are_facts(text));
                    board.notes.retain(|note| !is_fact(note));
                    board.line = number;
                    board.number = before.number;
                    board.dealer = before.dealer;
                    board.vulnerability = before.vulnerability;
                    board.notes.iter_mut().for_each(|note| note.line = number);
                    Ok(board)
                }
                Err(problem) => Err(AtLine {
                    line: number,
                    problem,
                }),
            });
        } else if !hands.is_empty() {
            let last = hands.last().map(|(_, (written, _))| written);
            let behind =
                last.map(|text| text.as_ptr() as usize + text.len() - line.as_ptr() as usize);
            let beside = behind
                .and_then(|at| line.get(at..))
                .unwrap_or_default()
                .trim();
            for (seat, (written, hand)) in hands {
                let hand = hand.unwrap_or_else(|error| {
                    self.fail(number, Problem::text("hand", written, error));
                    Hand::EMPTY
                });
                self.set(seat, hand, number);
            }
            if !beside.is_empty() {
                self.draft
                    .board
                    .doubt(number, Doubt::Beside(beside.to_owned()));
            }
        } else if self
            .draft
            .read_compass(&line.split_whitespace().collect::<String>())
        {
        } else if let Some(columns) = columns(line) {
            self.draft.below = columns.iter().filter_map(|name| seat(name)).collect();
            self.columns = columns;
        } else if let Some(seats) = header(line).filter(|_| !facts || line.contains('(')) {
            if seats.iter().any(|&seat| self.draft.has(seat)) {
                self.finish();
            }
            for seat in Seat::ALL {
                if self.draft.has(seat) {
                    close(&mut self.draft.suits[seat]);
                }
            }
            self.draft.head(seats);
            self.draft.is_named = true;
            return;
        } else {
            // A digit alone is the number of the board before any hand.
            let rows =
                rows(line).filter(|_| !facts || line.contains(is_symbol) || line.contains("  "));
            match rows {
                Some(Ok(rows)) => {
                    self.begin(number);
                    if !self.draft.add_row(&rows) && !self.draft.failed {
                        let expected = "the names of the seats: without them North, West, East, South \
                            and North, East, South, West look alike";
                        self.fail(number, Problem::expected("hand", line.trim(), expected));
                    }
                }
                Some(Err((cell, error))) => {
                    self.fail(number, Problem::text("suit", &cell, error));
                }
                // The dealer may be above the vulnerable sides.
                None if facts => return,
                None => {
                    // Calls are below these names, not hands.
                    if self.draft.below.len() == 4 && line.contains(char::is_alphanumeric) {
                        self.draft.below.clear();
                    }
                    self.text_between.get_or_insert(number);
                }
            }
        }
        self.draft.is_named = false;
        if self.draft.is_finished() {
            self.finish();
        }
    }

    /// The seat of a hand without a name: that above it, or the first without a hand.
    fn next_seat(&self) -> Seat {
        let mut named = self.draft.below.iter().copied();
        let mut open = named.by_ref().chain(Seat::ALL);
        open.find(|&seat| !self.draft.has(seat))
            .unwrap_or(Seat::North)
    }
}
