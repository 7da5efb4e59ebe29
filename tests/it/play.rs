//! `setrograde tournament`, `play` and `beliefs`.

use std::process::Command;

use crate::command::{feed, finish, run, setrograde};

/// The line of the error, and the exit status.
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
    let play = |boards: &str, threads: &str, log: &[&str]| {
        let mut arguments = WHIST.to_vec();
        arguments.extend(["mu:50", "simple", "--boards", boards, "--threads", threads]);
        arguments.extend(log);
        run(&arguments)
    };
    let (whole, part) = (path("whole"), path("part"));
    let printed = play("12", "1", &["--log", &whole]);
    printed.ended(0);
    printed.shows("mu:iterations=50");
    let log = std::fs::read(&whole).expect("a log");
    play("5", "2", &["--log", &part]);
    // As a kill might leave it.
    let first = std::fs::read(&part).expect("a log");
    std::fs::write(&part, &first[..first.len() - 40]).expect("cut");
    assert_eq!(play("12", "2", &["--log", &part]).status, Some(0));
    assert_eq!(std::fs::read(&part).expect("a log"), log);
    // As an earlier version wrote it, which did not have all settings.
    let text = String::from_utf8(first).expect("text");
    std::fs::write(&part, text.replacen(",\"contract\":null", "", 1)).expect("written");
    assert_eq!(play("12", "2", &["--log", &part]).status, Some(0));
    // Nothing is overwritten, and other logs are refused.
    play("12", "1", &["--log", &whole]).ended(0);
    assert_eq!(std::fs::read(&whole).expect("a log"), log);
    let mut other = WHIST.to_vec();
    other[6] = "10";
    other.extend(["mu:50", "simple", "--log", &whole]);
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
    let printed = play("12", "1", &["--log", &part]);
    printed.complains("the result does not follow from the cards");
    assert_eq!(std::fs::read_to_string(&part).expect("a log"), changed);
}

/// Nothing of a damaged log is lost, and nothing is played before it is refused.
#[test]
fn a_damaged_log_is_refused_and_kept() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log").display().to_string();
    let play = |log: &[&str]| {
        run(&[
            &WHIST[..],
            &["random", "simple", "--boards", "6", "--threads", "1"],
            log,
        ]
        .concat())
    };
    play(&["--log", &path]).ended(0);
    let log = std::fs::read(&path).expect("a log");
    let head = log.iter().position(|&byte| byte == b'\n').expect("a head") + 1;
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..40 {
        let mut damaged = log.clone();
        // The log may miss its end besides, which would be played again.
        damaged.truncate(log.len() - rng.usize(0..300));
        let last = damaged
            .iter()
            .rposition(|&byte| byte == b'\n')
            .expect("a line");
        let index = rng.usize(head..last);
        let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
        // A board has two lines.
        let in_whole_board = lines(&damaged[head..index]) < lines(&damaged[head..]) / 2 * 2;
        damaged[index] ^= 1 << rng.u8(0..7);
        std::fs::write(&path, &damaged).expect("written");
        let printed = play(&["--log", &path]);
        let left = std::fs::read(&path).expect("a log");
        if printed.status == Some(0) {
            // The damage was in the last board, of which a table is missing.
            assert!(!in_whole_board, "byte {index}: {printed:?}");
            assert_eq!(left, log);
        } else {
            assert_eq!(printed.status, Some(1), "{printed:?}");
            printed.complains(": line ");
            assert!(left == damaged, "byte {index}: {printed:?}");
        }
    }
    // A log that ended in its first line is begun anew.
    for length in [0, 1, head - 1] {
        std::fs::write(&path, &log[..length]).expect("written");
        play(&["--log", &path]).ended(0);
        assert!(std::fs::read(&path).expect("a log") == log, "{length}");
    }
    // A torn end is cut off, with any bytes.
    let torn = [&log[..log.len() - 50], &[0xff; 90][..]].concat();
    std::fs::write(&path, torn).expect("written");
    play(&["--log", &path]).ended(0);
    assert_eq!(std::fs::read(&path).expect("a log"), log);
    #[cfg(unix)]
    play(&["--log", "/dev/zero"]).complains("not a regular file");
}

