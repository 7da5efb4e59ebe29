//! Running the command.

use std::fmt::{self, Display, Formatter};
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The program under test.
pub fn setrograde() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setrograde"));
    command
        .env_remove("SETROGRADE_DB")
        .env("XDG_DATA_HOME", "/nonexistent")
        // Absolute, or the default directory of Windows is used.
        .env("LOCALAPPDATA", r"C:\nonexistent");
    command
}

/// The output of a finished command, and its exit status.
#[derive(Debug)]
pub struct Printed {
    /// The words of the command, which name it where a check fails.
    words: String,
    pub output: String,
    pub errors: String,
    pub status: Option<i32>,
}

impl Printed {
    /// Checks the exit status.
    #[track_caller]
    pub fn ended(&self, status: i32) {
        assert_eq!(self.status, Some(status), "{self}");
    }

    /// Checks that standard output has this text.
    #[track_caller]
    pub fn shows(&self, text: &str) {
        assert!(self.output.contains(text), "{text}: {self}");
    }

    /// Checks that standard error has this text.
    #[track_caller]
    pub fn complains(&self, text: &str) {
        assert!(self.errors.contains(text), "{text}: {self}");
    }

    /// Checks that standard output begins with this text.
    #[track_caller]
    pub fn begins(&self, text: &str) {
        assert!(self.output.starts_with(text), "{text}: {self}");
    }

    /// Checks that standard output does not have this text.
    #[track_caller]
    pub fn does_not_show(&self, text: &str) {
        assert!(!self.output.contains(text), "{text}: {self}");
    }

    /// Checks that standard error does not have this text.
    #[track_caller]
    pub fn does_not_complain(&self, text: &str) {
        assert!(!self.errors.contains(text), "{text}: {self}");
    }

    /// Checks standard output and the exit status 0.
    #[track_caller]
    pub fn prints(&self, output: &str) {
        assert_eq!(self.output, output, "{self}");
        self.ended(0);
    }

    /// Checks the exit status, that nothing is on standard output, and that standard error has this
    /// text.
    #[track_caller]
    pub fn is_refused(&self, status: i32, text: &str) {
        self.ended(status);
        assert_eq!(self.output, "", "{self}");
        self.complains(text);
    }

    /// Checks that standard error has as many lines.
    #[track_caller]
    pub fn has_complaints(&self, lines: usize) {
        assert_eq!(self.errors.lines().count(), lines, "{self}");
    }

    /// Checks that each line of standard error has its text.
    #[track_caller]
    pub fn complains_by_line(&self, texts: &[&str]) {
        self.has_complaints(texts.len());
        for (line, text) in self.errors.lines().zip(texts) {
            assert!(line.contains(text), "{text}: {self}");
        }
    }

    /// Checks that no line of standard output is longer than a terminal.
    #[track_caller]
    pub fn fits_a_terminal(&self) {
        for line in self.output.lines() {
            assert!(line.chars().count() <= 80, "{line}: {self}");
        }
    }

    /// The object on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        let json = serde_json::from_str(&self.output);
        json.unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The objects on standard output, one a line.
    #[track_caller]
    pub fn objects(&self) -> Vec<Value> {
        let lines = self.output.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    /// Checks that standard error is empty, but for the lines that long work has each minute, as on
    /// a busy machine.
    #[track_caller]
    pub fn is_silent(&self) {
        let mut lines = self.errors.lines();
        let silent = lines.all(|line| line.ends_with(" so far") || line.ends_with(" left"));
        assert!(silent, "{self}");
    }
}

impl Display for Printed {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let Printed {
            words,
            output,
            errors,
            status,
        } = self;
        write!(formatter, "{words}: {status:?}\n{errors}{output}")
    }
}

/// Runs the program with these arguments to its end.
pub fn run(arguments: &[&str]) -> Printed {
    finish(setrograde().args(arguments))
}

/// The words of a line, divided by blanks; a text between single quotes is one word.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split('\'').enumerate();
    parts.flat_map(|(index, part)| match index % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    })
}

