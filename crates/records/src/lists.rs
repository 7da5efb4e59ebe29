//! Formats with one board per line: GIB's `.sol`, and plain lines.

use std::io::{self, BufRead};
use std::ops::Range;

use setrograde_cards::{Deal, Hand, Position, Rank, Seat, Side, Strain, Suit, TextError};

use crate::board::{Board, Doubt, check_hands};
use crate::columns::{is_headed, misfit, names_seats};
use crate::error::Problem;
use crate::languages::in_another_language;
use crate::lines::{BoardResult, Lines, ReadBoards, divided, words};
use crate::signs::is_symbol;

/// A file with a board on each line.
#[derive(Debug)]
pub(crate) struct LineBoards {
    board: fn(&str) -> Result<Board, Problem>,
    /// True if the line above the boards names seats.
    is_headed: bool,
}

impl LineBoards {
    /// The boards that `board` reads from lines.
    pub(crate) fn of(board: fn(&str) -> Result<Board, Problem>) -> LineBoards {
        let is_headed = false;
        LineBoards { board, is_headed }
    }
}

impl<R: BufRead> ReadBoards<R> for LineBoards {
    /// The next line with a board, or with an error.
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while let Some(line) = lines.next()? {
            let (text, number) = (line.start(), line.number);
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let four = |deal: &str| deal.split_whitespace().count() == 4;
            let is_deal = text.rsplit_once(':').is_some_and(|(deal, _)| four(deal));
            let too_long = line.too_long();
            if too_long.is_none() && !is_deal && !is_question(text) {
                lines.pass_over(number);
                self.is_headed = is_headed(text, self.is_headed);
                continue;
            }
            let count = Some(lines.count());
            let mut board = too_long.map_or_else(|| (self.board)(text), Err);
            if board.as_ref().is_ok_and(Board::is_bare) {
                let below = lines.look_ahead(1)?.next();
                if self.is_headed || below.is_some_and(names_seats) {
                    board = Err(misfit(text));
                }
            }
            return Ok(Some(match board {
                Ok(board) => Ok(board.of_line(number, count)),
                Err(problem) => Err(problem.at(number).of_board(count)),
            }));
        }
        Ok(None)
    }
}

/// A deal from West on, a colon, and the tricks of North and South by strain
/// as in [`Strain::ALL`] and then by leader: South, East, North, West.
pub(crate) fn sol(text: &str) -> Result<Board, Problem> {
    let bad = || {
        Problem::expected(
            "line",
            text,
            "a deal from West on, a colon and 20 hex digits",
        )
    };
    let (hands, digits) = text.rsplit_once(':').ok_or_else(bad)?;
    // The deal may name its first seat.
    let written = if hands.contains(':') {
        hands.to_owned()
    } else {
        format!("W:{hands}")
    };
    let deal: Deal = written
        .parse()
        .map_err(|error| Problem::text("deal", hands, error))?;
    let mut board = Board::default();
    board.set_deal(&deal);
    let digits: Option<Vec<u8>> = digits
        .trim()
        .chars()
        .map(|digit| digit.to_digit(14).map(|tricks| tricks as u8))
        .collect();
    let digits = digits.filter(|digits| digits.len() == 20).ok_or_else(bad);
    let Some(digits) = board.understood(0, digits) else {
        return Ok(board);
    };
    let mut tricks = [[0; 4]; 5];
    let leaders = [Seat::South, Seat::East, Seat::North, Seat::West];
    for (strain, of_strain) in Strain::ALL.into_iter().zip(digits.chunks(4)) {
        for (leader, &north_south) in leaders.into_iter().zip(of_strain) {
            let declarer = leader.plus(3);
            tricks[strain][declarer] = match declarer.side() {
                Side::NorthSouth => north_south,
                Side::EastWest => 13 - north_south,
            };
        }
    }
    board.double_dummy.tricks = Some(tricks);
    Ok(board)
}

/// A deal in PBN or in a list, or a position as `STRAIN LEADER DEAL`.
pub(crate) fn plain(text: &str) -> Result<Board, Problem> {
    let known = |error| known_hands(text).ok_or(error);
    english(text).or_else(known).or_else(|error| {
        let read = |text: &str| english(text).ok().map(|read| (read.hands, read));
        match in_another_language(text, read) {
            Some(read) => {
                let (mut board, doubt) = read?;
                board.doubt(0, doubt);
                Ok(board)
            }
            None => Err(error),
        }
    })
}

