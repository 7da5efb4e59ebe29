//! The number of a board, its dealer and its vulnerable sides, as people write them.

use setrograde_cards::{Seat, Vulnerability};

use crate::languages::seat;
use crate::lines::{is_number, number, words};
use crate::signs::is_symbol;

/// Words for the vulnerable sides in other languages. [`Vulnerability`] reads the English ones.
const SIDES: [(&[&str], Vulnerability); 4] = [
    (
        &["personne", "keiner", "niemand", "ingen", "nessuno", "nadie"],
        Vulnerability::None,
    ),
    (&["nz"], Vulnerability::NorthSouth),
    (&["eo", "ow", "øv", "öv"], Vulnerability::EastWest),
    (
        &[
            "tous", "obie", "alle", "allen", "alla", "begge", "tutti", "todos",
        ],
        Vulnerability::Both,
    ),
];

/// Facts about a board, in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardFacts {
    pub(crate) number: Option<u32>,
    pub(crate) dealer: Option<Seat>,
    pub(crate) vulnerability: Option<Vulnerability>,
}

fn is_board(word: &str) -> bool {
    [
        "board",
        "bd",
        "brd",
        "deal",
        "hand",
        "donne",
        "spel",
        "spil",
        "giv",
        "spill",
        "bricka",
        "mano",
        "boardno",
        "boardnumber",
        "number",
        "rozdanie",
        "jako",
    ]
    .contains(&word)
}

fn is_dealer(word: &str) -> bool {
    [
        "dealer",
        "dlr",
        "deals",
        "dealt",
        "donneur",
        "teiler",
        "gever",
        "giver",
        "giv",
        "rozdający",
        "dador",
        "dich",
        "rozdaje",
        "jakaja",
    ]
    .contains(&word)
}

fn is_vulnerable(word: &str) -> bool {
    [
        "vul",
        "vuln",
        "vulnerable",
        "vulnerability",
        "vulnérable",
        "vulnérables",
        "vulnérabilité",
        "gefahr",
        "kwetsbaar",
        "zone",
        "zon",
        "sone",
        "zonen",
        "sonen",
        "zona",
        "vulnerables",
        "partii",
    ]
    .contains(&word)
}

/// Returns true for the name of a number that is not the board's.
fn is_other(word: &str) -> bool {
    ["round", "match", "session", "table"].contains(&word)
}

/// The vulnerable sides that words name.
fn sides(words: &[&str]) -> Option<Vulnerability> {
    let text = words.concat();
    let other = || {
        let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        SIDES.iter().find(|(names, _)| names.contains(&&*letters))
    };
    let read = text.parse().ok();
    read.or_else(|| other().map(|(_, sides)| *sides))
}

/// The dealer and the sides of a word such as `S/Both`.
fn dealer_and_sides(word: &str) -> Option<(Seat, Vulnerability)> {
    let (dealer, vulnerable) = word.split_once('/')?;
    let vulnerable = Some(vulnerable).filter(|sides| sides.len() > 1)?;
    Some((seat(dealer)?, sides(&[vulnerable])?))
}

/// Returns true if a text has facts and names of fields alone.
pub(crate) fn are_facts(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric();
    text.split([',', ';', '|', '\t', '{', '}']).all(|part| {
        let name = part.trim_matches(|c: char| !is_word(c)).to_lowercase();
        matches!(&*name, "" | "hands" | "pbn") || is_board(&name) || BoardFacts::of(part).is_some()
    })
}

/// Returns true if a line has the name of a fact alone, whose value is on the next.
pub(crate) fn is_name_of_fact(line: &str) -> bool {
    let word = line
        .trim()
        .trim_end_matches(':')
        .trim_matches('"')
        .to_lowercase();
    is_board(&word) || is_dealer(&word) || is_vulnerable(&word)
}

/// Returns true if a line has facts about a board.
pub(crate) fn has_facts(line: &str) -> bool {
    !facts_in(line).is_empty()
}

