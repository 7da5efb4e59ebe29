//! Proves cores: plays every plan against explicit layouts, without code of the search for sure
//! tricks.

use std::collections::HashMap;

use setrograde_cards::{Card, Hand, Seat, Sorting, Strain, Suit, Trick};
use setrograde_solver::{Options, SolveError, Solver};
use thiserror::Error;

use crate::double_dummy;
use crate::evidence::cores::Core;
use crate::knowledge::Knowledge;

/// Maximum number of layouts at all points of the play together, which take 1 GiB.
const MOST_LAYOUTS: usize = 1 << 25;

/// An invalid core.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CoreError {
    /// No layouts.
    #[error("the core has no layouts")]
    Empty,
    /// A layout that contradicts the knowledge.
    #[error("layout {layout} does not agree with what is known")]
    NotALayout {
        /// Its index in [`Core::layouts`].
        layout: usize,
    },
    /// A plan takes the tricks in all layouts of the core.
    #[error("a plan takes the tricks in all these layouts")]
    Survived,
    /// The proof takes too long.
    #[error("the proof has more than {limit} layouts at its points of play together")]
    TooLarge {
        /// Maximum number of layouts that are looked at.
        limit: usize,
    },
    /// The double-dummy solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Proves that no plan takes the tricks in all layouts of `core`.
///
/// A single layout goes to the double-dummy solver. Several are played out card
/// by card.
///
/// # Errors
///
/// A [`CoreError`] if that is false, or was not proved.
pub fn check_core(knowledge: &Knowledge, core: &Core) -> Result<(), CoreError> {
    let mut layouts = Vec::new();
    for (layout, &hidden) in core.layouts.iter().enumerate() {
        let open = double_dummy::open(knowledge, hidden.map(Hand::bits))
            .filter(|_| knowledge.has_layout(hidden));
        layouts.push(open.ok_or(CoreError::NotALayout { layout })?);
    }
    if let [position] = &layouts[..]
        && knowledge.visible()[0].partner() == knowledge.visible()[1]
    {
        let mut solver = Solver::new(Options::default());
        let side = knowledge.claimer().side();
        let tricks = double_dummy::tricks_of_side(&mut solver, position, side)?;
        return if tricks < core.tricks {
            Ok(())
        } else {
            Err(CoreError::Survived)
        };
    }
    let mut layouts: Vec<[Hand; 4]> = layouts.iter().map(|open| *open.deal().hands()).collect();
    if layouts.is_empty() {
        return Err(CoreError::Empty);
    }
    layouts.in_order_by(Ord::cmp);
    layouts.dedup();
    let mut play = Play {
        strain: knowledge.strain(),
        plays: Seat::ALL.map(|seat| knowledge.plays_for(seat)),
        side: knowledge.claimer().index() % 2,
        known: HashMap::new(),
        left: MOST_LAYOUTS,
    };
    match play.makes(layouts, *knowledge.trick(), core.tricks) {
        Some(false) => Ok(()),
        Some(true) => Err(CoreError::Survived),
        None => Err(CoreError::TooLarge {
            limit: MOST_LAYOUTS,
        }),
    }
}

struct Play {
    strain: Strain,
    plays: [bool; 4],
    side: usize,
    known: HashMap<(Vec<[Hand; 4]>, Trick, u8), bool>,
    /// The number of layouts that may still be looked at.
    left: usize,
}

impl Play {
    /// Returns whether one plan takes `need` tricks in all layouts; `None` if the search took too
    /// long.
    fn makes(&mut self, layouts: Vec<[Hand; 4]>, trick: Trick, need: u8) -> Option<bool> {
        let seat = trick.to_play();
        let left = layouts.first().map_or(0, |hands| hands[seat].len());
        if need == 0 || usize::from(need) > left {
            return Some(need == 0);
        }
        let key = (layouts, trick, need);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let (layouts, ..) = &key;
        self.left = self.left.checked_sub(layouts.len())?;
        let ours = self.plays[seat];
        let mut found = !ours;
        for card in Card::pack() {
            let rest: Vec<[Hand; 4]> = layouts
                .iter()
                .filter_map(|hands| after(hands, seat, card, trick.led_suit()))
                .collect();
            if rest.is_empty() {
                continue;
            }
            let mut next = trick.with(card).unwrap_or(trick);
            let mut needed = need;
            if next.cards().len() == 4
                && let Some(winner) = next.winner(self.strain)
            {
                next = Trick::new(winner);
                needed -= u8::from(winner.index() % 2 == self.side);
            }
            if self.makes(rest, next, needed)? == ours {
                found = ours;
                break;
            }
        }
        self.known.insert(key, found);
        Some(found)
    }
}

/// Returns the hands after `seat` has played `card`, if that is legal.
fn after(hands: &[Hand; 4], seat: Seat, card: Card, led: Option<Suit>) -> Option<[Hand; 4]> {
    let mut hands = *hands;
    let hand = &mut hands[seat];
    let revokes = led.is_some_and(|led| led != card.suit && !hand.holding(led).is_empty());
    (hand.remove(card) && !revokes).then_some(hands)
}
