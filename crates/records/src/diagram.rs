//! Deals as people type and print them: hands after the names of their seats, one on a line or
//! under each other, and the diagrams of newspapers and forums.
//!
//! A hand is on one line, or has a line for each suit; then two hands, West's and East's, may be
//! beside each other. The name of a seat begins a line or is above the hand. Hands without names
//! come in the order North, East, South, West; suits without names in the order of their rank.
//! Three hands of 13 cards give the fourth. Lines that are none of this are text.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::io::{self, BufRead};

use setrograde_cards::{Hand, Seat};

use crate::board::{Board, Doubt, Note};
use crate::columns::{Columns, is_headed, misfit, names_seats};
use crate::draft::{DiagramDraft, FOUR_HANDS, Source, close};
use crate::error::Problem;
use crate::facts::{are_facts, has_facts, is_name_of_fact};
use crate::languages::{Language, with_suit_signs};
use crate::lines::{BoardResult, Line, Lines, Options, ReadBoards, boards_in};
use crate::lists::{english, is_question, notation};
use crate::rows::{
    are_seats, bare_hand, ends_within_hand, goes_on, has_cards, has_signs, header, named_hands,
    named_row, names_seat, rows,
};
use crate::signs::{LONGEST, is_symbol, plain_signs, with_font};

/// The bytes that decide the language of the cards.
const LOOK_AHEAD: usize = 1 << 14;

/// Where cards can be.
const IN_ONE_HAND: &str = "a suit and its cards in one hand of the board";

/// A line in English, and as languages read it that differ from English, if `is_foreign`.
pub(crate) fn readings(line: &str, is_foreign: bool) -> Vec<String> {
    let line = with_suit_signs(line);
    let languages = if is_foreign {
        Language::of_line(&line)
    } else {
        Vec::new()
    };
    let mut readings: Vec<String> = languages
        .iter()
        .map(|language| language.in_english(&line))
        .collect();
    readings.sort_unstable();
    readings.dedup();
    readings.insert(0, line.into_owned());
    readings
}

/// Returns true if a line can only be a part of a diagram: a hand, or hands after their seats.
pub(crate) fn is_part(readings: &[String]) -> bool {
    let asks = is_question(&readings[0]);
    let mut others = readings[1..].iter();
    is_english_part(&readings[0])
        || others.any(|line| is_english_part(line) || is_question(line) && !asks)
}

fn is_english_part(text: &str) -> bool {
    let Some(line) = plain_signs(text) else {
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
    is_sure && !notation(text).is_ok_and(|board| is_whole(&board))
}

/// The whole deals, which count first, and the cards.
fn worth(boards: &[Board]) -> (usize, usize) {
    let hands = boards.iter().flat_map(|board| board.hands).flatten();
    let whole = boards.iter().filter(|board| is_whole(board)).count();
    (whole, hands.map(Hand::len).sum())
}

/// Returns true if a board has hands of equal length.
fn is_whole(board: &Board) -> bool {
    board
        .deal()
        .is_some_and(|deal| deal.cards_per_hand().is_some())
}

/// Returns true if a line may be a part of a diagram: a hand, a suit with its symbol, two suits, the
/// name of a seat, or facts.
pub(crate) fn may_be_part(readings: &[String]) -> bool {
    readings.iter().any(|line| may_be_english_part(line))
}

fn may_be_english_part(line: &str) -> bool {
    let Some(line) = plain_signs(line) else {
        return false;
    };
    let suits = || match rows(&line) {
        Some(Ok(rows)) => rows.len() >= 2 || line.contains(is_symbol),
        _ => false,
    };
    let is_name = || {
        let is_heading = Columns::heading(&line).is_some() || names_seats(&line);
        is_heading || header(&line).is_some() || has_facts(&line)
    };
    is_name() || suits() || !named_hands(&line).is_empty() || bare_hand(&line).is_some()
}

/// A text as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct DiagramBoards {
    draft: DiagramDraft,
    ready: VecDeque<BoardResult>,
    /// A line above the board with cards that are in none of its hands.
    unread: Option<(u64, String)>,
    /// Boards of hands without names, which count if no other hand is below them.
    bare: Vec<BoardResult>,
    /// The first line of text that is not part of a board.
    between: Option<u64>,
    /// The language of the cards, once one of them has shown it.
    language: Option<Language>,
    /// True once the language is known, or need not be found.
    decided: bool,
    /// The warning about the language, for the next board.
    doubt: Option<Note>,
    /// The heading of the table that was read last.
    columns: Columns,
    /// True if the line above names seats.
    is_headed: bool,
    /// A line that ends within a hand, and its number.
    begun: Option<(u64, String)>,
}

