//! Pasted input through the command: encodings, paths, compressed files, text between boards.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::{feed_bytes, run, run_line, setrograde};
use crate::database::twelve_cards;
use crate::folder::Folder;

const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// A table without a database, as digits.
const DIGITS: &str = "table --db none --format digits";

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
    let check = [&digests[..], &["--check"]].concat();
    let pbn = format!(
        "[Board \"1\"]\n[West \"Šárka O’Neill\"]\n[Deal \"{DEAL}\"]\n[Dealer \"N\"]\n\
         [Vulnerable \"None\"]\n[Declarer \"N\"]\n[Contract \"1NT\"]\n[Play \"E\"]\nSQ S2 D2 SK\n"
    );
    let lin = "pn|south,Šárka O’Neill,north,east|st||md|3SAKH2,SQJHA,S32DA,DK2CA|sv|o|\
               mb|1N|mb|p|mb|p|mb|p|pc|CA|pc|H2|pc|HA|pc|S3|pg||\n"
        .to_owned();
    let questions = "# Š\nNT N N:A... K... .A.. ..A.\nH W N:A.2.. K..A. .AK.. Q..K.\n".to_owned();
    let layouts = "# Š\nN:AQ... KJ... 32... T9...\nN:AQ... T9... 32... KJ... 2\n".to_owned();
    let (query, sets) = (["query", "--db", db], ["db", "sets", "--db", db]);
    let of_claim = ["claim", "--plan", "--tricks", "1", CLAIM];
    let cases: Vec<(&[&str], String)> = vec![
        (&["table", "--json", "--db", "none"], pbn.clone()),
        (&["table", "--json", "--db", "none"], lin.clone()),
        (&["par", "--db", "none"], pbn.clone()),
        (&["solve", "--db", "none"], pbn.clone()),
        (&["analyse", "--json", "--db", "none"], pbn),
        (&["analyse", "--json", "--db", "none"], lin),
        (&["solve", "--db", "none"], questions.clone()),
        (&query, questions.clone()),
        (&sets, questions),
        (&["claim", "--tricks", "1"], format!("# Š\n{CLAIM}\n")),
        (&["claim", "check", CLAIM], printed(&of_claim)),
        (&check, printed(&digests)),
        (&["single-dummy", CLAIM, "--layouts"], layouts),
    ];
    let folder = Folder::new();
    let path = folder.at("text").display().to_string();
    for (arguments, text) in cases {
        let read = |bytes: &[u8]| {
            folder.write("text", bytes);
            printed(&[arguments, &[&path]].concat())
        };
        let typed = |bytes: &[u8]| {
            let printed = feed_bytes(setrograde().args(arguments).arg("-"), bytes);
            printed.ended(0);
            printed.output
        };
        let (right, right_typed) = (read(text.as_bytes()), typed(text.as_bytes()));
        if arguments[0] == "analyse" {
            assert!(right.contains("Šárka O’Neill"), "{right}");
        }
        for line_break in ["\n", "\r\n", "\r"] {
            for (encoding, bytes) in encodings(&text.replace('\n', line_break)) {
                let what = format!("{arguments:?}, {encoding}, {line_break:?}");
                assert_eq!(read(&bytes), right, "{what}");
                assert_eq!(typed(&bytes), right_typed, "{what}, standard input");
            }
        }
    }
}

/// Text on the line of a deal is noted; the deal has its answer.
#[test]
fn text_beside_a_deal_is_noted() {
    let printed = run_line(&format!("{DIGITS} '{D}'"));
    let results = printed.output.trim().rsplit('\t').next();
    let results = results.expect("results");
    for line in [
        format!("{D} | {results}"),
        format!("{D}   # from the club"),
        format!("3. {D}"),
        format!("\"{D}\";NS"),
    ] {
        let folder = Folder::with("deals.txt", format!("{D}\n{line}\n"));
        for (argument, prefix) in [("deals.txt", "deals.txt, line 2: "), (&line, "")] {
            let printed = folder.run(&format!("{DIGITS} '{argument}'"));
            printed.ended(0);
            printed.complains(&format!("{prefix}\""));
            printed.complains("beside the deal is ignored");
            printed.shows(&format!("{results}\n"));
        }
        run(&["table", "--json", &line]).shows("beside the deal is ignored");
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
        let printed = Folder::with("boards", file).run(&format!("{DIGITS} boards"));
        printed.ended(0);
        printed.complains("text outside of boards is ignored");
        printed.has_complaints(1);
    }
    for file in ["hello\nyou\n", "<xml/>\n", "PK\u{3}\u{4}\n"] {
        let printed = Folder::with("boards", file).run(&format!("{DIGITS} boards"));
        printed.is_refused(3, "no board and no question found; expected PBN, LIN");
        printed.has_complaints(1);
    }
}

