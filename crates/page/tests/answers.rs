//! The engine's answers, against the crates that it asks and against each other.

use serde_json::{Value, json};
use setrograde_page::Engine;

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

fn ask(what: &str, text: &str) -> Value {
    asked(&mut Engine::default(), what, text)
}

fn asked(engine: &mut Engine, what: &str, text: &str) -> Value {
    serde_json::from_str(&engine.ask(what, text)).expect("JSON")
}

fn error(what: &str, text: &str) -> String {
    let answer = ask(what, text);
    answer["error"]
        .as_str()
        .unwrap_or_else(|| panic!("{what}: {answer}"))
        .to_owned()
}

/// The output of a command in docs/json.md; a test of the command runs these examples.
fn printed(command: &str) -> Value {
    let page = include_str!("../../../docs/json.md");
    let (_, after) = page
        .split_once(&format!("    $ setrograde {command}\n"))
        .expect(command);
    let object = serde_json::Deserializer::from_str(after).into_iter().next();
    object.expect("an object").expect("JSON")
}

/// Returns true if `found` has everything in `printed`, except the names that the page's engine
/// leaves out: the question, and values that follow from counts.
fn has(found: &Value, printed: &Value) -> bool {
    const LEFT_OUT: [&str; 5] = ["question", "version", "chances", "mean", "plan"];
    match (found, printed) {
        (Value::Object(found), Value::Object(printed)) => (printed.iter())
            .filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()))
            .all(|(name, value)| found.get(name).is_some_and(|found| has(found, value))),
        (Value::Array(found), Value::Array(printed)) => {
            found.len() == printed.len() && found.iter().zip(printed).all(|(a, b)| has(a, b))
        }
        _ => found == printed,
    }
}

#[test]
fn names_and_values_are_those_of_the_command() {
    const FINESSE: &str = "NT S N:AQ... KJ... 32... T9...";
    const CLAIM: &str = "NT W W:A.KQJT.. K.9.98.J .A..AKQ2 Q.8..T98";
    let results = "2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1";
    let hidden = "NT S N:AQ... ? 32... ? out=KJT9...";
    let claim = |rest: &str| format!("claim {rest} '{hidden}'");
    for (command, what, text) in [
        (
            "solve --json --all 'NT S N:AQ... K3... 5... 76... played=S4'",
            "cards",
            "NT S N:AQ... K3... 54... 76...\tS4".to_owned(),
        ),
        (
            "par --json --vulnerable NS --dealer N 'N:AQ... K3... 54... 76...'",
            "par",
            format!("N NS {results}"),
        ),
        (
            "analyse --json 'NT N N:AQ... K3... 54... 76... SA S3 S4 S6'",
            "record",
            "NT N N:AQ... K3... 54... 76...\tSA S3 S4 S6".to_owned(),
        ),
        (
            &format!("odds --db db --json --all '{hidden}'"),
            "chances",
            format!("all\t0\t100\tNS\t-\t{FINESSE}"),
        ),
        (
            &format!("single-dummy --json --db db --tricks 2 '{hidden}'"),
            "single",
            format!("2\tNS\t-\t{FINESSE}"),
        ),
        (
            &format!("claim adjudicate --json --by W --tricks 5 '{CLAIM}' HT"),
            "adjudicate",
            format!("HT\n5\tWE\t-\t{CLAIM}"),
        ),
    ] {
        let mut printed = printed(command);
        if what == "single" {
            // This takes a database.
            for card in printed["cards"].as_array_mut().expect("cards") {
                card.as_object_mut().expect("a card").remove("double_dummy");
            }
        }
        let found = ask(what, &text);
        assert!(has(&found, &printed), "{command}\n{printed}\n{found}");
    }
    let table = &printed("table --json 'N:AQ... K3... 54... 76...'")["tricks"];
    for strain in ["NT", "S", "H", "D", "C"] {
        let found = ask("strain", &format!("{strain} N:AQ... K3... 54... 76..."));
        assert_eq!(found["tricks"][strain], table[strain], "{found}");
    }
    // The command's answer has these in one object.
    let found = |what: &str, need: &str| ask(what, &format!("{need}\tNS\t-\t{FINESSE}"));
    let claimed = printed(&claim("--json --tricks 2 --assume"));
    for name in ["claimer", "tricks_left", "layouts", "sure"] {
        assert_eq!(found("sure", "-")[name], claimed[name]);
    }
    assert_eq!(found("sure_cards", "-")["cards"], claimed["cards"]);
    assert_eq!(found("against", "2")["verdict"], claimed["verdict"]);
    let help = found("help", "2");
    assert!(has(&help["assume"], &claimed["assume"]), "{help}");
    let core = printed(&claim("--tricks 2 --plan"));
    assert_eq!(found("against", "2")["layouts"], core["layouts"]);
    let plan = printed(&claim("--tricks 1 --plan"));
    assert_eq!(found("plan", "1")["order"], plan["steps"][0]["order"]);
}

