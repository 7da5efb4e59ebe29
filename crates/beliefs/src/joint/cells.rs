//! Conditions as cells: a cell limits the lengths and cards of each hand, and then the points,
//! controls and losers.

use setrograde_cards::{Card, Hand, Rank, Seat, Sorting, Suit};

use super::suits::{Dimension, Dimensions, HOLDERS, Key, MOST_DIMENSIONS, REST, SuitSubject};
use crate::condition::{Placed, Steps, Summand, Taken, Term, and, boxes, minus, without};
use crate::facts::{FactSummary, Given};
use crate::limits::{ANY_CASE, Case, Limits, Measure, MeasureKind};

/// Maximum number of cells.
const MOST_CELLS: usize = 1024;

/// The hands of each holder: one or two hands that are counted separately, each a holder, and the
/// other hands together.
pub(super) type Holders = [Vec<Seat>; HOLDERS];

/// Returns the holder that consists of this seat only.
fn holder(hands: &Holders, seat: Seat) -> Option<usize> {
    hands.iter().position(|seats| seats[..] == [seat])
}

/// The parts of the conditions that are left out to reduce the number of cells. They are checked on
/// each layout that is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftOut {
    /// The lengths and cards of these holders.
    pub boxes: [bool; HOLDERS],
    /// The points, controls and losers of these holders.
    pub values: [bool; HOLDERS],
}

/// A cell: limits on the lengths and cards of each hand, and for each condition the alternatives that
/// hold in the cell if their values do; `None` if the condition holds for all values. The limits on
/// points are the first condition, of one alternative.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub limits: Case,
    pub alternatives: Vec<Option<AlternativeSet>>,
}

/// A set of alternatives: at most 256.
type AlternativeSet = [u64; 4];

/// The conditions of layouts in cells.
#[derive(Debug)]
pub(super) struct Cells {
    pub hands: Holders,
    pub cells: Vec<Cell>,
    /// The terms on values that are kept, by condition and alternative; first the limits on points.
    terms: Vec<Vec<Vec<Placed>>>,
    hidden: Vec<Seat>,
    unseen: Hand,
    pub dimensions: Dimensions,
    /// True if nothing is left out.
    pub exact: bool,
}

impl Cells {
    /// The cells of the layouts within limits that satisfy conditions; `None` if they would take
    /// too many `steps`.
    pub(super) fn new(
        summary: &FactSummary,
        given: &[Given],
        hands: Holders,
        left_out: LeftOut,
        steps: &mut Steps,
    ) -> Option<Cells> {
        let mut all = Cell {
            limits: ANY_CASE,
            alternatives: vec![Some([1, 0, 0, 0])],
        };
        let hidden = hands.concat();
        let mut exact = true;
        let mut points: Vec<Placed> = Vec::new();
        for &seat in &hidden {
            let mut limits = summary.limits[seat];
            // Cards are weights already.
            (limits.cards, limits.lacks) = (Hand::EMPTY, Hand::EMPTY);
            let Some(holder) = holder(&hands, seat) else {
                exact &= limits == Limits::default();
                continue;
            };
            if limits.limit_points() {
                if left_out.values[holder] {
                    exact = false;
                } else {
                    let bounds = limits.points;
                    points.push(Term::range(Some(seat), Measure::Points, bounds).into());
                }
                limits.points = Limits::default().points;
            }
            if left_out.boxes[holder] && limits != Limits::default() {
                exact = false;
            } else {
                all.limits[seat] = limits;
            }
        }
        let mut cells = Cells {
            hands,
            cells: vec![all],
            terms: vec![vec![points.clone()]],
            hidden,
            unseen: summary.unseen,
            dimensions: Vec::new(),
            exact,
        };
        let terms = given.iter().flat_map(|given| given.condition.terms());
        let counted = terms.filter(|placed| cells.is_counted(placed, left_out));
        let wanted = points.iter().chain(counted);
        let wanted = wanted.flat_map(|placed| cells.wanted(placed)).collect();
        let with_most = |dimension: Dimension| {
            let of_terms = |terms: &[Placed]| most_of(terms, dimension, &cells.hands);
            let of_given = given.iter().map(|given| {
                let each = given.condition.alternatives().map(of_terms);
                each.max().unwrap_or(u8::MAX)
            });
            (dimension, of_given.fold(of_terms(&points), u8::min))
        };
        cells.dimensions = dimensions(wanted).into_iter().map(with_most).collect();
        for given in given {
            cells.divide(given, left_out, steps)?;
        }
        Some(cells)
    }

