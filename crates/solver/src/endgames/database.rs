//! The endgame database as a source of endgame values.

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;
use setrograde_lookup::Database;

use crate::endgames::{Endgames, EndgamesError};

impl Endgames for Database {
    fn max_tricks(&self) -> usize {
        (1..14)
            .take_while(|&level| self.level(level).is_some())
            .count()
    }

    #[inline]
    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        Ok(self.decide(ending, target)?)
    }
}
