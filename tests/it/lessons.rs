//! Scripts of the program dealer, and mixes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use setrograde_cards::{Card, Deal, Hand, Seat, Suit};

use crate::command::{Printed, feed_line, run_line};
use crate::folder::Folder;

/// Runs `deal` with a script.
fn deal(script: &str, options: &str) -> Printed {
    feed_line(&format!("deal --dealer - {options}"), script)
}

fn json(script: &str, options: &str) -> Value {
    let printed = deal(script, &format!("--json {options}"));
    printed.ended(0);
    printed.json()
}

fn deals(of: &Value) -> Vec<Deal> {
    let deals = of["deals"].as_array().expect("a list").iter();
    deals
        .map(|deal| deal.as_str().expect("a text").parse().expect("a deal"))
        .collect()
}

fn points(hand: Hand) -> usize {
    let of = |card: Card| usize::from(card.rank.value().saturating_sub(10));
    hand.iter().map(of).sum()
}

fn length(deal: &Deal, seat: Seat, suit: Suit) -> usize {
    deal.hands()[seat].holding(suit).len()
}

#[test]
fn a_script_says_what_is_dealt_and_printed() {
    let script = "dealer west vulnerable EW produce 3\n\
                  fit = spades(north) + spades(south) > 7\n\
                  condition fit and hcp(north) > 14 // the last word\n\
                  action printpbn, average \"fit\" 100 * fit, frequency (hcp(north), 15, 16)\n";
    let printed = deal(script, "");
    printed.ended(0);
    let boards = printed
        .output
        .matches("[Dealer \"W\"]\n[Vulnerable \"EW\"]");
    assert_eq!(boards.count(), 3);
    printed.complains("fit: 100.0000 ± 0.0000 (3 deals)");
    printed.complains("high");
    // Without a print action, averages alone.
    let averages = "hcp(north)==40-3 action average \"points\" hcp(south)";
    let printed = deal(averages, "50");
    printed.ended(0);
    printed.begins("points: ");
    assert_eq!(printed.output.lines().count(), 1);
    let answer = json(script, "5 --if E.S>=4");
    assert_eq!(answer["statistics"][0]["average"], 100.0);
    for deal in deals(&answer) {
        assert!(points(deal.hand(Seat::North)) > 14, "{deal}");
        assert!(length(&deal, Seat::East, Suit::Spades) > 3, "{deal}");
    }
    let printed = deal("hcp(north)>14 action printoneline", "2");
    assert_eq!(printed.output.lines().count(), 2);
    printed.begins("N:");
}

#[test]
fn faults_of_a_script_name_file_line_and_column() {
    let script = "hcp(north)>14\naction printpbn,\naverage strange(south)";
    let folder = Folder::with("lesson.dlr", script);
    let problem = "the function \"strange\" is not known here";
    folder.run("deal --dealer lesson.dlr").is_refused(
        3,
        &format!("lesson.dlr: --dealer: line 3, column 9: {problem}"),
    );
    folder.run("deal --dealer none.dlr").ended(1);
    let printed = deal("x = 1/(hcp(north)-hcp(north)) condition x", "");
    printed.complains("line 1, column 5: a number is divided by 0");
    let printed = deal("hcp(north)>14 and hcp(north)<10", "");
    printed.complains("N.hcp<=9 cannot be met");
}

/// Deals whose layouts can be listed: each that fits is drawn equally often.
#[test]
fn every_deal_that_fits_is_equally_likely() {
    // East and West share eight cards, of which the tens count ten for the script.
    let script = "predeal north SAKQJ,HAKQJ,DAKQJ,CA south S9876,H9876,D9876,C9 \
                  east ST5,HT5,D5,CKQJT west S432,H432,D432\n\
                  pointcount 0 0 0 0 10 \n\
                  value = hcp(east) + (hascard(east,8C) ? 3 : 0) - top5(east,diamonds)\n\
                  condition value > 21";
    // DT, C8765432 are left: four for East and five for West... counted below.
    let answer = json(script, "4000 --seed 4");
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for deal in deals(&answer) {
        *counts.entry(deal.to_string()).or_default() += 1.0;
    }
    // Independently: which of the nine cards go to East.
    let free = ["DT", "C8", "C7", "C6", "C5", "C4", "C3", "C2"];
    let fits = |chosen: u32| {
        let has = |index: usize| chosen >> index & 1 == 1;
        let tens = 3 + i32::from(has(0));
        let value = 10 * tens + if has(1) { 3 } else { 0 } - i32::from(has(0));
        chosen.count_ones() == 4 && value > 21
    };
    let layouts = (0..1 << free.len()).filter(|&chosen| fits(chosen)).count();
    assert_eq!(counts.len(), layouts);
    let expected = 4000.0 / layouts as f64;
    let off = |n: &f64| (n - expected).powi(2) / expected;
    let chi: f64 = counts.values().map(off).sum();
    let freedom = (layouts - 1) as f64;
    let most = 4.0 * (2.0 * freedom).sqrt();
    assert!((chi - freedom).abs() < most, "{chi} of {freedom}");
}

