//! Cutting a LIN file into fields, `name|value|`.

use std::io::{self, BufRead, Read};

use crate::error::{AtLine, Problem, quote};
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

/// The fields of a stream.
#[derive(Debug)]
pub(super) struct LinFields<R> {
    reader: R,
    line: u64,
    between: Option<u64>,
}

impl<R: BufRead> LinFields<R> {
    pub(super) fn new(reader: R) -> LinFields<R> {
        LinFields {
            reader,
            line: 1,
            between: None,
        }
    }

    /// The line that was read to, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The first line with text between fields.
    pub(super) fn text_between(&self) -> Option<u64> {
        self.between
    }

    /// The text up to the next bar; `None` at the end of the file.
    fn text(&mut self) -> io::Result<Option<Result<String, Problem>>> {
        let mut bytes = Vec::new();
        let mut too_long = false;
        loop {
            let limit = FIELD_LIMIT as u64;
            let mut part = Vec::new();
            let read = (&mut self.reader).take(limit).read_until(b'|', &mut part)?;
            self.line += part.iter().filter(|&&byte| byte == b'\n').count() as u64;
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
    pub(super) fn next(&mut self) -> io::Result<Option<Result<LinField, AtLine>>> {
        let at = |line: u64, problem: Problem| Ok(Some(Err(AtLine { line, problem })));
        let name = loop {
            match self.text()? {
                None => return Ok(None),
                Some(Err(problem)) => return at(self.line, problem),
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
            return at(self.line, Problem::FieldName { found });
        }
        if !before.trim_end_matches(is_quote).is_empty() && self.between.is_none() {
            self.between = Some(self.line - before.matches('\n').count() as u64);
        }
        let name = name.to_owned();
        let line = self.line;
        match self.text()? {
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