/// A deal whose hidden hands are `?` or `-`, at least two of them; or two hands alone, which are
/// North's and South's. The known hands have 13 cards.
fn known_hands(text: &str) -> Option<Board> {
    let (first, hands) = match text.split_once(':') {
        Some((first, hands)) => (first.trim().parse::<Seat>().ok()?, hands),
        None => (Seat::North, text),
    };
    let words: Vec<&str> = hands.split_whitespace().collect();
    let words = match words[..] {
        [north, south] => [north, "?", south, "?"],
        _ => words.try_into().ok()?,
    };
    let mut board = Board::default();
    for (at, word) in words.into_iter().enumerate() {
        if !matches!(word, "?" | "-") {
            let hand: Hand = word.parse().ok().filter(|hand: &Hand| hand.len() == 13)?;
            board.hands[first.plus(at)] = Some(hand);
        }
    }
    let known = board.hands.iter().flatten().count();
    ((1..3).contains(&known) && check_hands(&board.hands).is_ok()).then_some(board)
}

/// A deal in PBN after its first seat, or a position, in English.
pub(crate) fn notation(text: &str) -> Result<Board, Problem> {
    deal_or_position(text).or_else(|error| with_text_beside(text, deal_behind_seat(text), error))
}

/// A deal in PBN or in a list, or a position, in English.
pub(crate) fn english(text: &str) -> Result<Board, Problem> {
    deal_or_position(text).or_else(|error| with_text_beside(text, deal_beside(text), error))
}

/// A deal with other text beside it.
#[cold]
fn with_text_beside(
    text: &str,
    beside: Option<(Deal, Doubt)>,
    error: TextError,
) -> Result<Board, Problem> {
    let (deal, doubt) = beside.ok_or_else(|| Problem::text("line", text, error))?;
    let mut board = Board::default();
    board.doubt(0, doubt);
    board.set_deal(&deal);
    Ok(board)
}

fn deal_or_position(text: &str) -> Result<Board, TextError> {
    let mut board = Board::default();
    let seat = text.split_once(':').map(|(seat, _)| seat.trim());
    if seat.is_some_and(|seat| !seat.contains(char::is_whitespace)) {
        board.set_deal(&text.parse()?);
        return Ok(board);
    }
    let position: Position = text.parse()?;
    board.set_deal(position.deal());
    let first = text.split_whitespace().next();
    if let Some(contract) = first.and_then(|first| first.parse().ok()) {
        board.set_contract(contract);
    }
    board.strain = Some(position.strain());
    board.leader = Some(position.leader());
    board.on_table = position.played().to_vec();
    Ok(board)
}

/// Finds the deal in a line that has other text before or after it, or its hands in a list, and
/// returns it with the warning about that text or about the seats. `None` if there is no deal or no
/// other text, or if the text may be part of a question: a fifth hand, or the strain and the leader
/// of a position.
pub fn deal_beside(text: &str) -> Option<(Deal, Doubt)> {
    if order(text).is_some() {
        return deal_in_list(text);
    }
    deal_behind_seat(text).or_else(|| deal_in_list(text))
}

/// The seats of the hands of a line, if the words before the first are those of all seats, or a word
/// with their letters, such as `WNES`.
fn order(text: &str) -> Option<Vec<Seat>> {
    let before = &text[..text.find('.')?];
    let mut words: Vec<&str> = words(before).collect();
    // The last one is the first suit of the hand, unless that is void.
    if !before.ends_with(|c: char| !c.is_alphanumeric()) {
        words.pop();
    }
    let of_letters = |word: &&str| word.chars().map(|c| c.to_string().parse().ok()).collect();
    let of_words = || {
        let last = &words[words.len().checked_sub(4)?..];
        let places: Vec<_> = last.iter().map(|word| place(before, word)).collect();
        let seats = last.iter().map(|word| word.parse().ok());
        are_even(before, &places).then(|| seats.collect())?
    };
    let seats: Vec<Seat> = words
        .last()
        .and_then(of_letters)
        .filter(|seats: &Vec<Seat>| seats.len() == 4)
        .or_else(of_words)?;
    Seat::ALL
        .iter()
        .all(|seat| seats.contains(seat))
        .then_some(seats)
}

