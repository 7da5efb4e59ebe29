//! `layouts`, `odds`, `leads` and `compare` draw the same layouts from the same seed, whatever the
//! number of threads, so that each number can be found again by solving them one by one.

use crate::command::{finish, json, run, setrograde};

/// The layouts that `layouts` prints are those that `odds` draws: solved one by one by
/// `solve`, they have the same numbers, for each lead and for each contract.
#[test]
fn leads_and_contracts_of_the_layouts_drawn() {
    let draw = ["--seed", "7", "--if", "N.hcp=15-17"];
    let lead = "NT W W:AQ732.K5.J83.T92 ? ? ?";
    let drawn = json(&[&["layouts", "--draw", "6"], &draw[..], &[lead]].concat());
    let layouts = drawn["samples"].as_array().expect("layouts");
    assert_eq!(layouts.len(), 6);
    let hand = "AQ732.K5.J83.T92";
    let leads = json(&[&["leads", "3NT", "--draw", "6"], &draw[..], &[hand]].concat());
    let mut tricks = std::collections::BTreeMap::new();
    for layout in layouts {
        let layout = layout.as_str().expect("a deal");
        let solved = json(&["solve", "--all", &format!("NT W {layout}")]);
        for of in solved["cards"].as_array().expect("cards") {
            let equals = of["equals"].as_array().expect("cards").iter();
            for card in equals.chain([&of["card"]]) {
                let card = card.as_str().expect("a card").to_owned();
                let sum: &mut u64 = tricks.entry(card).or_default();
                *sum += of["tricks"].as_u64().expect("tricks");
            }
        }
    }
    let cards = leads["cards"].as_array().expect("cards");
    assert_eq!((cards.len(), tricks.len()), (13, 13));
    for card in cards {
        let sum = tricks[card["card"].as_str().expect("a card")];
        let mean = card["mean"].as_f64().expect("a mean");
        assert!((mean - sum as f64 / 6.0).abs() < 1e-9, "{card}");
    }
    // The first card defeats it as often as any.
    let defeats = |card: &serde_json::Value| -> f64 {
        let chances = card["chances"].as_array().expect("chances");
        chances
            .iter()
            .skip(5)
            .filter_map(|chance| chance.as_f64())
            .sum()
    };
    assert!(
        cards
            .iter()
            .all(|card| defeats(card) <= defeats(&cards[0]) + 1e-9)
    );

    let hands = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let options = ["--draw", "6", "--vulnerable", "NS", "--seed", "3"];
    let two = "AK5.KJ42.Q73.A64 QJT92.A3.K64.852";
    let contracts = json(&[&["compare", "3NT,4SS"], &options[..], &[two]].concat());
    let written = [&["compare", "3NTN,4SS"], &options[..], &[hands]].concat();
    assert_eq!(contracts["contracts"], json(&written)["contracts"]);
    assert_eq!(contracts["side"], "NS");
    let drawn = json(&["layouts", "--draw", "6", "--seed", "3", hands]);
    let layouts = drawn["samples"].as_array().expect("layouts");
    let (mut sum, mut points) = (0.0, 0.0);
    for layout in layouts {
        let table = json(&["table", layout.as_str().expect("a deal")]);
        let of = |strain: &str, seat: &str| table["tricks"][strain][seat].as_i64().expect("tricks");
        let made = |tricks: i64, needed: i64, base: i64, each: i64| match tricks - needed {
            over if over < 0 => 100 * over,
            over => base + each * over,
        };
        let (game, major) = (
            made(of("NT", "N"), 9, 600, 30),
            made(of("S", "S"), 10, 620, 30),
        );
        sum += game as f64 / 6.0;
        points += f64::from(u8::from(game > major)) + f64::from(u8::from(game == major)) / 2.0;
    }
    let first = &contracts["contracts"][0];
    assert_eq!(first["contract"], "3NTN");
    assert!(
        (first["score"].as_f64().expect("a score") - sum).abs() < 1e-9,
        "{contracts}"
    );
    let matchpoints = first["matchpoints"].as_f64().expect("a share");
    assert!((matchpoints - points / 6.0).abs() < 1e-9, "{contracts}");
}

