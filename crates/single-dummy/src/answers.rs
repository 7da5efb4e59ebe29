//! Complete answers to questions of chances: as objects they are those of `docs/json.md`.

use std::collections::BTreeMap;

use serde::Serialize;
use setrograde_beliefs::{Beliefs, BridgeView};
use setrograde_cards::{Bid, Card, Contract, Hand, LargeCount, Seat, Side, Suit};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;
use setrograde_solver::Options;

use crate::bidding::{Compared, ContractOdds, defeating, sampled_contracts, sampled_leads};
use crate::error::SearchError;
use crate::odds::{BySplit, Odds, card_odds, odds};
use crate::sampling::{
    Sampled, Sampling, SolvedLayouts, interval, mean_half_width, sampled_in_parts,
};

/// The tricks of a side over the layouts of the hidden hands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Chances {
    /// The side whose tricks are counted: declarer's, or without a contract that of the seat that
    /// leads, or led, to the current trick.
    pub side: Side,
    /// The contract, if the question has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<Contract>,
    /// The chance that it makes, of a whole deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makes: Option<f64>,
    /// The 95 % interval of that chance; the chance twice if these are all layouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makes_interval: Option<[f64; 2]>,
    /// The seat to play.
    pub to_play: Seat,
    /// The hidden hands.
    #[serde(skip)]
    pub hidden: Vec<Seat>,
    /// All layouts together.
    #[serde(flatten)]
    pub all: Odds,
    /// Each card that may be played, for the side that plays it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardOdds>>,
    /// Each way to split a suit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<BTreeMap<Suit, Vec<SplitOdds>>>,
    /// The sample, if the layouts were drawn.
    #[serde(flatten)]
    pub drawn: Option<Drawn>,
}

/// The odds of a card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardOdds {
    /// The card.
    pub card: Card,
    /// Its odds.
    #[serde(flatten)]
    pub odds: Odds,
    /// As those of all layouts, if these were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Vec<[f64; 2]>>,
    /// As that of all layouts, if these were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_half_width: Option<f64>,
}

/// The odds of a way to split a suit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SplitOdds {
    /// The lengths in the hidden hands, from North; 0 for visible hands.
    pub lengths: [u8; 4],
    /// The odds of layouts with these lengths.
    #[serde(flatten)]
    pub odds: Odds,
}

/// A sample of layouts, and what it leaves open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drawn {
    /// Number of all layouts.
    #[serde(rename = "drawn_of")]
    pub of: LargeCount,
    /// True if that number is exact.
    #[serde(skip)]
    pub exact: bool,
    /// The seed of the layouts.
    pub seed: u64,
    /// The 95 % intervals of the chances of at least 0, 1, … tricks.
    pub intervals: Vec<[f64; 2]>,
    /// The half-width of the 95 % interval of the mean.
    pub mean_half_width: f64,
}

impl Drawn {
    fn new(odds: &Odds, beliefs: &Beliefs, seed: u64) -> Drawn {
        Drawn {
            of: LargeCount(beliefs.count()),
            exact: beliefs.is_exact(),
            seed,
            intervals: intervals(odds),
            mean_half_width: mean_half_width(odds),
        }
    }
}

/// The 95 % intervals of the chances of at least 0, 1, … tricks.
fn intervals(odds: &Odds) -> Vec<[f64; 2]> {
    let of = |tricks| interval(odds.at_least(tricks), odds.layouts);
    (0..=odds.left).map(of).collect()
}

/// The odds of each card, `with_intervals` or without.
fn odds_of_cards(cards: Vec<(Card, Odds)>, with_intervals: bool) -> Vec<CardOdds> {
    let each = cards.into_iter().map(|(card, odds)| CardOdds {
        card,
        intervals: with_intervals.then(|| intervals(&odds)),
        mean_half_width: with_intervals.then(|| mean_half_width(&odds)),
        odds,
    });
    each.collect()
}

fn split_odds(of: BySplit) -> BTreeMap<Suit, Vec<SplitOdds>> {
    let by_suit = Suit::ALL.into_iter().zip(of.splits);
    let with_splits = by_suit.map(|(suit, of)| {
        let splits = of.into_iter();
        let splits = splits.map(|(lengths, odds)| SplitOdds { lengths, odds });
        (suit, splits.collect())
    });
    with_splits.collect()
}

