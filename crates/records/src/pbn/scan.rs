//! The tags of a game and the sections that follow them.

use std::ops::Range;

use super::sections::is_rows;
use crate::error::{Problem, RecordError};
use crate::text::{BOM, decode_line, line_start};

/// Maximum number of lines of a value broken by a letter.
const VALUE_LINES: usize = 4;

/// A tag pair, `[Name "value"]`, and the section after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub name: String,
    pub value: String,
    /// The line of the opening bracket.
    pub line: u64,
    /// The line of the closing bracket.
    pub end_line: u64,
    /// The bytes from bracket to bracket, in the game.
    pub range: Range<usize>,
    /// The text up to the next tag, comments left out, line by line.
    pub section: String,
    /// The end of the section; the end of `range` without one.
    pub end: usize,
}

impl Tag {
    /// The words of the section.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.section.split_whitespace()
    }

    /// The line of the section's word that this is a part of.
    pub(crate) fn line_of(&self, word: &str) -> u64 {
        let before = (word.as_ptr() as usize).wrapping_sub(self.section.as_ptr() as usize);
        let before = self.section.get(..before).unwrap_or_default();
        self.end_line + before.matches('\n').count() as u64
    }
}

/// The names of tags that are read here, in PBN's case.
const NAMES: [&str; 28] = [
    "Auction",
    "Board",
    "Competition",
    "Contract",
    "Date",
    "Deal",
    "Dealer",
    "Declarer",
    "DoubleDummyTricks",
    "East",
    "Event",
    "North",
    "Note",
    "OptimumPlayTable",
    "OptimumResultTable",
    "OptimumScore",
    "PairIDEW",
    "PairIDNS",
    "ParContract",
    "Play",
    "Result",
    "Room",
    "ScoreTable",
    "Scoring",
    "South",
    "Table",
    "Vulnerable",
    "West",
];

/// The length of the name that a tag begins with.
pub(crate) fn name_length(tag: &[u8]) -> usize {
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    tag.iter().take_while(of_name).count()
}

/// Returns true if a line begins with a PBN tag: a name and a value in quotes, or a deal. Words in
/// brackets are text elsewhere.
pub(crate) fn is_tag(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('[').map(str::trim_ascii_start) else {
        return false;
    };
    let (name, rest) = tag.split_at(name_length(tag.as_bytes()));
    let rest = rest.trim_ascii_start();
    let is_deal = || name.eq_ignore_ascii_case("Deal") && !rest.starts_with(']');
    !name.is_empty() && (rest.starts_with('"') || is_deal())
}

/// The contents of a game.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    pub tags: Vec<Tag>,
    /// Tags and comments that do not end, which are passed over.
    pub problems: Vec<RecordError>,
    /// The first line with text outside tags and sections.
    pub text: Option<u64>,
    /// The text before the first tag, as in a section.
    pub before: String,
    /// The end of that text.
    before_end: usize,
}

impl Scanned {
    /// Adds what follows after an empty line and `offset` bytes.
    pub(super) fn add(&mut self, more: Scanned, offset: usize) {
        match self.tags.last_mut() {
            Some(tag) if is_rows(tag, &more.before) => {
                tag.section.push_str(&more.before);
                tag.end = offset + more.before_end;
            }
            Some(_) => self.text = self.text.or(more.text),
            None => {
                self.before += &more.before;
                self.before_end = offset + more.before_end;
                self.text = self.text.or(more.text);
            }
        }
        self.tags.extend(more.tags.into_iter().map(|tag| Tag {
            range: tag.range.start + offset..tag.range.end + offset,
            end: tag.end + offset,
            ..tag
        }));
        self.problems.extend(more.problems);
    }
}

