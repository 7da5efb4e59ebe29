//! The commands in the helps and the README run unchanged.

use std::collections::BTreeSet;
use std::process::Stdio;

use crate::command::{Printed, finish, run_line, setrograde};
use crate::database::twelve_cards;
use crate::documents::{OF_DATABASE, commands_of, more};
use crate::folder::Folder;

/// Commands that take long, or need a person at the keyboard.
const NOT_RUN: [&str; 8] = [
    "build",
    "estimate",
    "generate",
    "page",
    "play",
    "seal",
    "tournament",
    "verify",
];

/// The words of a line of any shell, with quotes that `cmd.exe` knows, too, or nothing if it does
/// more than run a command on its arguments.
fn words(line: &str) -> Option<Vec<String>> {
    let line = line.split(" # ").next().unwrap_or(line);
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let plain = |word: &String| !["<", ">", "-"].contains(&word.as_str()) && !word.contains('*');
    words.iter().all(plain).then_some(words)
}

/// The lines of a text that run the program, continued ones as one, for a shell.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ").replace("`\n", " ");
    let lines = text
        .lines()
        .map(|line| line.trim_start().trim_start_matches("$ "));
    lines
        .filter(|line| line.starts_with("setrograde "))
        .map(str::to_owned)
        .collect()
}

/// Runs a command unchanged, with the small database in use, unless it needs a file or a long time.
fn runs(line: &str) -> bool {
    assert_eq!(line.matches('"').count() % 2, 0, "cut in two: {line}");
    let Some(words) = words(line) else {
        return false;
    };
    let ends = [".txt", ".pbn", ".lin", ".json", ".svg", ".digest"];
    let lacks = |word: &String| {
        let placeholder = ["FILES", "QUESTION", "paper"].contains(&word.as_str());
        placeholder || ends.iter().any(|end| word.ends_with(end))
    };
    let name = words[1..].iter().find(|word| *word != "db");
    let is_run = name.is_none_or(|name| !NOT_RUN.contains(&name.as_str()));
    if !is_run || words.iter().any(lacks) {
        return false;
    }
    // Some write a file.
    let folder = Folder::new();
    let mut command = folder.command("");
    command.env("SETROGRADE_DB", twelve_cards());
    let printed = finish(command.args(&words[1..]).stdin(Stdio::null()));
    answers(line, &printed);
    true
}

/// Checks the status of an example, and that it complains of nothing.
fn answers(line: &str, printed: &Printed) {
    let not_sure = line.starts_with("setrograde claim ") && printed.status == Some(1);
    assert!(printed.status == Some(0) || not_sure, "{line}: {printed:?}");
    printed.is_silent();
}

#[test]
fn topics_are_shown_and_their_examples_run() {
    let help = run_line("--help").output;
    let topics = help.split("Help topics").nth(1).expect("topics").lines();
    let topics = topics.skip(1).take_while(|line| !line.is_empty());
    let mut shown = 0;
    for topic in topics.filter_map(|line| line.split_whitespace().next()) {
        let printed = run_line(&format!("help {topic}"));
        printed.ended(0);
        let is_short = printed.output.lines().all(|line| line.len() <= 84);
        assert!(is_short, "{topic}");
        for line in commands(&printed.output) {
            runs(&line);
        }
        shown += 1;
    }
    assert_eq!(shown, 6);
    let solve = run_line("solve --help");
    run_line("help solve").prints(&solve.output);
    run_line("help claim line").shows("setrograde claim line");
    run_line("help bidding").is_refused(1, "neither a command nor a topic");
    run_line("help claims").complains("did you mean `claim`?");
}

#[test]
fn completions_and_man_pages_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let printed = run_line(&format!("generate {shell}"));
        printed.ended(0);
        printed.shows("single-dummy");
    }
    run_line("generate man").shows(".TH setrograde");
    let folder = Folder::new();
    folder.run("generate man --directory .").ended(0);
    let page = folder.read("setrograde-analyse.1");
    assert!(page.contains("Find the mistakes of a play"));
}

