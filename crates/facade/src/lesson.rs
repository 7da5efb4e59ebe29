//! A teacher's questions about a deal, each with a proved answer or a bound.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use setrograde_beliefs::{Question, Strengths, View};
use setrograde_cards::{Card, Contract, Deal, Doubling, Hand, Position, Seat, Vulnerability};
use setrograde_claim::{Assumption, ClaimError, Claims, Knowledge, SoFar, tricks};
use setrograde_parallel::Stop;
use setrograde_single_dummy::{Options, Sampling, interval, sampled, single_dummy};
use setrograde_solver::{Par, Solver};

use crate::heading::bid;
use crate::subjects::declarer_question;
use crate::teaching::Teaching;
use crate::words::{Interval, Percent};
use crate::{
    Board, Refusal, Report, Review, Step, Words, cards_by_suit, layouts, matter, outcome, shown,
};

/// The number of remaining tricks at which the best line over all layouts is computed exactly.
const ENDING: usize = 5;

/// A lesson on one deal, from the view of its declarer, who sees two hands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LessonAnswer {
    /// The contract.
    pub contract: Contract,
    /// True if it is the par contract, because the board has none.
    pub par: bool,
    /// The opening lead, if known: declarer has seen it.
    pub lead: Option<Card>,
    /// The tricks that the contract needs.
    pub needed: u8,
    /// Declarer's double-dummy tricks, after the lead if known.
    pub double_dummy: u8,
    /// The minimum and maximum of the sure tricks; equal if decided.
    pub sure: [u8; 2],
    /// The chance that the best line makes the contract.
    pub makes: Makes,
    /// What a teacher says before the play.
    pub(crate) teaching: Teaching,
    /// The cards that the double-dummy result depends on: with these cards in the same hands, the
    /// result is the same.
    pub matter: BTreeMap<Seat, Hand>,
    /// The best line near the end of the play, if the play is recorded and the contract is still
    /// open.
    pub ending: Option<EndingLine>,
    /// The cards of the play that cost a trick.
    pub mistakes: Vec<Step>,
}

/// Bounds on the chance that the best line makes a contract, against defenders who see all cards.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Makes {
    /// The chance of an assumption that makes it sure; 1 if none is needed, 0 if none was found.
    pub at_least: f64,
    /// The assumption.
    pub(crate) sure_with: Option<Assumption>,
    /// The share of the drawn layouts in which it makes double dummy, an upper bound for any line.
    pub at_most: f64,
    /// The 95 % interval of that share.
    pub at_most_interval: [f64; 2],
    /// Layouts drawn.
    pub drawn: u128,
}

/// The best line over all remaining layouts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndingLine {
    /// The tricks left.
    pub tricks_left: usize,
    /// The layouts left.
    pub layouts: usize,
    /// The tricks that declarer still needs.
    pub needed: u8,
    /// The layouts in which the best line takes them.
    pub sure: usize,
    /// The cards that begin such a line.
    pub best: Vec<Card>,
    /// The card played.
    pub played: Option<Card>,
}

/// Searches for lessons.
#[derive(Debug)]
pub(crate) struct Lessons {
    solver: Solver,
    claims: Claims,
    /// Finds assumptions.
    assuming: Claims,
    so_far: Arc<SoFar>,
    /// Options of the solvers of layouts that are drawn.
    options: setrograde_solver::Options,
    /// The layouts to draw.
    sampling: Sampling,
}

/// The number of nodes of the search for assumptions per node of the limit, because many
/// assumptions are tried.
const ASSUMPTIONS: u64 = 8;

impl Lessons {
    /// `limit` is the maximum number of nodes of a search for sure tricks. The search for an
    /// assumption that makes the contract sure has eight times as many.
    pub(crate) fn new(
        options: setrograde_solver::Options,
        limit: u64,
        sampling: Sampling,
    ) -> Lessons {
        let so_far = Arc::new(SoFar::default());
        let of_claims = setrograde_claim::Options {
            endgames: options.endgames.clone(),
            stop: options.stop.clone(),
            limit: Some(limit),
            so_far: Some(Arc::clone(&so_far)),
            ..setrograde_claim::Options::default()
        };
        Lessons {
            solver: Solver::new(options.clone()),
            assuming: Claims::new(setrograde_claim::Options {
                limit: Some(limit.saturating_mul(ASSUMPTIONS)),
                so_far: None,
                ..of_claims.clone()
            }),
            claims: Claims::new(of_claims),
            so_far,
            options,
            sampling,
        }
    }

    /// Sets the end of the searches that follow.
    pub(crate) fn set_stop(&mut self, stop: &Stop) {
        self.options.stop = stop.clone();
        self.solver.set_stop(stop.clone());
        self.claims.set_stop(stop);
        self.assuming.set_stop(stop);
    }

