//! Logs of tournaments: every card at every table, as lines of JSON.
//!
//! The first line identifies the tournament; each other line is one board at one
//! table, in the order of play. A log holds nothing that depends on time or threads,
//! so the same tournament gives the same bytes.

use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::{Value, json};
use setrograde_beliefs::{Game, joined};
use setrograde_cards::{Card, Seat};
use thiserror::Error;

use super::board::Board;
use super::matches::Event;
use super::standing::pairs;
use super::table::{Forfeit, TableResult};

/// Maximum number of bytes of a line.
const MOST_LINE: u64 = 1 << 20;

/// The log of one tournament.
#[derive(Clone, Debug)]
pub struct Log {
    /// Identifies the tournament.
    identity: Value,
    players: Vec<String>,
}

/// One board at one table, from a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The complete line.
    pub text: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// The cards.
    pub cards: Vec<Card>,
    /// Present if a seat forfeited the board.
    pub forfeit: Option<Forfeit>,
}

/// A log that cannot be continued.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LogError {
    /// It begins with something else.
    #[error("it is not the log of a tournament: its first line does not say which")]
    NotALog,
    /// PBN, as bridge was logged before.
    #[error(
        "it is a file of PBN, as earlier versions logged bridge; this one continues logs \
         of JSON lines: play the tournament again with a new log"
    )]
    Pbn,
    /// It is of another tournament.
    #[error("it is the log of another tournament: {key} is {theirs} there, {ours} here")]
    OtherTournament {
        /// The setting that differs.
        key: String,
        /// Its value in the log.
        theirs: String,
        /// Its value in this tournament.
        ours: String,
    },
    /// A damaged line.
    #[error("line {line}: {problem}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// The damage.
        problem: String,
    },
}

/// The fields of a line that are read; the remaining fields follow from the cards.
#[derive(Deserialize)]
struct LogRecord {
    board: u32,
    players: [usize; 2],
    play: String,
    forfeit: Option<ForfeitRecord>,
}

#[derive(Deserialize)]
struct ForfeitRecord {
    seat: String,
    problem: String,
}

impl Log {
    /// The log of a tournament between these players, identified by them and by
    /// `settings`: seed, game, cards and so on.
    pub fn new(settings: &Value, players: &[String]) -> Log {
        let identity = json!({
            "setrograde": "tournament",
            "players": players,
            "settings": settings,
        });
        Log {
            identity,
            players: players.to_vec(),
        }
    }

    /// The first line.
    pub fn head(&self) -> String {
        format!("{}\n", self.identity)
    }

    /// The lines of a board, one for each table.
    pub fn lines<G: Game>(&self, event: &Event<G>) -> Vec<String> {
        let tables = event
            .pairs
            .iter()
            .flat_map(|(tables, _)| tables.iter().zip(0..));
        let tables = tables.zip(self.sides());
        tables
            .map(|((result, table), sides)| self.line(&event.board, table, sides, result))
            .collect()
    }

    /// The players of North and South and those of East and West at each table of a board.
    fn sides(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        pairs(self.players.len()).flat_map(|(first, second)| [[first, second], [second, first]])
    }

    /// The line of one board at one table, 0 or 1.
    fn line<G: Game>(
        &self,
        board: &Board<G>,
        table: usize,
        players: [usize; 2],
        result: &TableResult,
    ) -> String {
        let name = |at: usize| self.players.get(at).map_or("", String::as_str);
        let results =
            Seat::ALL.map(|seat| board.game.result(&result.tally, board.game.party(seat)));
        let mut object = json!({
            "board": board.number,
            "table": table + 1,
            "players": players,
            "north_south": name(players[0]),
            "east_west": name(players[1]),
            "deal": board.deal_text(),
            "play": joined(&result.cards, " "),
            "tricks": result.tally.tricks,
            "points": result.tally.points,
            "results": results,
        });
        for (name, value) in board.game.setup() {
            object[name] = json!(value);
        }
        if let Some(Forfeit { seat, problem }) = &result.forfeit {
            object["forfeit"] = json!({ "seat": seat.to_string(), "problem": problem });
        }
        format!("{object}\n")
    }

