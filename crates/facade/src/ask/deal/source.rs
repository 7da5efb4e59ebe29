//! Draws deals of one kind.

use std::ops::ControlFlow;

use setrograde_beliefs::{
    Beliefs, BeliefsError, Condition, Expression, Facts, Limits, Reason, Script, Values,
};
use setrograde_cards::{Hand, Seat};
use setrograde_parallel::{Stop, in_order};
use setrograde_single_dummy::drawn;
use setrograde_solver::Solver;

use super::hands::KnownHands;
use super::mix::{Meaning, MixPart};
use super::statistics::counted;
use super::{Deal, DealOptions};
use crate::desk::unless_stopped;
use crate::result_condition::DealResults;
use crate::{Desk, Refusal, ResultCondition};

/// A type of a mix; all deals if there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DealKind<'a> {
    pub part: Option<&'a MixPart>,
    /// Its number, which makes its deals others than those of the next type.
    pub number: u64,
}

/// Draws deals.
pub(super) struct DealSource<'a> {
    hands: [Option<Hand>; 4],
    beliefs: Beliefs,
    seed: u64,
    wanted: &'a DealOptions,
    /// What the script's expressions must be, those that need double-dummy results last.
    truths: Vec<(Expression, bool)>,
    /// Texts of conditions that do not hold.
    unless: Vec<Condition>,
}

/// A deal that was tried.
pub(super) struct TriedDeal {
    /// 1, or 0 for none.
    pub tried: u32,
    /// The deal and the number of its board, if it matches all conditions.
    pub deal: Option<(u32, setrograde_cards::Deal)>,
    /// The values of the expressions that the script counts.
    pub values: Vec<i64>,
}

/// The number of boards after which dealers and vulnerable sides repeat.
const BOARDS: u32 = 16;

