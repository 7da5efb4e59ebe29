//! The parts of a line in a diagram: suits after their symbols, hands, and the names of seats.

use setrograde_cards::{Call, Hand, Holding, Rank, Seat, Side, Suit, TextError};

use crate::facts::BoardFacts;
use crate::languages::seat;
use crate::lists::is_symbol;

/// Signs of suits that forums, pages and programs write, and the symbols that are read.
const SUITS: [(&str, &str); 47] = [
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
    ("$\\spadesuit$", "♠"),
    ("$\\heartsuit$", "♥"),
    ("$\\diamondsuit$", "♦"),
    ("$\\clubsuit$", "♣"),
    ("\\spadesuit", "♠"),
    ("\\heartsuit", "♥"),
    ("\\diamondsuit", "♦"),
    ("\\clubsuit", "♣"),
    (":s:", "♠"),
    (":h:", "♥"),
    (":d:", "♦"),
    (":c:", "♣"),
    ("<s>", "♠"),
    ("<h>", "♥"),
    ("<d>", "♦"),
    ("<c>", "♣"),
    ("{s}", "♠"),
    ("{h}", "♥"),
    ("{d}", "♦"),
    ("{c}", "♣"),
    ("\\s", "♠"),
    ("\\h", "♥"),
    ("\\d", "♦"),
    ("\\c", "♣"),
    ("!s", "♠"),
    ("!h", "♥"),
    ("!d", "♦"),
    ("!c", "♣"),
    ("♤", "♠"),
    ("♡", "♥"),
    ("♢", "♦"),
    ("♧", "♣"),
    ("：", ":"),
    ("\u{fe0e}", ""),
    ("\u{fe0f}", ""),
];

/// Maximum length of a line of a diagram, in bytes. A longer one is text.
pub(crate) const LONGEST: usize = 1 << 9;

/// A line with plain signs: without the marks of lists and bold text, and with symbols of suits.
/// `None` if it is too long.
pub(crate) fn plain_signs(line: &str) -> Option<String> {
    if line.len() > LONGEST {
        return None;
    }
    let line = with_entities(line)
        .replace("**", "")
        .replace(['"', '\''], "");
    let mut line = without_bullet(&line).unwrap_or(&line).to_owned();
    if !line.contains(|c: char| "&:!\\<{".contains(c) || !c.is_ascii() && !is_symbol(c)) {
        return Some(line);
    }
    // Letters of other cases have the same length.
    let mut lower = line.to_ascii_lowercase();
    for (written, read) in SUITS {
        let mut plain = String::new();
        let mut from = 0;
        for (at, _) in lower.match_indices(written) {
            plain += &line[from..at];
            plain += read;
            from = at + written.len();
        }
        if from > 0 {
            line = plain + &line[from..];
            lower = line.to_ascii_lowercase();
        }
    }
    Some(line.replace(['{', '}'], ""))
}

/// The line of a list after its bullet or number. A gap after a hyphen separates columns.
fn without_bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < line.len() {
        let text = behind.strip_prefix(". ").or(behind.strip_prefix(") "))?;
        return Some(text).filter(|text| text.starts_with(char::is_alphabetic));
    }
    let text = ["- ", "* ", "• ", "> ", "| "]
        .iter()
        .find_map(|bullet| line.strip_prefix(bullet))?;
    (!line.starts_with('-') || !text.starts_with(' ')).then_some(text)
}

/// A line with the characters that HTML writes as numbers, such as `&#9824;` and `&#x2660;`.
fn with_entities(line: &str) -> String {
    if !line.contains("&#") {
        return line.to_owned();
    }
    let mut parts = line.split("&#");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap_or((part, ""));
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        match code.ok().and_then(char::from_u32) {
            Some(letter) => {
                plain.push(letter);
                plain += rest;
            }
            None => plain = plain + "&#" + part,
        }
    }
    plain
}

