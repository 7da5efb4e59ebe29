//! The parts of a line in a diagram: suits after their symbols, hands, and the names of seats.

use setrograde_cards::{Call, Hand, Holding, Rank, Seat, Side, Suit, TextError};

use crate::facts::BoardFacts;
use crate::languages::seat;
use crate::lines::{divided, words};
use crate::signs::{LONGEST, abbreviated, is_symbol, suit_of_letter, suit_of_symbol};

/// The seat that begins a text, and the rest: after a name, or after a letter and a sign. The rest
/// is empty if the text is the name alone.
fn label(text: &str) -> Option<(Seat, &str)> {
    let text = text.trim_start().trim_start_matches(['(', '[', '【']);
    let (name, rest) = divided(text, |c| !c.is_alphabetic());
    let seat = seat(name)?;
    let mut rest = rest.trim_start_matches([')', ']', '】']).trim_start();
    // The dealer, or the name of the player.
    if let Some((note, after)) = rest.strip_prefix('(').and_then(|note| note.split_once(')'))
        && hand(note).is_none()
    {
        rest = after.trim_start();
    }
    let (word, after) = divided(rest, |c| !c.is_alphabetic());
    if ["has", "holds", "held", "hand"].contains(&&*word.to_lowercase()) {
        rest = after.trim_start();
    }
    let is_sign = |c: char| c.is_whitespace() || ":=;|,~/>([<".contains(c);
    // A cell without cards is a void.
    let cell = rest.strip_prefix(",,").map(|_| &rest[1..]);
    let after = cell.unwrap_or(rest.trim_start_matches(is_sign));
    if after.len() < rest.len() {
        return Some((seat, after.trim()));
    }
    // A dash or a dot may be a void.
    if hand(rest).is_some_and(|hand| hand.is_ok()) {
        return Some((seat, rest.trim()));
    }
    let is_apart = |c: char| c.is_whitespace() || ">)".contains(c);
    let after = match rest.strip_prefix(['-', '–', '—', '.']) {
        Some(after) if after.starts_with(is_apart) => after.trim_start_matches(is_apart),
        Some(after) if !rest.starts_with('.') && after.starts_with(is_rank) => after,
        _ => rest,
    };
    Some((seat, after.trim()))
}

/// Returns true if a character begins a card.
fn is_rank(c: char) -> bool {
    c == '1' || Rank::from_letter(c).is_some()
}

/// The hand that a text is, if it has the form of one: four holdings with signs between them, or
/// the symbols or letters of two suits or more.
pub(crate) fn hand(text: &str) -> Option<Result<Hand, TextError>> {
    written_hand(text).filter(|hand| hand.as_ref().map_or(true, |hand| !hand.is_empty()))
}

