//! Conditions as limits on each hand, in disjoint cases.

use std::collections::HashMap;
use std::rc::Rc;

use setrograde_cards::{Card, Hand, Seat, Suit};

use super::{Condition, ConditionError, Linear, Placed, Shapes, Term, orders};
use crate::limits::{ANY_CASE, Case, Limits, Measure, MeasureKind};

/// Maximum number of cases of a condition.
const MOST_CASES: usize = 1024;

impl Condition {
    /// Returns the condition as limits on each hand; all of its terms must hold together.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), and for alternatives.
    pub fn limits(
        &self,
        hidden: &[Seat],
        unseen: Hand,
    ) -> Result<[Limits; 4], (usize, ConditionError)> {
        let fitted = self.fit(hidden, unseen, &mut Steps::default())?;
        match fitted.cases.as_deref() {
            Some(&[case]) => Ok(case),
            _ => {
                let second = self.alternatives.get(1).and_then(|terms| terms.first());
                let is_many =
                    |of: &&Placed| of.cases(hidden, unseen).is_none_or(|of| of.len() != 1);
                let placed = second.or_else(|| self.terms().find(is_many));
                let column = placed.map_or(1, |placed| placed.column);
                Err((column, ConditionError::Alternatives))
            }
        }
    }

    /// The limits around the matching layouts, and the condition as disjoint cases.
    ///
    /// # Errors
    ///
    /// The first term that is not about the `hidden` hands and their cards, `unseen`, with the
    /// column in which it was written; or the whole condition if it can never hold.
    pub fn fit(
        &self,
        hidden: &[Seat],
        unseen: Hand,
        steps: &mut Steps,
    ) -> Result<Fitted, (usize, ConditionError)> {
        for &Placed { term, column, .. } in self.terms() {
            term.check(hidden, unseen)
                .map_err(|error| (column, error))?;
        }
        let mut taken = Taken::new();
        let mut around: Option<Case> = None;
        let mut cases = Some(Vec::new());
        for terms in &self.alternatives {
            let (hull, fresh) = boxes(terms, hidden, unseen, &mut taken, steps);
            if let Some(hull) = hull {
                around = Some(around.map_or(hull, |all| self::around(&all, &hull)));
            }
            cases = cases.zip(fresh).and_then(|(mut found, mut fresh)| {
                for earlier in &found {
                    steps.take(fresh.len())?;
                    fresh = without(&fresh, earlier);
                    if fresh.len() > MOST_CASES {
                        return None;
                    }
                }
                found.extend(fresh);
                (found.len() <= MOST_CASES).then_some(found)
            });
        }
        match around {
            Some(around) => Ok(Fitted { around, cases }),
            None => {
                let condition = self.to_string();
                Err((1, ConditionError::Never { condition }))
            }
        }
    }
}

/// Steps that are left for taking conditions apart into cases. Once they are used up, conditions
/// have no cases.
#[derive(Clone, Copy, Debug)]
pub struct Steps(usize);

/// A quarter of a million, which take some ten milliseconds.
impl Default for Steps {
    fn default() -> Steps {
        Steps(1 << 18)
    }
}

impl Steps {
    /// Takes `count` steps; `None` if fewer are left.
    pub fn take(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.saturating_sub(count);
        (self.0 > 0).then_some(())
    }
}

/// What limits say about a condition.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The narrowest limits found on each hand that include all matching layouts.
    pub around: [Limits; 4],
    /// Disjoint cases, each with limits on every hand: a layout satisfies the condition if it is
    /// within one of them. `None` if there are too many, or limits cannot express it.
    pub cases: Option<Vec<[Limits; 4]>>,
}

impl Fitted {
    /// Returns true if the limits say all that the condition does.
    pub fn is_limits(&self) -> bool {
        matches!(&self.cases, Some(cases) if cases[..] == [self.around])
    }
}

/// The cases of terms, and whether they hold.
pub(crate) type Taken = HashMap<(Term, bool), Option<Rc<[Case]>>>;