#[test]
fn a_database_may_be_named_by_the_environment() {
    let question = "NT N N:AQ... K3... 54... 76...";
    let mut command = setrograde();
    command.args(["query", question]);
    let printed = finish(command.env("SETROGRADE_DB", twelve_cards()));
    assert_eq!(printed.output, format!("{question}\t1\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for line in ["--help", "solve --help", "help files", "--version"] {
        let full = std::fs::File::create("/dev/full").expect("it opens");
        let mut command = setrograde();
        let printed = finish(command.args(line.split(' ')).stdout(full));
        printed.ended(1);
        printed.complains("standard output: cannot write");
    }
}

/// The helps of all commands.
fn helps() -> Vec<String> {
    let help = run_line("--help").output;
    let mut names: Vec<String> = commands_of(&help).map(str::to_owned).collect();
    let hint = "MORE in src/commands/mod.rs has the rest";
    assert!((15..=16).contains(&names.len()), "{names:?}; {hint}");
    names.extend(more(&help).map(str::to_owned));
    names.extend(OF_DATABASE.map(|name| format!("db {name}")));
    names.extend(["check", "line", "adjudicate"].map(|name| format!("claim {name}")));
    let help = |name: String| run_line(&format!("{name} --help")).output;
    names.into_iter().map(help).collect()
}

#[test]
fn there_are_few_long_options() {
    let mut options = BTreeSet::new();
    for help in helps().into_iter().chain([run_line("--help").output]) {
        // As `-o, --output <FILE>` or `--all`, before its description.
        let described = help.lines().filter_map(|line| {
            let line = line.trim_start();
            let long = match line.get(..4) {
                Some(short) if short.starts_with('-') && short.ends_with(", ") => &line[4..],
                _ => line,
            };
            let name = long.strip_prefix("--")?;
            name.split([' ', '.']).next()
        });
        options.extend(described.map(str::to_owned));
    }
    // 60, `solve --line`, `deal --mix` with `--name`, and `table --certificate`.
    assert!(options.len() <= 64, "{}: {options:?}", options.len());
}

#[test]
fn examples_of_the_helps() {
    let mut ran = 0;
    for help in helps() {
        let from = help.find("\nExample").expect("examples");
        let examples = commands(&help[from..]);
        assert!(!examples.is_empty(), "no example: {help}");
        ran += examples.iter().filter(|line| runs(line)).count();
    }
    assert!(ran >= 30, "{ran} ran");
}

/// A shell in a directory with links to `data` and `docs` alone, in which `setrograde` is
/// this program.
#[cfg(unix)]
struct Shell(Folder);

#[cfg(unix)]
impl Shell {
    fn new() -> Shell {
        let folder = Folder::new();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in ["data", "docs"] {
            let link = std::os::unix::fs::symlink(root.join(name), folder.at(name));
            link.expect("a link");
        }
        Shell(folder)
    }

    /// Runs a line unchanged.
    fn run(&self, line: &str) -> Printed {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_setrograde"));
        let programs = program.parent().expect("a directory").display();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(self.0.path())
            .env_remove("SETROGRADE_DB")
            .env("XDG_DATA_HOME", "/nonexistent")
            .env("PATH", format!("{programs}:{path}"))
            .stdin(Stdio::null());
        finish(&mut shell)
    }
}

/// Every line of the README that runs the program, unchanged. Those whose answer is shown are in
/// [`documents_show_what_the_commands_print`].
#[cfg(unix)]
#[test]
fn examples_of_the_readme() {
    let readme = include_str!("../../README.md").replace("$ setrograde", "");
    let shell = Shell::new();
    let mut ran = 0;
    for line in commands(&readme) {
        let command = line.split_whitespace().nth(1).unwrap_or_default();
        if NOT_RUN.contains(&command) {
            continue;
        }
        let printed = shell.run(&line);
        answers(&line, &printed);
        let fits = printed.output.lines().all(|line| columns(line) <= 80);
        assert!(fits, "{line}: {printed:?}");
        ran += 1;
    }
    assert!(ran >= 12, "{ran} ran");
}

/// The columns that a line takes on a terminal, without the question that it repeats.
fn columns(line: &str) -> usize {
    let answer = line.split_once('\t').map_or(line, |(_, answer)| answer);
    let strains = ["NT ", "S ", "H ", "D ", "C "];
    let question = strains.iter().any(|strain| line.starts_with(strain));
    if question && answer == line {
        0
    } else {
        answer.chars().count()
    }
}

/// Every command that reads boards, on every sample: no line is longer than a terminal, and
/// none has colours.
#[test]
fn answers_about_the_samples_fit_a_terminal() {
    for command in [
        "solve",
        "solve --all",
        "table",
        "par",
        "analyse",
        "analyse --explain",
        "claim",
        "lesson --limit 200 --draw 3",
    ] {
        for sample in ["evening.pbn", "match.lin"] {
            let printed = run_line(&format!("{command} data/samples/{sample}"));
            assert!(matches!(printed.status, Some(0 | 1)), "{printed:?}");
            printed.begins("Board 1");
            printed.fits_a_terminal();
            printed.does_not_show("\x1b");
            let mut lines = printed.output.lines();
            assert!(lines.all(|line| line.trim_end() == line), "{printed:?}");
        }
    }
}

/// README, and the pages of answers and lessons: each command prints the lines below it, up to a line `…`.
#[cfg(unix)]
#[test]
fn documents_show_what_the_commands_print() {
    let read = |name: &str| {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        std::fs::read_to_string(page).expect("the page")
    };
    let page = read("README.md") + &read("docs/answers.md") + &read("docs/lessons.md");
    let shell = Shell::new();
    let mut ran = Vec::new();
    for example in page.split("\n    $ ").skip(1) {
        let (line, rest) = example.split_once('\n').expect("an answer");
        let indented = |line: &&str| line.is_empty() || line.starts_with("    ");
        let shown = rest.lines().take_while(indented);
        let shown: Vec<&str> = shown.map(|line| line.get(4..).unwrap_or("")).collect();
        let printed = shell.run(line);
        assert!(matches!(printed.status, Some(0 | 1)), "{line}: {printed:?}");
        printed.is_silent();
        let mut found = printed.output.lines();
        let last = shown.iter().rposition(|line| !line.is_empty());
        let last = last.expect("an answer");
        let whole = shown[last] != "…";
        for shown in &shown[..last + usize::from(whole)] {
            assert_eq!(found.next(), Some(*shown), "{line}\n{}", printed.output);
        }
        let goes_on = found.any(|line| !line.is_empty());
        assert_eq!(goes_on, !whole, "{line}\n{}", printed.output);
        let fits = printed.output.lines().all(|line| columns(line) <= 80);
        assert!(fits, "{line}");
        ran.push(line.split_whitespace().nth(1).unwrap_or_default());
    }
    let commands = "table analyse claim leads compare suit single-dummy";
    for command in commands.split(' ') {
        assert!(ran.contains(&command), "{command} has no example: {ran:?}");
    }
}
