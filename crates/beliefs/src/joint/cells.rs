//! Conditions as cells: a cell limits the lengths and cards of each hand, and then the points,
//! controls and losers.

use setrograde_cards::{Card, Hand, Rank, Seat, Sorting, Suit};

use super::suits::{Dimension, Dimensions, HOLDERS, Key, MOST_DIMENSIONS, REST, SuitSubject};
use crate::condition::{Placed, Steps, Taken, Term, and, boxes, minus};
use crate::facts::{FactSummary, Given};
use crate::limits::{Limits, Measure, MeasureKind};

/// Maximum number of cells.
const MOST_CELLS: usize = 1024;

/// The holders: one or two hands that are counted separately, and the other hands together.
#[derive(Clone, Debug)]
pub(super) struct HandChoice {
    /// The hands that are counted separately: the first one or two holders.
    pub apart: Vec<Seat>,
    /// The other hands, which together are the last holder.
    pub rest: Vec<Seat>,
}

impl HandChoice {
    /// Returns the holder that consists of this seat only.
    pub(super) fn holder(&self, seat: Seat) -> Option<usize> {
        let apart = self.apart.iter().position(|&other| other == seat);
        apart.or((self.rest[..] == [seat]).then_some(REST))
    }

    /// Returns the seats of a holder.
    pub(super) fn of_holder(&self, holder: usize) -> &[Seat] {
        match holder {
            REST => &self.rest,
            _ => self.apart.get(holder..=holder).unwrap_or_default(),
        }
    }

    /// Returns the holders of a single seat, with that seat.
    fn alone(&self) -> impl Iterator<Item = (usize, Seat)> + '_ {
        let seats = Seat::ALL.into_iter();
        seats.filter_map(|seat| Some((self.holder(seat)?, seat)))
    }
}

/// The parts of the conditions that are left out to reduce the number of cells. They are checked on
/// each layout that is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// The lengths and cards of these holders.
    pub boxes: [bool; HOLDERS],
    /// The points, controls and losers of these holders.
    pub values: [bool; HOLDERS],
}

/// A cell: limits on the lengths and cards of each hand, and for each condition the alternatives that
/// hold in the cell if their values do; `None` if the condition holds for all values.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub limits: [Limits; 4],
    pub alternatives: Vec<Option<AlternativeSet>>,
}

/// A set of alternatives: at most 256.
type AlternativeSet = [u64; 4];

/// The conditions of layouts in cells.
#[derive(Debug)]
pub(super) struct Cells {
    pub hands: HandChoice,
    pub cells: Vec<Cell>,
    /// The terms on values that are kept, by condition and alternative.
    terms: Vec<Vec<Vec<Placed>>>,
    /// Bounds on points, of the limits.
    points: Vec<(Seat, (u8, u8))>,
    hidden: Vec<Seat>,
    unseen: Hand,
    pub dimensions: Dimensions,
    /// Maximum of each dimension.
    pub most: Vec<u8>,
    /// True if nothing is left out.
    pub exact: bool,
}

/// The parts of a condition.
enum ConditionPart {
    /// Of lengths and cards of hands alone.
    Box,
    /// Of points, controls and losers of hands alone.
    Values,
    /// Both, or of hands that are not counted alone.
    Other,
}

