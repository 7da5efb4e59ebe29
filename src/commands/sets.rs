//! `setrograde sets`: the sets of a partition.

use std::fmt::Write;

use clap::Args;
use setrograde_cards::{Position, Seat, Suit};
use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_lookup::{Database, Ending, EndingSet, Located};

use crate::Outcome;
use crate::arguments::database::open;
use crate::arguments::shared::{AnswerArguments, DatabaseArgument, required_database};
use crate::json::{Owners, PartitionSets, SetOfEndings, Whole};
use crate::output::explain::set_line;
use crate::questions::boards::position_line;
use crate::questions::{Answer, NoAnswer};

/// List the sets of endings that share a value, in the partition of an ending.
#[derive(Args)]
#[command(mut_arg("db", required_database))]
#[command(after_help = include_str!("../help/sets.txt"))]
pub struct SetsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Show the counts only, not the sets.
    #[arg(long)]
    counts: bool,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &SetsArguments) -> anyhow::Result<Outcome> {
    let database = open(arguments.db.required())?;
    let answers = &arguments.answers;
    let questions = answers.questions(&arguments.question, 1, Some(position_line));
    questions.run(
        || (),
        |(), question| arguments.answer(&database, question.text),
    )
}

impl SetsArguments {
    fn answer(&self, database: &Database, question: &str) -> Result<Answer, NoAnswer> {
        let position: Position = question.parse()?;
        let ending = Ending::from_position(&position).map_err(|error| NoAnswer::refused(&error))?;
        let located = database.locate(&ending);
        let located = located.map_err(|error| NoAnswer::refused(&error))?;
        let located = located.ok_or_else(|| NoAnswer::refused(&database.not_held(&ending)))?;
        let count = |set: &EndingSet| {
            let counts = located.distribution(set);
            counts.map_err(|error| NoAnswer::refused(&error))
        };
        let all = count(&EndingSet::EVERYTHING)?;
        let counts = &all[..=ending.level()];
        let mut sets = Vec::new();
        if !self.counts {
            for (set, tricks) in sets_of(&located, &ending) {
                let endings: u128 = count(&set)?.iter().sum();
                sets.push((set, tricks, endings));
            }
        }
        if self.answers.json {
            let sets = sets.iter().map(|(set, tricks, endings)| SetOfEndings {
                tricks: *tricks,
                endings: Whole(*endings),
                set: Owners::new(&ending, set),
            });
            return Ok(Answer::json(PartitionSets {
                question,
                leader: ending.leader().to_string(),
                endings: Whole(counts.iter().sum()),
                counts: counts.iter().map(|&count| Whole(count)).collect(),
                sets: (!self.counts).then(|| sets.collect()),
            }));
        }
        let counts: Vec<String> = counts.iter().map(u128::to_string).collect();
        let mut text = format!("{question}\tcounts={}", counts.join(","));
        for (set, tricks, endings) in &sets {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {tricks}\t{endings}\t{}", set_line(&ending, set));
        }
        Ok(Answer::Text(text))
    }
}

/// The sets of the ending's partition with their tricks: the paths of its diagram.
fn sets_of(located: &Located<'_>, ending: &Ending) -> Vec<(EndingSet, u8)> {
    let canonical = ending.canonical();
    let (nodes, root) = located.diagram().alone();
    let mut sets = Vec::new();
    let mut paths = Paths {
        diagram: Diagram::new(&nodes, root),
        suits: canonical.order.suits().map(Suit::from_index),
        leader: ending.leader(),
        sets: &mut sets,
    };
    paths.follow(root, EndingSet::EVERYTHING);
    sets
}

struct Paths<'a> {
    diagram: Diagram<'a>,
    suits: [Suit; 4],
    leader: Seat,
    sets: &'a mut Vec<(EndingSet, u8)>,
}

impl Paths<'_> {
    /// Adds the paths from an edge on, which is reached with the owners in `set`.
    fn follow(&mut self, edge: Edge, set: EndingSet) {
        if edge.is_leaf() {
            self.sets.push((set, edge.lo()));
            return;
        }
        let children = self.diagram.children(edge);
        for (hand, &child) in children.iter().enumerate() {
            // Owners with the same child share a path.
            if child == Edge::NOTHING || children[..hand].contains(&child) {
                continue;
            }
            let owners = (hand..4).filter(|&other| children[other] == child);
            let seats = owners.map(|owner| 1 << self.leader.plus(owner).index());
            let mut below = set;
            below.learn(self.suits[edge.suit()].index(), seats.sum());
            self.follow(child, below);
        }
    }
}
