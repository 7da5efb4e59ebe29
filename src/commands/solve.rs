//! `setrograde solve`: positions of any size, also without a database.

use clap::Args;
use setrograde_cards::{Position, Seat};
use setrograde_review::position_line;
use setrograde_solver::{Solver, Target, Wanted};

use crate::Outcome;
use crate::arguments::solver::{SolverArguments, table_of_board};
use crate::json::{CardList, PositionTricks, SolvedCard, Whole};
use crate::questions::{Answer, NoAnswer, Question};

/// Solve positions: tricks for the leader's side, or cards to play.
#[derive(Args)]
#[command(after_help = include_str!("../help/solve.txt"))]
pub struct SolveArguments {
    /// Show every card that may be played, with its tricks.
    #[arg(long, group = "cards")]
    all: bool,
    /// Show all cards that take the most tricks, or reach the target.
    #[arg(long, group = "cards")]
    best: bool,
    /// Show one card that takes the most tricks, or reaches the target.
    #[arg(long, group = "cards")]
    one: bool,
    /// Tricks that the side to play must take, with --best or --one; cards that
    /// reach them are shown with this number. [default: as many as it can]
    #[arg(
        long,
        alias = "target",
        value_name = "N",
        requires = "cards",
        conflicts_with = "all"
    )]
    tricks: Option<u8>,
    /// Print the number of deals with the same proof: those with the same suit
    /// lengths in which the top cards that it needs lie alike. For positions at the
    /// start of a trick.
    #[arg(long, conflicts_with = "cards")]
    count: bool,
    #[command(flatten)]
    solver: SolverArguments,
    /// STRAIN LEADER DEAL, or files with one position a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

pub fn run(arguments: &SolveArguments) -> anyhow::Result<Outcome> {
    let json = arguments.solver.answers.json;
    let target = arguments.tricks.map_or(Target::Most, Target::AtLeast);
    let wanted = match arguments {
        SolveArguments { all: true, .. } => Some(Wanted::All),
        SolveArguments { best: true, .. } => Some(Wanted::AllBest),
        SolveArguments { one: true, .. } => Some(Wanted::One),
        _ => None,
    };
    arguments.solver.run(
        &arguments.position,
        position_line,
        |solver, question| match wanted {
            _ if question.asks_for_table() => table_of_board(solver, question, json),
            None => tricks(solver, question, arguments.count, json),
            Some(wanted) => cards(solver, question, target, wanted, json),
        },
    )
}

fn tricks(
    solver: &mut Solver,
    question: &Question<'_>,
    count: bool,
    json: bool,
) -> Result<Answer, NoAnswer> {
    let text = question.text;
    let position: Position = text.parse()?;
    let tricks = solver.tricks(&position)?;
    let deals = match count {
        true if !position.is_trick_boundary() => {
            let problem = "--count is for positions at the start of a trick";
            return Err(NoAnswer::Refused(problem.to_owned()));
        }
        true => Some(solver.deals_with_proof(&position, tricks)?),
        false => None,
    };
    if json {
        return Ok(Answer::json(PositionTricks {
            question: text,
            leader: position.leader(),
            tricks,
            tricks_left: position.tricks_left(),
            deals: deals.map(Whole),
            set: None,
        }));
    }
    let mut line = tricks.to_string();
    if question.board.is_some() {
        let [one, other] = position.leader().side().seats().map(Seat::name);
        line = format!(
            "{one} and {other} take {tricks} of {} tricks",
            position.tricks_left()
        );
    }
    if let Some(deals) = deals {
        line += &format!(" deals={deals}");
    }
    Ok(Answer::Text(question.told(line)))
}

fn cards(
    solver: &mut Solver,
    question: &Question<'_>,
    target: Target,
    wanted: Wanted,
    json: bool,
) -> Result<Answer, NoAnswer> {
    let position: Position = question.text.parse()?;
    let solution = solver.solve(&position, target, wanted)?;
    if json {
        return Ok(Answer::json(CardList {
            question: question.text,
            to_play: solution.seat,
            tricks_left: position.tricks_left(),
            cards: solution.cards.iter().map(SolvedCard::from).collect(),
        }));
    }
    let shown = solution.cards.iter().flat_map(|solved| {
        let equals = solved.equal_cards().filter(|_| wanted != Wanted::One);
        std::iter::once(solved.card)
            .chain(equals)
            .map(|card| format!("{card}={}", solved.tricks))
    });
    let shown: Vec<String> = shown.collect();
    let shown = if shown.is_empty() {
        "-".to_owned()
    } else {
        shown.join(" ")
    };
    Ok(Answer::Text(question.told(shown)))
}
