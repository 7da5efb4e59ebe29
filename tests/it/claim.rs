//! `setrograde claim`.

use std::fs;

use serde_json::json;

use crate::command::{Printed, feed, finish, run, setrograde};

const FINESSE: &str = "NT S N:AQ... ? 32... ? out=KJT9...";
const EASY: &str = "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98";

fn claim(arguments: &[&str]) -> Printed {
    finish(setrograde().arg("claim").args(arguments))
}

#[test]
fn a_database_gives_the_same_answers() {
    // Figure 3.13 of the paper.
    let hard = "C W W:.AKQ.KJT43.AJ8 ? 765.2.AQ5.K743 ? out=QJ9.JT9876543.98762.QT962";
    let tricks = ["--tricks", "10", hard];
    let plain = claim(&tricks);
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden");
    let database = ["--db", golden];
    let answer = claim(&[&database[..], &tricks].concat());
    assert_eq!(answer.output, plain.output);
    answer.ended(1);
}

#[test]
fn assumptions_stand_beside_the_answer() {
    let share = "\n2 sure with W+SK: 3 of 6 layouts, 50.0 %.\n";
    let answer = claim(&["--assume", FINESSE]);
    assert_eq!(answer.output, format!("{FINESSE}\t1{share}"));
    let answer = claim(&["--assume", "--tricks", "2", FINESSE]);
    assert_eq!(answer.output, format!("{FINESSE}\tnot sure{share}"));
    let answer = claim(&["--assume", "--tricks", "1", FINESSE]);
    assert_eq!(answer.output, format!("{FINESSE}\tsure\n"));
    let answer = claim(&["--assume", "--explain", "--tricks", "2", FINESSE]);
    answer.shows("\n2 sure with W+SK: 3 of 6 layouts, 50.0 %.\n");
    answer.ended(1);
}

#[test]
fn an_object_may_have_the_proof() {
    for (tricks, name) in [("1", "plan"), ("2", "core")] {
        let answer = claim(&["--json", "--explain", "--tricks", tricks, FINESSE]);
        let found: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
        let alone = claim(&["--plan", "--tricks", tricks, FINESSE]).output;
        let mut alone: serde_json::Value = serde_json::from_str(&alone).expect("JSON");
        alone.as_object_mut().expect("an object").remove("version");
        assert_eq!(found[name], alone, "{found}");
    }
}

#[test]
fn verdicts_and_exit_statuses() {
    let answer = claim(&[FINESSE]);
    assert_eq!(
        (answer.status.unwrap_or(-1), answer.output),
        (0, format!("{FINESSE}\t1\n"))
    );
    let answer = claim(&["--all", FINESSE]);
    assert_eq!(answer.output, format!("{FINESSE}\tS3=1 S2=1\n"));
    for (arguments, status, verdict) in [
        (&["--tricks", "all"][..], 1, "not sure"),
        (&["--tricks", "1"], 0, "sure"),
        (&["--tricks", "2", "--if", "W+SK"], 0, "sure"),
    ] {
        let answer = claim(&[arguments, &[FINESSE]].concat());
        let expected = (status, format!("{FINESSE}\t{verdict}\n"));
        assert_eq!(
            (answer.status.unwrap_or(-1), answer.output),
            expected,
            "{arguments:?}"
        );
    }
    let hard = "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? out=8765.QT92.KT9865.KT987432";
    let answer = claim(&["--tricks", "11", "--limit", "0", hard]);
    assert_eq!(
        (answer.status.unwrap_or(-1), answer.output),
        (4, format!("{hard}\tunknown\n"))
    );
    let answer = claim(&["--tricks", "3", FINESSE]);
    answer.ended(3);
    assert!(
        answer
            .errors
            .contains("3 tricks are claimed, but only 2 are left")
    );
}

#[test]
fn a_proof_without_end_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().set_len((256 << 20) + 1).expect("as long");
    let path = file.path().to_str().expect("text");
    let answer = claim(&["check", FINESSE, path]);
    answer.ended(1);
    answer.complains("longer than 268435456 bytes");
}

