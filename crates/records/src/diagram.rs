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

use setrograde_cards::{Hand, Holding, Seat, Suit, Vulnerability};

use crate::board::{Board, Doubt, Note, check_hands, complete};
use crate::columns::{Columns, misfit, names_seats};
use crate::error::{AtLine, Problem, RecordError};
use crate::facts::{BoardFacts, are_facts, is_name_of_fact};
use crate::languages::{Language, with_suit_signs};
use crate::lines::{Line, Lines, Options, ReadBoards};
use crate::lists::{english, is_question, is_symbol, notation};
use crate::rows::{
    LONGEST, SuitRow, are_seats, bare_hand, has_cards, header, named_hands, named_row, names_seat,
    plain_signs, rows, with_font,
};

/// The bytes that decide the language of the cards.
const LOOK_AHEAD: usize = 1 << 14;

/// Where cards can be.
const IN_ONE_HAND: &str = "a suit and its cards in one hand of the board";

/// Of hands without names there are four, below each other.
const FOUR_HANDS: &str = "four hands below each other, from North on, or the names of the seats";

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

/// The part of a line that has the name of a fact beside a value, but is not read.
fn unread_fact(line: &str) -> Option<String> {
    if BoardFacts::of(line).is_some() {
        return None;
    }
    let parts = line
        .split([',', ';', '|', '\t'])
        .flat_map(|part| part.split(". "));
    let mut parts = parts.flat_map(|part| part.split("  "));
    parts.find_map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let is_fact = |pair: &[&str]| {
            let is_named = pair.iter().any(|word| is_name_of_fact(word));
            is_named && BoardFacts::of(&pair.join(" ")).is_some()
        };
        let at = words.windows(2).position(is_fact)?;
        facts_in(part).is_empty().then(|| words[at..].join(" "))
    })
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
    let is_name =
        || header(&line).is_some() || Columns::heading(&line).is_some() || has_facts(&line);
    is_name() || suits() || !named_hands(&line).is_empty() || bare_hand(&line).is_some()
}

/// A hand, perhaps without some of its suits.
type SuitsRead = [Option<Holding>; 4];

/// The way in which the seat of a hand is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// By its name before it or above it.
    Named,
    /// By its position in a diagram.
    Drawn,
    /// By the order of four hands alone.
    Bare,
}

/// A board as far as it was read.
#[derive(Clone, Debug, Default)]
struct DiagramDraft {
    board: Board,
    suits: [SuitsRead; 4],
    sources: [Option<Source>; 4],
    /// The seats of the suits that follow.
    below: Vec<Seat>,
    /// True if the line before named them.
    is_named: bool,
    /// True if that line is below facts, so a seat without a hand is the dealer's.
    is_dealer: bool,
    /// The letters of a compass that were read.
    compass: String,
    /// The name of a fact whose value is on the next line.
    fact: String,
    /// True if the line above has facts.
    has_facts_above: bool,
    /// The line of the first facts.
    facts_line: Option<u64>,
    /// A word on the line above that may be one.
    alone_above: Option<BoardFacts>,
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

    /// Returns true if hands without names have been read, but not all four.
    fn is_bare(&self) -> bool {
        let all = [Some(Source::Bare); 4];
        self.sources.contains(&Some(Source::Bare)) && (self.sources != all || !self.is_finished())
    }

    /// Returns true if some suits of four hands beside each other have been read, whose order counts.
    fn is_in_columns(&self) -> bool {
        let is_begun = |&seat: &Seat| self.has(seat) && !self.is_complete(seat);
        self.sources == [Some(Source::Drawn); 4] && Seat::ALL.iter().all(is_begun)
    }

    /// Returns true if a single suit has been read, without the name of its seat: it may be a word.
    fn is_stray(&self) -> bool {
        let count = self.suits.iter().flatten().flatten().count();
        count == 1 && self.sources.contains(&Some(Source::Drawn))
    }

    /// Forgets a word that was read as a suit, once the parts of a board follow.
    fn forget_stray(&mut self) {
        if self.is_stray() {
            (self.suits, self.sources) = Default::default();
        }
    }

    fn set(&mut self, (seat, source): (Seat, Source), hand: Hand) {
        self.suits[seat] = hand.holdings().map(Some);
        self.sources[seat] = Some(source);
        if self.below.len() < 4 {
            self.below.clear();
        }
    }

