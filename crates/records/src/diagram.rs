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

use setrograde_cards::{Hand, Holding, Rank, Seat, Suit, TextError, Vulnerability};

use crate::board::{Board, check_hands, complete};
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, TextLines, only_number};
use crate::lists::{is_question, plain};
use crate::text::{BOM, decode_line};

/// Signs and names of suits that forums, pages and programs write, and the symbols that are read.
const SUITS: [(&str, &str); 29] = [
    ("&spades;", "♠"),
    ("&hearts;", "♥"),
    ("&diams;", "♦"),
    ("&clubs;", "♣"),
    (":spades:", "♠"),
    (":hearts:", "♥"),
    (":diamonds:", "♦"),
    (":clubs:", "♣"),
    (":spade:", "♠"),
    (":heart:", "♥"),
    (":diamond:", "♦"),
    (":club:", "♣"),
    ("spades", "♠"),
    ("hearts", "♥"),
    ("diamonds", "♦"),
    ("clubs", "♣"),
    ("!s", "♠"),
    ("!h", "♥"),
    ("!d", "♦"),
    ("!c", "♣"),
    ("♤", "♠"),
    ("♡", "♥"),
    ("♢", "♦"),
    ("♧", "♣"),
    ("void", "-"),
    ("none", "-"),
    ("：", ":"),
    ("\u{fe0e}", ""),
    ("\u{fe0f}", ""),
];

/// Maximum length of a line of a diagram, in bytes. A longer one is text.
const LONGEST: usize = 1 << 9;

/// A line with plain signs: without the marks of lists and bold text, and with symbols of suits.
/// `None` if it is too long.
fn plain_signs(line: &str) -> Option<String> {
    if line.len() > LONGEST {
        return None;
    }
    let line = line.replace("**", "");
    let bullets = ["- ", "* ", "• ", "> ", "| "];
    let trimmed = line.trim_start();
    let bullet = bullets
        .iter()
        .find_map(|bullet| trimmed.strip_prefix(bullet));
    let mut line = bullet.map_or(line.clone(), str::to_owned);
    for (written, read) in SUITS {
        // Letters of other cases have the same length.
        let lower = line.to_ascii_lowercase();
        let mut plain = String::new();
        let mut from = 0;
        for (at, _) in lower.match_indices(written) {
            plain += &line[from..at];
            plain += read;
            from = at + written.len();
        }
        if from > 0 {
            line = plain + &line[from..];
        }
    }
    Some(line)
}

/// The seat that begins a text, and the rest: after a name, or after a letter and a sign. The rest
/// is empty if the text is the name alone.
fn label(text: &str) -> Option<(Seat, &str)> {
    let text = text.trim_start().trim_start_matches(['(', '[']);
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let seat: Seat = name.parse().ok()?;
    let mut rest = rest.trim_start_matches([')', ']']).trim_start();
    // The dealer, or the name of the player.
    if let Some((_, after)) = rest.strip_prefix('(').and_then(|note| note.split_once(')')) {
        rest = after.trim_start();
    }
    // A dash without a blank after it is a void, and a dot the end of one.
    let after = match rest.strip_prefix([':', '=']) {
        Some(after) => after,
        None => match rest.strip_prefix(['-', '–', '—', '.']) {
            Some(after) if after.starts_with(char::is_whitespace) => after,
            _ => rest,
        },
    };
    Some((seat, after.trim()))
}

