//! Whether the reading of a changed text is right.

use setrograde_cards::{Seat, Vulnerability};
use setrograde_records::{Board, Doubt, Options, RecordError, Records};

use super::forms::{Form, Hands, NAMES, Order, RANKS, SIDES, Told};

/// A reading that nobody may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Another deal than the text has.
    Deal,
    /// The same, with a warning.
    DealWithNote,
    /// A labelled fact is missing, without a warning.
    Lost(Fact),
    /// A fact has another value than its label, without a warning.
    Other(Fact),
    /// A fact that no label gives.
    Invented(Fact),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    Number,
    Dealer,
    Sides,
}

const FACTS: [Fact; 3] = [Fact::Number, Fact::Dealer, Fact::Sides];

/// A reading that is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Allowed {
    /// The deal and the facts of the text.
    Right,
    /// An error, or no complete deal.
    Refused,
}

/// The boards and the errors of a text, and the line of text outside of boards.
pub struct Reading {
    pub boards: Vec<Board>,
    pub errors: Vec<RecordError>,
    pub between: Option<u64>,
}

impl Reading {
    pub fn of(text: &str) -> Reading {
        let options = Options::default().keep_names(true);
        let mut records =
            Records::with_options(text.as_bytes(), "text", options).expect("a slice can be read");
        let (mut boards, mut errors) = (Vec::new(), Vec::new());
        for board in &mut records {
            match board {
                Ok(board) => boards.push(board),
                Err(error) => errors.push(error),
            }
        }
        Reading {
            boards,
            errors,
            between: records.text_between(),
        }
    }

    /// The deals, if there are any and nothing is refused: neither a board nor a hand of it.
    pub fn deals(&self) -> Option<Vec<Hands>> {
        let whole = |board: &Board| {
            let length = board.deal()?.cards_per_hand()?;
            (length > 0).then(|| board.hands.map(|hand| hand.unwrap_or_default()))
        };
        let deals: Option<Vec<_>> = self.boards.iter().map(whole).collect();
        let written = |hand: setrograde_cards::Hand| {
            let text = hand.to_string();
            let mut suits = text.split('.').map(str::to_owned);
            [(); 4].map(|()| suits.next().unwrap_or_default())
        };
        let deals = deals.filter(|deals| !deals.is_empty() && self.errors.is_empty())?;
        Some(deals.into_iter().map(|hands| hands.map(written)).collect())
    }

    /// True if a warning speaks of text that was passed over.
    fn is_noted(&self) -> bool {
        let is_of_text = |doubt: &Doubt| !matches!(doubt, Doubt::NoSeats | Doubt::Language(_));
        let mut notes = self.boards.iter().flat_map(|board| &board.notes);
        self.between.is_some() || notes.any(|note| is_of_text(&note.doubt))
    }
}

/// A fact of the first board, as [`Told`] counts it.
pub fn read_fact(board: &Board, fact: Fact) -> Option<usize> {
    match fact {
        Fact::Number => board.number.map(|number| number as usize),
        Fact::Dealer => board.dealer.map(Seat::index),
        Fact::Sides => board.vulnerability.map(|sides| match sides {
            Vulnerability::None => 0,
            Vulnerability::NorthSouth => 1,
            Vulnerability::EastWest => 2,
            Vulnerability::Both => 3,
        }),
    }
}

pub fn told_fact(told: &Told, fact: Fact) -> usize {
    match fact {
        Fact::Number => told.number as usize,
        Fact::Dealer => told.dealer,
        Fact::Sides => told.sides,
    }
}

/// The same with another value of a fact.
fn with(told: &Told, fact: Fact, value: usize) -> Told {
    let mut other = told.clone();
    match fact {
        Fact::Number => other.number = value as u32,
        Fact::Dealer => other.dealer = value,
        Fact::Sides => other.sides = value,
    }
    other
}

/// The piece of a line that gives a fact: its value, the word before it and the letters after it;
/// `None` if the form does not write the fact.
pub fn label(form: &Form, told: &Told, fact: Fact) -> Option<String> {
    let text = (form.write)(told, form.usual);
    let value = told_fact(told, fact);
    let others = match fact {
        Fact::Number => [value + 1, value + 2, value + 3],
        _ => [(value + 1) % 4, (value + 2) % 4, (value + 3) % 4],
    };
    let differing = others.map(|other| {
        let other = (form.write)(&with(told, fact, other), form.usual);
        let pairs = text.bytes().zip(other.bytes());
        let start = pairs.take_while(|(a, b)| a == b).count();
        let pairs = text.bytes().rev().zip(other.bytes().rev());
        let end = pairs.take_while(|(a, b)| a == b).count();
        start..(text.len() - end).max(start)
    });
    let start = differing.iter().map(|range| range.start).min()?;
    let end = differing.iter().map(|range| range.end).max()?;
    if start >= text.len() {
        return None;
    }
    let before = text.as_bytes()[..start].iter();
    let line = before.rev().take_while(|&&byte| byte != b'\n').count();
    let line = start - line;
    // A heading names the column.
    let mut from = if form.is_table {
        line
    } else {
        start.saturating_sub(14).max(line)
    };
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = end;
    while !text.is_char_boundary(to) || text[to..].starts_with(char::is_alphanumeric) {
        to += 1;
    }
    // The name may be behind the value.
    let rest = text[to..].lines().next().unwrap_or_default();
    if rest.len() <= 8 {
        to += rest.len();
    }
    Some(text[from..to].to_owned())
}

