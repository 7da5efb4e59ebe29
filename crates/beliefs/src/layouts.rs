//! Layouts one after another.

use std::iter::FusedIterator;
use std::sync::Arc;

use setrograde_cards::Hand;
use setrograde_parallel::Stop;

use crate::beliefs::Span;
use crate::filter::Filter;

/// The hidden hands, by seat from North; empty for visible hands.
pub type Layout = [Hand; 4];

/// All layouts that match some facts, in a fixed order; from
/// [`Beliefs::layouts`](crate::Beliefs::layouts).
#[derive(Debug)]
pub struct Layouts<'a> {
    filter: Option<&'a Filter>,
    /// The layouts of the current part, if they are in parts, else all within the limits.
    span: Option<Arc<Span>>,
    /// The number of the next part.
    part: usize,
    /// Number of the next layout of the part.
    next: u128,
    /// Number of remaining layouts.
    left: u128,
    stop: Option<&'a Stop>,
}

impl<'a> Layouts<'a> {
    pub(crate) fn new(span: &Arc<Span>, filter: Option<&'a Filter>) -> Layouts<'a> {
        Layouts {
            next: 0,
            left: match filter {
                None => span.counts().total(),
                Some(filter) if filter.exact => filter.count,
                Some(_) => u128::MAX,
            },
            part: 0,
            span: filter
                .is_none_or(Filter::looks_through)
                .then(|| Arc::clone(span)),
            filter,
            stop: None,
        }
    }

    /// Makes the iterator end early once `stop` is due: between two matching layouts there may be
    /// millions of others.
    #[must_use]
    pub fn until(self, stop: &'a Stop) -> Layouts<'a> {
        Layouts {
            stop: Some(stop),
            ..self
        }
    }
}

impl Iterator for Layouts<'_> {
    type Item = Layout;

    fn next(&mut self) -> Option<Layout> {
        loop {
            if self.left == 0 {
                return None;
            }
            if let Some(joint) = self.filter.and_then(Filter::numbered) {
                let layout = joint.nth(self.next);
                self.next += 1;
                self.left -= 1;
                return Some(layout);
            }
            let parts = self.filter.and_then(Filter::parts);
            if self.span.is_none() {
                let part = parts?.get(self.part)?;
                let never = Stop::default();
                self.span = Some(part.span(self.stop.unwrap_or(&never)).ok()?);
                (self.part, self.next) = (self.part + 1, 0);
            }
            let tables = self.span.as_ref()?.counts();
            if self.next >= tables.total() {
                parts?;
                self.span = None;
                continue;
            }
            let is_late = self.next % 256 == 255 && self.stop.is_some_and(Stop::is_due);
            if is_late {
                return None;
            }
            let layout = tables.nth(self.next);
            self.next += 1;
            if parts.is_some() || self.filter.is_none_or(|filter| filter.allows(&layout)) {
                self.left -= 1;
                return Some(layout);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        if self.filter.is_none_or(|filter| filter.exact) {
            (left.unwrap_or(usize::MAX), left.ok())
        } else {
            (0, None)
        }
    }
}

impl FusedIterator for Layouts<'_> {}
