//! `setrograde odds`, and the counting behind it.

use std::time::Instant;

use fastrand::Rng;
use setrograde_beliefs::{Question, Strengths, View, Whist};
use setrograde_cards::{Seat, Suit};
use setrograde_lookup::{Bounds, Ending};
use setrograde_parallel::Stop;
use setrograde_single_dummy::{SearchError, card_odds, odds, visited};

use crate::command::{Printed, feed, finish, run, setrograde};
use crate::database::{random_position, twelve_cards, twelve_cards_open};

fn read(text: &str) -> View<Whist> {
    let question: Question = text.parse().expect("a question");
    View::of_bridge(&question).expect("a view")
}

/// A random question with two or three hidden hands.
fn random_question(rng: &mut Rng, cards: usize) -> String {
    let leader = Seat::from_index(rng.usize(0..4));
    let first = rng.usize(0..4);
    let second = if rng.bool() {
        (first + rng.usize(1..4)) % 4
    } else {
        first
    };
    let is_hidden = |seat: &Seat| ![first, second].contains(&seat.index());
    let hidden: Vec<Seat> = Seat::ALL.into_iter().filter(is_hidden).collect();
    Question::random_text(rng, cards, leader, &hidden)
}

#[test]
fn counting_equals_visiting_every_layout() {
    let mut rng = Rng::with_seed(14);
    let go_on = Stop::default();
    let database = twelve_cards_open();
    for round in 0..120 {
        let text = random_question(&mut rng, 1 + round % 3);
        let view = read(&text);
        let mut facts = view.facts(&Strengths::NONE).expect("facts");
        let hidden = view.hidden_sizes();
        if round % 4 > 1 {
            // Some cards denied to some seats; in half of these, weights too.
            for card in view.unseen() {
                let seat = Seat::from_index(rng.usize(0..4));
                if rng.u8(0..3) == 0 && hidden[seat] > 0 {
                    match round % 4 {
                        2 => facts.deny(seat, card.into(), setrograde_beliefs::Reason::Given),
                        _ => facts.weigh(seat, card.into(), 0.25 + rng.f64()),
                    }
                }
            }
        }
        let Ok(beliefs) = setrograde_beliefs::Beliefs::new(&facts) else {
            continue;
        };
        let counted = odds(&view, &beliefs, database, &go_on).expect("odds");
        let listed = visited(&view, &beliefs, database, &go_on).expect("odds");
        assert_eq!(counted.all.layouts, beliefs.count(), "{text}");
        assert_eq!(counted.all.counts, listed.all.counts, "{text}");
        for (a, b) in counted.all.chances.iter().zip(listed.all.chances) {
            assert!((a - b).abs() < 1e-9, "{text}: {a} {b}");
        }
        for (counted, listed) in counted.splits.iter().zip(&listed.splits) {
            let counts =
                |(split, odds): (&[u8; 4], &setrograde_single_dummy::Odds)| (*split, odds.counts);
            assert!(
                counted.iter().map(counts).eq(listed.iter().map(counts)),
                "{text}"
            );
        }
    }
}

#[test]
fn limits_on_hands_are_met() {
    let database = twelve_cards_open();
    let text = "NT S N:AQ4... - 532... - hidden=KJT987...";
    let go_on = Stop::default();
    let view = read(&format!("{text} if=E.hcp>=3"));
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let found = odds(&view, &beliefs, database, &go_on).expect("odds");
    assert_eq!(found.all.layouts, 10, "East has the king");
    // The finesse never works; but East with KJT can be made to lead into AQ.
    assert_eq!(found.all.counts[..4], [0, 9, 1, 0]);
    let cards = card_odds(&view, &beliefs, database, &go_on).expect("odds");
    assert_eq!(cards.len(), 3);
    let stop = Stop::default().by(Instant::now());
    let counted = odds(&view, &beliefs, database, &stop);
    assert!(matches!(counted, Err(SearchError::Cancelled)));
    let visited = card_odds(&view, &beliefs, database, &stop);
    assert!(matches!(visited, Err(SearchError::Cancelled)));
}