    /// The seats of a row with the suits of this many hands.
    fn seats_of(&self, count: usize, suit: Option<Suit>) -> Option<(Vec<Seat>, Source)> {
        let open = |&seat: &Seat| match suit {
            Some(suit) => self.suits[seat][suit.index()].is_none(),
            None => !self.is_complete(seat),
        };
        let is_open = self.below.iter().any(open);
        if is_open && self.below.len() == count {
            return Some((self.below.clone(), Source::Named));
        }
        // Four names head columns.
        if is_open && self.below.len() < 4 && count == 1 {
            let next = self.below.iter().copied().find(open)?;
            return Some((vec![next], Source::Named));
        }
        let around = [Seat::West, Seat::East];
        let seats = match count {
            1 => {
                let mut unfinished = [Seat::North, Seat::South].into_iter();
                let next = unfinished.find(|&seat| !self.is_complete(seat))?;
                let is_first = next == Seat::North;
                vec![Some(next).filter(|_| !is_first || !around.iter().any(|&s| self.has(s)))?]
            }
            2 if around.iter().any(open) => around.to_vec(),
            4 => Seat::ALL.to_vec(),
            _ => return None,
        };
        Some((seats, Source::Drawn))
    }

    /// Adds the suits of a row, if they can be of one hand or of hands beside each other.
    fn add_row(&mut self, rows: &[SuitRow]) -> bool {
        // Of the suits with one name, each belongs to another hand.
        let of_suit = |rows: &[SuitRow], at: usize| {
            let same = |row: &&SuitRow| row.0 == rows[at].0;
            rows.iter().filter(same).count()
        };
        let nth = |at: usize| match rows[at].0 {
            Some(_) => of_suit(&rows[..=at], at) - 1,
            None => at,
        };
        let count = (0..rows.len()).map(|at| nth(at) + 1).max().unwrap_or(0);
        let all_have = (0..rows.len()).all(|at| of_suit(rows, at) == count);
        let seats = self.seats_of(count, rows[0].0);
        let Some((seats, source)) = seats.filter(|_| rows.len() < 16 && all_have) else {
            return false;
        };
        for (at, &(suit, holding)) in rows.iter().enumerate() {
            let seat = seats[nth(at)];
            let suits = &mut self.suits[seat];
            let next = suits
                .iter()
                .rposition(Option::is_some)
                .map_or(0, |at| at + 1);
            let at = suit.map_or(next, Suit::index);
            if at < next || at > 3 {
                return false;
            }
            suits[at] = Some(holding);
            if at == 3 {
                close(suits);
            }
            self.sources[seat].get_or_insert(source);
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
            self.sources[Seat::West] = self.sources[Seat::South].take();
            self.below = vec![Seat::East, Seat::South];
        } else {
            self.compass = read;
        }
        true
    }

    /// The names of the seats of the hands below; one without hands is the dealer's.
    fn head(&mut self, seats: Vec<Seat>) {
        if let ([dealer], [_], true) = (&self.below[..], &seats[..], self.is_named)
            && self.is_dealer
            && self.is_empty()
        {
            self.board.dealer.get_or_insert(*dealer);
        }
        self.is_dealer = self.has_facts_above;
        self.below = seats;
    }

    /// The board, if it has a hand.
    fn board(mut self) -> Option<Result<Board, AtLine>> {
        if self.failed || !Seat::ALL.iter().any(|&seat| self.is_complete(seat)) {
            return None;
        }
        let line = self.board.line;
        if self.is_bare() {
            let found = "hands without the names of their seats";
            let problem = Problem::expected("deal", found, FOUR_HANDS);
            return Some(Err(AtLine { line, problem }));
        }
        for seat in Seat::ALL {
            if self.has(seat) {
                let holdings = self.suits[seat].map(Option::unwrap_or_default);
                self.board.hands[seat] = Some(Hand::new(holdings));
            }
        }
        let is_from = |source| self.sources.iter().flatten().any(|&found| found == source);
        if is_from(Source::Bare) {
            self.board.doubt(line, Doubt::NoSeats);
        }
        let hands = self.board.hands;
        let read = if is_from(Source::Bare) || is_from(Source::Drawn) {
            check_hands(&hands).map(|()| hands)
        } else {
            complete(hands)
        };
        Some(match read {
            Ok(hands) => {
                self.board.hands = hands;
                Ok(self.board)
            }
            Err(problem) => Err(problem.at(line)),
        })
    }

