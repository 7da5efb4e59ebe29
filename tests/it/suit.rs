//! `suit` plays one suit for the most tricks, or for a number of tricks.

use crate::command::{finish, json, run, setrograde};

#[test]
fn one_suit() {
    let suit = json(&["suit", "AJT98", "432"]);
    let chance = |tricks: usize| suit["at_least"][tricks].as_f64().expect("a chance");
    assert!((chance(4) - 0.76).abs() < 1e-4, "{suit}");
    assert_eq!(suit["lines"][0]["tricks"], 4);
    let splits = suit["lines"][0]["splits"].as_array().expect("splits");
    let sum: f64 = splits
        .iter()
        .filter_map(|split| split["chance"].as_f64())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let printed = finish(setrograde().args(["suit", "--all", "AQT", "432"]));
    printed.ended(0);
    printed.shows("1 trick: ");
    assert!(
        printed
            .output
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
    let refused = |arguments: &[&str], why: &str| {
        let printed = finish(setrograde().arg("suit").args(arguments));
        printed.ended(3);
        printed.complains(why);
    };
    refused(&["AK", "K2"], "is in both hands");
    refused(
        &["--tricks", "6", "AJT98", "432"],
        "6 tricks: the suit has 5 at most",
    );
    refused(&["AY", "2"], "\"AY\"");
    // The chance of two tricks is even, and the plan aims at these.
    let printed = run(&["suit", "KT86", "97"]);
    printed.shows("2 tricks: 50.0 %");
    assert_eq!(
        json(&["suit", "AJxxx", "Qx"])["at_least"],
        json(&["suit", "AJ543", "Q2"])["at_least"]
    );
    let printed = run(&["suit", "--time", "0", "AJT98", "432"]);
    printed.ended(4);
    printed.complains("not found within the limit of 0 s; --time sets another");
    assert_eq!(printed.output, "");
    for (option, values, expected) in [
        ("--time", "nan 3", "a number of seconds, as 10 or 0.5"),
        ("--vacant", "99999999999 3", "a whole number from 0 to 13"),
        ("--vacant", "14 3", "a whole number from 0 to 13"),
    ] {
        let values = values.split(' ');
        let words = ["suit", option].into_iter().chain(values).chain(["A", "K"]);
        let printed = run(&words.collect::<Vec<_>>());
        printed.ended(2);
        printed.complains(&format!("expected {expected}"));
    }
}
