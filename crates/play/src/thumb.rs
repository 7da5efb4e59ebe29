//! A page of rules of thumb: second hand low, third hand high, cover, draw
//! trumps.

use setrograde_beliefs::{Game, State, Trick};
use setrograde_cards::{Card, Hand, Suit};

/// The facts that the rules use.
struct Looks<'a, G> {
    game: &'a G,
    legal: Hand,
    hand: Hand,
    trick: &'a Trick,
    /// The cards that other hands may still have.
    out: Hand,
}

/// Returns the card of the rules in a position in which the player considers only its own hand and
/// the played cards.
pub(crate) fn card_with_all_seen<G: Game>(game: &G, state: &State) -> Card {
    let hands = state.hands();
    let all: Hand = hands.iter().copied().collect();
    let hand = hands[state.to_play()];
    card(game, hand, state.legal(game), state.trick(), all - hand)
}

/// The card that the rules choose. `out` are cards that other hands may hold.
pub(crate) fn card<G: Game>(game: &G, hand: Hand, legal: Hand, trick: &Trick, out: Hand) -> Card {
    let looks = Looks {
        game,
        legal,
        hand,
        trick,
        out,
    };
    let choice = if legal.len() == 1 {
        None
    } else if trick.is_empty() {
        looks.lead()
    } else {
        looks.follow()
    };
    let card = choice.or_else(|| legal.iter().next());
    card.expect("a seat that has cards may play one of them")
}

impl<G: Game> Looks<'_, G> {
    /// The price of a card: its points, then its height; trumps most.
    fn price(&self, card: Card) -> u32 {
        let lower = self.hand | self.out;
        let height = lower
            .suit(card.suit)
            .iter()
            .filter(|&other| other != card && self.game.beats(card, other))
            .count() as u32;
        let trump = if self.game.trump() == Some(card.suit) {
            100
        } else {
            0
        };
        let counts = self.game.card_value(card).unsigned_abs() * 4;
        trump + u32::from(counts) + height
    }

    fn cheapest(&self, cards: impl Iterator<Item = Card>) -> Option<Card> {
        cards.min_by_key(|&card| self.price(card))
    }

    /// Returns true if no card that is out beats `card` in its suit.
    fn is_master(&self, card: Card) -> bool {
        let mut rivals = self.out.suit(card.suit).iter();
        !rivals.any(|rival| self.game.beats(rival, card))
    }

    fn lead(&self) -> Option<Card> {
        let masters = || self.legal.iter().filter(|&card| self.is_master(card));
        if let Some(trump) = self.game.trump() {
            // Draw trumps while more than half of those left are in hand.
            let (mine, theirs) = (self.hand.suit(trump).len(), self.out.suit(trump).len());
            if theirs > 0 && mine >= theirs.div_ceil(2) {
                let top = masters().find(|card| card.suit == trump);
                if top.is_some() {
                    return top;
                }
            }
        }
        // Cash a sure trick in a side suit, from the shortest rest outside.
        let side = masters().filter(|card| self.game.trump() != Some(card.suit));
        if let Some(card) = side.max_by_key(|card| self.out.suit(card.suit).len()) {
            return Some(card);
        }
        // Else a low card of the longest side suit.
        let length = |suit: Suit| {
            let side = self.game.trump() != Some(suit);
            (side, self.legal.suit(suit).len())
        };
        let held = Suit::ALL
            .into_iter()
            .filter(|&suit| !self.legal.suit(suit).is_empty());
        let suit = held.max_by_key(|&suit| length(suit))?;
        self.cheapest(self.legal.suit(suit).iter())
    }

    fn follow(&self) -> Option<Card> {
        let best = self.trick.best()?;
        let seat = self.trick.to_play();
        let index = self.trick.len();
        let ours = self.game.party(self.trick.winner()) == self.game.party(seat);
        let low = || self.cheapest(self.legal.iter());
        let winners = || {
            self.legal
                .iter()
                .filter(|&card| self.game.beats(card, best))
        };
        match index {
            3 if ours => low(),
            3 => self.cheapest(winners()).or_else(low),
            2 if ours && self.is_master(best) => low(),
            2 => {
                // Third hand high: the cheapest of the cards that are as good
                // as the highest.
                let top = winners().max_by_key(|&card| self.price(card));
                let as_good = |card: &Card| {
                    top.is_some_and(|top| {
                        card.suit == top.suit
                            && !self
                                .out
                                .suit(top.suit)
                                .iter()
                                .any(|x| self.game.beats(top, x) && self.game.beats(x, *card))
                    })
                };
                self.cheapest(winners().filter(as_good)).or_else(low)
            }
            _ => {
                // Second hand low, but cover an honour, and take with a master.
                let covers = best.rank.value() >= 10 && best.suit == self.trick.cards()[0].suit;
                let sure = |card: &Card| self.is_master(*card);
                if let Some(card) = self.cheapest(winners().filter(sure)) {
                    return Some(card);
                }
                let cover = winners().filter(|card| card.suit == best.suit);
                if covers {
                    self.cheapest(cover).or_else(low)
                } else {
                    low()
                }
            }
        }
    }
}
