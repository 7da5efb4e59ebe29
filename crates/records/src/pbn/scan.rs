//! The tags of a game and the sections that follow them.

use std::ops::Range;

use crate::error::{AtLine, Problem, quote};
use crate::text::{BOM, decode_line};

/// A tag pair, `[Name "value"]`, and the section after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub name: String,
    pub value: String,
    /// The line of the opening bracket.
    pub line: u64,
    /// The bytes from bracket to bracket, in the game.
    pub range: Range<usize>,
    /// The text up to the next tag, comments left out, line by line.
    pub section: String,
    /// The end of the section; the end of `range` without one.
    pub end: usize,
}

impl Tag {
    /// The words of the section.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.section.split_whitespace()
    }
}

/// The tags of a game whose first line has the number `line`.
pub(crate) fn tags(bytes: &[u8], line: u64) -> Result<Vec<Tag>, AtLine> {
    let at = if line == 1 && bytes.starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    let mut scanner = Scanner {
        bytes,
        start: at,
        at,
        line,
    };
    let mut tags: Vec<Tag> = Vec::new();
    while let Some(&byte) = bytes.get(scanner.at) {
        match byte {
            b'%' if scanner.starts_line() => scanner.skip_line(),
            b'\n' => {
                if let Some(tag) = tags.last_mut().filter(|tag| !tag.section.is_empty()) {
                    tag.section.push('\n');
                }
                scanner.step();
            }
            _ if byte.is_ascii_whitespace() => scanner.step(),
            b';' => scanner.skip_line(),
            b'{' => scanner.comment()?,
            b'[' => tags.push(scanner.tag()?),
            _ => {
                let line = scanner.line;
                let word = decode_line(scanner.word());
                let Some(tag) = tags.last_mut() else {
                    let found = quote(&word);
                    let problem = Problem::Stray { found };
                    return Err(AtLine { line, problem });
                };
                tag.section.push_str(&word);
                tag.section.push(' ');
                tag.end = scanner.at;
            }
        }
    }
    Ok(tags)
}