#[test]
fn limits_on_lengths_are_met() {
    let mut rng = Rng::with_seed(15);
    let go_on = Stop::default();
    let database = twelve_cards_open();
    let mut narrower = 0;
    for _ in 0..60 {
        let text = random_question(&mut rng, 3);
        let all = read(&text);
        let mut limited = text.clone();
        for seat in Seat::ALL {
            let low = rng.u8(0..3);
            let suit = ['S', 'H', 'D', 'C'][rng.usize(0..4)];
            if all.hidden_sizes()[seat] > 0 {
                limited += &format!(" if={seat}.{suit}={low}-{}", low + 1);
            }
        }
        let view = read(&limited);
        let Ok(beliefs) = view.beliefs(&Strengths::NONE) else {
            continue;
        };
        let counted = odds(&view, &beliefs, database, &go_on).expect("odds");
        assert_eq!(counted.all.layouts, beliefs.count(), "{limited}");
        let listed = visited(&view, &beliefs, database, &go_on).expect("odds");
        assert_eq!(counted.all.counts, listed.all.counts, "{limited}");
        let free = all.beliefs(&Strengths::NONE).expect("layouts");
        narrower += u32::from(beliefs.count() < free.count());
    }
    assert!(narrower > 10, "{narrower} questions were limited");
}

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

/// In how many ways a suit can be owned with these lengths by hands that each
/// card's mask allows.
fn ways(masks: &[u8], left: [usize; 4]) -> u128 {
    let Some((mask, rest)) = masks.split_first() else {
        return 1;
    };
    let able = (0..4).filter(|&hand| left[hand] > 0 && mask >> hand & 1 == 1);
    able.map(|hand| {
        let mut less = left;
        less[hand] -= 1;
        ways(rest, less)
    })
    .sum()
}

#[test]
fn deals_that_share_a_proof_are_counted() {
    let mut random = Rng::with_seed(140);
    let database = twelve_cards_open();
    let mut narrow = 0;
    for round in 0..60 {
        let position = random_position(&mut random, 4 + 4 * (round % 3));
        let mut query = setrograde();
        query.args(["query", "--count", "--json", "--db"]);
        let text = finish(query.arg(twelve_cards()).arg(position.to_string())).output;
        let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let ending = Ending::from_position(&position).expect("an ending");
        let located = database.locate(&ending).expect("sound").expect("held");
        let answer = located.answer().expect("an answer");
        let set = located.widen(&answer.set, Bounds::exactly(answer.value));
        let (mut deals, mut all) = (1, 1);
        for suit in Suit::ALL {
            let lengths = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit).len());
            let cards: usize = lengths.iter().sum();
            let masks: Vec<u8> = (0..cards).map(|at| set.mask(suit.index(), at)).collect();
            deals *= ways(&masks, lengths);
            all *= ways(&vec![15; cards], lengths);
        }
        assert_eq!(
            found["deals"].as_u64().map(u128::from),
            Some(deals),
            "{text}"
        );
        narrow += u32::from(deals < all);
    }
    assert!(narrow > 0);
}

