//! Output files: complete or not at all, never over an input, and never instead of
//! something better.

use std::fs;

use setrograde_cards::Deal;

use crate::command::{feed, finish};
use crate::folder::Folder;

const GAME: &str = "[Board \"1\"]\n[Deal \"N:AQ2... K3..2. .AKQ.. 4.J.3.\"]\n{ an evening }\n";

/// A page as `page/build.mjs` makes it, but for all that is visible.
const PAGE: &str = "<script type=\"application/json\" id=\"boards\"></script>";

/// A directory with a record, from which commands are run.
fn evening() -> Folder {
    Folder::with("a.pbn", GAME)
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let evening = evening();
    for words in [
        "table -o a.pbn a.pbn",
        "table --json -o ./a.pbn a.pbn",
        "table --format digits -o a.pbn b.pbn a.pbn",
        "table --format pbn -o a.pbn b.pbn a.pbn",
        "analyse -o a.pbn a.pbn",
        "claim --json -o a.pbn a.pbn",
        "solve -o a.pbn a.pbn",
        "par -o a.pbn a.pbn",
        "query --db none -o a.pbn a.pbn",
    ] {
        evening.write("b.pbn", GAME);
        let printed = evening.run(words);
        assert_eq!(evening.read("a.pbn"), GAME, "{words}");
        if !words.starts_with("query") {
            printed.complains("which is an input; nothing is written");
        }
        printed.ended(1);
        assert_eq!(evening.names(), ["a.pbn", "b.pbn"], "{words}");
    }
    // From standard input, too.
    let input = fs::File::open(evening.at("a.pbn")).expect("opened");
    let printed = finish(evening.command("table -o a.pbn -").stdin(input));
    printed.is_refused(1, "this is standard input");
    assert_eq!(evening.read("a.pbn"), GAME);
    // The same if the shell appends to it.
    let output = fs::File::options().append(true).open(evening.at("a.pbn"));
    let output = output.expect("opened");
    let printed = finish(evening.command("table a.pbn").stdout(output));
    printed.is_refused(1, "standard output: this is a.pbn");
    assert_eq!(evening.read("a.pbn"), GAME);
}

#[cfg(unix)]
#[test]
fn an_input_is_known_by_all_its_names() {
    let evening = evening();
    std::os::unix::fs::symlink("a.pbn", evening.at("soft.pbn")).expect("linked");
    fs::hard_link(evening.at("a.pbn"), evening.at("hard.pbn")).expect("linked");
    evening.write("blank.html", PAGE);
    for words in [
        "table -o soft.pbn",
        "table -o hard.pbn",
        "page --from blank.html -o soft.pbn",
        "page --from blank.html -o hard.pbn",
        "page --from blank.html -o blank.html",
    ] {
        let printed = evening.run(&format!("{words} a.pbn"));
        printed.is_refused(1, "nothing is written");
        assert_eq!(evening.read("a.pbn"), GAME, "{words}");
        assert_eq!(evening.read("blank.html"), PAGE, "{words}");
    }
}

/// The written file replaces the old one and has all of its content.
#[test]
fn a_pbn_file_may_replace_itself() {
    let evening = evening();
    let whole = evening.run("table --format pbn a.pbn").output;
    for _ in 0..2 {
        evening.run("table --format pbn -o a.pbn a.pbn").ended(0);
        assert_eq!(evening.read("a.pbn"), whole);
        assert_eq!(evening.names(), ["a.pbn"]);
    }
    assert!(whole.contains("{ an evening }") && whole.contains("DoubleDummyTricks"));
    // LIN would lose what PBN has no tag for.
    let lin = "qx|o1|md|1SA,SK,SQ,SJ|nt|a remark|\n";
    evening.write("a.lin", lin);
    evening.run("table --format pbn -o a.lin a.lin").ended(1);
    assert_eq!(evening.read("a.lin"), lin);
}