/// Runs the program with the words of a line to its end.
pub fn run_line(line: &str) -> Printed {
    finish(setrograde().args(words(line)))
}

/// The program with the words of a line, and a database.
pub fn on(directory: &Path, line: &str) -> Command {
    let mut command = setrograde();
    command.args(words(line)).arg("--db").arg(directory);
    command
}

/// Runs the program with the words of a line and a database to its end.
pub fn run_on(directory: &Path, line: &str) -> Printed {
    finish(&mut on(directory, line))
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Printed {
    let mut printed: Printed = command.output().expect("the program starts").into();
    let words = command.get_args().map(|word| word.to_string_lossy());
    printed.words = words.collect::<Vec<_>>().join(" ");
    printed
}

impl From<Output> for Printed {
    fn from(output: Output) -> Printed {
        Printed {
            words: String::new(),
            output: String::from_utf8(output.stdout).expect("text"),
            errors: String::from_utf8(output.stderr).expect("text"),
            status: output.status.code(),
        }
    }
}

/// The object that the command prints for the words of a line.
#[track_caller]
pub fn json(line: &str) -> Value {
    let printed = run_line(&format!("{line} --json"));
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(0)));
    printed.json()
}

/// Starts a command that is talked to through pipes.
pub fn piped(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    child.expect("the program starts")
}

/// Runs a command to its end with these lines on standard input.
pub fn feed(command: &mut Command, lines: &str) -> Printed {
    feed_bytes(command, lines.as_bytes())
}

/// Runs the program with the words of a line to its end, with these lines on standard input.
pub fn feed_line(line: &str, lines: &str) -> Printed {
    feed(setrograde().args(words(line)), lines)
}

/// Runs a command to its end with these bytes on standard input.
pub fn feed_bytes(command: &mut Command, bytes: &[u8]) -> Printed {
    let mut input = tempfile::tempfile().expect("a file");
    input.write_all(bytes).expect("written");
    input.rewind().expect("rewound");
    finish(command.stdin(Stdio::from(input)))
}

/// The number of kills in one test: 12, or the value of SETROGRADE_KILLS.
pub fn kills() -> u64 {
    std::env::var("SETROGRADE_KILLS").map_or(12, |number| number.parse().expect("a number"))
}

/// A command as on a full disk: its files have this number of blocks of 512 bytes at most.
#[cfg(unix)]
pub fn without_room(blocks: u16, command: &Command) -> Command {
    let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).arg(command.get_program());
    shell.args(command.get_args());
    if let Some(directory) = command.get_current_dir() {
        shell.current_dir(directory);
    }
    shell
}

/// Sends a signal, as in `INT`.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .status();
    assert!(kill.expect("kill starts").success());
}

/// The peak memory of a process so far.
#[cfg(target_os = "linux")]
pub fn peak_kibibytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak?.trim().trim_end_matches(" kB").parse().ok()
}

/// The peak memory of a command, which runs to its end.
#[cfg(target_os = "linux")]
pub fn peak_to_the_end(command: &mut Command) -> u64 {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut most = 0;
    while child.try_wait().expect("a process").is_none() {
        most = most.max(peak_kibibytes(child.id()).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    most
}

/// Checks refusals, one a line: the exit status, the line of the command, ` => `, and a part of what
/// standard error says: in one line, but for words that are no command line.
#[track_caller]
pub fn are_refused(cases: &str) {
    for case in cases.trim().lines().map(str::trim_start) {
        let (asked, why) = case.split_once(" => ").expect(case);
        let (status, line) = asked.split_once(' ').expect(case);
        let printed = run_line(line);
        let ended = printed.status.map(|status| status.to_string());
        assert_eq!(ended.as_deref(), Some(status), "{printed}");
        printed.complains(why);
        assert_eq!(printed.output, "", "{printed}");
        let lines = printed.errors.lines().count();
        assert!(lines == 1 || status == "2", "{printed}");
    }
}
