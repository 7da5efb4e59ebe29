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

use setrograde_cards::{Hand, Holding, Rank, Seat, Side, Suit, TextError, Vulnerability};

use crate::board::{Board, Doubt, check_hands, complete};
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, TextLines, number};
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
    let ranks = line.chars().filter(|&c| Rank::from_letter(c).is_some());
    let marked = line.contains('.') || line.contains(is_symbol);
    let sure = marked && (read.is_ok() || ranks.count() > 7);
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
        let (mut of_seat, after) = text.split_at(end.unwrap_or(text.len()));
        // Reports of results are behind the last hand.
        let dotted = of_seat.find(|c: char| c != '.' && Rank::from_letter(c).is_none());
        let dotted = dotted
            .map(|end| &of_seat[..end])
            .filter(|_| found.len() == 3);
        if let Some(whole) = dotted.filter(|text| text.parse::<Hand>().is_ok()) {
            of_seat = whole;
        }
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
    let words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let seats: Vec<Seat> = words
        .clone()
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    // Letters alone are suits as well, and head the calls of an auction.
    let is_letters = words.clone().all(|word| word.len() == 1);
    let is_compass = is_letters && matches!(seats[..], [Seat::West, Seat::East]);
    let fits = !is_letters || seats.len() == 1 && line.trim().len() <= 3 || is_compass;
    (fits && matches!(seats[..], [_] | [_, _])).then_some(seats)
}

/// A suit of a hand in a diagram, and its name if it has one.
type SuitRow = (Option<Suit>, Holding);

/// The suits beside each other on a line. `None` if anything else is on the line, but for the facts
/// of the board, a compass, and text behind a gap.
fn rows(line: &str) -> Option<Result<Vec<SuitRow>, (String, TextError)>> {
    if line.len() > LONGEST {
        return None;
    }
    let line = line.replace('\t', "   ");
    if let Some(columns) = columns(&line) {
        let rows: Option<Vec<SuitRow>> = columns.iter().map(|cell| bare_row(cell)).collect();
        return rows.map(Ok);
    }
    let groups = line
        .split("  ")
        .map(str::trim)
        .filter(|group| !group.is_empty());
    if line.contains(is_symbol) {
        let mut found = Vec::new();
        for group in groups {
            match marked(group)? {
                Ok(rows) => found.extend(rows),
                Err(slip) => return Some(Err(slip)),
            }
        }
        return (!found.is_empty()).then_some(Ok(found));
    }
    let mut groups = groups.peekable();
    while groups
        .next_if(|group| BoardFacts::of(group).is_some())
        .is_some()
    {}
    let mut cells: Vec<&str> = groups.collect();
    // Points and results are printed beside South's cards.
    let is_note = |cell: &&str| {
        cell.split_once(' ')
            .is_some_and(|(side, _)| side.parse::<Side>().is_ok())
    };
    while cells.pop_if(|cell| is_note(&&**cell)).is_some() {}
    // A letter alone is a void beside a suit with the same letter.
    let void = |cell: &&str| {
        let suit = cell.parse().ok().and_then(Suit::from_letter)?;
        let is_there = |cell: &&str| bare_row(cell).is_some_and(|(named, _)| named == Some(suit));
        cells
            .iter()
            .any(is_there)
            .then_some((Some(suit), Holding::EMPTY))
    };
    let found: Option<Vec<SuitRow>> = cells
        .iter()
        .map(|cell| bare_row(cell).or_else(|| void(cell)))
        .collect();
    found
        .filter(|found| matches!(found.len(), 1 | 2 | 4))
        .map(Ok)
}

/// The four columns of 20 characters that the program `dealer` prints: a rank and a blank each.
fn columns(line: &str) -> Option<Vec<String>> {
    let is_grid = |(at, c): (usize, char)| match at % 2 {
        0 => c == ' ' || c == '-' || Rank::from_letter(c).is_some(),
        _ => c == ' ',
    };
    let width = line.trim_end().len();
    if !(61..=80).contains(&width) || !line.chars().enumerate().all(is_grid) {
        return None;
    }
    let cells = line.as_bytes().chunks(20).take(4);
    Some(
        cells
            .map(|cell| String::from_utf8_lossy(cell).into_owned())
            .collect(),
    )
}