/// The facts about a board in a line, beside other text.
pub(crate) fn facts_in(line: &str) -> Vec<BoardFacts> {
    // A fact has a label and a value.
    if line.trim().chars().all(char::is_alphanumeric) {
        return Vec::new();
    }
    let apart = line
        .replace([',', ';', '|', '\t'], "  ")
        .replace(['–', '—'], "-");
    let apart = apart.replace(" - ", "  ").replace(" / ", "  ");
    let sure = |mut facts: BoardFacts| {
        facts.number = facts.number.filter(|_| !has_broken_number(line));
        facts
    };
    if let Some(facts) = BoardFacts::of(&apart) {
        return vec![sure(facts)];
    }
    let parts = apart
        .split("  ")
        .filter_map(|part| part.trim_start_matches(is_symbol).split(is_symbol).next());
    let facts = |part| match BoardFacts::of(part) {
        Some(facts) => vec![facts],
        None => part.split(". ").filter_map(BoardFacts::of).collect(),
    };
    parts.flat_map(facts).map(sure).collect()
}

/// Returns true if a line has two numbers with a gap between them, of which neither is sure.
fn has_broken_number(line: &str) -> bool {
    let cells: Vec<&str> = line.split('\t').flat_map(|cell| cell.split("  ")).collect();
    cells
        .windows(2)
        .any(|pair| pair[0].ends_with(|c: char| c.is_ascii_digit()) && is_number(pair[1].trim()))
}

/// The part of a line with the facts `read` that has the name of a fact beside a value, but is not
/// read.
pub(crate) fn unread_fact(line: &str, read: &[BoardFacts]) -> Option<String> {
    let lacks = |pair: &BoardFacts| {
        let has = |is_read: fn(&BoardFacts) -> bool| is_read(pair) && !read.iter().any(is_read);
        has(|facts| facts.number.is_some())
            || has(|facts| facts.dealer.is_some())
            || has(|facts| facts.vulnerability.is_some())
    };
    let parts = line
        .split([',', ';', '|', '\t'])
        .flat_map(|part| part.split(". "));
    let mut parts = parts.flat_map(|part| part.split("  "));
    parts.find_map(|part| {
        let is_end = |c: char| c.is_whitespace() || ".:=\"{}".contains(c) || is_symbol(c);
        let words = part
            .split(is_end)
            .filter(|word| word.contains(char::is_alphanumeric));
        let words: Vec<&str> = words.collect();
        let is_fact = |pair: &[&str]| {
            let is_named = pair.iter().any(|word| is_name_of_fact(word));
            let is_number = pair[1].starts_with(|c: char| c.is_ascii_digit());
            let value = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
            let facts = BoardFacts::of(&[pair[0], value].join(" "));
            let is_unread = facts.map_or(is_number && read.is_empty(), |facts| lacks(&facts));
            is_named && is_unread
        };
        let at = words.windows(2).position(is_fact)?;
        Some(words[at..].join(" "))
    })
}

impl BoardFacts {
    /// The facts of a text that has nothing else.
    pub(crate) fn of(text: &str) -> Option<BoardFacts> {
        // `We` is no side, `WE` is.
        let is_we = |word: &str| matches!(word, "we" | "We");
        if words(text).any(is_we) {
            return None;
        }
        // A bracket before a digit that none closes is a slip in a number.
        let is_digit = |c: char| c.is_ascii_digit();
        let is_slip = |(open, close): (char, char)| {
            let mut behind = text.match_indices(open).map(|(at, _)| &text[at + 1..]);
            behind.any(|rest| rest.starts_with(is_digit) && !rest.contains(close))
        };
        // So is a sign at the beginning of a number or of a name.
        let begins = |text: &str, sign: &str, is_first: fn(char) -> bool| {
            let mut behind = text.split(sign).skip(1);
            behind.any(|rest| rest.starts_with(is_first))
        };
        let whole = text.trim();
        if [('[', ']'), ('<', '>'), ('(', ')'), ('\'', '\'')]
            .into_iter()
            .any(is_slip)
            || begins(text, " =", is_digit)
            || begins(text, " .", is_digit)
            || begins(whole, " :", char::is_lowercase)
            || begins(whole, " >", char::is_lowercase) && !text.contains('<')
        {
            return None;
        }
        let text = text.to_lowercase();
        let words = text.split(|c: char| c.is_whitespace() || ":=#*.()[]{}<>\"'".contains(c));
        let is_word = |word: &&str| {
            !word.is_empty() && !["/", "-", "is", "are", "was", "the", "with", "at"].contains(word)
        };
        let words: Vec<&str> = words.filter(is_word).collect();
        let mut facts = BoardFacts::default();
        let mut rest = &words[..];
        while !rest.is_empty() {
            rest = facts.take(rest)?;
        }
        // Of two numbers neither is sure.
        let pairs = std::iter::once("").chain(words.iter().copied()).zip(&words);
        let numbers = pairs.filter(|(before, word)| is_number(word) && !is_other(before));
        let is_sure = facts.number.is_none() || numbers.count() < 2 || words.contains(&"of");
        (is_sure && facts != BoardFacts::default()).then_some(facts)
    }

