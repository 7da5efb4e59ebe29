//! The commands that messages suggest: each names its database, can be pasted into a shell, and
//! mends what the message is about.

use std::fs;
use std::path::Path;
use std::process::Command;

use setrograde_lookup::format::manifest::Manifest;

use crate::command::{finish, run, run_line, run_on, setrograde};
use crate::database::{build, eight_cards_copy, flip, level_file, map_file};

const QUESTION: &str = "query 'NT W N:A.2.. K..A. .AK.. Q..K.'";

/// Ways to break a database, each with the words that show it.
const FAULTS: [(&str, &str); 15] = [
    ("no database", QUESTION),
    ("a damaged map", "db verify"),
    ("a damaged shard", "db verify"),
    ("a damaged header", "db verify"),
    ("a damaged manifest", QUESTION),
    ("a cut manifest", QUESTION),
    ("a missing level", QUESTION),
    ("no map", QUESTION),
    ("no level below", "build --cards 16 --chunk 1/8"),
    ("missing chunks", "db seal --cards 8"),
    ("no digest", "db digest --cards 8 --chunk 2/3"),
    ("a damaged coarse shard", "db verify"),
    ("a missing coarse level", "db verify"),
    ("missing coarse chunks", "db seal --cards 8"),
    ("missing chunks of the other method", "db seal --cards 8"),
];

/// Removes the level of 8 cards.
fn remove_level(directory: &Path) {
    fs::remove_file(level_file(directory, 8)).expect("removed");
    fs::remove_file(map_file(directory, 8)).expect("removed");
}

/// Builds with these words on a new level of 4 cards.
fn build_anew(directory: &Path, words: &str) {
    fs::remove_dir_all(directory).expect("removed");
    fs::create_dir(directory).expect("made");
    run_on(directory, "build --cards 4").ended(0);
    run_on(directory, words).ended(0);
}

/// Breaks a sound database of 8 cards.
fn damage(directory: &Path, fault: &str) {
    let (level, manifest) = (level_file(directory, 8), directory.join("manifest"));
    let coarse = "build --cards 8 --coarse-from 8 --grain 1e-4";
    let without_level = || {
        fs::remove_file(&manifest).expect("removed");
        remove_level(directory);
    };
    match fault {
        "no database" => {
            fs::remove_dir_all(directory).expect("removed");
            fs::create_dir(directory).expect("made");
        }
        "a damaged map" => flip(&map_file(directory, 8), 9_000),
        "a damaged shard" => flip(&level, 3_000),
        "a damaged header" => flip(&level, 20),
        "a damaged manifest" => flip(&manifest, 30),
        "a cut manifest" => fs::write(manifest, "setrogm\n").expect("written"),
        "a missing level" => remove_level(directory),
        "no map" => fs::remove_file(map_file(directory, 8)).expect("removed"),
        "no level below" => {}
        "missing chunks" => {
            without_level();
            run_on(directory, "build --cards 8 --chunk 1/2").ended(0);
        }
        "no digest" => without_level(),
        "a damaged coarse shard" => {
            build_anew(directory, coarse);
            flip(&level, 1_500);
        }
        "a missing coarse level" => {
            build_anew(directory, coarse);
            remove_level(directory);
        }
        "missing coarse chunks" => build_anew(directory, &format!("{coarse} --chunk 1/2")),
        "missing chunks of the other method" => {
            build_anew(directory, "build --cards 8 --method setrograde --chunk 1/2");
        }
        fault => panic!("{fault}"),
    }
}

/// The commands in backticks.
fn suggested(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_suggestion_mends_what_the_message_is_about() {
    let base = tempfile::tempdir().expect("a directory");
    for (fault, words) in FAULTS {
        // A name that a shell would take apart.
        let directory = base.path().join(format!("it's {fault}; $HOME"));
        fs::rename(eight_cards_copy().keep(), &directory).expect("renamed");
        damage(&directory, fault);
        let printed = run_on(&directory, words);
        let commands = suggested(&printed.errors);
        let Some(command) = commands.last() else {
            panic!("{fault}: no suggestion: {}", printed.errors);
        };
        for command in &commands {
            assert!(command.contains(" --db "), "{fault}: {command}");
        }
        // A build of 16 cards takes too long here, and eight serve as well.
        let command = command.replace("--cards 16", "--cards 8");
        if cfg!(unix) {
            let program = setrograde();
            let program = Path::new(program.get_program());
            let search = std::env::join_paths(program.parent()).expect("a path");
            let mut shell = Command::new("/bin/sh");
            let mended = finish(shell.args(["-c", &command]).env("PATH", search));
            assert_eq!(mended.status, Some(0), "{fault}: {command}: {mended:?}");
            let again = run_on(&directory, words);
            again.ended(0);
            assert_eq!(suggested(&again.errors), Vec::<&str>::new(), "{fault}");
        }
        fs::remove_dir_all(&directory).expect("removed");
    }
}

/// A question or a file without a command names those that take it.
#[test]
fn a_question_without_a_command_is_shown_where_it_belongs() {
    let tip = "`setrograde table` takes deals";
    for word in ["N:T543.KQ4.43.9542 - - -", "evening.pbn", "./deals", "NT S"] {
        run(&[word]).is_refused(2, tip);
    }
    let refused = run_line("tabel");
    refused.complains("'table'");
    refused.does_not_complain(tip);
}

/// Texts of a stranger's manifest and names of files act on no terminal, whatever is asked.
#[test]
fn no_text_of_a_stranger_acts_on_a_terminal() {
    let base = tempfile::tempdir().expect("a directory");
    let name = if cfg!(windows) {
        "db"
    } else {
        "d\u{1b}[31mb\u{202e}"
    };
    let directory = base.path().join(name);
    fs::create_dir(&directory).expect("made");
    build(&directory, 8, 1);
    let mut manifest = Manifest::read(&directory).expect("readable");
    for level in &mut manifest.levels {
        level.method = "refine\u{1b}[2J\u{2066}".to_owned();
        level.program = "\u{1b}]0;owned\u{7}\u{1b}[31mX\u{9b}\n=cmd".to_owned();
    }
    let bytes = manifest.to_bytes().expect("small");
    fs::write(directory.join("manifest"), bytes).expect("written");
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
        "db sets 'NT W N:A.2.. K..A. .AK.. Q..K.'",
        QUESTION,
        "query x\u{1b}[31m",
        "table \u{1b}[31m.pbn",
        "solve \u{1b}]0;x\u{7}",
        "table x\u{202e}nbp",
        "db verify --from '\u{2028}'",
        "db verify --from \u{1b}[31m",
        "db digest --cards 8 --check \u{1b}x",
    ] {
        let printed = run_on(&directory, words);
        let acts = |c: char| match c {
            '\n' | '\t' | '\r' => false,
            '\u{2028}' | '\u{202e}' | '\u{2066}' => true,
            _ => c.is_control(),
        };
        for text in [&printed.output, &printed.errors] {
            assert!(!text.contains(acts), "{words}: {text:?}");
        }
    }
}

#[test]
fn the_commands_of_a_database_are_those_of_db() {
    for name in crate::documents::OF_DATABASE {
        run(&[name]).is_refused(2, &format!("`setrograde db {name}`"));
    }
    let unknown = run_line("claim --line 'NT S N:AQ... ? 32... ?'");
    unknown.ended(2);
    unknown.does_not_complain("as a value");
}