#[test]
fn bad_options_are_bad_input() {
    let position = "NT W W:A.KQJT.. K.9.98.J Q.8..T98 .A..AKQ2";
    for (arguments, problem) in [
        (&["--if", "W+SK,W.S", FINESSE][..], "--if: column 6:"),
        (&["line", "--if", "X", EASY], "--if: column 1:"),
        (&["line", EASY, "SA HX"], "the line: column 5:"),
        (&["check", "--if", "X", EASY, "-"], "--if: column 1:"),
        (
            &["adjudicate", "--by", "W", position, "SA HX"],
            "the line: column 5:",
        ),
    ] {
        let answer = claim(arguments);
        assert_eq!(answer.status, Some(3), "{arguments:?}");
        answer.complains(problem);
    }
}

#[test]
fn many_questions() {
    let questions = format!("{EASY}\n\n{FINESSE} out=2...\n{FINESSE}\n");
    let mut outputs = ["1", "3"].map(|threads| {
        feed(
            setrograde().args(["claim", "--json", "--threads", threads, "-"]),
            &questions,
        )
    });
    assert_eq!(outputs[0].status, Some(3));
    assert_eq!(outputs[0].output, outputs[1].output);
    let lines: Vec<serde_json::Value> = std::mem::take(&mut outputs[0].output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["sure"], 5);
    assert_eq!(
        lines[0]["cards"][0],
        serde_json::json!({ "card": "SA", "sure": 5 })
    );
    assert_eq!(lines[1]["column"], 36);
    assert_eq!(
        (&lines[2]["verdict"], &lines[2]["sure"]),
        (&"sure".into(), &1.into())
    );
}

#[test]
fn proofs_are_written_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("proof");
    let path = proof.to_str().expect("a name");
    for (question, tricks, status) in [(EASY, "5", 0), (FINESSE, "2", 1)] {
        let shown = claim(&["--plan", "--tricks", tricks, question]);
        assert_eq!(shown.status, Some(status));
        fs::write(&proof, &shown.output).expect("written");
        let checked = claim(&["check", question, path]);
        assert!(
            checked.status == Some(0) && checked.output.starts_with("right"),
            "{checked:?}"
        );
    }
    let plan = claim(&["--plan", "--tricks", "5", EASY]).output;
    fs::write(&proof, plan.replace("C2", "CQ")).expect("written");
    let checked = claim(&["check", EASY, path]);
    assert!(
        checked.status == Some(1) && checked.output.starts_with("wrong"),
        "{checked:?}"
    );

    let plan = claim(&["--plan", "--tricks", "1", FINESSE]).output;
    fs::write(&proof, &plan).expect("written");
    let checked = claim(&["check", FINESSE, path]);
    assert_eq!(
        checked.output,
        "right: the plan takes 1 trick in all layouts\n"
    );
    let later = plan.replace("\"version\":1", "\"version\":2");
    assert_ne!(later, plan);
    fs::write(&proof, later).expect("written");
    let checked = claim(&["check", FINESSE, path]);
    let problem = "it has version 2, and this program reads version 1";
    assert!(checked.errors.contains(problem), "{checked:?}");
    assert!(checked.output.is_empty(), "{checked:?}");
}

#[test]
fn lines_and_adjudication() {
    let answer = claim(&["line", EASY, "SA-C2 HT"]);
    assert!(answer.output.starts_with("5\t"), "{}", answer.output);
    let answer = claim(&["line", EASY]);
    assert!(answer.output.starts_with("4\t"), "{}", answer.output);
    let position = "NT W W:A.KQJT.. KQ.9..JT .A..AKQ2 .8.98.98";
    let answer = claim(&["adjudicate", "--by", "W", "--json", position]);
    let found: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
    assert_eq!((&found["claimed"], &found["sure"]), (&5.into(), &5.into()));
    assert_eq!(found["double_dummy"], 5);
}

/// East shows out: after that trick the finesse of the jack is sure, and
/// the same cards without the trick are a guess.
#[test]
fn a_ruling_knows_who_showed_out() {
    for (position, awarded) in [
        ("NT N N:AKJ..2. .432.K. 432..A. Q98..3. SA H2 S2 S8", 3),
        ("NT N N:KJ..2. .43.K. 43..A. Q9..3.", 2),
    ] {
        let words = ["adjudicate", "--by", "N", "--tricks", "3", "--json"];
        let answer = claim(&[&words[..], &[position]].concat());
        let found: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
        assert_eq!(found["awarded"], awarded, "{position}");
    }
}