fn deal_behind_seat(text: &str) -> Option<(Deal, Doubt)> {
    // The seat is the letter before a colon, with no other letter or digit before it.
    let begins = |&(colon, _): &(usize, &str)| {
        let mut before = text[..colon].chars().rev();
        before.next().is_some_and(|c| "NESWnesw".contains(c))
            && before.next().is_none_or(|c| !c.is_alphanumeric())
            && begins_with_hand(&text[colon + 1..])
    };
    let (colon, _) = text.match_indices(':').find(begins)?;
    let (before, rest) = text.split_at(colon - 1);
    // Four hands of rank letters and dots, with blanks between them.
    let mut after = &rest[2..];
    for _ in 0..4 {
        after = after.trim_start().trim_start_matches(of_hand);
    }
    // A character right after the last card is a slip in it.
    if after.starts_with(char::is_alphanumeric) {
        return None;
    }
    let (before, beside) = (before.trim(), after.trim());
    if before.is_empty() && beside.is_empty() {
        return None;
    }
    let words: Vec<&str> = before.split_whitespace().collect();
    let is_question = match words[..] {
        [strain, leader] => strain.parse::<Strain>().is_ok() && leader.parse::<Seat>().is_ok(),
        _ => false,
    };
    let has_hand = words.iter().any(|word| is_hand(word));
    if is_question || has_hand || after.split_whitespace().next().is_some_and(is_hand) {
        return None;
    }
    let deal = rest[..rest.len() - after.len()].parse().ok()?;
    let beside = [before, beside].join(" ");
    Some((deal, Doubt::Beside(beside.trim().to_owned())))
}

/// Returns true if a character separates the items of a list, an object or a row of a table.
fn separates(c: char) -> bool {
    c.is_whitespace() || "'\"`[](){},;:=|".contains(c)
}

/// The deal of four hands in a list, an object or a row of a table. Each hand has its seat before it,
/// or none has: then they are the hands from North on, if a sign or a letter before them is no slip
/// in a seat.
fn deal_in_list(text: &str) -> Option<(Deal, Doubt)> {
    let is_field = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        matches!(&*lower, "cards" | "hand" | "seat")
    };
    let words = text.split(separates).filter(|word| !word.is_empty());
    let is_apart = order(text).is_none();
    let (mut hands, mut seats, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    // The words before the last hand belong to no other.
    let (mut taken, mut places) = (0, Vec::new());
    for word in words {
        if !is_hand(word) {
            beside.push(word);
        } else if hands.len() < 4 {
            places.push(place(text, word));
            hands.push(word.parse::<Hand>().ok()?);
            // A word that is no seat belongs to no hand.
            let at = beside
                .iter()
                .rposition(|word| !is_field(word))
                .filter(|&at| is_apart && at >= taken);
            let seat = at.and_then(|at| Some((at, beside[at].parse::<Seat>().ok()?)));
            if let Some((at, seat)) = seat {
                beside.remove(at);
                seats.push(seat);
            }
            taken = beside.len();
        } else {
            return None;
        }
    }
    if !is_apart && !are_even(text, &places) {
        return None;
    }
    let length = hands.get(3)?.len();
    let is_slip =
        |word: &&str| is_apart && word.len() == 1 && !word.bytes().all(|b| b.is_ascii_digit());
    // A number is in a row of a table, whose heading has the order of the hands.
    let is_column = |word: &str| {
        word == "NT" || word.bytes().all(|b| b.is_ascii_digit()) || word.parse::<Seat>().is_ok()
    };
    // GIB's deals, with a colon behind them, begin with West.
    let (before, _) = text.rsplit_once(':').unwrap_or_default();
    let is_plain =
        !before.contains('.') && !text.trim_start().starts_with(':') && !beside.iter().any(is_slip);
    let doubt = match (seats.len(), beside.is_empty()) {
        (0, _) if !is_apart => Doubt::Beside(beside.join(" ")),
        (0, _) if length == 13 && is_plain && !beside.iter().any(|word| is_column(word)) => {
            Doubt::NoSeats
        }
        (4, false) => Doubt::Beside(beside.join(" ")),
        _ => return None,
    };
    if seats.is_empty() {
        seats = order(text).unwrap_or(Seat::ALL.to_vec());
    }
    let mut of_seat = [Hand::EMPTY; 4];
    for (seat, hand) in seats.into_iter().zip(hands) {
        of_seat[seat] = hand;
    }
    let deal = Deal::new(of_seat).ok()?;
    // A seat that is named twice leaves another one empty.
    (deal.cards_per_hand()? == length).then_some((deal, doubt))
}