    /// Reads the number of the board, the dealer and the vulnerable sides. A word without its label
    /// is one of them only on the line below labelled ones, and replaces none.
    fn read_facts(&mut self, line: &str, number: u64) -> bool {
        let labelled = facts_in(line);
        let is_beside = self.has_facts_above || !labelled.is_empty();
        if let Some(unread) = unread_fact(line).filter(|_| is_beside) {
            self.board.doubt(number, Doubt::Beside(unread));
        }
        let is_empty = self.is_empty() || self.is_stray() && self.alone_above.is_some();
        let starts = is_empty && self.below.len() < 2 && labelled.is_empty();
        let mut alone = BoardFacts::alone(line).filter(|_| starts);
        let above = std::mem::replace(&mut self.alone_above, alone);
        alone = if self.has_facts_above {
            // One side alone may be a pair.
            let is_pair = |sides| !matches!(sides, Vulnerability::None | Vulnerability::Both);
            alone.filter(|facts| !facts.vulnerability.is_some_and(is_pair))
        } else {
            // A number above the sides can mean nothing else, not even a suit.
            let number = above.and_then(|facts| facts.number);
            let both = alone.filter(|facts| facts.vulnerability.is_some() && number.is_some());
            both.map(|facts| BoardFacts { number, ..facts })
        };
        let found = !labelled.is_empty() || alone.is_some();
        // The dealer may be between them, but not the label of a hand.
        let is_dealer = || header(line).is_some_and(|seats| seats.len() == 1);
        self.has_facts_above &= !line.ends_with(':') && is_dealer();
        for facts in labelled {
            let mut differ = false;
            let board = &mut self.board;
            set(&mut board.number, facts.number, &mut differ);
            set(&mut board.dealer, facts.dealer, &mut differ);
            set(&mut board.vulnerability, facts.vulnerability, &mut differ);
            if differ {
                board.doubt(number, Doubt::Facts(line.trim().to_owned()));
            }
            self.has_facts_above = true;
            self.facts_line.get_or_insert(number);
        }
        if let Some(facts) = alone {
            self.forget_stray();
            let board = &mut self.board;
            board.number = board.number.or(facts.number);
            board.vulnerability = board.vulnerability.or(facts.vulnerability);
        }
        self.has_facts_above |= alone.is_some();
        found
    }
}

/// Sets a fact, if there is one, and learns whether it had another value.
fn set<T: PartialEq + Copy>(fact: &mut Option<T>, read: Option<T>, differ: &mut bool) {
    *differ |= fact.is_some() && read.is_some() && *fact != read;
    *fact = read.or(*fact);
}

/// The suits of a hand that has no more of them are void.
fn close(suits: &mut SuitsRead) {
    for suit in suits {
        suit.get_or_insert(Holding::EMPTY);
    }
}

/// A text as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct DiagramBoards {
    draft: DiagramDraft,
    ready: VecDeque<Result<Board, AtLine>>,
    /// A line above the board with cards that are in none of its hands.
    unread: Option<(u64, String)>,
    /// Boards of hands without names, which count if no other hand is below them.
    bare: Vec<Result<Board, AtLine>>,
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
}

impl<R: BufRead> ReadBoards<R> for DiagramBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<Result<Board, RecordError>>> {
        while self.ready.is_empty() {
            let Some(line) = lines.next()? else {
                self.finish();
                self.ready.extend(self.bare.drain(..));
                break;
            };
            if let Some(problem) = line.too_long() {
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
            Err(error) => Err(error.in_file(&lines.file, Some(count))),
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
        self.add(english.as_deref().unwrap_or(&text), line.number);
        Ok(())
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
            for language in Language::of(&text, is_lettered) {
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
        self.doubt = Some(Note {
            line: first.number,
            doubt: Doubt::Language(language.to_string()),
        });
        self.language = Some(language.clone());
        Ok(())
    }

    /// The boards that a text would give from here on.
    fn trial(&self, text: &str) -> Vec<Board> {
        let mut boards = DiagramBoards {
            draft: self.draft.clone(),
            decided: true,
            ..DiagramBoards::default()
        };
        let mut lines = Lines::new(text.as_bytes(), "", Options::default());
        let read = std::iter::from_fn(|| boards.read(&mut lines).ok().flatten());
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
                Err(AtLine { line, problem })
            }
            _ => board,
        }));
    }

    fn fail(&mut self, line: u64, problem: Problem) {
        self.bare.clear();
        if !self.draft.failed {
            self.ready.push_back(Err(AtLine { line, problem }));
        }
        self.draft.failed = true;
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
            self.is_headed = names_seats(text);
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
            Ok(board) => board,
            Err(problem) => {
                let line = number;
                return self.ready.push_back(Err(AtLine { line, problem }));
            }
        };
        let is_bare = board.is_bare();
        if is_bare && (self.columns.are_named() || self.is_headed) {
            self.fail(number, misfit(text));
            self.draft.failed = false;
            return;
        }
        let is_fact = |note: &Note| matches!(&note.doubt, Doubt::Beside(text) if are_facts(text));
        board.notes.retain(|note| !is_fact(note));
        board.line = number;
        board.number = before.number;
        board.dealer = before.dealer;
        board.vulnerability = before.vulnerability;
        board.notes.iter_mut().for_each(|note| note.line = number);
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
                self.fail(number, misfit(text));
                self.draft.failed = false;
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
            None if facts => {
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