#[cfg(unix)]
#[test]
fn programs_that_misbehave() {
    let play = |player: &str, more: &[&str]| {
        run(&[&WHIST[..], &[player, "random", "--boards", "2"], more].concat())
    };
    let printed = play("external:/nonexistent", &[]);
    printed.ended(1);
    printed.complains("\"/nonexistent\" cannot be started");
    play("external:cat 'x", &[]).complains("a quotation mark is not closed");
    // An endless line is a forfeit.
    let printed = play("external:cat /dev/zero", &[]);
    printed.ended(0);
    printed.complains("forfeits: cat /dev/zero: a line of more than 1024 bytes");
    // The children of a program that is too late end with it.
    let seconds = 1_000 + std::process::id();
    let printed = play(
        &format!("external:sh -c 'sleep {seconds}; true'"),
        &["--time", "50"],
    );
    printed.ended(0);
    let sleeps = |entry: &std::fs::DirEntry| {
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        command == format!("sleep\0{seconds}\0").into_bytes()
    };
    if let Ok(processes) = std::fs::read_dir("/proc") {
        assert_eq!(processes.flatten().filter(sleeps).count(), 0);
    }
}

#[test]
fn players_consult_a_database() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden");
    let database = ["--db", golden];
    let players = ["pimc:3", "simple", "--boards", "2"];
    let printed = run(&[&WHIST[..], &players, &database].concat());
    printed.ended(0);
    let deal = [
        "play",
        "--game",
        "whist",
        "--seed",
        "3",
        "--players",
        "pimc:3",
        "pimc:3",
        "pimc:3",
        "pimc:3",
    ];
    let plain = run(&[&deal[..], &["--db", "none"]].concat());
    let printed = run(&[&deal[..], &database].concat());
    printed.ended(0);
    assert_eq!(printed.output, plain.output);
}

#[test]
fn standings_count_contracts_made() {
    let bridge = [
        "tournament",
        "--game",
        "bridge",
        "--contract",
        "1NTS",
        "--boards",
        "20",
    ];
    let players = ["--players", "simple", "random"];
    let table = run(&[&bridge[..], &players].concat());
    table.ended(0);
    let json = run(&[&bridge[..], &players, &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.output).expect("JSON");
    let of = &json["pairs"][0]["contracts"];
    let [both, first, second, neither] =
        ["both", "a", "b", "neither"].map(|part| of[part].as_u64().expect("a number"));
    assert_eq!(both + first + second + neither, 20);
    for role in ["declares", "defends"] {
        assert_eq!(table.output.matches(role).count(), 2, "{}", table.output);
    }
    assert!(first > second, "{of}");
    let percent = |part: &str| 100.0 * of[part].as_f64().expect("a number");
    table.shows(&format!(
        "contracts made as declarer by simple and random: both {both}, simple alone {first}, \
         random alone {second}, neither {neither}; simple is ahead by {:.2} ± {:.2} per cent \
         (McNemar: p = {:.4})",
        percent("ahead"),
        percent("half_width"),
        percent("p") / 100.0,
    ));
}

#[test]
fn standings_come_as_json() {
    let mut arguments = WHIST.to_vec();
    arguments.extend(["simple", "random", "random", "--boards", "20"]);
    let with = |more: &[&str]| {
        let mut all = arguments.clone();
        all.extend(more);
        run(&all).output
    };
    let json = with(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(3));
    let rows = with(&[])
        .lines()
        .filter(|line| line.contains(" plays "))
        .count();
    assert_eq!(rows, 3, "a row for each player");
    assert_eq!(json["pairs"][2]["gain"], 0.0);
    assert_eq!(json["pairs"][0]["boards"], 20);
    // Two equal players are 0 ± 0 apart after the first 16 boards.
    let mut equal = WHIST.to_vec();
    equal.extend([
        "random", "random", "--boards", "100", "--until", "0.1", "--json",
    ]);
    let ended = run(&equal);
    ended.ended(0);
    let json: serde_json::Value = serde_json::from_str(&ended.output).expect("JSON");
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
        "there is no player \"gib\"; there are random, simple, mu, ismcts, pimc, exact and external:COMMAND"
    ));
    assert!(
        of(&["mu:depth=2", "mu"])
            .ends_with("mu has no parameter \"depth\"; it has iterations, c, time")
    );
    assert!(of(&["pimc:0", "mu"]).ends_with("worlds=0 of pimc: expected 1 to 10000"));
    assert!(
        of(&["mu", "simple", "--contract", "4SN"])
            .ends_with("--contract is not an option of whist")
    );
    assert!(of(&["mu", "simple", "--goal", "imps"]).ends_with("--goal is not an option of whist"));
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
        error.ends_with("--cards 7: expected 13 at bridge"),
        "{error}"
    );
}

