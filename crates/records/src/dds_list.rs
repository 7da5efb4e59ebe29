//! The lists of DDS's test program.
//!
//! After `NUMBER n`, each deal has a line `PBN dealer vulnerable trump first
//! "deal"` and lines of answers, of which `TABLE`, `PAR` and `PLAY` are read.
//! Numbers are DDS's: seats 0 to 3 from North, vulnerable 0 none, 1 both, 2
//! North and South, 3 East and West, strains 0 to 4 for S H D C NT.

use std::io::{self, BufRead};
use std::sync::Arc;

use setrograde_cards::{Deal, Seat, Strain, Suit, Vulnerability};

use crate::auction::cards;
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, TextLines};
use crate::text::{BOM, decode_line};
use crate::{Board, Doubt, pbn};

/// The boards of a list.
#[derive(Debug)]
pub(crate) struct DdsBoards<R> {
    pub lines: TextLines<R>,
    file: Arc<str>,
    draft: Option<Result<Board, AtLine>>,
    count: u32,
    /// The number of deals after `NUMBER`, and its line.
    promised: Option<(u64, u64)>,
    /// The first line with text outside a board.
    pub text_between: Option<u64>,
}

/// Returns true if a line begins a list or a deal of one.
pub(crate) fn is_dds(line: &str) -> bool {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim_start();
    let digit = rest.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    matches!(name, "NUMBER" | "PBN") && (digit || rest.is_empty())
}

impl<R: BufRead> DdsBoards<R> {
    pub(crate) fn new(reader: R, file: Arc<str>) -> DdsBoards<R> {
        DdsBoards {
            lines: TextLines::new(reader),
            file,
            draft: None,
            count: 0,
            promised: None,
            text_between: None,
        }
    }

    /// Ends the board being read.
    fn finish(&mut self) -> Option<Result<Board, RecordError>> {
        let number = Some(self.count);
        let draft = self.draft.take()?;
        Some(draft.map_err(|error| error.in_file(&self.file, number)))
    }

    /// Reads on to the next `PBN` line; returns the board before it.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        while let Some(line) = self.lines.next()? {
            if !line.starts {
                continue;
            }
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii()).into_owned();
            let line = AtLine {
                line: line.number,
                problem: Problem::TooLong {
                    what: "a line",
                    limit: LINE_LIMIT,
                },
            };
            let (name, rest) = text.split_once(' ').unwrap_or((&text, ""));
            let rest = rest.trim();
            match name {
                "" => {}
                "NUMBER" => match rest.parse::<u64>() {
                    // Lists can follow one another in a file.
                    Ok(more) => {
                        let before = self.promised.map_or(0, |(promised, _)| promised);
                        self.promised = Some((before.saturating_add(more), line.line));
                    }
                    Err(_) => {
                        let problem = Problem::expected("NUMBER", rest, "how many deals follow");
                        let error = AtLine { problem, ..line };
                        return Ok(Some(Err(error.in_file(&self.file, None))));
                    }
                },
                "PBN" => {
                    let before = self.finish();
                    self.count = self.count.saturating_add(1);
                    let board = read_deal(rest);
                    self.draft = Some(match board {
                        Ok(mut board) => {
                            (board.line, board.number) = (line.line, Some(self.count));
                            board
                                .notes
                                .iter_mut()
                                .for_each(|note| note.line = line.line);
                            Ok(board)
                        }
                        Err(problem) => Err(AtLine { problem, ..line }),
                    });
                    if before.is_some() {
                        return Ok(before);
                    }
                }
                "FUT" | "PAR2" | "TRACE" => {}
                "TABLE" | "PAR" | "PLAY" => {
                    if let Some(Ok(board)) = &mut self.draft {
                        let read = read_answer(name, rest, board);
                        board.understood(line.line, read);
                    }
                }
                _ => drop(self.text_between.get_or_insert(line.line)),
            }
        }
        if let Some(board) = self.finish() {
            return Ok(Some(board));
        }
        let found = self.count;
        Ok(match self.promised.take() {
            Some((promised, line)) if promised != u64::from(found) => {
                let problem = Problem::Count { promised, found };
                Some(Err(AtLine { line, problem }.in_file(&self.file, None)))
            }
            _ => None,
        })
    }
}

fn strain(number: usize) -> Option<Strain> {
    match number {
        0..=3 => Some(Strain::Trump(Suit::from_index(number))),
        4 => Some(Strain::NoTrump),
        _ => None,
    }
}

fn read_deal(text: &str) -> Result<Board, Problem> {
    let bad = || Problem::expected("PBN", text, "dealer, vulnerability, trump, first, \"deal\"");
    let (numbers, deal) = text.split_once('"').ok_or_else(bad)?;
    let numbers: Vec<usize> = numbers
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| bad())?;
    let [dealer, vulnerable, trump, first] = numbers[..] else {
        return Err(bad());
    };
    let vulnerability = [
        Vulnerability::None,
        Vulnerability::Both,
        Vulnerability::NorthSouth,
        Vulnerability::EastWest,
    ];
    let deal = deal.trim_end().trim_end_matches('"');
    let deal: Deal = deal
        .parse()
        .map_err(|error| Problem::text("PBN", deal, error))?;
    let mut board = Board {
        dealer: Seat::ALL.get(dealer).copied(),
        vulnerability: vulnerability.get(vulnerable).copied(),
        strain: strain(trump),
        leader: Seat::ALL.get(first).copied(),
        ..Board::default()
    };
    let all = (
        board.dealer,
        board.vulnerability,
        board.strain,
        board.leader,
    );
    if !matches!(all, (Some(_), Some(_), Some(_), Some(_))) {
        board.doubt(0, Doubt::Value(bad()));
    }
    board.set_deal(&deal);
    Ok(board)
}

fn read_answer(name: &str, text: &str, board: &mut Board) -> Result<(), Problem> {
    match name {
        "TABLE" => board.double_dummy.tricks = Some(table(text)?),
        "PAR" => {
            let par = quoted(text);
            let score = par.first().and_then(|score| pbn::read_score(score));
            board.double_dummy.par_score = score;
            let contract = par.get(2).and_then(|text| text.split_once(':'));
            board.double_dummy.par_contract = contract.map(|(_, text)| text.to_owned());
        }
        _ => {
            let bad = || Problem::expected("PLAY", text, "a count and that many cards in quotes");
            let (count, _) = text.split_once(' ').ok_or_else(bad)?;
            let played = quoted(text).pop().ok_or_else(bad)?;
            board.play = cards(&played)
                .collect::<Result<_, _>>()
                .map_err(|_| bad())?;
            if count.parse() != Ok(board.play.len()) {
                return Err(bad());
            }
        }
    }
    Ok(())
}

/// The texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let texts = text.split('"').skip(1).step_by(2);
    texts.map(str::to_owned).collect()
}

/// 20 tricks by strain S H D C NT, and then by declarer from North.
fn table(text: &str) -> Result<[[u8; 4]; 5], Problem> {
    let bad = || Problem::expected("TABLE", text, "20 numbers from 0 to 13");
    let numbers: Option<Vec<u8>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    let numbers = numbers.ok_or_else(bad)?;
    if numbers.len() != 20 || numbers.iter().any(|&tricks| tricks > 13) {
        return Err(bad());
    }
    let mut table = [[0; 4]; 5];
    for (number, tricks) in numbers.chunks(4).enumerate() {
        if let Some(strain) = strain(number) {
            table[strain].copy_from_slice(tricks);
        }
    }
    Ok(table)
}
