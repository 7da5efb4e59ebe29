//! `setrograde query`: asks a database.

use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use clap::Args;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde_json::{Value, json};
use setrograde_cards::Position;
use setrograde_lookup::{Database, ProbeError};

use crate::Outcome;
use crate::answer::{Answered, answer};
use crate::explain::{explain, set_line};

const EXAMPLES: &str = "\
A question is STRAIN LEADER DEAL: the strain (NT or N, S, H, D, C), the seat on
lead (N, E, S, W) and the hands in PBN from the named seat clockwise, each as
spades.hearts.diamonds.clubs. Cards on the table follow as `played=S5,SA`.
The answer is the number of tricks that the leader's side takes.

Examples:
  setrograde query --db db NT W N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde query --db db --explain 'H W N:A.2.. K..A. .AK.. Q..K.'
  setrograde query --db db - < questions.txt > answers.txt";

/// Answers endings: tricks for the leader's side under perfect play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct QueryArguments {
    /// The database's directory.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Show the deal, and the set of endings that proves the value.
    #[arg(long)]
    explain: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Worker threads. [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// STRAIN LEADER DEAL, or `-` to read one question a line from standard
    /// input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &QueryArguments) -> anyhow::Result<Outcome> {
    let database = Database::open(&arguments.db)?;
    let asker = Asker { database: &database, explain: arguments.explain, json: arguments.json };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.map_or(0, usize::from))
        .build()?;
    let mut output = Output { out: BufWriter::new(io::stdout().lock()), unanswered: 0 };
    if arguments.question == ["-"] {
        let mut lines = Lines::new(io::stdin().lock());
        while let Some((first, batch)) = lines.next_batch()? {
            let replies = pool.install(|| asker.reply_to_batch(&batch, first));
            replies.iter().try_for_each(|reply| output.write(reply))?;
            output.out.flush()?;
        }
    } else {
        let question = arguments.question.join(" ");
        output.write(&asker.reply(&question, None))?;
    }
    output.out.flush()?;
    Ok(if output.unanswered == 0 { Outcome::Done } else { Outcome::SomeUnanswered })
}

/// Standard input in batches of whole lines: as many as are there, so that a
/// program that asks one line at a time gets its answer at once.
struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    filled: usize,
    next_line: usize,
    ended: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, buffer: vec![0; 1 << 20], filled: 0, next_line: 1, ended: false }
    }

    /// The next lines as text, and the number of the first.
    fn next_batch(&mut self) -> io::Result<Option<(usize, String)>> {
        while !self.ended {
            if self.filled == self.buffer.len() {
                self.buffer.resize(2 * self.buffer.len(), 0);
            }
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(read) => {
                    let fresh = &self.buffer[self.filled..self.filled + read];
                    let end = fresh.iter().rposition(|&byte| byte == b'\n');
                    let end = end.map(|end| self.filled + end + 1);
                    self.filled += read;
                    if let Some(end) = end {
                        return Ok(Some(self.take(end)));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok((self.filled > 0).then(|| self.take(self.filled)))
    }

    fn take(&mut self, end: usize) -> (usize, String) {
        let text = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        self.buffer.copy_within(end..self.filled, 0);
        self.filled -= end;
        let first = self.next_line;
        self.next_line += text.lines().count();
        (first, text)
    }
}

/// What goes to standard output or standard error for one question.
enum Reply {
    /// A blank line or a comment.
    Nothing,
    Answer(String),
    Refusal { message: String, on_output: Option<String> },
}

struct Output<W> {
    out: W,
    unanswered: usize,
}

impl<W: Write> Output<W> {
    fn write(&mut self, reply: &Reply) -> io::Result<()> {
        match reply {
            Reply::Nothing => Ok(()),
            Reply::Answer(text) => writeln!(self.out, "{text}"),
            Reply::Refusal { message, on_output } => {
                self.unanswered += 1;
                match on_output {
                    Some(text) => writeln!(self.out, "{text}"),
                    None => {
                        eprintln!("setrograde: {message}");
                        Ok(())
                    }
                }
            }
        }
    }
}

struct Asker<'a> {
    database: &'a Database,
    explain: bool,
    json: bool,
}

impl Asker<'_> {
    fn reply_to_batch(&self, batch: &str, first: usize) -> Vec<Reply> {
        let lines: Vec<&str> = batch.lines().collect();
        lines
            .par_iter()
            .enumerate()
            // Pieces large enough that handing them out costs nothing.
            .with_min_len(256)
            .map(|(at, line)| self.reply(line, Some(first + at)))
            .collect()
    }

    fn reply(&self, question: &str, line: Option<usize>) -> Reply {
        let text = question.trim_end();
        if line.is_some() && (text.trim_start().is_empty() || text.trim_start().starts_with('#')) {
            return Reply::Nothing;
        }
        let answered = text
            .parse::<Position>()
            .map_err(ProbeError::from)
            .and_then(|position| Ok((position, answer(self.database, &position)?)));
        match answered {
            Ok((position, answered)) => Reply::Answer(self.answer_text(text, &position, &answered)),
            Err(error) => {
                let message = match (line, &error) {
                    (None, error) => error.to_string(),
                    // A text error begins with its column.
                    (Some(line), ProbeError::Text(error)) => format!("line {line}, {error}"),
                    (Some(line), error) => format!("line {line}: {error}"),
                };
                let on_output = self.json.then(|| {
                    json!({ "question": text, "line": line, "error": error.to_string() }).to_string()
                });
                Reply::Refusal { message, on_output }
            }
        }
    }

    fn answer_text(&self, question: &str, position: &Position, answered: &Answered) -> String {
        if self.json {
            let proof = answered.proof.as_ref();
            let set = proof.map(|(ending, set)| Value::from(set_line(ending, set)));
            return json!({
                "question": question,
                "leader": position.leader().to_string(),
                "tricks": answered.value,
                "tricks_left": position.tricks_left(),
                "set": set,
            })
            .to_string();
        }
        let line = format!("{question}\t{}", answered.value);
        if self.explain { format!("{line}\n\n{}", explain(position, answered)) } else { line }
    }
}