/// Reads a game whose first line has the number `line`.
pub(crate) fn scan(bytes: &[u8], line: u64) -> Result<Scanned, RecordError> {
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
    let mut scanned = Scanned::default();
    let (tags, before) = (&mut scanned.tags, &mut scanned.before);
    while let Some(&byte) = bytes.get(scanner.at) {
        match byte {
            b'%' if scanner.starts_line() => scanner.skip_line(),
            b'\n' => {
                tags.last_mut()
                    .map_or(&mut *before, |tag| &mut tag.section)
                    .push('\n');
                scanner.step();
            }
            _ if byte.is_ascii_whitespace() => scanner.step(),
            b'>' if scanner.starts_line() => scanner.skip_quotes(),
            b';' => scanner.skip_line(),
            b'{' => {
                let first = scanner.line;
                let closed = scanner.comment();
                scanned.problems.extend(closed.err());
                let section = tags.last_mut().map_or(&mut *before, |tag| &mut tag.section);
                section.extend((first..scanner.line).map(|_| '\n'));
            }
            b'[' => {
                let (at, line) = (scanner.at, scanner.line);
                match scanner.tag() {
                    Ok(tag) => tags.push(tag),
                    Err((name, error)) if name == "Deal" => return Err(error),
                    Err((_, error)) => {
                        scanned.problems.push(error);
                        (scanner.at, scanner.line) = (at, line);
                        scanner.skip_line();
                    }
                }
            }
            _ => {
                let line = scanner.line;
                let word = decode_line(scanner.word());
                let (section, end) = match tags.last_mut() {
                    Some(tag) => (&mut tag.section, &mut tag.end),
                    None => {
                        scanned.text.get_or_insert(line);
                        (&mut *before, &mut scanned.before_end)
                    }
                };
                section.push_str(&word);
                section.push(' ');
                *end = scanner.at;
            }
        }
    }
    Ok(scanned)
}