#[test]
fn conditions_add_up_and_are_about_hidden_hands() {
    let question = "S N N:AQ4... - 32.A.. - hidden=KJT.98.5.";
    let layouts = |conditions: &[&str]| {
        let mut command = setrograde();
        command.args(["layouts", question]);
        for condition in conditions {
            command.args(["--if", condition]);
        }
        let printed = finish(&mut command);
        let count = printed.output.lines().next().and_then(|line| {
            let (_, count) = line.split_once('\t')?;
            count.parse::<u32>().ok()
        });
        count.ok_or(printed.errors)
    };
    // East has two or three of three spades: 10 of 20; no hearts besides: 4.
    assert_eq!(layouts(&["E.S>=2"]), Ok(10));
    assert_eq!(layouts(&["E.S>=2", "E.H=0"]), Ok(4));
    assert_eq!(layouts(&["E.H=0,E.S>=2"]), Ok(4));
    assert_eq!(layouts(&["E+SK"]), Ok(10));
    assert_eq!(layouts(&["W.hcp=4,S=2-1"]), Ok(3));
    let error = layouts(&["E.S=2", "N.S=3"]).expect_err("North is visible");
    assert!(
        error.contains("--if: column 1: North is visible"),
        "{error}"
    );
    let error = layouts(&["E.S=2", "E.S=3"]).expect_err("no hand");
    assert!(error.contains("E.S>=3,E.S<=2 cannot be met"), "{error}");
    // Of the spades King, Jack and Ten East has King or Jack, or both: 10 + 10 - 4.
    assert_eq!(layouts(&["E+SK|E+SJ"]), Ok(16));
    assert_eq!(layouts(&["(E+SK|E+SJ),E-ST"]), Ok(9));
    assert_eq!(layouts(&["S=3-0"]), Ok(2));
    let error = layouts(&["E.S=3,E.H=1|E.S=3,E.D=1"]).expect_err("no hand");
    assert!(error.contains("fits E.S=3,E.H=1|E.S=3,E.D=1"), "{error}");
}

#[test]
fn more_samples_than_memory_holds_are_refused() {
    let view = "NT W N:AQ4... ? 532... ? out=KJT987...";
    finish(setrograde().args(["layouts", view, "--draw", "1000001"])).ended(2);
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let printed = finish(setrograde().args(arguments).arg("--json"));
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(0)));
    serde_json::from_str(&printed.output).expect("JSON")
}

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

