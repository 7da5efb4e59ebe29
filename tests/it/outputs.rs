//! Output files: complete or not at all, never over an input, and never instead of
//! something better.

use std::fs;
use std::path::Path;
use std::process::Command;

use setrograde_cards::Deal;

use crate::command::{Printed, feed, finish, setrograde};

const GAME: &str = "[Board \"1\"]\n[Deal \"N:AQ2... K3..2. .AKQ.. 4.J.3.\"]\n{ an evening }\n";

/// A directory with a record, from which commands are run.
struct Evening(tempfile::TempDir);

impl Evening {
    fn new() -> Evening {
        let directory = tempfile::tempdir().expect("a directory");
        let evening = Evening(directory);
        evening.write("a.pbn", GAME);
        evening
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect(name)
    }

    /// The names of all files.
    fn names(&self) -> Vec<String> {
        let entries = self.path().read_dir().expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    fn command(&self, words: &str) -> Command {
        let mut command = setrograde();
        command.current_dir(self.path()).args(words.split(' '));
        command
    }

    fn run(&self, words: &str) -> Printed {
        finish(&mut self.command(words))
    }
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let evening = Evening::new();
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
    let input = fs::File::open(evening.path().join("a.pbn")).expect("opened");
    let printed = finish(evening.command("table -o a.pbn -").stdin(input));
    printed.ended(1);
    printed.complains("this is standard input");
    assert_eq!(evening.read("a.pbn"), GAME);
    // The same if the shell appends to it.
    let output = fs::File::options()
        .append(true)
        .open(evening.path().join("a.pbn"));
    let printed = finish(
        evening
            .command("table a.pbn")
            .stdout(output.expect("opened")),
    );
    printed.ended(1);
    printed.complains("standard output: this is a.pbn");
    assert_eq!(evening.read("a.pbn"), GAME);
}

#[cfg(unix)]
#[test]
fn an_input_is_known_by_all_its_names() {
    let evening = Evening::new();
    let at = |name: &str| evening.path().join(name);
    std::os::unix::fs::symlink("a.pbn", at("soft.pbn")).expect("linked");
    fs::hard_link(at("a.pbn"), at("hard.pbn")).expect("linked");
    for name in ["soft.pbn", "hard.pbn"] {
        for words in ["table -o", "page --from blank.html -o"] {
            evening.write(
                "blank.html",
                "<script type=\"application/json\" id=\"boards\"></script>",
            );
            let printed = evening.run(&format!("{words} {name} a.pbn"));
            printed.ended(1);
            printed.complains("nothing is written");
            assert_eq!(evening.read("a.pbn"), GAME);
        }
    }
    let printed = evening.run("page --from blank.html -o blank.html a.pbn");
    printed.ended(1);
    printed.complains("nothing is written");
}

/// The written file replaces the old one and has all of its content.
#[test]
fn a_pbn_file_may_replace_itself() {
    let evening = Evening::new();
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
    let evening = Evening::new();
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
            printed.ended(3);
            assert!(printed.errors.lines().count() >= 2, "{}", printed.errors);
            if old {
                assert_eq!(evening.read("out.txt"), "precious", "{words}");
                printed.complains("out.txt: left unchanged");
            } else {
                printed.complains("out.txt: not written");
            }
            let count = 4 + usize::from(old);
            assert_eq!(
                evening.names().len(),
                count,
                "{words}: {:?}",
                evening.names()
            );
        }
        if old {
            fs::remove_file(evening.path().join("out.txt")).expect("removed");
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
        let printed = evening.run(words);
        printed.ended(status);
        printed.complains("out.txt: left unchanged");
        assert_eq!(evening.read("out.txt"), "precious", "{words}");
    }
    // A file that lacks boards does not replace the one that has them.
    let boards = evening.read("a.pbn");
    let printed = evening.run("table --format pbn --where tricks(N,NT)>=9 -o a.pbn a.pbn");
    printed.ended(1);
    printed.complains("name another file");
    assert_eq!(evening.read("a.pbn"), boards);
    fs::remove_file(evening.path().join("out.txt")).expect("removed");
    // One answer, and the file is made.
    evening.run("table -o out.txt junk.txt a.pbn").ended(3);
    assert!(evening.read("out.txt").starts_with("Board 1"));
}