/// Returns true if a text has the label with other signs around it, and the heading above it.
fn has_label(form: &Form, told: &Told, label: &str, changed: &str) -> bool {
    let bounded = changed.match_indices(label).any(|(at, _)| {
        let before = changed[..at].chars().next_back();
        let after = changed[at + label.len()..].chars().next();
        let is_bound = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let begins = !form.is_table || matches!(before, None | Some('\n'));
        begins && (is_bound(before) || !label.starts_with(char::is_alphanumeric)) && is_bound(after)
    });
    if !form.is_table {
        return bounded;
    }
    let text = (form.write)(told, form.usual);
    let cells = |text: &str| text.matches(['|', ',', ';', '\t', '\n', '<']).count();
    let heading = text.lines().next().unwrap_or_default();
    bounded && changed.lines().next() == Some(heading) && cells(&text) == cells(changed)
}

/// Returns a text whose cards are sorted within each suit, with single blanks and without lines of a
/// number alone. If the form names each hand, quotes, braces and commas are left out, too.
fn normal(form: &Form, text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let is_number = |line: &&str| line.trim().trim_end_matches('.').parse::<u32>().is_ok();
    let lines: Vec<&str> = text.lines().filter(|line| !is_number(line)).collect();
    let is_sign = |c: &char| form.order == Order::Free && "{}\"',".contains(*c);
    let text: String = lines.join("\n").chars().filter(|c| !is_sign(c)).collect();
    let text = &*text;
    // The runs of letters and digits, and what is between them.
    let is_word = char::is_alphanumeric;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest
            .find(|other: char| is_word(other) != is_word(c))
            .unwrap_or(rest.len());
        words.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    let is_single = |word: &str| {
        word.chars().all(is_word) && (word.chars().count() == 1 || word == "10" || word == "Kn")
    };
    let mut out = String::new();
    let mut at = 0;
    while at < words.len() {
        let mut cards = words[at].clone();
        at += 1;
        if is_single(&cards) {
            while words.get(at).is_some_and(|gap| gap == " " || gap == ",")
                && words.get(at + 1).is_some_and(|word| is_single(word))
            {
                cards += &words[at + 1];
                at += 2;
            }
        }
        if cards.chars().all(is_word) {
            let is_suit = cards.chars().all(|c| RANKS.contains(c) || "10".contains(c));
            out += &sorted(&if is_suit {
                cards.replace("10", "T")
            } else {
                cards
            });
        } else {
            out += &cards;
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sorted(word: &str) -> String {
    // The numbers of cards, of each hand.
    if word.len() > 51 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        let hands = word.as_bytes().chunks(26).map(|hand| {
            let mut cards: Vec<&[u8]> = hand.chunks(2).collect();
            cards.sort_unstable();
            String::from_utf8(cards.concat()).expect("digits")
        });
        return hands.collect();
    }
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// The orders in which a form writes hands.
fn orders(form: &Form) -> Vec<[usize; 4]> {
    match form.order {
        Order::Fixed => vec![form.usual],
        Order::Turned => (0..4)
            .map(|first| [0, 1, 2, 3].map(|at| (first + at) % 4))
            .collect(),
        Order::Free => (0..256)
            .map(|code| [code / 64, code / 16 % 4, code / 4 % 4, code % 4])
            .filter(|order| (0..4).all(|seat| order.contains(&seat)))
            .collect(),
    }
}

/// Returns true if the form writes these hands as this text.
fn writes(form: &Form, told: &Told, hands: &Hands, changed: &str) -> bool {
    let told = Told {
        hands: hands.clone(),
        ..told.clone()
    };
    let wanted = normal(form, changed);
    orders(form)
        .into_iter()
        .any(|order| normal(form, &(form.write)(&told, order)) == wanted)
}

/// Returns true if a text names at most one seat, and has these hands in their order.
fn is_bare(hands: &Hands, changed: &str) -> bool {
    let words = changed.split(|c: char| !c.is_alphabetic());
    let is_seat = |word: &&str| {
        let is_name = |name: &&str| word.eq_ignore_ascii_case(name);
        NAMES.iter().any(is_name) || ["N", "E", "S", "W"].contains(word)
    };
    let places: Vec<Option<usize>> = hands
        .iter()
        .map(|hand| changed.find(&hand.join(".")))
        .collect();
    words.filter(is_seat).count() < 2 && places.iter().all(Option::is_some) && places.is_sorted()
}

/// Judges the reading of `changed`, which the form's text of `told` became.
pub fn judge(form: &Form, told: &Told, changed: &str) -> Result<Allowed, Fault> {
    let reading = Reading::of(changed);
    let Some(deals) = reading.deals() else {
        return Ok(Allowed::Refused);
    };
    for (board, hands) in reading.boards.iter().zip(&deals) {
        let no_seats = board.notes.iter().any(|note| note.doubt == Doubt::NoSeats);
        if *hands != told.hands
            && !writes(form, told, hands, changed)
            && !(no_seats && is_bare(hands, changed))
        {
            return Err(if reading.is_noted() || no_seats {
                Fault::DealWithNote
            } else {
                Fault::Deal
            });
        }
    }
    let facts = if form.is_numbered {
        &FACTS[..1]
    } else {
        &FACTS
    };
    for &fact in facts {
        judge_fact(form, told, changed, &reading, fact)?;
    }
    Ok(Allowed::Right)
}

fn judge_fact(
    form: &Form,
    told: &Told,
    changed: &str,
    reading: &Reading,
    fact: Fact,
) -> Result<(), Fault> {
    let values: Vec<usize> = reading
        .boards
        .iter()
        .filter_map(|board| read_fact(board, fact))
        .collect();
    // Boards without a number are counted.
    let is_count =
        |&value: &usize| fact == Fact::Number && (1..=reading.boards.len()).contains(&value);
    // A word without a label may be beside labelled facts.
    let text = (form.write)(told, form.usual);
    let is_alone = |value: usize| {
        let word = match fact {
            Fact::Number => value.to_string(),
            Fact::Dealer => NAMES[value].to_lowercase(),
            Fact::Sides => SIDES[value].to_lowercase(),
        };
        let count = |text: &str| {
            let words = text
                .split([' ', '\n', '|', '<', '>', '=', '&'])
                .map(str::to_lowercase);
            let is_letter = |found: &str| fact == Fact::Dealer && *found == word[..1];
            words
                .filter(|found| *found == word || is_letter(found))
                .count()
        };
        count(changed) > count(&text)
    };
    let own = told_fact(told, fact);
    let Some(label) = label(form, told, fact) else {
        return match values
            .iter()
            .find(|value| !is_count(value) && !is_alone(**value))
        {
            Some(_) => Err(Fault::Invented(fact)),
            None => Ok(()),
        };
    };
    if has_label(form, told, &label, changed) {
        let other = values.iter().any(|value| *value != own && !is_count(value));
        return match values.contains(&own) {
            _ if reading.is_noted() => Ok(()),
            _ if other => Err(Fault::Other(fact)),
            false => Err(Fault::Lost(fact)),
            true => Ok(()),
        };
    }
    let is_written = |value: usize| {
        let other = with(told, fact, value);
        if is_alone(value) {
            return true;
        }
        let tight = |text: &str| text.replace(char::is_whitespace, "");
        let is_there = |label: String| tight(changed).contains(&tight(&label));
        let written = self::label(form, &other, fact).is_some_and(is_there);
        // A program's letter may be replaced by a word for the same.
        let in_words = fact == Fact::Sides
            && (changed.contains(SIDES[value])
                || value == 0
                    && ["|-|", "|0|", "=-&"]
                        .iter()
                        .any(|none| changed.contains(none)));
        // All facts may have been exchanged.
        let all = reading.boards.first().map_or(other.clone(), |board| {
            let read = FACTS.map(|fact| (fact, read_fact(board, fact)));
            read.into_iter()
                .fold(told.clone(), |told, (fact, value)| match value {
                    Some(value) => with(&told, fact, value),
                    None => told,
                })
        });
        let mut written_as = [other, all].into_iter();
        written || in_words || written_as.any(|told| writes(form, &told, &told.hands, changed))
    };
    match values
        .iter()
        .find(|&&value| value != own && !is_count(&value) && !is_written(value))
    {
        Some(_) if !reading.is_noted() => Err(Fault::Other(fact)),
        _ => Ok(()),
    }
}

/// A deal, three of four even ones, and its facts.
pub fn random(rng: &mut fastrand::Rng) -> Told {
    let mut cards: Vec<(usize, char)> = (0..4)
        .flat_map(|suit| RANKS.chars().map(move |rank| (suit, rank)))
        .collect();
    if rng.u8(..4) == 0 {
        // Long suits and voids.
        for at in 0..26 {
            cards.swap(at, rng.usize(..52));
        }
    } else {
        rng.shuffle(&mut cards);
    }
    let hand = |seat: usize| {
        [0, 1, 2, 3].map(|suit| {
            let held = |rank: &char| cards[13 * seat..][..13].contains(&(suit, *rank));
            RANKS.chars().filter(held).collect()
        })
    };
    Told {
        hands: [0, 1, 2, 3].map(hand),
        number: rng.u32(2..30),
        dealer: rng.usize(..4),
        sides: rng.usize(..4),
    }
}
