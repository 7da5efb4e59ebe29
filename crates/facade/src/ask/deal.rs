//! Deals that match conditions.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{Beliefs, BeliefsError, Condition, Facts, Limits, QuestionError, Reason};
use setrograde_cards::{Hand, Seat, Suit, fields, hand_field, quote};
use setrograde_parallel::{Stop, in_order};
use setrograde_records::Board;
use setrograde_single_dummy::drawn;
use setrograde_solver::Solver;

use super::options::{Conditions, NoSubject, seed};
use crate::desk::{Ask, Desk, unless_stopped};
use crate::refusal::{Refusal, RefusalKind};
use crate::result_condition::{DealResults, ResultCondition, Setting};
use crate::words::{Report, Words};

/// Deals of the full pack that match conditions, each with the same probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The number of deals.
    #[serde(default = "one")]
    pub count: u32,
    /// Conditions on the hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Known hands, as `N:AKQ52.K43.QJ5.T98 ? ? ?`; or two hands, North's and South's.
    #[serde(default)]
    pub hands: Option<String>,
    /// The seed of the deals.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Conditions on the results, as `tricks(S,NT)>=9`.
    #[serde(rename = "where", default)]
    pub results: Conditions,
    /// The number of the first board, which gives the dealer and the vulnerable sides.
    #[serde(default = "one")]
    pub first: u32,
    /// The time limit in seconds, after which there are fewer deals than `count`.
    #[serde(default)]
    pub time: Option<f64>,
}

const fn one() -> u32 {
    1
}

/// One deal without conditions.
impl Default for Deal {
    fn default() -> Deal {
        Deal {
            count: one(),
            conditions: Conditions::default(),
            hands: None,
            seed: seed(),
            results: Conditions::default(),
            first: one(),
            time: None,
        }
    }
}

/// A year, which means no limit.
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// Draws deals.
#[derive(Debug)]
pub struct Dealer {
    hands: [Option<Hand>; 4],
    beliefs: Beliefs,
    seed: u64,
    results: Vec<ResultCondition>,
    /// The number of the first board.
    first: u32,
}

/// The number of boards after which dealers and vulnerable sides repeat.
const BOARDS: u32 = 16;

/// The work so far, and a deal that matches the conditions if it was found now.
#[derive(Clone, Copy, Debug)]
pub struct DealFound {
    /// The number of deals tried.
    pub tried: u64,
    /// The deal.
    pub deal: Option<setrograde_cards::Deal>,
}

impl Dealer {
    /// Draws the deal with a number, from 0, whatever its results.
    #[must_use]
    pub fn deal(&self, number: u64) -> setrograde_cards::Deal {
        let drawn = self.deal_until(number, &Stop::default());
        drawn.expect("it is not stopped")
    }

    fn deal_until(&self, number: u64, stop: &Stop) -> Result<setrograde_cards::Deal, BeliefsError> {
        let layout = drawn(&self.beliefs, self.seed, number, stop)?;
        let hand = |seat: usize| self.hands[seat].unwrap_or(layout[seat]);
        let deal = setrograde_cards::Deal::new([0, 1, 2, 3].map(hand));
        Ok(deal.expect("a layout shares the cards out"))
    }

    /// Hands the deals that match all conditions to `take`, in order, until it breaks or the desk
    /// is cancelled; returns the value of the break. All threads of the desk search; the deals do
    /// not depend on their number.
    ///
    /// `take` is called without a deal, too.
    ///
    /// # Errors
    ///
    /// If a search fails.
    pub fn each<B>(
        &self,
        desk: &Desk,
        mut take: impl FnMut(DealFound) -> ControlFlow<B>,
    ) -> Result<Option<B>, Refusal> {
        let threads = match self.results.is_empty() {
            true => 1,
            false => desk.threads(),
        };
        let (mut tried, mut found) = (0, 0_u32);
        let end = in_order(
            (0..).take_while(|_| !desk.is_cancelled()),
            threads,
            || Solver::new(desk.layout_options()),
            |solver, number| {
                let deal = self
                    .deal_until(number, desk.stop())
                    .map_err(unless_stopped)?;
                Ok((deal, self.boards_that_fit(solver, deal)?))
            },
            |result: Option<Result<_, Refusal>>| {
                let deal = match result.transpose() {
                    // An interrupt may be the cause of any error.
                    Err(_) if desk.is_cancelled() => return ControlFlow::Break(Ok(None)),
                    Err(error) => return ControlFlow::Break(Err(error)),
                    Ok(None) => None,
                    Ok(Some((deal, boards))) => {
                        tried += 1;
                        let board = self.first.wrapping_add(found) % BOARDS;
                        (boards >> board & 1 == 1).then_some(deal)
                    }
                };
                found += u32::from(deal.is_some());
                take(DealFound { tried, deal }).map_break(|value| Ok(Some(value)))
            },
        );
        match end {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(()) => Ok(None),
        }
    }

