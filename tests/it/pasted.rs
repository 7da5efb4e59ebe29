//! Pasted input through the command: encodings, paths, compressed files, text between boards.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use crate::command::{Printed, feed_bytes, finish, run, setrograde};
use crate::database::twelve_cards;

const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

fn written(name: &str, bytes: &[u8]) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    fs::write(&path, bytes).expect("written");
    (directory, path.to_str().expect("text").to_owned())
}

fn digits(arguments: &[&str]) -> Printed {
    let mut all = vec!["table", "--db", "none", "--format", "digits"];
    all.extend(arguments);
    run(&all)
}

/// The encodings of a text: UTF-8 and UTF-16 of both orders, with their marks and without, and
/// Windows-1252.
fn encodings(text: &str) -> [(&'static str, Vec<u8>); 7] {
    let wide = |mark: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{mark}{text}")
            .encode_utf16()
            .flat_map(to)
            .collect()
    };
    let narrow = |c: char| match c {
        'Š' => 0x8a,
        '’' => 0x92,
        c => u8::try_from(c).expect("of Windows-1252"),
    };
    let mark = "\u{feff}";
    [
        ("UTF-8", text.into()),
        ("UTF-8 with its mark", format!("{mark}{text}").into()),
        ("UTF-16LE", wide("", u16::to_le_bytes)),
        ("UTF-16LE with its mark", wide(mark, u16::to_le_bytes)),
        ("UTF-16BE", wide("", u16::to_be_bytes)),
        ("UTF-16BE with its mark", wide(mark, u16::to_be_bytes)),
        ("Windows-1252", text.chars().map(narrow).collect()),
    ]
}

/// Whatever a command reads from a file or from standard input: boards, questions, layouts,
/// plans and digests.
#[test]
fn every_command_reads_every_encoding() {
    const DEAL: &str = "N:AK.2.. QJ.A.. 32..A. ..K2.A";
    const CLAIM: &str = "NT S N:AQ... ? 32... ? out=KJT9...";
    let db = twelve_cards().to_str().expect("text");
    let printed = |arguments: &[&str]| {
        let printed = run(arguments);
        printed.ended(0);
        printed.output
    };
    let digests = ["db", "digest", "--cards", "8", "--chunks", "3", "--db", db];
    let pbn = format!(
        "[Board \"1\"]\n[West \"Šárka O’Neill\"]\n[Deal \"{DEAL}\"]\n[Dealer \"N\"]\n\
         [Vulnerable \"None\"]\n[Declarer \"N\"]\n[Contract \"1NT\"]\n[Play \"E\"]\nSQ S2 D2 SK\n"
    );
    let lin = "pn|south,Šárka O’Neill,north,east|st||md|3SAKH2,SQJHA,S32DA,DK2CA|sv|o|\
               mb|1N|mb|p|mb|p|mb|p|pc|CA|pc|H2|pc|HA|pc|S3|pg||\n"
        .to_owned();
    let questions = "# Š\nNT N N:A... K... .A.. ..A.\nH W N:A.2.. K..A. .AK.. Q..K.\n".to_owned();
    let layouts = "# Š\nN:AQ... KJ... 32... T9...\nN:AQ... T9... 32... KJ... 2\n".to_owned();
    let none = ["--db", "none"];
    let cases: Vec<(Vec<&str>, String)> = vec![
        ([&["table", "--json"], &none[..]].concat(), pbn.clone()),
        ([&["table", "--json"], &none[..]].concat(), lin.clone()),
        ([&["par"], &none[..]].concat(), pbn.clone()),
        ([&["solve"], &none[..]].concat(), pbn.clone()),
        ([&["analyse", "--json"], &none[..]].concat(), pbn),
        ([&["analyse", "--json"], &none[..]].concat(), lin),
        ([&["solve"], &none[..]].concat(), questions.clone()),
        (vec!["query", "--db", db], questions.clone()),
        (vec!["db", "sets", "--db", db], questions),
        (vec!["claim", "--tricks", "1"], format!("# Š\n{CLAIM}\n")),
        (
            vec!["claim", "check", CLAIM],
            printed(&["claim", "--plan", "--tricks", "1", CLAIM]),
        ),
        ([&digests[..], &["--check"]].concat(), printed(&digests)),
        (vec!["single-dummy", CLAIM, "--layouts"], layouts),
    ];
    for (arguments, text) in cases {
        let (_directory, path) = written("text", text.as_bytes());
        let right = printed(&[&arguments[..], &[&path]].concat());
        if arguments[0] == "analyse" {
            assert!(right.contains("Šárka O’Neill"), "{right}");
        }
        let typed = |bytes: &[u8]| {
            let printed = feed_bytes(setrograde().args(&arguments).arg("-"), bytes);
            printed.ended(0);
            printed.output
        };
        let right_typed = typed(text.as_bytes());
        for line_break in ["\n", "\r\n", "\r"] {
            for (encoding, bytes) in encodings(&text.replace('\n', line_break)) {
                let what = format!("{arguments:?}, {encoding}, {line_break:?}");
                fs::write(&path, &bytes).expect("written");
                let found = printed(&[&arguments[..], &[&path]].concat());
                assert_eq!(found, right, "{what}");
                assert_eq!(typed(&bytes), right_typed, "{what}, standard input");
            }
        }
    }
}

