//! `odds` prints the chance of each number of tricks, exact if there are few layouts: what it counts
//! with a database, it finds without one, too.

use serde_json::{Value, json as object};

use crate::command::{feed, json, on, run_line, run_on};
use crate::database::twelve_cards;

#[test]
fn the_command_prints_counts() {
    let question = "NT S N:AQ4... - 532... - hidden=KJT987...";
    let ask = |options: &str| run_on(twelve_cards(), &format!("odds {options} '{question}'"));
    let printed = ask("");
    printed.ended(0);
    printed.shows("Tricks of North and South, all hands seen, in 20 layouts");
    printed.shows("       1        9   45.0 %   100.0 %");
    let mut stream = on(twelve_cards(), "odds -");
    let line = feed(&mut stream, &format!("{question}\n"));
    line.shows("\tside=NS layouts=20 counts=0,9,11,0 mean=1.5500\n");
    let json = ask("--json --all --by-split").json();
    assert_eq!(json["layouts"], 20);
    let counts = json["counts"].as_array().expect("counts").iter();
    assert_eq!(counts.filter_map(Value::as_u64).sum::<u64>(), 20);
    assert!(json["cards"][0]["mean"].is_number(), "{json}");
    ask("--all --by-split").shows("  ♠2         20  ");
    let other = "odds --by-split 'S N N:AQ4... ? 32.A.. ? out=KJT.98.5.'";
    run_on(twelve_cards(), other).shows("  ♠ 1-2          9  ");
    let deep = "odds 'NT S N:AQ43.. - 5432.. - hidden=KJT98765...'";
    run_on(twelve_cards(), deep).ended(3);
}

/// Without a database, too: if there are no more layouts than would be drawn, all are solved.
#[test]
fn few_layouts_are_all_solved() {
    let question = "NT S N:AQ4... ? 532... ? out=KJT987...";
    let counted = json(&format!("odds --all --by-split '{question}'"));
    let cards = counted["cards"].as_array().expect("cards").iter();
    let cards: Vec<_> = cards.filter_map(|of| of["card"].as_str()).collect();
    assert_eq!(cards, ["S5", "S3", "S2"]);
    assert_eq!(counted["mean"], 1.55);
    for more in ["", "--draw 20", "--draw 1000", "--until 10%"] {
        let line = format!("odds --db none --all --by-split {more} '{question}'");
        assert_eq!(json(&line), counted, "{more}");
    }
    let drawn = json(&format!("odds --db none --draw 19 '{question}'"));
    assert_eq!(drawn["layouts"], 19);
    assert_eq!(drawn["drawn_of"], 20);
    let printed = run_line(&format!("odds --db none '{question}'"));
    printed.shows("Tricks of North and South, all hands seen, in 20 layouts");
    let printed = run_line(&format!("layouts --draw 50 '{question}'"));
    let lines = printed.output.lines();
    let mut layouts: Vec<&str> = lines.filter(|line| line.starts_with("N:")).collect();
    layouts.sort_unstable();
    layouts.dedup();
    assert_eq!(layouts.len(), 20);
    // Twelve of East's cards are known, and fourteen layouts are left.
    let known = "E+ST98,E+HJT98,E+DJT9,E+CAK";
    let line = format!("compare 3NT,1NT --if {known} 'AKQ2.K43.Q52.T98 J54.AQ2.AK43.432'");
    let expected = "  all 14 layouts\n  Scores, matchpoints and IMPs of North and South\n";
    run_line(&line).shows(expected);
    let compared = json(&line);
    assert_eq!(compared["layouts"], 14);
    let contract = &compared["contracts"][0];
    let makes = &contract["makes"];
    assert_eq!(contract["makes_interval"], object!([makes, makes]));
    assert_eq!(contract["layouts"], 14);
    assert_eq!(contract["score_half_width"], 0.0);
    let known = "N+SAKQ2,N+HK43,N+DQ52,N+CT98,S+SJ54,S+HAQ2,S+DAK43,S.C>=2";
    let line = format!("leads 3NT --if {known} T983.JT985.JT9.A");
    let printed = run_line(&line);
    printed.shows("  all ");
    printed.shows("  lead   tricks   defeats\n");
    let leads = json(&line);
    assert!(leads["drawn_of"].is_null(), "{leads}");
    assert!(leads["layouts"].as_u64() <= Some(1000), "{leads}");
}

/// West has led the eight, which a rule of thumb takes for a sign of length: counts are those
/// of layouts, chances lean.
#[test]
fn layouts_are_weighted_by_the_cards_played() {
    let question = "NT W N:AQ.2.. ? 53.3.. ? out=KJT98.Q.. S8";
    let of = |rules: &str| json(&format!("odds --rules {rules} '{question}'"));
    let (none, fitted) = (of("none"), of("fitted"));
    assert_eq!(none, json(&format!("odds '{question}'")));
    assert_eq!(none["counts"], fitted["counts"]);
    let chances = fitted["chances"].as_array().expect("chances").iter();
    let sum: f64 = chances.filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let cards = json(&format!("layouts --rules fitted '{question}'"));
    let plain = json(&format!("layouts '{question}'"));
    assert_ne!(cards["cards"], plain["cards"]);
    assert_eq!(cards["layouts"], plain["layouts"]);
}
