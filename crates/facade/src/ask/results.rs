//! The results of an evening.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use setrograde_solver::TrickTable;

use super::options::NoSubject;
use crate::source::boards_of;
use crate::{Ask, Board, Desk, Example, Refusal, Session, Standings, table_deal};

/// The results of an evening: the ranking, and each board at all its tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The records of the boards, the text of a file in any format.
    pub boards: String,
    /// Take double-dummy results from the records, and solve nothing.
    #[serde(default)]
    pub recorded: bool,
}

impl Ask for Results {
    const NAME: &'static str = "results";
    const EXAMPLE: Example = Example {
        json: r#"{"boards": "[Deal \"N:A... K... Q... J...\"]\n"}"#,
        command: "",
    };
    type Subject = NoSubject;
    type Answer = Session;

    fn answer(
        &self,
        desk: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<Session, Refusal> {
        let stop = desk.stop().clone();
        let (mut standings, mut solved, mut unread) =
            (Standings::default(), HashSet::new(), Vec::new());
        for board in boards_of("boards", &self.boards, &stop)? {
            let board = match board {
                Ok(board) => board,
                Err(_) if stop.is_due() => return Err(Refusal::interrupted()),
                Err(error) => {
                    unread.push(error.to_string());
                    continue;
                }
            };
            let index = standings.add(&board);
            if self.recorded {
                if let Some(tricks) = board.double_dummy.tricks {
                    standings.solved(index, TrickTable::new(tricks));
                }
                continue;
            }
            // A board without hands has results, too.
            if let Ok(deal) = table_deal(&board)
                && solved.insert(index)
            {
                standings.solved(index, desk.table(&deal)?);
            }
        }
        if standings.boards() == 0 {
            let problem = unread.first().map_or("there is none", String::as_str);
            return Err(Refusal::option("boards", problem).unless_due(&stop));
        }
        let mut session = standings.session();
        session.unread = unread;
        Ok(session)
    }
}
