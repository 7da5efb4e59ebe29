//! `setrograde par`: the score when both sides bid as well as the cards allow.

use clap::Args;
use setrograde_cards::{Seat, Vulnerability};
use setrograde_review::deal_line;
use setrograde_solver::Par;

use crate::Outcome;
use crate::arguments::shared::sides;
use crate::arguments::solver::{SolverArguments, deal_and_table};
use crate::json::{OnePar, Pars};
use crate::questions::Answer;

/// Find par scores and contracts.
#[derive(Args)]
#[command(after_help = include_str!("../help/par.txt"))]
pub struct ParArguments {
    /// The vulnerable sides: none, NS, EW or both. [default: as the board says, or
    /// else all four cases]
    #[arg(long, value_name = "SIDES", value_parser = sides)]
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
        let par_of = |sides, dealer| (sides, dealer, Par::new(&table, sides, dealer));
        let cases = vulnerabilities.iter().flat_map(|&sides| {
            let dealers = dealers.iter();
            dealers.map(move |&dealer| par_of(sides, dealer))
        });
        let pars: Vec<(Vulnerability, Seat, Par)> = cases.collect();
        if arguments.solver.answers.json {
            let par = pars.iter();
            let par = par.map(|(sides, dealer, par)| OnePar::new(name(*sides), *dealer, par));
            return Ok(Answer::json(Pars {
                question: text,
                par: par.collect(),
            }));
        }
        if let [(_, _, par)] = &pars[..] {
            let contracts = contracts(par);
            return Ok(Answer::Text(match question.board {
                Some(_) => question.told(format_args!("par {}: {contracts}", par.score)),
                None => format!("{text}\t{}\t{contracts}", par.score),
            }));
        }
        let mut answer = String::from("vulnerable  dealer  score  contracts\n");
        for same in pars.chunk_by(|a, b| (a.0, &a.2) == (b.0, &b.2)) {
            let (sides, _, par) = &same[0];
            let dealers = match same.len() {
                4 => "any".to_owned(),
                _ => same.iter().map(|(_, dealer, _)| dealer.letter()).collect(),
            };
            let (sides, score, contracts) = (name(*sides), par.score, contracts(par));
            answer += &format!("{sides:10}  {dealers:6}  {score:5}  {contracts}\n");
        }
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
