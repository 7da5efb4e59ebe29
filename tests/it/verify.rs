//! `setrograde verify`.

use std::fs;

use crate::command::{finish, setrograde};
use crate::database::{eight_cards_copy, level_file, twelve_cards};

#[test]
fn a_sound_database_is_proved_and_said_to_be() {
    let verify = |more: &[&str]| {
        finish(
            setrograde()
                .args(["db", "verify", "--endings", "200", "--db"])
                .arg(twelve_cards())
                .args(more),
        )
    };
    let text = verify(&[]);
    text.ended(0);
    text.shows("complete and correct");
    assert!(!text.output.contains(" of 32,641"), "{}", text.output);
    let json: serde_json::Value =
        serde_json::from_str(&verify(&["--json", "--threads", "2"]).output).expect("JSON");
    let checks = json["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 9);
    let proved = checks.last().map(|_| &checks[7]).expect("nine checks");
    assert_eq!(
        (&proved["check"], &proved["units"]),
        (&"sets".into(), &32_641.into())
    );
}

/// Without a manifest a database ends before a level that cannot be read, which is not complete.
#[test]
fn a_damaged_level_beside_a_sound_database_is_not_passed_over() {
    for damage in [&b""[..], &[7; 100]] {
        let copy = eight_cards_copy();
        fs::remove_file(copy.path().join("manifest")).expect("removed");
        let path = copy.path().join("level-12.sdb");
        fs::write(&path, damage).expect("written");
        let run =
            |command: &str| finish(setrograde().args(["db", command, "--db"]).arg(copy.path()));
        let verified = run("verify");
        verified.ended(1);
        verified.complains("level-12.sdb");
        assert!(!verified.output.contains("complete"), "{}", verified.output);
        run("stats").shows("level-12.sdb");
    }
}

#[test]
fn a_level_is_proved_from_the_one_below() {
    let from = |cards: &str| {
        finish(
            setrograde()
                .args(["db", "verify", "--json", "--from", cards, "--db"])
                .arg(twelve_cards()),
        )
    };
    let printed = from("12");
    printed.ended(0);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    let cards = json["checks"].as_array().expect("checks").iter();
    assert_eq!(
        cards.map(|of| &of["cards"]).collect::<Vec<_>>(),
        [12, 12, 12]
    );
    for wrong in ["0", "10", "16"] {
        from(wrong).ended(1);
        from(wrong).complains("expected a multiple of 4 up to 12");
    }
}

#[test]
fn eight_cards_are_compared_ending_by_ending() {
    let copy = eight_cards_copy();
    let printed = finish(
        setrograde()
            .args(["db", "verify", "--endings", "all", "--db"])
            .arg(copy.path()),
    );
    printed.ended(0);
    printed.complains("exhaustive: 87,921 endings correct");
}

#[test]
fn one_flipped_bit_is_found_and_named() {
    let copy = eight_cards_copy();
    let file = level_file(copy.path(), 8);
    let mut bytes = fs::read(&file).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&file, bytes).expect("writable");
    let printed = finish(setrograde().args(["db", "verify", "--db"]).arg(copy.path()));
    printed.ended(1);
    let last = printed.errors.lines().last().expect("a line");
    assert!(
        last.contains("level-08.sdb") && last.contains("shard"),
        "{last}"
    );
}

#[test]
fn a_share_of_the_deepest_level_is_proved() {
    let printed = finish(
        setrograde()
            .args(["db", "verify", "--json", "--endings", "0", "--from", "8"])
            .args(["--share", "0.01", "--seed", "3", "--db"])
            .arg(twelve_cards()),
    );
    printed.ended(0);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    let sets = |cards: u64| {
        let checks = json["checks"].as_array().expect("checks");
        let is_it =
            |check: &&serde_json::Value| check["cards"] == cards && check["check"] == "sets";
        let check = checks.iter().find(is_it).expect("it was made");
        (check["units"].as_u64(), check["of"].as_u64())
    };
    // `of` is present only if it is larger.
    assert_eq!(sets(8), (Some(2_054), None));
    let (units, of) = sets(12);
    assert_eq!(of, Some(32_641));
    // A shard of 256, and a hundredth of the rest.
    assert!((450..750).contains(&units.expect("a number")), "{units:?}");

    let text = finish(
        setrograde()
            .args(["db", "verify", "--endings", "0", "--share", "0.01", "--db"])
            .arg(twelve_cards()),
    );
    text.shows("of 32,641 partitions");
    text.shows("no error in the part that was proved");
    let none = finish(setrograde().args(["db", "verify", "--share", "0", "--db", "x"]));
    none.ended(2);
    none.complains("above 0 and up to 1");
}
