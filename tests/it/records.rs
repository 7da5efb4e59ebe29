//! Boards of PBN, LIN, DDS lists, `.sol` and lines as questions, and PBN files
//! written back with results.

use std::path::Path;

use setrograde_cards::{Deal, Seat};
use setrograde_records::pbn::Games;

use crate::command::{feed_line, finish, on, run, run_line, setrograde};
use crate::database::twelve_cards;
use crate::folder::Folder;

/// A board of 12 cards and its table.
const DEAL: &str = "N:AQ2... K3..2. .AKQ.. 4.J.3.";

/// A board of 52 cards.
const WHOLE: &str = "N:K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65";

fn table_of(deal: &str) -> String {
    let printed = run(&["table", "--format", "numbers", deal]);
    printed.ended(0);
    printed.output.split_once('\t').expect("a tab").1.to_owned()
}

/// A whole deal as LIN writes it, with South as its dealer and without the last hand.
fn lin_hands(deal: &str) -> String {
    let deal: Deal = deal.parse().expect("a deal");
    let hand = |seat| {
        let text = deal.hand(seat).to_string();
        let suits = text.split('.').zip("SHDC".chars());
        let suits = suits.map(|(cards, suit)| format!("{suit}{cards}"));
        suits.collect::<String>()
    };
    let [south, west, north] = [Seat::South, Seat::West, Seat::North].map(hand);
    format!("md|1{south},{west},{north},|")
}

/// The same deal in every format, whatever the files are called.
#[test]
fn formats_are_recognized_by_content() {
    let west = WHOLE.parse::<Deal>().expect("a deal").to_pbn(Seat::West);
    let pbn = format!(
        "\u{feff}% PBN 2.1\r\n{{ a comment\r\n}}\r\n[Event \"##x\"]\r\n[Board \"1\"]\r\n\
         [Deal \"{west}\"] ; from West\r\n\r\n[Board \"2\"]\r\n[Deal \"#\"]\r\n"
    );
    let latin = [b"; Malm\xf6\n", pbn.replace('\u{feff}', "").as_bytes()].concat();
    let hands = lin_hands(WHOLE);
    let lin = format!("qx|o1|{hands}\nqx|c1|{hands}\n");
    let dds = format!("NUMBER 2\nPBN 0 0 4 0 \"{WHOLE}\"\nPBN 0 0 4 1 \"{WHOLE}\"\n");
    let digits = "65658888888843433232";
    let sol = format!("{}:{digits}\n{west}:{digits}\n", &west[2..]);
    let lines = format!("# two deals\n\n{west}\n{west}\n");
    let folder = Folder::new();
    let table = table_of(WHOLE);
    for (name, bytes) in [
        ("a.txt", pbn.into_bytes()),
        ("b.lin", latin),
        ("c.pbn", lin.into_bytes()),
        ("d", dds.into_bytes()),
        ("e.pbn", sol.into_bytes()),
        ("f.lin", lines.into_bytes()),
    ] {
        folder.write(name, &bytes);
        let printed = folder.run(&format!("table --format numbers {name}"));
        // Lines are repeated unchanged.
        let shown = if name == "f.lin" { &west } else { WHOLE };
        printed.prints(&format!("{shown}\t{table}").repeat(2));
        if let Ok(text) = String::from_utf8(bytes) {
            feed_line("table --format numbers -", &text).prints(&printed.output);
        }
    }
    let all = folder.run("table --format numbers a.txt c.pbn");
    assert_eq!(all.output, format!("{WHOLE}\t{table}").repeat(4));
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
    let folder = Folder::with("match.pbn", MATCH);
    let ask = |words: &str| {
        let printed = folder.run(&format!("{words} match.pbn"));
        printed.ended(3);
        printed
    };
    let below = |text: &str| text.split_once('\n').expect("a heading").1.to_owned();
    let numbers = ask("table --format numbers");
    let table = table_of(DEAL);
    assert_eq!(numbers.output, format!("{DEAL}\t{table}").repeat(2));
    let line = MATCH.lines().nth(11).expect("a line");
    let column = line.find('X').expect("an X") - 6;
    let hidden = "line 14, board 3: the hands of East and West are hidden";
    let sizes = "line 21, board 5: the hands hold 3, 3, 3 and 2 cards";
    let card = format!(
        "setrograde: match.pbn, line 12, board 2: Deal \"N:AQ2... K3..2. .AKQ.. 4.J.X.\": column {column}:"
    );
    numbers.complains_by_line(&[
        &card,
        &format!("setrograde: match.pbn, {hidden}"),
        &format!("setrograde: match.pbn, {sizes}"),
    ]);

    let position = format!("NT E {DEAL}");
    let heading = "Board 1  none vul.  1NT by North, lead ♠K";
    let solved = ask("solve");
    let tricks = &run(&["solve", &position]).output[position.len() + 1..];
    let sides = format!("  East and West take {} of 3 tricks\n", tricks.trim_end());
    let expected = format!("{heading}\n{sides}Board 4  passed out\n");
    assert_eq!(solved.output, expected);
    solved.has_complaints(3);
    // North plays out of turn in the record: only the lead is known.
    let alone = below(&run(&["analyse", &format!("{position} SK")]).output);
    let expected = format!("{heading}\n{alone}\nBoard 4  passed out\n");
    assert_eq!(ask("analyse").output, expected);
    let alone = below(&run(&["table", "--format", "text", DEAL]).output);
    let expected = format!("{alone}\nBoard 4  passed out\n{alone}\n");
    assert_eq!(below(&ask("table").output), expected);

    let printed = ask("solve --json");
    assert!(printed.errors.is_empty());
    let lines = printed.objects();
    assert_eq!(lines.len(), 5);
    for (at, name, value) in [
        (0, "board", 1.into()),
        (0, "line", 1.into()),
        (0, "question", position.into()),
        (1, "board", 2.into()),
        (1, "line", 12.into()),
        (2, "error", "the hands of East and West are hidden".into()),
        (2, "file", "match.pbn".into()),
        (3, "passed_out", serde_json::Value::from(true)),
    ] {
        assert_eq!(lines[at][name], value, "{at} {name}");
    }

    let mut query = on(twelve_cards(), "query match.pbn");
    let printed = finish(query.current_dir(folder.path()));
    let found = format!("{heading}\n  {tricks}Board 4  passed out\n");
    assert_eq!(printed.output, found);
}

