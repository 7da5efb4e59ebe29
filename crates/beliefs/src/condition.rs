//! Conditions on how the hidden cards lie, and their text.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Hand, Holding, Seat, Suit};
use thiserror::Error;

use crate::limits::{Limits, Measure};
use crate::question::QuestionError;

/// One statement about the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A hidden hand has `least` to `most` cards of a suit, or points; each hidden
    /// hand does if none is named.
    Range {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The cards or points that are counted.
        of: Measure,
        /// The fewest.
        least: u8,
        /// The most.
        most: u8,
    },
    /// The hidden cards of a suit are split like this, either way round.
    Split {
        /// The suit.
        suit: Suit,
        /// The number of cards in one hidden hand.
        first: u8,
        /// The number in the other.
        second: u8,
    },
    /// A hidden hand holds a card.
    Place {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A hidden hand does not hold a card.
    Lack {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A hidden hand has suits of these lengths, in any order; each hidden hand does if
    /// none is named.
    Shape {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The lengths, the longest first.
        lengths: [u8; 4],
    },
    /// A hidden hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2; each is if none is named.
    Balanced {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
    },
}

/// The shapes that are balanced.
const BALANCED: [[u8; 4]; 3] = [[4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2]];

/// The most alternatives of a condition.
const MOST_ALTERNATIVES: usize = 256;

/// The most cases that a condition is taken apart into.
const MOST_CASES: usize = 1024;

/// The deepest brackets.
const DEEPEST: usize = 16;

/// An assumption about the hidden cards: alternatives, each a list of terms that hold
/// together.
///
#[doc = concat!("```text\n", include_str!("conditions.txt"), "```")]
///
/// ```
/// use setrograde_beliefs::Condition;
///
/// let condition: Condition = "E+SJ,S<=4|W.hcp=5-8".parse()?;
/// assert_eq!(condition.alternatives().len(), 2);
/// assert_eq!(condition.to_string(), "E+SJ,S<=4|W.hcp=5-8");
/// # Ok::<(), setrograde_beliefs::QuestionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    alternatives: Vec<Vec<Placed>>,
}

/// The forms of a condition, an example and its meaning on each line; the text of help and
/// documents.
pub const CONDITIONS: &str = include_str!("conditions.txt");

/// A term, and the column in which it was written.
#[derive(Clone, Copy, Debug)]
struct Placed {
    term: Term,
    column: usize,
}

/// Places are equal if their terms are, wherever these were written.
impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        self.term == other.term
    }
}

impl Eq for Placed {}

/// A condition that does not fit the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// A term about a hand that is not hidden.
    #[error("{} is visible; conditions are about the hidden hands", seat.name())]
    VisibleSeat {
        /// The seat.
        seat: Seat,
    },
    /// A term about a card that is not hidden.
    #[error("the {card} is not one of the unseen cards")]
    NotUnseen {
        /// The card.
        card: Card,
    },
    /// A split that does not add up.
    #[error(
        "{unseen} {} are unseen, which cannot be split {first}-{second}", suit.name()
    )]
    UnfitSplit {
        /// The suit.
        suit: Suit,
        /// The number of its cards that are unseen.
        unseen: usize,
        /// The number that one hidden hand is said to hold.
        first: u8,
        /// The number that the other is said to hold.
        second: u8,
    },
    /// A split where there are not two hidden hands.
    #[error(
        "a split is between two hidden hands, and here {hidden} are hidden; write it for each hand, as W.S=2"
    )]
    SplitOfMany {
        /// The number of hidden hands.
        hidden: usize,
    },
    /// A condition of which no part says what must hold together, where that is needed.
    #[error(
        "alternatives (`|`, and splits as 4-1) cannot be taken together here; ask about each of them"
    )]
    Alternatives,
}

impl Condition {
    /// The condition that all of `terms` hold.
    #[must_use]
    pub fn all(terms: Vec<Term>) -> Condition {
        Condition::any([terms])
    }

    /// The condition that all terms of one of `alternatives` hold.
    #[must_use]
    pub fn any(alternatives: impl IntoIterator<Item = Vec<Term>>) -> Condition {
        let unplaced = |term| Placed { term, column: 1 };
        let terms = |terms: Vec<Term>| terms.into_iter().map(unplaced).collect();
        Condition {
            alternatives: alternatives.into_iter().map(terms).collect(),
        }
    }

    /// The condition that the hand of `seat` is within `limits`.
    #[must_use]
    pub fn of_limits(seat: Seat, limits: &Limits) -> Condition {
        let mut terms = Vec::new();
        let lengths = Suit::ALL.map(|suit| (Measure::Length(suit), limits.lengths[suit.index()]));
        for (of, (least, most)) in lengths
            .into_iter()
            .chain([(Measure::Points, limits.points)])
        {
            if (least, most) != (0, of.top()) {
                terms.push(Term::Range {
                    seat: Some(seat),
                    of,
                    least,
                    most,
                });
            }
        }
        let held = limits.cards.cards();
        terms.extend(held.map(|card| Term::Place { seat, card }));
        let lacks = limits.lacks.cards();
        terms.extend(lacks.map(|card| Term::Lack { seat, card }));
        Condition::all(terms)
    }

