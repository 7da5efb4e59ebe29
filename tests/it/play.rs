//! `setrograde tournament`, `play` and `beliefs`.

use crate::command::{feed, run, setrograde};

/// The one line that says what is wrong, and the exit status.
fn refused(arguments: &[&str]) -> (String, Option<i32>) {
    let printed = run(arguments);
    assert_eq!(printed.output, "", "{arguments:?}");
    (printed.errors.trim_end().to_owned(), printed.status)
}

const WHIST: [&str; 8] = [
    "tournament",
    "--game",
    "whist",
    "--cards",
    "5",
    "--seed",
    "9",
    "--players",
];

#[test]
fn tournaments_resume_to_the_same_log() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let play = |boards: &str, threads: &str, log: [&str; 2]| {
        let mut arguments = WHIST.to_vec();
        arguments.extend(["mu:50", "simple", "--boards", boards, "--threads", threads]);
        arguments.extend(log);
        run(&arguments)
    };
    let (whole, part) = (path("whole"), path("part"));
    let printed = play("12", "1", ["--log", &whole]);
    printed.ended(0);
    printed.shows("mu:iterations=50");
    let log = std::fs::read(&whole).expect("a log");
    play("5", "2", ["--log", &part]);
    // As a kill might leave it.
    let first = std::fs::read(&part).expect("a log");
    std::fs::write(&part, &first[..first.len() - 40]).expect("cut");
    assert_eq!(play("12", "2", ["--resume", &part]).status, Some(0));
    assert_eq!(std::fs::read(&part).expect("a log"), log);
    // As an earlier version wrote it, which did not have all settings.
    let text = String::from_utf8(first).expect("text");
    std::fs::write(&part, text.replacen(",\"within\":null", "", 1)).expect("written");
    assert_eq!(play("12", "2", ["--resume", &part]).status, Some(0));
    // Nothing is overwritten, and other logs are refused.
    let (error, status) = {
        let printed = play("12", "1", ["--log", &whole]);
        (printed.errors, printed.status)
    };
    assert!(
        error.contains("cannot make") && error.lines().count() == 1,
        "{error}"
    );
    assert_eq!(status, Some(1));
    let mut other = WHIST.to_vec();
    other[6] = "10";
    other.extend(["mu:50", "simple", "--resume", &whole]);
    let (error, status) = refused(&other);
    assert!(
        error.ends_with("it is the log of another tournament: seed is 9 there, 10 here"),
        "{error}"
    );
    assert_eq!(status, Some(1));
    assert_eq!(std::fs::read(&whole).expect("a log"), log);
    // A card that was changed afterwards.
    let text = String::from_utf8(log).expect("text");
    let tricks = text.find("\"tricks\":[").expect("tricks") + 10;
    let mut changed = text.clone();
    changed.replace_range(
        tricks..=tricks,
        if &text[tricks..=tricks] == "1" {
            "2"
        } else {
            "1"
        },
    );
    std::fs::write(&part, &changed).expect("written");
    let printed = play("12", "1", ["--resume", &part]);
    printed.complains("this is not what its own cards come to");
    assert_eq!(std::fs::read_to_string(&part).expect("a log"), changed);
}

#[test]
fn a_database_may_take_little_memory() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden");
    let database = ["--db", golden, "--db-memory", "1M", "--verbose"];
    let players = ["pimc:3", "simple", "--boards", "2"];
    let printed = run(&[&WHIST[..], &players, &database].concat());
    printed.ended(0);
    printed.complains(" of 1.0 MiB in use");
    let deal = [
        "play", "--game", "whist", "--seed", "3", "--engine", "pimc:3",
    ];
    let plain = run(&deal);
    let printed = run(&[&deal[..], &database].concat());
    printed.ended(0);
    printed.complains(" of 1.0 MiB in use");
    assert_eq!(printed.output, plain.output);
}

