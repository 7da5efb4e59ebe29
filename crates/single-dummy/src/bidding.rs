//! Questions before the first card: the lead against a contract, and the contract to be in.

use std::cmp::Ordering;

use serde::Serialize;
use setrograde_beliefs::{Beliefs, BridgeView, Layout};
use setrograde_cards::{Bid, Contract, Position, Side, Sorting, Vulnerability, imps};
use setrograde_solver::{Options, Solver};

use crate::double_dummy::deal;
use crate::error::SearchError;
use crate::odds::Odds;
use crate::sampling::{Sampled, Sampling, draw, half_width, sampled, widest};

/// Contracts that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The contracts.
    pub contracts: &'a [Contract],
    /// The vulnerable sides.
    pub vulnerability: Vulnerability,
    /// The side whose scores, matchpoints and IMPs are counted, no matter who declares.
    pub side: Side,
}

/// A contract's results in layouts that were drawn, or in all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContractOdds {
    /// The contract.
    pub contract: Contract,
    /// The chance that it makes.
    pub makes: f64,
    /// The 95 % interval of that chance; the chance twice if these are all layouts.
    pub makes_interval: [f64; 2],
    /// The mean score of the side that looks.
    pub score: f64,
    /// The half-width of the mean's 95 % interval; 0 if these are all layouts.
    pub score_half_width: f64,
    /// The share of matchpoints of that side against each other contract of the list, 0 to 1;
    /// `None` if it is the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matchpoints: Option<f64>,
    /// The mean of its IMPs against the first contract of the list; `None` if it is the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imps: Option<f64>,
    /// The odds of its declarer's tricks.
    #[serde(flatten)]
    pub odds: Odds,
}

/// An error unless a question is about full deals, before the first card.
fn unless_whole(view: &BridgeView) -> Result<(), SearchError> {
    let (cards, played) = (view.pack().len(), view.history().len());
    match (cards, played) {
        (52, 0) => Ok(()),
        _ => Err(SearchError::NotWhole { cards, played }),
    }
}

/// The odds of each card that may be led against a contract of `bid`, for the defence, over
/// layouts drawn from `beliefs`, or over all if there are no more than would be drawn: the card
/// that defeats it most often first.
///
/// # Errors
///
/// If the question is not about full deals before the first card, its strain is not that of the
/// bid, or the hand on lead is hidden; and like [`sampled`].
pub fn sampled_leads(
    view: &BridgeView,
    beliefs: &Beliefs,
    bid: Bid,
    sampling: Sampling,
    options: &Options,
) -> Result<Sampled, SearchError> {
    unless_whole(view)?;
    let strain = view.game().strain();
    if bid.strain() != strain {
        return Err(SearchError::OtherStrain { bid, strain });
    }
    let leader = view.to_play();
    if view.hand(leader).is_none() {
        return Err(SearchError::LeaderHidden(leader));
    }
    let by_card = Sampling {
        by_card: true,
        ..sampling
    };
    let mut found = sampled(view, beliefs, by_card, options)?;
    let defeats = |odds: &Odds| odds.at_least(defeating(bid));
    found.cards.in_order_by(|(_, a), (_, b)| {
        let by_chance = defeats(b).total_cmp(&defeats(a));
        by_chance.then(b.mean().total_cmp(&a.mean()))
    });
    Ok(found)
}

/// The fewest tricks that defeat a contract of `bid`.
pub(crate) const fn defeating(bid: Bid) -> usize {
    14 - bid.tricks() as usize
}

/// The results of each of the contracts over layouts drawn from `beliefs`, or over all if there
/// are no more than would be drawn.
///
/// # Errors
///
/// If the question is not about full deals before the first card; and like [`sampled`].
pub fn sampled_contracts(
    view: &BridgeView,
    beliefs: &Beliefs,
    compared: Compared<'_>,
    sampling: Sampling,
    options: &Options,
) -> Result<Vec<ContractOdds>, SearchError> {
    unless_whole(view)?;
    let Compared {
        contracts,
        vulnerability,
        side,
    } = compared;
    let solve = |solver: &mut Solver, _, layout: &Layout| {
        let deal = deal(&view.state(layout));
        let tricks = contracts.iter().map(|contract| {
            let position = Position::new(contract.bid.strain(), contract.leader(), deal, &[])
                .expect("all hands of a full deal have 13 cards");
            Ok(13 - solver.tricks(&position)?)
        });
        tricks.collect::<Result<Vec<u8>, SearchError>>()
    };
    let mut counts = vec![[0_u128; 14]; contracts.len()];
    let mut sums = vec![[0_i64; 4]; contracts.len()];
    draw(beliefs, sampling, options, solve, |tricks| {
        let scores: Vec<i32> = contracts
            .iter()
            .zip(&tricks)
            .map(|(contract, &tricks)| contract.score(tricks, vulnerability, side))
            .collect();
        for (at, &score) in scores.iter().enumerate() {
            counts[at][usize::from(tricks[at])] += 1;
            let others = scores.iter().enumerate().filter(|&(other, _)| other != at);
            let points = others.map(|(_, other)| match score.cmp(other) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            });
            let won: i64 = points.sum();
            let against_first = i64::from(imps(score - scores[0]));
            let score = i64::from(score);
            for (sum, term) in sums[at]
                .iter_mut()
                .zip([score, score * score, won, against_first])
            {
                *sum += term;
            }
        }
        counts.iter().map(widest).fold(0.0, f64::max)
    })?;
    let exact = sampling.covers(beliefs);
    let others = contracts.len().saturating_sub(1);
    let found = contracts.iter().zip(counts).zip(sums);
    Ok(found
        .map(|((&contract, counts), sums)| {
            let odds = Odds::of_counts(counts, 13);
            let drawn = odds.layouts as f64;
            let [score, squares, won, imps] = sums.map(|sum| sum as f64);
            let (score, squares, imps) = (score / drawn, squares / drawn, imps / drawn);
            let makes = odds.at_least(contract.bid.tricks().into());
            ContractOdds {
                contract,
                makes,
                makes_interval: odds.interval(makes, exact),
                score,
                score_half_width: if exact {
                    0.0
                } else {
                    half_width(squares - score * score, drawn)
                },
                matchpoints: (others > 0).then(|| won / (drawn * (2 * others) as f64)),
                imps: (others > 0).then_some(imps),
                odds,
            }
        })
        .collect())
}