    /// The condition as a sentence without its end: `East has the king of hearts, or the
    /// spades are split 3-2`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let all = |terms: &Vec<Placed>| {
            let words: Vec<String> = terms.iter().map(|placed| placed.term.in_words()).collect();
            words.join(" and ")
        };
        let each: Vec<String> = self.alternatives.iter().map(all).collect();
        each.join(", or ")
    }

    /// The alternatives, each with the terms that hold together.
    pub fn alternatives(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = Term> + '_> {
        self.alternatives
            .iter()
            .map(|placed| placed.iter().map(|placed| placed.term))
    }

    /// Checks that every term is about the `hidden` hands and their cards,
    /// `unseen`.
    ///
    /// # Errors
    ///
    /// The first term that is not, with the column in which it was written.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), (usize, ConditionError)> {
        for &Placed { term, column } in self.alternatives.iter().flatten() {
            term.check(hidden, unseen)
                .map_err(|error| (column, error))?;
        }
        Ok(())
    }

    /// The condition as limits on each hand, where all of it must hold together.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), and for alternatives.
    pub fn limits(
        &self,
        hidden: &[Seat],
        unseen: Hand,
    ) -> Result<[Limits; 4], (usize, ConditionError)> {
        self.check(hidden, unseen)?;
        match self.cases(hidden, unseen).as_deref() {
            Some(&[case]) => Ok(case),
            _ => {
                let second = self.alternatives.get(1).and_then(|terms| terms.first());
                let placed = second.or_else(|| {
                    let mut all = self.alternatives.iter().flatten();
                    all.find(|of| of.term.cases(hidden, unseen).is_none_or(|of| of.len() != 1))
                });
                let column = placed.map_or(1, |placed| placed.column);
                Err((column, ConditionError::Alternatives))
            }
        }
    }

    /// The condition as cases of which no two share a layout, each with limits on every hand:
    /// a layout fits the condition if it is within one of them. `None` if there are too many, or
    /// limits cannot say it. The condition must have been [checked](Self::check).
    #[must_use]
    pub fn cases(&self, hidden: &[Seat], unseen: Hand) -> Option<Vec<[Limits; 4]>> {
        let mut found: Vec<[Limits; 4]> = Vec::new();
        for terms in &self.alternatives {
            let mut fresh = self.boxes(terms, hidden, unseen).1?;
            for earlier in &found {
                fresh = fresh.iter().flat_map(|case| minus(case, earlier)).collect();
                if fresh.len() > MOST_CASES {
                    return None;
                }
            }
            found.extend(fresh);
            if found.len() > MOST_CASES {
                return None;
            }
        }
        Some(found)
    }

    /// The narrowest limits on each hand around all layouts that fit the condition. It must
    /// have been [checked](Self::check).
    #[must_use]
    pub fn around(&self, hidden: &[Seat], unseen: Hand) -> [Limits; 4] {
        let each = self.alternatives.iter();
        let each = each.filter_map(|terms| self.boxes(terms, hidden, unseen).0);
        each.reduce(|all, more| around(&all, &more))
            .unwrap_or_else(|| {
                let none = Limits {
                    points: (1, 0),
                    ..Limits::default()
                };
                [none; 4]
            })
    }

    /// Limits around the layouts in which all terms hold, if there may be any; and the cases of
    /// these layouts, unless limits cannot say them.
    fn boxes(
        &self,
        terms: &[Placed],
        hidden: &[Seat],
        unseen: Hand,
    ) -> (Option<[Limits; 4]>, Option<Vec<[Limits; 4]>>) {
        let mut hull = Some([Limits::default(); 4]);
        let mut cases = Some(vec![[Limits::default(); 4]]);
        for Placed { term, .. } in terms {
            let Some(of_term) = term.cases(hidden, unseen) else {
                cases = None;
                continue;
            };
            let hull_of_term = of_term
                .iter()
                .copied()
                .reduce(|all, more| around(&all, &more));
            hull = hull.zip(hull_of_term).and_then(|(a, b)| and(&a, &b));
            cases = cases.and_then(|cases| product(&cases, &of_term));
        }
        if let Some(cases) = &cases {
            // Closer than what the terms say one by one.
            hull = cases
                .iter()
                .copied()
                .reduce(|all, more| around(&all, &more));
        }
        (hull, cases)
    }

    /// Whether the hands, by seat, are as the condition says. `hidden` are the
    /// seats that it is about.
    #[must_use]
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let holds = |term: Term| term.holds(hidden, hands);
        self.alternatives().any(|mut terms| terms.all(holds))
    }
}

