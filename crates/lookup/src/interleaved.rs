//! Many look-ups at once.
//!
//! A look-up waits for memory: the partition's root, then a node for each card
//! that matters, each in a place of its own. Endings of a batch take these
//! steps side by side, and what the next step of each needs is asked for while
//! the others take theirs, so that their waits overlap.

use setrograde_endgame::diagram::Cursor;
use setrograde_endgame::ending::Ending;

use crate::database::Database;
use crate::error::{ProbeError, ValuesError};

/// How many walks go side by side: as many as a core can wait for.
const WIDTH: usize = 16;

/// The lines of cache before a root that are asked for with it: walks begin
/// there.
const ROOT_LINES: usize = 3;

impl Database {
    /// The values of many endings, in their order: tricks for each leader's
    /// side. Several times as fast as [`value`](Self::value) on endings that
    /// have nothing to do with each other.
    ///
    /// # Errors
    ///
    /// The first ending without an answer, by its index, and why.
    pub fn values(&self, endings: &[Ending]) -> Result<Vec<u8>, ValuesError> {
        let mut values = Vec::with_capacity(endings.len());
        for group in endings.chunks(WIDTH) {
            let first = values.len();
            self.values_of_group(group, &mut values)
                .map_err(|(place, source)| ValuesError {
                    index: first + place,
                    source,
                })?;
        }
        Ok(values)
    }

    /// Appends the values of at most [`WIDTH`] endings, or returns the place of
    /// one that has none.
    fn values_of_group(
        &self,
        endings: &[Ending],
        values: &mut Vec<u8>,
    ) -> Result<(), (usize, ProbeError)> {
        let mut places = [None; WIDTH];
        for (place, ending) in places.iter_mut().zip(endings) {
            *place = self.place_of(ending);
        }
        let mut cursors = [Cursor::NOWHERE; WIDTH];
        for ((cursor, place), ending) in cursors.iter_mut().zip(&places).zip(endings) {
            if let Some(place) = place
                && let Some(diagram) = place.kept_diagram()
            {
                *cursor = Cursor::new(diagram, ending, place.order);
                cursor.prefetch(ROOT_LINES);
            }
        }
        walk_all(&mut cursors);
        for (place, (cursor, ending)) in cursors.iter().zip(endings).enumerate() {
            values.push(match cursor.edge() {
                at if at.is_leaf() => at.lo(),
                // Not kept, or asked again for the error.
                _ => self.value(ending).map_err(|error| (place, error))?,
            });
        }
        Ok(())
    }
}

/// Leads all cursors to their ends, a step at a time.
fn walk_all(cursors: &mut [Cursor<'_>; WIDTH]) {
    // The places of those that are at nodes come first.
    let mut at_nodes: [usize; WIDTH] = std::array::from_fn(|place| place);
    let mut count = WIDTH;
    while count > 0 {
        let mut left = 0;
        for turn in 0..count {
            let place = at_nodes[turn];
            let cursor = &mut cursors[place];
            if cursor.edge().is_node() {
                cursor.step_side_by_side();
                cursor.prefetch(1);
            }
            at_nodes[left] = place;
            left += usize::from(cursor.edge().is_node());
        }
        count = left;
    }
}
