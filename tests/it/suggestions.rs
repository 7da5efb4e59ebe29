//! The commands that messages suggest: each names its database, can be pasted into a shell, and
//! mends what the message is about.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Printed, finish, setrograde};
use crate::database::{build, eight_cards_copy, map_file};

/// A way to break a database, the words that show it, and the cards of the suggested command.
struct Fault {
    name: &'static str,
    damage: fn(&Path),
    words: &'static str,
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).expect("readable");
    let at = at.min(bytes.len() - 1);
    bytes[at] ^= 0x10;
    fs::write(path, bytes).expect("written");
}

fn remove(directory: &Path, name: &str) {
    fs::remove_file(directory.join(name)).expect("removed");
}

/// Removes the level of 8 cards.
fn remove_level(directory: &Path) {
    remove(directory, "level-08.sdb");
    fs::remove_file(map_file(directory, 8)).expect("removed");
}

fn chunk(directory: &Path, chunk: &str) {
    remove(directory, "manifest");
    remove_level(directory);
    let words = format!("build --cards 8 --chunk {chunk}");
    run(directory, &words).ended(0);
}

/// A level of 8 cards that is coarse.
const COARSE: &str = "build --cards 8 --coarse-from 8 --grain 1e-4";

fn coarse(directory: &Path, words: &str) {
    fs::remove_dir_all(directory).expect("removed");
    fs::create_dir(directory).expect("made");
    run(directory, "build --cards 4").ended(0);
    run(directory, &format!("{COARSE}{words}")).ended(0);
}

const QUESTION: &str = "query NT_W_N:A.2.._K..A._.AK.._Q..K.";

const FAULTS: [Fault; 15] = [
    Fault {
        name: "no database",
        damage: |directory| {
            fs::remove_dir_all(directory).expect("removed");
            fs::create_dir(directory).expect("made");
        },
        words: QUESTION,
    },
    Fault {
        name: "a damaged map",
        damage: |directory| flip(&map_file(directory, 8), 9_000),
        words: "db verify",
    },
    Fault {
        name: "a damaged shard",
        damage: |directory| flip(&directory.join("level-08.sdb"), 3_000),
        words: "db verify",
    },
    Fault {
        name: "a damaged header",
        damage: |directory| flip(&directory.join("level-08.sdb"), 20),
        words: "db verify",
    },
    Fault {
        name: "a damaged manifest",
        damage: |directory| flip(&directory.join("manifest"), 30),
        words: QUESTION,
    },
    Fault {
        name: "a cut manifest",
        damage: |directory| fs::write(directory.join("manifest"), "setrogm\n").expect("written"),
        words: QUESTION,
    },
    Fault {
        name: "a missing level",
        damage: |directory| {
            remove_level(directory);
        },
        words: QUESTION,
    },
    Fault {
        name: "no map",
        damage: |directory| fs::remove_file(map_file(directory, 8)).expect("removed"),
        words: QUESTION,
    },
    Fault {
        name: "no level below",
        damage: |_| (),
        words: "build --cards 16 --chunk 1/8",
    },
    Fault {
        name: "missing chunks",
        damage: |directory| chunk(directory, "1/2"),
        words: "db seal --cards 8",
    },
    Fault {
        name: "no digest",
        damage: |directory| {
            remove(directory, "manifest");
            remove_level(directory);
        },
        words: "db digest --cards 8 --chunk 2/3",
    },
    Fault {
        name: "a damaged coarse shard",
        damage: |directory| {
            coarse(directory, "");
            flip(&directory.join("level-08.sdb"), 1_500);
        },
        words: "db verify",
    },
    Fault {
        name: "a missing coarse level",
        damage: |directory| {
            coarse(directory, "");
            remove_level(directory);
        },
        words: "db verify",
    },
    Fault {
        name: "missing coarse chunks",
        damage: |directory| coarse(directory, " --chunk 1/2"),
        words: "db seal --cards 8",
    },
    Fault {
        name: "missing chunks of the other method",
        damage: |directory| {
            fs::remove_dir_all(directory).expect("removed");
            fs::create_dir(directory).expect("made");
            run(directory, "build --cards 4").ended(0);
            let words = "build --cards 8 --method setrograde --chunk 1/2";
            run(directory, words).ended(0);
        },
        words: "db seal --cards 8",
    },
];

/// Runs words for a database; an underscore in a word means a blank.
fn run(directory: &Path, words: &str) -> Printed {
    let words = words.split(' ').map(|word| word.replace('_', " "));
    finish(setrograde().args(words).arg("--db").arg(directory))
}