/// The digits of `D`, without the deal.
fn results_of_d() -> String {
    let line = digits(&[D]).output;
    let results = line.trim().rsplit('\t').next();
    results.expect("results").to_owned()
}

/// Hands after their seats and diagrams, on standard input and from files.
#[test]
fn hands_and_diagrams_are_boards() {
    let results = results_of_d();
    for text in [
        "North: ♠KQJT64 ♥AJ52 ♦6 ♣A3\nEast: ♠83 ♥T3 ♦QT4 ♣QJ8762\nSouth: ♠A972 ♥K874 ♦A53 ♣T4\n\
         West: ♠5 ♥Q96 ♦KJ9872 ♣K95\n",
        "N: KQJT64.AJ52.6.A3\nE: 83.T3.QT4.QJ8762\nS: A972.K874.A53.T4\n",
        "      North\n      ♠ K Q J 10 6 4\n      ♥ A J 5 2\n      ♦ 6\n      ♣ A 3\nWest            East\n\
         ♠ 5             ♠ 8 3\n♥ Q 9 6         ♥ 10 3\n♦ K J 9 8 7 2   ♦ Q 10 4\n♣ K 9 5         \
         ♣ Q J 8 7 6 2\n      South\n      ♠ A 9 7 2\n      ♥ K 8 7 4\n      ♦ A 5 3\n      ♣ 10 4\n",
    ] {
        let (_directory, path) = written("pasted.txt", text.as_bytes());
        let typed = feed_bytes(
            setrograde().args(["table", "--db", "none", "--format", "digits", "-"]),
            text.as_bytes(),
        );
        for printed in [typed, digits(&[&path])] {
            printed.ended(0);
            assert!(
                printed.output.trim().ends_with(&results),
                "{}",
                printed.output
            );
        }
    }
    let slip =
        "N: KQJT64.AJ52.6.A3\nE: 83.T3.QT4.QJ8762\nS: A972.K874.A53.T4\nW: 5.Q96.KJ9872.K9Z\n";
    let printed = feed_bytes(
        setrograde().args(["table", "--db", "none", "-"]),
        slip.as_bytes(),
    );
    printed.ended(3);
    printed.complains("line 4, board 1: hand \"5.Q96.KJ9872.K9Z\": column 16: 'Z' is not a rank");
}

/// Text on the line of a deal is noted; the deal has its answer.
#[test]
fn text_beside_a_deal_is_noted() {
    let results = results_of_d();
    for line in [
        format!("{D} | {results}"),
        format!("{D}   # from the club"),
        format!("3. {D}"),
        format!("\"{D}\";NS"),
    ] {
        let (_directory, path) = written("deals.txt", format!("{D}\n{line}\n").as_bytes());
        for (argument, prefix) in [(&path, "deals.txt, line 2: "), (&line, "")] {
            let printed = digits(&[argument]);
            printed.ended(0);
            printed.complains(&format!("{prefix}\""));
            printed.complains("beside the deal is ignored");
            assert!(printed.output.trim().ends_with(&results), "{printed:?}");
        }
        let json = run(&["table", "--json", &line]);
        json.shows("beside the deal is ignored");
    }
}

