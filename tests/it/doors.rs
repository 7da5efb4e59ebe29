//! Each question has the same answer at the command and at the desk, which all other doors ask.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use serde_json::{Value, json};
use setrograde::{AskEntry, DESK, Desk, JsonQuestion, JsonReply};
use setrograde_beliefs::Question;
use setrograde_cards::{Deal, Seat, Strain};
use setrograde_lookup::Database;

use crate::command::{feed_bytes, finish, run, setrograde, words};
use crate::database::twelve_cards;

/// Questions of each kind.
const EACH: usize = 8;

/// The hands of a deal of `tricks` cards to each.
fn hands(rng: &mut Rng, tricks: usize) -> [String; 4] {
    let deal = Deal::random_ending(tricks, |n| rng.usize(..n));
    deal.hands().map(|hand| hand.to_string())
}

/// All four hands, with West on lead.
fn ending(rng: &mut Rng, tricks: usize) -> String {
    let hands = hands(rng, tricks).join(" ");
    format!("{} W N:{hands}", Strain::ALL[rng.usize(..5)])
}

/// Two hands of which a side sees its own, and the cards that are out.
fn hidden(rng: &mut Rng, tricks: usize) -> String {
    Question::random_text(rng, tricks, Seat::South, &[Seat::East, Seat::West])
}

/// A question at random: the line of the command, and its options in JSON; `None` for kinds whose
/// example is enough.
fn question(rng: &mut Rng, kind: &str) -> Option<(String, Value)> {
    let seed = rng.u8(..);
    let (words, mut options) = match kind {
        "solve" => ("solve --all", json!({"all": true})),
        "table" => ("table", json!({})),
        "par" => ("par --vulnerable NS", json!({"vulnerable": "NS"})),
        "analyse" => ("analyse", json!({})),
        "query" => ("query --count", json!({"count": true})),
        "claim" => (
            "claim --tricks 1 --assume",
            json!({"tricks": 1, "assume": true}),
        ),
        "line" => ("claim line", json!({})),
        "adjudicate" => ("claim adjudicate --by N", json!({"by": "N"})),
        "odds" if rng.bool() => (
            "odds --all --by-split",
            json!({"all": true, "by_split": true}),
        ),
        "odds" => (
            "odds --draw 30 --seed SEED",
            json!({"draw": 30, "seed": seed}),
        ),
        "single_dummy" => ("single-dummy", json!({})),
        "layouts" => (
            "layouts --draw 2 --seed SEED",
            json!({"draw": 2, "seed": seed}),
        ),
        "leads" => (
            "leads --draw 3 --seed SEED 3NT",
            json!({"contract": "3NT", "draw": 3, "seed": seed}),
        ),
        "compare" => (
            "compare --draw 2 3NT,4S",
            json!({"contracts": "3NT,4S", "draw": 2}),
        ),
        "suit" => {
            let north = ["AQ", "KJ32", "AJT", "Q98xx"][rng.usize(..4)];
            let options = json!({"north": north, "south": "765"});
            return Some((format!("suit {north} 765"), options));
        }
        "deal" => return Some(deal(rng, seed)),
        _ => return None,
    };
    let subject = match kind {
        "solve" | "query" => ending(rng, 3),
        "analyse" | "adjudicate" => ending(rng, 2),
        "table" | "par" => format!("N:{}", hands(rng, 2).join(" ")),
        "line" | "single_dummy" => hidden(rng, 2),
        "leads" => hands(rng, 13)[0].clone(),
        "compare" => hands(rng, 13)[..2].join(" "),
        _ => hidden(rng, 3),
    };
    let words = words.replace("SEED", &seed.to_string());
    let line = format!("{words} '{subject}'");
    options["question"] = subject.into();
    Some((line, options))
}

/// Deals by conditions, by a script, or of several types.
fn deal(rng: &mut Rng, seed: u8) -> (String, Value) {
    match rng.u8(..3) {
        0 => (
            format!("deal 3 --seed {seed} --if 'N 15-17,N.bal'"),
            json!({"count": 3, "seed": seed, "if": ["N 15-17,N.bal"]}),
        ),
        1 => {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/samples/stayman.dlr");
            let script = std::fs::read_to_string(file).expect("a script");
            (
                format!("deal 2 --seed {seed} --dealer {file}"),
                json!({"count": 2, "seed": seed, "dealer": script}),
            )
        }
        _ => {
            let mix = "35 % weak two, 60 % strong, 5 % other";
            let (weak, strong) = ("N.hcp=5-10,N.S=6", "N.hcp>=20");
            let names = format!("--name 'weak two={weak}' --name strong={strong}");
            let name = json!({"weak two": weak, "strong": strong});
            (
                format!("deal 20 --seed {seed} --mix '{mix}' {names}"),
                json!({"count": 20, "seed": seed, "mix": mix, "name": name}),
            )
        }
    }
}

