//! `setrograde tournament`, `play` and `beliefs`.

use std::process::Command;

use crate::command::{
    Printed, are_refused, feed, feed_line, finish, json, run_line, setrograde, words,
};
use crate::folder::Folder;

const WHIST: &str = "tournament --game whist --cards 5 --seed 9 --players";

/// The program with a tournament of whist.
fn whist(players: &str, more: &str) -> Printed {
    run_line(&format!("{WHIST} {players} {more}"))
}

#[test]
fn tournaments_resume_to_the_same_log() {
    let folder = Folder::new();
    let play = |boards: u8, threads: u8, log: &str| {
        let players = "mu:50 simple";
        let options = format!("--boards {boards} --threads {threads} --log {log}");
        folder.run(&format!("{WHIST} {players} {options}"))
    };
    let printed = play(12, 1, "whole");
    printed.ended(0);
    printed.shows("mu:iterations=50");
    let log = folder.read("whole");
    play(5, 2, "part");
    let first = folder.read("part");
    // As a kill might leave it.
    folder.write("part", &first[..first.len() - 40]);
    play(12, 2, "part").ended(0);
    assert_eq!(folder.read("part"), log);
    // As an earlier version wrote it, which did not have all settings.
    let earlier = first.replacen(",\"contract\":null", "", 1);
    folder.write("part", earlier);
    play(12, 2, "part").ended(0);
    // Nothing is overwritten, and other logs are refused.
    play(12, 1, "whole").ended(0);
    assert_eq!(folder.read("whole"), log);
    let other = WHIST.replace("--seed 9", "--seed 10");
    let other = folder.run(&format!("{other} mu:50 simple --log whole"));
    other.is_refused(
        1,
        "it is the log of another tournament: seed is 9 there, 10 here\n",
    );
    assert_eq!(folder.read("whole"), log);
    // A card that was changed afterwards.
    let tricks = log.find("\"tricks\":[").expect("tricks") + 10;
    let mut changed = log;
    let wrong = if &changed[tricks..=tricks] == "1" {
        "2"
    } else {
        "1"
    };
    changed.replace_range(tricks..=tricks, wrong);
    folder.write("part", &changed);
    let printed = play(12, 1, "part");
    printed.complains("the result does not follow from the cards");
    assert_eq!(folder.read("part"), changed);
}

/// Nothing of a damaged log is lost, and nothing is played before it is refused.
#[test]
fn a_damaged_log_is_refused_and_kept() {
    let folder = Folder::new();
    let play = |log: &str| {
        let words = "random simple --boards 6 --threads 1 --log";
        folder.run(&format!("{WHIST} {words} {log}"))
    };
    play("log").ended(0);
    let log = folder.bytes("log");
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
        folder.write("log", &damaged);
        let printed = play("log");
        let left = folder.bytes("log");
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
        folder.write("log", &log[..length]);
        play("log").ended(0);
        assert!(folder.bytes("log") == log, "{length}");
    }
    // A torn end is cut off, with any bytes.
    folder.write("log", [&log[..log.len() - 50], &[0xff; 90]].concat());
    play("log").ended(0);
    assert_eq!(folder.bytes("log"), log);
    #[cfg(unix)]
    play("/dev/zero").complains("not a regular file");
}

#[cfg(unix)]
#[test]
fn programs_that_misbehave() {
    let play = |player: &str, more: &str| {
        let mut command = setrograde();
        command.args(words(WHIST)).args([player, "random"]);
        finish(command.args(words(&format!("--boards 2 {more}"))))
    };
    let printed = play("external:/nonexistent", "");
    printed.is_refused(1, "\"/nonexistent\" cannot be started");
    play("external:cat 'x", "").complains("a quotation mark is not closed");
    // An endless line is a forfeit.
    let printed = play("external:cat /dev/zero", "");
    printed.ended(0);
    printed.complains("forfeits: cat /dev/zero: a line of more than 1024 bytes");
    // The children of a program that is too late end with it.
    let seconds = 1_000 + std::process::id();
    let player = format!("external:sh -c 'sleep {seconds}; true'");
    play(&player, "--time 50").ended(0);
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
    whist("pimc:3 simple --boards 2", "--db data/golden").ended(0);
    let deal = "play --game whist --seed 3 --players pimc:3 pimc:3 pimc:3 pimc:3";
    let plain = run_line(&format!("{deal} --db none"));
    run_line(&format!("{deal} --db data/golden")).prints(&plain.output);
}

#[test]
fn standings_count_contracts_made() {
    let bridge = "tournament --game bridge --contract 1NTS --boards 20 --players simple random";
    let table = run_line(bridge);
    table.ended(0);
    let json = json(bridge);
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
    let line = format!("{WHIST} simple random random --boards 20");
    let json = json(&line);
    assert_eq!(json["pairs"].as_array().map(Vec::len), Some(3));
    let table = run_line(&line).output;
    let rows = table.lines().filter(|line| line.contains(" plays "));
    assert_eq!(rows.count(), 3, "a row for each player");
    assert_eq!(json["pairs"][2]["gain"], 0.0);
    assert_eq!(json["pairs"][0]["boards"], 20);
    // Two equal players are 0 ± 0 apart after the first 16 boards.
    let equal = whist("random random", "--boards 100 --until 0.1 --json");
    equal.ended(0);
    assert_eq!(equal.json()["pairs"][0]["boards"], 16);
}