/// A mistyped command leaves no file that the next one trips over.
#[test]
fn a_command_that_fails_leaves_no_file() {
    let evening = Evening::new();
    evening.run("table -o out.txt nofile.pbn").ended(1);
    assert_eq!(evening.names(), ["a.pbn"]);
    evening.run("table -o out.txt a.pbn").ended(0);
    fs::create_dir(evening.path().join("folder.pbn")).expect("created");
    evening.run("table -o out.txt a.pbn folder.pbn").ended(1);
    assert!(evening.read("out.txt").starts_with("Board 1"));
    assert_eq!(evening.names(), ["a.pbn", "folder.pbn", "out.txt"]);
}

/// A disk that has no more room: here, files of a kilobyte at most.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_does_not_fit_leaves_an_old_one() {
    let evening = Evening::new();
    evening.write("out.txt", "precious");
    evening.write("games.pbn", format!("{GAME}\n").repeat(20));
    let ask = "trap '' XFSZ; ulimit -f 1; exec \"$0\" table -o out.txt games.pbn";
    let mut shell = Command::new("sh");
    shell.args(["-c", ask, env!("CARGO_BIN_EXE_setrograde")]);
    let printed = finish(shell.current_dir(evening.path()));
    printed.ended(1);
    printed.complains("out.txt: cannot write: File too large");
    assert!(
        !printed.errors.contains(".setrograde"),
        "{}",
        printed.errors
    );
    assert_eq!(evening.read("out.txt"), "precious");
    assert_eq!(evening.names(), ["a.pbn", "games.pbn", "out.txt"]);
}

#[test]
fn layouts_that_are_given_are_an_input_too() {
    let evening = Evening::new();
    let layouts = "N:AQT... K.KT.. J.Q9.. 9.AJ..\n";
    evening.write("layouts.txt", layouts);
    let mut command = evening.command("single-dummy --layouts layouts.txt -o layouts.txt");
    let printed = finish(command.arg("NT S N:AQT... ? J.Q9.. ? out=K9.AKJT.."));
    printed.ended(1);
    printed.complains("this is layouts.txt, which is an input; nothing is written");
    assert_eq!(evening.read("layouts.txt"), layouts);
}

