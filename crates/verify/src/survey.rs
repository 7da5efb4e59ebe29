//! A query to the level below: are all endings of a set worth at least *t*
//! tricks, or none of them, or some?

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::suit_order::SuitOrder;

use crate::path_set::suit_bits;

/// Some ending met is worth less than asked for.
pub(crate) const LESS: u8 = 1;
/// Some ending met is worth as much as asked for, or more.
pub(crate) const ENOUGH: u8 = 2;
/// Both.
pub(crate) const BOTH: u8 = LESS | ENOUGH;

/// A walk through a diagram along all paths that a set allows.
pub(crate) struct Survey<'a> {
    /// The diagram.
    pub(crate) diagram: Diagram<'a>,
    /// The set's suit at each place of the diagram's order of the suits.
    pub(crate) order: SuitOrder,
    /// The set's hand that is the diagram's hand 0.
    pub(crate) leader: u32,
    /// The owners of the set's known cards, two bits each from the top.
    pub(crate) owners: &'a [u32; 4],
    /// The value asked for.
    pub(crate) least: u8,
    /// The walk ends when it has met one of these.
    pub(crate) stop: u8,
    /// [`LESS`] and [`ENOUGH`], as met so far.
    pub(crate) met: u8,
    /// A suit whose next card, which the set does not know, makes the
    /// difference between less and enough.
    pub(crate) learn: Option<usize>,
}

impl Survey<'_> {
    /// Looks at every place below `at` that the set leads to. `left` has a bit
    /// for each known card that was not played.
    pub(crate) fn visit(&mut self, mut at: Edge, mut left: u64) {
        loop {
            if at.is_nothing() {
                return;
            }
            if at.lo() >= self.least {
                self.met |= ENOUGH;
                return;
            }
            if at.hi() < self.least {
                self.met |= LESS;
                return;
            }
            let children = &self.diagram.children(at);
            let suit = self.order.suit(at.suit());
            let next = left & suit_bits(suit);
            if next == 0 {
                self.visit_all(children, suit, left);
                return;
            }
            let place = next.trailing_zeros() & 15;
            left &= !(next & next.wrapping_neg());
            let owner = (self.owners[suit] >> (2 * place)).wrapping_sub(self.leader) & 3;
            at = children[owner as usize];
        }
    }

    fn visit_all(&mut self, children: &[Edge; 4], suit: usize, left: u64) {
        let mut ways = 0;
        for &child in children {
            if !child.is_nothing() {
                ways += 1;
                self.visit(child, left);
                if self.met == BOTH || self.met & self.stop != 0 {
                    break;
                }
            }
        }
        if self.met == BOTH && ways > 1 && self.learn.is_none() {
            self.learn = Some(suit);
        }
    }
}