/// The hand that a text is, if it has the form of one: four holdings with signs between them, or
/// the symbols or letters of two suits or more.
fn hand(text: &str) -> Option<Result<Hand, TextError>> {
    let text = text.trim();
    let ranks =
        |c: char| Rank::from_letter(c).is_some() || matches!(c, '1' | '0' | '-' | '–' | '—');
    if !text.starts_with(|c: char| ranks(c) || c == '.' || is_mark(c)) {
        return None;
    }
    for sign in ['.', '/', ','] {
        let few_words = text.split_whitespace().count() <= 4;
        if text.matches(sign).count() == 3 && few_words && !text.contains(is_symbol) {
            let dotted: String = text.split_whitespace().collect();
            return Some(dotted.replace(sign, ".").parse());
        }
    }
    // Letters of suits are in words, too.
    let is_plain = |c: char| ranks(c) || is_mark(c) || c.is_whitespace() || ",:;=".contains(c);
    let symbols = text.chars().filter(|&c| is_symbol(c)).count();
    if marks(text) >= 2 && text.starts_with(is_mark) && (symbols >= 2 || text.chars().all(is_plain))
    {
        return Some(text.parse());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let of_ranks = |word: &&str| word.chars().all(ranks);
    let cards = words.iter().map(|word| word.len()).sum::<usize>();
    (words.len() == 4 && words.iter().all(of_ranks) && cards > 4).then(|| text.parse())
}

fn is_symbol(c: char) -> bool {
    Suit::ALL.iter().any(|suit| suit.symbol() == c)
}

fn is_mark(c: char) -> bool {
    is_symbol(c) || Suit::from_letter(c).is_some()
}

/// The number of suits that symbols or letters name, each once and in their order; else 0.
fn marks(text: &str) -> usize {
    let named = |mark: char| {
        let symbol = Suit::ALL.into_iter().find(|suit| suit.symbol() == mark);
        symbol.or_else(|| Suit::from_letter(mark))
    };
    let suits: Vec<Suit> = text.chars().filter_map(named).collect();
    match suits.is_sorted_by(|a, b| a < b) {
        true => suits.len(),
        false => 0,
    }
}

/// A hand and its text.
type WrittenHand<'a> = (&'a str, Result<Hand, TextError>);

/// The only hand of a line without its seat: one of 13 cards, or one that has dots or symbols.
fn bare_hand(line: &str) -> Option<WrittenHand<'_>> {
    let line = line.trim();
    let read = hand(line)?;
    let sure = line.contains('.') || line.contains(is_symbol);
    let whole = || read.as_ref().is_ok_and(|hand| hand.len() == 13);
    (sure || whole()).then_some((line, read))
}

/// The hands of a line, each after its seat; empty if it is another line.
fn named_hands(line: &str) -> Vec<(Seat, WrittenHand<'_>)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((seat, text)) = label(rest) {
        // The shortest hand after which another seat follows.
        let blanks = text.char_indices().filter(|(_, c)| c.is_whitespace());
        let end = blanks.map(|(at, _)| at).find(|&at| {
            label(&text[at..]).is_some_and(|(_, after)| !after.is_empty())
                && hand(&text[..at]).is_some_and(|hand| hand.is_ok())
        });
        let (of_seat, after) = text.split_at(end.unwrap_or(text.len()));
        let Some(read) = hand(of_seat) else {
            return Vec::new();
        };
        found.push((seat, (of_seat.trim(), read)));
        rest = after;
        if end.is_none() {
            break;
        }
    }
    found
}

/// The seats that a line names, if it has nothing else: those of the hands below.
fn header(line: &str) -> Option<Vec<Seat>> {
    let words = line.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic());
        // Letters alone are suits as well.
        word.parse::<Seat>()
            .ok()
            .filter(|_| word.len() > 1 || line.trim().len() <= 3)
    });
    let seats: Vec<Seat> = words.collect::<Option<_>>()?;
    matches!(seats[..], [_] | [_, _]).then_some(seats)
}

/// A suit of a hand in a diagram, and its name if it has one.
type SuitRow = (Option<Suit>, Holding);