/// Every board has its answer, so the status is 0; the text is noted once.
#[test]
fn text_between_boards_is_no_failure() {
    let game = format!("[Board \"1\"]\n[Deal \"{D}\"]\n");
    for file in [
        format!("{game}\nTime needed    8.000 sec\n"),
        format!("Generated 12 hands\n{game}"),
        format!("Hello,\nmy hand:\n{D}\nBye\n"),
        "Hi\nqx|o1|md|3SA972HK874DA53CT4,S5HQ96DKJ9872CK95,SKQJT64HAJ52D6CA3,|sv|o|\n".to_owned(),
    ] {
        let (_directory, path) = written("boards", file.as_bytes());
        let printed = digits(&[&path]);
        printed.ended(0);
        printed.complains("text outside of boards is ignored");
        assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    }
    for file in ["hello\nyou\n", "<xml/>\n", "PK\u{3}\u{4}\n"] {
        let (_directory, path) = written("boards", file.as_bytes());
        let printed = digits(&[&path]);
        printed.ended(3);
        printed.complains("no board and no question found; expected PBN, LIN");
        assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    }
}

/// A doubt has its own line, and is said once.
#[test]
fn a_doubt_costs_no_board() {
    let stars = "[DoubleDummyTricks \"********************\"]";
    let game = format!("[Board \"1\"]\n[Deal \"{D}\"]\n{stars}\n\n");
    let (_directory, path) = written("boards.pbn", game.repeat(2).as_bytes());
    let printed = digits(&[&path]);
    printed.ended(0);
    printed.complains("boards.pbn, line 3, board 1: DoubleDummyTricks \"****");
    assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    let filled = run(&["table", "--db", "none", "--format", "pbn", &path]);
    filled.ended(0);
    assert!(!filled.output.contains("****"));
    let json = run(&["table", "--db", "none", "--json", &path]);
    json.shows("\"notes\":[\"line 3: DoubleDummyTricks");
}

#[test]
fn missing_files_are_named_as_files() {
    for path in [
        r"D:\x\y.pbn",
        r"C:\nope",
        r"\\server\share\a",
        "a:b.lin",
        "N:x.pbn",
        r".\a",
    ] {
        for command in ["table", "par", "solve", "analyse"] {
            let printed = run(&[command, "--db", "none", path]);
            printed.complains("no file has this name");
            printed.ended(1);
        }
    }
}

/// Names of files are bytes.
#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(OsStr::from_bytes(b"b\xf6rd.pbn"));
    fs::write(&path, format!("[Deal \"{D}\"]\n")).expect("written");
    for command in ["table", "par"] {
        let printed = finish(setrograde().args([command, "--db", "none"]).arg(&path));
        printed.ended(0);
        let missing = directory.path().join(OsStr::from_bytes(b"\xff"));
        let printed = finish(setrograde().args([command, "--db", "none"]).arg(&missing));
        printed.complains("no file has this name");
    }
}

#[test]
fn compressed_files_are_read() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(format!("[Board \"1\"]\n[Deal \"{D}\"]\n").as_bytes())
        .expect("written");
    let bytes = encoder.finish().expect("compressed");
    let (_directory, path) = written("boards.pbn.gz", &bytes);
    digits(&[&path]).ended(0);
    let mut command = setrograde();
    command.args(["table", "--db", "none", "--format", "digits", "-"]);
    feed_bytes(&mut command, &bytes).ended(0);
    let (_other, cut) = written("cut.gz", &bytes[..bytes.len() / 2]);
    digits(&[&cut]).complains("cannot read");
}

/// `deal` writes files, in PBN and in LIN; both are the same boards.
#[test]
fn deals_in_both_formats() {
    let directory = tempfile::tempdir().expect("a directory");
    let paths = ["pbn", "lin"].map(|format| {
        let path = directory.path().join(format);
        let path = path.to_str().expect("text").to_owned();
        run(&["deal", "3", "--format", format, "-o", &path]).ended(0);
        path
    });
    let read = |path: &str, format: &str| {
        let printed = run(&["table", "--db", "none", "--format", format, path]);
        printed.ended(0);
        printed.output
    };
    assert_eq!(
        read(&paths[0], "lin"),
        fs::read_to_string(&paths[1]).expect("read")
    );
    assert_eq!(read(&paths[0], "digits"), read(&paths[1], "digits"));
}