#[test]
fn a_run_without_an_answer_leaves_an_old_output() {
    let evening = evening();
    evening.write("junk.txt", "this is no deal\nnor this\n");
    evening.write("hidden.pbn", "[Board \"1\"]\n[Deal \"N:AQ2... - - -\"]\n");
    evening.write("empty.pbn", "");
    for old in [true, false] {
        for words in [
            "table -o out.txt junk.txt",
            "table --json -o out.txt junk.txt",
            "analyse -o out.txt hidden.pbn",
            "table --format pbn -o out.txt hidden.pbn",
            "table -o out.txt empty.pbn",
            "table -o out.txt N:AX",
        ] {
            if old {
                evening.write("out.txt", "precious");
            }
            let printed = evening.run(words);
            let left = if old { "left unchanged" } else { "not written" };
            printed.is_refused(3, &format!("out.txt: {left}"));
            assert!(printed.errors.lines().count() >= 2, "{}", printed.errors);
            let names = evening.names();
            assert_eq!(names.len(), 4 + usize::from(old), "{words}: {names:?}");
            if old {
                assert_eq!(evening.read("out.txt"), "precious", "{words}");
            }
        }
        if old {
            evening.remove("out.txt");
        }
    }
    // No board fits, or no deal was found.
    evening.write("out.txt", "precious");
    for (words, status) in [
        ("table --where tricks(N,NT)>=9 -o out.txt a.pbn", 0),
        (
            "deal 4 --if N.hcp<=3,S.hcp<=3 --where tricks(S,NT)>=9 --time 0 -o out.txt",
            4,
        ),
    ] {
        evening
            .run(words)
            .is_refused(status, "out.txt: left unchanged");
        assert_eq!(evening.read("out.txt"), "precious", "{words}");
    }
    // A file that lacks boards does not replace the one that has them.
    let boards = evening.read("a.pbn");
    let printed = evening.run("table --format pbn --where tricks(N,NT)>=9 -o a.pbn a.pbn");
    printed.is_refused(1, "name another file");
    assert_eq!(evening.read("a.pbn"), boards);
    evening.remove("out.txt");
    // One answer, and the file is made.
    evening.run("table -o out.txt junk.txt a.pbn").ended(3);
    assert!(evening.read("out.txt").starts_with("Board 1"));
}

/// A mistyped command leaves no file that the next one trips over.
#[test]
fn a_command_that_fails_leaves_no_file() {
    let evening = evening();
    evening.run("table -o out.txt nofile.pbn").ended(1);
    assert_eq!(evening.names(), ["a.pbn"]);
    evening.run("table -o out.txt a.pbn").ended(0);
    fs::create_dir(evening.at("folder.pbn")).expect("created");
    evening.run("table -o out.txt a.pbn folder.pbn").ended(1);
    assert!(evening.read("out.txt").starts_with("Board 1"));
    assert_eq!(evening.names(), ["a.pbn", "folder.pbn", "out.txt"]);
}

/// A disk that has no more room: here, files of a kilobyte at most.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_does_not_fit_leaves_an_old_one() {
    let evening = evening();
    evening.write("out.txt", "precious");
    evening.write("games.pbn", format!("{GAME}\n").repeat(20));
    let table = evening.command("table -o out.txt games.pbn");
    let printed = finish(&mut crate::command::without_room(1, &table));
    printed.is_refused(1, "out.txt: cannot write: File too large");
    printed.does_not_complain(".setrograde");
    assert_eq!(evening.read("out.txt"), "precious");
    assert_eq!(evening.names(), ["a.pbn", "games.pbn", "out.txt"]);
}

#[test]
fn layouts_that_are_given_are_an_input_too() {
    let evening = evening();
    let layouts = "N:AQT... K.KT.. J.Q9.. 9.AJ..\n";
    evening.write("layouts.txt", layouts);
    let words = "single-dummy --layouts layouts.txt -o layouts.txt";
    let printed = evening.run(&format!("{words} 'NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..'"));
    printed.is_refused(
        1,
        "this is layouts.txt, which is an input; nothing is written",
    );
    assert_eq!(evening.read("layouts.txt"), layouts);
}

/// `-` is standard output, as it is standard input among the inputs.
#[test]
fn standard_output_has_a_name() {
    let evening = evening();
    evening.write("blank.html", PAGE);
    for words in [
        "table a.pbn",
        "table --json a.pbn",
        "table --format pbn a.pbn",
        "analyse --json a.pbn",
        "deal 2",
        "deal 2 --json",
    ] {
        let named = evening.run(&format!("{words} -o -"));
        named.ended(0);
        assert_eq!(named.output, evening.run(words).output, "{words}");
    }
    let printed = evening.run("page --from blank.html -o - a.pbn");
    printed.ended(0);
    printed.shows("an evening");
    printed.complains("standard output: a page with 1 board");
    let printed = evening.run("page --from blank.html --open -o - a.pbn");
    printed.is_refused(1, "name one with --output");
    for words in [
        "build --cards 4 --chunk 1/2 -o -",
        "tournament --players random simple --log -",
    ] {
        let printed = evening.run(words);
        printed.is_refused(2, "expected a file, not standard output");
    }
    assert_eq!(evening.names(), ["a.pbn", "blank.html"]);
    evening.run("table a.pbn -o ./-").ended(0);
    assert_eq!(evening.names(), ["-", "a.pbn", "blank.html"]);
}

