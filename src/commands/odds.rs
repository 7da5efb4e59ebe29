//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use setrograde_beliefs::Beliefs;
use setrograde_cards::{Bid, Card, Contract, Suit, Vulnerability};
use setrograde_games::{View, Whist};
use setrograde_lookup::Database;
use setrograde_review::shown as shown_card;
use setrograde_single_dummy::{
    Compared, MOST_VISITED, Odds, Sampling, card_odds, chance_half_width, mean_half_width, odds,
    sampled, sampled_contracts,
};
use setrograde_solver::{Endgames, Options};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::{AnswerArguments, RulesArgument};
use crate::interrupt;
use crate::json::{
    self, CardChances, Chances, ContractsAnswer, DrawnAnswer, OddsAnswer, ScoredContract, Whole,
};
use crate::output::chart::Chart;
use crate::output::errors::one_line;
use crate::output::tables::grouped;
use crate::questions::{Answer, NoAnswer};

/// Count double-dummy tricks over layouts of hidden hands: leads, contracts, chances.
#[derive(Args)]
#[command(after_help = include_str!("../help/odds.txt"))]
pub struct OddsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Also show the odds of every card that may be played, for its own side.
    #[arg(long, alias = "cards")]
    all: bool,
    /// Also show the odds for every split of each suit.
    #[arg(long)]
    by_split: bool,
    /// Draw N layouts instead of counting all. [default: 1000 where counting all takes
    /// more than the database or 5,000,000 layouts]
    #[arg(long, value_name = "N")]
    draw: Option<usize>,
    /// Stop drawing once every chance is known to within this many per cent.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    until: Option<f64>,
    /// Seed of the layouts that are drawn.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Show the cards of the hand on lead against this contract, as 3NT: their tricks,
    /// and the chance to defeat it.
    #[arg(long, value_name = "BID", conflicts_with = "by_split")]
    leads: Option<Bid>,
    /// Compare contracts by their scores, as 3NTS,4SS.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["leads", "by_split", "all"])]
    contracts: Vec<Contract>,
    /// The vulnerable sides, for the scores: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", default_value = "none")]
    vulnerable: Vulnerability,
    #[command(flatten)]
    answers: AnswerArguments,
    /// Draw the chances as bars; for one question.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &OddsArguments) -> anyhow::Result<Outcome> {
    if arguments.svg.is_some() && arguments.question == ["-"] {
        bail!("--svg draws one question; expected it on the command line, not `-`");
    }
    arguments.condition.read()?;
    let database = arguments.db.required()?;
    let questions = arguments.answers.questions(&arguments.question, 4, None);
    let threads = questions.threads_for_each();
    questions.run(
        || (),
        |(), question| arguments.answer(&database, threads, question.text),
    )
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches('%').trim_end().parse::<f64>();
    let number = number
        .ok()
        .filter(|&number| number > 0.0 && number <= 100.0);
    number
        .map(|number| number / 100.0)
        .ok_or("expected per cent, as 1%")
}

impl OddsArguments {
    fn answer(
        &self,
        database: &Arc<Database>,
        threads: usize,
        text: &str,
    ) -> Result<Answer, NoAnswer> {
        let view = View::of_bridge(&self.condition.ask(text)?)?;
        let beliefs = view.beliefs(&self.rules.strengths::<Whist>())?;
        let cancel = interrupt::flag();
        let wanted = self.draw.is_some() || self.until.is_some() || self.leads.is_some();
        let too_deep = view.tricks_left() > database.max_level();
        let too_many = (self.all || !view.trick().is_empty()) && beliefs.count() > MOST_VISITED;
        if wanted || too_deep || too_many || !self.contracts.is_empty() {
            return self.drawn(database, threads, text, &view, &beliefs);
        }
        let found = odds(&view, &beliefs, database, cancel)?;
        let left = view.tricks_left();
        let cards = match self.all {
            true => card_odds(&view, &beliefs, database, cancel)?,
            false => Vec::new(),
        };
        if let Some(path) = &self.svg {
            let chances = found.all.chances.iter().take(left + 1);
            let leader = view.trick().leader();
            let (name, partner) = (leader.name(), leader.partner().name());
            let (layouts, mean) = (found.all.layouts, found.all.mean());
            let chart = Chart {
                caption: &format!(
                    "Tricks of {name} and {partner} over {layouts} layouts, mean {mean:.2}"
                ),
                x: "tricks",
                bars: chances.map(|chance| 100.0 * chance).collect(),
                curves: Vec::new(),
            };
            let drawn = chart.draw(path);
            drawn.map_err(|error| NoAnswer::Refused(one_line(error.as_ref())))?;
        }
        if self.answers.json {
            let of_card = |(card, odds): &(Card, Odds)| CardChances::new(*card, odds, left);
            return Ok(Answer::json(OddsAnswer {
                question: text,
                all: Chances::new(&found.all, left),
                cards: self.all.then(|| cards.iter().map(of_card).collect()),
                splits: self.by_split.then(|| json::splits(&found, left)),
            }));
        }
        let all = &found.all;
        let mut answer = format!(
            "{text}\tlayouts={} counts={} mean={:.4}",
            all.layouts,
            counts(all, left),
            all.mean()
        );
        if self.all || self.by_split {
            answer.push('\n');
        }
        if !self.all && !self.by_split {
            return Ok(Answer::Text(answer));
        }
        answer += &format!("  all  {}\n", chances(all, left));
        for (card, odds) in &cards {
            answer += &format!("  {card}  {}\n", chances(odds, left));
        }
        if self.by_split {
            for (suit, splits) in Suit::ALL.into_iter().zip(&found.splits) {
                for (lengths, odds) in splits.iter().filter(|_| splits.len() > 1) {
                    let split = lengths.map(|length| length.to_string()).join("-");
                    let layouts = odds.layouts;
                    answer += &format!(
                        "  {} {split} (N-E-S-W, {layouts} layouts)  {}\n",
                        suit.symbol(),
                        chances(odds, left)
                    );
                }
            }
        }
        Ok(Answer::Text(answer))
    }
}

