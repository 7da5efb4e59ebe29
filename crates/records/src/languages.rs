//! Cards, suits and seats in other languages.
//!
//! A language is recognized by the letters of its court cards: of several languages the one in
//! which the text has the most cards, and none if two languages read the same letters as different
//! cards.

use std::borrow::Cow;
use std::fmt;

use setrograde_cards::{Rank, Seat, Suit};

use crate::Doubt;
use crate::error::{Problem, quote};
use crate::lines::{divided, words};
use crate::signs::{LONGEST, is_symbol};

/// The letters of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    name: &'static str,
    /// The ace, the king, the queen and the jack.
    honours: [&'static str; 4],
    /// The suits from spades down; empty if letters do not name them.
    suits: &'static str,
    /// The seats from North.
    seats: &'static str,
    /// True if letters without a colon name suits, even those of cards.
    is_lettered: bool,
}

const LANGUAGES: [Language; 9] = [
    language("French", ["A", "R", "D", "V"], "PCKT", "NESO"),
    language("Italian", ["A", "R", "D", "F"], "PCQF", "NESO"),
    language("Spanish", ["A", "R", "D", "J"], "", "NESO"),
    language("German", ["A", "K", "D", "B"], "PCKT", "NOSW"),
    language("Dutch", ["A", "H", "V", "B"], "SHRK", "NOZW"),
    language("Danish", ["E", "K", "D", "B"], "SHRK", "NØSV"),
    language(
        "Norwegian or Swedish",
        ["E", "K", "D", "Kn"],
        "SHRK",
        "NØSV",
    ),
    language("Polish", ["A", "K", "D", "W"], "", "NESW"),
    language("Finnish", ["A", "K", "R", "J"], "", "PIEL"),
];

const fn language(
    name: &'static str,
    honours: [&'static str; 4],
    suits: &'static str,
    seats: &'static str,
) -> Language {
    Language {
        name,
        honours,
        suits,
        seats,
        is_lettered: false,
    }
}

/// Words for seats in these languages, from North.
const SEATS: [&[&str]; 4] = [
    &["nord", "norr", "noord", "norte", "pohjoinen"],
    &[
        "est", "este", "leste", "ost", "oost", "øst", "öst", "öster", "itä",
    ],
    &["sud", "süd", "syd", "söder", "zuid", "sur", "sul", "etelä"],
    &["ouest", "oeste", "ovest", "vest", "väst", "länsi"],
];

/// Names of the suits in English and in these languages, from spades down.
const SUITS: [&[&str]; 4] = [
    &[
        "spade", "spades", "pique", "piques", "pik", "schoppen", "spader", "spar", "picche",
        "picas", "espadas", "pata",
    ],
    &[
        "heart",
        "hearts",
        "cœur",
        "cœurs",
        "coeur",
        "coeurs",
        "herz",
        "harten",
        "hjärter",
        "hjerter",
        "kier",
        "cuori",
        "corazones",
        "copas",
        "hertta",
    ],
    &[
        "diamond",
        "diamonds",
        "carreau",
        "carreaux",
        "karo",
        "ruiten",
        "ruter",
        "ruder",
        "quadri",
        "diamantes",
        "ouros",
        "ruutu",
    ],
    &[
        "club",
        "clubs",
        "trèfle",
        "trèfles",
        "trefle",
        "treff",
        "trefl",
        "kreuz",
        "klaveren",
        "klöver",
        "kløver",
        "klør",
        "fiori",
        "tréboles",
        "paus",
        "risti",
    ],
];

/// Index of the list with a word, in any case.
fn list_with(lists: &[&[&str]], word: &str) -> Option<usize> {
    let lower = word.to_lowercase();
    lists.iter().position(|words| words.contains(&&*lower))
}

/// The suit that a word names, in any of the languages.
pub(crate) fn suit(word: &str) -> Option<Suit> {
    list_with(&SUITS, word).map(Suit::from_index)
}

/// A line with signs for the names of suits.
pub(crate) fn with_suit_signs(line: &str) -> Cow<'_, str> {
    if line.len() > LONGEST {
        return Cow::Borrowed(line);
    }
    let mut plain = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(char::is_alphabetic) {
        let (before, from) = rest.split_at(start);
        let (word, after) = divided(from, |c| !c.is_alphabetic());
        plain += before;
        rest = after;
        if word.len() < 3 {
            plain += word;
            continue;
        }
        // `:spade:` is a sign itself.
        let is_sign = before.ends_with(':') && after.starts_with(':');
        match suit(word) {
            Some(suit) if !is_sign => {
                plain.push(suit.symbol());
                // Names of other lengths are aligned.
                rest = after.trim_start_matches([' ', '\t', ':']);
            }
            _ => plain += word,
        }
    }
    Cow::Owned(plain + rest)
}

/// The seat that a word names, in any of the languages.
pub(crate) fn seat(word: &str) -> Option<Seat> {
    let other = || list_with(&SEATS, word).map(Seat::from_index);
    word.parse().ok().or_else(other)
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.honours.join(" "))
    }
}