/// The case that says what both say; nothing if no hand can be so.
fn and(a: &[Limits; 4], b: &[Limits; 4]) -> Option<[Limits; 4]> {
    let both: [Limits; 4] = std::array::from_fn(|seat| a[seat].and(&b[seat]));
    both.iter().all(Limits::can_be).then_some(both)
}

fn around(a: &[Limits; 4], b: &[Limits; 4]) -> [Limits; 4] {
    std::array::from_fn(|seat| a[seat].around(&b[seat]))
}

/// The cases that say what one of the cases and one of the others say; nothing if these are too many.
fn product(a: &[[Limits; 4]], b: &[[Limits; 4]]) -> Option<Vec<[Limits; 4]>> {
    let few = a.len().saturating_mul(b.len()) <= 16 * MOST_CASES;
    let found: Vec<_> = few.then(|| {
        let pairs = a
            .iter()
            .flat_map(|a| b.iter().filter_map(move |b| and(a, b)));
        pairs.collect()
    })?;
    (found.len() <= MOST_CASES).then_some(found)
}

/// The part of a case outside another, in cases of which no two share a layout.
fn minus(case: &[Limits; 4], other: &[Limits; 4]) -> Vec<[Limits; 4]> {
    let mut rest = *case;
    let mut parts = Vec::new();
    for seat in 0..4 {
        for part in rest[seat].minus(&other[seat]) {
            let mut with = rest;
            with[seat] = part;
            parts.push(with);
        }
        rest[seat] = rest[seat].and(&other[seat]);
        if !rest[seat].can_be() {
            break;
        }
    }
    parts
}

impl Term {
    fn in_words(self) -> String {
        let who = match self.seat() {
            Some(seat) => seat.name(),
            None => "each hidden hand",
        };
        match self {
            Term::Range {
                of, least, most, ..
            } => {
                let things = |count: u8| match (of, count) {
                    (Measure::Length(suit), 1) => suit.name().trim_end_matches('s').to_owned(),
                    (Measure::Length(suit), _) => suit.name().to_owned(),
                    (Measure::Points, 1) => "point".to_owned(),
                    (Measure::Points, _) => "points".to_owned(),
                    (Measure::Controls, 1) => "control".to_owned(),
                    (Measure::Controls, _) => "controls".to_owned(),
                    (Measure::Losers, 1) => "loser".to_owned(),
                    (Measure::Losers, _) => "losers".to_owned(),
                    (Measure::Top(suit, top), _) => format!("of the top {top} {}", suit.name()),
                };
                match (least, most) {
                    (0, 0) => format!("{who} has no {}", things(2)),
                    (least, most) if least == most => {
                        format!("{who} has {least} {}", things(least))
                    }
                    (0, most) => format!("{who} has at most {most} {}", things(most)),
                    (least, most) if most == of.top() => {
                        format!("{who} has at least {least} {}", things(least))
                    }
                    (least, most) => format!("{who} has {least} to {most} {}", things(2)),
                }
            }
            Term::Split {
                suit,
                first,
                second,
            } => format!("the {} are split {first}-{second}", suit.name()),
            Term::Place { card, .. } => format!("{who} has the {}", full_name(card)),
            Term::Lack { card, .. } => format!("{who} does not have the {}", full_name(card)),
            Term::Shape {
                lengths: [a, b, c, d],
                ..
            } => format!("{who} is {a}-{b}-{c}-{d}"),
            Term::Balanced { .. } => format!("{who} is balanced"),
        }
    }

    /// The hand that the term is about; `None` if it is about each hidden one.
    const fn seat(self) -> Option<Seat> {
        match self {
            Term::Range { seat, .. } | Term::Shape { seat, .. } | Term::Balanced { seat } => seat,
            Term::Place { seat, .. } | Term::Lack { seat, .. } => Some(seat),
            Term::Split { .. } => None,
        }
    }

    fn check(self, hidden: &[Seat], unseen: Hand) -> Result<(), ConditionError> {
        if let Some(seat) = self.seat().filter(|seat| !hidden.contains(seat)) {
            return Err(ConditionError::VisibleSeat { seat });
        }
        match self {
            Term::Place { card, .. } | Term::Lack { card, .. } if !unseen.contains(card) => {
                Err(ConditionError::NotUnseen { card })
            }
            Term::Split { .. } if hidden.len() != 2 => {
                let hidden = hidden.len();
                Err(ConditionError::SplitOfMany { hidden })
            }
            Term::Split {
                suit,
                first,
                second,
            } if usize::from(first + second) != unseen.suit(suit).len() => {
                let unseen = unseen.suit(suit).len();
                Err(ConditionError::UnfitSplit {
                    suit,
                    unseen,
                    first,
                    second,
                })
            }
            _ => Ok(()),
        }
    }