/// A place in the bytes of a game.
struct Scanner<'a> {
    bytes: &'a [u8],
    /// The beginning of the text.
    start: usize,
    at: usize,
    line: u64,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.at += 1;
    }

    fn starts_line(&self) -> bool {
        self.at == self.start || self.bytes[self.at - 1] == b'\n'
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.step();
        }
    }

    fn unclosed(line: u64, what: &'static str) -> AtLine {
        let problem = Problem::Unclosed(what);
        AtLine { line, problem }
    }

    fn comment(&mut self) -> Result<(), AtLine> {
        let line = self.line;
        while let Some(byte) = self.peek() {
            self.step();
            if byte == b'}' {
                return Ok(());
            }
        }
        Err(Scanner::unclosed(line, "a comment"))
    }

    /// A word of a section; one in quotes continues to the closing quote.
    fn word(&mut self) -> &'a [u8] {
        let start = self.at;
        if self.peek() == Some(b'"') {
            let rest = &self.bytes[start + 1..];
            let end = rest.iter().position(|&byte| byte == b'"' || byte == b'\n');
            if let Some(end) = end.filter(|&end| rest[end] == b'"') {
                self.at = start + end + 2;
                return &self.bytes[start..self.at];
            }
        }
        while self.peek().is_some_and(|byte| {
            !byte.is_ascii_whitespace() && (self.at == start || !b"[{;".contains(&byte))
        }) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    fn tag(&mut self) -> Result<Tag, AtLine> {
        let (start, line) = (self.at, self.line);
        let open = || Scanner::unclosed(line, "a tag");
        self.step();
        self.skip_blanks();
        let name = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            self.at += 1;
        }
        let name = decode_line(&self.bytes[name..self.at]).into_owned();
        self.skip_blanks();
        let value = match self.peek() {
            Some(b'"') => {
                self.step();
                self.value()
            }
            _ => self.plain_value(),
        };
        let value = value.ok_or_else(open)?;
        Ok(Tag {
            name,
            value,
            line,
            range: start..self.at,
            section: String::new(),
            end: self.at,
        })
    }

    /// The value of a tag without quotes, up to the closing bracket of its line.
    fn plain_value(&mut self) -> Option<String> {
        let line = self.bytes[self.at..].split(|&byte| byte == b'\n').next()?;
        let end = line.iter().position(|&byte| byte == b']')?;
        self.at += end + 1;
        Some(decode_line(line[..end].trim_ascii()).into_owned())
    }

    /// The value of a tag after its opening quote, up to the closing bracket.
    ///
    /// A quote that no bracket follows is part of the value: not all writers
    /// put a backslash before it.
    fn value(&mut self) -> Option<String> {
        let mut value = Vec::new();
        loop {
            let byte = self.peek()?;
            self.step();
            match byte {
                b'\n' => return None,
                b'\\' if matches!(self.peek(), Some(b'"' | b'\\')) => {
                    value.extend(self.peek());
                    self.step();
                }
                b'"' => {
                    let rest = &self.bytes[self.at..];
                    let blanks = rest
                        .iter()
                        .take_while(|byte| byte.is_ascii_whitespace())
                        .count();
                    if rest.get(blanks) == Some(&b']') {
                        for _ in 0..=blanks {
                            self.step();
                        }
                        return Some(decode_line(&value).into_owned());
                    }
                    value.push(byte);
                }
                _ => value.push(byte),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_sections() {
        let game =
            b"% PBN 2.1\n{a [comment]\n} [ Event  \"x \\\"y\\\" \\\\ z\" ] ; [Site \"no\"]\n\
            [Play \"N\"] SA {ten} SK\n%escaped\nS2 \"a [b\" -;end\n[Result \"4\"][Site \"\"]";
        let tags = tags(game, 10).unwrap();
        let shown: Vec<_> = tags
            .iter()
            .map(|tag| (tag.line, tag.name.as_str(), tag.value.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (12, "Event", "x \"y\" \\ z"),
                (13, "Play", "N"),
                (16, "Result", "4"),
                (16, "Site", ""),
            ]
        );
        assert_eq!(tags[1].section, "SA SK \n\nS2 \"a [b\" - \n");
        assert!(game[..tags[1].end].ends_with(b" -"));
        assert_eq!(&game[tags[3].range.clone()], b"[Site \"\"]");
    }

    #[test]
    fn only_whole_lines_are_escaped() {
        let tags = tags(b"[Play \"N\"] SA %SK\n%S2\nS3", 1).unwrap();
        assert_eq!(tags[0].section, "SA %SK \n\nS3 ");
    }

    #[test]
    fn quotes_without_a_backslash() {
        let tags = tags(b"[Event \"The \"Big\" One\"]", 1).unwrap();
        assert_eq!(tags[0].value, "The \"Big\" One");
        let tags = super::tags(b"[Event Random Deal #]\n[Board \"1\"]", 1).unwrap();
        let values: Vec<&str> = tags.iter().map(|tag| tag.value.as_str()).collect();
        assert_eq!(values, ["Random Deal #", "1"]);
    }

    #[test]
    fn errors_name_their_line() {
        let error = |game: &[u8]| {
            let error = tags(game, 1).unwrap_err();
            (error.line, error.problem.to_string())
        };
        assert_eq!(
            error(b"[A \"b\"]\n{open\n"),
            (2, "a comment without its end".to_owned())
        );
        assert_eq!(
            error(b"\n[A \"b\n]"),
            (2, "a tag without its end".to_owned())
        );
        assert_eq!(error(b"[A \"b\n\"]"), error(b"[A \"b"));
        assert_eq!(error(b"[").1, "a tag without its end");
        assert_eq!(
            error(b"hello"),
            (
                1,
                "\"hello\" is neither a tag, nor a comment, nor part of a section".to_owned()
            )
        );
    }
}
