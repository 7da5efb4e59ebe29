//! `single-dummy` finds the best line for each number of tricks, over all layouts or those of a file.

use crate::command::{Printed, json, run_line};
use crate::folder::Folder;

const QUESTION: &str = "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..";

/// Each line is what `--tricks` says of its number.
#[test]
fn single_dummy_for_each_number_of_tricks() {
    let all = json(&format!("single-dummy '{QUESTION}'"));
    let targets = all["targets"].as_array().expect("targets");
    assert_eq!(targets.len(), 3);
    for (target, tricks) in targets.iter().zip(1..) {
        let one = json(&format!("single-dummy --tricks {tricks} '{QUESTION}'"));
        assert_eq!(target["layouts"], one["layouts"]);
        assert_eq!(target["cards"], one["cards"]);
        assert_eq!(all["of"], one["of"]);
    }
    // Nothing follows what cannot be made.
    let printed = run_line("single-dummy 'NT S N:432... ? 765... ? out=AKQJT9...'");
    printed.ended(0);
    assert_eq!(printed.output.lines().count(), 3, "{printed:?}");
    printed.shows("       1  0 of 20 (0.0 %)");
}

fn over_layouts(options: &str) -> Printed {
    let file = "data/samples/layouts.txt";
    run_line(&format!(
        "single-dummy --layouts {file} {options} '{QUESTION}'"
    ))
}

#[test]
fn the_best_line_over_layouts_of_a_file() {
    let printed = over_layouts("");
    printed.ended(0);
    printed.shows("2.474 tricks on average, 6 layouts; double dummy 2.579\n");
    printed.shows("  ♠J           2.474              3 in 4, 1 in 2\n");
    let target = over_layouts("--tricks 3 --plan");
    target.shows("73.7 % of the weight, 6 layouts; double dummy 78.9 %");
    target.shows("The line of NS, from step ");
    target.shows("  2: play ♥9, then 1\n  3: they play ♥K: 0\n");
    over_layouts("--score 3NTS,8").shows("444.2 points on average");
    // A search that gives up reports its best line and an upper bound.
    let bounded = over_layouts("--limit 5");
    bounded.ended(0);
    bounded.shows(" to 2.579 tricks on average");
}

#[test]
fn layouts_that_cannot_be_are_refused() {
    let many = "N:AQT... K.KT.. J.Q9.. 9.AJ..\n".repeat(1001);
    for (text, said) in [
        ("# nothing\n", "there are no layouts"),
        (
            "N:AQT... K.KT.. J.Q9.. 9.AJ.. heavy\n",
            "line 1: `heavy` is not a weight",
        ),
        ("\nN:AQT... K.KT.. J.Q9..\n", "line 2"),
        (
            "N:AQ9... K.KT.. J.Q9.. T.AJ..\n",
            "in layout 1 North does not hold",
        ),
        (
            "N:AQT... K.K.. J.Q9.. 9.AJT..\n",
            "layout 1 does not deal the unseen cards",
        ),
        (&many, "line 1001: more than 1000 layouts"),
    ] {
        let folder = Folder::with("layouts.txt", text);
        let printed = folder.run(&format!("single-dummy --layouts layouts.txt '{QUESTION}'"));
        assert_ne!(printed.status, Some(0), "{text}");
        printed.complains(said);
    }
}
