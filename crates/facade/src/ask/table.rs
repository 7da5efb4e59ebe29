//! The 20 results of a deal.

use serde::{Deserialize, Serialize};
use setrograde_cards::Deal;

use crate::{Ask, Board, Desk, Example, Refusal};

/// The tricks of all declarers in all strains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {}

impl Ask for Table {
    const NAME: &'static str = "table";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "N:AQ... 76... 54... K3..."}"#,
        command: "table",
    };
    type Subject = Deal;
    type Answer = crate::Table;

    fn answer(
        &self,
        desk: &mut Desk,
        deal: &Deal,
        _: Option<&Board>,
    ) -> Result<crate::Table, Refusal> {
        let tricks = desk.table(deal)?;
        Ok(crate::Table { tricks })
    }
}
