//! A position in the play, and the moves from it.

use crate::{Card, Deal, Hand, PlayError, PositionError, Seat, Strain, Trick};

/// A position in the play: the cards still held, what is trump, who led or
/// leads to the current trick, and the 0 to 3 cards on the table.
///
/// A position is always consistent: counting the cards on the table, every
/// seat has the same number of cards, no card occurs twice, and nobody has
/// revoked in the current trick (but see [`Position::with_revokes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    deal: Deal,
    strain: Strain,
    trick: Trick,
}

impl Position {
    /// The position in which `leader` led (or is to lead, if `played` is
    /// empty) to the current trick and the cards `played` are on the table, in
    /// the order of play, no longer in `deal`.
    ///
    /// A deal without any cards makes a finished position.
    ///
    /// # Errors
    ///
    /// A [`PositionError`] if there are more than three cards on the table, a
    /// card occurs twice, the lengths of the hands do not fit, or a card on
    /// the table is a revoke.
    pub fn new(
        strain: Strain,
        leader: Seat,
        deal: Deal,
        played: &[Card],
    ) -> Result<Position, PositionError> {
        let position = Position::with_revokes(strain, leader, deal, played)?;
        check_revokes(&deal, &position.trick)?;
        Ok(position)
    }

    /// Like [`new`](Self::new), except that a card on the table may be a revoke, as in play
    /// that nobody has corrected. What is left to play is as well defined.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), but for revokes.
    pub fn with_revokes(
        strain: Strain,
        leader: Seat,
        deal: Deal,
        played: &[Card],
    ) -> Result<Position, PositionError> {
        let too_many = PositionError::TooManyPlayed {
            count: played.len(),
        };
        let mut trick = Trick::new(leader);
        for &card in played {
            if trick.cards().contains(&card) {
                return Err(PositionError::PlayedTwice { card });
            }
            if let Some(seat) = deal.owner(card) {
                return Err(PositionError::PlayedAndHeld { card, seat });
            }
            trick = trick.with(card).ok_or(too_many)?;
        }
        if trick.is_complete() {
            return Err(too_many);
        }
        check_lengths(&deal, &trick)?;
        Ok(Position {
            deal,
            strain,
            trick,
        })
    }

    /// The cards still held.
    #[must_use]
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns the strain.
    #[must_use]
    pub const fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns the seat that led, or is to lead, to the current trick.
    #[must_use]
    pub const fn leader(&self) -> Seat {
        self.trick.leader()
    }

    /// The current trick: the leader and the 0 to 3 cards on the table.
    #[must_use]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The cards on the table, 0 to 3, the lead first.
    #[must_use]
    pub fn played(&self) -> &[Card] {
        self.trick.cards()
    }

    /// Returns the seat whose turn it is; in a finished position, the winner of the
    /// last trick.
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// Returns true if no card is on the table.
    #[must_use]
    pub fn is_trick_boundary(&self) -> bool {
        self.played().is_empty()
    }

    /// Returns true if all cards have been played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.tricks_left() == 0
    }

    /// The number of tricks still to be finished, including the one under way:
    /// 0 to 13.
    #[must_use]
    pub fn tricks_left(&self) -> usize {
        // The hand to play needs one card for each of them.
        self.deal.hand(self.to_play()).len()
    }

    /// The cards that the seat to play may play, spades first, each suit high
    /// to low. Empty only in a finished position.
    pub fn legal_cards(&self) -> impl Iterator<Item = Card> + use<> {
        self.legal_hand().cards()
    }

    /// The cards that the seat to play may play, as a hand.
    #[must_use]
    pub fn legal_hand(&self) -> Hand {
        let hand = self.deal.hand(self.to_play());
        match self.trick.led_suit() {
            Some(suit) if !hand.holding(suit).is_empty() => hand.suit(suit),
            _ => hand,
        }
    }

    /// The position after the seat to play has played `card`. The fourth card
    /// ends the trick, and its winner leads to the next.
    ///
    /// # Errors
    ///
    /// [`PlayError::NotHeld`] if the seat to play does not hold the card, and
    /// [`PlayError::MustFollow`] if it must follow suit with another one.
    pub fn play(&self, card: Card) -> Result<Position, PlayError> {
        let seat = self.to_play();
        let hand = self.deal.hand(seat);
        if !hand.contains(card) {
            return Err(PlayError::NotHeld { seat, card });
        }
        if let Some(suit) = self.trick.led_suit()
            && suit != card.suit
            && !hand.holding(suit).is_empty()
        {
            return Err(PlayError::MustFollow { seat, card, suit });
        }

        let mut after = *self;
        after.deal.remove(card);
        // A position's trick is never complete, so there is room for a card.
        after.trick = self.trick.with(card).unwrap_or(self.trick);
        if after.trick.is_complete() {
            let winner = after.trick.winner(self.strain);
            after.trick = Trick::new(winner.unwrap_or(seat));
        }
        Ok(after)
    }
}

