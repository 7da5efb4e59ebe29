//! The best line of play over given layouts, with weights; for example over layouts drawn by a
//! program.
//!
//! The opponents see all cards and know the line (the best-defence model of Frank and Basin,
//! "Search in games with incomplete information: a case study using Bridge card play", Artificial
//! Intelligence 100, 1998), so the value of a line in a layout is its result against the best
//! defence. The answer is exact, or has a lower and an upper bound.

mod best;
mod dropped;
mod findings;
mod line;
mod search;
mod single_dummy;
mod text;

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use setrograde_beliefs::{BridgeView, Layout, Trick};
use setrograde_cards::{Card, Contract, Deal, Hand, Seat, Side, Sorting, Strain, Vulnerability};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;

use crate::error::SearchError;
use crate::given::best::{Best, Optimum, goals};
use crate::given::dropped::Worth;
use crate::given::search::Search;

pub use line::Line;
pub use single_dummy::{Options, SingleDummy, single_dummy};
pub use text::{LayoutsError, read_layouts};

/// The aim of a line of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The best chance of at least this number of the remaining tricks: value 1 in layouts in which
    /// the line takes them, 0 in others.
    Target(u8),
    /// The highest average number of the remaining tricks.
    Mean,
    /// The best average duplicate score for the side on play: minus the score if it defends.
    Score {
        /// The contract, with its declarer.
        contract: Contract,
        /// The sides that are vulnerable.
        vulnerability: Vulnerability,
        /// The tricks won before by the declaring side.
        won: u8,
    },
    /// The value of each number of remaining tricks, from 0 on, in non-decreasing order.
    Worth([f64; 14]),
}

impl Objective {
    /// Returns the value of each number of tricks, 0 to `left`, for `side`.
    fn worth(&self, side: Side, left: u8) -> Vec<f64> {
        let worth = |tricks: u8| match *self {
            Objective::Worth(worth) => worth[usize::from(tricks)],
            Objective::Target(target) => f64::from(u8::from(tricks >= target)),
            Objective::Mean => f64::from(tricks),
            Objective::Score {
                contract,
                vulnerability,
                won,
            } => {
                let declarers = if contract.declarer.side() == side {
                    tricks
                } else {
                    left - tricks
                };
                f64::from(contract.score(won + declarers, vulnerability, side))
            }
        };
        (0..=left).map(worth).collect()
    }
}

/// The database and limits of [`best_line`].
#[derive(Clone, Debug)]
pub struct LineOptions {
    /// The database for double-dummy values; faster, with the same answers.
    pub database: Option<Arc<Database>>,
    /// Approximate number of positions after which the answer has bounds.
    pub most_visits: u64,
    /// Approximate time after which the answer has bounds; no limit if `None`.
    pub time: Option<Duration>,
    /// True to evaluate each card that may be played, not only a best one.
    pub all_cards: bool,
    /// True to return the line itself.
    pub line: bool,
    /// Ends the search, without an answer, once it is due.
    pub stop: Stop,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions {
            database: None,
            most_visits: u64::MAX,
            time: None,
            all_cards: false,
            line: false,
            stop: Stop::default(),
        }
    }
}

/// The value of a line, and an upper bound for any line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineValue {
    /// The weighted average of the line found: tricks, a share of targets made, or a score.
    pub worth: f64,
    /// An upper bound for any line; equal to `worth` if the search finished.
    pub at_most: f64,
    /// The minimum of remaining tricks that the line takes, by layout. (It may take more if
    /// additional tricks have no value.)
    pub tricks: Vec<u8>,
}

impl LineValue {
    /// Returns true if no line can be better.
    pub fn is_exact(&self) -> bool {
        self.worth >= self.at_most
    }
}

/// A card, and the value of the best line that begins with it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardValue {
    /// The card.
    pub card: Card,
    /// Cards of the same hand that are equal in every layout: no card of another hand lies between.
    pub equals: Vec<Card>,
    /// The best line that begins with it.
    #[serde(flatten)]
    pub value: LineValue,
}

/// The best line over some layouts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestLine {
    /// The side that plays the line: that of the visible hands.
    pub side: Side,
    /// The best line's value.
    #[serde(flatten)]
    pub value: LineValue,
    /// The card that begins it; `None` if an opponent is to play.
    pub card: Option<Card>,
    /// Cards that are equal to it.
    pub equals: Vec<Card>,
    /// All cards, the best first, on request.
    pub cards: Vec<CardValue>,
    /// The weighted average of double-dummy values: a bound for any line.
    pub double_dummy: f64,
    /// The line, on request and if it is not too long.
    pub line: Option<Line>,
    /// Number of positions searched.
    #[serde(rename = "positions")]
    pub visits: u64,
}

/// Maximum number of layouts that are searched.
pub const MOST_LAYOUTS: usize = 1_000;