#[test]
fn par_takes_dealer_and_vulnerability_from_the_board() {
    let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
    let pbn = format!("[Dealer \"N\"]\n[Vulnerable \"All\"]\n[Deal \"{deal}\"]\n");
    // The heading has the sides that the score is for, not the board's.
    for (option, sides) in [("", "both"), ("--vulnerable none", "none")] {
        let printed = feed_line(&format!("par {option} -"), &pbn);
        let asked = run_line(&format!("par --vulnerable {sides} --dealer N '{deal}'"));
        let parts: Vec<&str> = asked.output.trim_end().split('\t').collect();
        let [_, score, contracts] = parts[..] else {
            panic!("{asked:?}");
        };
        printed.prints(&format!(
            "Line 1  {sides} vul.\n  par {score}: {contracts}\n"
        ));
    }
}

/// A link, a board that was passed out, a hand record, and a summary by player.
#[test]
fn boards_have_headings_and_files_a_summary() {
    let deal = "md|1S2H2D2C2,S3H3D3C3,SAHADACA,SKHKDKCK";
    let lin = format!(
        "pn|a,b,c,d,e,f,g,h|qx|o3|{deal}|sv|n|mb|1N|mb|p|mb|p|mb|p|pc|S3|pc|SA|pc|SK|pc|S2|mc|9|\
         qx|c3|{deal}|sv|n|mb|p|mb|p|mb|p|mb|p|qx|o4|{deal}|sv|b|"
    );
    let printed = Folder::with("a.lin", &lin).run("analyse a.lin");
    printed.ended(0);
    for text in [
        "Board 3, open room  N-S vul.  1NT by South, lead ♠3, 9 tricks\n",
        "  No card cost a trick.\n",
        "Board 3, closed room  N-S vul.  passed out\n",
        "Board 4, open room  both vul.\n      NT   S   H   D   C\n",
    ] {
        printed.shows(text);
    }
    printed.fits_a_terminal();
    printed.does_not_show("\x1b");
    let link = lin.replace('|', "%7C").replace(',', "%2c");
    let link = format!("https://example.com/handviewer.html?x=1&lin={link}");
    assert_eq!(run(&["analyse", &link]).output, printed.output);
    let objects = run(&["analyse", "--json", &link]).objects();
    let last = objects.last().expect("a line");
    assert_eq!(last["summary"]["boards"], 1);
    assert_eq!(last["summary"]["players"][0]["name"], "a");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    run_line("table nothing.pbn").is_refused(1, "setrograde: nothing.pbn: no file");
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
        text += &format!("[Dealer \"W\"]\n[Vulnerable \"NS\"]\n[Deal \"{WHOLE}\"]\n");
        text += "[Auction \"W\"]\nPass Pass\n; end\n\n";
    }
    text + "% nothing more"
}