#[test]
fn programs_play_and_forfeit() {
    let printed = whist("external:cat random", "--boards 1 --json");
    printed.complains("forfeits: cat: ");
    assert_eq!(printed.json()["pairs"][0]["lost"], 1);
    // The first legal card, by sed.
    let first = r#"external:sed -u 's/.*"legal":\["\(..\)".*/\1/'"#;
    let mut command = setrograde();
    command.args(words(WHIST)).args([first, "random"]);
    let printed = finish(command.args(["--boards", "3", "--json"]));
    assert_eq!(printed.errors, "");
    printed.ended(0);
}

#[test]
fn wrong_arguments_get_one_line() {
    are_refused(
        r#"
        1 tournament --game whist --players gib mu => there is no player "gib"; there are random, simple, mu, ismcts, pimc, exact and external:COMMAND
        1 tournament --game whist --players mu:depth=2 mu => mu has no parameter "depth"; it has iterations, c, time
        1 tournament --game whist --players pimc:0 mu => worlds=0 of pimc: expected 1 to 10000
        1 tournament --game whist --players mu simple --contract 4SN => --contract is not an option of whist
        1 tournament --game whist --players mu simple --goal imps => --goal is not an option of whist
        1 tournament --game whist --players mu simple --trump X => --trump X: column 1: "X" is not a strain
        1 tournament --game bridge --cards 7 --players mu mu => --cards 7: expected 13 at bridge
        2 tournament --game whist --players mu simple --until=NaN => --until
        2 tournament --game whist --players mu simple --until=inf => --until
        2 tournament --game whist --players mu simple --until=-1 => --until
        2 tournament --game whist --players mu simple --until=x => --until
        1 play --players mu simple => expected one player, or those of North
        1 play --contract 8S => --contract 8S: column 1
        1 play --contract 4S 'N:AKQ.2.. JT9.3.. 876.4.. 543.5..' => 4 cards a hand
        1 play --contract 1S --trump H => --trump is not an option of bridge
        1 play --game whist 'N:AKQ.2.. JT9.3.. 876.4.. 543.5..' --if E.S=5-8,E.hcp=11-15 => East's hand in this deal is not E.S=5-8,E.hcp=11-15
        1 play --game whist 'N:AKQ.2.. JT9.3.. 876.4.. 543.5..' --if E.S=5-8,S=3-2 => --if: column 9: a split is between two
        1 play --game whist 'N:AKQ.2.. JT9.3.. 876.4.. 543.5..' --players jack => there is no player "jack"
        1 play --game whist --contract 4S => --contract is not an option of whist
        1 play --game whist --vulnerable both => --vulnerable is not an option of whist
        1 play --game whist --goal imps => --goal is not an option of whist
        2 play --game whist 'N:A... A... K... Q...' => SA
        1 play --game whist 'N:... ... ... ...' => all hands must have the same number of cards, and some
        1 play --game whist 'N:AK... Q... J... T...' => all hands must have the same number of cards, and some"#,
    );
}

const DEAL: &str = "N:AKQ.2.. JT9.3.. 876.4.. 543.5..";

/// A deal of whist that North plays against programs that follow simple rules.
fn with_north(deal: &str) -> Command {
    let mut command = setrograde();
    command.args(["play", "--game", "whist", "--trump", "H"]);
    command.args(words(deal));
    command.args(["--players", "human", "simple", "simple", "simple"]);
    command
}

/// A script with which North plays [`DEAL`].
fn north(script: &str) -> Printed {
    feed(&mut with_north(&format!("'{DEAL}'")), script)
}

#[test]
fn a_script_plays_a_deal() {
    let printed = north("?\nchances\nSA\nSK\n\n# low\nSQ\ntricks\nH2\n");
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
    printed.fits_a_terminal();
    // One deal was named, so no other is asked for.
    north("SA\nSK\nSQ\nH2\nyes\nSA\n").ended(0);
    north("SA\n").complains("the input ends before North has played");
    let printed = north(&"S".repeat(1 << 20));
    printed.ended(1);
    let long = "setrograde: standard input: a line is longer than 1024 bytes\n";
    assert_eq!(printed.errors, long);
}

#[test]
fn a_wrong_line_of_a_script_is_reported_and_the_next_one_read() {
    let right = north("SA\nSK\nSQ\nH2\n");
    right.ended(0);
    let printed = north("SA\nSA\nSX\n\nSK\nclaim x\nSQ\nH2\n");
    printed.ended(3);
    assert_eq!(printed.output, right.output);
    printed.complains_by_line(&[
        "setrograde: standard input, line 2: North is to play and does not hold SA",
        "setrograde: standard input, line 3: \"SX\": ",
        "setrograde: standard input, line 6: ",
    ]);
}

