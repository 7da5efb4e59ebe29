//! Pasted input through the command: encodings, paths, compressed files, text between boards.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use crate::command::{Printed, feed_bytes, finish, run, setrograde};

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

/// The table of the deal is right in all twelve, and names are whole.
#[test]
fn every_encoding_and_line_break_gives_one_answer() {
    let pbn = format!(
        "[Board \"1\"]\n[West \"Šárka O’Neill\"]\n[Deal \"{D}\"]\n[Dealer \"N\"]\n\
                       [Vulnerable \"None\"]\n[Declarer \"N\"]\n[Contract \"4S\"]\n[Play \"E\"]\nCQ C4 C5 CA\n"
    );
    let question = format!("# Š\n{D}\n");
    let narrow = |text: &str| -> Vec<u8> {
        let letter = |c: char| match c {
            'Š' => 0x8a,
            '’' => 0x92,
            c => u8::try_from(c).expect("of Windows-1252"),
        };
        text.chars().map(letter).collect()
    };
    let mut tables = Vec::new();
    let mut names = Vec::new();
    for line_break in ["\n", "\r\n", "\r"] {
        for encoding in 0..4 {
            let encoded = |text: &str| {
                let text = text.replace('\n', line_break);
                let wide = |to: fn(u16) -> [u8; 2]| -> Vec<u8> {
                    text.encode_utf16().flat_map(to).collect()
                };
                match encoding {
                    0 => text.into_bytes(),
                    1 => format!("\u{feff}{text}").into_bytes(),
                    2 => [&b"\xff\xfe"[..], &wide(u16::to_le_bytes)].concat(),
                    _ => narrow(&text),
                }
            };
            let (_directory, board) = written("board", &encoded(&pbn));
            let (_other, line) = written("line", &encoded(&question));
            let last = |printed: Printed| {
                printed.ended(0);
                let line = printed.output.trim().lines().last().expect("a line");
                line.rsplit('\t').next().expect("digits").trim().to_owned()
            };
            tables.push(last(digits(&[&board])));
            tables.push(last(digits(&[&line])));
            let mut command = setrograde();
            command.args(["table", "--db", "none", "--format", "digits", "-"]);
            tables.push(last(feed_bytes(&mut command, &encoded(&question))));
            let analysed = run(&["analyse", "--db", "none", "--json", &board]);
            analysed.ended(0);
            names.push(analysed.output.contains("Šárka O’Neill"));
        }
    }
    tables.dedup();
    assert_eq!(tables.len(), 1, "{tables:?}");
    assert!(names.iter().all(|&whole| whole));
}

/// A plan in UTF-16, as PowerShell writes what goes to a file.
#[test]
fn plans_in_utf_16_are_checked() {
    let question = "NT S N:AQ... ? 32... ? out=KJT9...";
    let plan = run(&["claim", "--plan", "--tricks", "1", question]);
    plan.ended(0);
    for mark in [&b""[..], b"\xff\xfe"] {
        let wide = plan.output.encode_utf16().flat_map(u16::to_le_bytes);
        let bytes: Vec<u8> = mark.iter().copied().chain(wide).collect();
        let (_directory, path) = written("plan.json", &bytes);
        run(&["claim", "check", question, &path]).ended(0);
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
        printed.complains("text that belongs to no board is passed over");
        assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    }
    for file in ["hello\nyou\n", "<xml/>\n", "PK\u{3}\u{4}\n"] {
        let (_directory, path) = written("boards", file.as_bytes());
        let printed = digits(&[&path]);
        printed.ended(3);
        printed.complains("neither a board nor a question is in it; PBN, LIN");
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