impl OddsArguments {
    /// The answer from layouts that are drawn.
    fn drawn(
        &self,
        database: &Arc<Database>,
        threads: usize,
        text: &str,
        view: &View<Whist>,
        beliefs: &Beliefs,
    ) -> Result<Answer, NoAnswer> {
        if self.by_split || self.svg.is_some() {
            let problem = "--by-split and --svg are for layouts that are counted, not drawn";
            return Err(NoAnswer::Refused(problem.to_owned()));
        }
        let sampling = Sampling {
            layouts: self.draw.unwrap_or(if self.until.is_some() {
                1_000_000
            } else {
                1000
            }),
            until: self.until,
            seed: self.seed,
            threads,
            by_card: self.all || self.leads.is_some(),
        };
        let options = Options {
            endgames: Some(Arc::clone(database) as Arc<dyn Endgames>),
            cancel: Some(Arc::clone(interrupt::flag())),
            ..Options::default()
        };
        let (left, of, seed) = (view.tricks_left(), beliefs.count(), self.seed);
        let head = |drawn: u128| {
            let (drawn, of) = (grouped(drawn), grouped(of));
            format!(
                "{text}\n  {drawn} layouts drawn of {of}, seed {seed}; ± is half a 95 % interval\n"
            )
        };
        if !self.contracts.is_empty() {
            let compared = Compared {
                contracts: &self.contracts,
                vulnerability: self.vulnerable,
            };
            let found = sampled_contracts(view, beliefs, compared, sampling, &options)?;
            let drawn = found.first().map_or(0, |of| of.odds.layouts);
            if self.answers.json {
                let contracts = found.iter().map(ScoredContract::new).collect();
                let layouts = Whole(of);
                return Ok(Answer::json(ContractsAnswer {
                    question: text,
                    layouts,
                    seed,
                    contracts,
                }));
            }
            let mut answer = head(drawn);
            answer += "  contract  makes          score         matchpoints   IMPs\n";
            for of in &found {
                let makes = chance(of.odds.at_least(of.contract.bid.tricks().into()), drawn);
                let (score, width) = (of.score, of.score_half_width);
                let (points, imps) = (100.0 * of.matchpoints, of.imps);
                let contract = of.contract.to_string();
                answer += &format!(
                    "  {contract:8}  {makes}  {score:6.0} ± {width:4.0}  {points:9.1} %  {imps:6.2}\n"
                );
            }
            return Ok(Answer::Text(answer));
        }
        let by_card = sampling.by_card;
        let mut found = sampled(view, beliefs, sampling, &options)?;
        let target = self.leads.map_or(0, |bid| 14 - usize::from(bid.tricks()));
        let value = |odds: &Odds| (odds.at_least(target), odds.mean());
        if self.leads.is_some() {
            found.cards.sort_by(|(_, a), (_, b)| {
                let (a, b) = (value(a), value(b));
                b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
            });
        }
        if self.answers.json {
            let cards = found.cards.iter();
            let cards = cards.map(|(card, odds)| CardChances::new(*card, odds, left));
            return Ok(Answer::json(DrawnAnswer {
                answer: OddsAnswer {
                    question: text,
                    all: Chances::new(&found.all, left),
                    cards: by_card.then(|| cards.collect()),
                    splits: None,
                },
                drawn_of: Whole(of),
                seed,
                mean_half_width: mean_half_width(&found.all),
            }));
        }
        let all = &found.all;
        let mut answer = head(all.layouts);
        let shown = (0..=left).filter(|&tricks| all.counts[tricks] > 0);
        answer += "  tricks  exactly        at least\n";
        for tricks in shown {
            let exactly = chance(all.chances[tricks], all.layouts);
            let at_least = chance(all.at_least(tricks), all.layouts);
            answer += &format!("  {tricks:6}  {exactly}  {at_least}\n");
        }
        answer += &format!(
            "  mean    {:.2} ± {:.2}\n",
            all.mean(),
            mean_half_width(all)
        );
        if let Some(bid) = self.leads {
            answer += &format!("  lead  tricks       defeats {bid}\n");
        } else if by_card {
            answer += "  card  tricks\n";
        }
        for (card, odds) in &found.cards {
            let (mean, width) = (odds.mean(), mean_half_width(odds));
            answer += &format!("  {:4}  {mean:5.2} ± {width:.2}", shown_card(*card));
            if self.leads.is_some() {
                answer += &format!("  {}", chance(odds.at_least(target), odds.layouts));
            }
            answer.push('\n');
        }
        Ok(Answer::Text(answer))
    }
}

/// A chance in per cent with half its interval.
fn chance(chance: f64, drawn: u128) -> String {
    let width = 100.0 * chance_half_width(chance, drawn);
    format!("{:5.1} % ± {width:4.1}", 100.0 * chance)
}

fn counts(odds: &Odds, left: usize) -> String {
    let counts = odds.counts.iter().take(left + 1);
    counts.map(u128::to_string).collect::<Vec<_>>().join(",")
}

/// The chances in per cent, and the mean.
fn chances(odds: &Odds, left: usize) -> String {
    let chances = odds.chances.iter().take(left + 1).enumerate();
    let chances: Vec<String> = chances
        .map(|(tricks, chance)| format!("{tricks}: {:5.1} %", 100.0 * chance))
        .collect();
    format!("{}   mean {:.3}", chances.join("  "), odds.mean())
}
