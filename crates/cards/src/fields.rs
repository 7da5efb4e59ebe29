//! Splitting a line into fields separated by blanks, keeping their columns.

/// A run of characters without blanks, and its column in the line.
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
