//! `setrograde claim`.

use serde_json::json;

use crate::command::{Printed, are_refused, feed_line, run, run_line};
use crate::folder::Folder;

const FINESSE: &str = "NT S N:AQ... ? 32... ? out=KJT9...";
const EASY: &str = "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98";

/// Asks about a position with the words of a line.
fn claim(options: &str, question: &str) -> Printed {
    run_line(&format!("claim {options} '{question}'"))
}

#[test]
fn a_database_gives_the_same_answers() {
    // Figure 3.13 of the paper.
    let hard = "C W W:.AKQ.KJT43.AJ8 ? 765.2.AQ5.K743 ? out=QJ9.JT9876543.98762.QT962";
    let plain = claim("--tricks 10", hard);
    let answer = claim("--db data/golden --tricks 10", hard);
    assert_eq!(answer.output, plain.output);
    answer.ended(1);
}

#[test]
fn assumptions_stand_beside_the_answer() {
    let share = "\n2 sure with W+SK: 3 of 6 layouts, 50.0 %.\n";
    for (options, answer) in [
        ("--assume", format!("1{share}")),
        ("--assume --tricks 2", format!("not sure{share}")),
        ("--assume --tricks 1", "sure\n".to_owned()),
    ] {
        let printed = claim(options, FINESSE);
        assert_eq!(printed.output, format!("{FINESSE}\t{answer}"));
    }
    let answer = claim("--assume --explain --tricks 2", FINESSE);
    answer.shows(share);
    answer.ended(1);
}

#[test]
fn an_object_may_have_the_proof() {
    for (tricks, name) in [("1", "plan"), ("2", "core")] {
        let found = claim(&format!("--json --explain --tricks {tricks}"), FINESSE).json();
        let mut alone = claim(&format!("--plan --tricks {tricks}"), FINESSE).json();
        alone.as_object_mut().expect("an object").remove("version");
        assert_eq!(found[name], alone, "{found}");
    }
}

#[test]
fn verdicts_and_exit_statuses() {
    let hard = "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? out=8765.QT92.KT9865.KT987432";
    for (options, question, status, verdict) in [
        ("", FINESSE, 0, "1"),
        ("--all", FINESSE, 0, "S3=1 S2=1"),
        ("--tricks all", FINESSE, 1, "not sure"),
        ("--tricks 1", FINESSE, 0, "sure"),
        ("--tricks 2 --if W+SK", FINESSE, 0, "sure"),
        ("--tricks 11 --limit 0", hard, 4, "unknown"),
    ] {
        let answer = claim(options, question);
        assert_eq!(answer.output, format!("{question}\t{verdict}\n"));
        answer.ended(status);
    }
}

#[test]
fn a_proof_without_end_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().set_len((256 << 20) + 1).expect("as long");
    let path = file.path().to_str().expect("text");
    run(&["claim", "check", FINESSE, path]).is_refused(1, "longer than 268435456 bytes");
}

#[test]
fn bad_options_are_bad_input() {
    are_refused(
        "
        3 claim --tricks 3 'NT S N:AQ... ? 32... ? out=KJT9...' => 3 tricks are claimed, but only 2 are left
        3 claim --if W+SK,W.S 'NT S N:AQ... ? 32... ? out=KJT9...' => --if: column 6:
        3 claim line --if X 'NT S N:AQ... ? 32... ? out=KJT9...' => --if: column 1:
        3 claim line 'NT S N:AQ... ? 32... ? out=KJT9...' 'SA HX' => the line: column 5:
        3 claim check --if X 'NT S N:AQ... ? 32... ? out=KJT9...' - => --if: column 1:
        3 claim adjudicate --by W 'NT W W:A.KQJT.. K.9.98.J Q.8..T98 .A..AKQ2' 'SA HX' => the line: column 5:
        3 claim line 'NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98' 'SA SK' => setrograde: the line: SK is in no hand of the claimer's side
        3 claim line 'NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98' SA-S2 => setrograde: the line: S2 is in no hand of the claimer's side
        3 claim line 'NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98' 'SA HK SA' => setrograde: the line: SA is stated twice
        3 claim line 'NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98' 'HK-HA HA' => setrograde: the line: HA is stated twice
        3 claim --board 99 data/samples/match.lin => no board 99; it has boards 1 to 3",
    );
}

