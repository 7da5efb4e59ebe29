//! `setrograde verify`.

use std::fs;

use crate::command::run_on;
use crate::database::{eight_cards_copy, level_file, twelve_cards};

#[test]
fn a_sound_database_is_proved_and_said_to_be() {
    let text = run_on(twelve_cards(), "db verify --endings 200");
    text.ended(0);
    text.shows("complete and correct");
    text.does_not_show(" of 32,641");
    let json = run_on(twelve_cards(), "db verify --endings 200 --json --threads 2").json();
    let checks = json["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 9);
    assert_eq!(checks[7]["check"], "sets");
    assert_eq!(checks[7]["units"], 32_641);
}

/// Without a manifest a database ends before a level that cannot be read, which is not complete.
#[test]
fn a_damaged_level_beside_a_sound_database_is_not_passed_over() {
    for damage in [&b""[..], &[7; 100]] {
        let copy = eight_cards_copy();
        fs::remove_file(copy.path().join("manifest")).expect("removed");
        fs::write(level_file(copy.path(), 12), damage).expect("written");
        let verified = run_on(copy.path(), "db verify");
        verified.ended(1);
        verified.complains("level-12.sdb");
        verified.does_not_show("complete");
        run_on(copy.path(), "db stats").shows("level-12.sdb");
    }
}

#[test]
fn a_level_is_proved_from_the_one_below() {
    let from = |cards: &str| run_on(twelve_cards(), &format!("db verify --json --from {cards}"));
    let printed = from("12");
    printed.ended(0);
    let json = printed.json();
    let checks = json["checks"].as_array().expect("checks");
    let cards: Vec<_> = checks.iter().map(|of| &of["cards"]).collect();
    assert_eq!(cards, [12, 12, 12]);
    for wrong in ["0", "10", "16"] {
        from(wrong).ended(1);
        from(wrong).complains("expected a multiple of 4 up to 12");
    }
}

#[test]
fn eight_cards_are_compared_ending_by_ending() {
    let printed = run_on(eight_cards_copy().path(), "db verify --endings all");
    printed.ended(0);
    printed.complains("exhaustive: 87,921 endings correct");
}

#[test]
fn a_share_of_the_deepest_level_is_proved() {
    let words = "db verify --json --endings 0 --from 8 --share 0.01 --seed 3";
    let printed = run_on(twelve_cards(), words);
    printed.ended(0);
    let json = printed.json();
    let checks = json["checks"].as_array().expect("checks");
    let sets = |cards: u64| {
        let mut of_level = checks.iter().filter(|check| check["cards"] == cards);
        let check = of_level.find(|check| check["check"] == "sets");
        let check = check.expect("it was made");
        (check["units"].as_u64(), check["of"].as_u64())
    };
    // `of` is present only if it is larger.
    assert_eq!(sets(8), (Some(2_054), None));
    let (units, of) = sets(12);
    assert_eq!(of, Some(32_641));
    // A shard of 256, and a hundredth of the rest.
    assert!((450..750).contains(&units.expect("a number")), "{units:?}");

    let text = run_on(twelve_cards(), "db verify --endings 0 --share 0.01");
    text.shows("of 32,641 partitions");
    text.shows("no error in the part that was proved");
    let none = run_on("x".as_ref(), "db verify --share 0");
    none.is_refused(2, "above 0 and up to 1");
}
