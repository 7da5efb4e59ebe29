//! Logs of tournaments: every card at every table.
//!
//! A log begins with a line of JSON that says which tournament it is of. Bridge
//! is logged as PBN 2.1 (the line is a comment there), other games as lines of
//! JSON. A log holds nothing that depends on time or threads, so that the same
//! tournament gives the same bytes.

use std::fmt::Write;

use serde_json::{Value, json};
use setrograde_cards::{Bid, Card, Seat, Side, Strain};
use thiserror::Error;

use super::board::Board;
use super::table::{Forfeit, TableResult};
use crate::games::{Game, beats_in_strain};

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PBN 2.1.
    Pbn,
    /// Lines of JSON.
    Json,
}

/// What a log says of one board at one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The board's number.
    pub board: u32,
    /// The players of North and South, and of East and West, by number.
    pub players: [usize; 2],
    /// The cards.
    pub cards: Vec<Card>,
    /// Whether it was forfeited.
    pub forfeit: Option<Forfeit>,
}

/// Why a log cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LogError {
    /// It begins with something else.
    #[error("it is not the log of a tournament: its first line does not say which")]
    NotALog,
    /// It is of another tournament.
    #[error("it is the log of another tournament: {key} is {theirs} there, {ours} here")]
    OtherTournament {
        /// What differs.
        key: String,
        /// Its value in the log.
        theirs: String,
        /// Its value in this tournament.
        ours: String,
    },
    /// Something in it makes no sense.
    #[error("line {line}: {problem}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// Writes and reads the log of one tournament.
#[derive(Clone, Debug)]
pub struct Log {
    format: Format,
    /// What identifies the tournament.
    identity: Value,
    players: Vec<String>,
}

const ROOMS: [&str; 2] = ["Open", "Closed"];

impl Log {
    /// The log of a tournament between these players. `settings` is what else
    /// identifies it: seed, game, cards and so on.
    #[must_use]
    pub fn new(format: Format, settings: &Value, players: &[String]) -> Log {
        let identity = json!({
            "setrograde": "tournament",
            "players": players,
            "settings": settings,
        });
        Log {
            format,
            identity,
            players: players.to_vec(),
        }
    }

    /// The first lines.
    #[must_use]
    pub fn head(&self) -> String {
        match self.format {
            Format::Pbn => format!("% PBN 2.1\n% {}\n", self.identity),
            Format::Json => format!("{}\n", self.identity),
        }
    }

    /// One board at one table: 0 for the open room, 1 for the closed room.
    #[must_use]
    pub fn record<G: Game>(
        &self,
        board: &Board<G>,
        table: usize,
        players: [usize; 2],
        result: &TableResult,
    ) -> String {
        let names = players.map(|at| self.players.get(at).map_or("", String::as_str));
        match self.format {
            Format::Pbn => pbn(board, table, players, names, result),
            Format::Json => json_line(board, table, players, names, result),
        }
    }

