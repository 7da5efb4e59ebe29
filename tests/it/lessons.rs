//! Scripts of the program dealer, and mixes.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;
use setrograde_cards::{Deal, Hand, Seat, Suit};

use crate::command::{Printed, feed, run, setrograde};

/// Runs `deal` with a script.
fn deal(script: &str, more: &[&str]) -> Printed {
    let arguments = [&["deal", "--dealer", "-"], more].concat();
    feed(setrograde().args(arguments), script)
}

fn json(script: &str, more: &[&str]) -> Value {
    let printed = deal(script, &[&["--json"], more].concat());
    printed.ended(0);
    serde_json::from_str(&printed.output).expect("JSON")
}

fn deals(of: &Value) -> Vec<Deal> {
    let deals = of["deals"].as_array().expect("a list").iter();
    deals
        .map(|deal| deal.as_str().expect("a text").parse().expect("a deal"))
        .collect()
}

fn points(hand: Hand) -> usize {
    let of = |card: setrograde_cards::Card| usize::from(card.rank.value().saturating_sub(10));
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
    let printed = deal(script, &[]);
    printed.ended(0);
    assert_eq!(
        printed
            .output
            .matches("[Dealer \"W\"]\n[Vulnerable \"EW\"]")
            .count(),
        3
    );
    printed.complains("fit: 100.0000 ± 0.0000 (3 deals)");
    printed.complains("high");
    // Without a print action, averages alone.
    let printed = deal(
        "hcp(north)==40-3 action average \"points\" hcp(south)",
        &["50"],
    );
    printed.ended(0);
    assert!(printed.output.starts_with("points: "), "{}", printed.output);
    assert_eq!(printed.output.lines().count(), 1);
    let answer = json(script, &["5", "--if", "E.S>=4"]);
    assert_eq!(answer["statistics"][0]["average"], 100.0);
    for deal in deals(&answer) {
        assert!(
            points(deal.hands()[Seat::North]) > 14 && length(&deal, Seat::East, Suit::Spades) > 3
        );
    }
    let lines = deal("hcp(north)>14 action printoneline", &["2"]).output;
    assert!(
        lines.lines().count() == 2 && lines.starts_with("N:"),
        "{lines}"
    );
}

#[test]
fn faults_of_a_script_name_file_line_and_column() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("lesson.dlr");
    fs::write(
        &path,
        "hcp(north)>14\naction printpbn,\naverage strange(south)",
    )
    .expect("written");
    let printed = run(&["deal", "--dealer", path.to_str().expect("UTF-8")]);
    printed.ended(3);
    printed.complains(
        "lesson.dlr: --dealer: line 3, column 9: the function \"strange\" is not known here",
    );
    let missing = directory.path().join("none.dlr");
    run(&["deal", "--dealer", missing.to_str().expect("UTF-8")]).ended(1);
    let printed = deal("x = 1/(hcp(north)-hcp(north)) condition x", &[]);
    printed.complains("line 1, column 5: a number is divided by 0");
    let printed = deal("hcp(north)>14 and hcp(north)<10", &[]);
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
    let answer = json(script, &["4000", "--seed", "4"]);
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for deal in deals(&answer) {
        *counts.entry(deal.to_string()).or_default() += 1.0;
    }
    // Independently: which of the nine cards go to East.
    let free: Vec<setrograde_cards::Card> = "DT C8 C7 C6 C5 C4 C3 C2"
        .split(' ')
        .map(|card| card.parse().expect("a card"))
        .collect();
    let fits = |chosen: u32| {
        let has = |index: usize| chosen >> index & 1 == 1;
        let tens = 3 + i32::from(has(0));
        let value = 10 * tens + if has(1) { 3 } else { 0 } - i32::from(has(0));
        chosen.count_ones() == 4 && value > 21
    };
    let layouts = (0..1_u32 << free.len())
        .filter(|&chosen| fits(chosen))
        .count();
    assert_eq!(counts.len(), layouts);
    let expected = 4000.0 / layouts as f64;
    let chi: f64 = counts
        .values()
        .map(|n| (n - expected).powi(2) / expected)
        .sum();
    let freedom = (layouts - 1) as f64;
    assert!(
        (chi - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(),
        "{chi} of {freedom}"
    );
}

