//! Running the command.

use std::io::{Seek, Write};
use std::process::{Command, Output, Stdio};

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
    pub output: String,
    pub errors: String,
    pub status: Option<i32>,
}

impl Printed {
    /// Checks the exit status.
    #[track_caller]
    pub fn ended(&self, status: i32) {
        assert_eq!(self.status, Some(status), "{}", self.errors);
    }

    /// Checks that standard output has this text.
    #[track_caller]
    pub fn shows(&self, text: &str) {
        assert!(self.output.contains(text), "{text}: {}", self.output);
    }

    /// Checks that standard error has this text.
    #[track_caller]
    pub fn complains(&self, text: &str) {
        assert!(self.errors.contains(text), "{text}: {}", self.errors);
    }

    /// Checks that standard error is empty, but for the lines that long work has each minute, as on
    /// a busy machine.
    #[track_caller]
    pub fn is_silent(&self) {
        let mut lines = self.errors.lines();
        let silent = lines.all(|line| line.ends_with(" so far") || line.ends_with(" left"));
        assert!(silent, "{}", self.errors);
    }
}

/// Runs the program with these arguments to its end.
pub fn run(arguments: &[&str]) -> Printed {
    finish(setrograde().args(arguments))
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Printed {
    command.output().expect("the program starts").into()
}

impl From<Output> for Printed {
    fn from(output: Output) -> Printed {
        Printed {
            output: String::from_utf8(output.stdout).expect("text"),
            errors: String::from_utf8(output.stderr).expect("text"),
            status: output.status.code(),
        }
    }
}

/// The object that the command prints.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    let printed = finish(setrograde().args(arguments).arg("--json"));
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(0)));
    serde_json::from_str(&printed.output).expect("JSON")
}

/// Runs a command to its end with these lines on standard input.
pub fn feed(command: &mut Command, lines: &str) -> Printed {
    feed_bytes(command, lines.as_bytes())
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

/// Sends a signal, as in `INT`.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .status();
    assert!(kill.expect("kill starts").success());
}
