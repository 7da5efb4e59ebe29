//! Which worlds can still be won with all cards known.

use std::collections::HashMap;

use setrograde_beliefs::CardSet;

use super::position::{At, Subject};
use super::set::Worlds;
use crate::error::SearchError;
use setrograde_games::{Game, State, Trick};

/// Values a world with all cards known: whether the side reaches its target from
/// a position of that world.
pub type Valuation<'a> = dyn FnMut(usize, &State) -> Result<bool, SearchError> + 'a;

/// Values worlds and remembers the values.
pub(crate) struct OpenWorlds<'a> {
    value: Option<&'a mut Valuation<'a>>,
    valued: HashMap<(CardSet, Trick, u8), Valued>,
}

/// Worlds of one position that were valued, and those of them that are open.
#[derive(Clone, Copy, Default)]
struct Valued {
    asked: Worlds,
    open: Worlds,
}

impl<'a> OpenWorlds<'a> {
    /// Without a valuation all worlds count as open.
    pub fn new(value: Option<&'a mut Valuation<'a>>) -> OpenWorlds<'a> {
        OpenWorlds {
            value,
            valued: HashMap::new(),
        }
    }

    /// Whether worlds can be valued.
    pub const fn are_known(&self) -> bool {
        self.value.is_some()
    }

    /// Of the worlds alive those that can still be won with all cards known: the
    /// others are lost whatever the side does.
    pub fn of<G: Game>(
        &mut self,
        subject: &Subject<'_, G>,
        at: &At,
    ) -> Result<Worlds, SearchError> {
        let Some(value) = &mut self.value else {
            return Ok(at.alive);
        };
        let place = (at.played, at.trick, subject.won(at));
        let valued = self.valued.entry(place).or_default();
        for world in at.alive.without(valued.asked).iter() {
            if value(world, &subject.state(at, world))? {
                valued.open.insert(world);
            }
            valued.asked.insert(world);
        }
        Ok(at.alive & valued.open)
    }
}