    /// Reads the boards in a log that is complete or was cut off anywhere.
    ///
    /// # Errors
    ///
    /// If it is not a log of this tournament, or damaged before its end.
    pub fn read(&self, text: &str) -> Result<Vec<Logged>, LogError> {
        // A line without an end was cut off.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate();
        if self.format == Format::Pbn {
            lines.next();
        }
        let first = lines.next().map_or("", |(_, line)| line);
        let first = first.trim_start_matches('%').trim();
        let found: Value = serde_json::from_str(first).map_err(|_| LogError::NotALog)?;
        if found["setrograde"] != "tournament" {
            return Err(LogError::NotALog);
        }
        self.compare(&found)?;
        match self.format {
            Format::Pbn => read_pbn(lines),
            Format::Json => read_json(lines),
        }
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

fn json_line<G: Game>(
    board: &Board<G>,
    table: usize,
    players: [usize; 2],
    names: [&str; 2],
    result: &TableResult,
) -> String {
    let cards: Vec<String> = result.cards.iter().map(Card::to_string).collect();
    let results = Seat::ALL.map(|seat| board.game.result(&result.tally, board.game.party(seat)));
    let mut object = json!({
        "board": board.number,
        "table": table + 1,
        "players": players,
        "north_south": names[0],
        "east_west": names[1],
        "deal": board.deal_text(),
        "play": cards.join(" "),
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

fn pbn<G: Game>(
    board: &Board<G>,
    table: usize,
    players: [usize; 2],
    names: [&str; 2],
    result: &TableResult,
) -> String {
    let setup = board.game.setup();
    let of = |name: &str| {
        let found = setup.iter().find(|(key, _)| *key == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let declarer: Seat = of("declarer").parse().unwrap_or(Seat::South);
    let dealer = Seat::dealer_of_board(board.number);
    let tricks = result.tally.tricks[declarer.side().index()];
    let score = board.game.result(&result.tally, Side::NorthSouth.index());
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(value));
    };
    tag("Event", "setrograde tournament");
    tag("Site", "");
    tag("Date", "");
    tag("Board", &board.number.to_string());
    for seat in [Seat::West, Seat::North, Seat::East, Seat::South] {
        tag(seat.name(), names[seat.side().index()]);
    }
    tag("Dealer", &dealer.to_string());
    tag("Vulnerable", of("vulnerable"));
    tag("Deal", &board.deal_text());
    tag("Scoring", "IMP");
    tag("Declarer", of("declarer"));
    tag("Contract", of("contract"));
    tag("Result", &tricks.to_string());
    tag("Room", ROOMS[table & 1]);
    tag("Score", &format!("NS {score}"));
    tag(
        "SetrogradePlayers",
        &format!("{} {}", players[0], players[1]),
    );
    if let Some(Forfeit { seat, problem }) = &result.forfeit {
        tag(
            "SetrogradeForfeit",
            &format!("{seat} {}", problem.replace('\n', " ")),
        );
    }
    tag("Auction", &dealer.to_string());
    let _ = writeln!(text, "{}", auction(dealer, declarer, of("contract")));
    let leader = declarer.next();
    let _ = writeln!(text, "[Play \"{leader}\"]");
    text.push_str(&play(board, leader, &result.cards));
    text.push('\n');
    text
}

/// The shortest auction that ends in the contract.
fn auction(dealer: Seat, declarer: Seat, contract: &str) -> String {
    let bid = contract.trim_end_matches('X');
    let mut calls = vec!["Pass"; declarer.distance_from(dealer)];
    calls.push(bid);
    match contract.len() - bid.len() {
        0 => {}
        1 => calls.push("X"),
        _ => calls.extend(["X", "XX"]),
    }
    calls.extend(["Pass"; 3]);
    let rows: Vec<String> = calls.chunks(4).map(|row| row.join(" ")).collect();
    rows.join("\n")
}

/// The cards in PBN's order: a row for each trick, a column for each seat, from
/// the opening leader; `-` where no card was played.
fn play<G: Game>(board: &Board<G>, first: Seat, cards: &[Card]) -> String {
    let mut text = String::new();
    let mut leader = first;
    for trick_cards in cards.chunks(4) {
        let mut trick = crate::Trick::new(leader);
        for &card in trick_cards {
            trick.push(&board.game, card);
        }
        let mut row = ["-"; 4].map(str::to_owned);
        for (seat, card) in trick.plays() {
            row[seat.distance_from(first)] = card.to_string();
        }
        let _ = writeln!(text, "{}", row.join(" "));
        leader = trick.winner();
    }
    if cards.len() < 52 {
        text.push_str("*\n");
    }
    text
}

type Lines<'a> = dyn Iterator<Item = (usize, &'a str)> + 'a;

fn read_json<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<Logged>, LogError> {
    let mut logged = Vec::new();
    for (at, line) in lines {
        let damaged = |problem: &str| LogError::Damaged {
            line: at + 1,
            problem: problem.to_owned(),
        };
        let object: Value =
            serde_json::from_str(line).map_err(|error| damaged(&error.to_string()))?;
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        let player =
            |at: usize| number(&object["players"][at]).ok_or_else(|| damaged("no players"));
        let board = number(&object["board"]).and_then(|n| u32::try_from(n).ok());
        let play = object["play"].as_str().ok_or_else(|| damaged("no play"))?;
        let cards: Result<Vec<Card>, _> = play.split_whitespace().map(str::parse).collect();
        let forfeit = match &object["forfeit"] {
            Value::Null => None,
            forfeit => Some(Forfeit {
                seat: forfeit["seat"]
                    .as_str()
                    .and_then(|seat| seat.parse().ok())
                    .ok_or_else(|| damaged("no seat that forfeits"))?,
                problem: forfeit["problem"].as_str().unwrap_or("").to_owned(),
            }),
        };
        logged.push(Logged {
            board: board.ok_or_else(|| damaged("no board"))?,
            players: [player(0)?, player(1)?],
            cards: cards.map_err(|error| damaged(&error.to_string()))?,
            forfeit,
        });
    }
    Ok(logged)
}

fn read_pbn<'a>(
    lines: impl Iterator<Item = (usize, &'a str)> + 'a,
) -> Result<Vec<Logged>, LogError> {
    let mut logged = Vec::new();
    let mut lines: Box<Lines<'a>> = Box::new(lines);
    while let Some(record) = read_record(&mut *lines)? {
        logged.push(record);
    }
    Ok(logged)
}

/// The next record; `None` if the log ends before the record does.
fn read_record(lines: &mut Lines<'_>) -> Result<Option<Logged>, LogError> {
    let mut board = None;
    let mut players = None;
    let mut forfeit = None;
    let mut strain = None;
    while let Some((at, line)) = lines.next() {
        let damaged = |problem: &str| LogError::Damaged {
            line: at + 1,
            problem: problem.to_owned(),
        };
        let Some((name, value)) = tag_of(line) else {
            continue;
        };
        match name {
            "Board" => {
                let number = value.parse().map_err(|_| damaged("no number of a board"))?;
                board = Some(number);
            }
            "Contract" => {
                let bid: Result<Bid, _> = value.trim_end_matches('X').parse();
                strain = Some(bid.map_err(|_| damaged("no contract"))?.strain());
            }
            "SetrogradePlayers" => {
                let numbers: Option<Vec<usize>> =
                    value.split(' ').map(|number| number.parse().ok()).collect();
                let pair: Option<[usize; 2]> = numbers.and_then(|numbers| numbers.try_into().ok());
                players = Some(pair.ok_or_else(|| damaged("no two players"))?);
            }
            "SetrogradeForfeit" => {
                let (seat, problem) = value.split_once(' ').unwrap_or((&value, ""));
                forfeit = Some(Forfeit {
                    seat: seat.parse().map_err(|_| damaged("no seat that forfeits"))?,
                    problem: problem.to_owned(),
                });
            }
            "Play" => {
                let first: Seat = value.parse().map_err(|_| damaged("no seat that leads"))?;
                let Some(rows) = read_rows(lines)? else {
                    return Ok(None);
                };
                let (Some(board), Some(players)) = (board, players) else {
                    return Err(damaged("a play without a board"));
                };
                let strain = strain.ok_or_else(|| damaged("a play without a contract"))?;
                let cards = order_of_play(first, strain, &rows);
                return Ok(Some(Logged {
                    board,
                    players,
                    cards,
                    forfeit,
                }));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn tag_of(line: &str) -> Option<(&str, String)> {
    let (name, value) = line
        .strip_prefix('[')?
        .strip_suffix("\"]")?
        .split_once(" \"")?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The rows of a play, up to the empty line that ends a record; `None` if the
/// log ends first.
fn read_rows(lines: &mut Lines<'_>) -> Result<Option<Vec<[Option<Card>; 4]>>, LogError> {
    let mut rows = Vec::new();
    for (at, line) in lines {
        if line.is_empty() {
            return Ok(Some(rows));
        }
        if line == "*" {
            continue;
        }
        let cards = line.split(' ').map(|card| match card {
            "-" => Ok(None),
            card => card.parse().map(Some),
        });
        let cards: Result<Vec<Option<Card>>, _> = cards.collect();
        let row = cards.ok().and_then(|cards| cards.try_into().ok());
        rows.push(row.ok_or_else(|| LogError::Damaged {
            line: at + 1,
            problem: "a row of a play has four cards".to_owned(),
        })?);
    }
    Ok(None)
}

/// The cards of all rows as they were played, with `first` leading to the first.
fn order_of_play(first: Seat, strain: Strain, rows: &[[Option<Card>; 4]]) -> Vec<Card> {
    let mut cards = Vec::with_capacity(52);
    let mut leader = first;
    for row in rows {
        let mut best: Option<(Card, Seat)> = None;
        for seat in (0..4).map(|n| leader.plus(n)) {
            let Some(card) = row[seat.distance_from(first)] else {
                break;
            };
            if best.is_none_or(|(best, _)| beats_in_strain(strain, card, best)) {
                best = Some((card, seat));
            }
            cards.push(card);
        }
        leader = best.map_or(leader, |(_, seat)| seat);
    }
    cards
}