/// The suits beside each other on a line: a symbol begins one, and so does a wide gap. `None` if
/// anything else is on the line, except text before them.
fn rows(line: &str) -> Option<Result<Vec<SuitRow>, (String, TextError)>> {
    let mut apart = String::new();
    for c in line.chars() {
        match c {
            '\t' => apart += "   ",
            c if is_symbol(c) => apart.extend([' ', ' ', c]),
            c => apart.push(c),
        }
    }
    let cells = apart.split("  ").map(str::trim);
    let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
    // The number of the board, the dealer and the vulnerable sides precede North's cards.
    while cells
        .next_if(|cell| cell.contains(':') && row(cell).is_none())
        .is_some()
    {}
    let mut found = Vec::new();
    for cell in cells {
        match row(cell)? {
            Ok(row) => found.push(row),
            Err(error) => return Some(Err((cell.to_owned(), error))),
        }
    }
    matches!(found[..], [_] | [_, _]).then_some(Ok(found))
}

/// A suit of a diagram: its cards with blanks between them or without, after its name or without.
fn row(cell: &str) -> Option<Result<SuitRow, TextError>> {
    let symbol = cell.chars().next().filter(|&c| is_symbol(c));
    let letter = || {
        let (name, rest) = cell.split_at_checked(1)?;
        let suit = Suit::from_letter(name.chars().next()?)?;
        rest.starts_with([':', '=', ' ']).then_some((suit, rest))
    };
    let (suit, cards) = match symbol {
        Some(symbol) => {
            let suit = Suit::ALL.into_iter().find(|suit| suit.symbol() == symbol);
            (suit, &cell[symbol.len_utf8()..])
        }
        None => letter().map_or((None, cell), |(suit, rest)| (Some(suit), rest)),
    };
    let cards: String = cards
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '='))
        .collect();
    let cards = cards.replace("10", "T");
    if matches!(&*cards, "-" | "--" | "–" | "—" | "---") {
        return Some(Ok((suit, Holding::EMPTY)));
    }
    let in_suit = |c: char| Rank::from_letter(c).is_some();
    // After a symbol there are cards, and anything else is a slip.
    if cards.is_empty() || !cards.chars().all(in_suit) && (symbol.is_none() || cards.len() > 13) {
        return None;
    }
    Some(cards.parse().map(|holding| (suit, holding)))
}

/// Returns true if a line can only be a part of a diagram: a hand, or hands after their seats.
pub(crate) fn is_part(line: &str) -> bool {
    let Some(line) = plain_signs(line) else {
        return false;
    };
    let part = !named_hands(&line).is_empty() || bare_hand(&line).is_some();
    part && !plain(&line).is_ok_and(|board| is_whole(&board))
}

/// Returns true if a board has hands of equal length.
fn is_whole(board: &Board) -> bool {
    board
        .deal()
        .is_some_and(|deal| deal.cards_per_hand().is_some())
}

/// Returns true if a line may be a part of a diagram: a suit with its symbol, two suits, or the
/// name of a seat.
pub(crate) fn may_be_part(line: &str) -> bool {
    let Some(line) = plain_signs(line) else {
        return false;
    };
    let suits = || match rows(&line) {
        Some(Ok(rows)) => rows.len() == 2 || line.contains(is_symbol),
        _ => false,
    };
    header(&line).is_some() || suits()
}

/// A hand, perhaps without some of its suits.
type SuitsRead = [Option<Holding>; 4];

/// A board as far as it was read.
#[derive(Debug, Default)]
struct DiagramDraft {
    board: Board,
    suits: [SuitsRead; 4],
    /// The seats of the suits that follow.
    below: Vec<Seat>,
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

    fn is_finished(&self) -> bool {
        Seat::ALL.iter().all(|&seat| self.is_complete(seat))
    }

    fn set(&mut self, seat: Seat, hand: Hand) {
        self.suits[seat] = hand.holdings().map(Some);
        self.below.clear();
    }

    /// The seats of a row of suits.
    fn seats_of(&self, count: usize) -> Option<Vec<Seat>> {
        let open = |seats: &[Seat]| seats.iter().any(|&seat| !self.is_complete(seat));
        let usual: &[&[Seat]] = match count {
            1 => &[&[Seat::North], &[Seat::South]],
            _ => &[&[Seat::West, Seat::East]],
        };
        let named = (self.below.len() == count && open(&self.below)).then_some(&self.below[..]);
        let usual = usual.iter().copied().find(|seats| open(seats));
        named.or(usual).map(<[Seat]>::to_vec)
    }

