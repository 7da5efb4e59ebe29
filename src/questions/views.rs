//! Questions about hidden hands.

use setrograde_beliefs::{Limits, SeatLimits};
use setrograde_cards::Strain;
use setrograde_play::View;
use setrograde_play::games::Whist;

use super::NoAnswer;

/// The limits of each seat.
pub fn limits(given: &[SeatLimits]) -> [Limits; 4] {
    let mut limits = [Limits::default(); 4];
    for of in given {
        limits[of.seat.index()] = of.limits;
    }
    limits
}

/// The view that `STRAIN LEADER DEAL` describes, where suit must be followed.
pub fn whist(text: &str, given: &[SeatLimits]) -> Result<View<Whist>, NoAnswer> {
    let view = View::read(text, limits(given), |strain, leader| {
        let strain = strain.parse::<Strain>();
        strain.map(|strain| Whist::new(strain, leader.plus(3), 13))
    });
    view.map_err(|error| NoAnswer::Text(error.to_string()))
}