    /// Reads the tables of a log that is complete or was cut off anywhere: a last line
    /// without an end is left out, and a last board that is not complete is played again.
    /// The boards are numbered from 1, the tables in the order of
    /// [`Tournament::pairs`](super::Tournament::pairs).
    ///
    /// # Errors
    ///
    /// If it is not a log of this tournament, or a line is damaged.
    pub fn read(&self, mut input: impl BufRead) -> Result<Vec<Logged>, LogError> {
        let head = next_line(&mut input, 1)?.ok_or(LogError::NotALog)?;
        if head.starts_with('%') {
            return Err(LogError::Pbn);
        }
        let found: Value = serde_json::from_str(&head).map_err(|_| LogError::NotALog)?;
        if found["setrograde"] != "tournament" {
            return Err(LogError::NotALog);
        }
        self.compare(&found)?;
        let tables: Vec<[usize; 2]> = self.sides().collect();
        let mut logged: Vec<Logged> = Vec::new();
        while let Some(text) = next_line(&mut input, logged.len() + 2)? {
            let (round, at) = (logged.len() / tables.len(), logged.len() % tables.len());
            let line = logged.len() + 2;
            let record = read_record(&text, round as u32 + 1, tables[at]);
            let (cards, forfeit) = record.map_err(|problem| LogError::Damaged { line, problem })?;
            logged.push(Logged {
                text,
                line,
                cards,
                forfeit,
            });
        }
        Ok(logged)
    }

    fn compare(&self, found: &Value) -> Result<(), LogError> {
        let differ = |key: &str, theirs: &Value, ours: &Value| LogError::OtherTournament {
            key: key.to_owned(),
            theirs: theirs.to_string(),
            ours: ours.to_string(),
        };
        let (theirs, ours) = (&found["settings"], &self.identity["settings"]);
        for (key, ours) in ours.as_object().into_iter().flatten() {
            if theirs[key] != *ours {
                return Err(differ(key, &theirs[key], ours));
            }
        }
        let (theirs, ours) = (&found["players"], &self.identity["players"]);
        if theirs != ours {
            return Err(differ("players", theirs, ours));
        }
        Ok(())
    }
}

/// The next complete line with its end; `None` at the end of the log, or where the last line
/// was cut off.
fn next_line(input: &mut impl BufRead, line: usize) -> Result<Option<String>, LogError> {
    let damaged = |problem: String| LogError::Damaged { line, problem };
    let mut bytes = Vec::new();
    let read = input.take(MOST_LINE).read_until(b'\n', &mut bytes);
    read.map_err(|error| damaged(error.to_string()))?;
    if bytes.last() != Some(&b'\n') {
        return match bytes.len() as u64 {
            MOST_LINE => Err(damaged(format!("longer than {MOST_LINE} bytes"))),
            _ => Ok(None),
        };
    }
    let text = String::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8".to_owned()))?;
    Ok(Some(text))
}

/// The cards and the forfeit of a line, which must be of this board and these players.
fn read_record(
    text: &str,
    board: u32,
    players: [usize; 2],
) -> Result<(Vec<Card>, Option<Forfeit>), String> {
    let record: LogRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if (record.board, record.players) != (board, players) {
        return Err(format!(
            "board {} of players {:?}, expected board {board} of players {players:?}",
            record.board, record.players
        ));
    }
    let cards: Result<Vec<Card>, _> = record.play.split_whitespace().map(str::parse).collect();
    let forfeit = match record.forfeit {
        Some(ForfeitRecord { seat, problem }) => Some(Forfeit {
            seat: seat.parse().map_err(|error| format!("{error}"))?,
            problem,
        }),
        None => None,
    };
    Ok((cards.map_err(|error| error.to_string())?, forfeit))
}