/// Byte range of a word in the text that contains it.
fn place(text: &str, word: &str) -> Range<usize> {
    let start = word.as_ptr() as usize - text.as_ptr() as usize;
    start..start + word.len()
}

/// Returns true if words have the same signs between them. If the seats of a heading, or hands in
/// their order, do not, one has been moved.
fn are_even(text: &str, words: &[Range<usize>]) -> bool {
    let mut gaps = words
        .windows(2)
        .map(|pair| &text[pair[0].end..pair[1].start]);
    let first = gaps.next();
    gaps.all(|gap| Some(gap) == first)
}

/// Returns true if the first word has the form of a hand in PBN. It is read no further than that:
/// each colon of a long word is looked at.
fn begins_with_hand(text: &str) -> bool {
    let text = text.trim_start();
    let (hand, after) = divided(text, |c| !of_hand(c));
    is_hand(hand) && after.chars().next().is_none_or(char::is_whitespace)
}

/// Returns true if a word has the form of a hand in PBN.
pub(crate) fn is_hand(word: &str) -> bool {
    word.matches('.').count() == 3 && word.chars().all(of_hand)
}

/// Returns true if a hand in PBN may have this character.
fn of_hand(c: char) -> bool {
    c == '.' || c == '1' || c == '0' || Rank::from_letter(c).is_some()
}

/// Returns true if `line` has the form of a `.sol` file, with or without results.
pub(crate) fn is_sol(line: &str) -> bool {
    line.rsplit_once(':').is_some_and(|(deal, digits)| {
        let digits = digits.trim();
        digits.len() == 20
            && digits
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() || b"*-?".contains(&byte))
            && deal.split_whitespace().count() == 4
    })
}

/// Returns true if a line is a question, valid or not: it has a deal, after its first seat and a
/// colon, or as hands with dots. Other lines are text, even if they begin with a strain and a seat.
pub fn is_question(line: &str) -> bool {
    let is_hand = |word: &&str| is_hand(word) && word.contains(|c| Rank::from_letter(c).is_some());
    let hands = line.split(separates).filter(is_hand);
    let whole = |word: &str| word.len() > 12;
    let mut behind = line.match_indices(':').map(|(at, _)| line.split_at(at));
    // Slips are named, so a hand need not be sound.
    let is_deal = |text: &str| {
        let mut words = text[1..].split_whitespace();
        let dots = |word: &str| word.matches('.').count() >= 2 && word.contains(of_hand);
        let is_mark = |c: &char| Suit::from_letter(*c).is_some();
        let marks = |word: &str| {
            let plain = word.chars().all(|c| is_mark(&c) || of_hand(c));
            plain && word.chars().filter(is_mark).count() >= 3
        };
        let named = |word: &&str| {
            let mut letters = word.chars();
            letters.next().is_some_and(|c| is_mark(&c))
                && matches!(letters.next(), None | Some(':' | '='))
        };
        words.clone().filter(named).count() > 3
            || words
                .clone()
                .any(|word| whole(word) && dots(word) || marks(word))
            || words.clone().nth(1).is_some() && words.any(dots)
            || text[1..].contains(is_symbol)
    };
    let is_seat = |text: &str| {
        let mut letters = text.trim_end().chars().rev();
        let seat = letters.next().is_some_and(|c| "NESWnesw".contains(c));
        seat && letters.next().is_none_or(|c| !c.is_alphanumeric())
    };
    let is_card = |word: &str| word.contains(|c: char| c.is_alphabetic());
    // Numbers of versions and shapes have dots, too.
    hands.clone().count() > 1 && hands.clone().any(is_card)
        || hands.clone().any(whole)
        || behind
            .find(|(seat, _)| is_seat(seat))
            .is_some_and(|(_, deal)| is_deal(deal))
}