/// `-` is standard output, as it is standard input among the inputs.
#[test]
fn standard_output_has_a_name() {
    let evening = Evening::new();
    let page = "<script type=\"application/json\" id=\"boards\"></script>";
    evening.write("blank.html", page);
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
    for (words, status, problem) in [
        (
            "page --from blank.html --open -o - a.pbn",
            1,
            "name one with --output",
        ),
        (
            "build --cards 4 --chunk 1/2 -o -",
            2,
            "expected a file, not standard output",
        ),
        (
            "tournament --players random simple --log -",
            2,
            "expected a file, not standard output",
        ),
    ] {
        let printed = evening.run(words);
        printed.ended(status);
        printed.complains(problem);
        assert_eq!(printed.output, "", "{words}");
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
    let evening = Evening::new();
    evening.write("junk.txt", "this is no deal\n");
    let long = "x".repeat(256);
    for words in ["table junk.txt", "deal --where tricks(N,NT)>=13 --time 0"] {
        let printed = evening.run(&format!("{words} -o {long}"));
        printed.ended(1);
        printed.complains("x: cannot create: ");
        assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    }
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let evening = Evening::new();
    let printed = evening.run("table -o away/out.txt a.pbn");
    printed.ended(1);
    printed.complains("away/out.txt: cannot create: there is no directory away");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_an_old_output() {
    use std::process::Stdio;
    use std::time::Duration;

    use crate::command::signal;

    let evening = Evening::new();
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
    let evening = Evening::new();
    evening.write("empty.pbn", "");
    evening.write("remarks.txt", "# nothing\n\n");
    for name in ["empty.pbn", "remarks.txt"] {
        let printed = evening.run(&format!("table {name} a.pbn"));
        printed.ended(3);
        printed.complains(&format!("{name}: no board and no question found"));
        printed.shows("Board 1");
    }
    let json = evening.run("table --json empty.pbn").output;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["file"], "empty.pbn");
    assert!(json["error"].is_string());
    let printed = feed(&mut evening.command("odds -"), "\n");
    printed.ended(3);
    printed.complains("standard input: no question found");
    let printed = evening.run("table .");
    printed.ended(1);
    printed.complains(".: it is a directory");
}

/// Some boards of a file, by number.
#[test]
fn some_boards_are_asked_for() {
    let evening = Evening::new();
    let game = |number: u32, deal: &str| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n");
    let games: String = (1..=5)
        .map(|number| game(number, "N:A... K... Q... J..."))
        .chain([game(6, "N:A... K... Q... X...")])
        .collect();
    evening.write("a.pbn", &games);
    let boards = |words: &str, status: i32| {
        let printed = evening.run(words);
        printed.ended(status);
        let headings = printed
            .output
            .lines()
            .filter(|line| line.starts_with("Board"));
        let numbers: Vec<String> = headings.map(|line| line[6..7].to_owned()).collect();
        (numbers.concat(), printed.errors)
    };
    for command in ["table", "par", "solve", "analyse", "claim"] {
        assert_eq!(
            boards(&format!("{command} --board 2 a.pbn"), 0).0,
            "2",
            "{command}"
        );
    }
    assert_eq!(boards("table --board 4,1-2 a.pbn", 0).0, "124");
    let (numbers, errors) = boards("table --board 5-6 a.pbn", 3);
    assert!(numbers == "5" && errors.contains("board 6"), "{errors}");
    let (numbers, errors) = boards("table --board 99 a.pbn", 3);
    assert_eq!(numbers, "");
    assert_eq!(
        errors,
        "setrograde: a.pbn: no board 99; it has boards 1 to 6\n"
    );
    // The other boards are written back unchanged.
    let written = evening.run("table --format pbn --board 3 a.pbn");
    written.ended(0);
    assert_eq!(written.output.matches("DoubleDummyTricks").count(), 1);
    assert_eq!(written.output.matches("[Board").count(), 6);
    let printed = evening.run("table --board x a.pbn");
    printed.ended(2);
    printed.complains("expected numbers of boards");
    let printed = evening.run("table --board 3 N:A...");
    printed.ended(1);
    printed.complains("--board 3 is for files of boards");
}

/// A file that is not text: one line lists the readable formats.
#[test]
fn a_binary_file_takes_few_lines() {
    let evening = Evening::new();
    let mut random = fastrand::Rng::with_seed(7);
    let mut bytes = Vec::new();
    for _ in 0..1_000 {
        bytes.extend((0..40).map(|_| random.u8(0x80..)));
        bytes.push(b'\n');
    }
    evening.write("binary", &bytes);
    let printed = evening.run("table binary a.pbn");
    printed.ended(3);
    let lines: Vec<&str> = printed.errors.lines().collect();
    assert_eq!(lines.len(), 1, "{}", printed.errors);
    printed.complains("binary: no board and no question found; expected PBN, LIN, ");
    printed.shows("Board 1");
    // Where something is read, each fault is named.
    let good = "N:A... K... Q... J...\n";
    evening.write(
        "deals.txt",
        format!("{good}{}", "N:A... K... Q... JX...\n".repeat(20)),
    );
    let printed = evening.run("table deals.txt");
    assert_eq!(printed.errors.lines().count(), 20, "{}", printed.errors);
}