/// The best line of play, over the given layouts, of the side whose hands `view` shows: against
/// opponents who see all cards and know the line. `weights` are positive, one for each layout, or
/// empty for equal weights. [`Objective::Score`] counts the tricks in `won`, not the tricks seen by
/// the view.
///
/// # Errors
///
/// If the view does not show both hands of one side and no other, there are no cards to play, no
/// layouts or too many, a layout does not deal the unseen cards, a weight is not positive, the
/// objective is invalid, or the search is cancelled or fails.
pub fn best_line(
    view: &BridgeView,
    layouts: &[Layout],
    weights: &[f64],
    objective: &Objective,
    options: &LineOptions,
) -> Result<BestLine, SearchError> {
    let seen = Seen::of(view, side_seen(view)?);
    best_line_of(&seen, layouts, weights, objective, options)
}

/// The layouts of deals, at the view's point of the play: the unseen cards of each hidden hand.
///
/// # Errors
///
/// If a deal gives a visible hand other cards.
pub fn layouts_of(view: &BridgeView, deals: &[Deal]) -> Result<Vec<Layout>, SearchError> {
    let unseen = view.unseen();
    let layout = |(number, deal): (usize, &Deal)| {
        let mut layout = Layout::default();
        for seat in Seat::ALL {
            match view.hand(seat) {
                None => layout[seat] = deal.hand(seat) & unseen,
                Some(hand) if (hand - deal.hand(seat)).is_empty() => {}
                Some(_) => {
                    return Err(SearchError::OtherHand {
                        number: number + 1,
                        seat,
                    });
                }
            }
        }
        Ok(layout)
    };
    deals.iter().enumerate().map(layout).collect()
}

/// The hands of one side, the trick on the table, and the cards that are hidden.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The strain.
    pub strain: Strain,
    /// The side whose hands are seen.
    pub side: Side,
    /// By seat; the hidden ones are empty.
    pub hands: [Hand; 4],
    /// The trick on the table.
    pub trick: Trick,
    /// The cards in the hidden hands.
    pub unseen: Hand,
}

impl Seen {
    /// The cards that `side` sees in a view.
    fn of(view: &BridgeView, side: Side) -> Seen {
        Seen {
            strain: view.game().strain(),
            side,
            hands: *view.state(&Layout::default()).hands(),
            trick: *view.trick(),
            unseen: view.unseen(),
        }
    }

    /// The cards of each seat, if the hands fit the trick on the table.
    fn sizes(&self) -> [usize; 4] {
        let cards = self.unseen.len() + self.hands.iter().map(|hand| hand.len()).sum::<usize>();
        let left = (cards + self.trick.len()) / 4;
        let played = |seat: Seat| seat.distance_from(self.trick.leader()) < self.trick.len();
        Seat::ALL.map(|seat| left.saturating_sub(usize::from(played(seat))))
    }
}

/// Refuses an objective that is about more tricks than are left, or whose values fall.
fn check_objective(objective: &Objective, left: u8) -> Result<(), SearchError> {
    match *objective {
        Objective::Target(target) if target > left => {
            let left = left.into();
            Err(SearchError::Target { target, left })
        }
        Objective::Score { won, .. } if won + left > 13 => Err(SearchError::Won { won, left }),
        Objective::Worth(worth) => {
            let falls = |pair: &[f64]| !(pair[0].is_finite() && pair[0] <= pair[1]);
            let worth = &worth[..=usize::from(left)];
            if worth.windows(2).any(falls) || !worth[usize::from(left)].is_finite() {
                Err(SearchError::Worth)
            } else {
                Ok(())
            }
        }
        _ => Ok(()),
    }
}