/// Limits around the layouts in which all terms hold, if there may be any; and the cases of these
/// layouts, unless limits cannot express them or no steps are left.
pub(crate) fn boxes(
    terms: &[Placed],
    hidden: &[Seat],
    unseen: Hand,
    taken: &mut Taken,
    steps: &mut Steps,
) -> (Option<Case>, Option<Vec<Case>>) {
    let hull_of = |cases: &[Case]| {
        let cases = cases.iter().copied();
        cases.reduce(|all, more| around(&all, &more))
    };
    let mut hull = Some(ANY_CASE);
    let mut cases = Some(vec![ANY_CASE]);
    for placed in terms {
        let of_term = taken
            .entry((placed.term, placed.holds))
            .or_insert_with(|| placed.cases(hidden, unseen).map(Rc::from));
        let Some(of_term) = of_term else {
            cases = None;
            continue;
        };
        hull = hull.zip(hull_of(of_term)).and_then(|(a, b)| and(&a, &b));
        cases = cases.and_then(|cases| {
            let pairs = cases.len() * of_term.len();
            steps.take(pairs)?;
            let are_few = pairs <= 16 * MOST_CASES;
            are_few.then(|| product(&cases, of_term, MOST_CASES))?
        });
    }
    if let Some(cases) = &cases {
        // Tighter than the terms separately.
        hull = hull_of(cases);
    }
    (hull, cases)
}

/// The conjunction of two cases; `None` if no hand satisfies both.
pub(crate) fn and(a: &Case, b: &Case) -> Option<Case> {
    let both: Case = std::array::from_fn(|seat| a[seat].and(&b[seat]));
    both.iter().all(Limits::can_be).then_some(both)
}

fn around(a: &Case, b: &Case) -> Case {
    std::array::from_fn(|seat| a[seat].around(&b[seat]))
}

/// The conjunctions of one of the cases and one of the other cases; `None` if there are more than
/// `most`.
pub(crate) fn product(a: &[Case], b: &[Case], most: usize) -> Option<Vec<Case>> {
    let mut found = Vec::new();
    for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
        found.extend(and(a, b));
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}

/// The part of a case outside another, in disjoint cases.
pub(crate) fn minus(case: &Case, other: &Case) -> Vec<Case> {
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

/// The parts of disjoint cases outside another.
pub(crate) fn without(cases: &[Case], other: &Case) -> Vec<Case> {
    cases.iter().flat_map(|case| minus(case, other)).collect()
}

impl Placed {
    /// Disjoint cases of the matching layouts; `None` if limits cannot express them, or there would
    /// be too many.
    fn cases(&self, hidden: &[Seat], unseen: Hand) -> Option<Vec<Case>> {
        let of_term = self.term.cases(hidden, unseen)?;
        if self.holds {
            return Some(of_term);
        }
        let mut rest = vec![ANY_CASE];
        for case in &of_term {
            rest = without(&rest, case);
            if rest.len() > MOST_CASES {
                return None;
            }
        }
        Some(rest)
    }
}

impl Linear {
    /// Disjoint cases in which a sum of several measures is within its bounds.
    fn cases(&self, hidden: &[Seat], unseen: Hand) -> Option<Vec<Case>> {
        let can = |of: Measure| match of.kind() {
            MeasureKind::Length(_) => true,
            // Points of several hands at once take much memory.
            MeasureKind::Points => hidden.len() == 2,
            MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) | MeasureKind::Top(..) => false,
        };
        let part = |(seat, of, sign)| Some((seat?, of, sign)).filter(|_| can(of));
        let parts: Vec<(Seat, Measure, i16)> = self.parts().map(part).collect::<Option<_>>()?;
        let (least, most) = self.bounds();
        let (&(seat, of, sign), others) = parts.split_last()?;
        let mut cases = vec![(ANY_CASE, 0)];
        for &(seat, of, sign) in others {
            let most = of.of(unseen);
            let with = |&(case, sum): &(Case, i16)| {
                (0..=most).filter_map(move |value| {
                    let mut case: Case = case;
                    case[seat] = case[seat].and_range(of, value, value)?;
                    Some((case, sum + sign * i16::from(value)))
                })
            };
            cases = cases.iter().flat_map(with).collect();
            if cases.len() > MOST_CASES {
                return None;
            }
        }
        let last = cases.into_iter().filter_map(|(mut case, sum)| {
            let (low, high) = match sign {
                1 => (least - sum, most - sum),
                _ => (sum - most, sum - least),
            };
            let top = i16::from(of.of(unseen));
            let (low, high) = (low.max(0), high.min(top));
            if low > high {
                return None;
            }
            case[seat] = case[seat].and_range(of, low as u8, high as u8)?;
            case[seat].can_be().then_some(case)
        });
        Some(last.collect())
    }

    /// Disjoint limits on a hand whose `of`, the only measure, is within the bounds.
    fn of_hand(&self, of: Measure, unseen: Hand) -> Option<Vec<Limits>> {
        let (least, most) = self.bounds();
        if least > most {
            return Some(Vec::new());
        }
        let MeasureKind::Top(..) = of.kind() else {
            let limits = Limits::default().and_range(of, least as u8, most as u8)?;
            return Some(vec![limits]);
        };
        let honours: Vec<Card> = of.counted(unseen)?.iter().collect();
        let sets = (0..1_u32 << honours.len()).filter_map(|set| {
            let mut limits = Limits::default();
            for (at, &card) in honours.iter().enumerate() {
                match set >> at & 1 {
                    1 => limits.cards |= card.into(),
                    _ => limits.lacks |= card.into(),
                }
            }
            let held = limits.cards.len() as i16;
            (least <= held && held <= most).then_some(limits)
        });
        Some(sets.collect())
    }
}