impl Cells {
    /// The cells of the layouts within limits that satisfy conditions; `None` if they would take
    /// too many `steps`.
    pub(super) fn new(
        summary: &FactSummary,
        given: &[Given],
        hands: &HandChoice,
        unseen: Hand,
        left_out: LeftOut,
        steps: &mut Steps,
    ) -> Option<Cells> {
        let hidden: Vec<Seat> = hands.apart.iter().chain(&hands.rest).copied().collect();
        let mut cells = Cells {
            hands: hands.clone(),
            cells: Vec::new(),
            terms: Vec::new(),
            points: Vec::new(),
            hidden,
            unseen,
            dimensions: Vec::new(),
            most: Vec::new(),
            exact: true,
        };
        let mut all = Cell {
            limits: [Limits::default(); 4],
            alternatives: Vec::new(),
        };
        for &seat in &cells.hidden {
            let mut limits = summary.limits[seat];
            // Cards are weights already.
            (limits.cards, limits.lacks) = (Hand::EMPTY, Hand::EMPTY);
            let Some(holder) = hands.holder(seat) else {
                cells.exact &= limits == Limits::default();
                continue;
            };
            if limits.limit_points() {
                if left_out.values[holder] {
                    cells.exact = false;
                } else {
                    cells.points.push((seat, limits.points));
                }
                limits.points = Limits::default().points;
            }
            if left_out.boxes[holder] && limits != Limits::default() {
                cells.exact = false;
            } else {
                all.limits[seat] = limits;
            }
        }
        cells.find_dimensions(given, left_out);
        cells.cells = vec![all];
        for given in given {
            cells.divide(given, left_out, steps)?;
        }
        let most = |&(holders, of): &Dimension| {
            let of_points = cells.points.iter().filter(|(seat, _)| {
                let holder = hands.holder(*seat);
                of == Measure::Points && holder.is_some_and(|holder| 1 << holder == holders)
            });
            let of_points = of_points.map(|(_, (_, most))| *most);
            let of_given = given.iter().map(|given| {
                let each = given.condition.placed_alternatives();
                let each = each.map(|terms| most_of(terms, (holders, of), hands));
                each.max().unwrap_or(u8::MAX)
            });
            of_points.chain(of_given).min().unwrap_or(u8::MAX)
        };
        cells.most = cells.dimensions.iter().map(most).collect();
        Some(cells)
    }

    fn part(&self, placed: &Placed, left_out: LeftOut) -> ConditionPart {
        let values = |of: Measure| match of.kind() {
            MeasureKind::Points | MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => true,
            MeasureKind::Length(_) | MeasureKind::Top(..) => false,
        };
        let term = placed.term;
        let seats = self.seats_of(placed);
        if term.measures().any(values) {
            let counted = seats.iter().all(|&seat| {
                let holder = self.hands.holder(seat);
                holder.is_some_and(|holder| !left_out.values[holder])
            });
            return if counted && term.measures().all(values) {
                ConditionPart::Values
            } else {
                ConditionPart::Other
            };
        }
        ConditionPart::Box
    }

    /// The seats that a term is about.
    fn seats_of(&self, placed: &Placed) -> Vec<Seat> {
        match placed.seats() {
            seats if seats.is_empty() => self.hidden.clone(),
            seats => seats,
        }
    }

    /// The dimensions that a term on values needs: one, if it is about the sum of a measure of two
    /// hands.
    fn wanted(&self, placed: &Placed) -> Dimensions {
        let seats = self.seats_of(placed);
        let measures: Vec<Measure> = placed.term.measures().collect();
        if let Term::Linear(linear) = placed.term
            && linear.is_sum()
            && let ([first, second], [of, other]) = (&seats[..], &measures[..])
            && let (Some(a), Some(b)) = (self.hands.holder(*first), self.hands.holder(*second))
            && of == other
            && a.max(b) < REST
            && a != b
        {
            return vec![(1 << a | 1 << b, *of)];
        }
        let mut wanted = Dimensions::new();
        for &seat in &seats {
            wanted.extend(measures.iter().flat_map(|&of| self.needed(seat, of)));
        }
        wanted
    }

    /// Finds the dimensions that the terms on values need.
    fn find_dimensions(&mut self, given: &[Given], left_out: LeftOut) {
        let mut wanted = Dimensions::new();
        for &(seat, _) in &self.points {
            wanted.extend(self.needed(seat, Measure::Points));
        }
        for placed in given.iter().flat_map(|given| given.condition.placed()) {
            if let ConditionPart::Values = self.part(placed, left_out) {
                wanted.extend(self.wanted(placed));
            }
        }
        // Sums follow from what is added, if that is counted anyway.
        let is_apart = |&(holders, _): &Dimension| holders.is_power_of_two();
        let apart: Vec<Measure> = wanted
            .iter()
            .filter(|of| is_apart(of))
            .map(|of| of.1)
            .collect();
        let (sums, mut wanted): (Dimensions, Dimensions) = wanted
            .into_iter()
            .partition(|of| !is_apart(of) && apart.contains(&of.1));
        for (holders, of) in sums {
            let bits = (0..HOLDERS).map(|holder| 1 << holder);
            wanted.extend(bits.filter(|bit| holders & bit != 0).map(|bit| (bit, of)));
        }
        // Points first: they limit most.
        wanted.in_order_by_key(|&(holders, of)| (of != Measure::Points, holders));
        for dimension in wanted {
            if !self.dimensions.contains(&dimension) && self.dimensions.len() < MOST_DIMENSIONS {
                self.dimensions.push(dimension);
            }
        }
    }

