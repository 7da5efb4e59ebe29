//! The commands that the helps and the README show run as they stand.

use std::process::Stdio;

use crate::command::{finish, run, setrograde};
use crate::database::twelve_cards;

/// Commands that take long, or want a person at the keyboard.
const NOT_RUN: [&str; 6] = ["build", "estimate", "play", "seal", "tournament", "verify"];

/// The words of a shell's line, or nothing if it does more than run a command on
/// its arguments.
fn words(line: &str) -> Option<Vec<String>> {
    let line = line.split(" # ").next().unwrap_or(line);
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let plain = |word: &String| !["<", ">", "-"].contains(&word.as_str()) && !word.contains('*');
    words.iter().all(plain).then_some(words)
}

/// The lines of a text that run the program, continued ones as one.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches("$ "));
    lines
        .filter(|line| line.starts_with("setrograde "))
        .map(str::to_owned)
        .collect()
}

/// Runs a command on the small database, unless it needs a file or long.
fn runs(line: &str) -> bool {
    assert_eq!(line.matches('\'').count() % 2, 0, "cut in two: {line}");
    let Some(words) = words(line) else {
        return false;
    };
    let file = |word: &String| {
        [".txt", ".pbn", ".lin", ".json", ".svg", ".digest"]
            .iter()
            .any(|end| word.ends_with(end))
    };
    if NOT_RUN.contains(&words[1].as_str()) || words.iter().any(file) {
        return false;
    }
    let stands_for = |word: &String| word == "FILES" || word == "QUESTION" || word == "paper";
    if words.iter().any(stands_for) {
        return false;
    }
    let mut command = setrograde();
    for word in &words[1..] {
        match word.as_str() {
            "db" => command.arg(twelve_cards()),
            word => command.arg(word),
        };
    }
    let printed = finish(command.stdin(Stdio::null()));
    let not_sure = words[1] == "claim" && printed.status == Some(1);
    assert!(
        printed.errors.is_empty() && (printed.status == Some(0) || not_sure),
        "{line}: {}",
        printed.errors
    );
    true
}

#[test]
fn examples_of_the_helps() {
    let help = run(&["--help"]).output;
    let listed = help.split("Commands:\n").nth(1).expect("commands");
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let mut names: Vec<Vec<&str>> = listed
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .map(|name| vec![name])
        .collect();
    names.extend(["check", "line", "adjudicate"].map(|name| vec!["claim", name]));
    let mut ran = 0;
    for name in names {
        let help = finish(setrograde().args(&name).arg("--help")).output;
        let from = help.find("\nExample").expect("examples");
        let examples = commands(&help[from..]);
        assert!(!examples.is_empty(), "{name:?} has no example");
        ran += examples.iter().filter(|line| runs(line)).count();
    }
    assert!(ran >= 30, "{ran} ran");
}

#[test]
fn examples_of_the_readme() {
    let readme = include_str!("../../README.md");
    let examples = commands(readme);
    let ran = examples.iter().filter(|line| runs(line)).count();
    assert!(ran >= 8, "{ran} ran");
}
