//! The endgame database as a source of endgame values.

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;
use setrograde_lookup::{Database, Level};

use crate::endgames::{Endgames, EndgamesError};

/// A shard that is not unpacked yet is unpacked once it was asked often enough for
/// that to pay; before that there is no answer. So the nodes of a search depend a
/// little on what the database was asked before, its results do not.
impl Endgames for Database {
    fn max_tricks(&self) -> usize {
        let whole = (1..14)
            .take_while(|&level| self.level(level).is_some())
            .count();
        let unfinished = self.unfinished().map(Level::level);
        whole + usize::from(unfinished == Some(whole + 1))
    }

    #[inline]
    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        match self.decide_if_worthwhile(ending, target) {
            Ok(verdict) => Ok(verdict),
            Err(error) if error.is_not_held() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