impl<'a> DealSource<'a> {
    /// The desk's time is the limit of counting the deals.
    pub(super) fn new(
        deal: &Deal,
        desk: &Desk,
        wanted: &'a DealOptions,
        kind: DealKind<'_>,
    ) -> Result<DealSource<'a>, Refusal> {
        let known = match &deal.hands {
            Some(text) => KnownHands::read(text)?,
            None => KnownHands::default(),
        };
        let hands = known.whole;
        let (mut facts, hidden) = facts(&known, wanted)?;
        let script = wanted.script.as_ref();
        let condition = script.and_then(|script| script.condition);
        let mut truths: Vec<_> = condition
            .map(|condition| (condition, true))
            .into_iter()
            .collect();
        let mut unless = Vec::new();
        for (meaning, holds) in kind.part.into_iter().flat_map(|part| &part.meanings) {
            match meaning {
                Meaning::Named(expression) => truths.push((*expression, *holds)),
                Meaning::Text(text) => match super::condition_of(text, *holds) {
                    Ok(condition) => {
                        let supposed = facts.suppose(&condition, &hidden);
                        supposed.map_err(|error| Refusal::option("name", error.problem()))?;
                    }
                    // Its opposite is too long.
                    Err(_) => unless.extend(super::condition_of(text, true)),
                },
            }
        }
        let mut more: Vec<Condition> = Vec::new();
        if hidden.len() == 4 {
            more.extend(wanted.results.iter().filter_map(ResultCondition::on_hands));
        }
        if let Some(script) = script {
            let conditions = |&(truth, holds): &(Expression, bool)| script.conditions(truth, holds);
            more.extend(truths.iter().flat_map(conditions));
            truths = results_last(script, &truths);
        }
        let mut source = DealSource {
            hands,
            beliefs: Beliefs::new(&Facts::new(facts.unseen(), facts.sizes()))
                .map_err(unless_stopped)?,
            seed: wanted.seed.wrapping_add(kind.number << 32),
            wanted,
            truths,
            unless,
        };
        let often = |desk: &Desk, beliefs: &Beliefs| source.fits_often(desk, beliefs);
        source.beliefs = beliefs(desk, &facts, &hidden, more, often)?;
        Ok(source)
    }

    /// Returns true if one of some layouts fits what the script says without results.
    fn fits_often(&self, desk: &Desk, beliefs: &Beliefs) -> Result<bool, Refusal> {
        const TRIED: u64 = 4000;
        let Some(script) = &self.wanted.script else {
            return Ok(true);
        };
        let cheap = |&&(truth, _): &&(Expression, bool)| !script.needs_results(truth);
        let truths: Vec<&(Expression, bool)> = self.truths.iter().filter(cheap).collect();
        let mut values = Values::new(script);
        let mut no_results = |_| Ok::<i64, Refusal>(0);
        for number in 0..TRIED {
            let hands = self.drawn(beliefs, number, desk.stop());
            values.start(hands.map_err(unless_stopped)?, number);
            let mut fits = true;
            for &&(truth, holds) in &truths {
                fits = fits && (values.of(script, truth, &mut no_results)? != 0) == holds;
            }
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Draws the hands of a number, of which some are known.
    fn drawn(
        &self,
        beliefs: &Beliefs,
        number: u64,
        stop: &Stop,
    ) -> Result<[Hand; 4], BeliefsError> {
        let layout = drawn(beliefs, self.seed, number, stop)?;
        Ok([0, 1, 2, 3].map(|seat| self.hands[seat].unwrap_or(layout[seat])))
    }

    fn deal(&self, number: u64, stop: &Stop) -> Result<setrograde_cards::Deal, BeliefsError> {
        let deal = setrograde_cards::Deal::new(self.drawn(&self.beliefs, number, stop)?);
        Ok(deal.expect("a layout shares the cards out"))
    }

    /// Hands the deals to `take`, in order, until it breaks or the desk is cancelled; returns the
    /// value of the break. `boards` are the numbers of the boards that deals become, which match
    /// all conditions.
    pub(super) fn each<B>(
        &self,
        desk: &Desk,
        boards: &dyn Fn(u32) -> u32,
        mut take: impl FnMut(TriedDeal) -> ControlFlow<B>,
    ) -> Result<Option<B>, Refusal> {
        let script = self.wanted.script.as_ref();
        let counts = script.map_or(Vec::new(), counted);
        let searches = !self.wanted.results.is_empty()
            || script.is_some_and(|script| {
                let all = self.truths.iter().map(|&(of, _)| of).chain(counts.clone());
                all.into_iter().any(|of| script.needs_results(of))
            });
        let threads = if searches { desk.threads() } else { 1 };
        let nothing = Script::default();
        let mut found = 0_u32;
        let end = in_order(
            (0..).take_while(|_| !desk.is_cancelled()),
            threads,
            || {
                let values = Values::new(script.unwrap_or(&nothing));
                (Solver::new(desk.layout_options()), values)
            },
            |(solver, values), number| {
                let deal = self.deal(number, desk.stop()).map_err(unless_stopped)?;
                let (boards, values) = self.judge(desk, solver, values, (deal, number), &counts)?;
                Ok((deal, boards, values))
            },
            |result: Option<Result<_, Refusal>>| {
                let tried = u32::from(result.is_some());
                let (deal, values) = match result.transpose() {
                    // An interrupt may be the cause of any error.
                    Err(_) if desk.is_cancelled() => return ControlFlow::Break(Ok(None)),
                    Err(error) => return ControlFlow::Break(Err(error)),
                    Ok(None) => (None, Vec::new()),
                    Ok(Some((deal, fits, values))) => {
                        let board = boards(found);
                        let fits = fits >> (board % BOARDS) & 1 == 1;
                        (
                            fits.then_some((board, deal)),
                            if fits { values } else { Vec::new() },
                        )
                    }
                };
                found += u32::from(deal.is_some());
                let found = TriedDeal {
                    tried,
                    deal,
                    values,
                };
                take(found).map_break(|value| Ok(Some(value)))
            },
        );
        match end {
            ControlFlow::Break(end) => end,
            ControlFlow::Continue(()) => Ok(None),
        }
    }

    /// Returns a bit for each remainder of board numbers by 16: 1 if the deal, as such a board,
    /// matches all conditions; and the values that the script counts.
    fn judge(
        &self,
        desk: &Desk,
        solver: &mut Solver,
        values: &mut Values,
        (deal, number): (setrograde_cards::Deal, u64),
        counts: &[Expression],
    ) -> Result<(u16, Vec<i64>), Refusal> {
        let mut of_counts = Vec::new();
        if self
            .unless
            .iter()
            .any(|condition| condition.allows(&Seat::ALL, deal.hands()))
        {
            return Ok((0, of_counts));
        }
        let mut results = DealResults::new(solver, deal).with_stop(desk.stop().clone());
        if let Some(script) = &self.wanted.script {
            values.start(
                *deal.hands(),
                self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            );
            for &(truth, holds) in &self.truths {
                let is_so = if script.is_random(truth) {
                    values.of(script, truth, &mut |of| results.value(of))? != 0
                } else {
                    results.decide(&mut |known| {
                        values.again();
                        Ok(values.of(script, truth, &mut |of| known.value(of))? != 0)
                    })?
                };
                if is_so != holds {
                    return Ok((0, of_counts));
                }
            }
            values.again();
            for &count in counts {
                of_counts.push(values.of(script, count, &mut |of| results.value(of))?);
            }
        }
        let mut boards = u16::MAX;
        for condition in &self.wanted.results {
            if !condition.depends_on_board() {
                if !results.fit(condition, &self.wanted.setting(1))? {
                    return Ok((0, Vec::new()));
                }
                continue;
            }
            for board in 0..BOARDS {
                if boards >> board & 1 == 1
                    && !results.fit(condition, &self.wanted.setting(board))?
                {
                    boards &= !(1 << board);
                }
            }
        }
        Ok((boards, of_counts))
    }
}

/// The facts about the hidden hands that hands, script and conditions state, and these hands.
fn facts(known: &KnownHands, wanted: &DealOptions) -> Result<(Facts, Vec<Seat>), Refusal> {
    let hands = known.whole;
    let held: Hand = hands.iter().flatten().copied().collect();
    let unseen = Hand::PACK - held;
    let sizes = hands.map(|hand| if hand.is_some() { 0 } else { 13 });
    let hidden: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| hands[seat].is_none())
        .collect();
    let mut facts = Facts::new(unseen, sizes);
    let script = wanted.script.as_ref();
    let predealt = script.map_or([Hand::EMPTY; 4], |script| script.predealt);
    for seat in Seat::ALL {
        let cards = known.some[seat] | predealt[seat];
        if !(predealt[seat] - hands[seat].unwrap_or(unseen)).is_empty() {
            let problem = "the script deals a card that is in another hand of `hands`";
            return Err(Refusal::option("dealer", problem));
        }
        if !cards.is_empty() && hands[seat].is_none() {
            let limits = Limits {
                cards,
                ..Limits::default()
            };
            facts.limit(seat, limits, Reason::Given);
        }
    }
    let lengths = script.map_or(&[][..], |script| &script.lengths);
    let own = known.conditions.iter().chain(lengths);
    for condition in own.chain(&wanted.conditions) {
        let supposed = facts.suppose(condition, &hidden);
        supposed.map_err(|error| Refusal::condition(&error))?;
    }
    Ok((facts, hidden))
}

