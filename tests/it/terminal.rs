//! The command on a terminal: a bar that leaves nothing behind, and colours that can be
//! switched off.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::command::run;

/// The bytes that a terminal of 80 columns gets, standard output and error together.
fn on_terminal(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let program = env!("CARGO_BIN_EXE_setrograde");
    let words = ["stty cols 80 rows 24;", program].into_iter();
    let line: Vec<&str> = words.chain(arguments.iter().copied()).collect();
    let mut child = Command::new("script")
        .args(["-qec", &line.join(" "), "/dev/null"])
        .env_remove("SETROGRADE_DB")
        .env_remove("NO_COLOR")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("TERM", "xterm-256color")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script, which makes terminals");
    // An end of the input would be echoed.
    let _input = child.stdin.take();
    let mut text = String::new();
    let output = child.stdout.as_mut().expect("a pipe");
    output.read_to_string(&mut text).expect("text");
    assert!(child.wait().expect("an end").success(), "{text}");
    text
}

/// The final text on the terminal.
fn screen(text: &str) -> String {
    let (mut lines, mut line, mut column) = (vec![Vec::new()], 0, 0);
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\r' => column = 0,
            '\n' => line += 1,
            '\x1b' => {
                assert_eq!(rest.next(), Some('['));
                let mut sequence = String::new();
                while !sequence.ends_with(char::is_alphabetic) {
                    sequence.extend(rest.next());
                }
                match &*sequence {
                    "2K" => lines[line].clear(),
                    "1A" => line -= 1,
                    "?25l" | "?25h" => {}
                    other => panic!("{other:?} moves to where?"),
                }
            }
            char => {
                let cells = &mut lines[line];
                cells.resize(cells.len().max(column + 1), ' ');
                cells[column] = char;
                column += 1;
            }
        }
        lines.resize(lines.len().max(line + 1), Vec::new());
    }
    let lines: Vec<String> = lines.into_iter().map(String::from_iter).collect();
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn a_bar_makes_way_for_answers_and_leaves_nothing() {
    let arguments = ["table", "data/samples/evening.pbn"];
    let shown = on_terminal(&arguments, &[]);
    assert!(shown.contains("answered"), "{shown:?}");
    assert_eq!(screen(&shown), run(&arguments).output.trim_end());
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let coloured = |text: &str| text.contains("\x1b[1m") || text.contains("\x1b[4m");
    assert!(coloured(&on_terminal(&["--help"], &[])));
    assert!(!coloured(&on_terminal(&["--help"], &[("NO_COLOR", "1")])));
    assert!(!coloured(&run(&["--help"]).output));
    let answer = on_terminal(&["analyse", "data/samples/match.lin"], &[]);
    assert!(!coloured(&answer), "{answer:?}");
}
