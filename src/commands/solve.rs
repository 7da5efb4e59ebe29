//! `setrograde solve`: positions of any size, also without a database.

use clap::Args;
use setrograde_beliefs::{Beliefs, Facts};
use setrograde_cards::{Card, Hand, Position, Seat, Suit};
use setrograde_solver::{CardTricks, Solver, Target, Wanted};

use crate::Outcome;
use crate::arguments::solver::{SolverArguments, table_of_board};
use crate::json::{CardList, PositionTricks, SolvedCard, Whole};
use crate::questions::boards::position_line;
use crate::questions::{Answer, NoAnswer, Question};

const EXAMPLES: &str = "\
A position is STRAIN LEADER DEAL, as for `query`; cards on the table follow as
`played=S5,SA`. The answer is the number of tricks, of those not finished, that
the side of LEADER takes. With --all, --best or --one it is cards instead, as
`SA=9 SK=9`, each with the tricks of the side to play; `-` if no card reaches
the target.

Files may be in PBN, LIN, lists of DDS, GIB's .sol, or lines as above; a board with
a contract is asked before the opening lead.

Examples:
  setrograde solve NT W N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde solve --all 'NT S N:AQ... K3... 5... 76... played=S4'
  setrograde solve --one --tricks 1 'H W N:A.2.. K..A. .AK.. Q..K.'
  setrograde solve --db db positions.txt > answers.txt
  setrograde solve --count 'NT S N:AQ... 76... 54... K3...'
  setrograde solve --all boards.pbn";

/// Solve positions: tricks for the leader's side, or cards to play.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
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
        true => Some(sharing(solver, &position, tricks)?),
        false => None,
    };
    if json {
        return Ok(Answer::json(PositionTricks {
            question: text,
            leader: position.leader().to_string(),
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

/// The number of deals that share the proof that a position is worth `tricks`: those with
/// the same suit lengths in which the cards that mattered, and all higher ones of
/// their suits, lie alike.
fn sharing(solver: &mut Solver, position: &Position, tricks: u8) -> Result<u128, NoAnswer> {
    if !position.is_trick_boundary() {
        return Err(NoAnswer::Refused(
            "--count is for positions at the start of a trick".to_owned(),
        ));
    }
    let mut mattered = Hand::EMPTY;
    for target in [tricks, tricks + 1] {
        mattered |= solver.reaches(position, target)?.cards;
    }
    let hands = position.deal().hands();
    let mut deals = 1;
    for suit in Suit::ALL {
        let lowest = mattered.suit(suit).iter().min();
        let free = |card: &Card| lowest.is_none_or(|lowest| *card < lowest);
        let free = hands.map(|hand| hand.suit(suit).iter().filter(free).collect::<Hand>());
        let all: Hand = free.iter().copied().collect();
        let facts = Facts::new(all, free.map(|hand| hand.len() as u8));
        deals *= Beliefs::new(&facts)
            .map_err(|error| NoAnswer::refused(&error))?
            .count();
    }
    Ok(deals)
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
            to_play: solution.seat.to_string(),
            tricks_left: position.tricks_left(),
            cards: solution.cards.iter().map(SolvedCard::from).collect(),
        }));
    }
    let shown = solution.cards.iter().flat_map(|solved| {
        let equals = if wanted == Wanted::One {
            Vec::new()
        } else {
            equals(solved)
        };
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

/// The lower cards that are worth the same.
fn equals(solved: &CardTricks) -> Vec<Card> {
    solved
        .equals
        .iter()
        .map(|rank| Card::new(solved.card.suit, rank))
        .collect()
}
