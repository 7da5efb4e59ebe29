//! Changes of a text: of a character, a token, a cell, a line; cut, doubled, exchanged, moved.

use std::ops::Range;

use fastrand::Rng;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    Letter,
    Token,
    Cell,
    Line,
}

/// How it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Cut,
    Doubled,
    Exchanged,
    Moved,
    /// Another text before it.
    Inserted,
    /// Another text for it.
    Replaced,
    /// Joined with the next one.
    Joined,
    /// Broken in two.
    Broken,
    /// In small or in capital letters.
    Case,
}

pub type Slip = (Piece, Change);

const PIECES: [Piece; 4] = [Piece::Letter, Piece::Token, Piece::Cell, Piece::Line];
const CHANGES: [Change; 9] = [
    Change::Cut,
    Change::Doubled,
    Change::Exchanged,
    Change::Moved,
    Change::Inserted,
    Change::Replaced,
    Change::Joined,
    Change::Broken,
    Change::Case,
];

/// All changes of all pieces.
pub fn all() -> Vec<Slip> {
    let pairs = PIECES
        .into_iter()
        .flat_map(|piece| CHANGES.map(|change| (piece, change)));
    pairs.collect()
}

/// Texts to insert, by piece.
const LETTERS: [&str; 55] = [
    "A", "K", "Q", "J", "T", "9", "5", "2", "1", "0", "10", ".", "..", "♠", "♥", "♦", "♣", "S",
    "H", "D", "C", "N", "E", "W", ":", "-", ",", "|", "\"", "'", " ", "  ", "x", "[", "]", "{",
    "}", "<", ">", "/", "&", ";", "\n", "\t", "V", "B", "R", "F", "=", "#", "?", "\u{a0}",
    "\u{200b}", "\u{feff}", "\r",
];
const TOKENS: [&str; 16] = [
    "x", "-", "void", "N", "S", "(alert)", "good", "♥", "♣", "None", "12", "A", "...", "and", "??",
    "10",
];
const CELLS: [&str; 8] = ["", "x", "12", "-", "good, very good", "West", "N-S", "AK"];
const LINES: [&str; 14] = [
    "",
    "-----",
    "12",
    "none",
    "A",
    "We",
    "W   E",
    "N",
    "Pass Pass 1NT",
    "♠",
    "...",
    "Lead: ♠5",
    "good",
    "W     E",
];

/// The pieces of a text.
fn pieces(text: &str, piece: Piece) -> Vec<Range<usize>> {
    match piece {
        Piece::Letter => {
            let letters = text.char_indices().filter(|(_, c)| *c != '\r');
            letters.map(|(at, c)| at..at + c.len_utf8()).collect()
        }
        Piece::Token => between(text, |c| c.is_whitespace()),
        Piece::Cell => {
            let bounds = ['|', ',', ';', '\t', '\n', '<', '>', '&', '{', '}'];
            let cells = between(text, |c| bounds.contains(&c));
            cells
                .into_iter()
                .flat_map(|cell| wide(text, cell))
                .collect()
        }
        Piece::Line => {
            let mut at = 0;
            let lines = text.split_inclusive('\n').map(|line| {
                at += line.len();
                at - line.len()..at
            });
            lines.collect()
        }
    }
}

/// The ranges between the bounds.
fn between(text: &str, is_bound: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if at == text.len() || is_bound(c) {
            if start < at {
                found.push(start..at);
            }
            start = at + c.len_utf8();
        }
    }
    found
}

/// The parts of a cell with two blanks between them.
fn wide(text: &str, cell: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = cell.start;
    for part in text[cell].split("  ") {
        let trimmed = part.trim();
        if !trimmed.is_empty() {
            let start = at + part.find(trimmed).expect("it is a part of it");
            found.push(start..start + trimmed.len());
        }
        at += part.len() + 2;
    }
    found
}

/// The text with the change at random pieces; `None` if there is nothing to change.
pub fn changed(text: &str, (piece, change): Slip, rng: &mut Rng) -> Option<String> {
    let pieces = pieces(text, piece);
    if pieces.is_empty() {
        return None;
    }
    let at = rng.usize(..pieces.len());
    let other = if rng.bool() {
        (at + 1) % pieces.len()
    } else {
        rng.usize(..pieces.len())
    };
    let (one, two) = (pieces[at].clone(), pieces[other].clone());
    let inserted = match piece {
        Piece::Letter => LETTERS[rng.usize(..LETTERS.len())].to_owned(),
        Piece::Token => format!("{} ", TOKENS[rng.usize(..TOKENS.len())]),
        Piece::Cell => {
            let bounds = ["|", ",", ";", "\t", "  ", "</td><td>"];
            let near = bounds
                .iter()
                .find(|bound| text.contains(**bound))
                .unwrap_or(&" ");
            format!("{}{near}", CELLS[rng.usize(..CELLS.len())])
        }
        Piece::Line => format!("{}\n", LINES[rng.usize(..LINES.len())]),
    };
    let with = |range: Range<usize>, new: &str| {
        format!("{}{new}{}", &text[..range.start], &text[range.end..])
    };
    let bound = if matches!(piece, Piece::Token | Piece::Cell) {
        " "
    } else {
        ""
    };
    let new = match change {
        Change::Cut => with(one, ""),
        Change::Doubled => with(one.end..one.end, &format!("{bound}{}", &text[one.clone()])),
        Change::Exchanged => {
            let (first, second) = if one.start < two.start {
                (one, two)
            } else {
                (two, one)
            };
            if first.end > second.start {
                return None;
            }
            let (a, b) = (&text[first.clone()], &text[second.clone()]);
            let (before, after) = (&text[..first.start], &text[second.end..]);
            format!("{before}{b}{}{a}{after}", &text[first.end..second.start])
        }
        Change::Moved => {
            let taken = &text[one.clone()];
            match two.start {
                to if to >= one.end => format!(
                    "{}{}{taken}{bound}{}",
                    &text[..one.start],
                    &text[one.end..to],
                    &text[to..]
                ),
                to if to <= one.start => format!(
                    "{}{taken}{bound}{}{}",
                    &text[..to],
                    &text[to..one.start],
                    &text[one.end..]
                ),
                _ => return None,
            }
        }
        Change::Inserted => with(one.start..one.start, &inserted),
        Change::Replaced => with(one, inserted.strip_suffix(' ').unwrap_or(&inserted)),
        Change::Joined => {
            let next = pieces.get(at + 1)?.start;
            let bound = if piece == Piece::Line {
                ["", " "][rng.usize(..2)]
            } else {
                ""
            };
            let end = text[..one.end].trim_end_matches('\n').len().max(one.start);
            with(end.min(next)..next, bound)
        }
        Change::Broken => {
            let inside: Vec<usize> = text[one.clone()]
                .char_indices()
                .map(|(at, _)| one.start + at)
                .skip(1)
                .collect();
            let at = *inside.get(rng.usize(..inside.len().max(1)))?;
            with(at..at, ["\n", "  ", "\t"][rng.usize(..3)])
        }
        Change::Case => {
            let new = if rng.bool() {
                text[one.clone()].to_lowercase()
            } else {
                text[one.clone()].to_uppercase()
            };
            with(one, &new)
        }
    };
    (new != text).then_some(new)
}