    /// The byte of the last dimension in a key.
    pub(super) fn last(&self) -> usize {
        match self.dimensions.len() {
            0 => 7,
            count => 1 + count,
        }
    }

    /// Returns true if a term is about the points, controls and losers alone, of hands that are
    /// counted alone.
    fn is_counted(&self, placed: &Placed, left_out: LeftOut) -> bool {
        let is_kept = |&seat: &Seat| {
            let holder = holder(&self.hands, seat);
            holder.is_some_and(|holder| !left_out.values[holder])
        };
        let mut measures = placed.term.measures();
        measures.next().is_some_and(is_value)
            && measures.all(is_value)
            && self.seats_of(placed).iter().all(is_kept)
    }

    /// The seats that a term is about.
    fn seats_of(&self, placed: &Placed) -> Vec<Seat> {
        match placed.seats() {
            seats if seats.is_empty() => self.hidden.clone(),
            seats => seats,
        }
    }

    /// Dimensions that determine the measures of a term: the sum of the hand with the remaining cards
    /// is the total minus those of the other hands.
    fn apart(&self, placed: &Placed) -> Vec<Dimension> {
        let mut found = Vec::new();
        for seat in self.seats_of(placed) {
            for of in placed.term.measures() {
                match holder(&self.hands, seat) {
                    Some(REST) if of.of_card().is_some() => {
                        let others = (0..REST).filter(|&other| !self.hands[other].is_empty());
                        found.extend(others.map(|other| (1 << other, of)));
                    }
                    Some(holder) => found.push((1 << holder, of)),
                    None => {}
                }
            }
        }
        found
    }

    /// The dimension of a term about the sum of a measure of two hands.
    fn together(&self, placed: &Placed) -> Option<Dimension> {
        let parts: Vec<Summand> = placed.term.linear()?.parts().collect();
        let [(Some(one), of, 1), (Some(other), same, 1)] = parts[..] else {
            return None;
        };
        let holders = [one, other].map(|seat| holder(&self.hands, seat));
        (of == same && (holders == [Some(0), Some(1)] || holders == [Some(1), Some(0)]))
            .then_some((0b11, of))
    }

    /// The dimensions that a term on values needs.
    fn wanted(&self, placed: &Placed) -> Vec<Dimension> {
        let together = self.together(placed).map(|of| vec![of]);
        together.unwrap_or_else(|| self.apart(placed))
    }

    fn has_dimensions(&self, placed: &Placed) -> bool {
        let has = |of: &Dimension| self.dimensions.iter().any(|(dimension, _)| dimension == of);
        self.together(placed).as_ref().is_some_and(has) || self.apart(placed).iter().all(has)
    }

    /// Divides the cells by another condition.
    fn divide(&mut self, given: &Given, left_out: LeftOut, steps: &mut Steps) -> Option<()> {
        let mut taken = Taken::new();
        let (mut terms, mut all_boxes) = (Vec::new(), Vec::new());
        for alternative in given.condition.alternatives() {
            let (mut of_boxes, mut values) = (Vec::new(), Vec::new());
            for placed in alternative {
                if !placed.term.measures().any(is_value) {
                    of_boxes.push(*placed);
                } else if self.is_counted(placed, left_out) && self.has_dimensions(placed) {
                    values.push(*placed);
                } else {
                    self.exact = false;
                }
            }
            all_boxes.push(self.boxes(&of_boxes, left_out, &mut taken, steps));
            terms.push(values);
        }
        let mut divided = Vec::new();
        for cell in std::mem::take(&mut self.cells) {
            let mut pieces = CellPieces::new();
            for (number, boxes) in all_boxes.iter().enumerate() {
                let is_sure = terms[number].is_empty();
                for limits in boxes {
                    pieces = with_box(pieces, &cell.limits, limits, (number, is_sure), steps)?;
                    if pieces.len() + divided.len() > MOST_CELLS {
                        return None;
                    }
                }
            }
            divided.extend(pieces.into_iter().map(|(limits, alternatives)| {
                let mut all = cell.alternatives.clone();
                all.push(alternatives);
                Cell {
                    limits,
                    alternatives: all,
                }
            }));
        }
        self.cells = divided;
        self.terms.push(terms);
        Some(())
    }

