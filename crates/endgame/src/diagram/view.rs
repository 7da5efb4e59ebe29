//! How a question is turned to fit a diagram.

use crate::suit_order::SuitOrder;

/// How a question's suits and hands stand to a diagram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The question's suit at each place of the canonical order.
    pub order: SuitOrder,
    /// The question's hand that is the diagram's hand 0: the one on lead.
    pub leader: u8,
}