/// The parts of these truths, those that need double-dummy results last.
fn results_last(script: &Script, truths: &[(Expression, bool)]) -> Vec<(Expression, bool)> {
    let (mut parts, mut last) = (Vec::new(), Vec::new());
    for &(truth, holds) in truths {
        let (all, cheap) = if holds {
            script.conjuncts(truth)
        } else {
            (vec![truth], usize::from(!script.needs_results(truth)))
        };
        parts.extend(all[..cheap].iter().map(|&of| (of, holds)));
        last.extend(all[cheap..].iter().map(|&of| (of, holds)));
    }
    parts.extend(last);
    parts
}

/// The beliefs about a deal. What the script and the conditions on results say about hands is part
/// of them where it can be counted, so fewer deals are tried.
///
/// `fits` returns true if a good part of some layouts fits.
fn beliefs(
    desk: &Desk,
    facts: &Facts,
    hidden: &[Seat],
    mut all: Vec<Condition>,
    fits: impl Fn(&Desk, &Beliefs) -> Result<bool, Refusal>,
) -> Result<Beliefs, Refusal> {
    let never = |condition: &Condition| condition.alternatives().len() == 0;
    if all.iter().any(never) {
        return Err(Refusal::option("dealer", "no deal can fit the condition"));
    }
    // Conditions on known hands are checked for each deal.
    all.retain(|condition| hidden.len() == 4 || condition.check(hidden, facts.unseen()).is_ok());
    // Most deals are found soonest with conditions under which they are drawn quickly.
    let quick: Vec<&Condition> = all
        .iter()
        .filter(|condition| condition.is_quick())
        .collect();
    let every: Vec<&Condition> = all.iter().collect();
    let mut found = None;
    for conditions in [&quick, &every] {
        let mut narrow = facts.clone();
        let supposed = conditions
            .iter()
            .map(|condition| narrow.suppose(condition, hidden));
        if let Err(error) = supposed.collect::<Result<(), _>>() {
            return Err(Refusal::question(error.problem()));
        }
        match Beliefs::until(&narrow, desk.stop()) {
            // A sample had none.
            Err(BeliefsError::NoneFits { drawn: true, .. }) => {}
            Err(error) => return Err(unless_stopped(error)),
            Ok(beliefs) => {
                let are_all = quick.len() == every.len();
                if are_all || fits(desk, &beliefs)? {
                    return Ok(beliefs);
                }
                found = Some(beliefs);
            }
        }
    }
    match found {
        Some(beliefs) => Ok(beliefs),
        None => desk.beliefs(facts),
    }
}
