//! The signs of suits in fonts, forums, pages and programs.

use setrograde_cards::Suit;

use crate::lists::is_hand;

/// Characters for suits: white ones, those of a symbol font, and those of DOS.
const SIGNS: [(&str, char); 4] = [
    ("♤ª\u{f0aa}\u{6}", '♠'),
    ("♡\u{f0a9}\u{3}", '♥'),
    ("♢¨\u{f0a8}\u{4}", '♦'),
    ("♧\u{f0a7}\u{5}", '♣'),
];

/// Maximum length of a line of a diagram, in bytes. A longer one is text.
pub(crate) const LONGEST: usize = 1 << 9;

/// The suit with this symbol.
pub(crate) fn suit_of_symbol(c: char) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| suit.symbol() == c)
}

pub(crate) fn is_symbol(c: char) -> bool {
    suit_of_symbol(c).is_some()
}

/// The suit with this letter, if the text is a letter.
pub(crate) fn suit_of_letter(text: &str) -> Option<Suit> {
    text.parse().ok().and_then(Suit::from_letter)
}

/// A line with plain signs: without the marks of lists and bold text, and with symbols of suits.
/// `None` if it is too long.
pub(crate) fn plain_signs(line: &str) -> Option<String> {
    if line.len() > LONGEST {
        return None;
    }
    // Fields of compact JSON have no blanks between them.
    let line = line.replace("\",\"", "\", \"").replace("**", "");
    let line = line.replace(['"', '\'', '`'], "");
    let line = without_bullet(&line).unwrap_or(&line).replace('*', "");
    let mut line = line.replace('_', " ");
    if !line
        .contains(|c: char| "&:!@$\\<{".contains(c) || c < ' ' || !c.is_ascii() && !is_symbol(c))
    {
        return Some(line);
    }
    if line.contains('ª') {
        line = with_font(&line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut rest = &*line;
    while let Some(first) = rest.chars().next() {
        let (sign, length) = match suit_sign(rest) {
            Some((sign, length)) => (Some(sign), length),
            None => {
                let sign = match first {
                    '：' => Some(':'),
                    '\u{fe0e}' | '\u{fe0f}' | '{' | '}' => None,
                    _ => Some(first),
                };
                (sign, first.len_utf8())
            }
        };
        plain.extend(sign);
        rest = &rest[length..];
    }
    Some(plain)
}

/// A line with suits for the characters of a symbol font that have other meanings, too.
pub(crate) fn with_font(line: &str) -> String {
    line.replace('©', "♥").replace('§', "♣")
}

/// The symbol for the sign of a suit that a text begins with, and the length of the sign: one that
/// forums, pages and programs write, such as `!s`, `:spade:`, `<s>` or `$\spadesuit$`.
fn suit_sign(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    if let Some((_, suit)) = SIGNS.iter().find(|(signs, _)| signs.contains(first)) {
        return Some((*suit, first.len_utf8()));
    }
    let (open, close) = match first {
        '$' => ("$\\", "$"),
        '\\' => ("\\", ""),
        '<' => ("<", ">"),
        '{' => ("{", "}"),
        ':' => (":", ":"),
        '!' | '@' => (&text[..1], ""),
        _ => return None,
    };
    let from = text.strip_prefix(open)?;
    let end = from
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(from.len());
    // A letter has its cards after it.
    let card = from
        .bytes()
        .skip(1)
        .position(|byte| byte.is_ascii_uppercase());
    let end = match (first, card) {
        ('!' | '@', _) => end.min(1),
        ('\\', Some(at)) => end.min(at + 1),
        _ => end,
    };
    let (name, after) = from.split_at(end);
    if name.is_empty() && first == '\\' {
        // The name was read before.
        let sign = after.chars().next().filter(|c| is_symbol(*c))?;
        return Some((sign, 1 + sign.len_utf8()));
    }
    let is_word = "!@".contains(first) && after.starts_with(|c: char| c.is_ascii_lowercase());
    let plain = name.strip_suffix("suit").unwrap_or(name);
    let suit = suit_of_letter(plain).or_else(|| abbreviated(plain))?;
    let length = open.len() + end + close.len();
    (after.starts_with(close) && !is_word).then_some((suit.symbol(), length))
}

/// The suit whose English name a word is, or begins.
pub(crate) fn abbreviated(word: &str) -> Option<Suit> {
    let begins = |suit: &Suit| {
        let start = suit.name().get(..word.len());
        word.len() > 1 && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    Suit::ALL.into_iter().find(begins)
}

/// The line of a list after its bullet or number. A gap after a hyphen separates columns.
fn without_bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < line.len() {
        let text = behind.strip_prefix(". ").or(behind.strip_prefix(") "))?;
        let is_item = text.starts_with(char::is_alphabetic) || is_hand(text.trim());
        return Some(text).filter(|_| is_item);
    }
    let text = ["- ", "* ", "• ", "> ", "| "]
        .iter()
        .find_map(|bullet| line.strip_prefix(bullet))?;
    (!line.starts_with('-') || !text.starts_with(' ')).then_some(text)
}