#[test]
fn many_questions() {
    let questions = format!("{EASY}\n\n{FINESSE} out=2...\n{FINESSE}\n");
    let [one, three] =
        [1, 3].map(|threads| feed_line(&format!("claim --json --threads {threads} -"), &questions));
    one.ended(3);
    assert_eq!(one.output, three.output);
    let lines = one.objects();
    assert_eq!(lines[0]["sure"], 5);
    assert_eq!(lines[0]["cards"][0], json!({"card": "SA", "sure": 5}));
    assert_eq!(lines[1]["column"], 36);
    assert_eq!(lines[2]["verdict"], "sure");
    assert_eq!(lines[2]["sure"], 1);
}

#[test]
fn proofs_are_written_and_checked() {
    let folder = Folder::new();
    let check = |question: &str, proof: &str| {
        folder.write("proof", proof);
        folder.run(&format!("claim check '{question}' proof"))
    };
    for (question, tricks, status) in [(EASY, 5, 0), (FINESSE, 2, 1)] {
        let shown = claim(&format!("--plan --tricks {tricks}"), question);
        shown.ended(status);
        let checked = check(question, &shown.output);
        checked.ended(0);
        checked.begins("right");
    }
    let plan = claim("--plan --tricks 5", EASY).output;
    let checked = check(EASY, &plan.replace("C2", "CQ"));
    checked.ended(1);
    checked.begins("wrong");

    let plan = claim("--plan --tricks 1", FINESSE).output;
    let right = "right: the plan takes 1 trick in all layouts\n";
    assert_eq!(check(FINESSE, &plan).output, right);
    let later = plan.replace("\"version\":1", "\"version\":2");
    assert_ne!(later, plan);
    let problem = "it has version 2, and this program reads version 1";
    check(FINESSE, &later).is_refused(1, problem);
}

#[test]
fn lines_and_adjudication() {
    for (line, tricks) in [("'SA-C2 HT'", "5\t"), ("", "4\t")] {
        let answer = run_line(&format!("claim line '{EASY}' {line}"));
        answer.ended(0);
        answer.begins(tricks);
    }
    let position = "NT W W:A.KQJT.. KQ.9..JT .A..AKQ2 .8.98.98";
    let found = claim("adjudicate --by W --json", position).json();
    for name in ["claimed", "sure", "double_dummy"] {
        assert_eq!(found[name], 5, "{name}");
    }
}

/// East shows out: after that trick the finesse of the jack is sure, and
/// the same cards without the trick are a guess.
#[test]
fn a_ruling_knows_who_showed_out() {
    for (position, awarded) in [
        ("NT N N:AKJ..2. .432.K. 432..A. Q98..3. SA H2 S2 S8", 3),
        ("NT N N:KJ..2. .43.K. 43..A. Q9..3.", 2),
    ] {
        let found = claim("adjudicate --by N --tricks 3 --json", position).json();
        assert_eq!(found["awarded"], awarded, "{position}");
    }
}