/// The suits behind their signs in a part of a line. `None` if words are there that belong to a
/// sentence or an auction.
fn marked(group: &str) -> Option<Result<Vec<SuitRow>, (String, TextError)>> {
    let mut found = Vec::new();
    let (before, mut rest) = group.split_at(group.find(is_symbol).unwrap_or(group.len()));
    if rest.is_empty() {
        return Some(Ok(found));
    }
    let is_compass = |text: &str| {
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        words.all(|word| word.parse::<Seat>().is_ok())
    };
    if !is_compass(before) && BoardFacts::of(before).is_none() {
        return None;
    }
    while let Some(mark) = rest.chars().next() {
        let suit = Suit::ALL.into_iter().find(|suit| suit.symbol() == mark);
        let (cell, after) = rest[mark.len_utf8()..]
            .find(is_symbol)
            .map_or((rest, ""), |at| rest.split_at(mark.len_utf8() + at));
        let text = cell[mark.len_utf8()..]
            .trim_start_matches(|c: char| c.is_whitespace() || ":=".contains(c));
        let (cards, behind) = leading_cards(text);
        match cards.parse::<Holding>() {
            Ok(holding) => found.push((suit, holding)),
            Err(error) => return Some(Err((cell.trim().to_owned(), error))),
        }
        let slip = behind.split_whitespace().next().filter(|_| is_slip(behind));
        if let Some(word) = slip {
            let error = word.parse::<Holding>().err()?;
            return Some(Err((cell.trim().to_owned(), error)));
        }
        // A bid has its level before the sign, and a call after it is a word.
        let is_text = behind.contains(|c: char| c.is_lowercase()) || cards.is_empty();
        if !is_compass(behind) && (is_text || !after.is_empty()) && BoardFacts::of(behind).is_none()
        {
            return None;
        }
        rest = after;
    }
    Some(Ok(found))
}

/// The cards that a text begins with, without their separators, and the rest.
fn leading_cards(text: &str) -> (String, &str) {
    let mut cards = String::new();
    // A hyphen before cards is no void.
    let behind = text.trim_start_matches(['-', '–', '—', ' ']);
    let is_card = |c: char| c == '1' || Rank::from_letter(c).is_some();
    let mut rest = if behind.starts_with(is_card) {
        behind
    } else {
        text
    };
    loop {
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let end = next
            .find(|c: char| c.is_whitespace() || c == ',')
            .unwrap_or(next.len());
        let (word, after) = next.split_at(end);
        let plain = word.replace("10", "T");
        let is_void = !word.is_empty() && word.chars().all(|c| "-–—".contains(c));
        if is_void && cards.is_empty() {
            return (cards, after);
        }
        if word.is_empty() || !plain.chars().all(|c| Rank::from_letter(c).is_some()) {
            return (cards, rest.trim_start());
        }
        cards += &plain;
        rest = after;
    }
}

/// Returns true if a text begins with cards and a wrong sign among them.
fn is_slip(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_rank = |c: &char| Rank::from_letter(*c).is_some() || *c == '1';
    let length = word.chars().count();
    let wrong = word.chars().filter(|c| !is_rank(c)).count();
    (3..=13).contains(&length) && wrong == 1 && !word.contains(char::is_lowercase)
}

/// A suit without a sign: its cards alone, or after its letter.
fn bare_row(cell: &str) -> Option<SuitRow> {
    let cell = cell.trim();
    let of = |suit, text: &str| {
        let (cards, behind) = leading_cards(text);
        let is_void = cards.is_empty() && !text.is_empty();
        let holding = cards
            .parse()
            .ok()
            .filter(|_| behind.is_empty() && (is_void || !cards.is_empty()));
        holding.map(|holding| (suit, holding))
    };
    of(None, cell).or_else(|| {
        let letter = cell.chars().next().filter(char::is_ascii_uppercase)?;
        let suit = Suit::from_letter(letter)?;
        of(Some(suit), cell[1..].trim_start_matches([' ', ':', '=']))
    })
}

/// The number of a board, its dealer and its vulnerable sides, as people write them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BoardFacts {
    number: Option<u32>,
    dealer: Option<Seat>,
    vulnerability: Option<Vulnerability>,
}