    /// Cases of which no two share a layout, of the layouts in which the term holds; `None` if
    /// limits cannot say it, or take too many.
    fn cases(self, hidden: &[Seat], unseen: Hand) -> Option<Vec<[Limits; 4]>> {
        let free = [Limits::default(); 4];
        let each = self.seat();
        let seats = each.as_ref().map_or(hidden, std::slice::from_ref);
        let limited = |seat: Seat, limits: Limits| {
            let mut case = free;
            case[seat.index()] = limits;
            case
        };
        let range = |of: Measure, least: u8, most: u8| {
            let mut limits = Limits::default();
            limits.and_range(of, least, most);
            limits
        };
        // The limits on one hand, of which one holds.
        let of_hand: Vec<Limits> = match self {
            Term::Range {
                of: Measure::Controls | Measure::Losers,
                ..
            } => return None,
            Term::Range {
                of: of @ Measure::Top(suit, top),
                least,
                most,
                ..
            } => {
                let honours = unseen
                    .suit(suit)
                    .iter()
                    .filter(|card| of.of((*card).into()) > 0);
                let honours: Vec<Card> = honours.collect();
                debug_assert!(honours.len() <= top.into());
                let sets = (0..1_u32 << honours.len()).filter_map(|set| {
                    let mut limits = Limits::default();
                    for (at, &card) in honours.iter().enumerate() {
                        match set >> at & 1 {
                            1 => limits.cards |= card.into(),
                            _ => limits.lacks |= card.into(),
                        }
                    }
                    let held = limits.cards.len() as u8;
                    (least <= held && held <= most).then_some(limits)
                });
                sets.collect()
            }
            Term::Range {
                of, least, most, ..
            } => vec![range(of, least, most)],
            Term::Place { card, .. } => vec![Limits {
                cards: card.into(),
                ..Limits::default()
            }],
            Term::Lack { card, .. } => vec![Limits {
                lacks: card.into(),
                ..Limits::default()
            }],
            Term::Shape { lengths, .. } => shapes(&[lengths]),
            Term::Balanced { .. } => shapes(&BALANCED),
            Term::Split {
                suit,
                first,
                second,
            } => {
                let (of, [one, other]) = (Measure::Length(suit), two(hidden)?);
                let (least, most) = (first.min(second), first.max(second));
                let both = |a: u8, b: u8| {
                    let mut case = limited(one, range(of, a, a));
                    case[other.index()] = range(of, b, b);
                    case
                };
                if most - least > 1 {
                    return Some(vec![both(least, most), both(most, least)]);
                }
                let mut case = limited(one, range(of, least, most));
                case[other.index()] = range(of, least, most);
                return Some(vec![case]);
            }
        };
        let mut cases = vec![free];
        for &seat in seats {
            let of_seat: Vec<_> = of_hand.iter().map(|&of| limited(seat, of)).collect();
            cases = product(&cases, &of_seat)?;
        }
        Some(cases)
    }

    fn holds(self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let hand = |seat: Seat| hands[seat.index()];
        let each = self.seat();
        let mut all = each.as_ref().map_or(hidden, std::slice::from_ref).iter();
        match self {
            Term::Range {
                of, least, most, ..
            } => all.all(|&seat| (least..=most).contains(&of.of(hand(seat)))),
            Term::Split { suit, first, .. } => hidden
                .iter()
                .any(|&seat| Measure::Length(suit).of(hand(seat)) == first),
            Term::Place { seat, card } => hand(seat).contains(card),
            Term::Lack { seat, card } => !hand(seat).contains(card),
            Term::Shape { lengths, .. } => all.all(|&seat| shape(hand(seat)) == lengths),
            Term::Balanced { .. } => all.all(|&seat| BALANCED.contains(&shape(hand(seat)))),
        }
    }
}

fn full_name(card: Card) -> String {
    format!("{} of {}", card.rank.name(), card.suit.name())
}

fn two(hidden: &[Seat]) -> Option<[Seat; 2]> {
    hidden.try_into().ok()
}

/// The lengths of a hand's suits, the longest first.
fn shape(hand: Hand) -> [u8; 4] {
    let mut lengths = Suit::ALL.map(|suit| hand.suit(suit).len() as u8);
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths
}

/// The limits of hands of one of these shapes, the suits in every order.
fn shapes(shapes: &[[u8; 4]]) -> Vec<Limits> {
    let mut found: Vec<Limits> = Vec::new();
    for shape in shapes {
        for order in 0..4_usize.pow(4) {
            let places: [usize; 4] = std::array::from_fn(|suit| order >> (2 * suit) & 3);
            let all = (0..4).all(|place| places.contains(&place));
            let lengths = places.map(|place| (shape[place], shape[place]));
            if all && !found.iter().any(|of| of.lengths == lengths) {
                found.push(Limits {
                    lengths,
                    ..Limits::default()
                });
            }
        }
    }
    found
}

