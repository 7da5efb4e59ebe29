//! Whole logs: their first lines, and their records.

use serde_json::{Value, json};

use super::record::{LogError, Logged, Record};
use super::{json as json_lines, pbn};
use crate::tournament::board::Board;
use crate::tournament::table::TableResult;
use setrograde_games::Game;

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PBN 2.1.
    Pbn,
    /// Lines of JSON.
    Json,
}

/// Writes and reads the log of one tournament.
#[derive(Clone, Debug)]
pub struct Log {
    format: Format,
    /// What identifies the tournament.
    identity: Value,
    players: Vec<String>,
}

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
        let record = Record {
            board,
            table,
            players,
            names,
            result,
        };
        match self.format {
            Format::Pbn => pbn::write(&record),
            Format::Json => json_lines::write(&record),
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
            Format::Pbn => pbn::read(lines),
            Format::Json => json_lines::read(lines),
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