impl BoardFacts {
    /// The facts of a text that has nothing else.
    fn of(text: &str) -> Option<BoardFacts> {
        let words = text.split(|c: char| c.is_whitespace() || ":=#*.()".contains(c));
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let words: Vec<&str> = words
            .iter()
            .map(|word| &**word)
            .filter(|word| *word != "is")
            .collect();
        let mut facts = BoardFacts::default();
        let mut rest = &words[..];
        let sides = |words: &[&str]| words.concat().parse::<Vulnerability>().ok();
        while !rest.is_empty() {
            let is_vulnerable =
                |word: &&&str| matches!(**word, "vul" | "vuln" | "vulnerable" | "vulnerability");
            rest = match *rest {
                ["board" | "bd" | "brd" | "deal" | "hand", ref after @ ..] => {
                    let after = match after {
                        ["no" | "nr" | "number", after @ ..] => after,
                        after => after,
                    };
                    facts.number = Some(number(after.first()?)?);
                    &after[1..]
                }
                ["dealer" | "dlr", seat, ref after @ ..]
                | [seat, "dealer" | "deals" | "dlr", ref after @ ..] => {
                    facts.dealer = Some(seat.parse().ok()?);
                    after
                }
                _ => {
                    let first = usize::from(rest.first().filter(is_vulnerable).is_some());
                    let (length, found) = (1..=3).rev().find_map(|length| {
                        let words = rest.get(first..first + length)?;
                        let behind = usize::from(rest.get(length).filter(is_vulnerable).is_some());
                        let is_named = first + behind > 0 || length == 2 && words[1] == "all";
                        Some((
                            first.max(behind) + length,
                            sides(words).filter(|_| is_named)?,
                        ))
                    })?;
                    facts.vulnerability = Some(found);
                    &rest[length..]
                }
            };
        }
        (facts != BoardFacts::default()).then_some(facts)
    }

    /// Those of a line of its own: a number, or the vulnerable sides.
    fn alone(line: &str) -> Option<BoardFacts> {
        let line = line.trim();
        let vulnerability = line
            .parse()
            .ok()
            .filter(|_| line.len() > 1 && line.parse::<Seat>().is_err());
        let facts = BoardFacts {
            number: number(line),
            vulnerability,
            ..BoardFacts::default()
        };
        (line.len() <= 12 && facts != BoardFacts::default()).then_some(facts)
    }
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
        Some(Ok(rows)) => rows.len() >= 2 || line.contains(is_symbol),
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
    /// True if the line before named them.
    is_named: bool,
    /// The lines of a compass that were read: N, W and E, S.
    compass: u8,
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
        self.below.clear();
    }

    /// The seats of a row with the suits of so many hands.
    fn seats_of(&self, count: usize, suit: Option<Suit>) -> Option<Vec<Seat>> {
        let open = |&seat: &Seat| match suit {
            Some(suit) => self.suits[seat][suit.index()].is_none(),
            None => !self.is_complete(seat),
        };
        let next = |seats: &[Seat]| seats.iter().copied().find(open).map(|seat| vec![seat]);
        match count {
            _ if self.below.len() == count && self.below.iter().any(open) => {
                Some(self.below.clone())
            }
            1 if self.below.iter().any(open) => next(&self.below),
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
        let Some(seats) = self.seats_of(count, rows[0].0) else {
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
        self.compass = 0;
        true
    }

    /// The names of the seats of the hands below; one without hands is the dealer's, and those of
    /// a compass say the order of the hands around it.
    fn head(&mut self, seats: Vec<Seat>) {
        self.compass = match (self.compass, &seats[..]) {
            (_, [Seat::North]) => 1,
            (1, [Seat::West, Seat::East]) => 2,
            (2, [Seat::South]) => 3,
            _ => 0,
        };
        if self.compass == 3 && self.is_complete(Seat::South) && !self.has(Seat::West) {
            self.suits[Seat::West] = std::mem::take(&mut self.suits[Seat::South]);
            self.below = vec![Seat::East, Seat::South];
            return;
        }
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
        let plain = line
            .replace([',', ';', '|', '\t'], "  ")
            .replace(['–', '—'], "-")
            .replace(" - ", "  ");
        let parts = plain
            .split("  ")
            .filter_map(|part| part.split(is_symbol).next());
        let facts = |part| match BoardFacts::of(part) {
            Some(facts) => vec![facts],
            None => part.split(". ").filter_map(BoardFacts::of).collect(),
        };
        let starts = self.is_empty() && self.below.is_empty();
        let alone = starts.then(|| BoardFacts::alone(line)).flatten();
        let mut found = false;
        for facts in parts.flat_map(facts).chain(alone) {
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
        } else if let Some(seats) = header(line) {
            let in_compass = self.draft.compass > 0 && seats != [Seat::North];
            let is_compass = in_compass || seats == [Seat::North] && self.draft.is_around();
            if !is_compass && seats.iter().any(|&seat| self.draft.has(seat)) {
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
                None if facts => {}
                None => {
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
