//! One abstract trick over a set: the hands' moves, and the cards played.

/// Cards as a bit set: bit `16 * suit + rank`, where rank 0 is the suit's top
/// card, and index [`X`] means its x's. The order of a hand's moves is that
/// of their bits.
pub(crate) type CardMask = u64;

/// Known cards: [`CardMask`] without x's.
pub(crate) type KnownCards = CardMask;

/// The rank of an x among the cards of its suit: below all known ones. A suit has at most 13
/// known cards.
const X: usize = 15;

/// The card of a suit at a rank, counted from the top.
#[inline]
pub(crate) fn card(suit: usize, rank: usize) -> CardMask {
    1 << (16 * suit + rank)
}

/// The x's of a suit.
#[inline]
pub(crate) fn x(suit: usize) -> CardMask {
    card(suit, X)
}

/// All cards of a suit.
#[inline]
fn suit_cards(suit: usize) -> CardMask {
    0xffff << (16 * suit)
}

/// The suit of a card.
#[inline]
fn suit_of(card: CardMask) -> usize {
    card.trailing_zeros() as usize / 16
}

/// The moves of each hand: its known cards, one for each run of adjacent cards, and an x in each
/// suit where it has any.
pub(crate) type HandMoves = [CardMask; 4];

/// Returns the legal moves of a hand in a trick in which `led` was led.
#[inline]
pub(crate) fn playable(moves: CardMask, led: CardMask) -> CardMask {
    match moves & led {
        0 => moves,
        following => following,
    }
}

/// A trick under way.
#[derive(Clone, Copy)]
pub(crate) struct AbstractTrick {
    /// The known cards that are still in the hands.
    pub(crate) left: KnownCards,
    /// The best card so far.
    best: CardMask,
    /// The cards that would beat it.
    better: CardMask,
    /// Suits played, two bits per hand.
    pub(crate) suits: u8,
    /// The hands that may win the trick: more than one hand only if x's compete for it.
    pub(crate) winners: u8,
}

impl AbstractTrick {
    /// The trick in which hand 0 leads `card`. `trumps` are all cards of the
    /// trump suit, the first, if there is one.
    #[inline]
    pub(crate) fn led(known: KnownCards, card: CardMask, trumps: CardMask) -> AbstractTrick {
        let suit = suit_of(card);
        AbstractTrick {
            left: known & !card,
            best: card,
            better: better(card, suit, trumps),
            suits: suit as u8,
            winners: 1,
        }
    }

    /// The cards of the suit led.
    #[inline]
    pub(crate) fn suit_led(&self) -> CardMask {
        suit_cards(usize::from(self.suits & 3))
    }

    /// The suit of the best card.
    #[inline]
    pub(crate) fn best_suit(&self) -> usize {
        suit_of(self.best)
    }

    /// The trick after `hand` (1..=3) played `card` to it.
    #[inline]
    pub(crate) fn with(&self, hand: usize, card: CardMask, trumps: CardMask) -> AbstractTrick {
        let suit = suit_of(card);
        let mut next = AbstractTrick {
            // An x is not among the known cards.
            left: self.left & !card,
            suits: self.suits | (suit as u8) << (2 * hand),
            ..*self
        };
        if card & self.better != 0 {
            next.best = card;
            next.better = better(card, suit, trumps);
            next.winners = 1 << hand;
        } else if card == self.best {
            // Only x's can share a rank.
            next.winners |= 1 << hand;
        }
        next
    }
}

/// The cards that beat a card of a suit.
#[inline]
fn better(card: CardMask, suit: usize, trumps: CardMask) -> CardMask {
    (card - 1) & (suit_cards(suit) | trumps)
}

/// The cards of the trump suit, if there is one.
#[inline]
pub(crate) fn trump_cards(trump: bool) -> CardMask {
    if trump { suit_cards(0) } else { 0 }
}
