//! Adjudication of contested claims, after Law 70 of the Laws of Duplicate
//! Bridge (2017).

use setrograde_cards::Hand;

use crate::claim_error::ClaimError;
use crate::double_dummy::bad_layouts;
use crate::knowledge::Knowledge;
use crate::line::{Line, Worst, worst};
use crate::search::engine::Engine;

/// The adjudication of a contested claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The tricks claimed.
    pub claimed: u8,
    /// The tricks that were sure from what the claimer knew.
    pub sure: u8,
    /// The tricks with all cards seen.
    pub double_dummy: u8,
    /// The fewest tricks of the stated line, and of any normal play where it is
    /// silent, as the cards lie; and the cards of that play.
    pub worst: Worst,
    /// The tricks to award: those claimed, unless a normal play takes fewer.
    pub awarded: u8,
}

/// See [`Claims::adjudicate`].
pub(crate) fn adjudicate(
    engine: &mut Engine,
    knowledge: &Knowledge,
    layout: [Hand; 2],
    claimed: u8,
    line: &Line,
) -> Result<Adjudication, ClaimError> {
    if !knowledge.has_layout(layout) {
        return Err(ClaimError::NotALayout);
    }
    let layout = layout.map(Hand::bits);
    let case = knowledge.only(&[layout]);
    let sure = engine.sure(knowledge)?;
    let position = bad_layouts::open(knowledge, layout).ok_or(ClaimError::NotALayout)?;
    let double_dummy = engine.double_dummy(knowledge, &position)?;
    let worst = worst(engine, knowledge, &case, line)?;
    Ok(Adjudication {
        claimed,
        sure,
        double_dummy,
        awarded: claimed.min(worst.tricks),
        worst,
    })
}
