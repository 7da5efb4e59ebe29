//! Records as lines of JSON.

use serde_json::{Value, json};
use setrograde_cards::{Card, Seat};

use super::record::{LogError, Logged, Record};
use crate::tournament::table::Forfeit;
use setrograde_games::Game;

/// The line of one board at one table.
pub(super) fn write<G: Game>(record: &Record<'_, G>) -> String {
    let (board, result) = (record.board, record.result);
    let cards: Vec<String> = result.cards.iter().map(Card::to_string).collect();
    let results = Seat::ALL.map(|seat| board.game.result(&result.tally, board.game.party(seat)));
    let mut object = json!({
        "board": board.number,
        "table": record.table + 1,
        "players": record.players,
        "north_south": record.names[0],
        "east_west": record.names[1],
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

/// Reads the lines after the first.
pub(super) fn read<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<Logged>, LogError> {
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