    fn add_row(&mut self, rows: &[SuitRow]) -> bool {
        let Some(seats) = self.seats_of(rows.len()) else {
            return false;
        };
        for (&seat, &(suit, holding)) in seats.iter().zip(rows) {
            let suits = &mut self.suits[seat];
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
        let mut found = false;
        let cells = line.split("  ").flat_map(|cell| cell.split([',', ';']));
        for cell in cells.map(str::trim).filter(|cell| !cell.is_empty()) {
            let (name, value) = match cell.split_once(':') {
                Some((name, value)) => (name.trim(), value.trim()),
                None => cell.split_once(' ').unwrap_or((cell, "")),
            };
            let is = |names: &[&str]| names.iter().any(|of| name.eq_ignore_ascii_case(of));
            let board = &mut self.board;
            if is(&["board", "bd", "deal", "brd"]) && only_number::<u32>(value).is_some() {
                board.number = only_number(value);
            } else if is(&["dealer", "dlr"]) {
                board.dealer = value.trim_end_matches('.').parse().ok();
            } else if is(&["vul", "vuln", "vulnerable", "vulnerability"]) {
                let value = value.trim_end_matches('.');
                board.vulnerability = value.parse::<Vulnerability>().ok();
            } else {
                continue;
            }
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
        }
    }

    /// The next board, or its error.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        while self.ready.is_empty() {
            let Some(line) = self.lines.next()? else {
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
            if !text.trim().is_empty() && !text.starts_with('#') {
                self.add(&text, line.number);
            }
        }
        let Some(board) = self.ready.pop_front() else {
            return Ok(None);
        };
        self.count = self.count.saturating_add(1);
        Ok(Some(match board {
            Ok(mut board) => {
                board.number.get_or_insert(self.count);
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
        let signs = plain_signs(text);
        let line = signs.as_deref().unwrap_or(text);
        let read = plain(line);
        let asks = read.is_ok() || is_question(line);
        let mut hands = signs.as_deref().map(named_hands).unwrap_or_default();
        if hands.is_empty() {
            let bare = signs.as_deref().and_then(bare_hand);
            hands.extend(bare.map(|hand| (self.next_seat(), hand)));
        }
        let facts = self.draft.read_facts(text);
        if read.as_ref().is_ok_and(is_whole) || hands.is_empty() && asks {
            self.finish();
            self.ready.push_back(match read {
                Ok(mut board) => {
                    board.line = number;
                    board.notes.iter_mut().for_each(|note| note.line = number);
                    Ok(board)
                }
                Err(problem) => Err(AtLine {
                    line: number,
                    problem,
                }),
            });
        } else if !hands.is_empty() {
            for (seat, (written, hand)) in hands {
                let hand = hand.unwrap_or_else(|error| {
                    self.fail(number, Problem::text("hand", written, error));
                    Hand::EMPTY
                });
                self.set(seat, hand, number);
            }
        } else if let Some(seats) = header(line) {
            if seats.iter().any(|&seat| self.draft.has(seat)) {
                self.finish();
            }
            for seat in Seat::ALL {
                if self.draft.has(seat) {
                    close(&mut self.draft.suits[seat]);
                }
            }
            self.draft.below = seats;
        } else {
            match rows(line) {
                Some(Ok(rows)) => {
                    self.begin(number);
                    if !self.draft.add_row(&rows) {
                        self.text_between.get_or_insert(number);
                    }
                }
                Some(Err((cell, error))) => {
                    self.fail(number, Problem::text("suit", &cell, error));
                }
                None if facts => {}
                None => {
                    self.text_between.get_or_insert(number);
                }
            }
        }
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