impl<R: BufRead> ReadBoards<R> for DiagramBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while self.ready.is_empty() {
            let Some(line) = lines.next()? else {
                self.add_begun();
                self.finish();
                self.ready.extend(self.bare.drain(..));
                break;
            };
            if let Some(problem) = line.too_long() {
                self.add_begun();
                self.fail(line.number, problem);
            } else {
                self.add_line(&line, lines)?;
            }
        }
        lines.between = lines.between.or(self.between);
        let Some(board) = self.ready.pop_front() else {
            return Ok(None);
        };
        let count = lines.count();
        Ok(Some(match board {
            Ok(mut board) => {
                board.number.get_or_insert(count);
                board.notes.extend(self.doubt.take());
                Ok(board)
            }
            Err(error) => Err(error.of_board(count)),
        }))
    }
}

impl DiagramBoards {
    /// Adds a line, in English.
    fn add_line<R: BufRead>(&mut self, line: &Line, lines: &mut Lines<R>) -> io::Result<()> {
        let text = with_suit_signs(&line.text);
        if text.starts_with('#') && self.draft.is_empty() {
            self.draft.read_facts(&text, line.number);
        }
        if text.trim().is_empty() || text.starts_with('#') {
            self.add_begun();
            if self.draft.is_empty() {
                self.ready.extend(self.bare.drain(..));
            }
            return Ok(());
        }
        if !self.decided && !Language::of_line(&text).is_empty() {
            self.decide(line, lines)?;
        }
        let language = self.language.as_ref();
        let english = language.map(|language| language.in_english(&text));
        let (mut text, mut number) = (english.unwrap_or(text.into_owned()), line.number);
        if let Some((above, begun)) = self.begun.take_if(|(_, begun)| goes_on(begun, &text)) {
            (number, text) = (above, begun + " " + text.trim_start());
        }
        self.add_begun();
        if ends_within_hand(&text) {
            self.begun = Some((number, text));
        } else {
            self.add(&text, number);
        }
        Ok(())
    }

    /// Adds the line that ended within a hand.
    fn add_begun(&mut self) {
        if let Some((number, text)) = self.begun.take() {
            self.add(&text, number);
        }
    }

    /// Decides in which language the cards are, by the line that is the first with cards of another
    /// one and by those after it: that in which most cards are read.
    fn decide<R: BufRead>(&mut self, first: &Line, lines: &mut Lines<R>) -> io::Result<()> {
        self.decided = true;
        let ahead = lines.look_ahead(LOOK_AHEAD)?;
        let text = std::iter::once(&*first.text).chain(ahead);
        let text = text.map(with_suit_signs).collect::<Vec<_>>().join("\n");
        let english = self.trial(&text);
        let mut most = worth(&english);
        let mut best: Vec<(Language, Vec<Board>)> = Vec::new();
        let mut texts = vec![text.clone()];
        for is_lettered in [false, true] {
            if most.0 > 0 {
                break;
            }
            let mut languages = Language::of(&text, is_lettered);
            languages.retain(|language| language.reads_cards_of(&text));
            // First those that have all cards, because several languages may read the same.
            languages.sort_by_cached_key(|language| language.lacks_cards_of(&text));
            for language in languages {
                let text: Vec<_> = text.lines().map(|line| language.in_english(line)).collect();
                let text = text.join("\n");
                // Many languages read the same.
                if texts.contains(&text) {
                    continue;
                }
                let boards = self.trial(&text);
                texts.push(text);
                match worth(&boards).cmp(&most) {
                    Ordering::Less => continue,
                    Ordering::Equal if best.is_empty() => continue,
                    Ordering::Equal => {}
                    Ordering::Greater => best.clear(),
                }
                most = worth(&boards);
                best.push((language, boards));
            }
        }
        let Some((language, boards)) = best.first() else {
            return Ok(());
        };
        let hands = |board: &Board| board.hands;
        let differs = |others: &[Board]| !others.iter().map(hands).eq(boards.iter().map(hands));
        if let Some((other, _)) = best.iter().find(|(_, others)| differs(others)) {
            let problem = language.or(other, &with_suit_signs(&first.text));
            self.fail(first.number, problem);
            return Ok(());
        }
        if language.lacks_cards_of(&text) {
            self.miss(&first.text, first.number, "cards in one language");
            return Ok(());
        }
        self.doubt = Some(Note {
            line: first.number,
            doubt: Doubt::Language(language.to_string()),
        });
        self.language = Some(language.clone());
        Ok(())
    }

    /// The boards that a text would give from here on.
    fn trial(&self, text: &str) -> Vec<Board> {
        let reader = DiagramBoards {
            draft: self.draft.clone(),
            decided: true,
            begun: self.begun.clone(),
            ..DiagramBoards::default()
        };
        let read = boards_in(text, Options::default(), reader);
        read.flatten().collect()
    }