/// A doubt has its own line, and is said once.
#[test]
fn a_doubt_costs_no_board() {
    let stars = "[DoubleDummyTricks \"********************\"]";
    let game = format!("[Board \"1\"]\n[Deal \"{D}\"]\n{stars}\n\n");
    let folder = Folder::with("boards.pbn", game.repeat(2));
    let printed = folder.run(&format!("{DIGITS} boards.pbn"));
    printed.ended(0);
    printed.complains("boards.pbn, line 3, board 1: DoubleDummyTricks \"****");
    printed.has_complaints(1);
    let filled = folder.run("table --db none --format pbn boards.pbn");
    filled.ended(0);
    filled.does_not_show("****");
    let json = folder.run("table --db none --json boards.pbn");
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
            run(&[command, "--db", "none", path]).is_refused(1, "no file has this name");
        }
    }
}

/// Names of files are bytes.
#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use crate::command::finish;

    let folder = Folder::new();
    let [there, missing] = [&b"b\xf6rd.pbn"[..], b"\xff"].map(OsStr::from_bytes);
    let there = folder.path().join(there);
    std::fs::write(&there, format!("[Deal \"{D}\"]\n")).expect("written");
    for command in ["table --db none", "par --db none"] {
        finish(folder.command(command).arg(&there)).ended(0);
        let printed = finish(folder.command(command).arg(missing));
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
    let folder = Folder::with("boards.pbn.gz", &bytes);
    folder.run(&format!("{DIGITS} boards.pbn.gz")).ended(0);
    feed_bytes(&mut folder.command(&format!("{DIGITS} -")), &bytes).ended(0);
    folder.write("cut.gz", &bytes[..bytes.len() / 2]);
    let cut = folder.run(&format!("{DIGITS} cut.gz"));
    cut.complains("cannot read");
}

/// `deal` writes files, in PBN and in LIN; both are the same boards.
#[test]
fn deals_in_both_formats() {
    let folder = Folder::new();
    let read = |format: &str, file: &str| {
        let printed = folder.run(&format!("table --db none --format {format} {file}"));
        printed.ended(0);
        printed.output
    };
    for format in ["pbn", "lin"] {
        let words = format!("deal 3 --format {format} -o {format}");
        folder.run(&words).ended(0);
    }
    assert_eq!(read("lin", "pbn"), folder.read("lin"));
    assert_eq!(read("digits", "pbn"), read("digits", "lin"));
}

/// Questions and conditions with the signs of word processors and other notations.
#[test]
fn every_command_reads_changed_questions() {
    for line in [
        "deal 1 --if 'N.♠\u{fe0f}≥5; N.hcp=10–15'",
        "deal 1 --if 'not N.balanced and N.S>=5'",
        "leads '3 NT' --draw 2 '♠\u{a0}7 ♥\u{a0}QJ1094 ♦\u{a0}K83 ♣\u{a0}A962'",
        "leads 3♠ --draw 2 's7 hqjt94 dk83 ca962'",
        "leads '3NT by North' --draw 2 '7 QJT94 K83 A962'",
        "solve '♠\u{fe0f} west N:AQ..., 76..., 54..., K3...'",
        "solve 'NT S N : AQ... 76... 54... K3...'",
        "solve 'nt s N:AQ... E:76... S:54... W:K3...'",
        "analyse 'NT S N:aq... 76... 54... k3... ♠4 ♠3 ♠A ♠6'",
        "claim --tricks 1 'nt south N:AQ... ? 32... ? out=♠KJ109'",
        &format!("par --vulnerable 'Game all' --dealer north '{D}'"),
    ] {
        let printed = run_line(line);
        assert!(printed.status == Some(0), "{line}: {printed:?}");
        assert!(!line.contains('\u{fe0f}') || printed.errors.is_empty());
    }
}
