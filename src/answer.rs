//! One question to a database, answered.

use setrograde_cards::Position;
use setrograde_lookup::{Answer, Bounds, Database, Ending, EndingSet, ProbeError};

/// The value of a position and, at the start of a trick, the set that proves
/// it, as wide as forgetting known cards can make it.
pub struct Answered {
    /// Tricks for the side that led to the current trick.
    pub value: u8,
    /// `None` in the middle of a trick.
    pub proof: Option<(Ending, EndingSet)>,
}

/// Looks a position up.
pub fn answer(database: &Database, position: &Position) -> Result<Answered, ProbeError> {
    if !position.is_trick_boundary() {
        return Ok(Answered {
            value: database.position_value(position)?,
            proof: None,
        });
    }
    let ending = Ending::from_position(position)?;
    let Answer { value, set } = database.probe(&ending)?;
    let set = database.widen(
        &ending,
        &set,
        Bounds {
            lo: value,
            hi: value,
        },
    )?;
    Ok(Answered {
        value,
        proof: Some((ending, set)),
    })
}