/// Writes the term as it is read.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let hand = before(seat);
                match (least, most) {
                    (0, most) => write!(f, "{hand}{of}<={most}"),
                    (least, most) if most == of.top() => write!(f, "{hand}{of}>={least}"),
                    (least, most) if seat.is_none() => write!(f, "{of}>={least},{of}<={most}"),
                    (least, most) if least == most => write!(f, "{hand}{of}={least}"),
                    (least, most) => write!(f, "{hand}{of}={least}-{most}"),
                }
            }
            Term::Split {
                suit,
                first,
                second,
            } => write!(f, "{suit}={first}-{second}"),
            Term::Place { seat, card } => write!(f, "{seat}+{card}"),
            Term::Lack { seat, card } => write!(f, "{seat}-{card}"),
            Term::Shape {
                seat,
                lengths: [a, b, c, d],
            } => write!(f, "{}{a}-{b}-{c}-{d}", before(seat)),
            Term::Balanced { seat } => write!(f, "{}balanced", before(seat)),
        }
    }
}

/// The seat and a dot, if there is a seat.
fn before(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!("{seat}."))
}

/// Writes the condition as it is read.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, terms) in self.alternatives.iter().enumerate() {
            if n > 0 {
                f.write_str("|")?;
            }
            for (m, placed) in terms.iter().enumerate() {
                if m > 0 {
                    f.write_str(",")?;
                }
                placed.term.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// Reads terms joined by `,` (and) and `|` (or), with brackets.
impl FromStr for Condition {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Condition, QuestionError> {
        let mut reader = Reader {
            rest: text,
            column: 1,
            depth: 0,
        };
        let alternatives = reader.any(None)?;
        match reader.rest.chars().next() {
            Some(left) => Err(reader.problem(format_args!("{left:?} closes no bracket"))),
            None => Ok(Condition { alternatives }),
        }
    }
}

/// Alternatives, each a list of terms.
type Alternatives = Vec<Vec<Placed>>;

struct Reader<'a> {
    rest: &'a str,
    column: usize,
    depth: usize,
}

impl Reader<'_> {
    fn problem(&self, problem: impl fmt::Display) -> QuestionError {
        QuestionError::new(self.column, problem)
    }

    /// Goes on after `text`, at the start of the rest, and the blanks behind it.
    fn skip(&mut self, text: &str) {
        let rest = &self.rest[text.len()..];
        let blanks = rest.len() - rest.trim_start().len();
        self.column += self.rest[..text.len() + blanks].chars().count();
        self.rest = &rest[blanks..];
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.skip("");
        let found = self.rest.starts_with(mark);
        if found {
            self.skip(mark);
        }
        found
    }

    fn few(&self, found: Alternatives) -> Result<Alternatives, QuestionError> {
        match found.len() > MOST_ALTERNATIVES {
            true => Err(self.problem(format_args!("more than {MOST_ALTERNATIVES} alternatives"))),
            false => Ok(found),
        }
    }

    /// Alternatives; terms that name no hand are about `seat`.
    fn any(&mut self, seat: Option<Seat>) -> Result<Alternatives, QuestionError> {
        let mut found = self.all(seat)?;
        while self.eat("|") {
            found.extend(self.all(seat)?);
            found = self.few(found)?;
        }
        Ok(found)
    }

    fn all(&mut self, seat: Option<Seat>) -> Result<Alternatives, QuestionError> {
        let mut found = self.part(seat)?;
        while self.eat(",") {
            let more = self.part(seat)?;
            if found.len() * more.len() > MOST_ALTERNATIVES {
                return Err(
                    self.problem(format_args!("more than {MOST_ALTERNATIVES} alternatives"))
                );
            }
            let both = |a: &Vec<Placed>| {
                let a = a.clone();
                more.iter().map(move |b| [&a[..], b].concat())
            };
            found = found.iter().flat_map(both).collect();
        }
        Ok(found)
    }

    /// A term, or a condition in brackets, about one hand if a seat is before them.
    fn part(&mut self, seat: Option<Seat>) -> Result<Alternatives, QuestionError> {
        self.skip("");
        let end = self
            .rest
            .find([',', '|', '(', ')'])
            .unwrap_or(self.rest.len());
        let text = &self.rest[..end];
        let place = self.column;
        if self.rest[end..].starts_with('(') {
            let before = text.trim();
            let inside = match (before, before.strip_suffix('.').map(str::parse)) {
                ("", _) => seat,
                (_, Some(Ok(named))) if seat.is_none() => Some(named),
                _ => return Err(not_a_term(place, &self.rest[..end + 1])),
            };
            self.skip(text);
            if self.depth == DEEPEST {
                return Err(self.problem(format_args!("more than {DEEPEST} brackets in brackets")));
            }
            self.depth += 1;
            self.skip("(");
            let found = self.any(inside)?;
            if !self.eat(")") {
                return Err(self.problem("expected a closing bracket"));
            }
            self.depth -= 1;
            return Ok(found);
        }
        let text = text.trim_end();
        let terms = read_terms(text, seat).ok_or_else(|| not_a_term(place, text))?;
        let placed = terms.into_iter().map(|term| Placed {
            term,
            column: place,
        });
        let found = vec![placed.collect()];
        self.skip(text);
        Ok(found)
    }
}

