//! A solver that runs as a process of its own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, ensure};

/// A running solver; `compare::serve` is the other end.
pub struct Solver {
    /// The name by which it goes.
    pub name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The time that a solver took to answer a batch of questions.
#[derive(Clone, Copy)]
pub struct Reply {
    pub nanoseconds: f64,
    pub nodes: u64,
}

impl Solver {
    /// Starts the program of that name in the directory of this one.
    pub fn beside(program: &str, options: &[&OsStr]) -> anyhow::Result<Solver> {
        let path = std::env::current_exe()?.with_file_name(program);
        Solver::start(&path, options).context("build the workspace")
    }

    /// Starts a program.
    pub fn start(path: &Path, options: &[&OsStr]) -> anyhow::Result<Solver> {
        let mut child = Command::new(path)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", path.display()))?;
        let output = child.stdout.take().context("no output")?;
        let mut solver = Solver {
            name: String::new(),
            input: child.stdin.take(),
            output: BufReader::new(output),
            child,
        };
        solver.name = solver.read_line(&path.display().to_string())?;
        Ok(solver)
    }

    /// Asks questions, each with its right answer.
    pub fn ask(&mut self, batch: &[(&str, &str)]) -> anyhow::Result<Reply> {
        let mut text: String = batch
            .iter()
            .map(|(question, _)| format!("{question}\n"))
            .collect();
        text.push('\n');
        let input = self.input.as_mut().context("no input")?;
        input.write_all(text.as_bytes())?;
        input.flush()?;
        let name = self.name.clone();
        let reply = self.read_line(&name)?;
        let mut fields = reply.split('\t');
        let mut number = || {
            fields
                .next()
                .context("a short reply")?
                .parse::<u64>()
                .context(reply.clone())
        };
        let (nanoseconds, nodes) = (number()?, number()?);
        for (question, answer) in batch {
            let found = fields.next().unwrap_or("nothing");
            ensure!(
                found == *answer,
                "{name} says {found}, not {answer}: {question}"
            );
        }
        Ok(Reply {
            nanoseconds: nanoseconds as f64,
            nodes,
        })
    }

    fn read_line(&mut self, name: &str) -> anyhow::Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        ensure!(line.ends_with('\n'), "{name} has stopped");
        line.pop();
        Ok(line)
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // A solver ends with its input.
        self.input = None;
        let _ = self.child.wait();
    }
}