    /// Ends the board that is being read.
    fn finish(&mut self) {
        let draft = std::mem::take(&mut self.draft);
        if draft.is_bare() {
            self.bare.clear();
        } else if draft.sources.contains(&Some(Source::Bare)) {
            return self.bare.extend(draft.board());
        }
        // Facts without hands.
        let facts = draft.facts_line.filter(|_| draft.is_empty());
        self.between = self.between.or(facts);
        let is_deduced = !draft.is_finished();
        let unread = self.unread.take();
        self.ready.extend(draft.board().map(|board| match unread {
            // The last hand would be deduced although cards above it have no hand.
            Some((line, text)) if is_deduced && board.is_ok() => {
                let problem = Problem::expected("hand", &text, IN_ONE_HAND);
                Err(problem.at(line))
            }
            _ => board,
        }));
    }

    fn fail(&mut self, line: u64, problem: Problem) {
        self.bare.clear();
        if !self.draft.failed {
            self.ready.push_back(Err(problem.at(line)));
        }
        self.draft.failed = true;
    }

    /// Refuses hands that are not below the names of their seats; the next board may be sound.
    fn misplace(&mut self, text: &str, line: u64) {
        self.fail(line, misfit(text));
        self.draft.failed = false;
    }

    /// Sets a hand; one of the same seat before it belongs to another board.
    fn set(&mut self, (seat, source): (Seat, Source), hand: Hand, line: u64) {
        self.draft.forget_stray();
        if self.draft.has(seat) {
            let failed = self.draft.failed && hand.is_empty();
            self.finish();
            self.draft.failed = failed;
        }
        self.begin(line);
        self.draft.set((seat, source), hand);
    }

    fn begin(&mut self, line: u64) {
        if self.draft.is_empty() && !self.draft.failed {
            self.draft.board.line = line;
        }
    }

    fn add(&mut self, text: &str, number: u64) {
        // Of long lines only those with a deal are looked at further.
        if text.len() > LONGEST && !is_question(text) {
            return self.pass_over(text, number);
        }
        let held = self.bare.len();
        let (starts, heads) = (self.draft.is_empty(), self.draft.below.len() == 4);
        let named = match self.columns.row(text, starts, heads) {
            Some(Err(problem)) => return self.fail(number, problem),
            Some(Ok(named)) => Some(named),
            None => None,
        };
        let text = named.as_deref().unwrap_or(text);
        let text = &*if self.draft.is_empty() {
            text.into()
        } else {
            with_font(text)
        };
        let fact = std::mem::take(&mut self.draft.fact);
        let is_value = !fact.is_empty() && !text.ends_with(':') && !text.starts_with("  ");
        if is_value && self.draft.read_facts(&format!("{fact} {text}"), number) {
            return;
        }
        if self.draft.is_empty() && is_name_of_fact(text) {
            text.clone_into(&mut self.draft.fact);
            return;
        }
        let signs = plain_signs(text);
        let line = signs.as_deref().unwrap_or(text);
        if !self.add_hands(line, signs.is_some(), text, number) {
            self.is_headed = is_headed(text, self.is_headed);
            if !self.add_part(line, text, number) {
                return;
            }
        }
        self.draft.is_named = false;
        if !self.draft.sources.contains(&Some(Source::Bare)) {
            let held = held.min(self.bare.len());
            self.ready.extend(self.bare.drain(..held));
        }
        if self.draft.is_finished() {
            self.finish();
        }
    }

    /// Adds the hands of a line, or the board of one that has all four; returns true if it has some.
    fn add_hands(&mut self, line: &str, is_short: bool, text: &str, number: u64) -> bool {
        let mut read = notation(line);
        let asks = read.is_ok() || is_question(line);
        let named = if is_short {
            named_hands(line)
        } else {
            Vec::new()
        };
        let mut hands: Vec<_> = named
            .into_iter()
            .map(|(seat, hand)| ((seat, Source::Named), hand))
            .collect();
        if hands.is_empty() {
            let bare = bare_hand(line).filter(|_| is_short);
            if bare.is_some() {
                self.draft.forget_stray();
            }
            hands.extend(bare.map(|hand| (self.next_seat(), hand)));
        }
        if hands.is_empty() {
            read = read.or_else(|_| english(line));
        }
        if read.as_ref().is_ok_and(is_whole) || hands.is_empty() && asks {
            self.draft.read_facts(text, number);
            self.add_whole(read, line, number);
            return true;
        }
        let Some((_, (written, _))) = hands.last() else {
            return false;
        };
        self.draft.read_facts(text, number);
        let at = written.as_ptr() as usize + written.len() - line.as_ptr() as usize;
        let beside = line.get(at..).unwrap_or_default().trim();
        for (seat, (written, hand)) in hands {
            let hand = hand.unwrap_or_else(|error| {
                self.fail(number, Problem::text("hand", written, error));
                Hand::EMPTY
            });
            self.set(seat, hand, number);
        }
        if !beside.is_empty() {
            let doubt = Doubt::Beside(beside.to_owned());
            self.draft.board.doubt(number, doubt);
        }
        true
    }

