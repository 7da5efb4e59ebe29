//! Cutting a LIN file into fields, `name|value|`.

use std::io::{self, BufRead, Read};

use crate::error::{Problem, RecordError, quote};
use crate::lines::Lines;
use crate::text::{BOM, decode_line};

/// Maximum length of a name or value, in bytes.
const FIELD_LIMIT: usize = 1 << 16;

/// The signs that mails write before the lines of a quoted text.
fn is_quote(c: char) -> bool {
    c == '>' || c.is_whitespace()
}

/// A field and the line of its value.
#[derive(Debug)]
pub(super) struct LinField {
    pub line: u64,
    pub name: String,
    pub value: String,
}

impl<R: BufRead> Lines<R> {
    /// The text up to the next bar; `None` at the end of the file.
    fn up_to_bar(&mut self) -> io::Result<Option<Result<String, Problem>>> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        self.number = self.number.max(1);
        loop {
            let limit = FIELD_LIMIT as u64;
            let mut part = Vec::new();
            let read = (&mut self.stream).take(limit).read_until(b'|', &mut part)?;
            self.number += part.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let ends = part.ends_with(b"|") || read < FIELD_LIMIT;
            too_long |= bytes.len() + part.len() > FIELD_LIMIT;
            if too_long {
                bytes.clear();
            } else {
                bytes.append(&mut part);
            }
            if read == 0 && bytes.is_empty() && !too_long {
                return Ok(None);
            }
            if ends {
                break;
            }
        }
        if too_long {
            return Ok(Some(Err(Problem::TooLong {
                what: "a field",
                limit: FIELD_LIMIT,
            })));
        }
        let bytes = bytes.strip_suffix(b"|").unwrap_or(&bytes);
        let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        Ok(Some(Ok(decode_line(bytes).trim().to_owned())))
    }

    /// Returns the next field, or a problem after which reading can continue; `None` at the end of
    /// the stream.
    pub(super) fn field(&mut self) -> io::Result<Option<Result<LinField, RecordError>>> {
        let at = |line: u64, problem: Problem| Ok(Some(Err(problem.at(line))));
        let name = loop {
            match self.up_to_bar()? {
                None => return Ok(None),
                Some(Err(problem)) => return at(self.number, problem),
                // There is one bar too many.
                Some(Ok(name)) if name.is_empty() => {}
                Some(Ok(name)) => break name,
            }
        };
        // There may be text before it, on its own lines or not.
        let before = name.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric());
        let (before, name) = name.split_at(before.len());
        if name.len() != 2 {
            // A bar is missing: continue with the text after it.
            let found = quote(name.lines().last().unwrap_or_default());
            return at(self.number, Problem::FieldName { found });
        }
        if !before.trim_end_matches(is_quote).is_empty() {
            self.pass_over(self.number - before.matches('\n').count() as u64);
        }
        let name = name.to_owned();
        let line = self.number;
        match self.up_to_bar()? {
            None => at(line, Problem::Unclosed("the last field")),
            Some(Ok(value)) => {
                let lines = value
                    .split(['\r', '\n'])
                    .map(|line| match line.strip_prefix('>') {
                        Some(quoted) => quoted.trim_start_matches(is_quote),
                        None => line,
                    });
                let value = lines.collect();
                Ok(Some(Ok(LinField { line, name, value })))
            }
            Some(Err(problem)) => at(line, problem),
        }
    }
}