/// The seat that begins a text, and the rest: after a name, or after a letter and a sign. The rest
/// is empty if the text is the name alone.
fn label(text: &str) -> Option<(Seat, &str)> {
    let text = text.trim_start().trim_start_matches(['(', '[']);
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let seat = seat(name)?;
    let mut rest = rest.trim_start_matches([')', ']']).trim_start();
    // The dealer, or the name of the player.
    if let Some((_, after)) = rest.strip_prefix('(').and_then(|note| note.split_once(')')) {
        rest = after.trim_start();
    }
    let arrow = rest.strip_prefix("->").or(rest.strip_prefix("=>"));
    rest = arrow.unwrap_or(rest);
    // A dash without a blank after it is a void, and a dot the end of one.
    let after = match rest.strip_prefix([':', '=', ';', '|']) {
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
    let text = text.trim().trim_end_matches([';', ',', '|', ' ']);
    if let Some(marked) = with_symbols(text) {
        // One suit is a row.
        if marked.matches(is_symbol).count() == 1 {
            return None;
        }
        if let Ok(hand) = marked.parse() {
            return Some(Ok(hand));
        }
    }
    let ranks =
        |c: char| Rank::from_letter(c).is_some() || matches!(c, '1' | '0' | '-' | '–' | '—');
    if !text.starts_with(|c: char| ranks(c) || c == '.' || is_mark(c)) {
        return None;
    }
    for sign in ['.', '/', ','] {
        // Commas are between hands with dots.
        if sign != '.' && text.contains('.') {
            break;
        }
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
    let name = inner.find(|c: char| !c.is_ascii_alphabetic());
    let name = &inner[..name.unwrap_or(inner.len())];
    let named = |suit: &Suit| {
        let singular = suit.name().trim_end_matches('s');
        let start = name.get(..singular.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(singular))
    };
    let (suit, length) = if let Some(suit) = Suit::ALL.into_iter().find(named) {
        let singular = suit.name().len() - 1;
        let plural = name[singular..].starts_with(['s', 'S']);
        (suit, singular + usize::from(plural))
    } else {
        let drawn = |suit: &Suit| suit.symbol() == first;
        let drawn = Suit::ALL.into_iter().find(drawn);
        (
            drawn.or_else(|| Suit::from_letter(first))?,
            first.len_utf8(),
        )
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
    Some((suit, behind.trim_start_matches([' ', '.', ':', '='])))
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
    let words = || {
        line.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let Some(seats) = words().map(seat).collect::<Option<Vec<Seat>>>() else {
        let (of_hand, name) = label(line)?;
        let is_name = |c: char| c.is_alphabetic() || " .'’-)".contains(c);
        let is_named = name.len() < line.trim().len() && line.contains([':', '(', '-', '–']);
        let is_player = name.chars().all(is_name)
            && seat(name).is_none()
            && leading_cards(name).1.len() == name.len()
            && name.parse::<Call>().is_err()
            && mark(line).is_none_or(|(_, behind)| leading_cards(behind).1.len() == behind.len());
        return (is_named && is_player).then(|| vec![of_hand]);
    };
    // Letters alone are suits as well, and head the calls of an auction.
    let is_letters = words().all(|word| word.len() == 1);
    let is_compass = is_letters && matches!(seats[..], [Seat::West, Seat::East]);
    let fits = !is_letters || seats.len() == 1 && line.trim().len() <= 3 || is_compass;
    (fits && matches!(seats[..], [_] | [_, _])).then_some(seats)
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
            match marked(group) {
                Some(Ok(rows)) => found.extend(rows),
                Some(Err(slip)) => return Some(Err(slip)),
                // A text beside the cards, such as the lead.
                None if found.is_empty() => return None,
                None => {}
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

/// The four columns of 20 characters that the program `dealer` prints: a rank and a space each.
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

/// The suits after their symbols in a part of a line. `None` if it has words that belong to a
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
        words.all(|word| seat(word).is_some())
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
    Some(Ok(found))
}

/// The cards that a text begins with, without their separators, and the rest. They are one word, or
/// words of one card each.
fn leading_cards(text: &str) -> (String, &str) {
    let mut cards = String::new();
    let mut has_word = false;
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
        let end = next.find(|c: char| c.is_whitespace() || ",;".contains(c));
        let (word, after) = next.split_at(end.unwrap_or(next.len()));
        let plain = word.replace("10", "T");
        let is_void = matches!(&*word.to_lowercase(), "void" | "none")
            || !word.is_empty() && word.chars().all(|c| "-–—".contains(c));
        if is_void && cards.is_empty() {
            return (cards, after);
        }
        let ends = word.is_empty() || has_word && plain.len() > 1;
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
    let is_rank = |c: &char| Rank::from_letter(*c).is_some() || *c == '1';
    let length = word.chars().count();
    let wrong = word.chars().filter(|c| !is_rank(c)).count();
    (3..=13).contains(&length) && wrong == 1 && !word.contains(char::is_lowercase)
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
