//! Par.

use serde::{Deserialize, Serialize};
use setrograde_cards::{Deal, Seat, Vulnerability};
use setrograde_solver::TrickTable;

use crate::heading::heading;
use crate::{Ask, Board, Desk, Example, OnePar, Pars, Refusal};

/// The score and the contracts after the best bidding of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Par {
    /// The vulnerable sides: `none`, `NS`, `EW` or `both`. By default that of the board, or else
    /// all four cases.
    pub vulnerable: Option<Vulnerability>,
    /// The dealer. By default that of the board, or else each in turn.
    pub dealer: Option<Seat>,
    /// Take the double-dummy results from the record of the board, and solve nothing.
    pub recorded: bool,
}

impl Ask for Par {
    const NAME: &'static str = "par";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "N:AQ... 76... 54... K3...", "vulnerable": "NS"}"#,
        command: "par --vulnerable NS",
    };
    type Subject = Deal;
    type Answer = Pars;

    fn answer(&self, desk: &mut Desk, deal: &Deal, board: Option<&Board>) -> Result<Pars, Refusal> {
        let table = if self.recorded {
            let tricks = board.and_then(|board| board.double_dummy.tricks);
            let none = || Refusal::is("recorded", "needs a board with `DoubleDummyTricks`");
            TrickTable::new(tricks.ok_or_else(none)?)
        } else {
            desk.table(deal)?
        };
        let vulnerabilities = self
            .vulnerable
            .or(board.and_then(|board| board.vulnerability))
            .map_or(Vulnerability::ALL.to_vec(), |one| vec![one]);
        let dealers = self
            .dealer
            .or(board.and_then(|board| board.dealer))
            .map_or(Seat::ALL.to_vec(), |one| vec![one]);
        let (table, dealers) = (&table, &dealers);
        let par = vulnerabilities.iter().flat_map(|&sides| {
            let dealers = dealers.iter();
            dealers.map(move |&dealer| OnePar::new(table, sides, dealer))
        });
        // The heading names the sides that the answer is about.
        let title = board.filter(|_| self.vulnerable.is_some()).map(|board| {
            heading(&Board {
                vulnerability: self.vulnerable,
                ..board.clone()
            })
        });
        Ok(Pars {
            par: par.collect(),
            title,
        })
    }
}
