//! The lists of DDS's test program.
//!
//! After `NUMBER n`, each deal has a line `PBN dealer vulnerable trump first
//! "deal"` and lines of answers, of which `TABLE`, `PAR` and `PLAY` are read.
//! Numbers are DDS's: seats 0 to 3 from North, vulnerable 0 none, 1 both, 2
//! North and South, 3 East and West, strains 0 to 4 for S H D C NT.

use std::io::{self, BufRead};

use setrograde_cards::{Deal, Seat, Strain, Suit, Vulnerability};

use crate::auction::cards;
use crate::error::Problem;
use crate::lines::{BoardResult, Line, Lines, ReadBoards};
use crate::{Board, pbn};

/// A list as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct DdsBoards {
    draft: Option<BoardResult>,
    /// The number of deals after `NUMBER`, and its line.
    promised: Option<(u64, u64)>,
}

/// Returns true if a line begins a list or a deal of one.
pub(crate) fn is_dds(line: &str) -> bool {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim_start();
    let digit = rest.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    matches!(name, "NUMBER" | "PBN") && (digit || rest.is_empty())
}

impl<R: BufRead> ReadBoards<R> for DdsBoards {
    /// Reads on to the next `PBN` line; returns the board before it.
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while let Some(Line { number, text, .. }) = lines.next()? {
            let text = text.trim_start();
            let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
            let rest = rest.trim();
            match name {
                "" | "FUT" | "PAR2" | "TRACE" => {}
                "NUMBER" => match rest.parse::<u64>() {
                    // Lists can follow one another in a file.
                    Ok(more) => {
                        let before = self.promised.map_or(0, |(promised, _)| promised);
                        self.promised = Some((before.saturating_add(more), number));
                    }
                    Err(_) => {
                        let problem = Problem::expected("NUMBER", rest, "how many deals follow");
                        return Ok(Some(Err(problem.at(number))));
                    }
                },
                "PBN" => {
                    let before = self.finish(lines);
                    let count = lines.count();
                    let board = read_deal(rest).map_err(|problem| problem.at(number));
                    self.draft = Some(board.map(|board| board.of_line(number, Some(count))));
                    if before.is_some() {
                        return Ok(before);
                    }
                }
                "TABLE" | "PAR" | "PLAY" => {
                    if let Some(Ok(board)) = &mut self.draft {
                        let read = read_answer(name, rest, board);
                        board.understood(number, read);
                    }
                }
                _ => lines.pass_over(number),
            }
        }
        if let Some(board) = self.finish(lines) {
            return Ok(Some(board));
        }
        let found = lines.count;
        Ok(match self.promised.take() {
            Some((promised, line)) if promised != u64::from(found) => {
                let problem = Problem::Count { promised, found };
                Some(Err(problem.at(line)))
            }
            _ => None,
        })
    }
}

impl DdsBoards {
    /// Ends the board being read.
    fn finish<R>(&mut self, lines: &Lines<R>) -> Option<BoardResult> {
        let draft = self.draft.take()?;
        Some(draft.map_err(|error| error.of_board(lines.count)))
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
    if board.dealer.is_none()
        || board.vulnerability.is_none()
        || board.strain.is_none()
        || board.leader.is_none()
    {
        board.doubt(0, bad());
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
            board.play = cards(played).collect::<Result<_, _>>().map_err(|_| bad())?;
            if count.parse() != Ok(board.play.len()) {
                return Err(bad());
            }
        }
    }
    Ok(())
}

/// The texts in quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
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