    /// Returns a bit for each remainder of board numbers by 16: 1 if the deal, as such a board,
    /// matches all conditions.
    fn boards_that_fit(
        &self,
        solver: &mut Solver,
        deal: setrograde_cards::Deal,
    ) -> Result<u16, Refusal> {
        let mut results = DealResults::new(solver, deal);
        let mut boards = u16::MAX;
        for condition in &self.results {
            if !condition.depends_on_board() {
                if !results.fit(condition, &Setting::default())? {
                    return Ok(0);
                }
                continue;
            }
            for board in 0..BOARDS {
                if boards >> board & 1 == 1
                    && !results.fit(condition, &Setting::of_number(board))?
                {
                    boards &= !(1 << board);
                }
            }
        }
        Ok(boards)
    }
}

impl Deal {
    /// Returns the generator of the deals. The desk's time is the limit of counting them.
    ///
    /// # Errors
    ///
    /// If a condition or a hand is invalid, or no deal matches.
    pub fn dealer(&self, desk: &Desk) -> Result<Dealer, Refusal> {
        let known = match &self.hands {
            Some(text) => KnownHands::read(text)?,
            None => KnownHands::default(),
        };
        let hands = known.whole;
        let held: Hand = hands.iter().flatten().copied().collect();
        let unseen = Hand::PACK - held;
        let sizes = hands.map(|hand| if hand.is_some() { 0 } else { 13 });
        let hidden: Vec<Seat> = Seat::ALL
            .into_iter()
            .filter(|&seat| hands[seat].is_none())
            .collect();
        let mut facts = Facts::new(unseen, sizes);
        for (seat, cards) in Seat::ALL.into_iter().zip(known.some) {
            if !cards.is_empty() {
                let limits = Limits {
                    cards,
                    ..Limits::default()
                };
                facts.limit(seat, limits, Reason::Given);
            }
        }
        let conditions = self.conditions.read()?;
        for condition in known.conditions.into_iter().chain(conditions) {
            let supposed = facts.suppose(&condition, &hidden);
            supposed.map_err(|error| Refusal::condition(&error))?;
        }
        let results = self.results()?;
        Ok(Dealer {
            hands,
            beliefs: beliefs(desk, &facts, &hidden, &results)?,
            seed: self.seed,
            results,
            first: self.first,
        })
    }

    fn results(&self) -> Result<Vec<ResultCondition>, Refusal> {
        let results = self.results.read_results()?;
        for condition in &results {
            condition.names_all()?;
        }
        Ok(results)
    }