impl Chances {
    fn of(view: &BridgeView, all: Odds) -> Chances {
        let hidden = view.hidden_sizes();
        Chances {
            side: view.trick().leader().side(),
            contract: None,
            makes: None,
            makes_interval: None,
            to_play: view.to_play(),
            hidden: (Seat::ALL.into_iter())
                .filter(|&seat| hidden[seat] > 0)
                .collect(),
            all,
            cards: None,
            splits: None,
            drawn: None,
        }
    }

    /// The chances as declarer's side sees them, with the chance that the contract makes.
    #[must_use]
    pub fn of_contract(mut self, contract: Contract, view: &BridgeView) -> Chances {
        if self.side != contract.declarer.side() {
            self.side = contract.declarer.side();
            self.all = self.all.of_other_side();
            let splits = self.splits.iter_mut().flat_map(BTreeMap::values_mut);
            for split in splits.flatten() {
                split.odds = split.odds.of_other_side();
            }
            if let Some(drawn) = &mut self.drawn {
                drawn.intervals = intervals(&self.all);
            }
        }
        self.contract = Some(contract);
        if view.pack() == Hand::PACK {
            let won = view.tally().tricks[contract.declarer.side().index()];
            let needed = contract.bid.tricks().saturating_sub(won);
            let makes = self.all.at_least(needed.into());
            self.makes = Some(makes);
            self.makes_interval = Some(self.all.interval(makes, self.drawn.is_none()));
        }
        self
    }

    /// The chances over all layouts; with those of each card and of each split on request.
    ///
    /// # Errors
    ///
    /// As [`odds`].
    pub fn counted(
        view: &BridgeView,
        beliefs: &Beliefs,
        database: &Database,
        [by_card, by_split]: [bool; 2],
        stop: &Stop,
    ) -> Result<Chances, SearchError> {
        let found = odds(view, beliefs, database, stop)?;
        let mut chances = Chances::of(view, found.all.clone());
        if by_card {
            let cards = card_odds(view, beliefs, database, stop)?;
            chances.cards = Some(odds_of_cards(cards, false));
        }
        if by_split {
            chances.splits = Some(split_odds(found));
        }
        Ok(chances)
    }

    /// The chances over drawn layouts, or over all if there are no more than would be drawn; with
    /// those of each card if the sample has them, and those of each split of all layouts on
    /// request. Takes the layouts in `solved` as they are, and leaves there the first ones of this
    /// sample. After every so many layouts, calls a function with the chances so far.
    ///
    /// # Errors
    ///
    /// As [`sampled`](crate::sampled).
    pub fn drawn(
        view: &BridgeView,
        beliefs: &Beliefs,
        sampling: Sampling,
        by_split: bool,
        options: &Options,
        solved: &mut SolvedLayouts,
        (every, part): (usize, &mut dyn FnMut(Chances)),
    ) -> Result<Chances, SearchError> {
        let chances = |mut found: Sampled| {
            let cards = std::mem::take(&mut found.cards);
            let mut chances = Chances::of_sampled(view, beliefs, sampling, &found);
            let of_cards = || odds_of_cards(cards, !found.exact);
            chances.cards = sampling.by_card.then(of_cards);
            chances.splits = (by_split && found.exact).then(|| split_odds(found.found));
            chances
        };
        let part = &mut |found| part(chances(found));
        let found = sampled_in_parts(view, beliefs, sampling, options, solved, (every, part))?;
        Ok(chances(found))
    }

    fn of_sampled(
        view: &BridgeView,
        beliefs: &Beliefs,
        sampling: Sampling,
        found: &Sampled,
    ) -> Chances {
        let all = found.found.all.clone();
        Chances {
            drawn: (!found.exact).then(|| Drawn::new(&all, beliefs, sampling.seed)),
            ..Chances::of(view, all)
        }
    }
}

/// The names of [`Chances`] over all layouts, in descriptions of the interface.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code)]
struct ChancesOfAll {
    /// The side of the seat that leads, whose tricks are counted.
    side: Side,
    /// The seat to play.
    to_play: Seat,
    #[serde(flatten)]
    all: Odds,
    /// The sample, if the layouts were drawn.
    #[serde(flatten)]
    drawn: Option<Drawn>,
}