#[test]
fn standings_come_as_table_json_csv_and_picture() {
    let directory = tempfile::tempdir().expect("a directory");
    let picture = directory.path().join("gain.svg");
    let mut arguments = WHIST.to_vec();
    arguments.extend(["simple", "random", "random", "--boards", "20"]);
    let with = |more: &[&str]| {
        let mut all = arguments.clone();
        all.extend(more);
        run(&all).output
    };
    let json = with(&["--json", "--svg", &picture.display().to_string()]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["pairs"][2]["gain"], 0.0);
    assert_eq!(json["pairs"][0]["boards"], 20);
    assert!(
        std::fs::read_to_string(&picture)
            .expect("a picture")
            .starts_with("<svg")
    );
    let csv = with(&["--csv"]);
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("a,b,boards,gain,"));
    // Two equal players are 0 ± 0 apart after the first 16 boards.
    let mut equal = WHIST.to_vec();
    equal.extend([
        "random", "random", "--boards", "100", "--until", "0.1", "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&run(&equal).output).expect("JSON");
    assert_eq!(json["pairs"][0]["boards"], 16);
}

#[test]
fn programs_play_and_forfeit() {
    let mut arguments = WHIST.to_vec();
    arguments.extend(["external:cat", "random", "--boards", "1", "--json"]);
    let printed = run(&arguments);
    printed.complains("forfeits: cat: ");
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(json["pairs"][0]["lost"], 1);
    // The first legal card, by sed.
    let first = r#"external:sed -u 's/.*"legal":\["\(..\)".*/\1/'"#;
    let mut arguments = WHIST.to_vec();
    arguments.extend([first, "random", "--boards", "3", "--json"]);
    let printed = run(&arguments);
    assert_eq!(printed.errors, "");
    printed.ended(0);
}

#[test]
fn wrong_arguments_get_one_line() {
    let of = |more: &[&str]| {
        let mut arguments = WHIST.to_vec();
        arguments.extend(more);
        let (error, status) = refused(&arguments);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(status, Some(1));
        error
    };
    assert!(of(&["gib", "mu"]).ends_with(
        "there is no player \"gib\"; there are random, simple, mu, ismcts, pimc and external:COMMAND"
    ));
    assert!(
        of(&["mu:depth=2", "mu"])
            .ends_with("mu has no parameter \"depth\"; it has iterations, c, time")
    );
    assert!(of(&["pimc:0", "mu"]).ends_with("worlds=0 of pimc: expected 1 to 10000000"));
    assert!(
        of(&["mu", "simple", "--contract", "4SN"])
            .ends_with("--contract, --within and --goal are for bridge")
    );
    assert!(
        of(&["mu", "simple", "--goal", "imps"])
            .ends_with("--contract, --within and --goal are for bridge")
    );
    assert!(
        of(&["mu", "simple", "--trump", "X"])
            .contains("--trump X: column 1: \"X\" is not a strain")
    );
    let (error, _) = refused(&[
        "tournament",
        "--game",
        "bridge",
        "--cards",
        "7",
        "--players",
        "mu",
        "mu",
    ]);
    assert!(
        error.ends_with("--cards 7: bridge is played with 13 cards a hand"),
        "{error}"
    );
    let (error, _) = refused(&["tournament", "--game", "hearts", "--players", "mu", "pimc"]);
    assert!(error.ends_with("pimc does not play hearts"), "{error}");
}

const DEAL: &str = "N:AKQ.2.. JT9.3.. 876.4.. 543.5..";

#[test]
fn a_script_plays_a_deal() {
    let mut command = setrograde();
    command.args(["play", "--game", "whist", "--deal", DEAL, "--trump", "H"]);
    command.args([
        "--north", "human", "--east", "simple", "--south", "simple", "--west", "simple",
    ]);
    let printed = feed(&mut command, "?\nSA\nSK\nSQ\nH2\n");
    printed.ended(0);
    let hint = "layouts fit. Chances in per cent:";
    printed.shows(hint);
    printed.shows("North plays SA");
    printed.shows("North and South: ");
    let printed = feed(&mut command, "SA\nSA\n");
    printed.ended(1);
    printed.complains("North is to play and does not hold SA");
    let printed = feed(&mut command, "SA\n");
    printed.complains("the input ends before North has played");
    let printed = feed(&mut command, &"S".repeat(1 << 20));
    printed.ended(1);
    assert_eq!(
        printed.errors,
        "setrograde: standard input: a line is longer than 1024 bytes\n"
    );
}

#[test]
fn wrong_plays_get_one_line() {
    let of = |arguments: &[&str]| {
        let mut all = vec!["play"];
        all.extend(arguments);
        let (error, status) = refused(&all);
        assert_eq!((error.lines().count(), status), (1, Some(1)), "{error}");
        error
    };
    assert!(of(&[]).contains("bridge needs --contract"));
    assert!(of(&["--contract", "8S"]).contains("--contract 8S: column 1"));
    assert!(of(&["--contract", "4S", "--deal", DEAL]).contains("4 cards a hand"));
    let whist = ["--game", "whist", "--deal", DEAL];
    let with = |more: &[&'static str]| {
        let mut all = whist.to_vec();
        all.extend(more);
        of(&all)
    };
    let error = with(&["--limits", "E:S5-8,11-15hcp"]);
    assert!(
        error.contains("East's hand in this deal is not within them"),
        "{error}"
    );
    assert!(with(&["--north", "jack"]).contains("there is no player \"jack\""));
    // An option of another game would change nothing.
    assert!(with(&["--contract", "4S"]).ends_with("--contract is for bridge"));
    assert!(with(&["--declarer", "N"]).ends_with("--declarer is for bridge"));
    assert!(with(&["--vulnerable", "both"]).ends_with("--vulnerable is for bridge"));
    assert!(with(&["--goal", "imps"]).ends_with("--goal is for bridge"));
    let bridge = |option, value| of(&["--contract", "1S", option, value]);
    assert!(bridge("--trump", "H").ends_with("--trump is for whist and jass"));
    assert!(bridge("--leader", "W").ends_with("--leader is for whist, jass and hearts"));
    // The command line itself: exit status 2.
    for until in ["NaN", "inf", "-1", "x"] {
        let until = format!("--until={until}");
        let mut arguments = WHIST.to_vec();
        arguments.extend(["mu", "simple", &until]);
        run(&arguments).ended(2);
    }
    let printed = run(&["play", "--game", "whist", "--deal", "N:A... A... K... Q..."]);
    printed.ended(2);
    let printed = run(&["play", "--game", "whist", "--limits", "E:S9-5"]);
    printed.ended(2);
}

#[test]
fn beliefs_are_counted() {
    let view = "NT W N:AQ4... ? 532... ? out=KJT987... SK";
    let printed = run(&["beliefs", view]);
    printed.ended(0);
    assert!(
        printed.output.starts_with(&format!("{view}\t10\n")),
        "{}",
        printed.output
    );
    let printed = run(&["beliefs", "--json", "--samples", "3", view]);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(json["layouts"], "10");
    assert_eq!(json["samples"].as_array().map(Vec::len), Some(3));
    let chance = json["marginals"]["SJ"]["W"].as_f64().expect("a chance");
    assert!((chance - 0.4).abs() < 1e-12);
    // One bad view among many.
    let lines = format!("{view}\nNT W N:AX... ? ? ?\n");
    let printed = feed(setrograde().args(["beliefs", "-"]), &lines);
    printed.ended(3);
    printed.complains("line 2, column 9: 'X' is not a rank");
    assert!(printed.output.starts_with(view));
    let printed = run(&["beliefs", "--limits", "E:S4-", view]);
    printed.ended(3);
    printed.complains("East's limits S4-13 cannot be met");
}
