//! Turning a question to fit a diagram.

use crate::partition::SuitOrder;

/// The relation of a question's suits and hands to a diagram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The question's suit at each place of the canonical order.
    pub order: SuitOrder,
    /// The question's hand that is the diagram's hand 0: the one on lead.
    pub leader: u8,
}