const DEAL: &str = "N:AKQ.2.. JT9.3.. 876.4.. 543.5..";

/// North plays against programs that follow simple rules.
fn with_north(arguments: &[&str]) -> std::process::Command {
    let mut command = setrograde();
    command.arg("play").args(arguments);
    command.args(["--players", "human", "simple", "simple", "simple"]);
    command
}

#[test]
fn a_script_plays_a_deal() {
    let mut command = with_north(&["--game", "whist", DEAL, "--trump", "H"]);
    let printed = feed(
        &mut command,
        "?\nchances\nSA\nSK\n\n# low\nSQ\ntricks\nH2\n",
    );
    printed.ended(0);
    printed.shows("pimc would play ");
    printed.shows("\n  card  mean, in tricks\n");
    printed.shows("layouts fit. Chances in per cent:");
    printed.shows("North plays ♠A");
    printed.shows("North takes the trick (North and South 1, East and West 0)");
    printed.shows("  1  N ♠A  E ♠9  S ♠6  W ♠3  North\n  2  N ♠K");
    // All hands, and the values of the cards.
    printed.shows("North and South: ");
    printed.shows("♠ JT9");
    printed.shows("Double dummy North and South take ");
    assert!(
        printed
            .output
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
    // One deal was named, so no other is asked for.
    let more = feed(&mut command, "SA\nSK\nSQ\nH2\nyes\nSA\n");
    more.ended(0);
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
fn a_wrong_line_of_a_script_is_reported_and_the_next_one_read() {
    let mut command = with_north(&["--game", "whist", DEAL, "--trump", "H"]);
    let right = feed(&mut command, "SA\nSK\nSQ\nH2\n");
    right.ended(0);
    let printed = feed(&mut command, "SA\nSA\nSX\n\nSK\nclaim x\nSQ\nH2\n");
    printed.ended(3);
    assert_eq!(printed.output, right.output);
    let errors: Vec<&str> = printed.errors.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    let of = "setrograde: standard input, line";
    assert_eq!(
        errors[0],
        format!("{of} 2: North is to play and does not hold SA")
    );
    assert!(
        errors[1].starts_with(&format!("{of} 3: \"SX\": ")),
        "{errors:?}"
    );
    assert!(errors[2].starts_with(&format!("{of} 6: ")), "{errors:?}");
}

/// 7NT by South, played by a person.
fn grand_slam(deal: &str) -> Command {
    let mut command = setrograde();
    command.args(["play", "--contract", "7NT", deal]);
    command.args(["--players", "simple", "simple", "human", "simple"]);
    command
}

#[test]
fn cards_are_taken_back_and_tricks_claimed() {
    let mut command = with_north(&["--game", "whist", DEAL, "--trump", "H"]);
    let right = feed(&mut command, "SA\nSK\nSQ\nH2\n");
    let printed = feed(&mut command, "SA\nSK\nundo\nSK\nSQ\nH2\n");
    printed.ended(0);
    printed.shows("Taken back: ♠K");
    let end = |output: &str| output[output.find("\n ").expect("a diagram")..].to_owned();
    assert_eq!(end(&printed.output), end(&right.output));
    let printed = feed(&mut command, "Undo\nhints\nSX\nq\n");
    printed.complains("line 1: there is no card of yours to take back");
    printed
        .complains("line 2: \"hints\" is neither a card, as SA, nor a command; `help` lists them");
    printed.complains("line 3: \"SX\": column 2: 'X' is not a rank");
    // At whist no seat sees two hands, so there is nothing to judge.
    let printed = feed(&mut command, "claim\nSA\nSK\nSQ\nH2\n");
    printed.ended(3);
    // A declarer with 13 top tricks.
    let deal = "N:432.5432.432.432 JT98.JT98.JT9.T9 AKQ.AKQ.AKQ.AKQJ 765.76.8765.8765";
    let mut command = grand_slam(deal);
    let printed = feed(&mut command, "claim 14\nclaim 12\n");
    printed.complains("14 tricks are claimed, but only 13 are left");
    printed.shows("The claim of 12 of 13 tricks is good.");
    printed.shows("North and South: 12 tricks, result -50");
    printed.shows("Double dummy 13 tricks: makes; at the table 12: down 1.");
    // The rest goes to the other side, and tricks won earlier count.
    let mut command = grand_slam(deal);
    let printed = feed(&mut command, "C2\nCA\nclaim 10\n");
    printed.shows("The claim of 10 of 12 tricks is good.");
    printed.shows("North and South: 11 tricks, result -100");
    printed.shows("East and West: 2 tricks, result 100");
    // A finesse is none.
    let deal = "N:AQ32.AKQ.AKQ.AKQ JT98.JT98.JT9.JT 765.5432.432.432 K4.76.8765.98765";
    let mut command = grand_slam(deal);
    let printed = feed(&mut command, "claim\nhelp\nq\n");
    printed.ended(130);
    printed.shows("13 tricks are not sure; play on.");
    printed.shows("take back your last card");
}

#[test]
fn conditions_bind_the_hands_of_a_deal() {
    let mut command = setrograde();
    command
        .args(["play", "--game", "whist", "--if", "S.hcp=20-37"])
        .args(["--players", "simple"]);
    let drawn = finish(&mut command);
    drawn.complains("the input ends before South has played");
    let deal = "N:432.5432.432.432 JT98.JT98.JT9.T9 AKQ.AKQ.AKQ.AKQJ 765.76.8765.8765";
    for (limit, fits) in [("S.hcp=37", true), ("S.hcp=0-36", false)] {
        let mut command = grand_slam(deal);
        let printed = feed(command.args(["--if", limit]), "claim\n");
        printed.ended(i32::from(!fits));
        if !fits {
            printed.complains("South's hand in this deal is not S.hcp<=36");
        }
    }
}

#[test]
fn a_claim_waits_for_dummy() {
    let deal = "N:432.5432.432.432 JT98.JT98.JT9.T9 AKQ.AKQ.AKQ.AKQJ 765.76.8765.8765";
    let mut command = setrograde();
    command.args(["play", "--contract", "1NTE", deal]);
    let printed = feed(&mut command, "claim\nq\n");
    printed.ended(130);
    printed.complains("line 1: a claim can be judged once dummy is seen");
}

/// Without a contract that of par is played, and without a player the one at the table is
/// South, or North to play a hand as declarer.
#[test]
fn a_deal_is_played_without_an_option() {
    let hands = "A63.T52.K43.J742 QJ5.AJ986.A75.K5 KT742.K3.T92.AT9 98.Q74.QJ86.Q863";
    let hands: Vec<&str> = hands.split(' ').collect();
    let mut declarers = Vec::new();
    for turn in 0..4 {
        let mut turned = hands.clone();
        turned.rotate_right(turn);
        let deal = format!("N:{}", turned.join(" "));
        let par = run(&["par", "--vulnerable", "none", "--dealer", "N", &deal]).output;
        // As `1H E +1`, or with both declarers.
        let par = par.split('\t').nth(2).expect("contracts");
        let contract: Vec<&str> = par.split([' ', ',']).take(2).collect();
        let printed = feed(setrograde().args(["play", &deal]), "?\n");
        let (bid, declarer) = (contract[0].replace('*', "X"), contract[1]);
        let name = match &declarer[..1] {
            "N" => "North",
            "E" => "East",
            "S" => "South",
            _ => "West",
        };
        printed.shows(&format!(
            "bridge: {bid} by {name}, vulnerable: None, seed 1\n"
        ));
        let person = if name == "North" { "North" } else { "South" };
        // The declarer chooses the cards of dummy, too.
        let dummy = if name == "North" { "South" } else { "North" };
        let asked = [person, dummy].map(|seat| format!("the input ends before {seat} has played"));
        assert!(
            asked.iter().any(|asked| printed.errors.contains(asked)),
            "{printed:?}"
        );
        declarers.push(name);
    }
    assert!(declarers.contains(&"North") && declarers.contains(&"East"));
}

#[test]
fn another_board_is_played_by_its_own_seed() {
    let mut command = with_north(&["--game", "whist", "--seed", "7", "--trump", "H"]);
    let deal = |seed: &str| {
        let mut command = setrograde();
        command.args(["play", "--game", "whist", "--trump", "H", "--seed", seed]);
        finish(command.arg("--players").args(["simple"; 4])).output
    };
    // The cards that `simple` plays for North.
    let cards = |output: &str| {
        let lines = output
            .lines()
            .filter_map(|line| line.strip_prefix("North plays "));
        let cards = lines.map(|card| {
            let suits = [('♠', 'S'), ('♥', 'H'), ('♦', 'D'), ('♣', 'C')];
            let named = |name: char| suits.into_iter().find(|&(symbol, _)| symbol == name);
            card.chars()
                .map(|c| named(c).map_or(c, |(_, letter)| letter))
                .collect()
        });
        cards.collect::<Vec<String>>().join("\n")
    };
    let (one, two) = (deal("7"), deal("8"));
    let script = format!("{}\nmaybe\nyes\n{}\nno\n", cards(&one), cards(&two));
    let printed = feed(&mut command, &script);
    printed.ended(3);
    assert_eq!(printed.output, one + &two);
    printed.complains("line 14: \"maybe\": expected yes or no");
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
    assert!(of(&["--players", "mu", "simple"]).contains("expected one player, or those of North"));
    assert!(of(&["--contract", "8S"]).contains("--contract 8S: column 1"));
    assert!(of(&["--contract", "4S", DEAL]).contains("4 cards a hand"));
    let whist = ["--game", "whist", DEAL];
    let with = |more: &[&'static str]| {
        let mut all = whist.to_vec();
        all.extend(more);
        of(&all)
    };
    let error = with(&["--if", "E.S=5-8,E.hcp=11-15"]);
    assert!(
        error.contains("East's hand in this deal is not E.S=5-8,E.hcp=11-15"),
        "{error}"
    );
    let error = with(&["--if", "E.S=5-8,S=3-2"]);
    assert!(
        error.contains("--if: column 9: a split is between two"),
        "{error}"
    );
    assert!(with(&["--players", "jack"]).contains("there is no player \"jack\""));
    // An option of another game would change nothing.
    assert!(with(&["--contract", "4S"]).ends_with("--contract is not an option of whist"));
    assert!(with(&["--vulnerable", "both"]).ends_with("--vulnerable is not an option of whist"));
    assert!(with(&["--goal", "imps"]).ends_with("--goal is not an option of whist"));
    assert!(
        of(&["--contract", "1S", "--trump", "H"]).ends_with("--trump is not an option of bridge")
    );
    // The command line itself: exit status 2.
    for until in ["NaN", "inf", "-1", "x"] {
        let until = format!("--until={until}");
        let mut arguments = WHIST.to_vec();
        arguments.extend(["mu", "simple", &until]);
        run(&arguments).ended(2);
    }
    let printed = run(&["play", "--game", "whist", "N:A... A... K... Q..."]);
    printed.ended(2);
    for deal in ["N:... ... ... ...", "N:AK... Q... J... T..."] {
        let printed = run(&["play", "--game", "whist", deal]);
        printed.complains("all hands must have the same number of cards, and some");
    }
}

#[test]
fn beliefs_are_counted() {
    let view = "NT W N:AQ4... ? 532... ? out=KJT987... SK";
    let printed = run(&["layouts", view]);
    printed.ended(0);
    assert!(
        printed.output.starts_with(&format!("{view}\t10\n")),
        "{}",
        printed.output
    );
    let printed = run(&["layouts", "--json", "--draw", "3", view]);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(json["layouts"], 10);
    assert_eq!(json["samples"].as_array().map(Vec::len), Some(3));
    let cards = json["cards"].as_array().expect("cards");
    let jack = cards.iter().find(|card| card["card"] == "SJ");
    let chance = jack.expect("it is hidden")["chances"]["W"].as_f64();
    let chance = chance.expect("a chance");
    assert!((chance - 0.4).abs() < 1e-12);
    // One bad view among many.
    let lines = format!("{view}\nNT W N:AX... ? ? ?\n");
    let printed = feed(setrograde().args(["layouts", "-"]), &lines);
    printed.ended(3);
    printed.complains("line 2, column 9: 'X' is not a rank");
    assert!(printed.output.starts_with(view));
    let printed = run(&["layouts", "--if", "E.S>=4", view]);
    printed.ended(3);
    printed.complains("E.S>=4 cannot be met");
}