/// A ruling names the award, its reason, the play trick by trick, its first inferior card, and
/// other readings of the law.
#[test]
fn rulings_show_the_play_that_decides() {
    let ruled = |tricks: &str, position: &str| {
        let by = ["adjudicate", "--by", "S", "--tricks", tricks, position];
        let answer = claim(&by);
        answer.ended(0);
        answer.output
    };
    // A small trump is out.
    let trump = "D S N:54.32.. QJ.K..3 AK.A.9. 32..2.2";
    let expected = "\
claimed       4
sure          4
double dummy  4
Awarded: 3 of the 4 claimed. A trump (diamonds) is out that the claim did not
  mention, and South is likely to have missed it (Law 70C).
   1  South ♠A West  ♠2 North ♠4 East  ♠J  won
   2  South ♠K West  ♠3 North ♠5 East  ♠Q  won
   3  South ♥A West  ♦2 North ♥2 East  ♥K  lost
   4  West  ♣2 North ♥3 East  ♣3 South ♦9  won
The first inferior card is ♥A by South; ♦9 would cost nothing.
Another reading awards 4. If South knew of the trump that is out, it costs
  nothing.
The play that awards 4:
   1  South ♦9 West  ♦2 North ♠4 East  ♣3  won
   2  South ♠A West  ♠2 North ♠5 East  ♠J  won
   3  South ♠K West  ♠3 North ♥2 East  ♠Q  won
   4  South ♥A West  ♣2 North ♥3 East  ♥K  won
";
    assert_eq!(ruled("4", trump), expected);
    // Nobody plays a low card under the king who holds the ace.
    let ace = "NT W N:..432. ..765. A2.2.. K.AK..";
    assert!(ruled("3", ace).contains("Awarded: 1 of the 3 claimed."));
    // Dummy ruffs the queen.
    let ruff = "S W N:2...432 ...8765 AK3.2.. .AKQ.A.";
    assert!(ruled("4", ruff).contains("Awarded: 4; the claim stands."));
    // A claim that takes too long is reported.
    let long = claim(&["adjudicate", "--by", "S", "--limit", "1", trump]);
    long.ended(4);
    assert_eq!(
        long.errors,
        "setrograde: unknown: the limit of 1 nodes was reached; --limit sets another\n"
    );
}

#[test]
fn a_stated_line_has_cards_of_the_claimer_once_each() {
    let question = "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98";
    let of = |line: &str| run(&["claim", "line", question, line]);
    of("SA-C2 HT").ended(0);
    for (line, card, problem) in [
        ("SA SK", "SK", "is in no hand of the claimer's side"),
        ("SA-S2", "S2", "is in no hand of the claimer's side"),
        ("SA HK SA", "SA", "is stated twice"),
        ("HK-HA HA", "HA", "is stated twice"),
    ] {
        let printed = of(line);
        printed.ended(3);
        assert_eq!(
            printed.errors,
            format!("setrograde: the line: {card} {problem}\n")
        );
    }
}

#[test]
fn single_dummy_needs_no_database_above_the_one_inside() {
    // Five tricks: two more than the endings inside the program have.
    let single = ["single-dummy", "--tricks", "5", EASY];
    let answer = finish(setrograde().args(single));
    answer.shows("252 of 252 (100.0 %)");
    answer.ended(0);
}

const SAMPLE: &str = "data/samples/match.lin";

#[test]
fn the_claims_of_a_file() {
    let answer = claim(&[SAMPLE]);
    answer.ended(1);
    assert_eq!(answer.output.matches("No claim is recorded.").count(), 3);
    answer.shows("  North claims 3 of the last 4: sure.\n");
    answer.shows("  East claims the last 9: not sure.\n");
    answer.shows("  Awarded: 9; the claim stands.");
    assert!(answer.output.lines().all(|line| line.chars().count() <= 80));
    let second = claim(&["--board", "2", SAMPLE]);
    second.ended(0);
    assert_eq!(second.output.matches("Board 2, ").count(), 2);
    assert!(answer.output.contains(&second.output));
    let objects: Vec<serde_json::Value> = claim(&["--json", SAMPLE])
        .output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let verdicts: Vec<_> = objects.iter().map(|of| of["verdict"].as_str()).collect();
    let sure = Some("sure");
    assert_eq!(verdicts, [None, None, sure, sure, None, Some("not sure")]);
    assert_eq!(
        (&objects[2]["claimed"], &objects[2]["tricks_left"]),
        (&3.into(), &4.into())
    );
    assert_eq!(
        (&objects[5]["file"], &objects[5]["board"]),
        (&SAMPLE.into(), &3.into())
    );
    let ruling = &objects[5]["ruling"];
    assert_eq!(
        (&ruling["sure"], &ruling["awarded"]),
        (&8.into(), &9.into())
    );
    let missing = claim(&["--board", "99", SAMPLE]);
    missing.ended(3);
    missing.complains("no board 99; it has boards 1 to 3");
    // Claims that stay open within a limit are reported, with another exit status.
    let answer = claim(&["--limit", "1", "--board", "2", SAMPLE]);
    assert!(matches!(answer.status, Some(0 | 4)), "{answer:?}");
}