#[test]
fn a_search_by_a_script_ends_at_its_time_or_number() {
    let begun = Instant::now();
    let never = "hcp(north)>20 and quality(north,spades)*2 > 3000";
    let printed = deal(never, "5 --time 0.3");
    printed.ended(4);
    printed.complains("time ran out: 0 of 5 deals found");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let printed = deal(&format!("generate 100 {never}"), "5");
    printed.ended(4);
    printed.complains("the script's limit is reached: 0 of 5 deals found, 100 tried");
}

/// A deal in which North takes all tricks.
const KNOWN: &str = "N:AKQJT98.AKQ.AK.A 65.J98.QJT.QJT98 432.765.987.6543 7.T432.65432.K72";

#[test]
fn tricks_of_a_script_are_double_dummy() {
    let script =
        "tricks(north,spades) == 13 action average \"score\" score(nv,x7S,tricks(north,spades))";
    let answer = json(script, &format!("1 --hands '{KNOWN}'"));
    assert_eq!(answer["statistics"][0]["average"], 1510.0);
    // Comparisons ask only for what decides them, and agree with the numbers.
    let script = "condition hcp(south)>14 and 3*tricks(south,notrumps) > 20+tricks(south,spades) \
                  action average 3*tricks(south,notrumps)-tricks(south,spades)";
    let answer = json(script, "1");
    let average = answer["statistics"][0]["average"].as_f64();
    assert!(average > Some(20.0), "{answer}");
}

/// As *dealer*: `maxproduce` is 40 only if deals are printed.
#[test]
fn a_script_that_only_counts_takes_all_that_it_generates() {
    let weak = "weak = shape(north, 6xxx - any 0xxx) and hcp(north) >= 5 and hcp(north) <= 11 and \
                hcp(north, spades) >= hcp(north)/2 condition weak generate 20000 \
                action average \"hearts\" hearts(north)";
    let printed = deal(weak, "");
    printed.ended(0);
    let fields: Vec<&str> = printed.output.split_whitespace().collect();
    let ["hearts:", mean, "±", error, deals, "deals)"] = fields[..] else {
        panic!("{}", printed.output)
    };
    // By dealer's own log 2.3254 of 13,251 deals.
    let [mean, error, deals] = [mean, error, deals].map(|text| {
        let digits = text.replace([',', '('], "");
        digits.parse::<f64>().expect("a number")
    });
    assert!((mean - 2.3254).abs() < 4.0 * (error + 0.009), "{mean}");
    assert!((5000.0..20000.0).contains(&deals), "{deals}");
    assert!((0.005..0.02).contains(&error), "{error}");
    let answer = json(weak, "");
    assert_eq!(answer["deals"].as_array().map(Vec::len), Some(0));
    let statistic = &answer["statistics"][0];
    assert_eq!(statistic["deals"].as_f64(), Some(deals));
    assert!((statistic["average"].as_f64().expect("a number") - mean).abs() < 0.0001);
    // Deals are printed: 40, or as many as are asked for.
    for (number, count) in [("", 40), ("7", 7)] {
        let printed = deal(weak, &format!("{number} --format lines"));
        printed.ended(0);
        assert_eq!(printed.output.lines().count(), count);
    }
    let title = deal("produce 10 action frequency (hcp(north),0,40)", "").output;
    assert!(!title.contains(':') && title.lines().count() > 2, "{title}");
}