/// The file without the tags that hold results.
fn stripped(text: &str) -> String {
    let mut kept = String::new();
    let mut in_table = false;
    for line in text.lines() {
        let tags = ["[DoubleDummyTricks", "[Optimum", "[ParContract"];
        if tags.iter().any(|tag| line.starts_with(tag)) {
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
    let folder = Folder::with("in.pbn", &text);
    let once = folder.run("table --format pbn in.pbn");
    once.ended(3);
    once.has_complaints(6);
    once.complains("in.pbn, line 9, board 9: the hands of East, South and West are hidden");
    // Every byte outside the results is unchanged.
    let kept = stripped(&once.output);
    assert_eq!(kept.trim_end(), stripped(&text).trim_end());
    let boards = |text: &str| -> Vec<_> {
        let games = Games::new(text.as_bytes(), "").map(|game| game.expect("read"));
        games
            .filter_map(|game| game.board()?.ok().cloned())
            .collect()
    };
    let mut tables = 0;
    for board in boards(&once.output) {
        let Some(deal) = board.deal() else { continue };
        tables += 1;
        let found = &board.double_dummy;
        let tricks = found.tricks.expect("tricks");
        let shown: Vec<String> = (tricks.as_flattened().iter())
            .map(ToString::to_string)
            .collect();
        let expected = table_of(&deal.to_string());
        assert_eq!(shown.join(" ") + "\n", expected);
        let par = found.par_score.zip(found.par_contract.as_deref());
        let of_whole = (140, "NS 2H+1, NS 3H=, NS 1H+2");
        assert_eq!(par, (deal.cards_left() == 52).then_some(of_whole));
    }
    assert_eq!(tables, 12);

    // A second time, nothing changes; without its results, they come again.
    folder.write("once.pbn", &once.output);
    let twice = folder.run("table --format pbn once.pbn");
    assert_eq!(twice.output, once.output);
    let again = feed_line("table --format pbn -", &kept).output;
    let results = |text: &str| -> Vec<_> {
        let boards = boards(text).into_iter();
        boards.map(|board| board.double_dummy).collect()
    };
    assert_eq!(results(&again), results(&once.output));
}

#[test]
fn boards_of_other_formats_become_pbn() {
    let lin = format!("qx|o7|{}sv|b|\n", lin_hands(WHOLE));
    let printed = feed_line("table --format pbn -", &lin);
    printed.begins(&format!(
        "[Board \"7\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n[Deal \"{WHOLE}\"]\n"
    ));
    let again = feed_line("table --format pbn -", &printed.output);
    assert_eq!(again.output, printed.output);
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_file_is_not_held_in_memory() {
    // Boards without an answer, so it takes no search.
    let notes = "x".repeat(600);
    let board = format!("[Board \"1\"]\n[Deal \"N:A... - - -\"]\n{{ {notes} }}\n\n");
    let folder = Folder::new();
    folder.write("small.pbn", board.repeat(2_000));
    folder.write("large.pbn", board.repeat(100_000));
    let [small, large] = ["small.pbn", "large.pbn"].map(|name| {
        let words = format!("table --format pbn --threads 1 {name}");
        crate::command::peak_to_the_end(&mut folder.command(&words))
    });
    assert!(large < small + (8 << 10), "{small} KiB, then {large} KiB");
}

/// Answers of any command in a file, which appears when they are complete.
#[test]
fn every_command_that_answers_writes_to_a_file() {
    let folder = Folder::new();
    let question = "NT N N:AQ... K3... 54... 76...";
    for (command, question) in [
        ("solve", question),
        ("analyse", question),
        ("claim", "NT S N:AQ... ? 32... ? out=KJT9..."),
        ("query", question),
    ] {
        let ask = |more: &str| {
            let mut command = folder.command(&format!("{command} '{question}' {more}"));
            finish(command.env("SETROGRADE_DB", twelve_cards()))
        };
        ask("-o answers.txt").prints("");
        assert_eq!(folder.read("answers.txt"), ask("").output, "{command}");
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
    let folder = Folder::new();
    let evening = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/samples/evening.pbn");
    let deals = deals_in_lin(&evening);
    assert!(deals.len() > 5);
    for format in ["dlm", "dup", "bri"] {
        let file = folder.at(&format!("evening.{format}"));
        let mut command = setrograde();
        command.args(["table", "--format", format, "--output"]);
        finish(command.arg(&file).arg(&evening)).ended(0);
        assert_eq!(deals_in_lin(&file), deals, "{format}");
    }
    let gap = run_line("table --format dup --board 1,3 data/samples/evening.pbn");
    gap.ended(3);
    gap.complains("board 3 follows board 1");
    let small = run_line("table --format bri 'N:A... K... Q... J...'");
    small.is_refused(3, "13 cards");
}