impl Term {
    /// Disjoint cases of the layouts in which the term holds; `None` if limits cannot express them,
    /// or there would be too many.
    fn cases(self, hidden: &[Seat], unseen: Hand) -> Option<Vec<Case>> {
        let (seat, of_hand) = match self {
            Term::Linear(linear) => match linear.single() {
                Some((seat, of)) => (seat, linear.of_hand(of, unseen)?),
                None => return linear.cases(hidden, unseen),
            },
            Term::Shape { seat, shapes } => (seat, shapes.limits()),
            Term::Holds { seat, card } => {
                let holds = Limits {
                    cards: card.into(),
                    ..Limits::default()
                };
                (Some(seat), vec![holds])
            }
            Term::Split {
                suit,
                first,
                second,
            } => return split(suit, first, second, hidden),
        };
        let mut cases = vec![ANY_CASE];
        for &seat in seat.as_ref().map_or(hidden, std::slice::from_ref) {
            let limited = |&limits: &Limits| {
                let mut case = ANY_CASE;
                case[seat] = limits;
                case
            };
            let of_seat: Vec<_> = of_hand.iter().map(limited).collect();
            cases = product(&cases, &of_seat, MOST_CASES)?;
        }
        Some(cases)
    }
}

/// The cases of a split of a suit between two hands.
fn split(suit: Suit, first: u8, second: u8, hidden: &[Seat]) -> Option<Vec<Case>> {
    let [one, other]: [Seat; 2] = hidden.try_into().ok()?;
    let (least, most) = (first.min(second), first.max(second));
    let both = |a: (u8, u8), b: (u8, u8)| {
        let mut case = ANY_CASE;
        (case[one].lengths[suit], case[other].lengths[suit]) = (a, b);
        case
    };
    if most - least <= 1 {
        return Some(vec![both((least, most), (least, most))]);
    }
    let (least, most) = ((least, least), (most, most));
    Some(vec![both(least, most), both(most, least)])
}

impl Shapes {
    /// Disjoint limits on hands of the shapes.
    fn limits(self) -> Vec<Limits> {
        match self {
            Shapes::Of(_) => self.each().flat_map(in_all_orders).collect(),
            Shapes::WithLength(length) => with_suit_of(length),
        }
    }
}

/// The limits of hands with a suit of this length, by the first such suit.
fn with_suit_of(length: u8) -> Vec<Limits> {
    let mut found = Vec::new();
    let mut without = vec![Limits::default()];
    for suit in Suit::ALL {
        let mut next = Vec::new();
        for limits in without {
            let mut with = limits;
            with.lengths[suit] = (
                with.lengths[suit].0.max(length),
                with.lengths[suit].1.min(length),
            );
            found.push(with);
            next.extend(limits.minus(&with));
        }
        without = next;
    }
    found
}

/// The limits of hands of this shape, the suits in every order.
fn in_all_orders(shape: [u8; 4]) -> Vec<Limits> {
    let mut found: Vec<Limits> = Vec::new();
    for order in orders() {
        let lengths = order.map(|at| (shape[at], shape[at]));
        if !found.iter().any(|of| of.lengths == lengths) {
            found.push(Limits {
                lengths,
                ..Limits::default()
            });
        }
    }
    found
}
