//! `odds` prints the chance of each number of tricks, exact if there are few layouts: what it counts
//! with a database, it finds without one, too.

use crate::command::{feed, finish, json, run, setrograde};
use crate::database::twelve_cards;

#[test]
fn the_command_prints_counts() {
    let question = "NT S N:AQ4... - 532... - hidden=KJT987...";
    let command = |more: &[&str]| {
        let mut command = setrograde();
        command
            .args(["odds", "--db"])
            .arg(twelve_cards())
            .args(more);
        finish(&mut command)
    };
    let printed = command(&[question]);
    assert_eq!(printed.status, Some(0), "{}", printed.errors);
    printed.shows("Tricks of North and South, all hands seen, in 20 layouts");
    printed.shows("       1        9   45.0 %   100.0 %");
    let mut stream = setrograde();
    stream.args(["odds", "--db"]).arg(twelve_cards()).arg("-");
    let line = feed(&mut stream, &format!("{question}\n")).output;
    assert!(
        line.contains("\tside=NS layouts=20 counts=0,9,11,0 mean=1.5500\n"),
        "{line}"
    );
    let printed = command(&["--json", "--all", "--by-split", question]);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(json["layouts"], 20);
    let sum: u64 = json["counts"]
        .as_array()
        .expect("counts")
        .iter()
        .filter_map(|n| n.as_u64())
        .sum();
    assert_eq!(sum, 20);
    assert!(json["cards"][0]["mean"].is_number(), "{json}");
    let printed = command(&["--all", "--by-split", question]);
    printed.shows("  ♠2         20  ");
    let printed = command(&["--by-split", "S N N:AQ4... ? 32.A.. ? out=KJT.98.5."]);
    printed.shows("  ♠ 1-2          9  ");
    let printed = command(&["NT S N:AQ43.. - 5432.. - hidden=KJT98765..."]);
    assert_eq!(printed.status, Some(3), "{}", printed.errors);
}

/// Without a database, too: if there are no more layouts than would be drawn, all are solved.
#[test]
fn few_layouts_are_all_solved() {
    let question = "NT S N:AQ4... ? 532... ? out=KJT987...";
    let none = ["odds", "--db", "none", "--all", "--by-split"];
    let counted = json(&["odds", "--all", "--by-split", question]);
    let cards = counted["cards"].as_array().expect("cards").iter();
    let cards: Vec<_> = cards.filter_map(|of| of["card"].as_str()).collect();
    assert_eq!(cards, ["S5", "S3", "S2"]);
    assert_eq!(counted["mean"], 1.55);
    for more in [
        &[][..],
        &["--draw", "20"],
        &["--draw", "1000"],
        &["--until", "10%"],
    ] {
        assert_eq!(
            json(&[&none[..], more, &[question]].concat()),
            counted,
            "{more:?}"
        );
    }
    let drawn = json(&["odds", "--db", "none", "--draw", "19", question]);
    assert_eq!(
        (&drawn["layouts"], &drawn["drawn_of"]),
        (&19.into(), &20.into())
    );
    let printed = run(&["odds", "--db", "none", question]);
    printed.shows("Tricks of North and South, all hands seen, in 20 layouts");
    let printed = run(&["layouts", "--draw", "50", question]);
    let mut layouts: Vec<&str> = printed
        .output
        .lines()
        .filter(|line| line.starts_with("N:"))
        .collect();
    layouts.sort_unstable();
    layouts.dedup();
    assert_eq!(layouts.len(), 20);
    // Twelve of East's cards are known, and fourteen layouts are left.
    let known = "E+ST98,E+HJT98,E+DJT9,E+CAK";
    let hands = "AKQ2.K43.Q52.T98 J54.AQ2.AK43.432";
    let printed = run(&["compare", "3NT,1NT", "--if", known, hands]);
    printed.shows("  all 14 layouts\n  Scores, matchpoints and IMPs of North and South\n");
    let compared = json(&["compare", "3NT,1NT", "--if", known, hands]);
    assert_eq!(compared["layouts"], 14);
    let contract = &compared["contracts"][0];
    assert_eq!(
        contract["makes_interval"],
        serde_json::json!([contract["makes"], contract["makes"]])
    );
    assert_eq!(
        (&contract["layouts"], &contract["score_half_width"]),
        (&14.into(), &0.0.into())
    );
    let lead = "T983.JT985.JT9.A";
    let known = "N+SAKQ2,N+HK43,N+DQ52,N+CT98,S+SJ54,S+HAQ2,S+DAK43,S.C>=2";
    let printed = run(&["leads", "3NT", "--if", known, lead]);
    printed.shows("  all ");
    printed.shows("  lead   tricks   defeats\n");
    let leads = json(&["leads", "3NT", "--if", known, lead]);
    assert!(
        leads["drawn_of"].is_null() && leads["layouts"].as_u64() <= Some(1000),
        "{leads}"
    );
}

/// West has led the eight, which a rule of thumb takes for a sign of length: counts are those
/// of layouts, chances lean.
#[test]
fn layouts_are_weighted_by_the_cards_played() {
    let question = "NT W N:AQ.2.. ? 53.3.. ? out=KJT98.Q.. S8";
    let of = |rules: &str| json(&["odds", "--rules", rules, question]);
    let (none, fitted) = (of("none"), of("fitted"));
    assert_eq!(none, json(&["odds", question]));
    assert_eq!(none["counts"], fitted["counts"]);
    let sum = |answer: &serde_json::Value| -> f64 {
        let chances = answer["chances"].as_array().expect("chances");
        chances.iter().filter_map(|chance| chance.as_f64()).sum()
    };
    assert!((sum(&fitted) - 1.0).abs() < 1e-9);
    let cards = json(&["layouts", "--rules", "fitted", question]);
    let plain = json(&["layouts", question]);
    assert_ne!(cards["cards"], plain["cards"]);
    assert_eq!(cards["layouts"], plain["layouts"]);
}