    /// Takes the first fact of these words; returns the rest.
    fn take<'w, 'a>(&mut self, words: &'w [&'a str]) -> Option<&'w [&'a str]> {
        Some(match *words {
            [word, "no" | "nr" | "number", count, ref after @ ..]
            | [word, count, ref after @ ..]
                if is_board(word) && is_number(count) =>
            {
                self.number = number(count);
                match after {
                    ["of", all, rest @ ..] if is_number(all) => rest,
                    _ => after,
                }
            }
            [name, count, ref after @ ..] if is_other(name) && is_number(count) => after,
            // The name of an object.
            [word, ref after @ ..]
                if is_board(word)
                    && after.first().is_some_and(|word| {
                        is_board(word) || is_dealer(word) || is_vulnerable(word)
                    }) =>
            {
                after
            }
            // `Board 4, West, Both`
            [name, ref after @ ..]
                if self.number.is_some()
                    && self.dealer.is_none()
                    && seat(name).is_some()
                    && sides(after).is_some() =>
            {
                (self.dealer, self.vulnerability) = (seat(name), sides(after));
                &[]
            }
            // `5. Dealer North`
            [count, ref after @ ..]
                if is_number(count)
                    && after.first().is_some_and(|word| {
                        is_dealer(word) || dealer_and_sides(word).is_some()
                    }) =>
            {
                self.number = number(count);
                after
            }
            [word, name, ref after @ ..] | [name, word, ref after @ ..] if is_dealer(word) => {
                // East in French, but beside English a slip in West.
                let is_slip = name == "est" && matches!(word, "dealer" | "dlr");
                self.dealer = Some(seat(name).filter(|_| !is_slip)?);
                after
            }
            // `S/Both`
            [word, ref after @ ..] if dealer_and_sides(word).is_some() => {
                let (dealer, sides) = dealer_and_sides(word)?;
                (self.dealer, self.vulnerability) = (Some(dealer), Some(sides));
                after
            }
            _ => return self.take_sides(words),
        })
    }

    /// Takes the vulnerable sides that words begin with; returns the rest.
    fn take_sides<'w, 'a>(&mut self, words: &'w [&'a str]) -> Option<&'w [&'a str]> {
        let first = usize::from(words.first().is_some_and(|word| is_vulnerable(word)));
        let (length, found) = (1..=3).rev().find_map(|length| {
            let named = words.get(first..first + length)?;
            let is_behind = |word: &&str| is_vulnerable(word) || *word == "game";
            let behind = usize::from(words.get(length).is_some_and(is_behind));
            let is_named = first + behind > 0 || length == 2 && named[1] == "all";
            // A single letter before the word is the end of another one.
            let is_whole = first > 0 || named.concat().chars().count() > 1;
            let found = sides(named).filter(|_| is_named && is_whole)?;
            Some((first.max(behind) + length, found))
        })?;
        self.vulnerability = Some(found);
        Some(&words[length..])
    }

    /// Those of a line of its own beside lines with facts: a number, or the vulnerable sides in one
    /// word.
    pub(crate) fn alone(line: &str) -> Option<BoardFacts> {
        let line = line.trim();
        // `A` may be a card, `We` is a word of a sentence, and `No` of several languages.
        let is_sides = line.chars().filter(|c| c.is_alphanumeric()).count() > 1
            && line.parse::<Seat>().is_err()
            && !matches!(line, "we" | "We" | "no" | "No");
        let is_word = !line.contains(char::is_whitespace)
            || line
                .split_whitespace()
                .nth(1)
                .is_some_and(|word| word.eq_ignore_ascii_case("all"));
        let facts = BoardFacts {
            number: number(line),
            vulnerability: line.parse().ok().filter(|_| is_sides),
            ..BoardFacts::default()
        };
        (line.len() <= 12 && is_word && facts != BoardFacts::default()).then_some(facts)
    }
}
