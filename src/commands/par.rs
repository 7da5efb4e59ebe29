//! `setrograde par`: the score when both sides bid as well as the cards allow.

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use setrograde_cards::{Seat, Vulnerability};
use setrograde_solver::Par;

use crate::Outcome;
use crate::input::solver::{SolverArguments, deal_and_table};

const EXAMPLES: &str = "\
Scores are North and South's. A contract is its level and strain, `*` if it is
doubled, its declarers, and the tricks over or under. With one vulnerability and
one dealer the answer is a line: the deal, a tab, the score, a tab, contracts.

Examples:
  setrograde par N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76
  setrograde par --vulnerable NS --dealer E - < deals.txt";

/// Find par scores and contracts.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ParArguments {
    /// Who is vulnerable. [default: all four cases]
    #[arg(long, value_enum, value_name = "SIDES", ignore_case = true)]
    vulnerable: Option<Sides>,
    /// Who deals. [default: each in turn]
    #[arg(long, value_name = "SEAT")]
    dealer: Option<Seat>,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or `-` to read one deal a line from standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sides {
    None,
    #[value(name = "NS")]
    NorthSouth,
    #[value(name = "EW")]
    EastWest,
    Both,
}

pub fn run(arguments: &ParArguments) -> anyhow::Result<Outcome> {
    let vulnerabilities = match arguments.vulnerable {
        None => Vulnerability::ALL.to_vec(),
        Some(Sides::None) => vec![Vulnerability::None],
        Some(Sides::NorthSouth) => vec![Vulnerability::NorthSouth],
        Some(Sides::EastWest) => vec![Vulnerability::EastWest],
        Some(Sides::Both) => vec![Vulnerability::Both],
    };
    let dealers = arguments
        .dealer
        .map_or(Seat::ALL.to_vec(), |dealer| vec![dealer]);
    let cases: Vec<(Vulnerability, Seat)> = vulnerabilities
        .iter()
        .flat_map(|&vulnerability| dealers.iter().map(move |&dealer| (vulnerability, dealer)))
        .collect();
    arguments.solver.run(&arguments.deal, |solver, text| {
        let (_, table) = deal_and_table(solver, text)?;
        let pars = cases.iter().map(|&(vulnerability, dealer)| {
            (
                name(vulnerability),
                dealer,
                Par::new(&table, vulnerability, dealer),
            )
        });
        if arguments.solver.json {
            let pars: Vec<Value> = pars
                .map(|(sides, dealer, par)| to_json(sides, dealer, &par))
                .collect();
            return Ok(json!({ "deal": text, "par": pars }).to_string());
        }
        if let [(vulnerability, dealer)] = cases[..] {
            let par = Par::new(&table, vulnerability, dealer);
            return Ok(format!("{text}\t{}\t{}", par.score, contracts(&par)));
        }
        let mut answer = format!("{text}\nvulnerable  dealer  score  contracts");
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
        Ok(answer)
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

fn to_json(sides: &str, dealer: Seat, par: &Par) -> Value {
    let contracts: Vec<Value> = par
        .contracts
        .iter()
        .map(|contract| {
            let declarers: Vec<String> =
                contract.declarers().map(|seat| seat.to_string()).collect();
            json!({
                "level": contract.bid.level(),
                "strain": contract.bid.strain().to_string(),
                "declarers": declarers,
                "doubled": contract.over < 0,
                "over": contract.over,
            })
        })
        .collect();
    json!({
        "vulnerable": sides,
        "dealer": dealer.to_string(),
        "score": par.score,
        "contracts": contracts,
    })
}
