//! This solver, or bare probes of a database: `ours [--db DIR [--probe] [--warm]]`.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Parser;
use compare::{Answer, Question, Solve, serve};
use setrograde_endgame::ending::Ending;
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

#[derive(Parser)]
struct Arguments {
    #[arg(long)]
    db: Option<PathBuf>,
    /// Looks endings up instead of solving them.
    #[arg(long, requires = "db")]
    probe: bool,
    /// Reads the database first.
    #[arg(long, requires = "db")]
    warm: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let database = arguments.db.map(Database::open).transpose()?.map(Arc::new);
    if let Some(database) = database.as_ref().filter(|_| arguments.warm) {
        for level in database.levels() {
            level.check()?;
        }
    }
    match database {
        Some(database) if arguments.probe => serve(Probe(database)),
        database => serve(Ours::new(database)),
    }
}

/// The forward solver, with the memory of one question kept for the next, but
/// not what it learned: the questions are about different deals.
struct Ours {
    name: String,
    solver: Solver,
}

impl Ours {
    fn new(database: Option<Arc<Database>>) -> Ours {
        let name = match &database {
            Some(database) => format!("ours, {}", database.extent()),
            None => "ours".to_owned(),
        };
        let solver = Solver::new(Options {
            endgames: database.map(|database| database as Arc<dyn Endgames>),
            ..Options::default()
        });
        Ours { name, solver }
    }
}

impl Solve for Ours {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        Ok(match question {
            Question::Table(deal) => Answer::Table(self.solver.table(deal)?),
            Question::Tricks(position) => Answer::Tricks(self.solver.tricks(position)?),
        })
    }

    fn nodes(&self) -> u64 {
        self.solver.nodes()
    }
}

/// A database alone.
struct Probe(Arc<Database>);

impl Solve for Probe {
    fn name(&self) -> String {
        format!("probe, {}", self.0.extent())
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        let values = self.answer_all(std::slice::from_ref(question))?;
        values.into_iter().next().context("no answer")
    }

    fn answer_all(&mut self, questions: &[Question]) -> anyhow::Result<Vec<Answer>> {
        let endings: Vec<Ending> = questions.iter().map(ending).collect::<Result<_, _>>()?;
        let values = self.0.values(&endings)?;
        let held = |value: Option<u8>| value.map(Answer::Tricks).context("it is not held");
        values.into_iter().map(held).collect()
    }
}

fn ending(question: &Question) -> anyhow::Result<Ending> {
    let Question::Tricks(position) = question else {
        bail!("a database answers no tables");
    };
    Ending::from_position(position).context("not an ending")
}