    /// The boxes in which terms on lengths and cards hold, without what is left out of them.
    fn boxes(
        &mut self,
        terms: &[Placed],
        left_out: LeftOut,
        taken: &mut Taken,
        steps: &mut Steps,
    ) -> Vec<Case> {
        let found = match boxes(terms, &self.hidden, self.unseen, taken, steps) {
            (_, Some(found)) => found,
            (Some(hull), None) => {
                self.exact = false;
                vec![hull]
            }
            (None, None) => Vec::new(),
        };
        let mut seen: Vec<Case> = Vec::with_capacity(found.len());
        for mut limits in found {
            for &seat in &self.hidden {
                let holder = holder(&self.hands, seat);
                let is_kept = holder.is_some_and(|holder| !left_out.boxes[holder]);
                if !is_kept && limits[seat] != Limits::default() {
                    self.exact = false;
                    limits[seat] = Limits::default();
                }
            }
            if seen.last() != Some(&limits) {
                seen.push(limits);
            }
        }
        seen
    }

    /// Returns true if the values of a key, in a cell, are as the conditions say.
    pub(super) fn fits(&self, alternatives: &[Option<AlternativeSet>], totals: Key) -> bool {
        let bytes = totals.to_le_bytes();
        let counted = |holder: usize, of: Measure| {
            let find = |holders: u8| {
                let mut dimensions = self.dimensions.iter();
                let at = dimensions.position(|&(dimension, _)| dimension == (holders, of));
                at.map(|at| bytes[2 + at])
            };
            // Of a sum, all that counts is the sum: it is the first hand's.
            let first = || (holder == 0).then(|| find(0b11)).flatten();
            find(1 << holder).or_else(first).unwrap_or(0)
        };
        let value = |seat: Seat, of: Measure| match holder(&self.hands, seat) {
            Some(REST) if of.of_card().is_some() => {
                let others = (0..REST).map(|holder| counted(holder, of));
                of.of(self.unseen).saturating_sub(others.sum())
            }
            Some(holder) => counted(holder, of),
            None => 0,
        };
        let holds = |placed: &Placed| {
            let linear = placed.term.linear();
            linear.is_some_and(|linear| linear.holds(&self.hidden, value) == placed.holds)
        };
        alternatives.iter().zip(&self.terms).all(|(set, terms)| {
            set.is_none_or(|set| {
                let mut numbers = 0..terms.len();
                numbers.any(|number| {
                    set[number / 64] >> (number % 64) & 1 == 1 && terms[number].iter().all(holds)
                })
            })
        })
    }

    /// The cards of a suit, and what each holder may have of them, in a cell.
    pub(super) fn subject(&self, cell: &Cell, suit: Suit, summary: &FactSummary) -> SuitSubject {
        let may = |seat: Seat, card: Card| {
            summary.weight(seat.index(), card) > 0.0 && !cell.limits[seat].lacks.contains(card)
        };
        let needs = |seat: Seat, card: Card| cell.limits[seat].cards.contains(card);
        let cards = self.unseen.holding(suit);
        let allowed = [0, 1, REST].map(|holder| {
            let has = |rank: &Rank| {
                let card = Card::new(suit, *rank);
                let mut seats = self.hands[holder].iter();
                let mut hands = self.hands.iter().enumerate();
                seats.any(|&seat| may(seat, card))
                    && !hands.any(|(other, seats)| {
                        other != holder && matches!(seats[..], [seat] if needs(seat, card))
                    })
            };
            cards.iter().filter(has).collect()
        });
        let lengths = [0, 1, REST].map(|holder| match self.hands[holder][..] {
            [] => (0, 0),
            [seat] => {
                let (least, most) = cell.limits[seat].lengths[suit];
                (least, most.min(summary.sizes[seat]))
            }
            _ => (0, 13),
        });
        SuitSubject {
            allowed,
            cards,
            lengths,
        }
    }
}

