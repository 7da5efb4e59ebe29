//! Lines without the markup that copies of pages, forums and tables keep.

use std::borrow::Cow;

use setrograde_cards::{Rank, Suit};

use crate::facts::{BoardFacts, is_name_of_fact};
use crate::languages::{seat, suit};
use crate::lines::divided;
use crate::lists::is_hand;
use crate::pbn::is_tag;
use crate::signs::suit_of_letter;

/// Maximum length of a tag, in bytes.
const TAG_LIMIT: usize = 1 << 9;

/// Elements within a word.
const INLINE: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "mark", "small", "span", "strong", "sub", "sup",
    "u",
];

/// Tags of forums.
const OF_FORUMS: &[&str] = &[
    "b", "center", "code", "color", "font", "i", "list", "pre", "quote", "size", "tt", "u",
];

/// Names of characters in HTML, besides those of suits.
const CHARACTERS: [(&str, &str); 9] = [
    ("amp", "&"),
    ("apos", "'"),
    ("gt", ">"),
    ("lt", "<"),
    ("mdash", "—"),
    ("middot", "·"),
    ("nbsp", " "),
    ("ndash", "–"),
    ("quot", "\""),
];

/// A line without tags, with characters for their names and without the marks of a list before a
/// tag of PBN.
pub(crate) fn without_markup(line: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(line);
    for (sign, read) in [
        ('\\', escaped as fn(&str) -> Option<(String, usize)>),
        ('<', tag),
        ('[', tag_of_forum),
        ('&', character),
    ] {
        if plain.contains(sign) {
            let replaced = replaced(&plain, sign, read);
            if let Some(replaced) = replaced {
                plain = Cow::Owned(replaced);
            }
        }
    }
    match without_mark(&plain) {
        Some(rest) => Cow::Owned(rest),
        None => plain,
    }
}

/// A text with what `read` finds from each sign on in place of it. `None` if that is nothing.
fn replaced(text: &str, sign: char, read: fn(&str) -> Option<(String, usize)>) -> Option<String> {
    let (mut plain, mut rest, mut found) = (String::new(), text, false);
    while let Some(at) = rest.find(sign) {
        let (before, from) = rest.split_at(at);
        plain += before;
        rest = match read(from) {
            Some((read, length)) => {
                found = true;
                plain += &read;
                &from[length..]
            }
            None => {
                plain.push(sign);
                &from[1..]
            }
        };
    }
    found.then(|| plain + rest)
}

/// The text for a tag of HTML or XML: its seat, its suit, or what its attributes say.
fn tag(text: &str) -> Option<(String, usize)> {
    let end = text.bytes().take(TAG_LIMIT).position(|byte| byte == b'>')?;
    let inner = text[1..end].trim_end_matches('/');
    let is_end = inner.starts_with('/');
    let inner = inner.trim_start_matches('/');
    let (name, rest) = divided(inner, |c| !c.is_ascii_alphanumeric() && !"-_".contains(c));
    let lower = name.to_lowercase();
    // `<s>` is a sign for spades unless it has an end.
    let is_sign = Suit::from_letter(name.chars().next()?).is_some() && name.len() == 1;
    let near = &text.as_bytes()[..text.len().min(TAG_LIMIT)];
    let is_closed = || {
        let closing = format!("</{name}>");
        near.windows(closing.len())
            .any(|end| end == closing.as_bytes())
    };
    let is_open = is_sign && !is_closed();
    // A text in quotes ends within its tag.
    let is_attributes =
        rest.is_empty() || rest.starts_with(char::is_whitespace) && is_closed_text(rest);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !is_attributes || is_open && !is_end
    {
        return None;
    }
    if INLINE.contains(&&*lower) {
        return Some((String::new(), end + 1));
    }
    let mut read = "  ".to_owned();
    let of_cards = |c: char| Rank::from_letter(c).is_some() || "10- ".contains(c);
    let content = text[end + 1..].split('<').next().unwrap_or_default();
    let is_suit = is_sign && !is_end && content.chars().all(of_cards);
    if is_suit {
        read.extend(suit_of_letter(name).map(Suit::symbol));
    }
    if !is_end {
        let mut is_seat = seat(name).is_some() && !is_suit;
        let behind = text[end + 1 + content.len()..].strip_prefix("</");
        let closed = behind.and_then(|behind| behind.split('>').next());
        let is_other = closed.is_some_and(|closed| seat(closed).is_some() && closed != name);
        // A cell of a table is no element.
        let is_cell = !is_closed() && !rest.contains('=') && !text[end + 1..].trim().is_empty();
        if is_seat && (is_other || is_cell) {
            return None;
        }
        if is_seat || is_name_of_fact(name) && rest.is_empty() {
            read += &format!("{name}: ");
        }
        read.extend(suit(name).map(Suit::symbol));
        for (name, value) in attributes(rest) {
            let of_attribute = attribute(name, value, is_seat);
            is_seat |= of_attribute.ends_with(": ");
            read += &of_attribute;
        }
    }
    Some((read, end + 1))
}