    /// Makes the lesson of a full deal; `board` may have its contract, vulnerability and play.
    /// Without a contract it is about the par contract; without the board's conditions no side is
    /// vulnerable and North deals.
    ///
    /// # Errors
    ///
    /// If the deal is not full, no contract makes, the play contradicts the deal, or a search fails
    /// or is cancelled.
    pub(crate) fn lesson(
        &mut self,
        deal: &Deal,
        board: Option<&Board>,
    ) -> Result<LessonAnswer, Refusal> {
        if let Some(cards) = deal.cards_per_hand().filter(|&cards| cards != 13) {
            return Err(Refusal::question(format_args!(
                "a lesson is about whole deals, and the hands have {cards} cards"
            )));
        }
        let recorded = board.and_then(|board| board.contract);
        let contract = match recorded {
            Some(contract) => contract,
            None => self.par(deal, board)?,
        };
        let play: &[Card] = match (board, recorded) {
            (Some(board), Some(_)) => &board.play,
            _ => &[],
        };
        let start = Position::new(contract.bid.strain(), contract.leader(), *deal, &[])?;
        let needed = contract.bid.tricks();

        let led = &play[..play.len().min(1)];
        let question = declarer_question(contract, deal, led);
        let knowledge = Knowledge::of(&question)?;
        let review = Review::new(&mut self.solver, &start, play)
            .map_err(|error| Refusal::question(format_args!("the play: {error}")))?;
        let at = led.first().map_or(start, |&lead| {
            start.play(lead).expect("the review has played it")
        });
        let double_dummy = 13
            - review
                .steps
                .first()
                .map_or(review.tricks, |lead| lead.tricks);
        let sure = match self.claims.sure(&knowledge) {
            Ok(sure) => [sure; 2],
            Err(ClaimError::LimitReached { .. }) => {
                // No line takes more than the double-dummy tricks.
                let (least, most) = self.so_far.bounds();
                [least, most.min(double_dummy)]
            }
            Err(error) => return Err(error.into()),
        };
        let makes = self.makes(&question, &knowledge, needed, sure[0])?;
        let mut teaching = Teaching::of_hands(contract, deal, &self.options.stop);
        if makes.at_least < 1.0 {
            let view = View::of_bridge(&question)?;
            let beliefs = view.beliefs(&Strengths::NONE)?;
            teaching.draw(
                contract,
                led,
                (&view, &beliefs),
                self.sampling,
                &self.options,
            )?;
        }
        let matter = matter(&mut self.solver, &at)?;
        let held = |seat| (seat, matter & deal.hand(seat));
        let mistakes = review.steps.into_iter().filter(|step| step.cost > 0);
        Ok(LessonAnswer {
            contract,
            par: recorded.is_none(),
            lead: play.first().copied(),
            needed,
            double_dummy,
            sure,
            makes,
            teaching,
            matter: Seat::ALL.map(held).into(),
            ending: self.ending(contract, deal, play)?,
            mistakes: mistakes.collect(),
        })
    }

    fn par(&mut self, deal: &Deal, board: Option<&Board>) -> Result<Contract, Refusal> {
        let vulnerable = board.and_then(|board| board.vulnerability);
        let dealer = board.and_then(|board| board.dealer);
        let table = self.solver.table(deal)?;
        let par = Par::new(
            &table,
            vulnerable.unwrap_or(Vulnerability::None),
            dealer.unwrap_or(Seat::North),
        );
        let none = || Refusal::question("the board has no contract, and par is to pass");
        let first = par.contracts.first().ok_or_else(none)?;
        let declarer = first.declarers().next().ok_or_else(none)?;
        let doubling = if first.over < 0 {
            Doubling::Doubled
        } else {
            Doubling::Undoubled
        };
        Ok(Contract {
            bid: first.bid,
            doubling,
            declarer,
        })
    }

    /// Bounds on the chance of the best line.
    fn makes(
        &mut self,
        question: &Question,
        knowledge: &Knowledge,
        needed: u8,
        least: u8,
    ) -> Result<Makes, Refusal> {
        let view = View::of_bridge(question)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let odds = sampled(&view, &beliefs, self.sampling, &self.options)?
            .found
            .all;
        // These are the defence's tricks.
        let at_most = odds.below(usize::from(14 - needed));
        let sure_with = if least >= needed {
            None
        } else {
            let weakest = self.assuming.weakest(knowledge, needed, 1)?;
            weakest.found.into_iter().next()
        };
        Ok(Makes {
            at_least: if least >= needed {
                1.0
            } else {
                sure_with.as_ref().map_or(0.0, |of| of.share)
            },
            sure_with,
            at_most,
            at_most_interval: interval(at_most, odds.layouts),
            drawn: odds.layouts,
        })
    }