#[test]
fn a_search_by_a_script_ends_at_its_time_or_number() {
    let begun = Instant::now();
    let never = "hcp(north)>20 and quality(north,spades)*2 > 3000";
    let printed = deal(never, &["5", "--time", "0.3"]);
    printed.ended(4);
    printed.complains("time ran out: 0 of 5 deals found");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let printed = deal(&format!("generate 100 {never}"), &["5"]);
    printed.ended(4);
    printed.complains("the script's limit is reached: 0 of 5 deals found, 100 tried");
}

#[test]
fn tricks_of_a_script_are_double_dummy() {
    let known = "N:AKQJT98.AKQ.AK.A 65.J98.QJT.QJT98 432.765.987.6543 7.T432.65432.K72";
    let script =
        "tricks(north,spades) == 13 action average \"score\" score(nv,x7S,tricks(north,spades))";
    let answer = json(script, &["1", "--hands", known]);
    assert_eq!(answer["statistics"][0]["average"], 1510.0);
    // Comparisons ask only for what decides them, and agree with the numbers.
    let script = "condition hcp(south)>14 and 3*tricks(south,notrumps) > 20+tricks(south,spades) \
                  action average 3*tricks(south,notrumps)-tricks(south,spades)";
    let answer = json(script, &["1"]);
    let average = answer["statistics"][0]["average"].as_f64();
    assert!(average > Some(20.0), "{answer}");
}

/// As *dealer*: `maxproduce` is 40 only if deals are printed.
#[test]
fn a_script_that_only_counts_takes_all_that_it_generates() {
    let weak = "weak = shape(north, 6xxx - any 0xxx) and hcp(north) >= 5 and hcp(north) <= 11 and \
                hcp(north, spades) >= hcp(north)/2 condition weak generate 20000 \
                action average \"hearts\" hearts(north)";
    let printed = deal(weak, &[]);
    printed.ended(0);
    let fields: Vec<&str> = printed.output.split_whitespace().collect();
    let ["hearts:", mean, "±", error, deals, "deals)"] = fields[..] else {
        panic!("{}", printed.output)
    };
    let number = |text: &str| {
        text.replace([',', '('], "")
            .parse::<f64>()
            .expect("a number")
    };
    // By dealer's own log 2.3254 of 13,251 deals.
    let (mean, error, deals) = (number(mean), number(error), number(deals));
    assert!((mean - 2.3254).abs() < 4.0 * (error + 0.009), "{mean}");
    assert!(
        (5000.0..20000.0).contains(&deals) && (0.005..0.02).contains(&error),
        "{error}"
    );
    let answer = json(weak, &[]);
    assert_eq!(answer["deals"].as_array().map(Vec::len), Some(0));
    let statistic = &answer["statistics"][0];
    assert_eq!(statistic["deals"].as_f64(), Some(deals));
    assert!((statistic["average"].as_f64().expect("a number") - mean).abs() < 0.0001);
    // Deals are printed: 40, or as many as are asked for.
    for (more, count) in [(&[][..], 40), (&["7"], 7)] {
        let printed = deal(weak, &[more, &["--format", "lines"]].concat());
        printed.ended(0);
        assert_eq!(printed.output.lines().count(), count);
    }
    let title = deal("produce 10 action frequency (hcp(north),0,40)", &[]).output;
    assert!(!title.contains(':') && title.lines().count() > 2, "{title}");
}

#[test]
fn a_script_prints_what_its_reports_say() {
    let known = "N:AKQJT98.AKQ.AK.A 65.J98.QJT.QJT98 432.765.987.6543 7.T432.65432.K72";
    let script =
        "printes(\"a \", hcp(north), \\n), csvrpt(\"b\", south, rnd(0), trix(north)), export(EW)";
    let text = "a 30\n'b',s 432.765.987.6543,1,10,11,13,13,13\n\
                -E S65,HJ98,DQJT,CQJT98 -W S7,HT432,D65432,CK72\n";
    let printed = deal(script, &["1", "--hands", known]);
    printed.ended(0);
    let own: Vec<&str> = printed.output.lines().collect();
    let all: Vec<&str> = text.lines().collect();
    assert_eq!((own[0], own[2]), (all[0], all[2]));
    assert!(
        own[1].starts_with("'b',s 432.765.987.6543,1,"),
        "{}",
        own[1]
    );
    let answer = json(script, &["1", "--hands", known]);
    assert_eq!(answer["reports"][0], printed.output);
    // With deals on standard output, reports are beside them.
    let printed = deal(script, &["1", "--hands", known, "--format", "lines"]);
    assert_eq!(printed.output.lines().count(), 1);
    printed.complains("a 30");
}

