//! Formats of one board on a line: GIB's `.sol`, and plain lines.

use std::io::{self, BufRead};
use std::sync::Arc;

use setrograde_cards::{Deal, Position, Seat, Side, Strain, TextError};

use crate::Board;
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, Lines};
use crate::text::{BOM, decode_line};

/// The boards of a file with one on each line.
#[derive(Debug)]
pub(crate) struct LineBoards<R> {
    pub lines: Lines<R>,
    file: Arc<str>,
    board: fn(&str) -> Result<Board, Problem>,
    count: u32,
}

impl<R: BufRead> LineBoards<R> {
    /// The boards that `board` reads from the lines.
    pub fn new(
        reader: R,
        file: Arc<str>,
        board: fn(&str) -> Result<Board, Problem>,
    ) -> LineBoards<R> {
        LineBoards {
            lines: Lines::new(reader),
            file,
            board,
            count: 0,
        }
    }

    /// The next line with a board, or with an error.
    pub fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        while let Some(line) = self.lines.next()? {
            if !line.starts {
                continue;
            }
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            self.count = self.count.saturating_add(1);
            let number = Some(self.count);
            let board = match line.cut {
                true => Err(Problem::TooLong {
                    what: "a line",
                    limit: LINE_LIMIT,
                }),
                false => (self.board)(&text),
            };
            let line = line.number;
            return Ok(Some(match board {
                Ok(board) => Ok(Board {
                    line,
                    number,
                    ..board
                }),
                Err(problem) => Err(AtLine { line, problem }.in_file(&self.file, number)),
            }));
        }
        Ok(None)
    }
}

/// A deal from West on, a colon, and the tricks of North and South by strain
/// as in [`Strain::ALL`] and then by leader: South, East, North, West.
pub(crate) fn sol(text: &str) -> Result<Board, Problem> {
    let bad = || {
        Problem::expected(
            "line",
            text,
            "a deal from West on, a colon and 20 hex digits",
        )
    };
    let (hands, digits) = text.rsplit_once(':').ok_or_else(bad)?;
    // The deal may name its first seat.
    let written = if hands.contains(':') {
        hands.to_owned()
    } else {
        format!("W:{hands}")
    };
    let deal: Deal = written
        .parse()
        .map_err(|error| Problem::text("deal", hands, error))?;
    let digits: Vec<u8> = digits
        .trim()
        .chars()
        .map(|digit| digit.to_digit(16).map(|tricks| tricks as u8))
        .collect::<Option<_>>()
        .filter(|digits: &Vec<u8>| digits.len() == 20 && digits.iter().all(|&n| n <= 13))
        .ok_or_else(bad)?;
    let mut tricks = [[0; 4]; 5];
    let leaders = [Seat::South, Seat::East, Seat::North, Seat::West];
    for (strain, of_strain) in Strain::ALL.into_iter().zip(digits.chunks(4)) {
        for (leader, &north_south) in leaders.into_iter().zip(of_strain) {
            let declarer = leader.plus(3);
            tricks[strain][declarer] = match declarer.side() {
                Side::NorthSouth => north_south,
                Side::EastWest => 13 - north_south,
            };
        }
    }
    let mut board = Board::default();
    board.set_deal(&deal);
    board.double_dummy.tricks = Some(tricks);
    Ok(board)
}

/// A deal in PBN, or a position as `STRAIN LEADER DEAL`.
pub(crate) fn plain(text: &str) -> Result<Board, Problem> {
    let mut board = Board::default();
    let problem = |error: TextError| Problem::text("line", text, error);
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.contains(':') {
        board.set_deal(&text.parse().map_err(problem)?);
        return Ok(board);
    }
    let position: Position = text.parse().map_err(problem)?;
    board.set_deal(position.deal());
    board.strain = Some(position.strain());
    board.leader = Some(position.leader());
    board.on_table = position.played().to_vec();
    Ok(board)
}

/// Whether `line` has the form of a `.sol` file.
pub(crate) fn is_sol(line: &str) -> bool {
    line.rsplit_once(':').is_some_and(|(deal, digits)| {
        let digits = digits.trim();
        digits.len() == 20
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            && deal.split_whitespace().count() == 4
    })
}
