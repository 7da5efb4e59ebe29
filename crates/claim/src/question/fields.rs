//! A line cut at its blanks, each piece with its column.

use std::iter::Peekable;
use std::str::FromStr;
use std::vec::IntoIter;

use crate::question::error::{Problem, QuestionError};

/// A piece of a line.
pub(crate) struct Field<'a> {
    /// Where it begins: a 1-based count of characters.
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// Reads the whole field; errors name the column in the line.
    pub fn read<T: FromStr>(&self) -> Result<T, QuestionError>
    where
        QuestionError: From<T::Err>,
    {
        let error = |error| QuestionError::from(error).shifted(self.column - 1);
        self.text.parse().map_err(error)
    }

    /// What is left without the first `bytes` bytes, which must end a character.
    pub fn after(&self, bytes: usize) -> Field<'a> {
        let (gone, text) = self.text.split_at(bytes);
        Field {
            column: self.column + gone.chars().count(),
            text,
        }
    }

    /// The field cut at each comma.
    pub fn split_at_commas(&self) -> impl Iterator<Item = Field<'a>> {
        let mut column = self.column;
        self.text.split(',').map(move |text| {
            let field = Field { column, text };
            column += text.chars().count() + 1;
            field
        })
    }
}

/// The fields of a line that have not been read yet.
pub(crate) struct Fields<'a> {
    left: Peekable<IntoIter<Field<'a>>>,
    /// The column after the last field.
    end: usize,
}

impl<'a> Fields<'a> {
    pub fn new(line: &'a str) -> Fields<'a> {
        let mut found = Vec::new();
        let mut start = None;
        for (n, (at, c)) in line.char_indices().enumerate() {
            match (c.is_whitespace(), start) {
                (false, None) => start = Some((n + 1, at)),
                (true, Some((column, from))) => {
                    let text = &line[from..at];
                    found.push(Field { column, text });
                    start = None;
                }
                _ => {}
            }
        }
        if let Some((column, from)) = start {
            let text = &line[from..];
            found.push(Field { column, text });
        }
        Fields {
            left: found.into_iter().peekable(),
            end: line.trim_end().chars().count() + 1,
        }
    }

    /// The next field; without one, an error that says what was expected.
    pub fn required(&mut self, expected: &'static str) -> Result<Field<'a>, QuestionError> {
        let missing = || QuestionError::new(self.end, Problem::Missing { expected });
        self.left.next().ok_or_else(missing)
    }

    /// What follows `name` in the next field, if that begins with it.
    pub fn value_of(&mut self, name: &str) -> Option<Field<'a>> {
        let begins = |field: &Field<'_>| {
            let start = field.text.get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        Some(self.left.next_if(begins)?.after(name.len()))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        self.left.next()
    }
}