/// Checks that the seats that have played to `trick` have one card fewer than
/// those that have not.
fn check_lengths(deal: &Deal, trick: &Trick) -> Result<(), PositionError> {
    let len = |seat: Seat| deal.hand(seat).len();
    if trick.cards().is_empty() {
        let first = Seat::North;
        return match Seat::ALL.into_iter().find(|&s| len(s) != len(first)) {
            None => Ok(()),
            Some(second) => Err(PositionError::UnequalHands {
                first,
                first_cards: len(first),
                second,
                second_cards: len(second),
            }),
        };
    }
    // Go by the seat to play, unless it has nothing left to play.
    let full = len(trick.to_play()).max(1);
    for seat in Seat::ALL {
        let has_played = seat.distance_from(trick.leader()) < trick.cards().len();
        let expected = full - usize::from(has_played);
        if len(seat) != expected {
            return Err(PositionError::UnfitHand {
                seat,
                cards: len(seat),
                expected,
            });
        }
    }
    Ok(())
}

/// Checks that nobody who did not follow suit in `trick` holds the suit led.
fn check_revokes(deal: &Deal, trick: &Trick) -> Result<(), PositionError> {
    let Some(suit) = trick.led_suit() else {
        return Ok(());
    };
    let revoke = trick
        .plays()
        .find(|&(seat, card)| card.suit != suit && !deal.hand(seat).holding(suit).is_empty());
    match revoke {
        None => Ok(()),
        Some((seat, card)) => Err(PositionError::Revoke { seat, card, suit }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace()
            .map(|card| card.parse().unwrap())
            .collect()
    }

    fn new(deal: &str, played: &str) -> Result<Position, PositionError> {
        let deal = deal.parse().unwrap();
        Position::new(Strain::NoTrump, Seat::West, deal, &cards(played))
    }

    fn error(deal: &str, played: &str) -> String {
        new(deal, played).unwrap_err().to_string()
    }

    #[test]
    fn playing_a_trick() {
        let mut position = new("N:A.2.. K..2. Q3... ..KA.", "").unwrap();
        assert_eq!(position.tricks_left(), 2);
        assert!(position.is_trick_boundary());
        // North, East and South discard, so West's king wins.
        for (n, card) in cards("DK SA D2 S3").into_iter().enumerate() {
            assert_eq!(position.played().len(), n);
            assert_eq!(position.to_play(), Seat::West.plus(n));
            position = position.play(card).unwrap();
        }
        assert_eq!(position.to_play(), Seat::West);
        assert_eq!(position.tricks_left(), 1);
        for card in cards("DA H2 SK SQ") {
            assert!(!position.is_finished());
            position = position.play(card).unwrap();
        }
        assert!(position.is_finished());
        assert_eq!(position.leader(), Seat::West);
        assert_eq!(position.legal_cards().count(), 0);
        assert_eq!(Ok(position), new("N:... ... ... ...", ""));
    }

    #[test]
    fn following_suit() {
        let position = new("N:A.2.. K..2. Q3... ..K.", "DA").unwrap();
        assert_eq!(position.to_play(), Seat::North);
        assert_eq!(position.tricks_left(), 2);
        // North has no diamonds and may play anything it holds.
        assert_eq!(position.legal_cards().collect::<Vec<_>>(), cards("SA H2"));
        let heart_nine = "H9".parse().unwrap();
        assert_eq!(
            position.play(heart_nine).unwrap_err().to_string(),
            "North is to play and does not hold the nine of hearts (H9)"
        );
        // East must follow with its only diamond.
        let position = position.play("H2".parse().unwrap()).unwrap();
        assert_eq!(position.played(), cards("DA H2"));
        assert_eq!(position.legal_cards().collect::<Vec<_>>(), cards("D2"));
        assert_eq!(
            position
                .play("SK".parse().unwrap())
                .unwrap_err()
                .to_string(),
            "East cannot play the king of spades (SK): it holds diamonds and must follow suit"
        );
    }

    #[test]
    fn impossible_positions() {
        assert_eq!(
            error("N:A234... K... Q... J...", ""),
            "North has 4 cards, East has 1: all hands must have the same number of cards"
        );
        assert_eq!(
            error("N:A... ... Q... J...", ""),
            "North has 1 card, East has 0: all hands must have the same number of cards"
        );
        assert!(error("N:A... K... Q... J...", "S2").starts_with("West has 1 card, expected 0"));
        assert_eq!(
            error("N:... K... Q... ...", "S2"),
            "North has 0 cards, expected 1: a seat that has played to the trick must have \
             one card fewer than a seat that has not"
        );
        assert_eq!(
            error("N:... ... ... ...", "S2 S3 S4 S5"),
            "at most 3 cards can be on the table, found 4"
        );
        assert_eq!(
            error("N:... K... Q... ...", "S2 S2"),
            "the deuce of spades (S2) is on the table twice"
        );
        assert_eq!(
            error("N:... K... Q... ...", "S2 SQ"),
            "the queen of spades (SQ) is on the table, but South still holds it"
        );
        assert_eq!(
            error("N:A... K3... Q4... 5...", "S2 HA"),
            "North revoked: it played the ace of hearts (HA) and still holds spades"
        );
    }
}
