//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::sync::Arc;

use clap::Args;
use setrograde_beliefs::Beliefs;
use setrograde_cards::{Bid, Card, Suit, Vulnerability};
use setrograde_games::{View, Whist};
use setrograde_lookup::Database;
use setrograde_review::shown;
use setrograde_single_dummy::{
    BySplit, MOST_VISITED, Odds, card_odds, mean_half_width, odds, sampled,
};

use super::compare::{self, Written};
use super::leads;
use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::{AnswerArguments, RulesArgument};
use crate::interrupt;
use crate::json::{self, CardChances, Chances, DrawnAnswer, OddsAnswer, Whole, intervals};
use crate::output::chances::{drawn, drawn_mean, head, layouts, percent, side_name};
use crate::questions::{Answer, NoAnswer};

/// Count double-dummy tricks over layouts of hidden hands.
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
    #[command(flatten)]
    draw: DrawArguments,
    /// `setrograde leads` has taken its place.
    #[arg(long, hide = true, value_name = "BID", conflicts_with = "by_split")]
    leads: Option<Bid>,
    /// `setrograde compare` has taken its place.
    #[arg(long, hide = true, value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["leads", "by_split", "all"])]
    contracts: Vec<Written>,
    /// `setrograde compare` has it.
    #[arg(long, hide = true, value_name = "SIDES", default_value = "none")]
    vulnerable: Vulnerability,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &OddsArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let database = arguments.db.open()?;
    let questions = arguments.answers.questions(&arguments.question, 4, None);
    let threads = questions.threads_for_each();
    questions.run(
        || (),
        |(), question| arguments.answer(database.as_ref(), threads, question.text),
    )
}

impl OddsArguments {
    fn answer(
        &self,
        database: Option<&Arc<Database>>,
        threads: usize,
        text: &str,
    ) -> Result<Answer, NoAnswer> {
        let view = View::of_bridge(&self.condition.ask(text)?)?;
        let beliefs = view.beliefs(&self.rules.strengths::<Whist>())?;
        if let Some(bid) = self.leads {
            let sampling = self.draw.sampling(threads, true);
            return leads::answer(
                text,
                &view,
                &beliefs,
                bid,
                sampling,
                database,
                self.answers.json,
            );
        }
        if !self.contracts.is_empty() {
            let sampling = self.draw.sampling(threads, false);
            let asked = (&self.contracts[..], self.vulnerable);
            return compare::answer(
                text,
                &view,
                &beliefs,
                asked,
                sampling,
                database,
                self.answers.json,
            );
        }
        let each = self.all || !view.trick().is_empty();
        let database_holds = |of: &&Arc<Database>| view.tricks_left() <= of.max_level();
        match database.filter(database_holds) {
            Some(database)
                if !(self.draw.is_wanted() || each && beliefs.count_looked_at() > MOST_VISITED) =>
            {
                self.counted(database, text, &view, &beliefs)
            }
            _ => self.drawn(database, threads, text, &view, &beliefs),
        }
    }

    /// The answer from all layouts.
    fn counted(
        &self,
        database: &Database,
        text: &str,
        view: &View<Whist>,
        beliefs: &Beliefs,
    ) -> Result<Answer, NoAnswer> {
        let cancel = interrupt::flag();
        let found = odds(view, beliefs, database, cancel)?;
        let cards = match self.all {
            true => card_odds(view, beliefs, database, cancel)?,
            false => Vec::new(),
        };
        let (left, side) = (view.tricks_left(), view.trick().leader().side());
        if self.answers.json {
            let of_card = |(card, odds): &(Card, Odds)| CardChances::new(*card, odds, left);
            return Ok(Answer::json(OddsAnswer {
                question: text,
                side,
                to_play: view.to_play(),
                all: Chances::new(&found.all, left),
                cards: self.all.then(|| cards.iter().map(of_card).collect()),
                splits: self.by_split.then(|| json::splits(&found, left)),
            }));
        }
        let all = &found.all;
        if self.is_stream() {
            return Ok(Answer::Text(format!(
                "{text}\tside={side} layouts={} counts={} mean={:.4}",
                all.layouts,
                counts(all, left),
                all.mean()
            )));
        }
        let mut answer = format!(
            "{text}\n  Tricks of {}, all hands seen, in {}\n",
            side_name(side),
            layouts(all.layouts)
        );
        answer += "  tricks  layouts  exactly  at least\n";
        for tricks in (0..=left).filter(|&tricks| all.counts[tricks] > 0) {
            let (exactly, at_least) = (all.chances[tricks], all.at_least(tricks));
            let count = all.counts[tricks];
            let (exactly, at_least) = (percent(exactly), percent(at_least));
            answer += &format!("  {tricks:6}  {count:7}  {exactly}   {at_least}\n");
        }
        answer += &format!("  mean    {:.3}\n", all.mean());
        if self.all {
            let heads = format!("mean  {}", heads(left));
            cards_in_words(&mut answer, view, &cards, &heads, |odds| row(odds, left));
        }
        if self.by_split {
            splits_in_words(&mut answer, view, &found, left);
        }
        Ok(Answer::Text(answer))
    }

    fn is_stream(&self) -> bool {
        self.question == ["-"]
    }

