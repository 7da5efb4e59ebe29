//! The engine's answers, against the crates that it asks and against each other.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use setrograde::cards::{Card, Deal, Hand, Suit};
use setrograde::{DESK, Desk};
use setrograde_page::{Engine, QUESTIONS};

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
const FINESSE: &str = "NT S N:AQ... ? 32... ? out=KJT9...";

fn ask(question: &Value) -> Value {
    asked(&mut Engine::default(), question)
}

fn asked(engine: &mut Engine, question: &Value) -> Value {
    serde_json::from_str(&engine.ask(&question.to_string())).expect("JSON")
}

/// Asks one question about cards.
fn about(engine: &mut Engine, ask: &str, question: &str) -> Value {
    asked(engine, &json!({"ask": ask, "question": question}))
}

fn error(question: &Value) -> String {
    let answer = ask(question);
    let error = answer["error"].as_str();
    error.expect("an error").to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The texts of a list.
fn texts(value: &Value) -> Vec<&str> {
    let texts = list(value).iter();
    texts.map(|text| text.as_str().expect("a text")).collect()
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

/// Questions about cards are those of the desk, with its answers and refusals.
#[test]
fn the_desk_answers_questions_about_cards() {
    let claim = "NT W N:A.KQJT.. K.9.98.J .A..AKQ2 Q.8..T98";
    let mut questions = Vec::new();
    for entry in QUESTIONS {
        let mut question: Value = serde_json::from_str(entry.example.json).expect("JSON");
        question["ask"] = entry.name.into();
        let answer = ask(&question);
        assert!(answer["error"].is_null(), "{question}: {answer}");
        if DESK.iter().any(|of_desk| of_desk.name == entry.name) {
            questions.push(question);
        }
    }
    questions.extend([
        json!({"ask": "solve", "question": "NT S N:AQ... K3... 5... 76... played=S4", "all": true}),
        json!({"ask": "claim", "question": FINESSE, "tricks": 1, "explain": true}),
        json!({"ask": "adjudicate", "question": claim, "by": "W", "tricks": 5, "line": "HT"}),
        json!({"ask": "compare", "question": "AK5.KJ42.Q73.A64 QJT92.A3.K64.852",
               "contracts": ["3NT", "4S"], "draw": 3}),
        json!({"ask": "solve", "question": "NT"}),
        json!({"ask": "solve", "question": FINESSE, "nothing": 1}),
        json!([{"ask": "matter", "question": "NT N N:A... K... Q... J..."}, {"ask": 1}]),
    ]);
    for question in questions {
        let expected = Desk::default().ask(&question.to_string());
        assert_eq!(Engine::default().ask(&question.to_string()), expected);
    }
}

/// The scripts of the page ask only what its engine answers.
#[test]
fn the_engine_answers_what_the_page_asks() {
    let mut asked = 0;
    for folder in ["../../page", "../../page/views"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in fs::read_dir(folder).expect("files") {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|ending| ending != "mjs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            for name in text.split("ask: \"").skip(1) {
                let name = name.split('"').next().expect("a name");
                let is_known = QUESTIONS.iter().any(|entry| entry.name == name);
                assert!(is_known, "{}: {name}", path.display());
                asked += 1;
            }
        }
    }
    assert!(asked > 20, "{asked}");
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
            let text = format!("{start} {}", played.join(" "));
            let shown = about(&mut engine, "position", &text);
            let mut legal = texts(&shown["legal"]);
            let Some(&card) = rng.choice(&legal) else {
                break;
            };
            if played.len() > 24 {
                let all = json!({"ask": "solve", "question": text, "all": true});
                let solved = asked(&mut engine, &all);
                let mut cards = Vec::new();
                for of in list(&solved["cards"]) {
                    cards.push(of["card"].as_str().expect("a card"));
                    cards.extend(texts(&of["equals"]));
                }
                cards.sort_unstable();
                legal.sort_unstable();
                assert_eq!(cards, legal, "{text}");
            }
            played.push(card.to_owned());
        }
        assert_eq!(played.len(), 52);
        let question = format!("{start} {}", played.join(","));
        let record = about(&mut engine, "analyse", &question);
        let end = about(&mut engine, "position", &question);
        let mut tricks = number(&record["tricks"]);
        for step in list(&record["cards"]) {
            let cost = number(&step["gives_away"]);
            let leaders = step["seat"] == "S" || step["seat"] == "N";
            tricks += if leaders { -cost } else { cost };
            assert_eq!(step["tricks"], tricks);
            let right = step["right"].as_array();
            assert_eq!(right.is_some(), cost > 0);
            assert!(right.is_none_or(|right| !right.contains(&step["card"])));
        }
        assert_eq!(end["won"][0], tricks);
    }
}