#[test]
fn tables_and_par_are_as_published() {
    // tests/../data: 100 deals with the answers of other programs.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/deals_100.txt");
    let text = std::fs::read_to_string(path).expect("data/deals_100.txt");
    let mut engine = Engine::default();
    let mut seen = 0;
    for line in text.lines().take(12) {
        let (deal, numbers) = line.split_once(" | ").expect("deal | results");
        let want: Vec<u64> = numbers
            .split(' ')
            .map(|word| word.parse().unwrap())
            .collect();
        let mut found = Vec::new();
        for strain in ["NT", "S", "H", "D", "C"] {
            let answer = asked(&mut engine, "strain", &format!("{strain} {deal}"));
            for seat in ["N", "E", "S", "W"] {
                let tricks = &answer["tricks"][strain][seat];
                found.push(tricks.as_u64().unwrap_or_else(|| panic!("{answer}")));
            }
        }
        assert_eq!(found, want, "{deal}");
        seen += 1;
    }
    assert_eq!(seen, 12);
    let results = "5 7 6 7 5 11 5 11 3 10 3 10 8 4 8 4 5 7 5 7";
    let par = ask("par", &format!("N None {results}"));
    let par = &par["par"][0];
    assert!(
        par["score"].is_i64() && !par["contracts"].as_array().unwrap().is_empty(),
        "{par}"
    );
    assert_eq!(error("par", "N None 14"), "14 tricks; a deal has 13");
}

#[test]
fn a_play_adds_up() {
    // Whole plays at random: the tricks won and what each card gave away explain the
    // result, every position says whose turn it is, and the right cards cost nothing.
    let mut rng = fastrand::Rng::with_seed(1);
    let mut engine = Engine::default();
    for strain in ["NT", "H"] {
        let start = format!("{strain} S {DEAL}");
        let mut played: Vec<String> = Vec::new();
        loop {
            let text = format!("{start}\t{}", played.join(" "));
            let shown = asked(&mut engine, "position", &text);
            let legal: Vec<&str> = shown["legal"]
                .as_array()
                .unwrap()
                .iter()
                .map(|card| card.as_str().unwrap())
                .collect();
            let Some(&card) = rng.choice(&legal) else {
                break;
            };
            if played.len() > 24 {
                let solved = asked(&mut engine, "cards", &text);
                let mut cards: Vec<String> = Vec::new();
                for of in solved["cards"].as_array().unwrap() {
                    cards.push(of["card"].as_str().unwrap().to_owned());
                    let equals = of["equals"].as_array().unwrap().iter();
                    cards.extend(equals.map(|card| card.as_str().unwrap().to_owned()));
                }
                cards.sort();
                let mut legal: Vec<&str> = legal.clone();
                legal.sort_unstable();
                assert_eq!(cards, legal, "{text}");
            }
            played.push(card.to_owned());
        }
        assert_eq!(played.len(), 52);
        let record = asked(
            &mut engine,
            "record",
            &format!("{start}\t{}", played.join(",")),
        );
        let mut tricks = record["tricks"].as_i64().unwrap();
        for step in record["cards"].as_array().unwrap() {
            let cost = step["gives_away"].as_i64().unwrap();
            let leaders = step["seat"] == "S" || step["seat"] == "N";
            tricks += if leaders { -cost } else { cost };
            assert_eq!(step["tricks"], tricks);
            let right = step["right"].as_array();
            assert_eq!(right.is_some(), cost > 0);
            assert!(right.is_none_or(|right| !right.contains(&step["card"])));
        }
        assert_eq!(record["won"][0], tricks);
    }
}