/// An output that cannot be written is refused before the work, and a refusal leaves no output.
// Windows has no error of its own for a name that is too long.
#[cfg(unix)]
#[test]
fn a_refusal_comes_before_the_work() {
    let evening = evening();
    evening.write("junk.txt", "this is no deal\n");
    let long = "x".repeat(256);
    for words in ["table junk.txt", "deal --where tricks(N,NT)>=13 --time 0"] {
        let printed = evening.run(&format!("{words} -o {long}"));
        printed.is_refused(1, "x: cannot create: ");
        printed.has_complaints(1);
    }
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let printed = evening().run("table -o away/out.txt a.pbn");
    printed.is_refused(1, "away/out.txt: cannot create: there is no directory away");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_an_old_output() {
    use std::process::Stdio;
    use std::time::Duration;

    use crate::command::signal;

    let evening = evening();
    let mut random = fastrand::Rng::with_seed(2);
    let games: String = (1..=3_000)
        .map(|number| {
            let deal = Deal::random_ending(6, |n| random.usize(..n));
            format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n")
        })
        .collect();
    evening.write("in.pbn", games);
    evening.write("out.pbn", "precious");
    let mut command = evening.command("table --format pbn --threads 1 -o out.pbn in.pbn");
    let mut child = command
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while evening.names().len() < 4 {
        assert_eq!(child.try_wait().expect("a process"), None, "it ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(child.id(), "INT");
    assert_eq!(child.wait().expect("it ended").code(), Some(130));
    assert_eq!(evening.read("out.pbn"), "precious");
    assert_eq!(evening.names(), ["a.pbn", "in.pbn", "out.pbn"]);
}

#[test]
fn a_source_without_a_question_is_named() {
    let evening = evening();
    evening.write("empty.pbn", "");
    evening.write("remarks.txt", "# nothing\n\n");
    for name in ["empty.pbn", "remarks.txt"] {
        let printed = evening.run(&format!("table {name} a.pbn"));
        printed.ended(3);
        printed.complains(&format!("{name}: no board and no question found"));
        printed.shows("Board 1");
    }
    let json = evening.run("table --json empty.pbn").json();
    assert_eq!(json["file"], "empty.pbn");
    assert!(json["error"].is_string());
    let printed = feed(&mut evening.command("odds -"), "\n");
    printed.is_refused(3, "standard input: no question found");
    evening.run("table .").is_refused(1, ".: it is a directory");
}

/// Some boards of a file, by number.
#[test]
fn some_boards_are_asked_for() {
    let evening = evening();
    let game = |number: u32, deal: &str| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n");
    let games: String = (1..=5)
        .map(|number| game(number, "N:A... K... Q... J..."))
        .chain([game(6, "N:A... K... Q... X...")])
        .collect();
    evening.write("a.pbn", &games);
    let boards = |words: &str, status: i32, expected: &str| {
        let printed = evening.run(words);
        printed.ended(status);
        let lines = printed.output.lines();
        let numbers = lines.filter_map(|line| line.strip_prefix("Board ")?.get(..1));
        assert_eq!(numbers.collect::<String>(), expected, "{words}");
        printed.errors
    };
    for command in ["table", "par", "solve", "analyse", "claim"] {
        boards(&format!("{command} --board 2 a.pbn"), 0, "2");
    }
    boards("table --board 4,1-2 a.pbn", 0, "124");
    let errors = boards("table --board 5-6 a.pbn", 3, "5");
    assert!(errors.contains("board 6"), "{errors}");
    let errors = boards("table --board 99 a.pbn", 3, "");
    let expected = "setrograde: a.pbn: no board 99; it has boards 1 to 6\n";
    assert_eq!(errors, expected);
    // The other boards are written back unchanged.
    let written = evening.run("table --format pbn --board 3 a.pbn");
    written.ended(0);
    assert_eq!(written.output.matches("DoubleDummyTricks").count(), 1);
    assert_eq!(written.output.matches("[Board").count(), 6);
    let printed = evening.run("table --board x a.pbn");
    printed.is_refused(2, "expected numbers of boards");
    let printed = evening.run("table --board 3 N:A...");
    printed.is_refused(1, "--board 3 is for files of boards");
}

/// A file that is not text: one line lists the readable formats.
#[test]
fn a_binary_file_takes_few_lines() {
    let evening = evening();
    let mut random = fastrand::Rng::with_seed(7);
    let mut bytes = Vec::new();
    for _ in 0..1_000 {
        bytes.extend((0..40).map(|_| random.u8(0x80..)));
        bytes.push(b'\n');
    }
    evening.write("binary", &bytes);
    let printed = evening.run("table binary a.pbn");
    printed.ended(3);
    printed.has_complaints(1);
    printed.complains("binary: no board and no question found; expected PBN, LIN, ");
    printed.shows("Board 1");
    // Where something is read, each fault is named.
    let good = "N:A... K... Q... J...\n";
    let wrong = "N:A... K... Q... JX...\n".repeat(20);
    evening.write("deals.txt", format!("{good}{wrong}"));
    evening.run("table deals.txt").has_complaints(20);
}