#[test]
fn what_matters_decides_and_what_does_not_is_free() {
    // Cards that do not matter are dealt again among the hands: the result stays.
    let mut rng = fastrand::Rng::with_seed(2);
    let mut engine = Engine::default();
    let mut moved = 0;
    for round in 0..60 {
        let cards = 3 + round % 5;
        let deal = Deal::random_ending(cards, |n| rng.usize(..n));
        let strain = ["NT", "S", "D"][round % 3];
        let start = format!("{strain} E {deal}");
        let mut played = String::new();
        for _ in 0..round % 4 {
            let shown = about(&mut engine, "position", &format!("{start} {played}"));
            let legal = texts(&shown["legal"]);
            played = format!("{played} {}", legal[rng.usize(..legal.len())]);
        }
        let found = about(&mut engine, "matter", &format!("{start} {played}"));
        let tricks = number(&found["tricks"]);
        let matter = texts(&found["cards"]);
        let count =
            |name: &str| -> u128 { found[name].to_string().replace('"', "").parse().unwrap() };
        assert!((1..=count("of")).contains(&count("deals")), "{found}");
        for _ in 0..4 {
            let mut hands = *deal.hands();
            for suit in Suit::ALL {
                let free = |hand: &Hand| -> Vec<Card> {
                    let is_free = |card: &Card| {
                        let text = card.to_string();
                        card.suit == suit && !matter.contains(&&*text) && !played.contains(&text)
                    };
                    hand.cards().filter(is_free).collect()
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
            let other = Deal::new(hands).expect("a deal");
            let text = format!("{strain} E {other} {played}");
            let again = about(&mut engine, "matter", &text)["tricks"].clone();
            assert_eq!(again, tricks, "{deal} {played} {text}");
        }
    }
    assert!(moved > 100, "{moved}");
}

/// A ruling may know something of the cards that are left after the play.
#[test]
fn a_contested_claim() {
    // A finesse that loses: two are claimed, one is sure, and one is awarded.
    let ruling = |tricks: u8, if_left: &str| {
        ask(
            &json!({"ask": "adjudicate", "question": "NT S N:AQ... KJ... 32... T9...", "by": "N",
                    "tricks": tricks, "if_left": if_left}),
        )
    };
    let answer = ruling(2, "E.S=2");
    let names = ["claimed", "sure", "awarded"].map(|name| answer[name].clone());
    assert_eq!(names, [2, 1, 1], "{answer}");
    let error = ruling(3, "E.S=2")["error"].clone();
    assert_eq!(error, "3 tricks are claimed, but only 2 are left");
    let play = "NT S N:AQJ... KT9... 32.2.. .543.. S2 H3 SQ SK";
    let after = |name: &str, condition: &str| {
        ask(
            &json!({"ask": "adjudicate", "question": play, "by": "N", "tricks": 2, name: condition}),
        )
    };
    // East had three spades and has two.
    assert_eq!(after("if", "E.S=3")["error"], Value::Null);
    assert_eq!(after("if_left", "E.S=2")["error"], Value::Null);
    assert!(after("if_left", "E.S=3")["error"].is_string());
    let wrong = after("if_left", "E.S=2,E!");
    let sentence = wrong["error"].as_str().expect("an error");
    assert!(sentence.starts_with("if: column 7: "), "{wrong}");
}

fn boards_of(text: &str) -> Value {
    ask(&json!({"ask": "boards", "source": text}))
}

#[test]
fn boards_from_files_and_links() {
    let pbn = "[Board \"7\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n[Deal \"N:T543.KQ4.43.9542 \
               AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76\"]\n[Contract \"4H\"]\n\
               [Declarer \"W\"]\n[Play \"N\"]\nC2 C3 C8 CA\n*\n[Result \"9\"]\n";
    let boards = boards_of(pbn);
    let board = &boards["boards"][0];
    assert_eq!(board["deal"], DEAL);
    assert_eq!(board["contract"], "4HW");
    assert_eq!(board["play"], json!(["C2", "C3", "C8", "CA"]));
    let lin = "https://www.bridgebase.com/tools/handviewer.html?lin=md%7C3S87H97DQJ9876CKT8%2C\
               SQ2HAJT8532D2CA76%2CST543HKQ4D43C9542%2C%7Csv%7Cb%7Cmb%7C1N%7Cmb%7Cp%7Cmb%7Cp%7Cmb%7Cp%7C";
    let board = &boards_of(lin)["boards"][0];
    assert_eq!(board["deal"], DEAL, "{board}");
    // Several links, of both kinds, and one without a board.
    let hands = "https://x/?s=s2hak&w=s3h23&n=s4h45&e=s5h67&b=12&a=1n(15-17)ppp&p=h2&d=s";
    let links = format!("{lin}\nhttps://short.example/abc\n{hands}\n");
    let boards = boards_of(&links)["boards"].clone();
    assert_eq!(boards.as_array().map(Vec::len), Some(3));
    assert_eq!(boards[0]["deal"], DEAL);
    let message = boards[1]["error"].as_str().expect("an error");
    let said = "line 2: the link has no board in it";
    assert!(message.contains(said), "{message}");
    assert_eq!(boards[2]["contract"], "1NTS");
    assert_eq!(boards[2]["board"], 12);
    assert_eq!(boards[2]["notes"], json!([]));
    // A list of one's own boards, and a page whose links leave out their host.
    let lin =
        "md|3S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,|sv|b|mb|1N|mb|p|mb|p|mb|p|";
    let own =
        format!("<td><a onclick=\"hv_popuplin('ah|Board 3|{lin}');return false;\" href=\"#\">");
    let short = format!("<a href=\"/tools/handviewer.html?lin=ah|Board 4|{lin}\">Movie</a>\r\n");
    let boards = boards_of(&format!("<html>{own}{short}{own}"))["boards"].clone();
    let written = list(&boards).iter();
    let written: Vec<String> = written
        .map(|of| format!("{} {}", of["board"], of["deal"]))
        .collect();
    assert_eq!(written, [format!("3 \"{DEAL}\""), format!("4 \"{DEAL}\"")]);
    let boards = boards_of("https://example.org/")["boards"].clone();
    let error = boards[0]["error"].as_str().expect("an error");
    assert!(error.contains("no board"), "{error}");
}

/// The command reads the same: lines are questions without numbers, and boards without a deal have
/// its reasons.
#[test]
fn boards_are_read_as_the_command_reads_them() {
    let line = &boards_of(&format!("{DEAL}\n"))["boards"][0];
    assert_eq!(line["board"], Value::Null);
    assert_eq!(line["deal"], DEAL);
    // The cards on the table are played from the hands.
    let begun = &boards_of("NT S N:AQ... K3... 5... 76... played=S4\n")["boards"][0];
    assert_eq!(begun["deal"], "N:AQ... K3... 54... 76...");
    assert_eq!(begun["leader"], "S");
    assert_eq!(begun["play"], json!(["S4"]));
    let two = "[Board \"3\"]\n[Deal \"N:AQ732.K5.J83.T92 - K4.AQ3.AKT2.J853 -\"]\n";
    let hold = "the hands hold 2, 2, 2 and 1 cards; all four must be equally long";
    for (text, reason) in [
        (
            "North: AK...\nEast: QJ...\nSouth: T9...\nWest: 8...\n",
            &*format!(", line 1, board 1: {hold}"),
        ),
        ("N:AK... QJ... T9... 8...\n", &format!(", line 1: {hold}")),
        (
            two,
            ", line 1, board 3: the hands of East and West are hidden",
        ),
        (
            "hello\n",
            ": no board and no question found; expected PBN, LIN",
        ),
    ] {
        let read = boards_of(text);
        let board = &read["boards"][0];
        assert_eq!(board["deal"], json!(null), "{board}");
        let reasons = [&board["lacks"], &board["error"], &read["error"]];
        let found = reasons.into_iter().find_map(Value::as_str);
        let found = found.expect("a reason");
        let expected = format!("what was pasted{reason}");
        // The last one goes on with all formats.
        let end = if text == "hello\n" {
            expected.len()
        } else {
            found.len()
        };
        assert_eq!(&found[..end], expected);
    }
}

#[test]
fn bad_questions_have_an_error() {
    for text in [
        "",
        "\t",
        "\n",
        "NT",
        "NT N",
        "🂡\t\t\t\t\t\t",
        "NT N N:... ... ... ... SA",
    ] {
        for name in "solve table par position analyse matter claim odds ?".split(' ') {
            assert!(!error(&json!({"ask": name, "question": text})).is_empty());
        }
        assert!(!error(&json!({"ask": "glance", "board": text})).is_empty());
        let boards = boards_of(text);
        assert!(boards["error"].is_string() || boards["boards"][0]["error"].is_string());
    }
    assert_eq!(
        error(&json!({"ask": "boards", "source": "x".repeat(5 << 20)})),
        "5242880 bytes; at most 4194304 are read"
    );
    assert!(error(&json!({"ask": "decode", "letters": "€"})).contains("out of range"));
    assert!(error(&json!({"ask": "?"})).contains("expected one of solve, table"));
}

/// The page shows conditions in words, and their forms, as the engine defines them.
#[test]
fn conditions_are_taught_as_they_are_read() {
    let condition = |text: &str| json!({"ask": "condition", "if": text});
    let answer = ask(&condition("W-HA,S=3-2|N.balanced"));
    assert_eq!(
        answer["words"],
        "West does not have the ace of hearts and the spades are split 3-2, or North is balanced"
    );
    let none = ask(&json!({"ask": "condition"}));
    assert!(none["words"].is_null());
    let forms = list(&none["forms"]);
    assert!(forms.len() > 10);
    for form in forms {
        let [text, meaning] = texts(form)[..] else {
            panic!("{form}");
        };
        assert!(ask(&condition(text))["words"].is_string(), "{form}");
        assert!(!meaning.is_empty(), "{form}");
    }
    assert!(error(&condition("W!HA")).contains("is not a condition"));
}

/// Two tables of a board: the record of each, and the scores against each other.
#[test]
fn an_evening_at_a_glance() {
    let file = include_str!("../../../data/samples/match.lin");
    let boards = boards_of(file);
    let boards = boards["boards"].as_array().expect("boards");
    let pbn = |n: usize| boards[n]["pbn"].as_str().expect("PBN").to_owned();
    // The closed room's contract fails by a trick.
    assert_eq!(boards[0]["score"], -430);
    assert_eq!(boards[1]["score"], 50);
    let session = |pbn: String| {
        ask(&json!({"ask": "results", "boards": pbn, "recorded": true}))["session"].clone()
    };
    let of_two = session(pbn(1) + &pbn(0));
    assert_eq!(of_two["comparing"], "imps");
    for (n, score, imps) in [(0, 50, 10.0), (1, -430, -10.0)] {
        let [board, table] = [0, 1].map(|at| of_two["records"][n][at].as_u64().expect("an index"));
        let line = &of_two["boards"][board as usize]["tables"][table as usize];
        assert_eq!(line["score"], score);
        assert_eq!(line["imps"], imps);
    }
    // A board without a result is not in the session; the others are by number.
    let deal = format!("[Deal \"{DEAL}\"]\n");
    let board = |number: u8, rest: &str| format!("[Board \"{number}\"]\n{deal}{rest}\n");
    let passed = "[Declarer \"\"]\n[Contract \"Pass\"]\n";
    let tables = |pbn| session(pbn)["records"].clone();
    let three = board(2, passed) + &board(1, "") + &board(1, passed);
    assert_eq!(tables(three), json!([[1, 0], null, [0, 0]]));
    // Two boards may have one number; one of them has the results of its tables.
    let other = board(1, passed).replace("N:T5", "S:T5");
    let scores = "[ScoreTable \"Table;Contract;Declarer;Result\"]\n1 Pass - -\n2 Pass - -\n";
    let of_tables = board(1, scores);
    assert_eq!(tables(other + &of_tables), json!([[0, 0], [1, null]]));
    let glances = [0, 1].map(|n| ask(&json!({"ask": "glance", "board": pbn(n)})));
    for glance in &glances {
        // The mistakes cost the difference between the result and double dummy.
        let [ns, ew] = [0, 1].map(|side| number(&glance["lost"][side]));
        let made = number(&glance["double_dummy"]) - ew + ns;
        assert_eq!(made, number(&glance["result"]));
        let over = number(&glance["score"]) - number(&glance["par"]["score"]);
        assert_eq!(number(&glance["over_par"]), over);
        let summary = &glance["summary"]["summary"];
        for of in ["players", "pairs"] {
            let lost = list(&summary[of]).iter().map(|of| number(&of["tricks"]));
            assert_eq!(lost.sum::<i64>(), ns + ew, "{of}");
        }
    }
    let score = ask(&json!({"ask": "score", "contract": "4HXW", "vulnerable": "All", "tricks": 9}));
    assert_eq!(score["score"], 200);
    assert_eq!(score["outcome"], "down 1");
}

#[test]
fn contracts_to_compare() {
    let mut question =
        json!({"ask": "contracts", "question": DEAL, "by": "W", "vulnerable": "All"});
    assert_eq!(ask(&question)["contracts"], json!(["4HW"]));
    question["contract"] = "3NTE".into();
    assert_eq!(ask(&question)["contracts"], json!(["3NTE", "4HW"]));
    // West and East take 12 tricks at diamonds, and 11 at each other strain.
    let [other, diamonds] = [[1, 11, 1, 11], [1, 12, 1, 12]];
    let results = [other, other, other, diamonds, other];
    question["tricks"] = results.concat().into();
    assert_eq!(ask(&question)["contracts"], json!(["3NTE", "6DW", "4HW"]));
}
