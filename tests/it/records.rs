//! Boards of PBN, LIN, DDS lists, `.sol` and lines as questions, and PBN files
//! written back with results.

use std::fs;
use std::path::Path;
use std::process::Command;

use setrograde_cards::{Deal, Seat};
use setrograde_records::pbn::Games;

use crate::command::{feed, finish, run, setrograde};
use crate::database::twelve_cards;

/// A board of 12 cards and its table.
const DEAL: &str = "N:AQ2... K3..2. .AKQ.. 4.J.3.";

/// A directory with these files.
fn files(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).expect("written");
    }
    directory
}

fn table_of(deal: &str) -> String {
    let printed = run(&["table", "--format", "numbers", deal]);
    printed.ended(0);
    printed.output.split_once('\t').expect("a tab").1.to_owned()
}

/// A hand as LIN writes it.
fn lin_hand(deal: &Deal, seat: Seat) -> String {
    let text = deal.hand(seat).to_string();
    let suits = text.split('.').zip("SHDC".chars());
    suits
        .map(|(cards, suit)| format!("{suit}{cards}"))
        .collect()
}

/// The same deal in every format, whatever the files are called.
#[test]
fn formats_are_recognized_by_content() {
    let deal = "N:K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65";
    let parsed: Deal = deal.parse().expect("a deal");
    let west = parsed.to_pbn(Seat::West);
    let pbn = format!(
        "\u{feff}% PBN 2.1\r\n{{ a comment\r\n}}\r\n[Event \"##x\"]\r\n[Board \"1\"]\r\n\
         [Deal \"{west}\"] ; from West\r\n\r\n[Board \"2\"]\r\n[Deal \"#\"]\r\n"
    );
    let latin: Vec<u8> = [b"; Malm\xf6\n", pbn.replace('\u{feff}', "").as_bytes()].concat();
    let hand = |seat| lin_hand(&parsed, seat);
    let lin = format!(
        "qx|o1|md|1{},{},{},|\nqx|c1|md|1{},{},{},|\n",
        hand(Seat::South),
        hand(Seat::West),
        hand(Seat::North),
        hand(Seat::South),
        hand(Seat::West),
        hand(Seat::North)
    );
    let dds = format!("NUMBER 2\nPBN 0 0 4 0 \"{deal}\"\nPBN 0 0 4 1 \"{deal}\"\n");
    let digits = "65658888888843433232";
    let sol = format!("{}:{digits}\n{west}:{digits}\n", &west[2..]);
    let lines = format!("# two deals\n\n{west}\n{west}\n");
    let directory = files(&[
        ("a.txt", pbn.as_bytes()),
        ("b.lin", &latin),
        ("c.pbn", lin.as_bytes()),
        ("d", dds.as_bytes()),
        ("e.pbn", sol.as_bytes()),
        ("f.lin", lines.as_bytes()),
    ]);
    let table = table_of(deal);
    for name in ["a.txt", "b.lin", "c.pbn", "d", "e.pbn", "f.lin"] {
        let path = directory.path().join(name);
        let numbers = ["table", "--format", "numbers"];
        let printed = finish(setrograde().args(numbers).arg(&path));
        assert_eq!(printed.status, Some(0), "{name}: {}", printed.errors);
        // Lines are repeated unchanged.
        let shown = if name == "f.lin" { &west } else { deal };
        assert_eq!(
            printed.output,
            format!("{shown}\t{table}").repeat(2),
            "{name}"
        );
        if name != "b.lin" {
            let text = fs::read_to_string(&path).expect("read");
            let piped = feed(setrograde().args(numbers).arg("-"), &text);
            assert_eq!((piped.output, piped.status), (printed.output, Some(0)));
        }
    }
    let all = finish(
        setrograde()
            .args(["table", "--format", "numbers", "a.txt", "c.pbn"])
            .current_dir(&directory),
    );
    assert_eq!(all.output, format!("{deal}\t{table}").repeat(4));
}

