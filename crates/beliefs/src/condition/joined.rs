//! Statements joined by `,`, `|`, `not` and brackets.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use setrograde_cards::Seat;

use crate::question_error::QuestionError;

/// Maximum number of alternatives of a condition.
const MOST_ALTERNATIVES: usize = 256;

/// Maximum number of statements in all alternatives together.
const MOST_IN_ALTERNATIVES: usize = 4096;

/// Maximum depth of brackets.
const DEEPEST: usize = 16;

/// Maximum size of all conditions of a question together, in bytes.
const MOST_BYTES: usize = 64 << 10;

/// Maximum number of statements in all conditions of a question together.
const MOST_STATEMENTS: usize = 512;

/// What is left of the size that all conditions of a question may have together: 64 KiB and 512
/// statements. Reading within it takes a few milliseconds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    bytes: usize,
    statements: usize,
}

/// The size that all conditions of a question may have.
impl Default for Budget {
    fn default() -> Budget {
        Budget {
            bytes: MOST_BYTES,
            statements: MOST_STATEMENTS,
        }
    }
}

/// A statement that [`alternatives`] reads.
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
/// alternatives, each with the statements that hold together. Its size is taken from `budget`.
///
/// # Errors
///
/// If a statement or a bracket is wrong, there are more than 256 alternatives, or more than the
/// budget allows.
pub fn alternatives<T: Statement>(
    text: &str,
    budget: &mut Budget,
) -> Result<Vec<Vec<T>>, QuestionError> {
    budget.bytes = budget.bytes.checked_sub(text.len()).ok_or_else(|| {
        let problem = format_args!(
            "the conditions of a question are longer than {MOST_BYTES} bytes together"
        );
        QuestionError::new(1, problem)
    })?;
    let text = with_plain_signs(text);
    let mut reader = Reader {
        of: PhantomData,
        rest: &text,
        column: 1,
        depth: 0,
        budget,
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
    budget: &'a mut Budget,
}

impl<T: Statement> Reader<'_, T> {
    fn problem(&self, problem: impl fmt::Display) -> QuestionError {
        QuestionError::new(self.column, problem)
    }

    /// Continues after `text`, which begins the rest, and the spaces after it.
    fn skip(&mut self, text: &str) {
        let rest = &self.rest[text.len()..];
        let spaces = rest.len() - rest.trim_start().len();
        self.column += self.rest[..text.len() + spaces].chars().count();
        self.rest = &rest[spaces..];
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.skip("");
        let found = self.rest.starts_with(mark);
        if found {
            self.skip(mark);
        }
        found
    }

    /// Checks the size of alternatives before they are made.
    fn check_size(&self, alternatives: usize, statements: usize) -> Result<(), QuestionError> {
        if alternatives > MOST_ALTERNATIVES {
            return Err(self.problem(format_args!("more than {MOST_ALTERNATIVES} alternatives")));
        }
        if statements > MOST_IN_ALTERNATIVES {
            return Err(self.problem(format_args!(
                "more than {MOST_IN_ALTERNATIVES} statements in all alternatives together"
            )));
        }
        Ok(())
    }

    /// Alternatives; terms that name no hand are about `seat`.
    fn any(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        let mut found = self.all(seat)?;
        let mut statements = count(&found);
        while self.eat("|") {
            let more = self.all(seat)?;
            statements += count(&more);
            self.check_size(found.len() + more.len(), statements)?;
            found.extend(more);
        }
        Ok(found)
    }

    fn all(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        let mut found = self.part(seat)?;
        let mut statements = count(&found);
        while self.eat(",") {
            let more = self.part(seat)?;
            statements = self.and(&mut found, statements, more)?;
        }
        Ok(found)
    }

    /// Restricts alternatives with a number of `statements` to those that fit one of `more`;
    /// returns the new number. Takes time for what it adds, unless there are alternatives in both.
    fn and(
        &self,
        found: &mut Alternatives<T>,
        statements: usize,
        mut more: Alternatives<T>,
    ) -> Result<usize, QuestionError> {
        let added = count(&more);
        let statements = statements * more.len() + added * found.len();
        self.check_size(found.len() * more.len(), statements)?;
        if let [more] = &more[..] {
            for terms in found {
                terms.extend_from_slice(more);
            }
        } else if let [terms] = &mut found[..]
            && terms.is_empty()
        {
            *found = more;
        } else {
            let last = more.pop();
            let mut all = Vec::with_capacity(found.len() * (more.len() + 1));
            for mut terms in found.drain(..) {
                all.extend(more.iter().map(|more| [&terms[..], more].concat()));
                terms.extend_from_slice(last.as_deref().unwrap_or_default());
                all.push(terms);
            }
            *found = all;
        }
        Ok(statements)
    }

    /// A bracket or `not` within others.
    fn deeper(&mut self) -> Result<(), QuestionError> {
        if self.depth == DEEPEST {
            return Err(self.problem(format_args!("more than {DEEPEST} brackets in brackets")));
        }
        self.depth += 1;
        Ok(())
    }

    /// The alternatives in which all of these are false.
    fn deny(&self, found: &Alternatives<T>) -> Result<Alternatives<T>, QuestionError> {
        let mut rest: Alternatives<T> = vec![Vec::new()];
        let mut statements = 0;
        for terms in found {
            let one = terms.iter().map(|term| vec![term.denied()]);
            statements = self.and(&mut rest, statements, one.collect())?;
        }
        Ok(rest)
    }

    /// A term, or a condition in brackets, about one hand if a seat precedes it.
    fn part(&mut self, seat: Option<Seat>) -> Result<Alternatives<T>, QuestionError> {
        self.skip("");
        let word = self
            .rest
            .get(..3)
            .filter(|text| text.eq_ignore_ascii_case("not"));
        let word = word.filter(|_| self.rest[3..].starts_with([' ', '(']));
        let sign = self.rest.get(..1).filter(|&sign| sign == "!");
        if let Some(not) = word.or(sign) {
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
        let found = T::read(text, seat, start)?;
        let left = self.budget.statements.checked_sub(found.len());
        self.budget.statements = left.ok_or_else(|| {
            self.problem(format_args!(
                "more than {MOST_STATEMENTS} statements in the conditions of a question"
            ))
        })?;
        self.skip(text);
        Ok(vec![found])
    }
}

/// Returns the number of statements.
pub(crate) fn count<T>(alternatives: &[Vec<T>]) -> usize {
    alternatives.iter().map(Vec::len).sum()
}
