//! Splits a line into fields separated by spaces, and keeps their columns.

use std::iter::Peekable;

use crate::{Rank, Suit};

/// A run of characters without spaces, and its column in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// 1-based column, in characters, of the field's first character.
    pub column: usize,
    /// Byte offset of the field in the line.
    pub start: usize,
    /// The field itself, never empty.
    pub text: &'a str,
}

/// The fields of `line`, from left to right.
pub fn fields(line: &str) -> impl Iterator<Item = Field<'_>> {
    let mut start = 0;
    let mut column = 1;
    std::iter::from_fn(move || {
        let rest = &line[start..];
        let blanks = rest.len() - rest.trim_start().len();
        column += rest[..blanks].chars().count();
        start += blanks;

        let text = line[start..].split(char::is_whitespace).next()?;
        if text.is_empty() {
            return None;
        }
        let field = Field {
            column,
            start,
            text,
        };
        start += text.len();
        column += text.chars().count();
        Some(field)
    })
}

/// The hand of `line` that begins with the field `first`. One whose suits are marked by symbols
/// or letters, such as `♠AK2 ♥Q ♦- ♣J3` or `♠ AK2 ♥ Q ♦ - ♣ J3`, takes the fields of its suits from
/// `rest`: each suit comes after the one before it.
pub fn hand_field<'a>(
    line: &'a str,
    first: Field<'a>,
    rest: &mut Peekable<impl Iterator<Item = Field<'a>>>,
) -> Field<'a> {
    let mut hand = first;
    let mut last = mark(&hand).and_then(|_| last_mark(&hand));
    // A suit's cards may follow a blank and be separated by blanks.
    let is_bare = |field: &Field<'_>| {
        let end = field.text.trim_end_matches([':', '\u{fe0e}', '\u{fe0f}']);
        end.chars().next_back().and_then(Suit::from_mark).is_some()
    };
    let mut bare = is_bare(&hand);
    while let Some(word) =
        rest.next_if(|next| last.is_some() && (bare && is_holding(next) || mark(next) > last))
    {
        last = last_mark(&word).or(last);
        bare |= is_bare(&word);
        hand.text = &line[hand.start..word.start + word.text.len()];
    }
    hand
}

/// The suit that the holding in a field begins with, if it is nothing but marked holdings.
fn mark(field: &Field<'_>) -> Option<Suit> {
    let text = field.text.strip_suffix(':').unwrap_or(field.text);
    let holding = text.rsplit(':').next()?;
    let fits = |c: char| in_holding(c) || Suit::from_mark(c).is_some();
    let first = holding.chars().next().and_then(Suit::from_mark);
    first.filter(|_| holding.chars().all(fits))
}

/// Returns true if a field is the cards of a suit without its mark.
fn is_holding(field: &Field<'_>) -> bool {
    field.text.chars().all(in_holding)
}

/// Returns true if a character is a rank, a sign of a void, or part of another sign.
fn in_holding(c: char) -> bool {
    let other = matches!(
        c,
        '1' | '0' | '-' | '–' | '—' | ',' | '\u{fe0e}' | '\u{fe0f}'
    );
    other || Rank::from_letter(c).is_some()
}

/// The suit of the last holding in a field.
fn last_mark(field: &Field<'_>) -> Option<Suit> {
    field.text.chars().rev().find_map(Suit::from_mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::end_column;

    #[test]
    fn columns_count_characters() {
        let found: Vec<_> = fields("  é♠ \u{3000}x  ")
            .map(|f| (f.column, f.start, f.text))
            .collect();
        assert_eq!(found, [(3, 2, "é♠"), (7, 11, "x")]);
    }

    #[test]
    fn blank_lines_have_no_fields() {
        assert_eq!(fields("").count(), 0);
        assert_eq!(fields(" \t ").count(), 0);
        assert_eq!(end_column(" \t "), 1);
        assert_eq!(end_column("ab "), 3);
    }
}