/// Each command that reads a board reads what letters and other programs made of it.
#[test]
fn every_command_reads_changed_records() {
    let game = format!(
        "[Board \"7\"]\n[Dealer \"N\"]\n[Vulnerable \"NS\"]\n[Deal \"{D}\"]\n[Declarer \"N\"]\n\
         [Contract \"4S\"]\n[Play \"E\"]\nCQ C4 C5 CA\n"
    );
    let lin = "qx|o7|md|3SA972HK874DA53CT4,S5HQ96DKJ9872CK95,SKQJT64HAJ52D6CA3,|sv|n|\
               mb|1sp4sppp|pc|CQ,C4,C5,CA|";
    let link = "https://x.example/h?n=skqjt64haj52d6ca3&e=s83ht3dqt4cqj8762&s=sa972hk874da53ct4\
                &w=s5hq96dkj9872ck95&d=n&v=n&b=7&a=1sp4sppp&p=CQ-C4-C5-CA";
    let files = [
        format!("> {}", game.replace('\n', "\n> ")),
        game.replace(" A972", "\nA972").replace('"', "”"),
        game.replace("CQ C4 C5 CA", "1. ♣\u{fe0f}Q, ♣4, ♣5, ♣A"),
        game.replace("\"4S\"", "\"4♠\u{fe0f} by N\"")
            .replace("NS", "N-S only"),
        game.replace('\n', "\r").replacen('\r', "\r\n", 2),
        format!("Hello\n\n{lin}\n\nBye\n"),
        lin.replace('|', "%7C"),
        format!("See “{link}”, please"),
        format!("<p>{link}</p>"),
    ];
    for (at, file) in files.iter().enumerate() {
        let (_directory, path) = written("board", file.as_bytes());
        for command in ["table", "par", "solve", "analyse"] {
            let printed = run(&[command, "--db", "none", "--json", &path]);
            printed.ended(0);
            printed.shows("\"board\":7");
            let shown = match command {
                "table" => "\"S\":12",
                "par" => "\"vulnerable\":\"NS\"",
                "solve" => "\"tricks\":",
                _ => "CA",
            };
            assert!(
                printed.output.contains(shown),
                "{at} {command}: {printed:?}"
            );
        }
    }
}

/// Questions and conditions with the signs of word processors and other notations.
#[test]
fn every_command_reads_changed_questions() {
    let selector = "\u{fe0f}";
    for words in [
        &["deal", "1", "--if", "N.♠\u{fe0f}≥5; N.hcp=10–15"][..],
        &["deal", "1", "--if", "not N.balanced and N.S>=5"],
        &[
            "leads",
            "3 NT",
            "--draw",
            "2",
            "♠\u{a0}7 ♥\u{a0}QJ1094 ♦\u{a0}K83 ♣\u{a0}A962",
        ],
        &["leads", "3♠", "--draw", "2", "s7 hqjt94 dk83 ca962"],
        &["leads", "3NT by North", "--draw", "2", "7 QJT94 K83 A962"],
        &["solve", "♠\u{fe0f} west N:AQ..., 76..., 54..., K3..."],
        &["solve", "NT S N : AQ... 76... 54... K3..."],
        &["solve", "nt s N:AQ... E:76... S:54... W:K3..."],
        &["analyse", "NT S N:aq... 76... 54... k3... ♠4 ♠3 ♠A ♠6"],
        &[
            "claim",
            "--tricks",
            "1",
            "nt south N:AQ... ? 32... ? out=♠KJ109",
        ],
        &["par", "--vulnerable", "Game all", "--dealer", "north", D],
    ] {
        let printed = run(words);
        assert!(printed.status == Some(0), "{words:?}: {printed:?}");
        assert!(!words.concat().contains(selector) || printed.errors.is_empty());
    }
}