impl Language {
    /// The languages that read some cards of a text differently from English; with suits that
    /// letters name, if wanted.
    pub(crate) fn of(text: &str, is_lettered: bool) -> Vec<Language> {
        if !has_foreign_cards(text) {
            return Vec::new();
        }
        let languages = LANGUAGES.into_iter().map(|language| Language {
            is_lettered,
            ..language
        });
        let differs = |language: &Language| language.in_english(text) != text;
        languages.filter(differs).collect()
    }

    /// The languages, with letters as suits or without, that read some cards of a line of a diagram
    /// differently from English.
    pub(crate) fn of_line(line: &str) -> Vec<Language> {
        if line.len() > LONGEST || !has_foreign_cards(line) {
            return Vec::new();
        }
        [false, true]
            .map(|letters| Language::of(line, letters))
            .concat()
    }

    /// The problem of a text that this language reads differently from another one.
    pub(crate) fn or(&self, other: &Language, text: &str) -> Problem {
        let places = text.char_indices().map(|(at, _)| &text[at..]);
        let mut differ = places.filter_map(|rest| {
            let (card, length) = self.card(rest)?;
            let others = other.card(rest)?.0;
            (card != others).then_some((&rest[..length], [card, others]))
        });
        let (letter, cards) = differ.next().unwrap_or_default();
        let languages = [self.name, other.name].into_iter();
        let readings = languages.zip(cards).map(|(language, card)| {
            let name = Rank::from_letter(card).map_or("a card", Rank::name);
            format!("the {name} in {language}")
        });
        Problem::Language {
            found: quote(text.trim()),
            readings: format!("{letter} is {}", readings.collect::<Vec<_>>().join(" and ")),
        }
    }

    /// The card that a word begins with, and the length of its letters.
    fn card(&self, word: &str) -> Option<(char, usize)> {
        if word.starts_with("10") {
            return Some(('T', 2));
        }
        let honour = |&(_, letters): &(char, &&str)| word.starts_with(*letters);
        let honours = ['A', 'K', 'Q', 'J'].into_iter().zip(&self.honours);
        // `Kn` is longer than `K`.
        if let Some((card, letters)) = honours.rev().find(honour) {
            return Some((card, letters.len()));
        }
        let first = word.chars().next()?;
        matches!(first, '2'..='9' | 'T' | 'x').then_some((first, 1))
    }

    /// The cards of a word that has nothing else, in English.
    fn cards(&self, word: &str) -> Option<String> {
        let (mut rest, mut cards) = (word, String::new());
        while !rest.is_empty() {
            let (card, length) = self.card(rest)?;
            cards.push(card);
            rest = &rest[length..];
        }
        (!cards.is_empty()).then_some(cards)
    }

    /// Returns true if the language reads some cards of a text differently from English, not seats
    /// alone.
    pub(crate) fn reads_cards_of(&self, text: &str) -> bool {
        words(text).any(|word| {
            let cards = self.cards(word).filter(|_| self.seat(word).is_none());
            cards.is_some_and(|cards| cards != word.replace("10", "T"))
        })
    }

    /// Returns true if English reads words of cards that the language does not, in lines with the signs
    /// or the dots of hands.
    pub(crate) fn lacks_cards_of(&self, text: &str) -> bool {
        let of_hands = |line: &&str| line.contains(is_symbol) || line.matches('.').count() > 2;
        let is_english = |word: &&str| {
            let is_honour = |c: char| "AKQJ".contains(c);
            let is_card = |c: char| is_honour(c) || c == 'T' || c.is_ascii_digit();
            word.len() > 1 && word.contains(is_honour) && word.chars().all(is_card)
        };
        let lacks =
            |line: &str| words(line).any(|word| is_english(&word) && self.cards(word).is_none());
        text.lines().filter(of_hands).any(lacks)
    }

    /// The letter of the seat that a letter names.
    fn seat(&self, letter: &str) -> Option<char> {
        let letter = if letter == "Ö" { "Ø" } else { letter };
        Some(Seat::ALL.get(nth(self.seats, letter)?)?.letter())
    }

    /// The sign of the suit that a letter names.
    fn suit(&self, letter: &str) -> Option<char> {
        Some(Suit::ALL.get(nth(self.suits, letter)?)?.symbol())
    }