    /// The best line at the first of the last few tricks that declarer's side leads to.
    fn ending(
        &mut self,
        contract: Contract,
        deal: &Deal,
        play: &[Card],
    ) -> Result<Option<EndingLine>, Refusal> {
        for tricks_left in (2..=ENDING).rev() {
            let cards = 4 * (13 - tricks_left);
            let Some(before) = play.get(..cards) else {
                return Ok(None);
            };
            let view = View::of_bridge(&declarer_question(contract, deal, before))?;
            if view.to_play().side() != contract.declarer.side() {
                continue;
            }
            let won = view.tally().tricks[contract.declarer.side().index()];
            let needed = contract.bid.tricks().saturating_sub(won);
            if needed == 0 || usize::from(needed) > tricks_left {
                return Ok(None);
            }
            let beliefs = view.beliefs(&Strengths::NONE)?;
            let options = Options {
                database: None,
                most_visits: u64::MAX,
                plan: false,
                stop: self.options.stop.clone(),
            };
            let found = single_dummy(&view, &beliefs, needed, &options)?;
            let sure = found.sure();
            let best = found.cards.iter().filter(|(_, of)| *of == sure);
            return Ok(Some(EndingLine {
                tricks_left,
                layouts: found.layouts,
                needed,
                sure,
                best: best.map(|(card, _)| *card).collect(),
                played: play.get(cards).copied(),
            }));
        }
        Ok(None)
    }
}

impl Report for LessonAnswer {
    fn words(&self, to: &mut Words) {
        let declarer = self.contract.declarer.name();
        let contract = format!("{} by {declarer}", bid(self.contract));
        if self.par {
            // A sacrifice.
            let doubled = match self.contract.doubling {
                Doubling::Undoubled => "",
                _ => ", doubled",
            };
            to.line(format_args!("  The par contract: {contract}{doubled}."));
        }
        to.line(format_args!(
            "  How many tricks does {declarer} need?\n    {}.",
            self.needed
        ));
        let [least, most] = self.sure;
        let sure = match most.saturating_sub(least) {
            0 => format!("{least}, whatever the defenders hold and do."),
            _ => format!("{least} at least and {most} at most; not decided within the limit."),
        };
        to.line(format_args!("  How many are sure?\n    {sure}"));

        self.teaching.words(to);
        self.makes_in_words(to);
        self.double_dummy_in_words(&contract, to);
        self.cards_in_words(to);
    }
}

impl LessonAnswer {
    fn makes_in_words(&self, to: &mut Words) {
        let makes = &self.makes;
        // What is worth nothing is left out.
        let shows = makes.at_least >= 0.0005 || makes.at_most >= 0.0005;
        if shows {
            to.line("  How good is the best line?");
        }
        match (makes.at_least >= 1.0, &makes.sure_with) {
            (true, _) => to.line("    The contract is sure."),
            (false, Some(of)) if makes.at_least >= 0.0005 => {
                let condition = of.condition.in_words().replace(", or ", ",\n      or ");
                to.line(format_args!(
                    "    At least {}: it is sure if",
                    Percent(makes.at_least)
                ));
                to.line(format_args!("      {condition}."));
            }
            (false, _) => {}
        }
        if makes.at_least < 1.0 && makes.at_most >= 0.0005 {
            let interval = Interval::percent(makes.at_most_interval);
            to.line(format_args!(
                "    At most {} ({interval}): with all hands seen, in {} drawn.",
                Percent(makes.at_most),
                layouts(makes.drawn)
            ));
        }
    }

    fn double_dummy_in_words(&self, contract: &str, to: &mut Words) {
        let ([least, most], makes) = (self.sure, &self.makes);
        let made = outcome(self.contract, self.double_dummy);
        to.line("  Does double dummy mislead?");
        to.line(format_args!(
            "    As the cards lie {contract} {made}: {}.",
            tricks(self.double_dummy)
        ));
        if self.double_dummy > least {
            let more = self.double_dummy - least;
            let (is, was) = if more == 1 {
                ("is", "was")
            } else {
                ("are", "were")
            };
            to.line(if least == most {
                format!("    {more} of these {is} not sure.")
            } else {
                format!("    {more} of these {was} not shown to be sure.")
            });
        }
        let makes_here = self.double_dummy >= self.needed;
        let mostly = makes.at_most >= 0.5;
        if makes_here != mostly {
            to.line(if makes_here {
                "    It makes here, but not in most layouts: the cards lie well."
            } else {
                "    It fails here, but makes in most layouts: the cards lie badly."
            });
        }
    }

    fn cards_in_words(&self, to: &mut Words) {
        to.line("  Which cards mattered?");
        for (seat, cards) in self.matter.iter().filter(|(_, cards)| !cards.is_empty()) {
            let (seat, cards) = (seat.name(), cards_by_suit(cards.cards()));
            to.line(format_args!("    {seat:5}  {cards}"));
        }
        if let Some(ending) = &self.ending {
            to.line(format_args!(
                "  {} are left, and {} still needed. What now?",
                tricks(ending.tricks_left as u8),
                ending.needed
            ));
            let best = &ending.best;
            to.line(format_args!(
                "    {} begins the best line, sure in {} of {}.",
                cards_by_suit(best),
                ending.sure,
                layouts(ending.layouts as u128)
            ));
            if let Some(card) = ending.played.filter(|card| !best.contains(card)) {
                to.line(format_args!("    {} was played.", shown(card)));
            }
        }
        if !self.mistakes.is_empty() {
            to.line("  Which cards cost a trick, as the cards lie?");
            for step in &self.mistakes {
                to.line(format_args!(
                    "    Trick {}: {} from {}; right {}.",
                    step.trick,
                    shown(step.card),
                    step.seat.name(),
                    cards_by_suit(&step.right)
                ));
            }
        }
    }
}
