//! Links to a board, as those of Bridge Base Online's handviewer:
//! `https://…/handviewer.html?lin=pn%7C…`, or `…?n=…&e=…&s=…&w=…`.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use super::LinBoards;
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, Lines};
use crate::text::{BOM, decode_line};
use crate::{Board, Options};

/// Returns true if a line is a link, with a board in it or without.
pub(crate) fn is_link(line: &[u8]) -> bool {
    ["http://", "https://", "www."].iter().any(|start| {
        let beginning = line.get(..start.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// The boards of a file with a link on each line.
#[derive(Debug)]
pub(crate) struct LinkBoards<R> {
    pub lines: Lines<R>,
    file: Arc<str>,
    options: Options,
    /// Boards of a link that are not handed out yet.
    waiting: VecDeque<Result<Board, RecordError>>,
}

impl<R: BufRead> LinkBoards<R> {
    pub fn new(reader: R, file: Arc<str>, options: Options) -> LinkBoards<R> {
        LinkBoards {
            lines: Lines::new(reader),
            file,
            options,
            waiting: VecDeque::new(),
        }
    }

    /// The next board, or a line without one.
    pub fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        loop {
            if let Some(board) = self.waiting.pop_front() {
                return Ok(Some(board));
            }
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii());
            if !line.starts || text.is_empty() || text.starts_with('#') {
                continue;
            }
            let at_line = |problem| {
                let line = line.number;
                AtLine { line, problem }.in_file(&self.file, None)
            };
            let lin = match lin(&text) {
                _ if line.cut => Err(Problem::TooLong {
                    what: "a link",
                    limit: LINE_LIMIT,
                }),
                None => Err(Problem::NoBoardInLink),
                Some(lin) => Ok(lin),
            };
            let lin = match lin {
                Ok(lin) => lin,
                Err(problem) => return Ok(Some(Err(at_line(problem)))),
            };
            let mut boards = LinBoards::new(lin.as_bytes(), Arc::clone(&self.file), self.options);
            while let Some(board) = boards.read()? {
                self.waiting.push_back(match board {
                    Ok(board) => Ok(Board {
                        line: line.number,
                        ..board
                    }),
                    Err(error) => Err(RecordError {
                        line: line.number,
                        ..error
                    }),
                });
            }
            if self.waiting.is_empty() {
                return Ok(Some(Err(at_line(Problem::NoBoardInLink))));
            }
        }
    }
}

/// The LIN in a link, or LIN that says what the link says; `None` if it has no board.
fn lin(link: &str) -> Option<String> {
    let (_, query) = link.split_once('?')?;
    let mut hands: [String; 4] = Default::default();
    let mut names: [String; 4] = Default::default();
    let (mut dealer, mut rest) = ('1', String::new());
    for (name, value) in parameters(query) {
        let value = decoded(&value);
        // LIN begins with South.
        let seat = |letter: &str| "swne".find(letter);
        match name.to_ascii_lowercase().as_str() {
            "lin" => return Some(value),
            name @ ("s" | "w" | "n" | "e") => {
                if let Some(seat) = seat(name) {
                    hands[seat] = cards(&value);
                }
            }
            name @ ("sn" | "wn" | "nn" | "en") => {
                if let Some(seat) = seat(&name[..1]) {
                    names[seat] = value.replace(['|', ','], " ");
                }
            }
            "d" => {
                let seat = seat(&value.trim().to_ascii_lowercase());
                dealer = ['1', '2', '3', '4'][seat.filter(|_| value.len() == 1).unwrap_or(0)];
            }
            "b" => rest += &format!("ah|Board {}|", plain(&value)),
            "v" => rest += &format!("sv|{}|", plain(&value)),
            "a" => rest += &calls(&value),
            "p" => rest += &played(&value),
            "c" => rest += &format!("mc|{}|", plain(&value)),
            _ => {}
        }
    }
    if hands.iter().all(String::is_empty) {
        return None;
    }
    let (names, hands) = (names.join(","), hands.join(","));
    Some(format!("pn|{names}|md|{dealer}{hands}|{rest}"))
}

/// The names and the values of a link's query, as they stand.
///
/// Links are also written by hand and by programs that escape too little. So `&` begins
/// another parameter only if a name and `=` follow, and a fragment has no bar in it.
fn parameters(query: &str) -> Vec<(String, String)> {
    let query = query.replace("&amp;", "&");
    let fragment = query
        .rfind('#')
        .filter(|&at| !query[at..].contains('|') && !query[at..].contains("%7"));
    let mut found: Vec<(String, String)> = Vec::new();
    for part in query[..fragment.unwrap_or(query.len())].split('&') {
        let named = part.split_once('=').filter(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        match (named, found.last_mut()) {
            (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => {
                value.push('&');
                value.push_str(part);
            }
            (None, None) => {}
        }
    }
    found
}

/// A value with `%41` and `+` resolved, in one line.
fn decoded(value: &str) -> String {
    let hex = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        bytes.push(match (byte, rest) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    rest = after;
                    16 * high + low
                }
                _ => b'%',
            },
            _ => *byte,
        });
    }
    decode_line(&bytes).replace(char::is_control, " ")
}