/// Like [`best_line`], for any view of one side.
///
/// # Errors
///
/// As [`best_line`].
pub fn best_line_of(
    seen: &Seen,
    layouts: &[Layout],
    weights: &[f64],
    objective: &Objective,
    options: &LineOptions,
) -> Result<BestLine, SearchError> {
    let side = seen.side;
    let sizes = seen.sizes();
    let left = sizes.into_iter().max().unwrap_or(0) as u8;
    if seen.unseen.is_empty() || left == 0 {
        return Err(SearchError::Finished);
    }
    check_objective(objective, left)?;
    check_layouts(seen, sizes, layouts)?;
    let weights = whole_or_shares(weights, layouts.len())?;
    let total: f64 = weights.iter().sum();
    let of_tricks = objective.worth(side, left);
    // The lowest value is 0, so costs are positive.
    let least = of_tricks[0];
    let worth = |weight: &f64| {
        of_tricks
            .iter()
            .map(|worth| weight * (worth - least))
            .collect()
    };
    let worth = Worth(weights.iter().map(worth).collect());

    let database = options.database.clone();
    let sources = (database.as_deref(), database.clone().map(|all| all as _));
    let (mut search, root) =
        Search::new(seen, layouts, sources, options.most_visits, &options.stop);
    search.start_again(options);
    let mut optimum = Optimum {
        search: &mut search,
        worth: &worth,
        cores: Vec::new(),
    };
    let mut hopes = Vec::with_capacity(layouts.len());
    for number in 0..layouts.len() as u16 {
        let tricks = optimum.search.double_dummy(&root, number)?;
        hopes.push(optimum.fewest(number, tricks));
    }
    let double_dummy = least + optimum.worth_of(&hopes) / total;
    let best = optimum.best(&root, &hopes)?;
    let value = |best: &Best| LineValue {
        worth: least + best.worth / total,
        at_most: least + best.at_most / total,
        tricks: best.reached.clone(),
    };
    let cores = optimum.cores;
    let reached = goals(&best.reached);
    let mut first = None;
    let mut cards = Vec::new();
    if search.is_own(&root) {
        // A refutation of all cards refutes each of them.
        for card in search.own_cards(&root) {
            let next = search.next(&root, card);
            let is_first = first.is_none() && search.finds(&next, &reached)?;
            if is_first {
                first = Some(card);
            }
            if options.all_cards {
                let best = if is_first {
                    best.clone()
                } else {
                    search.start_again(options);
                    let mut optimum = Optimum {
                        search: &mut search,
                        worth: &worth,
                        cores: cores.clone(),
                    };
                    let mut found = optimum.best(&next, &hopes)?;
                    found.at_most = found.at_most.min(best.at_most);
                    found
                };
                cards.push(CardValue {
                    card,
                    equals: search.equals(&root, card),
                    value: value(&best),
                });
            }
        }
        cards.in_order_by(|a, b| b.value.worth.total_cmp(&a.value.worth));
    }
    let line = if options.line {
        line::line(&mut search, &root, &reached)?
    } else {
        None
    };
    Ok(BestLine {
        side,
        value: value(&best),
        card: first,
        equals: first.map_or_else(Vec::new, |card| search.equals(&root, card)),
        cards,
        double_dummy,
        line,
        visits: search.visits.made,
    })
}

/// The side whose two hands are the only visible ones.
fn side_seen(view: &BridgeView) -> Result<Side, SearchError> {
    let open = |seat: Seat| view.hand(seat).is_some();
    for side in [Side::NorthSouth, Side::EastWest] {
        let theirs = side.opponents().seats();
        if side.seats().into_iter().all(open) && !theirs.into_iter().any(open) {
            return Ok(side);
        }
    }
    let seat = view.observer();
    Err(SearchError::HandHidden([seat, seat.partner()]))
}

/// Returns an error unless the lengths of the hands match the trick, and each layout deals the
/// unseen cards to the hidden hands.
fn check_layouts(seen: &Seen, sizes: [usize; 4], layouts: &[Layout]) -> Result<(), SearchError> {
    if layouts.is_empty() {
        return Err(SearchError::NoLayouts);
    }
    SearchError::unless_at_most(MOST_LAYOUTS as u128, layouts.len() as u128)?;
    for (number, layout) in layouts.iter().enumerate() {
        let dealt: Hand = layout.iter().copied().collect();
        let fits = |seat: Seat| {
            let (hand, dealt) = (seen.hands[seat], layout[seat]);
            if seat.side() == seen.side {
                dealt.is_empty() && hand.len() == sizes[seat]
            } else {
                hand.is_empty() && dealt.len() == sizes[seat]
            }
        };
        let each: usize = layout.iter().map(|hand| hand.len()).sum();
        let all = dealt == seen.unseen && each == dealt.len();
        if !all || !Seat::ALL.into_iter().all(fits) {
            return Err(SearchError::OtherLayout {
                number: number + 1,
                unseen: seen.unseen,
                sizes,
            });
        }
    }
    Ok(())
}

/// Returns the weights: whole numbers as they are, so sums of them are exact; others as shares of
/// their sum.
fn whole_or_shares(weights: &[f64], layouts: usize) -> Result<Vec<f64>, SearchError> {
    if weights.is_empty() {
        return Ok(vec![1.0; layouts]);
    }
    if weights.len() != layouts {
        return Err(SearchError::WeightCount {
            weights: weights.len(),
            layouts,
        });
    }
    let is_weight = |weight: &f64| weight.is_finite() && *weight > 0.0;
    if let Some(at) = weights.iter().position(|weight| !is_weight(weight)) {
        return Err(SearchError::Weight {
            number: at + 1,
            weight: weights[at],
        });
    }
    if weights
        .iter()
        .all(|weight| weight.fract() == 0.0 && *weight < 1e9)
    {
        return Ok(weights.to_vec());
    }
    let most = weights.iter().copied().fold(0.0, f64::max);
    let sum: f64 = weights.iter().map(|weight| weight / most).sum();
    Ok(weights.iter().map(|weight| weight / most / sum).collect())
}