#[test]
fn one_suit() {
    let suit = json(&["suit", "AJT98", "432"]);
    let chance = |tricks: usize| suit["at_least"][tricks].as_f64().expect("a chance");
    assert!((chance(4) - 0.76).abs() < 1e-4, "{suit}");
    assert_eq!(suit["lines"][0]["tricks"], 4);
    let splits = suit["lines"][0]["splits"].as_array().expect("splits");
    let sum: f64 = splits
        .iter()
        .filter_map(|split| split["chance"].as_f64())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let printed = finish(setrograde().args(["suit", "--all", "AQT", "432"]));
    printed.ended(0);
    printed.shows("1 trick: ");
    assert!(
        printed
            .output
            .lines()
            .all(|line| line.chars().count() <= 80)
    );
    let refused = |arguments: &[&str], why: &str| {
        let printed = finish(setrograde().arg("suit").args(arguments));
        printed.ended(3);
        printed.complains(why);
    };
    refused(&["AK", "K2"], "is in both hands");
    refused(
        &["--tricks", "6", "AJT98", "432"],
        "6 tricks: the suit has 5 at most",
    );
    refused(&["AY", "2"], "\"AY\"");
    // The chance of two tricks is even, and the plan aims at these.
    let printed = run(&["suit", "KT86", "97"]);
    printed.shows("2 tricks: 50.0 %");
    assert_eq!(
        json(&["suit", "AJxxx", "Qx"])["at_least"],
        json(&["suit", "AJ543", "Q2"])["at_least"]
    );
    let printed = run(&["suit", "--time", "0", "AJT98", "432"]);
    printed.ended(4);
    printed.complains("not found within the limit of 0 s; --time sets another");
    assert_eq!(printed.output, "");
    for (option, values, expected) in [
        ("--time", "nan 3", "a number of seconds, as 10 or 0.5"),
        ("--vacant", "99999999999 3", "a whole number from 0 to 13"),
        ("--vacant", "14 3", "a whole number from 0 to 13"),
    ] {
        let values = values.split(' ');
        let words = ["suit", option].into_iter().chain(values).chain(["A", "K"]);
        let printed = run(&words.collect::<Vec<_>>());
        printed.ended(2);
        printed.complains(&format!("expected {expected}"));
    }
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

/// A condition that no cards satisfy is named as it was written.
#[test]
fn impossible_conditions_are_named() {
    for (option, condition, problem) in [
        (
            "--if",
            "N.S=5-3",
            "--if: column 1: \"N.S=5-3\": the range 5-3 is reversed; expected 3-5",
        ),
        (
            "--if",
            "E+HK,N.hcp=17-15",
            "--if: column 6: \"N.hcp=17-15\": the range 17-15 is reversed",
        ),
        (
            "--if",
            "N.S>=8,N.balanced",
            "--if: column 1: N.S>=8,N.balanced can never hold",
        ),
        (
            "--if",
            "N.losers=1,N.S=3,N.S=4",
            "--if: column 1: N.losers=1,N.S=3,N.S=4 can never hold",
        ),
        (
            "--where",
            "tricks(S,NT)=10-9",
            "--where: column 1: \"tricks(S,NT)=10-9\": the range 10-9 is reversed",
        ),
    ] {
        let printed = run(&["deal", option, condition]);
        assert_eq!(printed.status, Some(3), "{condition}");
        printed.complains(problem);
    }
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

/// Each line is what `--tricks` says of its number.
#[test]
fn single_dummy_for_each_number_of_tricks() {
    let question = "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..";
    let all = json(&["single-dummy", question]);
    let targets = all["targets"].as_array().expect("targets");
    assert_eq!(targets.len(), 3);
    for (target, tricks) in targets.iter().zip(["1", "2", "3"]) {
        let one = json(&["single-dummy", "--tricks", tricks, question]);
        assert_eq!(target["layouts"], one["layouts"]);
        assert_eq!(target["cards"], one["cards"]);
        assert_eq!(all["of"], one["of"]);
    }
    // Nothing follows what cannot be made.
    let question = "NT S N:432... ? 765... ? out=AKQJT9...";
    let printed = finish(setrograde().args(["single-dummy", question]));
    printed.ended(0);
    assert_eq!(printed.output.lines().count(), 3, "{printed:?}");
    printed.shows("       1  0 of 20 (0.0 %)");
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

const OVER_LAYOUTS: &str = "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..";

fn over_layouts(options: &[&str]) -> Printed {
    let file = ["single-dummy", "--layouts", "data/samples/layouts.txt"];
    finish(setrograde().args(file).args(options).arg(OVER_LAYOUTS))
}

#[test]
fn the_best_line_over_layouts_of_a_file() {
    let printed = over_layouts(&[]);
    printed.ended(0);
    printed.shows("2.474 tricks on average, 6 layouts; double dummy 2.579\n");
    printed.shows("  ♠J           2.474              3 in 4, 1 in 2\n");
    let target = over_layouts(&["--tricks", "3", "--plan"]);
    target.shows("73.7 % of the weight, 6 layouts; double dummy 78.9 %");
    target.shows("The line of NS, from step ");
    target.shows("  2: play ♥9, then 1\n  3: they play ♥K: 0\n");
    over_layouts(&["--score", "3NTS,8"]).shows("444.2 points on average");
    // A search that gives up reports its best line and an upper bound.
    let bounded = over_layouts(&["--limit", "5"]);
    bounded.ended(0);
    bounded.shows(" to 2.579 tricks on average");
}

#[test]
fn layouts_that_cannot_be_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("layouts.txt");
    let refused = |text: &str, said: &str| {
        std::fs::write(&path, text).expect("a file");
        let path = path.to_str().expect("text");
        let printed = finish(setrograde().args(["single-dummy", "--layouts", path, OVER_LAYOUTS]));
        assert_ne!(printed.status, Some(0), "{text}");
        printed.complains(said);
    };
    refused("# nothing\n", "there are no layouts");
    refused(
        "N:AQT... K.KT.. J.Q9.. 9.AJ.. heavy\n",
        "line 1: `heavy` is not a weight",
    );
    refused("\nN:AQT... K.KT.. J.Q9..\n", "line 2");
    refused(
        "N:AQ9... K.KT.. J.Q9.. T.AJ..\n",
        "in layout 1 North does not hold",
    );
    refused(
        "N:AQT... K.K.. J.Q9.. 9.AJT..\n",
        "layout 1 does not deal the unseen cards",
    );
    let many = "N:AQT... K.KT.. J.Q9.. 9.AJ..\n".repeat(1001);
    refused(&many, "line 1001: more than 1000 layouts");
}