/// A position in the bytes of a game.
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
        loop {
            match self.bytes[self.at..] {
                // A blank that does not break.
                [0xc2, 0xa0, ..] => self.at += 2,
                [byte, ..] if byte.is_ascii_whitespace() => self.step(),
                _ => return,
            }
        }
    }

    /// Skips the signs of a quoted letter at the beginning of a line.
    fn skip_quotes(&mut self) {
        self.at = self.bytes.len() - line_start(&self.bytes[self.at..]).len();
    }

    fn unclosed(line: u64, what: &'static str) -> RecordError {
        Problem::Unclosed(what).at(line)
    }

    fn comment(&mut self) -> Result<(), RecordError> {
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

    /// The tag that begins here; if it does not end, its name and that problem.
    fn tag(&mut self) -> Result<Tag, (String, RecordError)> {
        let (start, line) = (self.at, self.line);
        self.step();
        self.skip_blanks();
        let name = self.at;
        self.at += name_length(&self.bytes[name..]);
        let name = decode_line(&self.bytes[name..self.at]);
        let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(&name));
        let name = known.map_or_else(|| name.to_string(), |&known| known.to_owned());
        let name_line = self.line;
        self.skip_blanks();
        if matches!(self.peek(), Some(b':' | b'=')) {
            self.at += 1;
            self.skip_blanks();
        }
        let value = match self.peek() {
            _ if name.is_empty() => None,
            Some(b'"') => {
                self.step();
                self.value()
            }
            _ if self.line == name_line => self.plain_value(),
            _ => None,
        };
        let Some(value) = value else {
            return Err((name, Scanner::unclosed(line, "a tag")));
        };
        Ok(Tag {
            name,
            value,
            line,
            end_line: self.line,
            range: start..self.at,
            section: String::new(),
            end: self.at,
        })
    }

    /// The value of a tag without quotes or in other quotes, up to the closing bracket: in its
    /// line, or for other quotes in one of the next.
    fn plain_value(&mut self) -> Option<String> {
        let rest = &self.bytes[self.at..];
        let in_quotes = rest
            .first()
            .is_some_and(|&byte| byte == b'\'' || byte >= 0x80);
        let end = rest.iter().position(|byte| match byte {
            b'\n' => !in_quotes,
            b'[' => in_quotes,
            byte => b"]{;\"".contains(byte),
        })?;
        let lines = rest[..end].split(|&byte| byte == b'\n');
        let breaks = lines.clone().count() - 1;
        if rest[end] != b']' || breaks > VALUE_LINES {
            return None;
        }
        self.at += end + 1;
        self.line += breaks as u64;
        let lines: Vec<_> = lines.map(|line| decode_line(line_start(line))).collect();
        let quotes = ['\'', '`', '“', '”', '„', '«', '»', '‘', '’'];
        let value = lines.join(" ");
        Some(value.trim().trim_matches(quotes).trim().to_owned())
    }

    /// Returns true if the value that continues here ends within the next lines, before another
    /// tag.
    fn goes_on(&self) -> bool {
        let mut lines = self.bytes[self.at..].split(|&byte| byte == b'\n');
        let more = lines.by_ref().take(VALUE_LINES);
        for line in more {
            let line = line_start(line);
            if line.is_empty() || line.starts_with(b"[") {
                return false;
            }
            let quote = line.iter().position(|&byte| byte == b'"');
            if let Some(at) = quote {
                return line[at + 1..].trim_ascii_start().starts_with(b"]");
            }
        }
        false
    }

    /// The value of a tag after its opening quote, up to the closing bracket.
    ///
    /// A quote within a line that no bracket follows is part of the value: not all writers
    /// put a backslash before it.
    fn value(&mut self) -> Option<String> {
        let mut value = Vec::new();
        loop {
            let byte = self.peek()?;
            self.step();
            match byte {
                b'\n' if self.goes_on() => {
                    self.skip_quotes();
                    value.push(b' ');
                }
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
                    let closed = rest.get(blanks) == Some(&b']');
                    if closed {
                        (0..=blanks).for_each(|_| self.step());
                    }
                    // The bracket at the end of the line may be missing.
                    if closed || blanks == rest.len() || rest[..blanks].contains(&b'\n') {
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
        let tags = scan(game, 10).unwrap().tags;
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
        let tags = scan(b"[Play \"N\"] SA %SK\n%S2\nS3", 1).unwrap().tags;
        assert_eq!(tags[0].section, "SA %SK \n\nS3 ");
    }

    #[test]
    fn quotes_without_a_backslash() {
        let tags = scan(b"[Event \"The \"Big\" One\"]", 1).unwrap().tags;
        assert_eq!(tags[0].value, "The \"Big\" One");
        let tags = scan(b"[Event Random Deal #]\n[Board \"1\"]", 1)
            .unwrap()
            .tags;
        let values: Vec<&str> = tags.iter().map(|tag| tag.value.as_str()).collect();
        assert_eq!(values, ["Random Deal #", "1"]);
    }

    #[test]
    fn what_does_not_end_is_named_and_passed_over() {
        let scanned = |game: &[u8]| {
            let scanned = scan(game, 1).unwrap();
            let names: Vec<String> = scanned.tags.into_iter().map(|tag| tag.name).collect();
            let problems = scanned.problems.into_iter();
            let problems = problems.map(|error| (error.line, error.problem.to_string()));
            (names.join(" "), problems.collect::<Vec<_>>())
        };
        let comment = (2, "a comment without its end".to_owned());
        assert_eq!(
            scanned(b"[A \"b\"]\n{open\n"),
            ("A".to_owned(), vec![comment])
        );
        let tag = (2, "a tag without its end".to_owned());
        assert_eq!(scanned(b"\n[A \"b\n]\n[B \"\"]").1, [tag]);
        for open in [&b"[A \"b\n\n\"]"[..], b"[A \"b\n[C \"\"]", b"[A \"b", b"["] {
            assert_eq!(scanned(open).1[0].1, "a tag without its end");
        }
        assert_eq!(scan(b"[deal \"N:AK\n", 1).unwrap_err().line, 1);
        let text = scan(b"\nTime needed\n[A \"b\"]", 1).unwrap();
        assert_eq!((text.text, text.tags.len()), (Some(2), 1));
        assert_eq!(scan(b"[DEAL \"\"]", 1).unwrap().tags[0].name, "Deal");
    }

    #[test]
    fn words_have_lines() {
        let game = b"[Auction\n\"N\"]\n1C {two\nlines} 1D\n% no\n\n1H\n";
        let tag = scan(game, 10).unwrap().tags.remove(0);
        let lines: Vec<u64> = tag.words().map(|word| tag.line_of(word)).collect();
        assert_eq!(lines, [12, 13, 16]);
    }
}