fn written_hand(text: &str) -> Option<Result<Hand, TextError>> {
    let text = text.trim();
    let is_cells = |c: char| is_rank(c) || matches!(c, '0' | ',');
    if text.matches(',').count() == 3 && text.chars().all(is_cells) {
        return Some(text.replace(',', ".").parse());
    }
    let text = text.trim_end_matches([';', ',', '|', ' ', ')', ']', '>']);
    if let Some(marked) = with_symbols(text) {
        // One suit is a row.
        if marked.matches(is_symbol).count() == 1 {
            return None;
        }
        if let Ok(hand) = marked.parse() {
            return Some(Ok(hand));
        }
    }
    let ranks = |c: char| is_rank(c) || matches!(c, '0' | '-' | '–' | '—');
    if !text.starts_with(|c: char| ranks(c) || c == '.' || is_mark(c)) {
        return None;
    }
    for sign in ['.', '/', ','] {
        // Commas are between hands with dots.
        if sign != '.' && text.contains('.') {
            break;
        }
        // Blanks are beside the signs.
        let mut holdings = text
            .split(sign)
            .map(|cards| cards.split_whitespace().count());
        let is_apart = holdings.all(|words| words < 2);
        if text.matches(sign).count() == 3 && is_apart && !text.contains(is_symbol) {
            let dotted: String = text.split_whitespace().collect();
            return Some(dotted.replace(sign, ".").parse());
        }
    }
    // Other signs are in dates and shapes, too.
    for sign in ['/', ',', '|', ';', ':', '•', '·', '-', '–', '.'] {
        let is_cards = |c: char| ranks(c) || c.is_whitespace() || c == sign;
        if text.matches(sign).count() == 3 && text.chars().all(is_cards) {
            let dotted = text.replace(sign, ".").replace(char::is_whitespace, "");
            let read = dotted.parse::<Hand>().ok().filter(|hand| hand.len() == 13);
            if let Some(hand) = read {
                return Some(Ok(hand));
            }
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

/// The suit that a symbol or a letter names.
fn suit_of_mark(c: char) -> Option<Suit> {
    suit_of_symbol(c).or_else(|| Suit::from_letter(c))
}

fn is_mark(c: char) -> bool {
    suit_of_mark(c).is_some()
}

/// The number of suits that symbols or letters name, each once and in their order; else 0.
fn marks(text: &str) -> usize {
    let suits: Vec<Suit> = text.chars().filter_map(suit_of_mark).collect();
    if suits.is_sorted_by(|a, b| a < b) {
        suits.len()
    } else {
        0
    }
}

/// The suit that a text begins with, in any spelling except those of other languages, and the text
/// after it: `♠`, `S:`, `(S)`, `s `, `Spades -`.
fn mark(text: &str) -> Option<(Suit, &str)> {
    let inner = text.trim_start_matches(['(', '[']);
    let first = inner.chars().next()?;
    let (name, _) = divided(inner, |c| !c.is_ascii_alphabetic());
    let named = |suit: &Suit| {
        let singular = suit.name().trim_end_matches('s');
        let start = name.get(..singular.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(singular))
    };
    let (suit, length) = if let Some(suit) = abbreviated(name) {
        (suit, name.len())
    } else if let Some(suit) = Suit::ALL.into_iter().find(named) {
        let singular = suit.name().len() - 1;
        let plural = name[singular..].starts_with(['s', 'S']);
        (suit, singular + usize::from(plural))
    } else {
        (suit_of_mark(first)?, first.len_utf8())
    };
    let rest = &inner[length..];
    let behind = rest.trim_start_matches([')', ']']);
    // A small letter is one of a word unless a sign or a card is behind it.
    let is_card = |c: char| !c.is_lowercase() && Rank::from_letter(c).is_some();
    let is_apart = behind.len() < rest.len()
        || behind.starts_with(|c: char| !c.is_alphanumeric() || is_card(c) || c == '1');
    if first.is_lowercase() && !is_apart {
        return None;
    }
    Some((
        suit,
        behind.trim_start_matches([' ', '.', ':', '=', ';', '>', '|']),
    ))
}

/// A text that is suits and nothing else, with the symbol before each. `None` if it is not, or has
/// symbols already.
fn with_symbols(text: &str) -> Option<String> {
    let (mut rest, mut last) = (text.trim(), None);
    let mut plain = String::new();
    while !rest.is_empty() {
        let (suit, behind) = mark(rest)?;
        let (cards, after) = leading_cards(behind);
        if last.is_some_and(|last| last >= suit) || after.len() == behind.len() {
            return None;
        }
        plain.push(suit.symbol());
        plain += if cards.is_empty() { "-" } else { &cards };
        rest = after.trim_start_matches([' ', ',', ';', '.']);
        last = Some(suit);
    }
    last.map(|_| plain)
}

/// A hand and its text.
pub(crate) type WrittenHand<'a> = (&'a str, Result<Hand, TextError>);

/// The only hand of a line without its seat: one of 13 cards, or one that has dots or symbols.
pub(crate) fn bare_hand(line: &str) -> Option<WrittenHand<'_>> {
    let line = line.trim();
    let read = hand(line)?;
    let ranks = line.chars().filter(|&c| Rank::from_letter(c).is_some());
    let marked = line.contains('.') || line.contains(is_symbol);
    let sure = marked && (read.is_ok() || ranks.count() > 7);
    let whole = || read.as_ref().is_ok_and(|hand| hand.len() == 13);
    (sure || whole()).then_some((line, read))
}

/// The hands of a line, each after its seat; empty if it is another line.
pub(crate) fn named_hands(line: &str) -> Vec<(Seat, WrittenHand<'_>)> {
    let mut found = Vec::new();
    let mut rest = line;
    // `S:` may be spades.
    if with_symbols(line).is_some() {
        return found;
    }
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

/// The seats that a line names, if it has nothing else but the name of a player: those of the hands
/// below.
pub(crate) fn header(line: &str) -> Option<Vec<Seat>> {
    let Some(seats) = words(line).map(seat).collect::<Option<Vec<Seat>>>() else {
        let (of_hand, name) = label(line)?;
        let is_name = |c: char| c.is_alphabetic() || " .'’-)]".contains(c);
        let is_named = name.len() < line.trim().len() && line.contains([':', '(', '[', '-', '–']);
        let is_player = name.chars().all(is_name)
            && seat(name).is_none()
            && leading_cards(name).1.len() == name.len()
            && name.parse::<Call>().is_err()
            && mark(line).is_none_or(|(_, behind)| leading_cards(behind).1.len() == behind.len());
        return (is_named && is_player).then(|| vec![of_hand]);
    };
    // Letters alone are suits as well, and head the calls of an auction.
    let is_letters = words(line).all(|word| word.len() == 1);
    let is_compass = is_letters && matches!(seats[..], [Seat::West, Seat::East]);
    let fits = !is_letters || seats.len() == 1 && line.trim().len() <= 3 || is_compass;
    // Two labels with one blank between them head no columns.
    let is_broken = seats.len() == 2 && line.trim().contains(": ") && !line.contains(":  ");
    // Nor do a letter and a name, or the names of one hand of each side.
    let is_mixed = !is_letters && words(line).any(|word| word.len() == 1);
    let has_gap = ["  ", "\t"].iter().any(|gap| line.trim().contains(gap));
    let are_opponents = matches!(seats[..], [one, other] if one.plus(2) != other);
    let is_slip = is_broken || is_mixed || are_opponents && !has_gap;
    (fits && !is_slip && matches!(seats[..], [_] | [_, _])).then_some(seats)
}

/// Returns true if a line with so many suits names a seat: before them, unless that is a fact, or
/// between those of whole hands.
pub(crate) fn names_seat(line: &str, suits: usize) -> bool {
    let before = line.split(is_symbol).next().unwrap_or_default();
    let text = if suits > 2 { line } else { before };
    let mut words = text.split(|c: char| !c.is_alphabetic());
    line.contains(is_symbol)
        && BoardFacts::of(before).is_none()
        && words.any(|word| seat(word).is_some())
}

/// Returns true if a line has the names of two seats or more and nothing else.
pub(crate) fn are_seats(line: &str) -> bool {
    words(line).count() > 1 && words(line).all(|word| seat(word).is_some())
}

/// The seat that begins a line, and the suit after it, the first of the hand below.
pub(crate) fn named_row(line: &str) -> Option<(Seat, &str)> {
    let (before, _) = line.split_once(is_symbol)?;
    let row = &line[before.len()..];
    let mut words = words(before);
    let seat = seat(words.next()?)?;
    (words.next().is_none() && row.matches(is_symbol).count() == 1).then_some((seat, row))
}

/// A suit of a hand in a diagram, and its name if it has one.
pub(crate) type SuitRow = (Option<Suit>, Holding);

/// The suits beside each other on a line. `None` if anything else is on the line, except the facts
/// of the board, a compass, and text after a gap.
pub(crate) fn rows(line: &str) -> Option<Result<Vec<SuitRow>, (String, TextError)>> {
    if line.len() > LONGEST {
        return None;
    }
    let line = line.replace('\t', "   ");
    if let Some(columns) = grid(&line) {
        let rows: Option<Vec<SuitRow>> = columns.iter().map(|cell| bare_row(cell)).collect();
        return rows.map(Ok);
    }
    if !line.contains(is_symbol) {
        return lettered(&line).map(Ok);
    }
    let line = one_cell_each(&line);
    let mut found = Vec::new();
    for group in line.split("  ").map(str::trim) {
        match marked(group) {
            Some(Ok(rows)) => found.extend(rows),
            Some(Err(slip)) => return Some(Err(slip)),
            // A text beside the cards, such as the lead.
            None if found.is_empty() => return None,
            None => {}
        }
    }
    (!found.is_empty()).then_some(Ok(found))
}

/// A line with one blank between the sign of a suit and its cards.
fn one_cell_each(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(is_symbol) {
        let sign = at + '♠'.len_utf8();
        plain += &rest[..sign];
        rest = &rest[sign..];
        let colon = rest.trim_start().strip_prefix([':', '=']);
        let cards = colon.unwrap_or(rest).trim_start();
        // Of a compass only letters follow.
        if cards.starts_with(is_rank) {
            plain.push(' ');
            rest = cards;
        }
    }
    plain + rest
}

/// The suits of a line without symbols: cards alone, or after letters and names.
fn lettered(line: &str) -> Option<Vec<SuitRow>> {
    let groups = line.split("  ").map(str::trim);
    let mut groups = groups.filter(|group| !group.is_empty()).peekable();
    while groups
        .next_if(|group| BoardFacts::of(group).is_some())
        .is_some()
    {}
    let groups: Vec<&str> = groups.collect();
    let letter = |cell: &str| {
        let cell = cell.trim_end_matches([':', '=', ' ']);
        suit_of_letter(cell)
    };
    // A letter and the cards after a gap are one cell.
    let mut cells: Vec<String> = Vec::new();
    for group in groups {
        let is_bare = bare_row(group).is_some_and(|(named, _)| named.is_none());
        match cells.last_mut() {
            Some(last) if is_bare && letter(last).is_some() => *last += group,
            _ => cells.push(group.to_owned()),
        }
    }
    // Points and results are printed beside South's cards.
    let is_note = |cell: &String| {
        cell.split_once(' ')
            .is_some_and(|(side, _)| side.parse::<Side>().is_ok())
    };
    while cells.pop_if(|cell| is_note(cell)).is_some() {}
    // A letter alone is a void beside a suit with the same letter.
    let void = |cell: &String| {
        let suit = letter(cell)?;
        let is_there = |cell: &String| bare_row(cell).is_some_and(|(named, _)| named == Some(suit));
        let alone = cells.iter().filter(|cell| letter(cell) == Some(suit));
        (alone.count() > 1 || cells.iter().any(is_there)).then_some((Some(suit), Holding::EMPTY))
    };
    let found: Option<Vec<SuitRow>> = cells
        .iter()
        .map(|cell| bare_row(cell).or_else(|| void(cell)))
        .collect();
    found.filter(|found| matches!(found.len(), 1 | 2 | 4))
}

/// Returns true if a line has suits of a hand, and ends with the sign of one without its cards or with
/// a sign that separates suits.
pub(crate) fn ends_within_hand(line: &str) -> bool {
    let line = line.trim_end();
    let end = line.trim_end_matches([':', '=', ' ']);
    let suits = line.matches(is_symbol).count();
    let is_open = end.ends_with(is_symbol) || line.ends_with([';', ',']);
    (2..=4).contains(&suits) && is_open && line.len() <= LONGEST
}

/// Returns true if `line` continues the hand that the line above it has begun: with the cards of its
/// last suit, or with a lower suit.
pub(crate) fn goes_on(above: &str, line: &str) -> bool {
    let last = above.chars().rev().find_map(suit_of_symbol);
    let first = line.trim_start().chars().next().unwrap_or(' ');
    if above.trim_end().ends_with([';', ',']) {
        suit_of_symbol(first) > last
    } else {
        is_rank(first)
    }
}

/// Returns true if three suits or more have their signs in a line, and one of them three letters or
/// digits.
pub(crate) fn has_signs(line: &str) -> bool {
    let is_cell = |at: usize| {
        let behind = line[at..].trim_start_matches(is_symbol);
        let mut words = behind.split_whitespace();
        let first = words.next().unwrap_or_default();
        let is_card = |word: &str| word.len() < 3 && word.chars().all(is_rank);
        let cards = first
            .chars()
            .filter(|c| *c != ',')
            .take_while(|c| c.is_alphanumeric());
        cards.count() > 2
            || is_card(first) && words.take(2).filter(|word| is_card(word)).count() == 2
    };
    let is_bid = |at: usize| {
        let level = line[..at].strip_suffix(|c: char| c.is_ascii_digit());
        level.is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
    };
    let mut places = line.match_indices(is_symbol).map(|(at, _)| at);
    let suits = Suit::ALL
        .into_iter()
        .filter(|suit| line.contains(suit.symbol()));
    suits.count() > 2 && places.clone().any(is_cell) && !places.any(is_bid)
}

/// Returns true if a line that is no row has cards that may be those of a hand: suits after their
/// signs, or a suit and two cards or more, and neither words nor calls.
pub(crate) fn has_cards(line: &str) -> bool {
    let is_prose = |word: &&str| word.len() > 2 && word.chars().all(char::is_lowercase);
    let is_call = |word: &&str| word.parse::<Call>().is_ok() && word.len() > 1;
    let of_cards = |word: &&str| {
        let is_suit = |c: char| Suit::from_letter(c).is_some();
        let cards = word.trim_start_matches(is_suit);
        // Several suits are longer than a word of such letters.
        let may_be = |c: char| is_rank(c) || c == '0' || is_suit(c) && cards.len() > 6;
        cards.len() > 1 && cards.chars().all(may_be) && cards.contains(|c: char| c.is_uppercase())
    };
    let prose = words(line).filter(is_prose).count();
    let has_words =
        || !words(line).any(|word| is_call(&word)) && words(line).any(|word| of_cards(&word));
    line.len() <= LONGEST && prose < 2 && (has_signs(line) || has_words())
}

/// The four columns of 20 characters that the program `dealer` prints: a rank and a space each.
fn grid(line: &str) -> Option<Vec<String>> {
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

/// The suits after their symbols in a part of a line. `None` if it has words that belong to a
/// sentence or an auction.
fn marked(group: &str) -> Option<Result<Vec<SuitRow>, (String, TextError)>> {
    let mut found = Vec::new();
    let (before, mut rest) = divided(group, is_symbol);
    if rest.is_empty() {
        return Some(Ok(found));
    }
    let is_compass = |text: &str| words(text).all(|word| seat(word).is_some());
    if !is_compass(before) && BoardFacts::of(before).is_none() {
        return None;
    }
    while let Some(mark) = rest.chars().next() {
        let suit = suit_of_symbol(mark);
        let (cell, after) = rest[mark.len_utf8()..]
            .find(is_symbol)
            .map_or((rest, ""), |at| rest.split_at(mark.len_utf8() + at));
        let text = cell[mark.len_utf8()..]
            .trim_start_matches(|c: char| c.is_whitespace() || ":=.)]".contains(c));
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
    // Signs without anything behind them are no hand.
    let is_void = |row: &SuitRow| row.1.is_empty();
    (found.len() < 2 || !found.iter().all(is_void)).then_some(Ok(found))
}

/// The cards that a text begins with, without their separators, and the rest. They are one word, or
/// words of one card each.
fn leading_cards(text: &str) -> (String, &str) {
    let mut cards = String::new();
    let mut has_word = false;
    // A hyphen before cards is no void.
    let behind = text.trim_start_matches(['-', '–', '—', ' ']);
    let mut rest = if behind.starts_with(is_rank) {
        behind
    } else {
        text
    };
    loop {
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let (mut word, mut after) = divided(next, |c| c.is_whitespace() || ",;".contains(c));
        // `1 0` is what scanners make of a ten.
        if let ("1", Some(behind)) = (word, after.trim_start().strip_prefix('0')) {
            (word, after) = ("T", behind);
        }
        let plain = word.replace("10", "T");
        let is_void = matches!(&*word.to_lowercase(), "void" | "none")
            || !word.is_empty() && word.chars().all(|c| "-–—".contains(c));
        if is_void && cards.is_empty() {
            return (cards, after);
        }
        let ends = word.is_empty() || has_word || !cards.is_empty() && plain.len() > 1;
        if ends || !plain.chars().all(|c| Rank::from_letter(c).is_some()) {
            return (cards, rest.trim_start());
        }
        has_word |= plain.len() > 1;
        cards += &plain;
        rest = after;
    }
}

/// Returns true if a text begins with cards and a wrong sign among them.
fn is_slip(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let length = word.chars().count();
    let wrong = word.chars().filter(|&c| !is_rank(c)).count();
    // `4-1` is how cards are divided.
    let is_split = length == 3 && word.chars().all(|c| c == '-' || c.is_ascii_digit());
    (3..=13).contains(&length) && wrong == 1 && !is_split && !word.contains(char::is_lowercase)
}

/// A suit without a symbol: its cards alone, or after its letter or name.
fn bare_row(cell: &str) -> Option<SuitRow> {
    let cell = cell.trim();
    let of = |suit, text: &str| {
        let (cards, behind) = leading_cards(text);
        let is_whole = behind.is_empty() && !text.is_empty();
        Some((suit, cards.parse().ok().filter(|_| is_whole)?))
    };
    of(None, cell).or_else(|| {
        let (suit, text) = mark(cell)?;
        of(Some(suit), text)
    })
}
