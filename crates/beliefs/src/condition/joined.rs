//! Statements joined by `,`, `|`, `not` and brackets.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use setrograde_cards::Seat;

use crate::question_error::QuestionError;

/// Maximum number of alternatives of a condition.
const MOST_ALTERNATIVES: usize = 256;

/// Maximum depth of brackets.
const DEEPEST: usize = 16;

/// A statement that [`joined`] reads.
pub trait Statement: Clone {
    /// Returns the length of the statement at the start of `text` if it begins with the name of a
    /// function, whose arguments may have brackets and commas.
    fn call(text: &str) -> Option<usize> {
        let _ = text;
        None
    }

    /// Reads a statement, or several that hold together. It is about the hand `inside` whose
    /// brackets it is, if any; `column` is where it begins.
    ///
    /// # Errors
    ///
    /// If it is not a statement.
    fn read(text: &str, inside: Option<Seat>, column: usize) -> Result<Vec<Self>, QuestionError>;

    /// Returns the opposite.
    #[must_use]
    fn denied(&self) -> Self;
}

/// The signs that word processors and other programs write, and those that are read. Columns stay
/// except behind `≥` and `≤`.
const SIGNS: [(&str, &str); 14] = [
    ("–", "-"),
    ("—", "-"),
    ("−", "-"),
    ("\u{a0}", " "),
    ("≥", ">="),
    ("≤", "<="),
    (";", ","),
    ("&&", ", "),
    ("&", ","),
    ("||", "| "),
    (" and ", "  ,  "),
    (" AND ", "  ,  "),
    (" or ", "  | "),
    (" OR ", "  | "),
];

fn with_plain_signs(text: &str) -> Cow<'_, str> {
    let mut plain = Cow::Borrowed(text);
    for (written, read) in SIGNS {
        if plain.contains(written) {
            plain = Cow::Owned(plain.replace(written, read));
        }
    }
    plain
}

/// Reads statements joined by `,` or `and`, and by `|` or `or`, with brackets and `not`: the
/// alternatives, each with the statements that hold together.
///
/// # Errors
///
/// If a statement or a bracket is wrong, or there are more than 256 alternatives.
pub fn joined<T: Statement>(text: &str) -> Result<Vec<Vec<T>>, QuestionError> {
    let text = with_plain_signs(text);
    let mut reader = Reader {
        of: PhantomData,
        rest: &text,
        column: 1,
        depth: 0,
    };
    let alternatives = reader.any(None)?;
    match reader.rest.chars().next() {
        Some(left) => Err(reader.problem(format_args!("{left:?} closes no bracket"))),
        None => Ok(alternatives),
    }
}

/// Alternatives, each a list of statements.
type Alternatives<T> = Vec<Vec<T>>;

struct Reader<'a, T> {
    /// Its statements.
    of: PhantomData<T>,
    rest: &'a str,
    column: usize,
    depth: usize,
}

impl<T: Statement> Reader<'_, T> {
    fn problem(&self, problem: impl fmt::Display) -> QuestionError {
        QuestionError::new(self.column, problem)
    }

    /// Continues after `text`, which begins the rest, and the blanks after it.
    fn skip(&mut self, text: &str) {
        let rest = &self.rest[text.len()..];
        let blanks = rest.len() - rest.trim_start().len();
        self.column += self.rest[..text.len() + blanks].chars().count();
        self.rest = &rest[blanks..];
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.skip("");
        let found = self.rest.starts_with(mark);
        if found {
            self.skip(mark);
        }
        found
    }

    fn few(&self, found: Alternatives<T>) -> Result<Alternatives<T>, QuestionError> {
        match found.len() > MOST_ALTERNATIVES {
            true => Err(self.problem(format_args!("more than {MOST_ALTERNATIVES} alternatives"))),
            false => Ok(found),
        }
    }

    /// Alternatives; terms that name no hand are about `seat`.
    fn any(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        let mut found = self.all(seat)?;
        while self.eat("|") {
            found.extend(self.all(seat)?);
            found = self.few(found)?;
        }
        Ok(found)
    }

    fn all(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        let mut found = self.part(seat)?;
        while self.eat(",") {
            let more = self.part(seat)?;
            found = self.both(&found, &more)?;
        }
        Ok(found)
    }

    /// A bracket or `not` within others.
    fn deeper(&mut self) -> Result<(), QuestionError> {
        if self.depth == DEEPEST {
            return Err(self.problem(format_args!("more than {DEEPEST} brackets in brackets")));
        }
        self.depth += 1;
        Ok(())
    }

    /// Both of two conditions.
    fn both(
        &self,
        a: &Alternatives<T>,
        b: &Alternatives<T>,
    ) -> Result<Alternatives<T>, QuestionError> {
        if a.len() * b.len() > MOST_ALTERNATIVES {
            return Err(self.problem(format_args!("more than {MOST_ALTERNATIVES} alternatives")));
        }
        let with = |a: &Vec<T>| {
            let a = a.clone();
            b.iter().map(move |b| [&a[..], b].concat())
        };
        Ok(a.iter().flat_map(with).collect())
    }

    /// The alternatives in which all of these are false.
    fn deny(&self, found: &Alternatives<T>) -> Result<Alternatives<T>, QuestionError> {
        let mut rest: Alternatives<T> = vec![Vec::new()];
        for terms in found {
            let one = terms.iter().map(|term| vec![term.denied()]);
            rest = self.both(&rest, &one.collect())?;
        }
        Ok(rest)
    }

    /// A term, or a condition in brackets, about one hand if a seat precedes it.
    fn part(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        self.skip("");
        if let Some(not) = self
            .rest
            .get(..3)
            .filter(|text| text.eq_ignore_ascii_case("not"))
            && self.rest[3..].starts_with([' ', '('])
        {
            self.skip(not);
            self.deeper()?;
            let found = self.part(seat)?;
            self.depth -= 1;
            return self.deny(&found);
        }
        let call = T::call(self.rest);
        let end = call.unwrap_or_else(|| {
            let end = self.rest.find([',', '|', '(', ')']);
            end.unwrap_or(self.rest.len())
        });
        let text = &self.rest[..end];
        let start = self.column;
        if call.is_none() && self.rest[end..].starts_with('(') {
            let before = text.trim();
            let inside = match (before, before.strip_suffix('.').map(str::parse)) {
                ("", _) => seat,
                (_, Some(Ok(named))) if seat.is_none() => Some(named),
                _ => {
                    T::read(&self.rest[..=end], None, start)?;
                    return Err(self.problem("a condition before a bracket"));
                }
            };
            self.skip(text);
            self.deeper()?;
            self.skip("(");
            let found = self.any(inside)?;
            if !self.eat(")") {
                return Err(self.problem("expected a closing bracket"));
            }
            self.depth -= 1;
            return Ok(found);
        }
        let text = text.trim_end();
        let found = vec![T::read(text, seat, start)?];
        self.skip(text);
        Ok(found)
    }
}