/// Letters and digits alone: nothing else may get into LIN.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// A hand with `10` as T.
fn cards(text: &str) -> String {
    plain(&text.replace("10", "T")).to_uppercase()
}

/// An auction as `p1n(15-17)p3ndrp…`, as LIN has it; an explanation is in brackets, and
/// `!` is an alert.
fn calls(text: &str) -> String {
    let mut letters = text.chars();
    let mut found = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '(' => {
                let text: String = letters
                    .by_ref()
                    .take_while(|&letter| letter != ')')
                    .collect();
                found += &format!("an|{}|", text.replace('|', " "));
            }
            '!' => found += "an||",
            _ if letter.is_ascii_alphanumeric() => {
                found += "mb|";
                found.push(letter);
                if letter.is_ascii_digit() {
                    let strain = letters.find(char::is_ascii_alphanumeric);
                    found.extend(strain);
                }
                found.push('|');
            }
            _ => {}
        }
    }
    found
}

/// Cards one after the other, as LIN has them.
fn played(text: &str) -> String {
    let cards: Vec<char> = cards(text).chars().collect();
    let fields = cards
        .chunks(2)
        .map(|card| format!("pc|{}|", card.iter().collect::<String>()));
    fields.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_divided_as_their_writers_mean() {
        let of = |query: &str| {
            let found = parameters(query);
            let found = found.iter().map(|(name, value)| format!("{name}={value}"));
            found.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("bbo=y&lin=a|b&v3=no"), "bbo=y lin=a|b v3=no");
        assert_eq!(of("a=1&amp;lin=x&amp;b=2"), "a=1 lin=x b=2");
        assert_eq!(of("lin=an|5 & 4|pc|SA|"), "lin=an|5 & 4|pc|SA|");
        assert_eq!(of("lin=an|2 or 3?|#top"), "lin=an|2 or 3?|");
        assert_eq!(of("lin=pn|a#1,b|md|1S2|"), "lin=pn|a#1,b|md|1S2|");
        assert_eq!(decoded("a%7Cb%2c+c%zz%4\n"), "a|b, c%zz%4 ");
        assert_eq!(decoded("Malm%f6"), "Malmö");
    }

    #[test]
    fn links_without_lin_say_the_same() {
        let link = "https://www.example.com/handviewer.html?n=sakqh10d..&d=e&v=n&b=7&\
                    a=p1n(15-17)pp&p=sah10&c=9&nn=Ann";
        let expected = "pn|,,Ann,|md|4,,SAKQHTD,|sv|n|ah|Board 7|mb|p|mb|1n|an|15-17|mb|p|mb|p|\
                        pc|SA|pc|HT|mc|9|";
        assert_eq!(lin(link).as_deref(), Some(expected));
        assert_eq!(lin("https://x/?LIN=md%7C1%7C").as_deref(), Some("md|1|"));
        for none in ["https://x/?a=1", "https://x/", "https://x/?myhand=M-1-2"] {
            assert_eq!(lin(none), None, "{none}");
        }
    }
}