#[test]
fn what_declarer_makes_comes_from_the_engine() {
    // Against the play's own numbers: of an ending the leader's, of a deal the declarer's.
    let ending = "NT S N:AQ... KJ... 32... T9...";
    for (start, played, declarers, most) in [
        (ending, "S3", 1, 1),
        (ending, "S3 ST SQ SK", 1, 0),
        (&*format!("H N {DEAL}"), "", 11, 2),
        (&*format!("H N {DEAL}"), "ST", 11, 11),
    ] {
        let play = format!("{start}\t{played}");
        let cards = ask("cards", &play);
        let matter = ask("matter", &play);
        assert_eq!(cards["takes"], declarers, "{play}");
        assert_eq!(matter["takes"], declarers, "{play}");
        assert_eq!(matter["most"], most, "{play}");
        let record = ask("record", &play);
        let makes = record["makes"].as_array().unwrap();
        assert_eq!(makes.last().unwrap(), &cards["takes"], "{play}");
        assert_eq!(makes.len(), 1 + record["cards"].as_array().unwrap().len());
    }
    // Dummy's cards are the declarer's; of an ending each hand has its own.
    let seats = |play: &str| -> Vec<String> {
        let record = ask("record", play);
        let players = record["players"].as_array().unwrap().iter();
        let summary = |of: &Value| {
            let text = [&of["seat"], &of["cards"], &of["mistakes"], &of["tricks"]];
            text.map(ToString::to_string).join(" ")
        };
        players.map(summary).collect()
    };
    let deal = format!("H N {DEAL}\tST SA S8 S2");
    assert_eq!(seats(&deal), ["\"N\" 1 0 0", "\"S\" 1 0 0", "\"W\" 2 0 0"]);
    assert_eq!(seats(&format!("{ending}\tS3 ST SA SJ")).len(), 4);
    // The target: to make the contract or to beat it, and without a contract one half.
    let goal =
        |contract: &str, play: &str| ask("goal", &format!("{contract}\t{play}"))["need"].clone();
    let start = format!("H N {DEAL}");
    assert_eq!(goal("4HW", &start), 4);
    assert_eq!(goal("4HW", &format!("{start}\tST")), 10);
    assert_eq!(goal("4HW", &format!("{start}\tST SA S8 S2")), 9);
    assert_eq!(goal("-", ending), 1);
    assert_eq!(goal("7NTN", &start), 13);
    assert!(error("goal", &format!("9HW\t{start}")).contains("9HW"));
    // And the bonus of each result.
    let strain = ask("strain", &format!("H {DEAL}"));
    assert_eq!(
        strain["kinds"]["H"],
        json!({"N": "none", "E": "game", "S": "none", "W": "game"})
    );
}

