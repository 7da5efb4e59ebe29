//! `layouts`, `odds`, `leads` and `compare` draw the same layouts from the same seed, whatever the
//! number of threads, so that each number can be found again by solving them one by one.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::command::{are_refused, json, run_line};

/// The layouts that `layouts` prints are those that `odds` draws: solved one by one by
/// `solve`, they have the same numbers, for each lead and for each contract.
#[test]
fn leads_and_contracts_of_the_layouts_drawn() {
    let draw = "--draw 6 --seed 7 --if N.hcp=15-17";
    let drawn = json(&format!("layouts {draw} 'NT W W:AQ732.K5.J83.T92 ? ? ?'"));
    let layouts = drawn["samples"].as_array().expect("layouts");
    assert_eq!(layouts.len(), 6);
    let leads = json(&format!("leads 3NT {draw} AQ732.K5.J83.T92"));
    let mut tricks = BTreeMap::new();
    for layout in layouts {
        let layout = layout.as_str().expect("a deal");
        let solved = json(&format!("solve --all 'NT W {layout}'"));
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
    let defeats = |card: &Value| -> f64 {
        let chances = card["chances"].as_array().expect("chances");
        chances.iter().skip(5).filter_map(Value::as_f64).sum()
    };
    let most = defeats(&cards[0]) + 1e-9;
    assert!(cards.iter().all(|card| defeats(card) <= most));
}

#[test]
fn contracts_of_the_layouts_drawn() {
    let hands = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let options = "--draw 6 --vulnerable NS --seed 3";
    let two = "AK5.KJ42.Q73.A64 QJT92.A3.K64.852";
    let contracts = json(&format!("compare 3NT,4SS {options} '{two}'"));
    let written = json(&format!("compare 3NTN,4SS {options} '{hands}'"));
    assert_eq!(contracts["contracts"], written["contracts"]);
    assert_eq!(contracts["side"], "NS");
    let drawn = json(&format!("layouts --draw 6 --seed 3 '{hands}'"));
    let layouts = drawn["samples"].as_array().expect("layouts");
    let (mut sum, mut points) = (0.0, 0.0);
    for layout in layouts {
        let table = json(&format!("table '{}'", layout.as_str().expect("a deal")));
        let of = |strain: &str, seat: &str| table["tricks"][strain][seat].as_i64().expect("tricks");
        let made = |tricks: i64, needed: i64, base: i64, each: i64| match tricks - needed {
            over if over < 0 => 100 * over,
            over => base + each * over,
        };
        let game = made(of("NT", "N"), 9, 600, 30);
        let major = made(of("S", "S"), 10, 620, 30);
        sum += game as f64 / 6.0;
        points += f64::from(u8::from(game > major)) + f64::from(u8::from(game == major)) / 2.0;
    }
    let first = &contracts["contracts"][0];
    assert_eq!(first["contract"], "3NTN");
    let number = |name: &str| first[name].as_f64().expect("a number");
    assert!((number("score") - sum).abs() < 1e-9, "{contracts}");
    let matchpoints = number("matchpoints");
    assert!((matchpoints - points / 6.0).abs() < 1e-9, "{contracts}");
}

/// The answer for a number of threads, with and without a limit on the drawing.
#[test]
fn what_is_drawn_does_not_depend_on_threads() {
    let question = "NT W W:AQ732.K5.J83.T92 ? ? ?";
    let of = |threads: &str| json(&format!("odds --until 20% -j {threads} '{question}'"));
    let one = of("1");
    assert_eq!(one, of("3"));
    assert_eq!(one, json(&format!("odds --until 0.2 '{question}'")));
    // The least number at which a chance of one half is known to 20 %.
    assert_eq!(one["layouts"], 64);
}

/// With one contract there is nothing to compare.
#[test]
fn one_contract_has_no_matchpoints() {
    let line = "compare 3NT --draw 5 'AKQ2.K43.Q52.T98 J54.AQ2.AK43.432'";
    let printed = run_line(line);
    printed.shows("Scores of North and South; nothing to compare with");
    printed.does_not_show("matchpoints");
    let contract = &json(line)["contracts"][0];
    assert!(contract["matchpoints"].is_null(), "{contract}");
    assert!(contract["imps"].is_null(), "{contract}");
}

/// Questions that are allowed only before the first card are refused later, with the reason.
#[test]
fn leads_and_contracts_are_about_whole_deals() {
    are_refused(
        "
        3 compare 3NTN --draw 3 'NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ? H5' => before the first card
        3 compare 3NT --draw 3 'NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ? H5' => 1 of them played
        3 compare 3NT --draw 3 'AK5 QJT' => column 4: a hand has 4 suits
        3 compare 3NT AK5.KJ42.Q73.A64 => one hand; expected the two hands of a side
        2 compare 6CSX 'AK5.KJ42.Q73.A64 QJT92.A3.K64.852' => the declarer comes last, as 6CXS
        3 leads 3NT AQ732.K5.J83.T9 => the hand has 12 cards, expected 13
        3 leads 3NT 'H W W:AQ732.K5.J83.T92 ? ? ?' => 3NT is a contract in NT, but the question says H
        3 leads 3NT 'NT N W:AQ732.K5.J83.T92 ? ? ?' => North is on lead, and its hand is hidden
        3 single-dummy --tricks 1 'NT S N:A... ? 2... ? out=KQ... S2' => West is to play, and its hand is hidden
        2 odds --draw 0 'NT N W:AQ732.K5.J83.T92 ? ? ?' => draw
        2 layouts --draw 1000001 'NT W N:AQ4... ? 532... ? out=KJT987...' => draw",
    );
    run_line("odds --db none --draw 2 'NT S N:AQ... ? 32... ? out=KJT9...'").ended(0);
}

/// The deals are those of the other formats.
#[test]
fn deals_as_an_object() {
    for more in ["", "--where tricks(S,NT)>=8"] {
        let line = format!("deal 3 --seed 5 --if N.hcp=12-14 {more}");
        let object = json(&line);
        let lines = run_line(&format!("{line} --format lines")).output;
        let deals: Vec<&str> = lines.lines().collect();
        assert_eq!(object["deals"], serde_json::json!(deals));
        assert!(object["tried"].as_u64() >= Some(3));
    }
    run_line("deal --json --format pbn").ended(2);
}