    /// The dimensions from which the value of a measure of a hand follows: what the rest has of a
    /// sum of cards is what the others do not have.
    fn needed(&self, seat: Seat, of: Measure) -> Dimensions {
        match self.hands.holder(seat) {
            Some(REST) if of.of_card().is_some() => (0..self.hands.apart.len())
                .map(|holder| (1 << holder, of))
                .collect(),
            Some(holder) => vec![(1 << holder, of)],
            None => Vec::new(),
        }
    }

    fn has_dimensions(&self, placed: &Placed) -> bool {
        let has = |of: &Dimension| self.dimensions.contains(of);
        let mut apart = self.seats_of(placed).into_iter().flat_map(|seat| {
            let measures: Vec<Measure> = placed.term.measures().collect();
            let needed = measures.into_iter().map(|of| self.needed(seat, of));
            needed.flatten().collect::<Dimensions>()
        });
        self.wanted(placed).iter().all(has) || apart.all(|of| has(&of))
    }

    /// Divides the cells by another condition.
    fn divide(&mut self, given: &Given, left_out: LeftOut, steps: &mut Steps) -> Option<()> {
        let mut taken = Taken::new();
        let (mut terms, mut all_boxes) = (Vec::new(), Vec::new());
        for alternative in given.condition.placed_alternatives() {
            let (mut of_boxes, mut values) = (Vec::new(), Vec::new());
            for placed in alternative {
                match self.part(placed, left_out) {
                    ConditionPart::Box => of_boxes.push(*placed),
                    ConditionPart::Values if self.has_dimensions(placed) => values.push(*placed),
                    ConditionPart::Values | ConditionPart::Other => self.exact = false,
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
    ) -> Vec<[Limits; 4]> {
        let found = match boxes(terms, &self.hidden, self.unseen, taken, steps) {
            (_, Some(found)) => found,
            (Some(hull), None) => {
                self.exact = false;
                vec![hull]
            }
            (None, None) => Vec::new(),
        };
        let mut seen: Vec<[Limits; 4]> = Vec::with_capacity(found.len());
        for mut limits in found {
            for &seat in &self.hidden {
                let holder = self.hands.holder(seat);
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
                let at = dimensions.position(|&dimension| dimension == (holders, of));
                at.map(|at| bytes[2 + at])
            };
            // Of a sum, all that counts is the sum: it is the first hand's.
            let first = || (holder == 0).then(|| find(0b11)).flatten();
            find(1 << holder).or_else(first).unwrap_or(0)
        };
        let value = |seat: Seat, of: Measure| match self.hands.holder(seat) {
            Some(REST) if of.of_card().is_some() => {
                let others = (0..self.hands.apart.len()).map(|holder| counted(holder, of));
                of.of(self.unseen).saturating_sub(others.sum())
            }
            Some(holder) => counted(holder, of),
            None => 0,
        };
        let within = |&(seat, (least, most)): &(Seat, (u8, u8))| {
            (least..=most).contains(&value(seat, Measure::Points))
        };
        let holds = |placed: &Placed| match placed.term {
            Term::Linear(linear) => linear.holds(&self.hidden, value) == placed.holds,
            Term::Shape { .. } | Term::Holds { .. } | Term::Split { .. } => false,
        };
        self.points.iter().all(within)
            && alternatives.iter().zip(&self.terms).all(|(set, terms)| {
                set.is_none_or(|set| {
                    let mut numbers = 0..terms.len();
                    numbers.any(|number| {
                        set[number / 64] >> (number % 64) & 1 == 1
                            && terms[number].iter().all(holds)
                    })
                })
            })
    }

    /// The cards of a suit, and what each holder may have of them, in a cell.
    pub(super) fn subject(
        &self,
        cell: &Cell,
        suit: Suit,
        sizes: [u8; 4],
        summary: &FactSummary,
    ) -> SuitSubject {
        let may = |seat: Seat, card: Card| {
            summary.weight(seat.index(), card) > 0.0 && !cell.limits[seat].lacks.contains(card)
        };
        let needs = |seat: Seat, card: Card| cell.limits[seat].cards.contains(card);
        let alone: Vec<(usize, Seat)> = self.hands.alone().collect();
        let cards = self.unseen.holding(suit);
        let allowed = [0, 1, REST].map(|holder| {
            let has = |rank: &Rank| {
                let card = Card::new(suit, *rank);
                let mut seats = self.hands.of_holder(holder).iter();
                let mut others = alone.iter().filter(|(other, _)| *other != holder);
                seats.any(|&seat| may(seat, card)) && !others.any(|&(_, seat)| needs(seat, card))
            };
            cards.iter().filter(has).collect()
        });
        let lengths = [0, 1, REST].map(|holder| match self.hands.of_holder(holder) {
            [] => (0, 0),
            &[seat] => {
                let (least, most) = cell.limits[seat].lengths[suit];
                (least, most.min(sizes[seat]))
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
type CellPieces = Vec<([Limits; 4], Option<AlternativeSet>)>;

/// Divides the pieces of a cell by a box of the alternative with a number, which holds for all
/// values if it `is_sure`, and adds what they lack of the box.
fn with_box(
    pieces: CellPieces,
    cell: &[Limits; 4],
    limits: &[Limits; 4],
    (number, is_sure): (usize, bool),
    steps: &mut Steps,
) -> Option<CellPieces> {
    let with = |mut known: AlternativeSet| {
        known[number / 64] |= 1 << (number % 64);
        (!is_sure).then_some(known)
    };
    let mut fresh: Vec<[Limits; 4]> = and(cell, limits).into_iter().collect();
    let mut next = CellPieces::with_capacity(pieces.len() + 1);
    for (piece, alternatives) in pieces {
        steps.take(1 + fresh.len())?;
        let Some(known) = alternatives else {
            // It holds there already.
            fresh = fresh.iter().flat_map(|of| minus(of, &piece)).collect();
            next.push((piece, None));
            continue;
        };
        let both = and(&piece, limits).filter(|_| !fresh.is_empty());
        if let Some(both) = both {
            let outside = minus(&piece, limits).into_iter();
            next.extend(outside.map(|piece| (piece, Some(known))));
            next.push((both, with(known)));
            fresh = fresh.iter().flat_map(|of| minus(of, &piece)).collect();
        } else {
            next.push((piece, Some(known)));
        }
    }
    next.extend(fresh.into_iter().map(|of| (of, with([0; 4]))));
    Some(next)
}

/// Returns the maximum that terms set for a dimension.
fn most_of(terms: &[Placed], (holders, of): Dimension, hands: &HandChoice) -> u8 {
    let is_within = |seat: Seat| {
        let holder = hands.holder(seat);
        holder.is_some_and(|holder| holders >> holder & 1 == 1)
    };
    let most = terms.iter().filter_map(|placed| match placed.term {
        Term::Linear(linear) if placed.holds && linear.is_sum() => {
            let all = linear.parts().count() as u32 == holders.count_ones();
            let mut parts = linear.parts();
            let fits = parts.all(|(seat, other, _)| other == of && seat.is_none_or(is_within));
            (fits && all).then_some(linear.bounds().1.clamp(0, u8::MAX.into()) as u8)
        }
        Term::Linear(_) | Term::Shape { .. } | Term::Holds { .. } | Term::Split { .. } => None,
    });
    most.min().unwrap_or(u8::MAX)
}
