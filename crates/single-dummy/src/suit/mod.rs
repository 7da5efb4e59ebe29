//! A single suit: the line of play that takes a number of tricks in most layouts.
//!
//! Declarer may lead from either hand to every trick, or, where
//! [entries](SuitHolding::with_entries) are limited, as long as these last. The opponents never
//! lead the suit, and they see all cards and know the line. A layout is won if the line takes the
//! tricks against any play. The search keeps, at each point, all maximal sets of layouts that some
//! line wins from there: where declarer plays, those of all cards; where an opponent plays, a
//! layout must be won after each card that it may play there.
//!
//! Touching cards of the opponents are one *class*, and a layout says how many of each class
//! East holds. That loses nothing: an opponent who picks among touching cards at random reveals
//! declarer nothing by the pick, and a line that ignores the pick is a line.

mod average;
mod plan;
mod search;
mod words;

use std::fmt;

use serde::Serialize;
use setrograde_beliefs::counted;
use setrograde_cards::{Holding, Rank, Seat, Sorting, TextError};
use setrograde_claim::as_lines;
use setrograde_parallel::Stop;
use thiserror::Error;

pub use self::average::{Average, Averages};
use self::search::{LineSets, Search, Set};
pub use self::words::{SuitBranch, SuitStep, SuitThird, When};

/// At least the maximum number of layouts that two holdings leave: 162, if four cards split the
/// other nine into a single card and four pairs.
const MOST: usize = 192;

/// Maximum number of vacant places of a hand.
const MOST_VACANT: usize = 13;

/// Two hands' cards of a suit; the opponents hold the remaining cards.
#[derive(Clone, Debug)]
pub struct SuitHolding {
    /// North's cards and South's.
    hands: [Holding; 2],
    /// Touching cards of the opponents, the highest first.
    classes: Vec<Holding>,
    layouts: Vec<SuitLayout>,
    /// The sum of the layouts' weights.
    total: u64,
    /// The entries that each hand has in other suits; enough if `None`.
    entries: [Option<u8>; 2],
    stop: Stop,
}

/// Layouts in which East holds the same number of cards of each class.
#[derive(Clone, Debug)]
struct SuitLayout {
    /// Number of cards of each class in East, four bits each.
    east: u32,
    east_cards: usize,
    /// Number of layouts of single cards that it represents.
    ways: u64,
    /// Number of deals of the vacant places that it represents, at most 10,400,600.
    weight: u64,
}

/// Holdings that cannot be a suit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SuitError {
    /// A card is in both hands.
    #[error("the {0} is in both hands")]
    Twice(Rank),
    /// A card that was played before is in a hand.
    #[error("the {0} is in a hand, and gone")]
    Gone(Rank),
    /// A text that is not a holding.
    #[error("{found:?}: {error}")]
    Text {
        /// The start of the text.
        found: String,
        /// The reason.
        error: TextError,
    },
    /// More cards than a suit has.
    #[error("a suit has 13 cards")]
    TooMany,
    /// A hand with more vacant places than cards.
    #[error("{0} vacant places; a hand has at most 13")]
    Vacant(usize),
    /// More tricks than the suit has.
    #[error("{tricks} tricks: the suit has {most} at most")]
    Tricks {
        /// The requested number.
        tricks: usize,
        /// Maximum.
        most: usize,
    },
    /// No card is given.
    #[error("both hands are void")]
    Empty,
    /// The opponents' hands cannot hold the rest.
    #[error("{cards} cards are out, but East and West have room for {east} and {west}")]
    NoRoom {
        /// The opponents' cards of the suit.
        cards: usize,
        /// Vacant places of East.
        east: usize,
        /// Vacant places of West.
        west: usize,
    },
}

/// The best line for a number of tricks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitLine {
    /// Number of tricks.
    pub tricks: usize,
    /// The chance of these tricks.
    pub chance: f64,
    /// The line in words, a line of text for each step; long ones are cut.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    #[serde(serialize_with = "as_lines")]
    pub plan: String,
    /// The complete line; empty if nothing need be done, or nothing can be.
    pub steps: Vec<SuitStep>,
    /// The layouts by the number of East's cards: the longest East first.
    pub splits: Vec<Split>,
}