#[test]
fn a_mix_has_exact_shares() {
    let names = [
        "--name",
        "weak two=N.hcp=5-10,N.S=6",
        "--name",
        "strong=N.hcp>=20",
    ];
    let shares = "35 % weak two, 60 % strong, 5 % other";
    let arguments = [&["deal", "100", "--json", "--mix", shares][..], &names].concat();
    let printed = run(&arguments);
    printed.ended(0);
    let answer: Value = serde_json::from_str(&printed.output).expect("JSON");
    let types: Vec<&str> = answer["types"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|name| name.as_str().expect("a text"))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (deal, name) in deals(&answer).iter().zip(&types) {
        let north = deal.hands()[Seat::North];
        let weak =
            (5..=10).contains(&points(north)) && length(deal, Seat::North, Suit::Spades) == 6;
        let of = if weak {
            "weak two"
        } else if points(north) >= 20 {
            "strong"
        } else {
            "other"
        };
        assert_eq!(of, *name, "{deal}");
        *counts.entry(of).or_default() += 1;
    }
    assert_eq!(
        counts,
        [("other", 5), ("strong", 60), ("weak two", 35)].into()
    );
    // In random order: the first deals are not all of one type.
    assert!(types[..12].iter().any(|name| *name != types[0]));
    let pbn = run(&[&["deal", "20", "--mix", shares][..], &names].concat());
    assert_eq!(pbn.output.matches("[Event \"weak two\"]").count(), 7);
    assert_eq!(pbn.output.matches("[Event \"other\"]").count(), 1);
    // The names of a script, and numbers of boards in order.
    let script =
        "big = hcp(south)>21 long = spades(south)>6 and not big condition shape(north, any 4333)";
    let printed = deal(script, &["8", "--mix", "50 % big, 25 % long, 25 % other"]);
    printed.ended(0);
    assert_eq!(printed.output.matches("[Event \"big\"]").count(), 4);
    let boards: Vec<&str> = printed
        .output
        .lines()
        .filter(|line| line.starts_with("[Board"))
        .collect();
    assert_eq!(boards.first(), Some(&"[Board \"1\"]"));
    assert_eq!(boards.last(), Some(&"[Board \"8\"]"));
    for (names, problem) in [
        (
            &["other=N.S=13"][..],
            "\"other\" is every deal without another name",
        ),
        (&["a=N.S=5", "a=N.S=6"], "\"a\" is given twice"),
        (&["big=N.S=5"], "\"big\" is a name of the script, too"),
    ] {
        let names = names.iter().flat_map(|name| ["--name", name]);
        let mix = ["2", "--mix", "100 % other"].into_iter().chain(names);
        deal(
            "big = hcp(south)>21 condition big",
            &mix.collect::<Vec<_>>(),
        )
        .complains(problem);
    }
    run(&["deal", "--time", "1e300"]).ended(0);
    let printed = run(&["deal", "--name", "a=N.S>4"]);
    printed.complains("--name needs --mix");
    // All deals of a mix are kept, so a script cannot ask for any number.
    let printed = deal("produce 4000000000", &["--mix", "100 % other"]);
    printed.complains("4000000000 deals are too many for a mix; expected at most 1000000");
}

#[test]
fn a_contract_is_written_and_asked_about() {
    let printed = run(&["deal", "2", "--contract", "3NTS", "--where", "unique(lead)"]);
    printed.ended(0);
    assert_eq!(
        printed
            .output
            .matches("[Declarer \"S\"]\n[Contract \"3NT\"]")
            .count(),
        2
    );
    run(&["deal", "--contract", "3NT"]).complains("expected the declarer, too, as in 3NTS");
}