#[test]
fn a_script_prints_what_its_reports_say() {
    let script =
        "printes(\"a \", hcp(north), \\n), csvrpt(\"b\", south, rnd(0), trix(north)), export(EW)";
    let text = "a 30\n'b',s 432.765.987.6543,1,10,11,13,13,13\n\
                -E S65,HJ98,DQJT,CQJT98 -W S7,HT432,D65432,CK72\n";
    let printed = deal(script, &format!("1 --hands '{KNOWN}'"));
    printed.ended(0);
    let own: Vec<&str> = printed.output.lines().collect();
    let all: Vec<&str> = text.lines().collect();
    assert_eq!((own[0], own[2]), (all[0], all[2]));
    let start = "'b',s 432.765.987.6543,1,";
    assert!(own[1].starts_with(start), "{}", own[1]);
    let answer = json(script, &format!("1 --hands '{KNOWN}'"));
    assert_eq!(answer["reports"][0], printed.output);
    // With deals on standard output, reports are beside them.
    let printed = deal(script, &format!("1 --format lines --hands '{KNOWN}'"));
    assert_eq!(printed.output.lines().count(), 1);
    printed.complains("a 30");
}

#[test]
fn a_mix_has_exact_shares() {
    let mix = "--mix '35 % weak two, 60 % strong, 5 % other'";
    let names = "--name 'weak two=N.hcp=5-10,N.S=6' --name strong=N.hcp>=20";
    let printed = run_line(&format!("deal 100 --json {mix} {names}"));
    printed.ended(0);
    let answer = printed.json();
    let types = answer["types"].as_array().expect("a list").iter();
    let types: Vec<&str> = types.map(|name| name.as_str().expect("a text")).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (deal, name) in deals(&answer).iter().zip(&types) {
        let points = points(deal.hand(Seat::North));
        let spades = length(deal, Seat::North, Suit::Spades);
        let weak = (5..=10).contains(&points) && spades == 6;
        let of = if weak {
            "weak two"
        } else if points >= 20 {
            "strong"
        } else {
            "other"
        };
        assert_eq!(of, *name, "{deal}");
        *counts.entry(of).or_default() += 1;
    }
    let expected = [("other", 5), ("strong", 60), ("weak two", 35)];
    assert_eq!(counts, expected.into());
    // In random order: the first deals are not all of one type.
    assert!(types[..12].iter().any(|name| *name != types[0]));
    let pbn = run_line(&format!("deal 20 {mix} {names}"));
    assert_eq!(pbn.output.matches("[Event \"weak two\"]").count(), 7);
    assert_eq!(pbn.output.matches("[Event \"other\"]").count(), 1);
    // The names of a script, and numbers of boards in order.
    let script =
        "big = hcp(south)>21 long = spades(south)>6 and not big condition shape(north, any 4333)";
    let printed = deal(script, "8 --mix '50 % big, 25 % long, 25 % other'");
    printed.ended(0);
    assert_eq!(printed.output.matches("[Event \"big\"]").count(), 4);
    let lines = printed.output.lines();
    let boards: Vec<&str> = lines.filter(|line| line.starts_with("[Board")).collect();
    assert_eq!(boards.first(), Some(&"[Board \"1\"]"));
    assert_eq!(boards.last(), Some(&"[Board \"8\"]"));
}

#[test]
fn what_is_no_mix_is_refused() {
    let script = "big = hcp(south)>21 condition big";
    for (names, problem) in [
        (
            "--name other=N.S=13",
            "\"other\" is every deal without another name",
        ),
        ("--name a=N.S=5 --name a=N.S=6", "\"a\" is given twice"),
        ("--name big=N.S=5", "\"big\" is a name of the script, too"),
    ] {
        deal(script, &format!("2 --mix '100 % other' {names}")).complains(problem);
    }
    run_line("deal --time 1e300").ended(0);
    run_line("deal --name a=N.S>4").complains("--name needs --mix");
    // All deals of a mix are kept, so a script cannot ask for any number.
    let printed = deal("produce 4000000000", "--mix '100 % other'");
    printed.complains("4000000000 deals are too many for a mix; expected at most 1000000");
}

#[test]
fn a_contract_is_written_and_asked_about() {
    let printed = run_line("deal 2 --contract 3NTS --where unique(lead)");
    printed.ended(0);
    let boards = printed
        .output
        .matches("[Declarer \"S\"]\n[Contract \"3NT\"]");
    assert_eq!(boards.count(), 2);
    let printed = run_line("deal --contract 3NT");
    printed.complains("expected the declarer, too, as in 3NTS");
}