/// The best play of a suit by all measures.
#[derive(Clone, Debug)]
pub struct SuitAnswer {
    /// The chance of at least 0, 1, … tricks, each with the best line for that number.
    pub at_least: Vec<f64>,
    /// The line with the most tricks on average; `None` if too many lines must be distinguished.
    pub average: Option<Average>,
    /// The line that does best at matchpoints, or `None` likewise.
    pub matchpoints: Option<Average>,
    /// The best line for the requested tricks.
    pub line: SuitLine,
    /// The best lines for 0, 1, … tricks.
    pub lines: Vec<SuitLine>,
}

/// The layouts in which the suit divides in one way.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Split {
    /// East's cards and West's.
    pub lengths: [usize; 2],
    /// The chance of the division.
    pub chance: f64,
    /// Number of layouts of the cards.
    #[serde(rename = "layouts")]
    pub ways: u64,
    /// The number of these in which the line wins.
    pub wins: u64,
    /// East's holdings where it wins, if it does not win in all; `x` is a low card.
    pub with_east: Vec<String>,
}

/// Writes the chance, the plan and the layouts in which it wins.
impl fmt::Display for SuitLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chance = 100.0 * self.chance;
        writeln!(f, "{}: {chance:.1} %", counted(self.tricks, "trick"))?;
        for line in self.plan.lines() {
            writeln!(f, "  {line}")?;
        }
        writeln!(f, "  East-West   chance  layouts  wins  where East holds")?;
        for split in &self.splits {
            let [east, west] = split.lengths;
            let chance = 100.0 * split.chance;
            let (ways, wins) = (split.ways, split.wins);
            let mut line = format!("  {east:4}-{west:<4} {chance:6.1} %  {ways:7}  {wins:4}  ");
            for (at, held) in split.with_east.iter().enumerate() {
                if line.chars().count() + held.chars().count() > 77 {
                    line.push('…');
                    break;
                }
                line += if at > 0 { " " } else { "" };
                line += held;
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl SuitHolding {
    /// North's and South's cards of a suit whose cards `gone` have been played. East and West have
    /// `vacant` places for other cards; 13 each if nothing is known.
    ///
    /// # Errors
    ///
    /// If the hands share a card or are void, a hand has more than 13 vacant places, or the
    /// opponents have no room.
    pub fn new(
        north: Holding,
        south: Holding,
        gone: Holding,
        vacant: [usize; 2],
    ) -> Result<SuitHolding, SuitError> {
        if let Some(rank) = (north & south).highest() {
            return Err(SuitError::Twice(rank));
        }
        let ours = north | south;
        if let Some(rank) = (ours & gone).highest() {
            return Err(SuitError::Gone(rank));
        }
        if ours.is_empty() {
            return Err(SuitError::Empty);
        }
        if let Some(&vacant) = vacant.iter().find(|&&vacant| vacant > MOST_VACANT) {
            return Err(SuitError::Vacant(vacant));
        }
        let mut classes: Vec<Holding> = Vec::new();
        let mut apart = true;
        let mut ranks: Vec<Rank> = Rank::all().collect();
        ranks.in_any_order_by(|a, b| b.cmp(a));
        for rank in ranks.into_iter().filter(|&rank| !gone.contains(rank)) {
            if ours.contains(rank) {
                apart = true;
                continue;
            }
            if apart {
                classes.push(Holding::default());
            }
            apart = false;
            if let Some(class) = classes.last_mut() {
                class.insert(rank);
            }
        }
        let out: usize = classes.iter().map(|class| class.len()).sum();
        let [east, west] = vacant;
        let no_room = SuitError::NoRoom {
            cards: out,
            east,
            west,
        };
        let layouts = layouts(&classes, vacant).ok_or(no_room)?;
        debug_assert!(layouts.len() <= MOST, "{}", layouts.len());
        Ok(SuitHolding {
            hands: [north, south],
            classes,
            total: layouts.iter().map(|layout| layout.weight).sum(),
            layouts,
            entries: [None; 2],
            stop: Stop::default(),
        })
    }

    /// The same suit with limited entries to North and South in other suits; unlimited if `None`.
    /// Each lead, including the first, uses an entry of the leading hand, unless that hand won the
    /// previous trick of the suit.
    #[must_use]
    pub fn with_entries(mut self, entries: [Option<u8>; 2]) -> SuitHolding {
        self.entries = entries;
        self
    }

    /// The same suit, of which nothing more is found once `stop` is due.
    #[must_use]
    pub fn with_stop(mut self, stop: Stop) -> SuitHolding {
        self.stop = stop;
        self
    }

    /// The suit of holdings as people write them: ranks, `x` for a low card, and `-` for none.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if a text is not a holding.
    pub fn read(
        hands: [&str; 2],
        gone: &str,
        vacant: [usize; 2],
    ) -> Result<SuitHolding, SuitError> {
        let read = |text: &str| -> Result<(Holding, usize), SuitError> {
            let named = text.replace(['x', 'X'], "");
            if named == "-" {
                return Ok((Holding::EMPTY, 0));
            }
            let holding = named.parse().map_err(|error| SuitError::Text {
                found: text.chars().take(20).collect(),
                error,
            })?;
            Ok((holding, text.chars().count() - named.chars().count()))
        };
        let read = [read(hands[0])?, read(hands[1])?, read(gone)?];
        let mut taken = read[0].0 | read[1].0 | read[2].0;
        let mut ranks: Vec<Rank> = Rank::all().collect();
        let [north, south, gone] = read.map(|(mut holding, low)| {
            for _ in 0..low {
                // Low cards are the lowest that are not named.
                let rank = loop {
                    let rank = ranks.pop()?;
                    if taken.insert(rank) {
                        break rank;
                    }
                };
                holding.insert(rank);
            }
            Some(holding)
        });
        match (north, south, gone) {
            (Some(north), Some(south), Some(gone)) => SuitHolding::new(north, south, gone, vacant),
            _ => Err(SuitError::TooMany),
        }
    }

    /// Returns the maximum number of tricks that the suit can take: the length of the longer hand.
    pub fn most(&self) -> usize {
        self.hands[0].len().max(self.hands[1].len())
    }

    /// Returns the best line for at least this number of tricks, and the layouts that it wins; `None`
    /// if the [stop](Self::with_stop) is due first.
    pub fn line(&self, tricks: usize) -> Option<SuitLine> {
        let mut search = Search::new(self, vec![tricks]);
        let front = search.best()?;
        let won = front.iter().map(|line| line[0]);
        let won = won.max_by_key(|won| self.weight(won))?;
        let plan = plan::plan(&mut search, &won);
        (!search.is_over()).then(|| SuitLine {
            tricks,
            chance: self.share(self.weight(&won)),
            plan: plan.words(),
            steps: plan.steps(),
            splits: self.splits(&won),
        })
    }

    /// The line with the most tricks on average, and the one with the most matchpoints unless too
    /// many must be compared; `None` if the [stop](Self::with_stop) is due before the first is found,
    /// or too many must be compared for it.
    pub fn averages(&self) -> Option<Averages> {
        average::averages(self)
    }

    /// The best lines by all measures, and the line for `tricks` tricks, or for the most with an
    /// even chance; `None` unless they are found before the [stop](Self::with_stop) is due.
    ///
    /// # Errors
    ///
    /// If the suit cannot take `tricks` tricks.
    pub fn answer(&self, tricks: Option<usize>) -> Result<Option<SuitAnswer>, SuitError> {
        let most = self.most();
        if let Some(tricks) = tricks.filter(|&tricks| tricks > most) {
            return Err(SuitError::Tricks { tricks, most });
        }
        let lines = (0..=most).map(|tricks| self.line(tricks));
        let Some(lines) = lines.collect::<Option<Vec<SuitLine>>>() else {
            return Ok(None);
        };
        let at_least: Vec<f64> = lines.iter().map(|line| line.chance).collect();
        let even = at_least.iter().rposition(|&chance| chance >= 0.5);
        let wanted = tricks.or(even).unwrap_or(0);
        let averages = self.averages();
        // Then it may be the time that lacks.
        if self.stop.is_due() {
            return Ok(None);
        }
        let (average, matchpoints) = averages
            .map(|found| (found.mean, found.matchpoints))
            .unzip();
        Ok(Some(SuitAnswer {
            at_least,
            average,
            matchpoints: matchpoints.flatten(),
            line: lines[wanted].clone(),
            lines,
        }))
    }

    /// Returns the number of cards of a class that East (0) or West (1) holds.
    fn held_by(&self, who: usize, east: u32, class: usize) -> u32 {
        match who {
            0 => of_class(east, class),
            _ => self.classes[class].len() as u32 - of_class(east, class),
        }
    }

    fn share(&self, weight: u64) -> f64 {
        weight as f64 / self.total as f64
    }

    fn weight(&self, won: &Set) -> u64 {
        let layouts = self.layouts.iter().enumerate();
        let won = layouts.filter(|&(at, _)| won.has(at));
        won.map(|(_, layout)| layout.weight).sum()
    }

    /// The layouts of a line for each number of tricks, by weight: with all numbers, its tricks.
    fn weight_of(&self, line: &LineSets) -> u64 {
        line.iter().map(|won| self.weight(won)).sum()
    }

    fn splits(&self, won: &Set) -> Vec<Split> {
        let out: usize = self.classes.iter().map(|class| class.len()).sum();
        let mut splits = Vec::new();
        for east in (0..=out).rev() {
            let layouts = self.layouts.iter().enumerate();
            let (wins, losses): (Vec<_>, Vec<_>) = layouts
                .filter(|(_, layout)| layout.east_cards == east)
                .partition(|&(at, _)| won.has(at));
            let all = || wins.iter().chain(&losses).map(|(_, layout)| layout);
            if all().next().is_none() {
                continue;
            }
            let partly = wins.iter().filter(|_| !losses.is_empty());
            splits.push(Split {
                lengths: [east, out - east],
                chance: self.share(all().map(|layout| layout.weight).sum()),
                ways: all().map(|layout| layout.ways).sum(),
                wins: wins.iter().map(|(_, layout)| layout.ways).sum(),
                with_east: partly
                    .map(|(_, of)| self.held(of.east, of.east_cards))
                    .collect(),
            });
        }
        splits
    }

    /// East's cards in a layout: honours by name as far as they are single, `H` for one of
    /// several touching honours, `x` for a low card, `–` for none.
    fn held(&self, east: u32, cards: usize) -> String {
        if cards == 0 {
            return "–".to_owned();
        }
        let mut text = String::new();
        for (at, class) in self.classes.iter().enumerate() {
            let count = of_class(east, at) as usize;
            let all = class.len() == count;
            let times = if all { 1 } else { count };
            text += &self.class_name(at, all).repeat(times);
        }
        text
    }

    /// The name of a card of a class, or of all its cards.
    fn class_name(&self, at: usize, all: bool) -> String {
        let class = self.classes[at];
        if self.is_low(at) {
            return "x".repeat(if all { class.len() } else { 1 });
        }
        let ranks: Vec<String> = class.iter().map(|rank| rank.letter().to_string()).collect();
        if all || class.len() == 1 {
            ranks.concat()
        } else {
            format!("({})", ranks.join("/"))
        }
    }

    /// Returns true if a class is below all cards of North and South that might beat something.
    fn is_low(&self, at: usize) -> bool {
        let class = self.classes[at];
        let small = class.highest().is_some_and(|top| top.value() < 11);
        at + 1 == self.classes.len() && (small || class.len() > 3)
    }

    /// The seat whose turn is second to a trick that one of the hands leads.
    fn second(leader: usize) -> Seat {
        match leader {
            0 => Seat::East,
            _ => Seat::West,
        }
    }
}

/// Returns the number of cards of a class in a packed vector.
fn of_class(packed: u32, at: usize) -> u32 {
    packed >> (4 * at) & 15
}

/// Returns all layouts with their chances; `None` if the cards do not fit in the hands.
fn layouts(classes: &[Holding], [east, west]: [usize; 2]) -> Option<Vec<SuitLayout>> {
    let out: usize = classes.iter().map(|class| class.len()).sum();
    let others = (east + west).checked_sub(out)?;
    let mut partial = vec![(0_u32, 0_usize, 1_u64)];
    for (at, class) in classes.iter().enumerate() {
        let extended = partial.iter().flat_map(|&(packed, cards, ways)| {
            (0..=class.len()).map(move |count| {
                let packed = packed | (count as u32) << (4 * at);
                (packed, cards + count, ways * choose(class.len(), count))
            })
        });
        partial = extended.collect();
    }
    let fits = |&(_, cards, _): &(u32, usize, u64)| cards <= east && out - cards <= west;
    let layouts: Vec<SuitLayout> = partial
        .into_iter()
        .filter(fits)
        .map(|(packed, cards, ways)| SuitLayout {
            east: packed,
            east_cards: cards,
            ways,
            weight: ways * choose(others, east - cards),
        })
        .collect();
    (!layouts.is_empty()).then_some(layouts)
}

/// The binomial coefficient, 0 if `k` is more than `n`.
fn choose(n: usize, k: usize) -> u64 {
    (1..=k).fold(1, |value, i| {
        value * (n + 1).saturating_sub(i) as u64 / i as u64
    })
}