/// The answer for a number of threads, with and without a limit on the drawing.
#[test]
fn what_is_drawn_does_not_depend_on_threads() {
    let question = "NT W W:AQ732.K5.J83.T92 ? ? ?";
    let of = |threads: &str| json(&["odds", "--until", "20%", "-j", threads, question]);
    let one = of("1");
    assert_eq!(one, of("3"));
    assert_eq!(one, json(&["odds", "--until", "0.2", question]));
    // The least number at which a chance of one half is known to 20 %.
    assert_eq!(one["layouts"], 64);
}

/// With one contract there is nothing to compare.
#[test]
fn one_contract_has_no_matchpoints() {
    let hands = "AKQ2.K43.Q52.T98 J54.AQ2.AK43.432";
    let printed = run(&["compare", "3NT", "--draw", "5", hands]);
    printed.shows("Scores of North and South; nothing to compare with");
    assert!(
        !printed.output.contains("matchpoints"),
        "{}",
        printed.output
    );
    let contract = &json(&["compare", "3NT", "--draw", "5", hands])["contracts"][0];
    assert!(
        contract["matchpoints"].is_null() && contract["imps"].is_null(),
        "{contract}"
    );
}

/// Questions that are allowed only before the first card are refused later, with the reason.
#[test]
fn leads_and_contracts_are_about_whole_deals() {
    let refused = |arguments: &[&str], why: &str| {
        let printed = run(arguments);
        printed.ended(3);
        printed.complains(why);
    };
    let hands = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ? H5";
    refused(
        &["compare", "3NTN", "--draw", "3", hands],
        "before the first card",
    );
    refused(
        &["compare", "3NT", "--draw", "3", hands],
        "1 of them played",
    );
    refused(
        &["compare", "3NT", "--draw", "3", "AK5 QJT"],
        "column 4: a hand has 4 suits",
    );
    refused(
        &["compare", "3NT", "AK5.KJ42.Q73.A64"],
        "one hand; expected the two hands of a side",
    );
    refused(
        &["leads", "3NT", "AQ732.K5.J83.T9"],
        "the hand has 12 cards, expected 13",
    );
    let lead = "H W W:AQ732.K5.J83.T92 ? ? ?";
    refused(
        &["leads", "3NT", lead],
        "3NT is a contract in NT, but the question says H",
    );
    let lead = "NT N W:AQ732.K5.J83.T92 ? ? ?";
    refused(
        &["leads", "3NT", lead],
        "North is on lead, and its hand is hidden",
    );
    run(&["odds", "--draw", "0", lead]).ended(2);
    let printed = run(&["compare", "6CSX", "AK5.KJ42.Q73.A64 QJT92.A3.K64.852"]);
    printed.ended(2);
    printed.complains("the declarer comes last, as 6CXS");
    let odds = ["odds", "--db", "none", "--draw", "2"];
    run(&[&odds[..], &["NT S N:AQ... ? 32... ? out=KJT9..."]].concat()).ended(0);
    let asked = "NT S N:A... ? 2... ? out=KQ... S2";
    refused(
        &["single-dummy", "--tricks", "1", asked],
        "West is to play, and its hand is hidden",
    );
}

#[test]
fn more_samples_than_memory_holds_are_refused() {
    let view = "NT W N:AQ4... ? 532... ? out=KJT987...";
    finish(setrograde().args(["layouts", view, "--draw", "1000001"])).ended(2);
}

/// The deals are those of the other formats.
#[test]
fn deals_as_an_object() {
    for more in [&[][..], &["--where", "tricks(S,NT)>=8"]] {
        let object = json(&[&["deal", "3", "--seed", "5", "--if", "N.hcp=12-14"], more].concat());
        let lines = [
            &[
                "deal",
                "3",
                "--seed",
                "5",
                "--if",
                "N.hcp=12-14",
                "--format",
                "lines",
            ],
            more,
        ];
        let deals: Vec<String> = run(&lines.concat())
            .output
            .lines()
            .map(str::to_owned)
            .collect();
        assert_eq!(object["deals"], serde_json::json!(deals));
        assert!(object["tried"].as_u64() >= Some(3));
    }
    run(&["deal", "--json", "--format", "pbn"]).ended(2);
}