fn not_a_term(column: usize, text: &str) -> QuestionError {
    let found: String = text.chars().take(20).collect();
    let problem = format!(
        "{found:?} is not a condition; expected one as W.S=0-2, S=3-2, S<=3, E.hcp=11-15, \
         N.balanced, E+HK or W-HA (`setrograde help conditions`)"
    );
    QuestionError::new(column, problem)
}

/// The terms of a text without brackets; those that name no hand are about `inside`.
fn read_terms(text: &str, inside: Option<Seat>) -> Option<Vec<Term>> {
    if let Some(found) = read_places(text) {
        return found.filter(|_| inside.is_none());
    }
    let named = text.split_once('.').and_then(|(seat, rest)| {
        // `S.top3` is about the spades, not about South.
        let of_suit = rest
            .get(..3)
            .is_some_and(|top| top.eq_ignore_ascii_case("top"));
        let seat = seat.trim().parse::<Seat>().ok().filter(|_| !of_suit)?;
        Some((seat, rest.trim()))
    });
    let (seat, text) = match (named, inside) {
        (Some(_), Some(_)) => return None,
        (Some((seat, rest)), None) => (Some(seat), rest),
        (None, inside) => (inside, text),
    };
    if text.eq_ignore_ascii_case("balanced") {
        return Some(vec![Term::Balanced { seat }]);
    }
    if let Some(lengths) = read_shape(text) {
        return Some(vec![Term::Shape { seat, lengths }]);
    }
    let (subject, rest) = text.split_at(text.find(['=', '<', '>'])?);
    let of = read_measure(subject.trim())?;
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok();
        number.filter(|&number: &u8| digits && number <= of.top())
    };
    let range = |least, most| {
        Some(vec![Term::Range {
            seat,
            of,
            least,
            most,
        }])
    };
    if let Some(most) = rest.strip_prefix("<=") {
        return range(0, number(most)?);
    }
    if let Some(least) = rest.strip_prefix(">=") {
        return range(number(least)?, of.top());
    }
    if let Some(above) = rest.strip_prefix('<') {
        return range(0, number(above)?.checked_sub(1)?);
    }
    if let Some(below) = rest.strip_prefix('>') {
        let least = number(below)? + 1;
        return (least <= of.top()).then(|| range(least, of.top()))?;
    }
    let rest = rest.strip_prefix('=')?;
    if let Some(least) = rest.trim_end().strip_suffix('+') {
        return range(number(least)?, of.top());
    }
    match (rest.split_once('-'), seat) {
        (Some((first, second)), None) => match of {
            Measure::Length(suit) => Some(vec![Term::Split {
                suit,
                first: number(first)?,
                second: number(second)?,
            }]),
            _ => None,
        },
        (Some((least, most)), Some(_)) => range(number(least)?, number(most)?),
        (None, Some(_)) => range(number(rest)?, number(rest)?),
        (None, None) => None,
    }
}

/// The terms of a text as `E+HK`, `W-HA` or `E+SAK`, if it is of this form.
fn read_places(text: &str) -> Option<Option<Vec<Term>>> {
    let (seat, cards) = text.split_at(text.find(['+', '-'])?);
    let seat: Seat = seat.trim().parse().ok()?;
    let held = cards.starts_with('+');
    let read = || {
        let cards = cards[1..].trim();
        let cards: Vec<Card> = match cards.parse() {
            Ok(card) => vec![card],
            Err(_) => {
                let suit = cards.get(..cards.chars().next()?.len_utf8())?;
                let ranks: Holding = cards[suit.len()..].parse().ok()?;
                let suit: Suit = suit.parse().ok()?;
                ranks.iter().map(|rank| Card::new(suit, rank)).collect()
            }
        };
        let term = |card| match held {
            true => Term::Place { seat, card },
            false => Term::Lack { seat, card },
        };
        (!cards.is_empty()).then(|| cards.into_iter().map(term).collect())
    };
    Some(read())
}

/// A shape as `5-3-3-2` or `5332`, the longest suit first.
fn read_shape(text: &str) -> Option<[u8; 4]> {
    let parts: Vec<&str> = match text.contains('-') {
        true => text.split('-').map(str::trim).collect(),
        false if text.len() == 4 && text.is_ascii() => (0..4).map(|at| &text[at..=at]).collect(),
        false => return None,
    };
    let read = |part: &&str| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse()
            .ok()
            .filter(|&length: &u8| digits && length <= 13)
    };
    let lengths = parts.iter().map(read).collect::<Option<Vec<u8>>>()?;
    let mut lengths: [u8; 4] = lengths.try_into().ok()?;
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    (lengths.iter().sum::<u8>() == 13).then_some(lengths)
}

