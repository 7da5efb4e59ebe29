//! A position prepared for the search.
//!
//! Cards played before the search starts do not matter any more, so the cards of each suit are
//! renumbered from 0 up, and the suits are ordered with the trump suit last.

use setrograde_cards::{Card, Deal, Position, Sorting, Strain, Suit};
use setrograde_endgame::owners::PackedOwners;

use crate::lanes::{LANE, suit_mask, suit_of};
use crate::state::{State, shape_unit};

/// The cards of a deal, and a strain, as the search has them.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The state at the start of the search.
    pub start: State,
    /// For each suit, the owners of its remaining cards for any subset of its cards at the start;
    /// see [`owner_table`].
    owners: [Vec<u32>; 4],
    /// The real cards of each lane, from bit 0 up.
    cards: [Vec<Card>; 4],
    /// The bits of all cards, by suit and rank; 0 for a missing card.
    bits: [[u64; 13]; 4],
}

impl Board {
    /// The board of a position; the cards on the table are in no hand.
    pub(crate) fn new(position: &Position) -> Board {
        let deal = deal_at_trick_start(position);
        let mut board = Board::from_deal(position.strain(), &deal);
        for (seat, card) in position.trick().plays() {
            let bit = board.bit(card);
            board.start.play(seat.index(), bit);
        }
        board
    }

    /// The board of a deal, with no card on the table.
    pub(crate) fn from_deal(strain: Strain, deal: &Deal) -> Board {
        let mut suits = Suit::ALL;
        suits.in_order_by_key(|&suit| strain.trump() == Some(suit));
        let mut board = Board {
            start: State {
                hands: [0; 4],
                all: 0,
                shape: 0,
                trumps: 0,
            },
            owners: Default::default(),
            cards: Default::default(),
            bits: [[0; 13]; 4],
        };
        for (lane, &suit) in suits.iter().enumerate() {
            let mut owners = Vec::with_capacity(13);
            for card in Card::pack().filter(|card| card.suit == suit) {
                if let Some(seat) = deal.owner(card) {
                    owners.push(seat.index());
                    board.cards[lane].push(card);
                }
            }
            owners.reverse();
            board.cards[lane].reverse();
            for (rank, card) in board.cards[lane].iter().enumerate() {
                board.bits[suit.index()][card.rank.index()] = 1 << (LANE as usize * lane + rank);
            }
            for (rank, &seat) in owners.iter().enumerate() {
                board.start.hands[seat] |= 1 << (LANE as usize * lane + rank);
                board.start.shape += shape_unit(seat, lane);
            }
            board.owners[lane] = owner_table(&owners);
        }
        board.start.all = board.start.hands.iter().fold(0, |all, hand| all | hand);
        if strain.trump().is_some() {
            board.start.trumps = suit_mask(3);
        }
        board
    }

    /// The state of a position of the deal that the board was made of, after some
    /// of its cards have been played.
    pub(crate) fn state(&self, position: &Position) -> State {
        let mut state = State {
            hands: [0; 4],
            all: 0,
            shape: 0,
            ..self.start
        };
        for (seat, hand) in position.deal().hands().iter().enumerate() {
            for card in hand.cards() {
                let bit = self.bit(card);
                state.hands[seat] |= bit;
                state.shape += shape_unit(seat, suit_of(bit));
            }
            state.all |= state.hands[seat];
        }
        let table = position.played().iter();
        state.all |= table.fold(0, |all, &card| all | self.bit(card));
        state
    }

    /// Owners of the remaining cards of each suit; `all` are the cards in play.
    #[inline]
    pub(crate) fn owners(&self, all: u64) -> PackedOwners {
        PackedOwners::from_words(std::array::from_fn(|suit| {
            let cards = (all >> (LANE as usize * suit)) as usize & 0xffff;
            self.owners[suit].get(cards).copied().unwrap_or(0)
        }))
    }

    /// The bit of a card that the board has; no bit otherwise.
    pub(crate) fn bit(&self, card: Card) -> u64 {
        self.bits[card.suit.index()][card.rank.index()]
    }

    /// The card of a bit; `None` if the board has no such card.
    pub(crate) fn card(&self, bit: u64) -> Option<Card> {
        let nth = bit.checked_ilog2()?;
        self.cards[(nth / LANE) as usize]
            .get((nth % LANE) as usize)
            .copied()
    }
}

/// Returns the deal at the start of the current trick.
pub(crate) fn deal_at_trick_start(position: &Position) -> Deal {
    let mut hands = *position.deal().hands();
    for (seat, card) in position.trick().plays() {
        hands[seat].insert(card);
    }
    Deal::new(hands).expect("a position's hands and the cards on its table are disjoint")
}

/// For each subset of a suit's cards, their owners, as in [`PackedOwners`].
///
/// `owners` are those of the suit's cards from the lowest up.
fn owner_table(owners: &[usize]) -> Vec<u32> {
    let mut table = Vec::with_capacity(1 << owners.len());
    table.push(0);
    for &owner in owners {
        let without = table.len();
        table.extend_from_within(..);
        for word in &mut table[without..] {
            *word = owner as u32 | *word << 2;
        }
    }
    table
}
