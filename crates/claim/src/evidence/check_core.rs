//! Proves cores: plays every plan against explicit layouts; knows nothing of the
//! search for sure tricks.

use std::collections::HashMap;

use setrograde_cards::{Card, Deal, Hand, Position, Seat, Strain, Suit, Trick};
use setrograde_solver::{Options, SolveError, Solver};
use thiserror::Error;

use crate::evidence::cores::Core;
use crate::knowledge::Knowledge;

/// The most points of the play that are looked at.
const MOST_POINTS: usize = 5_000_000;

/// A core that is not a proof.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CoreError {
    /// No layouts.
    #[error("the core has no layouts")]
    Empty,
    /// A layout that is not one of those that are left.
    #[error("layout {layout} does not agree with what is known")]
    NotALayout {
        /// Its place in [`Core::layouts`].
        layout: usize,
    },
    /// A plan takes the tricks in all layouts of the core.
    #[error("a plan takes the tricks in all these layouts")]
    Survived,
    /// The proof takes too long.
    #[error("the proof has more than {limit} points of play")]
    TooLarge {
        /// The most points that are looked at.
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
/// A [`CoreError`] if that is not so, or was not shown.
pub fn check_core(knowledge: &Knowledge, core: &Core) -> Result<(), CoreError> {
    let mut layouts = Vec::new();
    for (layout, &hidden) in core.layouts.iter().enumerate() {
        if !knowledge.has_layout(hidden) {
            return Err(CoreError::NotALayout { layout });
        }
        let mut hands = [Hand::EMPTY; 4];
        for seat in knowledge.visible() {
            hands[seat.index()] = knowledge.hand(seat).unwrap_or_default();
        }
        for (seat, hand) in knowledge.hidden().into_iter().zip(hidden) {
            hands[seat.index()] = hand;
        }
        layouts.push(hands);
    }
    if let [hands] = layouts[..]
        && knowledge.visible()[0].partner() == knowledge.visible()[1]
    {
        return one_layout(knowledge, hands, core.tricks);
    }
    if layouts.is_empty() {
        return Err(CoreError::Empty);
    }
    layouts.sort();
    layouts.dedup();
    let mut play = Play {
        strain: knowledge.strain(),
        plays: Seat::ALL.map(|seat| knowledge.plays_for(seat)),
        side: knowledge.claimer().index() % 2,
        known: HashMap::new(),
    };
    match play.makes(layouts, *knowledge.trick(), core.tricks) {
        Some(false) => Ok(()),
        Some(true) => Err(CoreError::Survived),
        None => Err(CoreError::TooLarge { limit: MOST_POINTS }),
    }
}

fn one_layout(knowledge: &Knowledge, hands: [Hand; 4], need: u8) -> Result<(), CoreError> {
    let trick = knowledge.trick();
    let position = Deal::new(hands)
        .ok()
        .and_then(|deal| {
            Position::new(knowledge.strain(), trick.leader(), deal, trick.cards()).ok()
        })
        .ok_or(CoreError::NotALayout { layout: 0 })?;
    let tricks = Solver::new(Options::default()).tricks(&position)?;
    let ours = trick.leader().index() % 2 == knowledge.claimer().index() % 2;
    let made = if ours {
        tricks
    } else {
        position.tricks_left() as u8 - tricks
    };
    if made < need {
        Ok(())
    } else {
        Err(CoreError::Survived)
    }
}

struct Play {
    strain: Strain,
    plays: [bool; 4],
    side: usize,
    known: HashMap<(Vec<[Hand; 4]>, Trick, u8), bool>,
}

impl Play {
    /// Whether one plan takes `need` tricks in all layouts; `None` if that took
    /// too long to find out.
    fn makes(&mut self, layouts: Vec<[Hand; 4]>, trick: Trick, need: u8) -> Option<bool> {
        let seat = trick.to_play();
        let left = layouts.first().map_or(0, |hands| hands[seat.index()].len());
        if need == 0 || usize::from(need) > left {
            return Some(need == 0);
        }
        let key = (layouts, trick, need);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.known.len() >= MOST_POINTS {
            return None;
        }
        let (layouts, ..) = &key;
        let ours = self.plays[seat.index()];
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
            if next.is_complete()
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

/// The hands after `seat` has played `card`, if it may.
fn after(hands: &[Hand; 4], seat: Seat, card: Card, led: Option<Suit>) -> Option<[Hand; 4]> {
    let mut hands = *hands;
    let hand = &mut hands[seat.index()];
    let revokes = led.is_some_and(|led| led != card.suit && !hand.holding(led).is_empty());
    (hand.remove(card) && !revokes).then_some(hands)
}
