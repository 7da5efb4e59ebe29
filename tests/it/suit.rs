//! `suit` plays one suit for the most tricks, or for a number of tricks.

use crate::command::{are_refused, json, run_line};

#[test]
fn one_suit() {
    let suit = json("suit AJT98 432");
    let chance = |tricks: usize| suit["at_least"][tricks].as_f64().expect("a chance");
    assert!((chance(4) - 0.76).abs() < 1e-4, "{suit}");
    assert_eq!(suit["lines"][0]["tricks"], 4);
    let splits = suit["lines"][0]["splits"].as_array().expect("splits");
    let chances = splits.iter().filter_map(|split| split["chance"].as_f64());
    assert!((chances.sum::<f64>() - 1.0).abs() < 1e-9);
    let printed = run_line("suit --all AQT 432");
    printed.ended(0);
    printed.shows("1 trick: ");
    printed.fits_a_terminal();
    // The chance of two tricks is even, and the plan aims at these.
    run_line("suit KT86 97").shows("2 tricks: 50.0 %");
    let [small, exact] = ["suit AJxxx Qx", "suit AJ543 Q2"].map(json);
    assert_eq!(small["at_least"], exact["at_least"]);
}

#[test]
fn what_is_no_suit_is_refused() {
    are_refused(
        "
        3 suit AK K2 => is in both hands
        3 suit --tricks 6 AJT98 432 => 6 tricks: the suit has 5 at most
        3 suit AY 2 => \"AY\"
        4 suit --time 0 AJT98 432 => not found within the limit of 0 s; --time sets another
        2 suit --time nan 3 A K => expected a number of seconds, as 10 or 0.5
        2 suit --vacant 99999999999 3 A K => expected a whole number from 0 to 13
        2 suit --vacant 14 3 A K => expected a whole number from 0 to 13",
    );
}