/// The line of the command of a question's example, and its options; no line if no command asks it.
fn example(entry: &AskEntry) -> (String, Value) {
    let asked: Value = serde_json::from_str(entry.example.json).expect("JSON");
    let command = entry.example.command;
    let line = match asked["question"].as_str() {
        Some(question) if !command.is_empty() => format!("{command} '{question}'"),
        _ => command.to_owned(),
    };
    (line, asked)
}

/// What a desk answers to a question.
fn asked(desk: &mut Desk, question: impl ToString) -> Value {
    serde_json::from_str(&desk.ask(&question.to_string())).expect("JSON")
}

#[test]
fn the_command_answers_as_the_desk_does() {
    let mut rng = Rng::with_seed(60);
    let database = Database::open(twelve_cards()).expect("it opens");
    let mut desk = Desk::new(Some(Arc::new(database)));
    for entry in DESK {
        let drawn = (0..EACH).map_while(|_| question(&mut rng, entry.name));
        let drawn: Vec<_> = drawn.collect();
        for (line, mut question) in [example(entry)].into_iter().chain(drawn) {
            let mut words: Vec<&str> = words(&line).collect();
            question["ask"] = entry.name.into();
            let mut answer = asked(&mut desk, &question);
            if words.is_empty() {
                assert!(answer["error"].is_null(), "{question}: {answer}");
                continue;
            }
            words.push("--json");
            let mut command = setrograde();
            let command = command.env("SETROGRADE_DB", twelve_cards());
            let printed = finish(command.args(&words)).json();
            // A command's exit status says the same.
            answer.as_object_mut().expect("an object").remove("because");
            assert_eq!(answer, printed, "{words:?}");
        }
    }
}

/// The desk solves the deals of an evening one after another, the command on all cores.
#[test]
fn an_evening_has_the_same_results_at_the_command_and_at_the_desk() {
    let broken = "[Board \"77\"]\n[Deal \"N:AKX... Q... J... T...\"]\n";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/samples/evening.pbn");
    let boards = std::fs::read_to_string(file).expect("a file");
    let mut desk = Desk::new(None);
    let mut ask = |boards: &str| asked(&mut desk, json!({"ask": "results", "boards": boards}));
    let answer = ask(&boards);
    let words = ["analyse", "--format", "results", "--json", file];
    let printed = run(&words).json();
    assert_eq!(answer["session"], printed["session"]);
    assert!(answer.get("unread").is_none(), "{answer}");

    let partly = ask(&format!("{boards}\n{broken}"));
    assert_eq!(partly["session"], answer["session"]);
    let fault = partly["unread"][0].as_str().expect("a fault");
    assert!(fault.contains("board 77"), "{fault}");
    for (boards, said) in [(broken, "'X' is not a rank"), ("", "boards: there is none")] {
        let refused = ask(boards);
        let error = refused["error"].as_str().expect("a refusal");
        assert!(error.contains(said), "{error}");
        assert_eq!(refused["because"], "question", "{refused}");
    }
}