/// What an attribute says: its suit, its seat unless the tag `is_seat` itself, or its hand or fact.
fn attribute(name: &str, value: &str, is_seat: bool) -> String {
    let lower = name.to_lowercase();
    let is_label = ["seat", "direction", "dir", "position"].contains(&&*lower);
    if name == "alt" {
        let suit = suit(value).or(suit_of_letter(value));
        return suit.map(Suit::symbol).into_iter().collect();
    }
    if is_label && !is_seat && seat(value).is_some() {
        return format!("{value}: ");
    }
    let is_hand = value.split_whitespace().any(has_hand);
    if is_hand || BoardFacts::of(&format!("{name} {value}")).is_some() {
        return format!("{name}: {value}  ");
    }
    String::new()
}

/// Returns true if a word is a hand, or has one after a colon.
fn has_hand(word: &str) -> bool {
    let after = word.split_once(':').map(|(_, hand)| hand);
    is_hand(word) || after.is_some_and(|hand| is_hand(hand.trim_start_matches(':')))
}

/// Returns true if each quote that opens a value closes it.
fn is_closed_text(attributes: &str) -> bool {
    let mut open = None;
    for sign in attributes.chars().filter(|c| "'\"".contains(*c)) {
        open = match open {
            None => Some(sign),
            Some(first) => Some(first).filter(|first| *first != sign),
        };
    }
    open.is_none()
}

/// The attributes of a tag that have values in quotes.
fn attributes(mut text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|c| "'\"".contains(*c)) else {
            break;
        };
        let Some((value, after)) = rest[1..].split_once(quote) else {
            break;
        };
        found.push((name.trim(), value));
        text = after;
    }
    found
}

/// Nothing, for `[b]`, `[color=red]` and `[/color]`.
fn tag_of_forum(text: &str) -> Option<(String, usize)> {
    let end = text.bytes().take(32).position(|byte| byte == b']')?;
    let name = text[1..end].trim_start_matches('/');
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    let is_known = OF_FORUMS.contains(&&*name.to_ascii_lowercase());
    is_known.then(|| (String::new(), end + 1))
}

/// The character for a reference such as `&spades;` or `&#9824;`.
fn character(text: &str) -> Option<(String, usize)> {
    let (name, after) = divided(&text[1..], |c| !c.is_ascii_alphanumeric() && c != '#');
    let is_closed = after.starts_with(';');
    let number = name
        .strip_prefix('#')
        .and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        });
    let named = CHARACTERS.iter().find(|(known, _)| *known == name);
    let read = match (number.and_then(char::from_u32), named) {
        (Some(letter), _) => letter.to_string(),
        (_, Some((_, letter))) if is_closed => (*letter).to_owned(),
        _ => suit(if name == "diams" { "diamonds" } else { name })?
            .symbol()
            .to_string(),
    };
    Some((read, 1 + name.len() + usize::from(is_closed)))
}

/// A sign behind a backslash, or its number as in JSON.
fn escaped(text: &str) -> Option<(String, usize)> {
    let digits = text[1..].strip_prefix('u').and_then(|text| text.get(..4));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if let Some(sign) = number.and_then(char::from_u32) {
        return Some((sign.to_string(), 6));
    }
    let mut signs = text[1..].chars();
    let sign = signs.next()?;
    // A line break in JSON; other letters begin words of LaTeX.
    if sign == 'n' && !signs.next().is_some_and(char::is_lowercase) {
        return Some(("  ".to_owned(), 2));
    }
    sign.is_ascii_punctuation().then(|| (sign.to_string(), 2))
}

/// A tag of PBN without the number, the bullet, the bar or the quote before it.
fn without_mark(line: &str) -> Option<String> {
    let (before, after) = line.split_once('[')?;
    let before = before.trim();
    let is_mark = |c: char| c.is_ascii_digit() || "-*•|\".): ".contains(c);
    if before.is_empty() || before.len() > 8 || !before.chars().all(is_mark) {
        return None;
    }
    let doubled = before.ends_with('"').then(|| after.replace("\"\"", "\""));
    let after = doubled.as_deref().unwrap_or(after);
    let tag = format!("[{}", after.trim_end().trim_end_matches(['|', '"']));
    is_tag(&tag).then_some(tag)
}
