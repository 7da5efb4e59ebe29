//! Claims, a bound from below: what can be claimed is won in all worlds.

use std::collections::HashMap;

use setrograde_beliefs::CardSet;
use setrograde_cards::{Hand, Seat};
use setrograde_claim::{ClaimError, Claims, Knowledge};

use crate::error::SearchError;
use crate::worlds::{At, Subject};
use setrograde_games::Game;

/// Asks for claims at the start of tricks, once for each position.
pub(super) struct ClaimedPlaces<'a> {
    claims: &'a mut Claims,
    sure: HashMap<(CardSet, Seat, u8), bool>,
}

impl<'a> ClaimedPlaces<'a> {
    pub fn new(claims: &'a mut Claims) -> ClaimedPlaces<'a> {
        ClaimedPlaces {
            claims,
            sure: HashMap::new(),
        }
    }

    /// Whether the side reaches its target whatever the hidden cards, as far as
    /// can be claimed.
    pub fn can_claim<G: Game>(
        &mut self,
        subject: &Subject<'_, G>,
        at: &At,
    ) -> Result<bool, SearchError> {
        let need = subject.target - subject.won(at);
        let place = (at.played, at.trick.leader(), need);
        if let Some(&known) = self.sure.get(&place) {
            return Ok(known);
        }
        let sure = match knowledge(subject, at).map(|known| self.claims.is_sure(&known, need)) {
            Some(Ok(sure)) => sure,
            Some(Err(ClaimError::Cancelled)) => return Err(SearchError::Cancelled),
            // No claim is no bound.
            Some(Err(_)) | None => false,
        };
        self.sure.insert(place, sure);
        Ok(sure)
    }
}

/// What the side knows; `None` in a game without claims.
fn knowledge<G: Game>(subject: &Subject<'_, G>, at: &At) -> Option<Knowledge> {
    let leader = at.trick.leader();
    let own = [leader, leader.next()].into_iter().find(|&seat| {
        let seats = [seat, seat.partner()];
        let own = |&seat: &_| subject.game.party(seat) == subject.party;
        seats.iter().all(own)
    })?;
    let visible = [own, own.partner()].map(|seat| {
        let hand = subject.seen[seat.index()] - at.played;
        (seat, Hand::from(hand))
    });
    let layout = subject.worlds.first()?;
    let hidden = layout.iter().copied().collect::<CardSet>() - at.played;
    let strain = subject.game.strain()?;
    Knowledge::new(strain, leader, visible, hidden.into(), &[], None).ok()
}