/// Disjoint parts of a cell, each with the alternatives that hold in it if their values do; `None`
/// if the condition holds for all values.
type CellPieces = Vec<(Case, Option<AlternativeSet>)>;

/// Divides the pieces of a cell by a box of the alternative with a number, which holds for all
/// values if it `is_sure`, and adds what they lack of the box.
fn with_box(
    pieces: CellPieces,
    cell: &Case,
    limits: &Case,
    (number, is_sure): (usize, bool),
    steps: &mut Steps,
) -> Option<CellPieces> {
    let with = |mut known: AlternativeSet| {
        known[number / 64] |= 1 << (number % 64);
        (!is_sure).then_some(known)
    };
    let mut fresh: Vec<Case> = and(cell, limits).into_iter().collect();
    let mut next = CellPieces::with_capacity(pieces.len() + 1);
    for (piece, alternatives) in pieces {
        steps.take(1 + fresh.len())?;
        let Some(known) = alternatives else {
            // It holds there already.
            fresh = without(&fresh, &piece);
            next.push((piece, None));
            continue;
        };
        let both = and(&piece, limits).filter(|_| !fresh.is_empty());
        if let Some(both) = both {
            let outside = minus(&piece, limits).into_iter();
            next.extend(outside.map(|piece| (piece, Some(known))));
            next.push((both, with(known)));
            fresh = without(&fresh, &piece);
        } else {
            next.push((piece, Some(known)));
        }
    }
    next.extend(fresh.into_iter().map(|of| (of, with([0; 4]))));
    Some(next)
}

/// Returns true if a measure is counted, and not limited by boxes.
fn is_value(of: Measure) -> bool {
    match of.kind() {
        MeasureKind::Points | MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => true,
        MeasureKind::Length(_) | MeasureKind::Top(..) => false,
    }
}

/// The dimensions that are counted, of those that terms want.
fn dimensions(wanted: Vec<Dimension>) -> Vec<Dimension> {
    // Sums follow from what is added, if that is counted anyway.
    let is_apart = |&(holders, _): &Dimension| holders.is_power_of_two();
    let apart = wanted.iter().filter(|of| is_apart(of));
    let apart: Vec<Measure> = apart.map(|of| of.1).collect();
    let (sums, mut wanted): (Vec<Dimension>, Vec<Dimension>) = wanted
        .into_iter()
        .partition(|of| !is_apart(of) && apart.contains(&of.1));
    for (_, of) in sums {
        wanted.extend([(0b01, of), (0b10, of)]);
    }
    // Points first: they limit most.
    wanted.in_order_by_key(|&(holders, of)| (of != Measure::Points, holders));
    let mut found = Vec::new();
    for dimension in wanted {
        if !found.contains(&dimension) && found.len() < MOST_DIMENSIONS {
            found.push(dimension);
        }
    }
    found
}

/// Returns the maximum that terms set for a dimension.
fn most_of(terms: &[Placed], (holders, of): Dimension, hands: &Holders) -> u8 {
    let is_within = |seat: Seat| {
        let holder = holder(hands, seat);
        holder.is_some_and(|holder| holders >> holder & 1 == 1)
    };
    let most = terms.iter().filter_map(|placed| {
        let sum = placed.term.linear()?;
        let all = sum.parts().count() as u32 == holders.count_ones();
        let mut parts = sum.parts();
        let fits =
            parts.all(|(seat, other, sign)| sign == 1 && other == of && seat.is_none_or(is_within));
        (placed.holds && fits && all).then_some(sum.bounds().1.clamp(0, u8::MAX.into()) as u8)
    });
    most.min().unwrap_or(u8::MAX)
}