/// A deal in which South has 13 top tricks.
const TOP: &str = "N:432.5432.432.432 JT98.JT98.JT9.T9 AKQ.AKQ.AKQ.AKQJ 765.76.8765.8765";

/// A script with which South plays a deal in 7NT.
fn grand_slam(deal: &str, options: &str, script: &str) -> Printed {
    let players = "--players simple simple human simple";
    let line = format!("play --contract 7NT '{deal}' {players} {options}");
    feed_line(&line, script)
}

#[test]
fn cards_are_taken_back_and_tricks_claimed() {
    let right = north("SA\nSK\nSQ\nH2\n");
    let printed = north("SA\nSK\nundo\nSK\nSQ\nH2\n");
    printed.ended(0);
    printed.shows("Taken back: ♠K");
    let end = |output: &str| output[output.find("\n ").expect("a diagram")..].to_owned();
    assert_eq!(end(&printed.output), end(&right.output));
    let printed = north("Undo\nhints\nSX\nq\n");
    printed.complains("line 1: there is no card of yours to take back");
    printed
        .complains("line 2: \"hints\" is neither a card, as SA, nor a command; `help` lists them");
    printed.complains("line 3: \"SX\": column 2: 'X' is not a rank");
    // At whist no seat sees two hands, so there is nothing to judge.
    north("claim\nSA\nSK\nSQ\nH2\n").ended(3);
    let printed = grand_slam(TOP, "", "claim 14\nclaim 12\n");
    printed.complains("14 tricks are claimed, but only 13 are left");
    printed.shows("The claim of 12 of 13 tricks is good.");
    printed.shows("North and South: 12 tricks, result -50");
    printed.shows("Double dummy 13 tricks: makes; at the table 12: down 1.");
    // The rest goes to the other side, and tricks won earlier count.
    let printed = grand_slam(TOP, "", "C2\nCA\nclaim 10\n");
    printed.shows("The claim of 10 of 12 tricks is good.");
    printed.shows("North and South: 11 tricks, result -100");
    printed.shows("East and West: 2 tricks, result 100");
    // A finesse is none.
    let deal = "N:AQ32.AKQ.AKQ.AKQ JT98.JT98.JT9.JT 765.5432.432.432 K4.76.8765.98765";
    let printed = grand_slam(deal, "", "claim\nhelp\nq\n");
    printed.ended(130);
    printed.shows("13 tricks are not sure; play on.");
    printed.shows("take back your last card");
}

#[test]
fn conditions_bind_the_hands_of_a_deal() {
    let drawn = run_line("play --game whist --if S.hcp=20-37 --players simple");
    drawn.complains("the input ends before South has played");
    grand_slam(TOP, "--if S.hcp=37", "claim\n").ended(0);
    let printed = grand_slam(TOP, "--if S.hcp=0-36", "claim\n");
    printed.ended(1);
    printed.complains("South's hand in this deal is not S.hcp<=36");
}

#[test]
fn a_claim_waits_for_dummy() {
    let line = format!("play --contract 1NTE '{TOP}'");
    let printed = feed_line(&line, "claim\nq\n");
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
        let par = run_line(&format!("par --vulnerable none --dealer N '{deal}'")).output;
        // As `1H E +1`, or with both declarers.
        let par = par.split('\t').nth(2).expect("contracts");
        let contract: Vec<&str> = par.split([' ', ',']).take(2).collect();
        let printed = feed_line(&format!("play '{deal}'"), "?\n");
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
    let deal = |seed: u8| {
        let options = format!("--game whist --trump H --seed {seed}");
        run_line(&format!(
            "play {options} --players simple simple simple simple"
        ))
        .output
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
    let (one, two) = (deal(7), deal(8));
    let script = format!("{}\nmaybe\nyes\n{}\nno\n", cards(&one), cards(&two));
    let printed = feed(&mut with_north("--seed 7"), &script);
    printed.ended(3);
    assert_eq!(printed.output, one + &two);
    printed.complains("line 14: \"maybe\": expected yes or no");
}

#[test]
fn beliefs_are_counted() {
    let view = "NT W N:AQ4... ? 532... ? out=KJT987... SK";
    let printed = run_line(&format!("layouts '{view}'"));
    printed.ended(0);
    printed.begins(&format!("{view}\t10\n"));
    let json = json(&format!("layouts --draw 3 '{view}'"));
    assert_eq!(json["layouts"], 10);
    assert_eq!(json["samples"].as_array().map(Vec::len), Some(3));
    let cards = json["cards"].as_array().expect("cards");
    let jack = cards.iter().find(|card| card["card"] == "SJ");
    let chance = jack.expect("it is hidden")["chances"]["W"].as_f64();
    let chance = chance.expect("a chance");
    assert!((chance - 0.4).abs() < 1e-12);
    // One bad view among many.
    let lines = format!("{view}\nNT W N:AX... ? ? ?\n");
    let printed = feed_line("layouts -", &lines);
    printed.ended(3);
    printed.complains("line 2, column 9: 'X' is not a rank");
    assert!(printed.output.starts_with(view));
    let never = run_line(&format!("layouts --if E.S>=4 '{view}'"));
    never.is_refused(3, "E.S>=4 cannot be met");
}