const MATCH: &str = "\
[Board \"1\"]
[Dealer \"N\"]
[Vulnerable \"None\"]
[Deal \"N:AQ2... K3..2. .AKQ.. 4.J.3.\"]
[Declarer \"N\"]
[Contract \"1NT\"]
[Play \"E\"]
SK - S4 SA
*

[Board \"2\"]
[Deal \"N:AQ2... K3..2. .AKQ.. 4.J.X.\"]

[Board \"3\"]
[Deal \"N:AQ2... - .AKQ.. -\"]

[Board \"4\"]
[Contract \"Pass\"]
[Deal \"N:AQ2... K3..2. .AKQ.. 4.J.3.\"]

[Board \"5\"]
[Deal \"N:AQ2... K3..2. .AKQ.. 4.J..\"]
";

#[test]
fn bad_boards_are_named_and_the_others_answered() {
    let directory = files(&[("match.pbn", MATCH.as_bytes())]);
    let ask = |arguments: &[&str]| {
        let mut command = setrograde();
        command.current_dir(&directory).args(arguments);
        let printed = finish(command.arg("match.pbn"));
        assert_eq!(printed.status, Some(3), "{arguments:?}");
        let errors: Vec<String> = printed.errors.lines().map(str::to_owned).collect();
        (printed.output, errors)
    };
    let (output, errors) = ask(&["table", "--format", "numbers"]);
    assert_eq!(output, format!("{DEAL}\t{}", table_of(DEAL)).repeat(2));
    let column = MATCH
        .lines()
        .nth(11)
        .expect("a line")
        .find('X')
        .expect("an X");
    let expected = [
        "match.pbn, line 12, board 2: Deal \"N:AQ2... K3..2. .AKQ.. 4.J.X.\": column ",
        "match.pbn, line 14, board 3: the hands of East and West are hidden",
        "match.pbn, line 21, board 5: the hands hold 3, 3, 3 and 2 cards",
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:?}");
    for (error, start) in errors.iter().zip(expected) {
        assert!(
            error.starts_with(&format!("setrograde: {start}")),
            "{error}"
        );
    }
    assert!(
        errors[0].contains(&format!("column {}:", column - 6)),
        "{}",
        errors[0]
    );

    let position = format!("NT E {DEAL}");
    let heading = "Board 1  none vul.  1NT by North, lead ♠K";
    let (output, errors) = ask(&["solve"]);
    let tricks = &run(&["solve", &position]).output[position.len() + 1..];
    let sides = format!("  East and West take {} of 3 tricks\n", tricks.trim_end());
    assert_eq!(output, format!("{heading}\n{sides}Board 4  passed out\n"));
    assert_eq!(errors.len(), 3, "{errors:?}");
    let (output, _) = ask(&["analyse"]);
    // North plays out of turn in the record: only the lead is known.
    let alone = run(&["analyse", &format!("{position} SK")]).output;
    let below = |text: &str| text.split_once('\n').expect("a heading").1.to_owned();
    assert_eq!(
        output,
        format!("{heading}\n{}\nBoard 4  passed out\n", below(&alone))
    );
    let (output, _) = ask(&["table"]);
    assert_eq!(
        below(&output),
        below(&run(&["table", "--format", "text", DEAL]).output)
            + "\nBoard 4  passed out\n"
            + &below(&run(&["table", "--format", "text", DEAL]).output)
            + "\n"
    );

    let (output, errors) = ask(&["solve", "--json"]);
    assert!(errors.is_empty());
    let lines: Vec<serde_json::Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[3]["passed_out"], true);
    assert_eq!(
        (&lines[0]["board"], &lines[0]["line"]),
        (&1.into(), &1.into())
    );
    assert_eq!(lines[0]["question"], position.as_str());
    assert_eq!(
        (&lines[1]["board"], &lines[1]["line"]),
        (&2.into(), &12.into())
    );
    assert_eq!(lines[2]["error"], "the hands of East and West are hidden");
    assert_eq!(lines[2]["file"], "match.pbn");

    let mut query = setrograde();
    query
        .current_dir(&directory)
        .args(["query", "--db"])
        .arg(twelve_cards());
    let printed = finish(query.arg("match.pbn"));
    let found = format!("{heading}\n  {tricks}Board 4  passed out\n");
    assert_eq!(printed.output, found);
}

#[test]
fn par_takes_dealer_and_vulnerability_from_the_board() {
    let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
    let pbn = format!("[Dealer \"N\"]\n[Vulnerable \"All\"]\n[Deal \"{deal}\"]\n");
    let printed = feed(setrograde().args(["par", "-"]), &pbn);
    let asked = run(&["par", "--vulnerable", "both", "--dealer", "N", deal]);
    let par = |line: &str| {
        let parts: Vec<&str> = line.trim_end().split('\t').collect();
        format!("Line 1  both vul.\n  par {}: {}\n", parts[1], parts[2])
    };
    assert_eq!(printed.output, par(&asked.output));
    printed.ended(0);
    let other = feed(
        setrograde().args(["par", "--vulnerable", "none", "-"]),
        &pbn,
    );
    let asked = run(&["par", "--vulnerable", "none", "--dealer", "N", deal]);
    // The heading has the sides that the score is for, not the board's.
    let expected = par(&asked.output).replace("both vul.", "none vul.");
    assert_eq!(other.output, expected);
}

/// A link, a board that was passed out, a hand record, and a summary by player.
#[test]
fn boards_have_headings_and_files_a_summary() {
    let lin = "pn|a,b,c,d,e,f,g,h|qx|o3|md|1S2H2D2C2,S3H3D3C3,SAHADACA,SKHKDKCK|sv|n|\
               mb|1N|mb|p|mb|p|mb|p|pc|S3|pc|SA|pc|SK|pc|S2|mc|9|\
               qx|c3|md|1S2H2D2C2,S3H3D3C3,SAHADACA,SKHKDKCK|sv|n|mb|p|mb|p|mb|p|mb|p|\
               qx|o4|md|1S2H2D2C2,S3H3D3C3,SAHADACA,SKHKDKCK|sv|b|";
    let directory = files(&[("a.lin", lin.as_bytes())]);
    let printed = finish(
        setrograde()
            .current_dir(&directory)
            .args(["analyse", "a.lin"]),
    );
    printed.ended(0);
    let table = "      NT   S   H   D   C\n";
    let shown = [
        "Board 3, open room  N-S vul.  1NT by South, lead ♠3, 9 tricks\n",
        "  No card cost a trick.\n",
        "Board 3, closed room  N-S vul.  passed out\n",
        &format!("Board 4, open room  both vul.\n{table}"),
    ];
    for text in shown {
        printed.shows(text);
    }
    let link = lin.replace('|', "%7C").replace(',', "%2c");
    let link = format!("https://example.com/handviewer.html?x=1&lin={link}");
    let linked = run(&["analyse", &link]);
    assert_eq!(linked.output, printed.output);
    for line in printed.output.lines() {
        assert!(
            line.chars().count() <= 80 && !line.contains('\x1b'),
            "{line}"
        );
    }
    let json = run(&["analyse", "--json", &link]).output;
    let last: serde_json::Value =
        serde_json::from_str(json.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["summary"]["boards"], 1);
    assert_eq!(last["summary"]["players"][0]["name"], "a");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let printed = run(&["table", "nothing.pbn"]);
    printed.ended(1);
    assert!(
        printed
            .errors
            .starts_with("setrograde: nothing.pbn: no file"),
        "{}",
        printed.errors
    );
}

/// Three boards: one without results, one with wrong ones, a bad one, and text
/// around them.
fn unsolved() -> String {
    let mut random = fastrand::Rng::with_seed(16);
    let mut text = String::from("% PBN 2.1\n{ three boards }\n");
    for number in 1..=6 {
        let deal = Deal::random_ending(4, |n| random.usize(..n));
        text += &format!(
            "[Event \"##cup\"] ; note\n[Board \"{number}\"]\n[Deal \"{deal}\"]\n\
             [DoubleDummyTricks \"00000000000000000000\"]\n{{ kept }}\n\n"
        );
        text += "[Board \"9\"]\n[Deal \"N:A... - - -\"]\n[Note \"x\"]\n\n\n";
        let whole = "K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65";
        text += &format!("[Dealer \"W\"]\n[Vulnerable \"NS\"]\n[Deal \"N:{whole}\"]\n");
        text += "[Auction \"W\"]\nPass Pass\n; end\n\n";
    }
    text + "% nothing more"
}

fn rewrite(directory: &Path, more: &[&str]) -> Command {
    let mut command = setrograde();
    command
        .current_dir(directory)
        .args(["table", "--format", "pbn"])
        .args(more);
    command
}

/// The file without the tags that hold results.
fn stripped(text: &str) -> String {
    let mut kept = String::new();
    let mut in_table = false;
    for line in text.lines() {
        let result = ["[DoubleDummyTricks", "[Optimum", "[ParContract"]
            .iter()
            .any(|tag| line.starts_with(tag));
        if result {
            in_table = line.starts_with("[OptimumResultTable");
            continue;
        }
        in_table &= line.len() == 7 && line.starts_with(['N', 'E', 'S', 'W']);
        if !in_table {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn a_pbn_file_is_written_back_with_its_results() {
    let text = unsolved();
    let directory = files(&[("in.pbn", text.as_bytes())]);
    let once = finish(rewrite(directory.path(), &[]).arg("in.pbn"));
    once.ended(3);
    assert_eq!(once.errors.lines().count(), 6, "{}", once.errors);
    assert!(
        once.errors
            .contains("in.pbn, line 9, board 9: the hands of East, South and West are hidden")
    );
    // Every byte outside the results is unchanged.
    assert_eq!(
        stripped(&once.output).trim_end(),
        stripped(&text).trim_end()
    );
    let games: Vec<_> = Games::new(once.output.as_bytes(), "out")
        .map(|game| game.expect("read"))
        .collect();
    let mut tables = 0;
    for board in games.iter().filter_map(|game| game.board()) {
        let board = board.expect("a board");
        let Some(deal) = board.deal() else { continue };
        tables += 1;
        let tricks = board.double_dummy.tricks.expect("tricks");
        let shown: Vec<String> = tricks
            .as_flattened()
            .iter()
            .map(|n| n.to_string())
            .collect();
        assert_eq!(
            format!("{}\n", shown.join(" ")),
            table_of(&deal.to_string())
        );
        let par = board
            .double_dummy
            .par_score
            .zip(board.double_dummy.par_contract.clone());
        match deal.cards_left() {
            52 => {
                let contracts = "NS 2H+1, NS 3H=, NS 1H+2".to_owned();
                assert_eq!(par, Some((140, contracts)));
            }
            _ => assert_eq!(par, None),
        }
    }
    assert_eq!(tables, 12);

    // A second time, nothing changes; without its results, they come again.
    fs::write(directory.path().join("once.pbn"), &once.output).expect("written");
    let twice = finish(rewrite(directory.path(), &[]).arg("once.pbn"));
    assert_eq!(twice.output, once.output);
    let bare = stripped(&once.output);
    let again = feed(rewrite(directory.path(), &[]).arg("-"), &bare).output;
    let tags = |text: &str| -> Vec<_> {
        let games = Games::new(text.as_bytes(), "").map(|game| game.expect("read"));
        games
            .filter_map(|game| Some(game.board()?.ok()?.double_dummy.clone()))
            .collect()
    };
    assert_eq!(tags(&again), tags(&once.output));
}

#[test]
fn boards_of_other_formats_become_pbn() {
    let deal = "N:K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65";
    let parsed: Deal = deal.parse().expect("a deal");
    let hand = |seat| lin_hand(&parsed, seat);
    let lin = format!(
        "qx|o7|md|1{},{},{},|sv|b|\n",
        hand(Seat::South),
        hand(Seat::West),
        hand(Seat::North)
    );
    let printed = feed(setrograde().args(["table", "--format", "pbn", "-"]), &lin);
    let start = format!("[Board \"7\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n[Deal \"{deal}\"]\n");
    assert!(printed.output.starts_with(&start), "{}", printed.output);
    let again = feed(
        setrograde().args(["table", "--format", "pbn", "-"]),
        &printed.output,
    );
    assert_eq!(again.output, printed.output);
}

/// Returns the peak memory of a command, which runs to its end.
#[cfg(target_os = "linux")]
fn peak_kibibytes(command: &mut Command) -> u64 {
    use std::process::Stdio;

    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut most = 0;
    while child.try_wait().expect("a process").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.map(|peak| peak.trim().trim_end_matches(" kB").parse());
        most = most.max(peak.and_then(Result::ok).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    most
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_file_is_not_held_in_memory() {
    // Boards without an answer, so it takes no search.
    let notes = "x".repeat(600);
    let board = format!("[Board \"1\"]\n[Deal \"N:A... - - -\"]\n{{ {notes} }}\n\n");
    let directory = files(&[
        ("small.pbn", board.repeat(2_000).as_bytes()),
        ("large.pbn", board.repeat(100_000).as_bytes()),
    ]);
    let peak = |name: &str| {
        let mut command = rewrite(directory.path(), &["--threads", "1"]);
        peak_kibibytes(command.arg(name))
    };
    let (small, large) = (peak("small.pbn"), peak("large.pbn"));
    assert!(large < small + (8 << 10), "{small} KiB, then {large} KiB");
}

/// Answers of any command in a file, which appears when they are complete.
#[test]
fn every_command_that_answers_writes_to_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("answers.txt");
    let question = "NT N N:AQ... K3... 54... 76...";
    for command in ["solve", "analyse", "claim", "query"] {
        let question = match command {
            "claim" => "NT S N:AQ... ? 32... ? out=KJT9...",
            _ => question,
        };
        let mut database = setrograde();
        database.env("SETROGRADE_DB", twelve_cards());
        let asked = finish(database.args([command, question])).output;
        let mut to_file = setrograde();
        to_file.env("SETROGRADE_DB", twelve_cards());
        let printed = finish(to_file.args([command, question, "-o"]).arg(&path));
        assert_eq!(
            (printed.output.as_str(), printed.status),
            ("", Some(0)),
            "{command}"
        );
        assert_eq!(
            fs::read_to_string(&path).expect("readable"),
            asked,
            "{command}"
        );
    }
}

/// The deals of a file in LIN, in their order.
fn deals_in_lin(file: &Path) -> Vec<String> {
    let printed = finish(setrograde().args(["table", "--format", "lin"]).arg(file));
    printed.ended(0);
    let lines = printed.output.lines();
    let deals = lines.filter_map(|line| line.split("md|").nth(1)?.split('|').next());
    // Without the digit of the dealer, whom these files do not have.
    deals.map(|deal| deal[1..].to_owned()).collect()
}

/// Files for dealing machines hold the deals of a file, which other formats cannot.
#[test]
fn files_for_dealing_machines() {
    let directory = tempfile::tempdir().expect("a directory");
    let evening = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/samples/evening.pbn");
    let deals = deals_in_lin(&evening);
    assert!(deals.len() > 5);
    for format in ["dlm", "dup", "bri"] {
        let file = directory.path().join(format!("evening.{format}"));
        let mut command = setrograde();
        command.args(["table", "--format", format, "--output"]);
        finish(command.arg(&file).arg(&evening)).ended(0);
        assert_eq!(deals_in_lin(&file), deals, "{format}");
    }
    let refused = |arguments: &[&str], error: &str| {
        let printed = finish(setrograde().arg("table").args(arguments).arg(&evening));
        printed.ended(3);
        assert!(printed.errors.contains(error), "{}", printed.errors);
    };
    refused(
        &["--format", "dup", "--board", "1,3"],
        "board 3 follows board 1",
    );
    let small = ["table", "--format", "bri", "N:A... K... Q... J..."];
    let printed = finish(setrograde().args(small));
    printed.ended(3);
    assert!(printed.errors.contains("13 cards"), "{}", printed.errors);
}