    fn time(&self) -> Result<Option<Duration>, Refusal> {
        let time = self.time.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| Refusal::option("time", error))?;
        Ok(time.map(|time| time.min(LONGEST)))
    }

    /// Hands the deals to `take`, which may break, in order until there are `count` or the time is
    /// over. `take` is called without a deal, too. Returns the number of deals tried.
    ///
    /// # Errors
    ///
    /// If an option is invalid, no deal matches, or a search fails.
    pub fn each<B>(
        &self,
        desk: &Desk,
        mut take: impl FnMut(DealFound) -> ControlFlow<B>,
    ) -> Result<(u64, Option<B>), Refusal> {
        let mut stop = desk.stop().clone();
        if let Some(time) = self.time()? {
            stop = stop.by(Instant::now() + time);
        }
        let timed = desk.another().with_stop(stop);
        let dealer = match self.dealer(&timed) {
            // The time was over before the deals were counted.
            Err(refusal) if refusal.kind == RefusalKind::Interrupted && !desk.is_cancelled() => {
                return Ok((0, None));
            }
            dealer => dealer?,
        };
        let (mut all, mut found) = (0, 0);
        if self.count == 0 {
            return Ok((0, None));
        }
        let end = dealer.each(&timed, |step: DealFound| {
            all = step.tried;
            found += u32::from(step.deal.is_some());
            take(step).map_break(Some)?;
            match found == self.count {
                true => ControlFlow::Break(None),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok((all, end.flatten()))
    }
}

/// The beliefs about a deal. What the results' conditions say about hands is part of them where
/// they can express it, so fewer deals are tried.
fn beliefs(
    desk: &Desk,
    facts: &Facts,
    hidden: &[Seat],
    results: &[ResultCondition],
) -> Result<Beliefs, Refusal> {
    let mut more = facts.clone();
    let conditions = results.iter().filter_map(ResultCondition::on_hands);
    let supposed = conditions.map(|condition| more.suppose(&condition, hidden));
    if hidden.len() == 4 && supposed.collect::<Result<(), _>>().is_ok() {
        match Beliefs::until(&more, desk.stop()) {
            // A sample had none.
            Err(BeliefsError::NoneFits { drawn: true, .. }) => {}
            Err(BeliefsError::Stopped) => return Err(Refusal::interrupted()),
            beliefs => return Ok(beliefs?),
        }
    }
    desk.beliefs(facts)
}

/// What a text of hands says about a full deal.
#[derive(Default)]
struct KnownHands {
    /// The hands that are known, by seat.
    whole: [Option<Hand>; 4],
    /// The cards that other hands have.
    some: [Hand; 4],
    /// Conditions on hands with an `x` for each low card.
    conditions: Vec<Condition>,
}

impl KnownHands {
    /// Reads one to four hands of a deal, or North's and South's. `?` or `-` are unknown; a hand of
    /// fewer than 13 cards has others, too.
    fn read(text: &str) -> Result<KnownHands, Refusal> {
        let wrong = |column: usize, problem: &dyn Display| {
            Refusal::in_text_of("hands", &QuestionError::new(column, problem))
        };
        let mut left = fields(text).peekable();
        let mut words = Vec::new();
        while let Some(word) = left.next() {
            words.push(hand_field(text, word, &mut left));
        }
        let mut hands: Vec<(Seat, usize, &str)> = Vec::new();
        let (first, step) = match words.first().and_then(|word| word.text.split_once(':')) {
            None => (Seat::North, 2),
            Some((seat, hand)) => {
                let word = &mut words[0];
                let first: Seat = seat.parse().map_err(|error| wrong(word.column, &error))?;
                word.column += seat.chars().count() + 1;
                word.text = hand;
                (first, 1)
            }
        };
        words.retain(|word| !word.text.is_empty());
        if words.len() > 4 / step {
            let word = &words[4 / step];
            return Err(wrong(
                word.column,
                &format_args!("{:?} is left over", quote(word.text)),
            ));
        }
        for (n, word) in words.iter().enumerate() {
            hands.push((first.plus(n * step), word.column, word.text));
        }
        let mut known = KnownHands::default();
        let mut named = Hand::EMPTY;
        for (seat, column, text) in hands {
            if text == "?" || text == "-" {
                continue;
            }
            if text.contains(['x', 'X']) {
                let condition = low_cards(seat, text).map_err(|problem| wrong(column, &problem))?;
                known.conditions.push(condition);
                continue;
            }
            let hand: Hand = text.parse().map_err(|error| {
                let error = QuestionError::from(error).shifted(column - 1);
                Refusal::in_text_of("hands", &error)
            })?;
            if let Some(card) = (named & hand).first() {
                return Err(wrong(column, &format_args!("the {card} is given twice")));
            }
            named |= hand;
            match hand.len() {
                13 => known.whole[seat] = Some(hand),
                cards @ 14.. => {
                    let problem = format!("{} has {cards} cards, expected 13", seat.name());
                    return Err(wrong(column, &problem));
                }
                _ => known.some[seat] = hand,
            }
        }
        Ok(known)
    }
}

/// The condition that a hand has these cards and, for each `x`, one below the ten.
fn low_cards(seat: Seat, text: &str) -> Result<Condition, String> {
    let holdings: Vec<&str> = text.split('.').collect();
    let cards: usize = holdings.iter().map(|holding| holding.chars().count()).sum();
    if holdings.len() != 4 || cards != 13 {
        return Err(format!(
            "{:?}: expected 13 cards in four suits with dots between them, as QTxx.J8x.9x.Q9xx",
            quote(text)
        ));
    }
    let of_suit = |(suit, holding): (Suit, &&str)| match *holding {
        "" => format!("{seat}.{suit}=0"),
        holding => format!("{seat}.{suit}={holding}"),
    };
    let terms: Vec<String> = Suit::ALL.into_iter().zip(&holdings).map(of_suit).collect();
    let condition = terms.join(",").parse();
    condition.map_err(|error: QuestionError| error.problem().to_owned())
}

impl Ask for Deal {
    const NAME: &'static str = "deal";
    type Subject = NoSubject;
    type Answer = Dealt;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.read()?;
        self.results()?;
        self.time().map(drop)
    }

    fn answer(&self, desk: &mut Desk, _: &NoSubject, _: Option<&Board>) -> Result<Dealt, Refusal> {
        desk.check_length("count", self.count)?;
        let mut deals = Vec::new();
        let (tried, _) = self.each(desk, |step| {
            deals.extend(step.deal);
            ControlFlow::<()>::Continue(())
        })?;
        match desk.is_cancelled() {
            true => Err(Refusal::interrupted()),
            false => Ok(Dealt { deals, tried }),
        }
    }
}

/// Drawn deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dealt {
    /// The deals.
    pub deals: Vec<setrograde_cards::Deal>,
    /// The number of deals tried: more than there are if there are conditions on results.
    pub tried: u64,
}

impl Report for Dealt {
    fn words(&self, to: &mut Words) {
        let deals = self.deals.iter().map(|deal| format!("{deal}\n"));
        to.only(deals.collect::<String>());
    }
}