/// The opening leads against a contract, over drawn layouts, or over all if there are no more than
/// would be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leads {
    /// The contract.
    pub contract: Bid,
    /// The leads: the one that defeats it most often first.
    pub cards: Vec<Lead>,
    /// The tricks of the defence with the best lead in each layout.
    #[cfg_attr(feature = "schema", schemars(with = "ChancesOfAll"))]
    #[serde(flatten)]
    pub best: Chances,
}

/// An opening lead.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lead {
    /// The card and the defence's tricks.
    #[serde(flatten)]
    pub card: CardOdds,
    /// The chance that it defeats the contract.
    pub defeats: f64,
    /// The 95 % interval of that chance; the chance twice if these are all layouts.
    pub defeats_interval: [f64; 2],
}

impl Leads {
    /// The leads against a contract of `bid`.
    ///
    /// # Errors
    ///
    /// As [`sampled_leads`].
    pub fn drawn(
        view: &BridgeView,
        beliefs: &Beliefs,
        bid: Bid,
        sampling: Sampling,
        options: &Options,
    ) -> Result<Leads, SearchError> {
        let found = sampled_leads(view, beliefs, bid, sampling, options)?;
        let best = Chances::of_sampled(view, beliefs, sampling, &found);
        let cards = odds_of_cards(found.cards, false).into_iter().map(|card| {
            let defeats = card.odds.at_least(defeating(bid));
            Lead {
                defeats,
                defeats_interval: card.odds.interval(defeats, found.exact),
                card,
            }
        });
        Ok(Leads {
            contract: bid,
            cards: cards.collect(),
            best,
        })
    }
}

/// Contracts by their scores, over drawn layouts, or over all if there are no more than would be
/// drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The side whose scores are counted.
    pub side: Side,
    /// Number of all layouts.
    pub layouts: LargeCount,
    /// True if that number is exact.
    #[serde(skip)]
    pub exact: bool,
    /// The seed of the layouts.
    pub seed: u64,
    /// The contracts.
    pub contracts: Vec<ContractOdds>,
}

impl Comparison {
    /// Number of layouts that were solved: that of all, or of those that were drawn.
    pub fn solved(&self) -> u128 {
        self.contracts.first().map_or(0, |of| of.odds.layouts)
    }

    /// The scores of `contracts`, of the side of the first of them.
    ///
    /// # Errors
    ///
    /// As [`sampled_contracts`].
    pub fn drawn(
        view: &BridgeView,
        beliefs: &Beliefs,
        compared: Compared<'_>,
        sampling: Sampling,
        options: &Options,
    ) -> Result<Comparison, SearchError> {
        Ok(Comparison {
            side: compared.side,
            layouts: LargeCount(beliefs.count()),
            exact: beliefs.is_exact(),
            seed: sampling.seed,
            contracts: sampled_contracts(view, beliefs, compared, sampling, options)?,
        })
    }
}

/// The layouts in which numbers of tricks are sure against best defence.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SureTarget {
    /// Number of tricks.
    pub tricks: u8,
    /// The layouts in which the best line takes them.
    pub layouts: usize,
    /// The cards that may be played.
    pub cards: Vec<CardLayouts>,
}

/// A card, and the layouts in which a line that begins with it takes the tricks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardLayouts {
    /// The card.
    pub card: Card,
    /// The layouts in which the best line after it takes them.
    pub layouts: usize,
    /// The layouts in which it does double dummy; `None` without a database.
    pub double_dummy: Option<LargeCount>,
}

impl SureTarget {
    /// A target of `tricks` that was [found](crate::single_dummy), with the odds with all
    /// cards known.
    pub fn new(
        tricks: u8,
        found: &crate::SingleDummy,
        double_dummy: &[(Card, Odds)],
    ) -> SureTarget {
        let reach = |odds: &Odds| LargeCount(odds.counts.iter().skip(tricks.into()).sum());
        let cards = found.cards.iter().map(|&(card, layouts)| CardLayouts {
            card,
            layouts,
            double_dummy: (double_dummy.iter())
                .find(|(other, _)| *other == card)
                .map(|(_, odds)| reach(odds)),
        });
        SureTarget {
            tricks,
            layouts: found.sure(),
            cards: cards.collect(),
        }
    }
}