/// A record that ends after some cards is not in itself a claim.
#[test]
fn a_record_that_ends_is_no_claim() {
    let record = |play: &str| {
        format!(
            "[Board \"1\"]\n[Dealer \"N\"]\n[Vulnerable \"None\"]\n\
             [Deal \"N:AKQ2.432.432.432 543.AKQ.765.8765 876.765.AKQ.AKQT JT9.JT98.JT98.J9\"]\n\
             [Declarer \"S\"]\n[Contract \"3NT\"]\n[Result \"9\"]\n[Play \"W\"]\n{play}\n"
        )
    };
    for (play, wording) in [
        (
            "HJ",
            "The record ends after the lead; no claim is recorded.",
        ),
        (
            "HJ H2 HQ H5\n*",
            "The record ends after 4 cards; no claim is recorded.",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("club.pbn");
        fs::write(&file, record(play)).expect("written");
        let answer = claim(&[file.to_str().expect("a name")]);
        answer.shows(wording);
        answer.ended(0);
        let answer = claim(&["--json", file.to_str().expect("a name")]);
        answer.shows("\"claimed\":null");
    }
}

/// Options of questions are refused for boards by name, not passed over.
#[test]
fn claims_of_boards_take_no_options_of_questions() {
    for (option, value) in [
        ("--by", Some("N")),
        ("--tricks", Some("all")),
        ("--all", None),
        ("--assume", None),
        ("--plan", None),
    ] {
        let mut command = setrograde();
        command.args(["claim", option]).args(value);
        let printed = finish(command.args(["--board", "1", SAMPLE]));
        assert_ne!(printed.status, Some(0), "{option}");
        let why =
            format!("{option} is for questions; the claim of a board is judged as it was made");
        printed.complains(&why);
    }
}

#[test]
fn all_conditions_have_one_budget() {
    let most = |count: usize| vec!["E+SK"; count].join(",");
    let question = format!("{FINESSE} if={}", most(300));
    let (fits, too_many) = (most(212), most(213));
    let problem = "more than 512 statements in the conditions of a question";
    for command in [
        &["claim"][..],
        &["claim", "check"],
        &["claim", "line"],
        &["odds"],
        &["layouts"],
        &["single-dummy"],
    ] {
        let ask = |conditions: &str| {
            let mut asked = setrograde();
            asked.args(command).args(["--if", conditions, &question]);
            if command.len() == 2 {
                asked.arg(if command[1] == "line" { "rest" } else { "-" });
            }
            finish(&mut asked)
        };
        let answer = ask(&too_many);
        assert!(answer.errors.contains(problem), "{command:?}: {answer:?}");
        let answer = ask(&fits);
        assert!(!answer.errors.contains(problem), "{command:?}: {answer:?}");
    }
    let results = vec!["tricks(N,NT)>=9"; 213].join(",");
    let deal = |conditions: &str| {
        finish(setrograde().args(["deal", "--if", conditions, "--where", &results]))
    };
    assert!(deal(&most(300)).errors.contains(problem));
}

/// A plan of one rule that always plays its lowest card, and takes its tricks at the end: without a
/// limit its proof takes all memory.
#[test]
#[ignore = "takes 1 GiB"]
fn a_proof_that_never_ends_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("plan.json");
    let cards = "C2 C3 C4 C5 C6 C8 D3 D4 D6 D7 H2 H3 H4 S2 S5 S9 ST SJ HJ DQ DK HK SQ HA CA SK SA";
    let cards: Vec<&str> = cards.split(' ').collect();
    let plan = json!({"version": 1, "tricks": 3, "steps": [{"rule": cards}], "root": 0});
    fs::write(&path, plan.to_string()).expect("written");
    let question = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let checked = claim(&["check", question, path.to_str().expect("a name")]);
    checked.ended(1);
    checked.shows("wrong: step 0: the proof has more than 33554432 splits");
}