/// A ruling names the award, its reason, the play trick by trick, its first inferior card, and
/// other readings of the law.
#[test]
fn rulings_show_the_play_that_decides() {
    let ruled = |tricks: &str, position: &str| {
        let answer = claim(&format!("adjudicate --by S --tricks {tricks}"), position);
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
    let long = claim("adjudicate --by S --limit 1", trump);
    let unknown = "unknown: the limit of 1 nodes was reached; --limit sets another";
    long.is_refused(4, &format!("setrograde: {unknown}\n"));
}

#[test]
fn single_dummy_needs_no_database_above_the_one_inside() {
    // Five tricks: two more than the endings inside the program have.
    let answer = run_line(&format!("single-dummy --tricks 5 '{EASY}'"));
    answer.shows("252 of 252 (100.0 %)");
    answer.ended(0);
}

const SAMPLE: &str = "data/samples/match.lin";

#[test]
fn the_claims_of_a_file() {
    let answer = claim("", SAMPLE);
    answer.ended(1);
    assert_eq!(answer.output.matches("No claim is recorded.").count(), 3);
    answer.shows("  North claims 3 of the last 4: sure.\n");
    answer.shows("  East claims the last 9: not sure.\n");
    answer.shows("  Awarded: 9; the claim stands.");
    answer.fits_a_terminal();
    let second = claim("--board 2", SAMPLE);
    second.ended(0);
    assert_eq!(second.output.matches("Board 2, ").count(), 2);
    answer.shows(&second.output);
    let objects = claim("--json", SAMPLE).objects();
    let verdicts: Vec<_> = objects.iter().map(|of| of["verdict"].as_str()).collect();
    let sure = Some("sure");
    assert_eq!(verdicts, [None, None, sure, sure, None, Some("not sure")]);
    for (at, name, value) in [
        (2, "claimed", json!(3)),
        (2, "tricks_left", json!(4)),
        (5, "file", json!(SAMPLE)),
        (5, "board", json!(3)),
    ] {
        assert_eq!(objects[at][name], value, "{at} {name}");
    }
    let ruling = &objects[5]["ruling"];
    assert_eq!(ruling["sure"], 8);
    assert_eq!(ruling["awarded"], 9);
    // Claims that stay open within a limit are reported, with another exit status.
    let answer = claim("--limit 1 --board 2", SAMPLE);
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
    for (play, cards) in [("HJ", "the lead"), ("HJ H2 HQ H5\n*", "4 cards")] {
        let folder = Folder::with("club.pbn", record(play));
        let answer = folder.run("claim club.pbn");
        answer.shows(&format!(
            "The record ends after {cards}; no claim is recorded."
        ));
        answer.ended(0);
        folder
            .run("claim --json club.pbn")
            .shows("\"claimed\":null");
    }
}

/// Options of questions are refused for boards by name, not passed over.
#[test]
fn claims_of_boards_take_no_options_of_questions() {
    for option in ["--by N", "--tricks all", "--all", "--assume", "--plan"] {
        let printed = claim(&format!("{option} --board 1"), SAMPLE);
        assert_ne!(printed.status, Some(0), "{option}");
        let (name, _) = option.split_once(' ').unwrap_or((option, ""));
        let why = "is for questions; the claim of a board is judged as it was made";
        printed.complains(&format!("{name} {why}"));
    }
}

#[test]
fn all_conditions_have_one_budget() {
    let most = |count: usize| vec!["E+SK"; count].join(",");
    let question = format!("{FINESSE} if={}", most(300));
    let (fits, too_many) = (most(212), most(213));
    let problem = "more than 512 statements in the conditions of a question";
    for (command, more) in [
        ("claim", ""),
        ("claim check", "-"),
        ("claim line", "rest"),
        ("odds", ""),
        ("layouts", ""),
        ("single-dummy", ""),
    ] {
        let ask = |conditions: &str| {
            run_line(&format!("{command} --if {conditions} '{question}' {more}"))
        };
        ask(&too_many).complains(problem);
        ask(&fits).does_not_complain(problem);
    }
    let results = vec!["tricks(N,NT)>=9"; 213].join(",");
    let line = format!("deal --if {} --where {results}", most(300));
    run_line(&line).complains(problem);
}

/// A plan of one rule that always plays its lowest card, and takes its tricks at the end: without a
/// limit its proof takes all memory.
#[test]
#[ignore = "takes 1 GiB"]
fn a_proof_that_never_ends_is_refused() {
    let cards = "C2 C3 C4 C5 C6 C8 D3 D4 D6 D7 H2 H3 H4 S2 S5 S9 ST SJ HJ DQ DK HK SQ HA CA SK SA";
    let cards: Vec<&str> = cards.split(' ').collect();
    let plan = json!({"version": 1, "tricks": 3, "steps": [{"rule": cards}], "root": 0});
    let folder = Folder::with("plan.json", plan.to_string());
    let question = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let checked = folder.run(&format!("claim check '{question}' plan.json"));
    checked.ended(1);
    checked.shows("wrong: step 0: the proof has more than 33554432 splits");
}
