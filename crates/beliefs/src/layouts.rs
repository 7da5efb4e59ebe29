//! All layouts, one after the other.

use std::iter::FusedIterator;

use setrograde_cards::Hand;

use crate::tables::Tables;

/// The hidden hands, by seat from North; empty for hands that are seen.
pub type Layout = [Hand; 4];

/// All layouts that fit some facts, in a fixed order; from
/// [`Beliefs::layouts`](crate::Beliefs::layouts).
#[derive(Clone, Debug)]
pub struct Layouts<'a> {
    tables: &'a Tables<u128>,
    next: u128,
}

impl<'a> Layouts<'a> {
    pub(crate) fn new(tables: &'a Tables<u128>) -> Layouts<'a> {
        Layouts { tables, next: 0 }
    }

    pub(crate) fn tables(&self) -> &'a Tables<u128> {
        self.tables
    }
}

impl Iterator for Layouts<'_> {
    type Item = Layout;

    fn next(&mut self) -> Option<Layout> {
        if self.next >= self.tables.total() {
            return None;
        }
        let layout = self.tables.nth(self.next);
        self.next += 1;
        Some(layout)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.tables.total() - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl FusedIterator for Layouts<'_> {}
