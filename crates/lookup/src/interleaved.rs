//! Many look-ups at once.
//!
//! A look-up waits for memory: the partition's root, then a node for each card
//! that matters, each in a place of its own. Endings of a batch take these
//! steps side by side, so that their waits overlap.

use setrograde_endgame::diagram::Cursor;
use setrograde_endgame::ending::Ending;

use crate::database::Database;
use crate::error::{ProbeError, ValuesError};

/// How many walks go side by side: as many as a core can wait for.
const WIDTH: usize = 16;

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
        let mut cursors = [Cursor::NOWHERE; WIDTH];
        for (cursor, ending) in cursors.iter_mut().zip(endings) {
            if let Some((diagram, order)) = self.kept_diagram(ending) {
                *cursor = Cursor::new(diagram, ending, order);
            }
        }
        while cursors.iter().any(|cursor| cursor.edge().is_node()) {
            for cursor in cursors.iter_mut().filter(|cursor| cursor.edge().is_node()) {
                cursor.step();
            }
        }
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
