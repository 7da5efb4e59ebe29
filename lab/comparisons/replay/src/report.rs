//! Times by purpose and by trick, and their ratios.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Reply;
use crate::recording::Call;

/// The times of all libraries.
pub struct Report {
    names: Vec<String>,
    elapsed: bool,
    rows: BTreeMap<Row, Sums>,
    wrong: Vec<usize>,
    nodes: Vec<u64>,
}

/// A row of the table, in the order of the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    All,
    Purpose(String),
    Trick(u8),
}

struct Sums {
    boards: usize,
    /// By library.
    seconds: Vec<f64>,
}

impl Report {
    pub fn new(names: Vec<String>, elapsed: bool) -> Report {
        Report {
            wrong: vec![0; names.len()],
            nodes: vec![0; names.len()],
            names,
            elapsed,
            rows: BTreeMap::new(),
        }
    }

    /// Adds the time of a call.
    pub fn add(&mut self, who: usize, call: &Call, seconds: f64, reply: &Reply) {
        self.wrong[who] += reply.wrong;
        self.nodes[who] += reply.nodes;
        for row in [
            Row::All,
            Row::Purpose(call.purpose.clone()),
            Row::Trick(call.trick),
        ] {
            let sums = self.rows.entry(row).or_insert_with(|| Sums {
                boards: 0,
                seconds: vec![0.0; self.names.len()],
            });
            sums.seconds[who] += seconds;
            if who == 0 {
                sums.boards += call.deals.len();
            }
        }
    }

    /// Returns the seconds of the first library so far, and the ratios of the other libraries to
    /// them.
    pub fn ratios(&self) -> String {
        let seconds = self
            .rows
            .get(&Row::All)
            .map_or(&[][..], |sums| &sums.seconds);
        let parts: Vec<String> = self
            .names
            .iter()
            .zip(seconds)
            .enumerate()
            .map(|(index, (name, &time))| match index {
                0 => format!("{name} {time:.1} s"),
                _ => format!("{name} {:.3}", time / seconds[0]),
            })
            .collect();
        parts.join(", ")
    }

    /// Returns the report as text, with or without a row for each trick.
    pub fn show(&self, tricks: bool) -> String {
        let mut text = String::new();
        let kind = if self.elapsed { "elapsed" } else { "processor" };
        let mut line = |words: Vec<String>| {
            let mut words = words.into_iter();
            let _ = write!(text, "{:12}", words.next().unwrap_or_default());
            for word in words {
                let _ = write!(text, " {word:>14}");
            }
            text.push('\n');
        };
        let heads = ["".to_owned(), "boards".to_owned()];
        line(
            heads
                .into_iter()
                .chain(self.names.iter().cloned())
                .collect(),
        );
        for (row, sums) in &self.rows {
            let name = match row {
                Row::All => "all".to_owned(),
                Row::Purpose(purpose) => purpose.clone(),
                Row::Trick(trick) if tricks => format!("trick {trick}"),
                Row::Trick(_) => continue,
            };
            let mut words = vec![name, sums.boards.to_string()];
            for seconds in &sums.seconds {
                words.push(format!("{seconds:.3} s {:.3}", seconds / sums.seconds[0]));
            }
            line(words);
        }
        let mut counts = |name: &str, counts: &mut dyn Iterator<Item = String>| {
            let heads = [name.to_owned(), String::new()];
            line(heads.into_iter().chain(counts).collect());
        };
        counts("nodes", &mut self.nodes.iter().map(u64::to_string));
        counts("wrong", &mut self.wrong.iter().map(usize::to_string));
        let _ = writeln!(
            text,
            "\nSeconds of {kind} time, each with its ratio to the first library's."
        );
        text
    }
}