    /// The answer from layouts that are drawn.
    fn drawn(
        &self,
        database: Option<&Arc<Database>>,
        threads: usize,
        text: &str,
        view: &View<Whist>,
        beliefs: &Beliefs,
    ) -> Result<Answer, NoAnswer> {
        if self.by_split {
            let problem = "--by-split is for layouts that are counted, not drawn";
            return Err(NoAnswer::Refused(problem.to_owned()));
        }
        let sampling = self.draw.sampling(threads, self.all);
        let (left, side, seed) = (
            view.tricks_left(),
            view.trick().leader().side(),
            self.draw.seed,
        );
        let found = sampled(view, beliefs, sampling, &solver(database))?;
        let all = &found.all;
        if self.answers.json {
            let cards = found.cards.iter();
            let cards = cards.map(|(card, odds)| CardChances::new(*card, odds, left));
            return Ok(Answer::json(DrawnAnswer {
                answer: OddsAnswer {
                    question: text,
                    side,
                    to_play: view.to_play(),
                    all: Chances::new(all, left),
                    cards: self.all.then(|| cards.collect()),
                    splits: None,
                },
                drawn_of: Whole(beliefs.count()),
                seed,
                intervals: intervals(all, left),
                mean_half_width: mean_half_width(all),
            }));
        }
        if self.is_stream() {
            return Ok(Answer::Text(format!(
                "{text}\tside={side} layouts={} of={} counts={} mean={:.4}",
                all.layouts,
                beliefs.count(),
                counts(all, left),
                all.mean()
            )));
        }
        let mut answer = format!("{text}\n{}", head(all.layouts, beliefs, seed));
        answer += &format!("  Tricks of {}, all hands seen\n", side_name(side));
        answer += &tricks_in_words(all, left);
        if self.all {
            cards_in_words(
                &mut answer,
                view,
                &found.cards,
                " mean  in 95 of 100",
                drawn_mean,
            );
        }
        Ok(Answer::Text(answer))
    }
}

/// The chances of each number of tricks, and the mean, over layouts that were drawn.
pub fn tricks_in_words(all: &Odds, left: usize) -> String {
    let mut text = String::from("  tricks  exactly   in 95 of 100   at least  in 95 of 100\n");
    for tricks in (0..=left).filter(|&tricks| all.counts[tricks] > 0) {
        let exactly = drawn(all.chances[tricks], all.layouts);
        let at_least = drawn(all.at_least(tricks), all.layouts);
        text += &format!("  {tricks:6}  {exactly}    {at_least}\n");
    }
    text + &format!("  mean    {}\n", drawn_mean(all).trim_start())
}

/// A row for each card that may be played.
fn cards_in_words(
    answer: &mut String,
    view: &View<Whist>,
    cards: &[(Card, Odds)],
    heads: &str,
    row: impl Fn(&Odds) -> String,
) {
    let player = view.to_play();
    let (side, name) = (side_name(player.side()), player.name());
    *answer += &format!("\n  Tricks of {side} by {name}'s card");
    if view.hand(player).is_none() {
        *answer += ", over the layouts in which it may be played";
    }
    *answer += &format!("\n  card  layouts  {heads}\n");
    for (card, odds) in cards {
        let (card, count) = (shown(*card), odds.layouts);
        *answer += &format!("  {card:4}  {count:7}  {}\n", row(odds));
    }
}
fn splits_in_words(answer: &mut String, view: &View<Whist>, found: &BySplit, left: usize) {
    if found.splits.iter().all(|splits| splits.len() < 2) {
        return;
    }
    let hidden = view.hidden_sizes();
    let hidden = || {
        setrograde_cards::Seat::ALL
            .into_iter()
            .filter(|seat| hidden[seat.index()] > 0)
    };
    let names: Vec<&str> = hidden().map(|seat| seat.name()).collect();
    *answer += &format!("\n  By the split {}\n", names.join("-"));
    *answer += &format!("  split    layouts  mean  {}\n", heads(left));
    for (suit, splits) in Suit::ALL.into_iter().zip(&found.splits) {
        for (lengths, odds) in splits.iter().filter(|_| splits.len() > 1) {
            let split: Vec<String> = hidden()
                .map(|seat| lengths[seat.index()].to_string())
                .collect();
            let (suit, split, count) = (suit.symbol(), split.join("-"), odds.layouts);
            *answer += &format!("  {suit} {split:5}  {count:7}  {}\n", row(odds, left));
        }
    }
}

/// The heads of a row of chances.
fn heads(left: usize) -> String {
    let heads = (0..=left).map(|tricks| format!("{tricks:>7}"));
    heads.collect::<Vec<_>>().join(" ")
}

/// The mean, and the chance of each number of tricks.
fn row(odds: &Odds, left: usize) -> String {
    let chances = odds.chances.iter().take(left + 1);
    let chances = chances.map(|&chance| percent(chance));
    format!(
        "{:4.2}  {}",
        odds.mean(),
        chances.collect::<Vec<_>>().join(" ")
    )
}

fn counts(odds: &Odds, left: usize) -> String {
    let counts = odds.counts.iter().take(left + 1);
    counts.map(u128::to_string).collect::<Vec<_>>().join(",")
}