    /// Adds the board of a line with all its hands, or the error of the line.
    fn add_whole(&mut self, read: Result<Board, Problem>, text: &str, number: u64) {
        self.draft.forget_stray();
        let before = if self.draft.is_empty() {
            self.draft.facts_line = None;
            std::mem::take(&mut self.draft.board)
        } else {
            Board::default()
        };
        self.finish();
        self.unread = None;
        let mut board = match read {
            Ok(board) => board.of_line(number, before.number),
            Err(problem) => return self.ready.push_back(Err(problem.at(number))),
        };
        let is_bare = board.is_bare();
        if is_bare && (self.columns.are_named() || self.is_headed) {
            return self.misplace(text, number);
        }
        let is_fact = |note: &Note| matches!(&note.doubt, Doubt::Beside(text) if are_facts(text));
        board.notes.retain(|note| !is_fact(note));
        (board.dealer, board.vulnerability) = (before.dealer, before.vulnerability);
        board.notes.splice(..0, before.notes);
        if is_bare {
            self.bare.push(Ok(board));
        } else {
            self.ready.push_back(Ok(board));
        }
    }

    /// Adds the part of a board that a line without a hand is; returns false if suits may follow it.
    fn add_part(&mut self, line: &str, text: &str, number: u64) -> bool {
        let facts = self.draft.read_facts(text, number);
        if self
            .draft
            .read_compass(&line.split_whitespace().collect::<String>())
        {
            return true;
        }
        if let Some(columns) = Columns::heading(text) {
            if !self.bare.is_empty() {
                self.misplace(text, number);
            }
            self.draft.forget_stray();
            self.draft.below = columns.seats().collect();
            self.columns = columns;
            return true;
        }
        if let Some(seats) = header(line).filter(|_| !facts || line.contains('(')) {
            self.head(seats);
            return false;
        }
        if let Some((seat, row)) = named_row(line) {
            self.head(vec![seat]);
            return self.add_part(row, row, number);
        }
        // A digit alone is the number of the board before any hand.
        let rows = rows(line).filter(|_| !facts || line.contains(is_symbol) || line.contains("  "));
        match rows {
            Some(Ok(_)) if self.draft.is_bare() => self.miss(line, number, FOUR_HANDS),
            Some(Ok(rows)) if rows.len() > 1 && names_seat(line, rows.len()) => {
                let expected = "each suit of a hand once, after the name of its seat";
                self.miss(line, number, expected);
            }
            Some(Ok(rows)) => {
                self.begin(number);
                if !self.draft.add_row(&rows) {
                    let expected = "the names of the seats: without them North, West, East, South \
                        and North, East, South, West look alike";
                    self.miss(line, number, expected);
                }
            }
            Some(Err((cell, error))) => self.fail(number, Problem::text("suit", &cell, error)),
            // The dealer may be above the vulnerable sides.
            None if facts && !has_signs(line) => {
                self.draft.forget_stray();
                return false;
            }
            None => self.pass_over(line, number),
        }
        true
    }

    /// Refuses cards that no layout has a hand for.
    fn miss(&mut self, line: &str, number: u64, expected: &'static str) {
        self.fail(number, Problem::expected("hand", line.trim(), expected));
    }

    /// The names of the seats of the suits that follow.
    fn head(&mut self, seats: Vec<Seat>) {
        self.draft.forget_stray();
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
    }

    /// Passes over a line of text.
    fn pass_over(&mut self, line: &str, number: u64) {
        let has_words = line.contains(char::is_alphanumeric);
        if has_words && self.draft.is_in_columns() {
            self.miss(line, number, IN_ONE_HAND);
        } else if self.draft.is_bare() && !line.trim().is_empty() {
            self.miss(line, number, FOUR_HANDS);
        } else if !self.draft.is_empty() && (has_cards(line) || are_seats(line)) {
            self.miss(line, number, IN_ONE_HAND);
        } else if has_cards(line) {
            self.unread = Some((number, line.trim().to_owned()));
        }
        // Calls are below these names, not hands.
        if has_words && self.draft.below.len() == 4 {
            self.draft.below.clear();
        }
        self.between.get_or_insert(number);
    }

    /// The seat of a hand without a name: that above it, or the first without a hand.
    fn next_seat(&self) -> (Seat, Source) {
        let open = |&seat: &Seat| !self.draft.has(seat);
        // Two names are those of suits beside each other.
        let below = self.draft.below.iter().copied().find(open);
        if let Some(seat) = below.filter(|_| self.draft.below.len() != 2) {
            return (seat, Source::Named);
        }
        let next = Seat::ALL.into_iter().find(open);
        (next.unwrap_or(Seat::North), Source::Bare)
    }
}
