//! Chances: the tricks over all layouts of the hidden hands, or over some that are
//! drawn, of which a page asks for a part at a time; and the layouts in which a number
//! of tricks is sure with the cards hidden.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::error::Error;

use serde::Serialize;
use setrograde::SureTricks;
use setrograde_beliefs::{Strengths, View};
use setrograde_cards::{Card, Contract, Deal, Hand, LargeCount, Position, Rank, Seat, Side, Suit};
use setrograde_single_dummy::{Options, SureTarget, drawn, interval, single_dummy};
use setrograde_solver::{Solver, Stop, Target, Wanted};

use crate::position::{Play, SeatsView, field};
use crate::{EngineAnswer, Named};

/// Maximum number of layouts of one question.
const MOST: usize = 200;
/// Maximum number of positions of the single-dummy search.
const MOST_VISITS: u64 = 3_000_000;

/// The seed of the layouts that are drawn.
pub(crate) const SEED: u64 = 1;
/// Maximum number of counts of one question.
const MOST_COUNTS: usize = 400;

/// Layouts by the tricks of the side to play.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LayoutSums {
    /// The seat to play.
    to_play: Seat,
    /// Its side.
    side: Side,
    tricks_left: usize,
    /// The number of all layouts.
    drawn_of: LargeCount,
    /// True if that number is exact.
    exact: bool,
    #[serde(flatten)]
    all: TrickSums,
    /// The cards that may be played.
    cards: Vec<CardTrickSums>,
    /// The splits of each suit.
    splits: Named<Suit, Vec<SplitSums>>,
}

/// The layouts with each number of tricks.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TrickSums {
    /// The number of layouts with 0, 1, … tricks.
    counts: Vec<u32>,
    /// The number of layouts.
    layouts: u32,
}

/// The layouts by the tricks with a card.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CardTrickSums {
    card: Card,
    #[serde(flatten)]
    of: TrickSums,
}

/// The layouts in which a suit is split in one way.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SplitSums {
    /// The lengths in the hands from North.
    lengths: [usize; 4],
    #[serde(flatten)]
    of: TrickSums,
}

/// Shares of layouts.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LayoutShares {
    /// Those of each line of counts.
    shares: Vec<LayoutShare>,
}

/// The shares of some layouts.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LayoutShare {
    /// The number of layouts.
    layouts: u64,
    /// The mean number of tricks.
    mean: f64,
    /// The share with the wanted tricks or more.
    at_least: f64,
    /// Half of the interval of the mean.
    half_width: f64,
    /// The 95 % interval of `at_least`, if layouts were drawn.
    interval: Option<[f64; 2]>,
    /// The share of each number of tricks.
    each: Vec<f64>,
}

/// The tricks to play for.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct NeededTricks {
    /// The tricks that the side to play needs.
    need: usize,
}

/// The number of layouts that give each number of tricks, 0 to 13.
type TrickCounts = [u32; 14];

/// The counts over some layouts.
#[derive(Default)]
struct LayoutCounts {
    tricks: TrickCounts,
    /// By suit, from the highest card down.
    cards: BTreeMap<(Suit, Reverse<Rank>), TrickCounts>,
    splits: [BTreeMap<[usize; 4], TrickCounts>; 4],
}

impl LayoutCounts {
    fn add(&mut self, solver: &mut Solver, position: &Position) -> Result<(), Box<dyn Error>> {
        let solution = solver.solve(position, Target::Most, Wanted::All)?;
        let most = usize::from(solution.cards.first().map_or(0, |of| of.tricks));
        self.tricks[most] += 1;
        for of in solution.cards {
            for card in of.equal_cards().chain([of.card]) {
                let key = (card.suit, Reverse(card.rank));
                self.cards.entry(key).or_default()[usize::from(of.tricks)] += 1;
            }
        }
        for suit in Suit::ALL {
            let lengths = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit).len());
            self.splits[suit].entry(lengths).or_default()[most] += 1;
        }
        Ok(())
    }

    fn sums(&self, of: &Position, drawn_of: u128, exact: bool) -> LayoutSums {
        let left = of.tricks_left();
        let sums = |of: &TrickCounts| TrickSums {
            counts: of[..=left].to_vec(),
            layouts: of.iter().sum(),
        };
        let cards = self
            .cards
            .iter()
            .map(|(&(suit, Reverse(rank)), of)| CardTrickSums {
                card: Card { suit, rank },
                of: sums(of),
            });
        let splits = Suit::ALL.map(|suit| {
            let splits = self.splits[suit].iter().map(|(&lengths, of)| SplitSums {
                lengths,
                of: sums(of),
            });
            (suit, splits.collect())
        });
        LayoutSums {
            to_play: of.to_play(),
            side: of.to_play().side(),
            tricks_left: left,
            drawn_of: LargeCount(drawn_of),
            exact,
            all: sums(&self.tricks),
            cards: cards.collect(),
            splits: Named(splits.into()),
        }
    }
}