    /// A line with the cards in English letters: those after the symbol of a suit, and the words
    /// of a part of the line that has cards alone.
    pub(crate) fn in_english(&self, line: &str) -> String {
        let mut words = line.split_whitespace();
        if words.clone().nth(1).is_some() && words.all(|word| self.seat(word).is_some()) {
            // A compass.
            let seat = |c: char| self.seat(c.encode_utf8(&mut [0; 4])).unwrap_or(c);
            return line.chars().map(seat).collect();
        }
        let mut english = String::with_capacity(line.len());
        let mut rest = line;
        while !rest.is_empty() {
            // A part ends with a gap, and before the sign of a suit.
            let is_end = |(at, c): (usize, char)| {
                let gap = rest[at..].starts_with("  ");
                at > 0 && (gap || is_symbol(c)) || "\t\r\n:=()[]|;".contains(c)
            };
            let end = rest.char_indices().find(|&place| is_end(place));
            let end = end.map_or(rest.len(), |(at, _)| at);
            let (part, after) = rest.split_at(end);
            self.write_part(part, after.starts_with([':', '=']), &mut english);
            let sign = after.chars().next().filter(|c| !is_symbol(*c));
            english.extend(sign);
            rest = &after[sign.map_or(0, char::len_utf8)..];
        }
        english
    }

    fn write_part(&self, part: &str, is_label: bool, english: &mut String) {
        let start = part.trim_end().rfind(char::is_whitespace);
        if let Some(start) = start.filter(|&start| is_label && !part[..start].trim().is_empty()) {
            self.write_part(&part[..start], false, english);
            return self.write_part(&part[start..], true, english);
        }
        let name = part.trim();
        let is_named = is_label || self.card(name).is_none();
        let letter = self.seat(name).filter(|_| is_named);
        let letter = letter.or_else(|| self.suit(name).filter(|_| is_label));
        if letter.is_some() || is_label {
            let letter = letter.map_or(name.to_owned(), String::from);
            *english += &part.replace(name, &letter);
            return;
        }
        let mut is_cards = part.starts_with(is_symbol)
            || self.is_lettered
            || words(part).all(|word| self.cards(word).is_some());
        let (mut rest, mut is_suit) = (part, false);
        while let Some(start) = rest.find(char::is_alphanumeric) {
            let (before, from) = rest.split_at(start);
            let (word, after) = divided(from, |c| !c.is_alphanumeric());
            let suit = word.chars().next().filter(|_| self.is_lettered && !is_suit);
            let suit = suit.and_then(|letter| self.suit(letter.encode_utf8(&mut [0; 4])));
            let behind = if suit.is_some() { &word[1..] } else { word };
            // A letter alone is a suit if cards are behind it.
            let is_row = if behind.is_empty() {
                !after.trim().is_empty()
            } else {
                self.cards(behind).is_some()
            };
            let suit = suit.filter(|_| is_row);
            is_suit = suit.is_some() && behind.is_empty();
            let word = if suit.is_some() { behind } else { word };
            let cards = self.cards(word).filter(|_| is_cards);
            is_cards = cards.is_some() || suit.is_some();
            *english += before;
            english.extend(suit);
            *english += cards.as_deref().unwrap_or(word);
            rest = after;
        }
        *english += rest;
    }
}

/// Index of a letter among others.
fn nth(letters: &str, letter: &str) -> Option<usize> {
    letters.split("").skip(1).position(|other| other == letter)
}

/// Returns true if a text has a word of cards, perhaps after the letter of a suit, for some of
/// which English has other letters. Single letters count beside the signs of suits alone.
fn has_foreign_cards(text: &str) -> bool {
    let is_court = |c: char| matches!(c, 'R' | 'D' | 'V' | 'H' | 'B' | 'E' | 'F' | 'W');
    let is_rank = |c: char| Rank::from_letter(c).is_some() && !c.is_lowercase();
    let is_card = |c: char| is_rank(c) || is_court(c) || "n10x".contains(c);
    // Most lines have no such letter at all.
    if !text.contains(is_court) && !text.contains("Kn") {
        return false;
    }
    let has_symbols = text.contains(is_symbol);
    let is_foreign = |word: &str| {
        let cards = word.trim_start_matches(['P', 'C', 'S', 'Q']);
        let is_long = has_symbols || word.len() > 1;
        let court = cards.contains(is_court) || cards.contains("Kn");
        court && is_long && cards.chars().all(is_card)
    };
    words(text).any(is_foreign)
}

/// Reads a text whose cards have the letters of another language, and returns what was read with
/// the warning about the language. `None` if no language makes sense of it.
///
/// # Errors
///
/// If languages differ in what they read, which is compared by the keys that `read` returns.
pub fn in_another_language<K: PartialEq, T>(
    text: &str,
    read: impl Fn(&str) -> Option<(K, T)>,
) -> Option<Result<(T, Doubt), Problem>> {
    let text = &*with_suit_signs(text);
    let readings = |is_lettered| -> Vec<_> {
        let languages = Language::of(text, is_lettered).into_iter();
        let languages = languages.filter(|language| !language.lacks_cards_of(text));
        let read = |language: Language| Some((read(&language.in_english(text))?, language));
        languages.filter_map(read).collect()
    };
    let mut found = readings(false);
    if found.is_empty() {
        found = readings(true);
    }
    let mut readings = found.into_iter();
    let ((key, subject), language) = readings.next()?;
    Some(match readings.find(|((other, _), _)| *other != key) {
        Some((_, other)) => Err(language.or(&other, text)),
        None => Ok((subject, Doubt::Language(language.to_string()))),
    })
}