/// The commands in backticks.
fn suggested(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_suggestion_mends_what_the_message_is_about() {
    let base = tempfile::tempdir().expect("a directory");
    for fault in &FAULTS {
        // A name that a shell would take apart.
        let directory = base.path().join(format!("it's {}; $HOME", fault.name));
        let copy = eight_cards_copy();
        fs::rename(copy.keep(), &directory).expect("renamed");
        (fault.damage)(&directory);
        let printed = run(&directory, fault.words);
        let commands = suggested(&printed.errors);
        let Some(command) = commands.last() else {
            panic!("{}: no suggestion: {}", fault.name, printed.errors);
        };
        for command in &commands {
            assert!(command.contains(" --db "), "{}: {command}", fault.name);
        }
        // A build of 16 cards takes too long here, and eight serve as well.
        let command = command.replace("--cards 16", "--cards 8");
        if cfg!(unix) {
            let program = setrograde();
            let program = Path::new(program.get_program());
            let search = std::env::join_paths(program.parent()).expect("a path");
            let mended = Command::new("/bin/sh")
                .args(["-c", &command])
                .env("PATH", search)
                .output();
            let mended = mended.expect("a shell");
            let errors = String::from_utf8_lossy(&mended.stderr);
            assert!(
                mended.status.success(),
                "{}: {command}: {errors}",
                fault.name
            );
            let again = run(&directory, fault.words);
            again.ended(0);
            assert_eq!(
                suggested(&again.errors),
                Vec::<&str>::new(),
                "{}",
                fault.name
            );
        }
        fs::remove_dir_all(&directory).expect("removed");
    }
}

/// Texts of a stranger's manifest and names of files act on no terminal, whatever is asked.
/// A question or a file without a command names those that take it.
#[test]
fn a_question_without_a_command_is_shown_where_it_belongs() {
    let tip = "`setrograde table` takes deals";
    for word in ["N:T543.KQ4.43.9542 - - -", "evening.pbn", "./deals", "NT S"] {
        let refused = finish(setrograde().arg(word));
        refused.ended(2);
        refused.complains(tip);
    }
    let refused = finish(setrograde().arg("tabel"));
    refused.complains("'table'");
    assert!(!refused.errors.contains(tip), "{}", refused.errors);
}

#[test]
fn no_text_of_a_stranger_acts_on_a_terminal() {
    use setrograde_lookup::format::manifest::Manifest;
    let base = tempfile::tempdir().expect("a directory");
    let directory = base.path().join(if cfg!(windows) {
        "db"
    } else {
        "d\u{1b}[31mb\u{202e}"
    });
    fs::create_dir(&directory).expect("made");
    build(&directory, 8, 1);
    let mut manifest = Manifest::read(&directory).expect("readable");
    for level in &mut manifest.levels {
        level.method = "refine\u{1b}[2J\u{2066}".to_owned();
        level.program = "\u{1b}]0;owned\u{7}\u{1b}[31mX\u{9b}\n=cmd".to_owned();
    }
    let bytes = manifest.to_bytes().expect("small");
    fs::write(directory.join("manifest"), bytes).expect("written");
    let missing = "table \u{1b}[31m.pbn";
    for words in [
        "db stats",
        "db stats --json",
        "db verify",
        "db verify --json",
        "db unpack",
        "db unpack --force",
        "db unpack --json",
        "build --cards 8",
        "build --cards 8 --json",
        "build --cards 12 --chunk 9/9",
        "build --cards 16 --chunk 1/2",
        "db seal --cards 8",
        "db seal --cards 12",
        "db seal --cards 8 --json",
        "db digest --cards 8 --chunks 2",
        "db digest --cards 12 --chunk 1/9",
        "db verify --repair",
        "db estimate --cards 12 --draw 16",
        "db sets NT_W_N:A.2.._K..A._.AK.._Q..K.",
        QUESTION,
        "query x\u{1b}[31m",
        missing,
        "solve \u{1b}]0;x\u{7}",
        "table x\u{202e}nbp",
        "db verify --from \u{2028}",
        "db verify --from \u{1b}[31m",
        "db digest --cards 8 --check \u{1b}x",
    ] {
        let printed = run(&directory, words);
        let acts = |c: char| match c {
            '\n' | '\t' | '\r' => false,
            '\u{2028}' | '\u{202e}' | '\u{2066}' => true,
            _ => c.is_control(),
        };
        assert!(
            !printed.output.contains(acts),
            "{words}: {:?}",
            printed.output
        );
        assert!(
            !printed.errors.contains(acts),
            "{words}: {:?}",
            printed.errors
        );
    }
}

#[test]
fn the_commands_of_a_database_are_those_of_db() {
    for name in crate::documents::OF_DATABASE {
        let printed = finish(setrograde().arg(name));
        printed.ended(2);
        printed.complains(&format!("`setrograde db {name}`"));
    }
    let unknown = finish(setrograde().args(["claim", "--line", "NT S N:AQ... ? 32... ?"]));
    unknown.ended(2);
    assert!(!unknown.errors.contains("as a value"), "{}", unknown.errors);
}