fn read_measure(text: &str) -> Option<Measure> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    if is("hcp") {
        return Some(Measure::Points);
    }
    if is("controls") {
        return Some(Measure::Controls);
    }
    if is("losers") {
        return Some(Measure::Losers);
    }
    let Some((suit, top)) = text.split_once('.') else {
        return text.parse().ok().map(Measure::Length);
    };
    let suit = suit.trim().parse().ok()?;
    match top.trim() {
        top if top.eq_ignore_ascii_case("top3") => Some(Measure::Top(suit, 3)),
        top if top.eq_ignore_ascii_case("top5") => Some(Measure::Top(suit, 5)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        for text in [
            "W.S=1-2",
            "W.S<=2",
            "W.S>=1",
            "W.S=2",
            "S=3-2",
            "S<=3",
            "E.hcp=11-15",
            "E.hcp>=12",
            "hcp<=9",
            "E+HK",
            "E+HK,S=3-2|W.S=4",
            "W-HA",
            "N.balanced",
            "balanced",
            "N.5-4-3-1",
            "N.controls>=5",
            "losers<=7",
            "N.S.top3>=2",
            "S.top5<=1",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
        }
        for (text, same) in [
            ("E+HKQ", "E+HK,E+HQ"),
            ("W-♥A10", "W-HA,W-HT"),
            ("W.S<3,W.S>4", "W.S<=2,W.S>=5"),
            ("E.hcp=12+", "E.hcp>=12"),
            ("N.5431", "N.5-4-3-1"),
            ("N.2-3-3-5", "N.5-3-3-2"),
            ("(W.S>=5|W.H>=5),E+HK", "W.S>=5,E+HK|W.H>=5,E+HK"),
            ("W.( S>=5 | H>=5 )", "W.S>=5|W.H>=5"),
            ("(((E+HK)))", "E+HK"),
            ("S.S>=2,S.top3>=1", "S.S>=2,S.top3>=1"),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), same, "{text}");
        }
    }

    #[test]
    fn in_words() {
        for (text, words) in [
            ("E+HK", "East has the king of hearts"),
            (
                "W-HA,S=3-2",
                "West does not have the ace of hearts and the spades are split 3-2",
            ),
            ("W.S=1|W.S=0", "West has 1 spade, or West has no spades"),
            (
                "N.hcp=15-17,N.balanced",
                "North has 15 to 17 points and North is balanced",
            ),
            ("S<=3", "each hidden hand has at most 3 spades"),
            ("N.5431", "North is 5-4-3-1"),
            ("N.S.top3>=2", "North has at least 2 of the top 3 spades"),
            (
                "N.losers<=7,N.controls>=1",
                "North has at most 7 losers and North has at least 1 control",
            ),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.in_words(), words);
        }
    }

    /// Every line of the text that help and documents show.
    #[test]
    fn what_the_help_teaches_is_read() {
        for line in CONDITIONS.lines() {
            let (text, meaning) = line.split_once("  ").expect("a meaning");
            let condition: Condition = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(condition.to_string().parse(), Ok(condition), "{text}");
            for also in meaning
                .split_once("also ")
                .map_or("", |(_, also)| also)
                .split(", ")
            {
                assert!(
                    also.is_empty() || also.parse::<Condition>().is_ok(),
                    "{also}"
                );
            }
            assert!(
                !meaning.trim().is_empty() && line.chars().count() <= 80,
                "{line}"
            );
        }
    }

    #[test]
    fn blanks_and_case_do_not_matter() {
        let spaced: Condition = " e+hk , s=3-2 | w.s=0-2,E.HCP=0-40".parse().unwrap();
        assert_eq!(spaced.to_string(), "E+HK,S=3-2|W.S<=2,E.hcp<=40");
    }

    #[test]
    fn equal_conditions_have_equal_terms() {
        let read = |text: &str| text.parse::<Condition>().unwrap();
        assert_eq!(read("E+HK, S=3-2"), read("E+HK,S=3-2"));
        assert_ne!(read("E+HK"), read("E+HQ"));
        // A range of each hidden hand is not a split.
        let each = Term::Range {
            seat: None,
            of: Measure::Length(Suit::Spades),
            least: 1,
            most: 3,
        };
        let text = Condition::all(vec![each]).to_string();
        assert_eq!(text, "S>=1,S<=3");
    }

    #[test]
    fn errors_name_their_column() {
        for (text, column) in [
            ("", 1),
            ("E+HK,", 6),
            ("E+HK, X", 7),
            ("S=3-2|S=14-0", 7),
            ("S=3", 1),
            ("W.S", 1),
            ("W.S=+1", 1),
            ("E+H", 1),
            ("E.hcp=41", 1),
            ("hcp=3-2", 1),
            ("E:S5-8", 1),
            ("(E+HK", 6),
            ("E+HK)", 5),
            ("N.(E+HK)", 4),
            ("E+HK,N(S=1)", 6),
            ("N.5-4-3-2", 1),
            ("W.S>13", 1),
            ("W.S<0", 1),
            ("W+H", 1),
            ("N.S.top4>=1", 1),
        ] {
            let error = text.parse::<Condition>().unwrap_err();
            assert_eq!(error.column(), column, "{text}");
        }
    }

    #[test]
    fn terms_fit_the_hidden_cards() {
        let unseen: Hand = "KT98.K2..".parse().unwrap();
        let hidden = [Seat::East, Seat::West];
        let check = |text: &str| {
            let condition: Condition = text.parse().unwrap();
            let found = condition.check(&hidden, unseen);
            found.map_err(|(column, error)| format!("{column}: {error}"))
        };
        assert_eq!(check("E+SK,S=3-1|W.H>=1,hcp<=4"), Ok(()));
        let error = |text: &str| check(text).unwrap_err();
        assert!(error("E+SK,N.S=0").starts_with("6: North is visible"));
        assert!(error("E+SK|S+HK").starts_with("6: South is visible"));
        assert_eq!(error(" E+SA"), "2: the SA is not one of the unseen cards");
        assert_eq!(
            error("S=3-2"),
            "1: 4 spades are unseen, which cannot be split 3-2"
        );
        let three = [Seat::East, Seat::South, Seat::West];
        let split: Condition = "S=2-2".parse().unwrap();
        let (_, error) = split.check(&three, unseen).unwrap_err();
        assert_eq!(error, ConditionError::SplitOfMany { hidden: 3 });
    }

    #[test]
    fn limits_say_the_same_as_the_condition() {
        let unseen: Hand = "KT98.K2..".parse().unwrap();
        let hidden = [Seat::East, Seat::West];
        for text in [
            "E+SK",
            "W.hcp=3-6,S<=3",
            "S=2-2,E.H>=1",
            "hcp>=3",
            "E+SK,E+HK,W.S=3",
            "H=2-0|S=1-3",
            "S=4-0",
            "E-SK",
            "(E+SK|W.S=3),hcp<=6",
            "E.S.top3=1|W+HK",
            "W.(S>=3|H=2)",
            "S<=3|E+HK|E-S9",
            "E.losers<=3",
            "E.controls=1|W.S=2",
        ] {
            let condition: Condition = text.parse().unwrap();
            let limits = condition.limits(&hidden, unseen);
            let cases = condition.cases(&hidden, unseen);
            let said = !text.contains("losers") && !text.contains("controls");
            assert_eq!(cases.is_some(), said, "{text}");
            let around = condition.around(&hidden, unseen);
            if text.contains('|') || text == "S=4-0" || !said {
                assert!(
                    matches!(limits, Err((_, ConditionError::Alternatives))),
                    "{text}"
                );
            } else {
                assert!(limits.is_ok() || text.contains("top"), "{text}");
            }
            let mut allowed = 0;
            for n in 0..1 << 6 {
                let of_east = |(at, _): &(usize, Card)| n >> at & 1 == 1;
                let (east, west): (Vec<_>, Vec<_>) = unseen.iter().enumerate().partition(of_east);
                let hand = |cards: Vec<(usize, Card)>| cards.into_iter().map(|(_, card)| card);
                let mut hands = [Hand::EMPTY; 4];
                hands[Seat::East.index()] = hand(east).collect();
                hands[Seat::West.index()] = hand(west).collect();
                let allows = condition.allows(&hidden, &hands);
                allowed += u32::from(allows);
                let within = |case: &[Limits; 4]| {
                    hidden
                        .iter()
                        .all(|s| case[s.index()].allow(hands[s.index()]))
                };
                assert!(!allows || within(&around), "{text} {}", hands[1]);
                if let Some(cases) = &cases {
                    // Each layout that fits is in one case.
                    let found = cases.iter().filter(|case| within(case)).count();
                    assert_eq!(found, usize::from(allows), "{text} {}", hands[1]);
                }
                if let Ok(limits) = limits {
                    let again = Condition::of_limits(Seat::East, &limits[1]);
                    assert_eq!(again.allows(&hidden, &hands), limits[1].allow(hands[1]));
                    let within = (0..4).all(|seat| {
                        hands[seat].is_empty() && seat % 2 == 0 || limits[seat].allow(hands[seat])
                    });
                    assert_eq!(allows, within, "{text} {}", hands[1]);
                }
            }
            assert!(allowed > 0 && allowed < 64, "{text}: {allowed}");
        }
    }
}