#[test]
fn what_matters_decides_and_what_does_not_is_free() {
    // Cards that do not matter are dealt again among the hands: the result stays.
    let mut rng = fastrand::Rng::with_seed(2);
    let mut engine = Engine::default();
    let mut moved = 0;
    for round in 0..60 {
        let cards = 3 + round % 5;
        let deal = setrograde_cards::Deal::random_ending(cards, |n| rng.usize(..n));
        let strain = ["NT", "S", "D"][round % 3];
        let start = format!("{strain} E {deal}");
        let mut played = String::new();
        for _ in 0..round % 4 {
            let shown = asked(&mut engine, "position", &format!("{start}\t{played}"));
            let legal = shown["legal"].as_array().unwrap();
            let card = &legal[rng.usize(..legal.len())];
            played = format!("{played} {}", card.as_str().unwrap());
        }
        let found = asked(&mut engine, "matter", &format!("{start}\t{played}"));
        let tricks = found["tricks"]
            .as_u64()
            .unwrap_or_else(|| panic!("{found}"));
        let matter: Vec<setrograde_cards::Card> = (found["matter"].as_array().unwrap().iter())
            .map(|card| card.as_str().unwrap().parse().unwrap())
            .collect();
        let count =
            |name: &str| -> u128 { found[name].to_string().replace('"', "").parse().unwrap() };
        assert!((1..=count("all")).contains(&count("same")), "{found}");
        for _ in 0..4 {
            let mut hands = *deal.hands();
            for suit in setrograde_cards::Suit::ALL {
                let free = |hand: &setrograde_cards::Hand| -> Vec<setrograde_cards::Card> {
                    let free = |card: &setrograde_cards::Card| {
                        card.suit == suit
                            && !matter.contains(card)
                            && !played.contains(&card.to_string())
                    };
                    hand.cards().filter(free).collect()
                };
                let each = hands.map(|hand| free(&hand));
                let mut all = each.concat();
                rng.shuffle(&mut all);
                let mut next = all.into_iter();
                for (hand, out) in hands.iter_mut().zip(&each) {
                    for &card in out {
                        hand.remove(card);
                    }
                    for _ in out {
                        hand.insert(next.next().unwrap());
                    }
                }
            }
            moved += u32::from(hands != *deal.hands());
            let other = setrograde_cards::Deal::new(hands).unwrap();
            let text = format!("{strain} E {other}\t{played}");
            assert_eq!(
                asked(&mut engine, "matter", &text)["tricks"],
                tricks,
                "{deal} {played} {text}"
            );
        }
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn two_hands() {
    let question =
        |need: &str| format!("{need}\tWE\t-\tNT W W:A.KQJT.. K.9.98.J .A..AKQ2 QJ.8.7.9");
    assert_eq!(ask("sure", &question("-"))["sure"], 5);
    let plan = ask("plan", &question("5"));
    assert!(plan["why"].to_string().contains("♠A"), "{plan}");
    let cards = ask("sure_cards", &question("-"));
    assert_eq!(cards["cards"].as_array().unwrap().len(), 5, "{cards}");
    // A finesse: not sure; half of the layouts help.
    let finesse = |need: &str| format!("{need}\tNS\t-\tNT S N:AQ... KJ... 32... T9...");
    assert_eq!(ask("against", &finesse("2"))["verdict"], "not sure");
    let help = ask("help", &finesse("2"));
    assert_eq!(help["assume"][0]["condition"], "W+SK", "{help}");
    assert_eq!(ask("sure", &finesse("-"))["sure"], 1);
    let given = finesse("-").replace("\t-\t", "\tW+SK\t");
    assert_eq!(ask("sure", &given)["sure"], 2);
    let played = "-\tNS\t-\tNT S N:AQ.. KJ... 32... T9...\tS2 ST";
    assert!(error("sure", played).starts_with("column"));
}

#[test]
fn a_contested_claim() {
    // A finesse that loses: two are claimed, one is sure, and one is awarded.
    let text = |need: u8| format!("rest\n{need}\tNS\t-\tNT S N:AQ... KJ... 32... T9...");
    let answer = ask("adjudicate", &text(2));
    assert_eq!(
        (&answer["claimed"], &answer["sure"], &answer["awarded"]),
        (&json!(2), &json!(1), &json!(1)),
        "{answer}"
    );
    assert_eq!(error("adjudicate", &text(3)), "3 tricks; there are 2 left");
}

#[test]
fn chances_over_all_layouts() {
    // A finesse with four spades out: the king is onside in half of the layouts.
    let question = "all\t0\t100\tNS\t-\tNT S N:AQ... KJ... 32... T9...";
    let answer = ask("chances", question);
    assert_eq!(answer["drawn_of"], 6, "{answer}");
    assert_eq!(answer["cards"][0]["counts"], json!([0, 3, 3]), "{answer}");
    // In parts it is the same; drawn it is near.
    let part = |from: u32| {
        ask(
            "chances",
            &question.replace("0\t100", &format!("{from}\t3")),
        )
    };
    let sum = |of: usize| {
        part(0)["counts"][of].as_u64().unwrap() + part(3)["counts"][of].as_u64().unwrap()
    };
    assert_eq!([sum(0), sum(1), sum(2)], [0, 3, 3]);
    let drawn = ask("chances", &question.replace("all\t0\t100", "draw\t1\t200"));
    let made = drawn["counts"][2].as_u64().unwrap();
    assert!((70..130).contains(&made), "{drawn}");
    // A hand that did not follow is void: North's spades are with East.
    let shown = "all\t0\t100\tNS\t-\tNT S N:AQJ... KT9... 32.2.. .543..\tS2 H3";
    let answer = ask("chances", shown);
    assert_eq!(answer["drawn_of"], 1, "{answer}");
    // A condition on the cards that are left: the king is with West, and the finesse wins.
    let given = question.replace("\t-\t", "\tW+SK\t");
    let answer = ask("chances", &given);
    assert_eq!(answer["counts"], json!([0, 0, 3]), "{answer}");
    let wrong = error("chances", &question.replace("\t-\t", "\tW.S=1,N+SA\t"));
    assert!(wrong.contains("column 7"), "{wrong}");
    // A lead from one hand: 39 cards are hidden.
    let lead = "draw\t1\t3\tW\t-\tNT W N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3";
    let answer = ask("chances", lead);
    assert_eq!(
        (
            answer["layouts"].as_u64(),
            answer["cards"].as_array().unwrap().len()
        ),
        (Some(3), 13)
    );
}

#[test]
fn single_dummy_beside_double_dummy() {
    // Two ways to finesse: all four hands seen always take three, a plan does not.
    let position = "NT S N:AJ2... Q83... KT4... 765...";
    let open = ask("chances", &format!("all\t0\t100\tNS\t-\t{position}"));
    assert_eq!(
        (&open["layouts"], &open["counts"]),
        (&json!(20), &json!([0, 0, 0, 20])),
        "{open}"
    );
    let single = ask("single", &format!("3\tNS\t-\t{position}"));
    assert_eq!(single["of"], 20, "{single}");
    let best = single["cards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["layouts"].as_u64().unwrap())
        .max();
    assert!(best < Some(20) && best >= Some(10), "{single}");
    let narrowed = ask("single", &format!("3\tNS\tE+SQ,E+S8\t{position}"));
    assert_eq!(narrowed["of"], 4, "{narrowed}");
    let wrong = error("single", &format!("3\tNS\tE+SQ,E+S9\t{position}"));
    assert_eq!(
        wrong,
        "condition, column 6: the S9 is not one of the unseen cards"
    );
    assert!(error("single", &format!("4\tNS\t-\t{position}")).contains("3 left"));
}

#[test]
fn endings() {
    let answer = ask("beside", "NT S N:AQ... KJ... 32... T9...");
    assert_eq!(answer["tricks"], 1, "{answer}");
    let beside = answer["beside"].as_array().unwrap();
    assert_eq!(beside[0]["swapped"], json!(["SA", "SK"]));
    for of in beside {
        let text = format!("NT S {}", of["deal"].as_str().unwrap());
        assert_eq!(ask("matter", &text)["tricks"], of["tricks"], "{of}");
    }
    let hard = ask("hard", "1 4");
    let text = format!(
        "{} {} {}",
        hard["strain"].as_str().unwrap(),
        hard["leader"].as_str().unwrap(),
        hard["deal"].as_str().unwrap()
    );
    let cards = ask("cards", &text);
    assert_eq!(cards["cards"][0]["card"], hard["right"][0]);
    assert!(cards["cards"][0]["tricks"].as_u64() > cards["cards"][1]["tricks"].as_u64());
}

#[test]
fn boards_from_files_and_links() {
    let pbn = "[Board \"7\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n[Deal \"N:T543.KQ4.43.9542 \
               AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76\"]\n[Contract \"4H\"]\n\
               [Declarer \"W\"]\n[Play \"N\"]\nC2 C3 C8 CA\n*\n[Result \"9\"]\n";
    let boards = ask("boards", pbn);
    let board = &boards["boards"][0];
    assert_eq!(board["deal"], DEAL);
    assert_eq!(board["contract"], "4HW");
    assert_eq!(board["play"], json!(["C2", "C3", "C8", "CA"]));
    let lin = "https://www.bridgebase.com/tools/handviewer.html?lin=md%7C3S87H97DQJ9876CKT8%2C\
               SQ2HAJT8532D2CA76%2CST543HKQ4D43C9542%2C%7Csv%7Cb%7Cmb%7C1N%7Cmb%7Cp%7Cmb%7Cp%7Cmb%7Cp%7C";
    let board = &ask("boards", lin)["boards"][0];
    assert_eq!(board["deal"], DEAL, "{board}");
    // Several links, of both kinds, and one without a board.
    let hands = "https://x/?s=s2hak&w=s3h23&n=s4h45&e=s5h67&b=12&a=1n(15-17)ppp&p=h2&d=s";
    let links = format!("{lin}\nhttps://short.example/abc\n{hands}\n");
    let boards = ask("boards", &links)["boards"].clone();
    assert_eq!(boards.as_array().map(Vec::len), Some(3));
    assert_eq!(boards[0]["deal"], DEAL);
    let message = boards[1]["error"].as_str().expect("an error");
    assert!(
        message.contains("line 2: the link has no board in it"),
        "{message}"
    );
    assert_eq!(
        (&boards[2]["contract"], &boards[2]["board"]),
        (&json!("1NTS"), &json!(12))
    );
    assert_eq!(boards[2]["notes"], json!([]));
    // A list of one's own boards, and a page whose links leave out their host.
    let lin =
        "md|3S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,|sv|b|mb|1N|mb|p|mb|p|mb|p|";
    let own =
        format!("<td><a onclick=\"hv_popuplin('ah|Board 3|{lin}');return false;\" href=\"#\">");
    let short = format!("<a href=\"/tools/handviewer.html?lin=ah|Board 4|{lin}\">Movie</a>\r\n");
    let boards = ask("boards", &format!("<html>{own}{short}{own}"))["boards"].clone();
    let written: Vec<String> = boards
        .as_array()
        .unwrap()
        .iter()
        .map(|of| format!("{} {}", of["board"], of["deal"]))
        .collect();
    assert_eq!(written, [format!("3 \"{DEAL}\""), format!("4 \"{DEAL}\"")]);
    let boards = ask("boards", "https://example.org/")["boards"].clone();
    assert!(boards[0]["error"].as_str().unwrap().contains("no board"));
}

#[test]
fn bad_questions_have_an_error() {
    for what in [
        "strain",
        "par",
        "position",
        "cards",
        "record",
        "matter",
        "sure",
        "sure_cards",
        "plan",
        "against",
        "help",
        "adjudicate",
        "chances",
        "single",
        "beside",
        "hard",
        "",
        "?",
    ] {
        for text in [
            "",
            "\t",
            "\n",
            "NT",
            "NT N",
            "🂡\t\t\t\t\t\t",
            "NT N N:... ... ... ...\tSA",
            "1\tN\t-\t?\t",
        ] {
            assert!(!error(what, text).is_empty());
        }
    }
    let long = "x".repeat(5 << 20);
    assert_eq!(
        error("boards", &long),
        "5242880 bytes; at most 4194304 are read"
    );
    assert_eq!(
        error("matter", "NT N N:A... K... Q... J...\tSA SK SQ SJ"),
        "all cards have been played"
    );
}

/// The page shows conditions in words, and their forms, as the engine defines them.
#[test]
fn conditions_are_taught_as_they_are_read() {
    let answer = ask("condition", "W-HA,S=3-2|N.balanced");
    assert_eq!(
        answer["words"],
        "West does not have the ace of hearts and the spades are split 3-2, or North is balanced"
    );
    let none = ask("condition", "-");
    assert!(none["words"].is_null());
    let forms = none["forms"].as_array().expect("forms");
    assert!(forms.len() > 10);
    for form in forms {
        let text = form[0].as_str().expect("a text");
        assert!(ask("condition", text)["words"].is_string(), "{form}");
        assert!(
            form[1].as_str().is_some_and(|meaning| !meaning.is_empty()),
            "{form}"
        );
    }
    // The tricks of the lesson are those taken.
    let finesse = "NT S N:AQ... KJ... 32... T9...";
    let layouts = |given: &str| {
        ask("chances", &format!("all\t0\t100\tNS\t{given}\t{finesse}"))["layouts"].clone()
    };
    assert_eq!(layouts("-"), 6);
    assert_eq!(layouts("W-SK"), 3);
    assert_eq!(layouts("W+SK|W+SJ"), 5);
    assert!(error("condition", "W!HA").contains("is not a condition"));
}

#[test]
fn shares_are_those_of_odds() {
    let shares = |text: &str| ask("shares", text)["shares"].clone();
    let found = shares("drawn\t1\n50 50\n10\n0 4 6\n\n");
    for (at, share, drawn) in [(0, 0.5, 100), (1, 0.0, 10), (2, 1.0, 10), (3, 0.0, 0)] {
        let [low, high] = setrograde_single_dummy::interval(share, drawn);
        assert_eq!(found[at]["interval"], json!([low, high]));
        assert_eq!(found[at]["at_least"], share);
        assert_eq!(found[at]["layouts"], drawn as u64);
    }
    assert_eq!(found[2]["mean"], 1.6);
    assert_eq!(found[2]["each"], json!([0.0, 0.4, 0.6]));
    assert_eq!(shares("exact\t2\n1 2 1")[0]["interval"], json!(null));
    assert_eq!(shares("exact\t9\n1 2 1")[0]["at_least"], 0.0);
    assert!(error("shares", "drawn\t1\n1/2").contains("invalid digit"));
    assert!(error("shares", &format!("drawn\t1\n{}", "1 2\n".repeat(500))).contains("at most"));
    assert!(error("shares", "drawn\t1").contains("no counts"));
}

/// Layouts are those that `odds` and `layouts` draw with seed 1, in parts of any size.
#[test]
fn layouts_are_drawn_as_by_the_command() {
    let position = "NT S N:AQ43... KJ98... 7652... T..AKQ.";
    let of = |first: usize, count: usize| {
        ask(
            "chances",
            &format!("draw\t{first}\t{count}\tNS\t-\t{position}"),
        )["counts"]
            .clone()
    };
    let sum = |parts: &[Value]| -> Vec<u64> {
        let tricks = parts[0].as_array().map_or(0, Vec::len);
        let at = |n: usize| parts.iter().filter_map(|part| part[n].as_u64()).sum();
        (0..tricks).map(at).collect()
    };
    let all = sum(&[of(0, 30)]);
    assert_eq!(all, sum(&[of(0, 10), of(10, 20)]));
    assert_eq!(all.iter().sum::<u64>(), 30);
}

/// Two tables of a board: the record of each, and the scores against each other.
#[test]
fn an_evening_at_a_glance() {
    let file = include_str!("../../../data/samples/match.lin");
    let boards = ask("boards", file);
    let boards = boards["boards"].as_array().expect("boards");
    let pbn = |n: usize| boards[n]["pbn"].as_str().expect("PBN").to_owned();
    // The closed room's contract fails by a trick.
    assert_eq!(
        (&boards[0]["score"], &boards[1]["score"]),
        (&json!(-430), &json!(50))
    );
    assert_eq!(boards[0]["points"], json!([4, 13, 11, 12]));
    let session = ask("session", &(pbn(1) + &pbn(0)));
    assert_eq!(session["session"]["comparing"], "imps");
    for (n, score, imps) in [(0, 50, 10.0), (1, -430, -10.0)] {
        let [board, table] = [0, 1].map(|at| session["places"][n][at].as_u64().expect("an index"));
        let line = &session["session"]["boards"][board as usize]["tables"][table as usize];
        assert_eq!(
            (&line["score"], &line["imps"]),
            (&json!(score), &json!(imps))
        );
    }
    // A board without a result has no place; the others are by number.
    let deal = format!("[Deal \"{DEAL}\"]\n");
    let board = |number: u8, rest: &str| format!("[Board \"{number}\"]\n{deal}{rest}\n");
    let passed = "[Declarer \"\"]\n[Contract \"Pass\"]\n";
    let session = ask(
        "session",
        &(board(2, passed) + &board(1, "") + &board(1, passed)),
    );
    assert_eq!(session["places"], json!([[1, 0], null, [0, 0]]));
    let glances = [0, 1].map(|n| ask("glance", &pbn(n)));
    for glance in &glances {
        // The mistakes cost the difference between the result and double dummy.
        let number = |value: &Value| value.as_i64().expect("a number");
        let (ns, ew) = (number(&glance["lost"][0]), number(&glance["lost"][1]));
        let made = number(&glance["double_dummy"]) - ew + ns;
        assert_eq!(made, number(&glance["result"]));
        assert_eq!(
            number(&glance["over_par"]),
            number(&glance["score"]) - number(&glance["par"]["score"])
        );
    }
    let line = |kind: &str, of: &Value| {
        let names = [
            "boards",
            "cards",
            "mistakes",
            "tricks",
            "on_lead",
            "declaring",
            "defending",
        ];
        let numbers = names.map(|name| of[name].to_string());
        format!(
            "{}\t{kind}\t{}",
            of["name"].as_str().expect("a name"),
            numbers.join(" ")
        )
    };
    let mut lines = Vec::new();
    for glance in &glances {
        for (kind, list) in [("player", "players"), ("pair", "pairs")] {
            let list = glance["summary"]["summary"][list]
                .as_array()
                .expect("a list");
            lines.extend(list.iter().map(|of| line(kind, of)));
        }
    }
    let summary = ask("summary", &lines.join("\n"));
    let players = summary["summary"]["players"].as_array().expect("players");
    assert_eq!(players.len(), 8);
    let sum: u64 = players
        .iter()
        .map(|of| of["tricks"].as_u64().expect("a number"))
        .sum();
    let lost = |glance: &Value| {
        [0, 1]
            .map(|side| glance["lost"][side].as_u64().expect("a number"))
            .iter()
            .sum::<u64>()
    };
    assert_eq!(sum, glances.iter().map(lost).sum::<u64>());
    assert!(error("summary", "Ann\tteam\t1 2 3 4 5 6 7").contains("neither"));
    assert_eq!(
        ask("score", "4HXW All 9"),
        json!({ "score": 200, "outcome": "down 1" })
    );
}

#[test]
fn one_suit_and_the_contract_to_be_in() {
    let suit = ask("suit", "AJT98\t432\t4");
    let chance = suit["lines"][0]["chance"].as_f64().expect("a chance");
    // Either honour with East, or the suit falls: the books' 76 %.
    assert!((chance - 0.76).abs() < 0.005, "{chance}");
    assert!(error("suit", "AQ\t32\t3").contains("at most"));
    let whole = |seen: &str| format!("3NTN,4SN\tNone\t6\t{seen}\t-\tNT W {DEAL}\t");
    let compared = ask("compare", &whole("NS"));
    assert_eq!(compared["contracts"][0]["layouts"], 6);
    assert_eq!(compared["contracts"][0]["imps"], 0.0);
    assert!(error("compare", &whole("NS").replace("\t6\t", "\t6000\t")).contains("at most"));
}
