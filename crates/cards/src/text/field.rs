//! Splitting a line into fields separated by blanks, keeping their columns.

use super::error::{TextError, TextProblem, quote};

/// A run of characters without blanks, and where it stands in its line.
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

/// The error for `expected` not being there at the end of `text`.
pub(crate) fn missing(text: &str, expected: &'static str) -> TextError {
    TextError::new(end_column(text), TextProblem::Missing { expected })
}

/// The value of a text that is one word, which is `value` if the word is known.
/// An error says what was `expected`, or what kind of word it is `not`.
pub(crate) fn word<T>(
    text: &str,
    expected: &'static str,
    value: Option<T>,
    not: impl FnOnce(String) -> TextProblem,
) -> Result<T, TextError> {
    match value {
        Some(value) => Ok(value),
        None if text.is_empty() => Err(missing(text, expected)),
        None => Err(TextError::new(1, not(quote(text)))),
    }
}

/// The column just after the last character of `text` that is not blank.
pub(crate) fn end_column(text: &str) -> usize {
    text.trim_end().chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
