//! `setrograde par`: the score when both sides bid as well as the cards allow.

use clap::Args;
use setrograde_cards::{Seat, Vulnerability};
use setrograde_review::deal_line;
use setrograde_solver::Par;

use crate::Outcome;
use crate::arguments::solver::{SolverArguments, deal_and_table};
use crate::json::{OnePar, Pars};
use crate::questions::Answer;

/// Find par scores and contracts.
#[derive(Args)]
#[command(after_help = include_str!("../help/par.txt"))]
pub struct ParArguments {
    /// The vulnerable sides: none, NS, EW or both. [default: as the board says, or
    /// else all four cases]
    #[arg(long, value_name = "SIDES")]
    vulnerable: Option<Vulnerability>,
    /// The dealer. [default: as the board says, or else each in turn]
    #[arg(long, value_name = "SEAT")]
    dealer: Option<Seat>,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal a line or with boards; `-` is
    /// standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<String>,
}

pub fn run(arguments: &ParArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let threads = solver
        .questions(&arguments.deal, deal_line)
        .threads_for_each();
    solver.run(&arguments.deal, deal_line, |solver, question| {
        let (_, table) = deal_and_table(solver, threads, question.text)?;
        let text = question.text;
        let vulnerabilities = arguments
            .vulnerable
            .or(question.board.and_then(|board| board.vulnerability))
            .map_or(Vulnerability::ALL.to_vec(), |one| vec![one]);
        let dealers = arguments
            .dealer
            .or(question.board.and_then(|board| board.dealer))
            .map_or(Seat::ALL.to_vec(), |one| vec![one]);
        let cases: Vec<(Vulnerability, Seat)> = vulnerabilities
            .iter()
            .flat_map(|&sides| dealers.iter().map(move |&dealer| (sides, dealer)))
            .collect();
        let pars = cases.iter().map(|&(vulnerability, dealer)| {
            (
                name(vulnerability),
                dealer,
                Par::new(&table, vulnerability, dealer),
            )
        });
        if arguments.solver.answers.json {
            let par = pars.map(|(sides, dealer, par)| OnePar::new(sides, dealer, &par));
            return Ok(Answer::json(Pars {
                question: text,
                par: par.collect(),
            }));
        }
        if let [(vulnerability, dealer)] = cases[..] {
            let par = Par::new(&table, vulnerability, dealer);
            let contracts = contracts(&par);
            return Ok(Answer::Text(match question.board {
                Some(_) => question.told(format_args!("par {}: {contracts}", par.score)),
                None => format!("{text}\t{}\t{contracts}", par.score),
            }));
        }
        let mut answer = String::from("vulnerable  dealer  score  contracts");
        for (sides, dealer, par) in pars {
            let row = format!(
                "\n{sides:10}  {:6}  {:5}  {}",
                dealer.letter(),
                par.score,
                contracts(&par)
            );
            answer.push_str(&row);
        }
        answer.push('\n');
        Ok(Answer::Text(question.told_below(&answer)))
    })
}

fn name(vulnerability: Vulnerability) -> &'static str {
    match vulnerability {
        Vulnerability::None => "none",
        Vulnerability::NorthSouth => "NS",
        Vulnerability::EastWest => "EW",
        Vulnerability::Both => "both",
    }
}

fn contracts(par: &Par) -> String {
    if par.contracts.is_empty() {
        return "pass".to_owned();
    }
    let contracts: Vec<String> = par.contracts.iter().map(ToString::to_string).collect();
    contracts.join(", ")
}
