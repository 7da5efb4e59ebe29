//! Chances as people read them: in per cent, with intervals from low to high.

use setrograde_beliefs::Beliefs;
use setrograde_cards::{Seat, Side};
use setrograde_single_dummy::{Odds, interval, mean_half_width};

use super::tables::grouped;

/// A chance of all layouts.
pub fn percent(chance: f64) -> String {
    format!("{:5.1} %", 100.0 * chance)
}

/// A chance of some layouts that were drawn, with its interval.
pub fn drawn(chance: f64, layouts: u128) -> String {
    let (low, high) = interval(chance, layouts);
    let interval = format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high);
    format!("{}  {interval:>13}", percent(chance))
}

/// A mean over layouts that were drawn, with its interval.
pub fn drawn_mean(odds: &Odds) -> String {
    let (mean, half) = (odds.mean(), mean_half_width(odds));
    let interval = format!("{:.2} to {:.2}", mean - half, mean + half);
    format!("{mean:5.2}  {interval:>14}")
}

/// `1 layout`, `20 layouts`.
pub fn layouts(count: u128) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} layout{s}", grouped(count))
}

/// The number of all layouts; `about` so many if they were not counted.
pub fn all_layouts(beliefs: &Beliefs) -> String {
    let about = if beliefs.is_exact() { "" } else { "about " };
    format!("{about}{}", grouped(beliefs.count()))
}

/// Says what was drawn: `100 layouts drawn of 10,400,600, seed 1; intervals of 95 %`.
pub fn head(drawn: u128, beliefs: &Beliefs, seed: u64) -> String {
    let (drawn, all) = (layouts(drawn), all_layouts(beliefs));
    format!("  {drawn} drawn of {all}, seed {seed}; intervals of 95 %\n")
}

/// The names of a side's seats.
pub fn side_name(side: Side) -> String {
    let [one, other] = side.seats().map(Seat::name);
    format!("{one} and {other}")
}