/// The desk answers files for the server; the command has its own loop, with several workers.
#[test]
fn files_have_the_same_answers_at_the_command_and_at_the_desk() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/samples");
    let read = |name: &str| std::fs::read(format!("{folder}/{name}")).expect("a file");
    let lines = "# two\n NT S N:AQ... ? 32... ? out=KJT9...\t\n\nnothing\nNT S N:AQ... ? 32...\n";
    let deals = "N:AK.2.. QJ.A.. 32..A. ..K2.A\nN:AK.2..\nsome text\nN:A... K... Q... J... (1)\n";
    let database = Arc::new(Database::open(twelve_cards()).expect("it opens"));
    for (words, options, file) in [
        (&["table"][..], "", read("evening.pbn")),
        (
            &["par", "--vulnerable=NS"],
            "vulnerable=NS",
            read("evening.pbn"),
        ),
        (&["analyse"], "", read("match.lin")),
        (&["claim"], "", read("match.lin")),
        (&["solve", "--all"], "all=", read("match.lin")),
        (&["odds", "--all"], "all=true", lines.into()),
        (&["table"], "", deals.into()),
        (&["table"], "", b"nothing that asks\n".to_vec()),
    ] {
        let pairs = options
            .split_once('=')
            .map(|(name, text)| (name.to_owned(), text.to_owned()));
        let question = JsonQuestion::flat(pairs)
            .of_kind(words[0])
            .expect("a question");
        let mut desk = Desk::new(Some(Arc::clone(&database)));
        let mut found: Vec<Value> = Vec::new();
        let each = &mut |reply: JsonReply| {
            let mut object: Value = serde_json::from_str(&reply.object).expect("JSON");
            assert_eq!(
                object["error"].is_string(),
                reply.refused.is_some(),
                "{object}"
            );
            object.as_object_mut().expect("an object").remove("because");
            found.push(object);
            ControlFlow::Continue(())
        };
        let replied = desk.reply_to_each(question, &mut &file[..], each);
        replied.expect("the options are right");
        let mut command = setrograde();
        command
            .env("SETROGRADE_DB", twelve_cards())
            .args(words)
            .args(["--json", "-"]);
        let expected = feed_bytes(&mut command, &file).objects();
        assert_eq!(found, expected, "{words:?}");
    }
}

#[test]
fn all_questions_are_in_the_document() {
    let document = include_str!("../../docs/json.md");
    let table = document.split("| question | command |").nth(1);
    let table = table
        .and_then(|rest| rest.split("\n\n").next())
        .expect("a table");
    let rows = table.lines().skip(2).map(|row| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let [name, command] = [(); 2].map(|()| cells.next().expect("a cell"));
        (name.trim_matches('`'), command)
    });
    let mut rows: BTreeMap<&str, &str> = rows.collect();
    for entry in DESK {
        let command = rows.remove(entry.name).expect(entry.name);
        // The example of a question that a command asks, without a file, has its words.
        let command = command.strip_prefix('`').unwrap_or_default();
        let command = command.strip_suffix('`').unwrap_or_default();
        let command = Some(command).filter(|words| !words.contains(" --"));
        let words: Vec<&str> = command.unwrap_or_default().split_whitespace().collect();
        let example: Vec<&str> = entry.example.command.split_whitespace().collect();
        assert_eq!(example.is_empty(), words.is_empty(), "{}", entry.name);
        assert!(example.starts_with(&words), "{}", entry.name);
    }
    assert_eq!(rows, BTreeMap::new());
}

#[test]
fn what_is_no_question_is_refused() {
    let mut desk = Desk::default();
    let two_subjects = r#"{"ask": "solve", "question": "x", "board": "y"}"#;
    for (because, question, said) in [
        ("request", "", "not JSON"),
        ("request", "3", "an object"),
        ("request", r#"{"ask": "bid"}"#, "expected one of solve"),
        ("request", two_subjects, "one of them"),
        (
            "question",
            r#"{"ask": "solve", "question": "NT"}"#,
            "expected",
        ),
        (
            "question",
            r#"{"ask": "table", "board": ""}"#,
            "board: there is none",
        ),
    ] {
        let answer = asked(&mut desk, question);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(said), "{question}: {answer}");
        assert_eq!(answer["because"], because, "{question}");
    }
    let list = r#"[{"ask": "table", "question": "N:A... K... Q... J...", "text": true}, 4]"#;
    let answers = asked(&mut desk, list);
    let text = answers[0]["text"].as_str().expect("text");
    assert!(text.contains("NT   S"), "{answers}");
    assert!(answers[1]["error"].is_string());
    let board =
        "[Board \"1\"]\n[Deal \"N:A... K... Q... J...\"]\n[Contract \"1NT\"]\n[Declarer \"W\"]\n";
    let answer = asked(&mut desk, json!({"ask": "solve", "board": board}));
    assert_eq!(answer["question"], "NT N N:A... K... Q... J...", "{answer}");
    assert_eq!(answer["tricks"], 1);
}

/// A list whose time is over is not read any further.
#[test]
fn a_list_ends_with_its_time() {
    let ended = Arc::new(AtomicBool::new(true));
    let mut desk = Desk::new(None);
    desk.set_stop(ended.into());
    let answers = asked(&mut desk, Value::from(vec![json!({"ask": "nothing"}); 3]));
    let answers = answers.as_array().expect("a list");
    assert_eq!(answers.len(), 3);
    for answer in answers {
        assert_ne!(answer["because"], "question", "{answer}");
    }
}
