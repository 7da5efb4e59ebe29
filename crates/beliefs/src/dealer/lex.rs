//! The words of a script.

use setrograde_cards::{Rank, Suit};

use super::ScriptError;

/// A word, a number, a mark or a quoted text, with the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub start: usize,
    pub kind: TokenKind,
    /// Of a quoted text, what is between the quotes.
    pub text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// Digits, perhaps with a point.
    Number,
    Mark,
    Quoted,
    /// After the last one.
    End,
}

const MARKS: [&str; 6] = ["||", "&&", "==", "!=", "<=", ">="];

/// Splits a script into tokens, without its comments; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ScriptError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let line = || rest.find('\n').unwrap_or(rest.len());
        let mut take = |kind, length: usize| {
            let text = &rest[..length];
            found.push(Token {
                start: at,
                kind,
                text,
            });
            length
        };
        at += match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '#' if rest.starts_with("#include") => {
                let problem = "#include is not followed; copy the text of that file here";
                return Err(ScriptError::at(text, at, problem));
            }
            '#' => line(),
            _ if rest.starts_with("//") => line(),
            _ if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => end + 2,
                None => return Err(ScriptError::at(text, at, "the comment has no end: `*/`")),
            },
            '"' => {
                let Some(end) = rest[1..].find('"') else {
                    let problem = "the text has no closing quotation mark";
                    return Err(ScriptError::at(text, at, problem));
                };
                found.push(Token {
                    start: at,
                    kind: TokenKind::Quoted,
                    text: &rest[1..=end],
                });
                end + 2
            }
            _ if rest.starts_with("\\n") => take(TokenKind::Quoted, 2),
            _ if first.is_ascii_alphabetic() || first == '_' => take(TokenKind::Word, word(rest)),
            _ if first.is_ascii_digit() || first == '.' => {
                let (kind, length) = number(rest);
                if length == 0 {
                    return Err(ScriptError::at(text, at, "a point without digits"));
                }
                take(kind, length)
            }
            _ => {
                let mark = MARKS.into_iter().find(|&mark| rest.starts_with(mark));
                take(TokenKind::Mark, mark.map_or(first.len_utf8(), str::len))
            }
        };
    }
    found.push(Token {
        start: text.len(),
        kind: TokenKind::End,
        text: "",
    });
    Ok(found)
}

/// Returns the length of the word at the start of a text.
fn word(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    end.unwrap_or(text.len())
}

/// Returns the kind and the length of a number, a card such as `2C` or a shape such as `54xx`.
fn number(text: &str) -> (TokenKind, usize) {
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        end.unwrap_or(text.len())
    };
    let word = &text[..word(text)];
    let mut chars = word.chars();
    if let (2, Some(rank), Some(suit)) = (word.len(), chars.next(), chars.next())
        && Rank::from_letter(rank).is_some()
        && Suit::from_letter(suit).is_some()
    {
        return (TokenKind::Word, 2);
    }
    let shape = word.get(..4).filter(|word| {
        word.contains(['x', 'X']) && word.bytes().all(|c| c.is_ascii_digit() || c | 32 == b'x')
    });
    if shape.is_some() {
        return (TokenKind::Word, 4);
    }
    let whole = digits(text);
    let point = text[whole..].strip_prefix('.');
    let length = point.map_or(whole, |part| whole + 1 + digits(part));
    if text[..length].contains(|c: char| c.is_ascii_digit()) {
        (TokenKind::Number, length)
    } else {
        (TokenKind::Number, 0)
    }
}