/// The tricks of the side to play with all cards seen, in each layout of a part: `all` or `draw`
/// (as `odds` does with seed 1); the first layout's number; the number of layouts; and the visible
/// hands.
pub(crate) fn chances(solver: &mut Solver, text: &str) -> EngineAnswer<LayoutSums> {
    let (how, text) = field(text, "`all` or `draw`")?;
    let (first, text) = field(text, "the first layout")?;
    let (count, text) = field(text, "the number of layouts")?;
    let all = match how {
        "all" => true,
        "draw" => false,
        other => return Err(format!("{other:?} is neither `all` nor `draw`").into()),
    };
    let (first, count): (u64, usize) = (first.parse()?, count.parse()?);
    if count > MOST {
        return Err(format!("{count} layouts; at most {MOST} are looked at").into());
    }
    let seen = SeatsView::read(text)?;
    let beliefs = View::of_bridge(&seen.question)?.beliefs(&Strengths::NONE)?;
    let position = &seen.play.end;
    let mut found = LayoutCounts::default();
    for n in 0..count {
        let layout = if all {
            match beliefs.layout(u128::from(first) + n as u128) {
                Some(layout) => layout,
                None => break,
            }
        } else {
            drawn(
                &beliefs,
                SEED,
                first.wrapping_add(n as u64),
                &Stop::default(),
            )?
        };
        let mut hands = *position.deal().hands();
        for seat in seen.hidden() {
            hands[seat] = layout[seat].into_iter().collect::<Hand>();
        }
        let deal = Deal::new(hands)?;
        let (strain, leader) = (position.strain(), position.leader());
        let position = Position::with_revokes(strain, leader, deal, position.played())?;
        found.add(solver, &position)?;
    }
    Ok(found.sums(position, beliefs.count(), beliefs.is_exact()))
}

/// Layouts counted by their tricks: `exact`, or `drawn` if intervals are wanted; the tricks that
/// are wanted; and a line for each count, as `0 3 12`, of the layouts that give 0, 1, 2 … tricks.
/// Of each the layouts, the mean, the share that gives those tricks or more, and each number's
/// share.
pub(crate) fn shares(text: &str) -> EngineAnswer<LayoutShares> {
    let (head, lines) = text.split_once('\n').ok_or("there are no counts")?;
    let (how, need) = field(head, "the tricks that are wanted")?;
    let need: usize = need.parse()?;
    let drawn = how == "drawn";
    let mut shares = Vec::new();
    for line in lines.lines() {
        let counts: Vec<u32> = line
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        if counts.len() > 14 || shares.len() == MOST_COUNTS {
            return Err(format!("at most {MOST_COUNTS} counts of 0 to 13 tricks").into());
        }
        let layouts: f64 = counts.iter().copied().map(f64::from).sum();
        let of = layouts.max(1.0);
        let share = |hits: &[u32]| hits.iter().copied().map(f64::from).sum::<f64>() / of;
        let tricks = counts.iter().zip(0..14);
        let mean = tricks.map(|(&n, tricks)| f64::from(n) * f64::from(tricks));
        let at_least = share(counts.get(need..).unwrap_or_default());
        shares.push(LayoutShare {
            layouts: layouts as u64,
            mean: mean.sum::<f64>() / of,
            at_least,
            half_width: half_width(&counts, drawn),
            interval: drawn.then(|| interval(at_least, layouts as u128)),
            each: counts.iter().map(|n| share(&[*n])).collect(),
        });
    }
    Ok(LayoutShares { shares })
}

/// Half of the interval in which the mean lies in 95 of 100 cases: 0 where all layouts were
/// counted.
fn half_width(counts: &[u32], drawn: bool) -> f64 {
    let layouts: f64 = counts.iter().copied().map(f64::from).sum();
    if !drawn || layouts < 2.0 {
        return 0.0;
    }
    let tricks = || {
        counts
            .iter()
            .zip(0..14)
            .map(|(&n, tricks)| (f64::from(n), f64::from(tricks)))
    };
    let mean = tricks().map(|(n, tricks)| n * tricks).sum::<f64>() / layouts;
    let squares = tricks()
        .map(|(n, tricks)| n * (tricks - mean).powi(2))
        .sum::<f64>();
    1.96 * (squares / (layouts - 1.0) / layouts).sqrt()
}

/// A contract or `-`, and a play: the tricks that the side to play needs of those left, to make the
/// contract or to beat it; without one half of them.
pub(crate) fn goal(text: &str) -> EngineAnswer<NeededTricks> {
    let (contract, play) = field(text, "the play")?;
    let play = Play::read(play)?;
    let (to_play, left) = (play.end.to_play(), play.end.tricks_left());
    let won = usize::from(play.won[to_play.side()]);
    let wanted = match contract {
        "-" => left.div_ceil(2),
        contract => {
            let contract: Contract = contract.parse()?;
            let tricks = usize::from(contract.bid.tricks());
            if contract.declarer.side().includes(to_play) {
                tricks.saturating_sub(won)
            } else {
                (play.start.tricks_left() + 1).saturating_sub(tricks + won)
            }
        }
    };
    Ok(NeededTricks {
        need: wanted.min(left),
    })
}

/// The number of layouts in which a number of tricks is sure against opponents who see everything:
/// that number, and the visible hands.
pub(crate) fn single(text: &str) -> EngineAnswer<SureTricks> {
    let (tricks, text) = field(text, "the number of tricks")?;
    let tricks: u8 = tricks.parse()?;
    let view = View::of_bridge(&SeatsView::read(text)?.question)?;
    let beliefs = view.beliefs(&Strengths::NONE)?;
    let options = Options {
        database: None,
        most_visits: MOST_VISITS,
        plan: false,
        stop: Default::default(),
    };
    let found = single_dummy(&view, &beliefs, tricks, &options)?;
    Ok(SureTricks {
        of: found.layouts,
        target: SureTarget::new(tricks, &found, &[]),
        plan: None,
        knowledge: None,
    })
}
