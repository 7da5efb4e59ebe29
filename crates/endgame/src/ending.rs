//! Endings: positions with no card on the table, by relative ranks.

use std::cmp::Reverse;

use setrograde_cards::{Card, Deal, Hand, Holding, Position, Rank, Seat, Strain, Suit};

use crate::owners::{PackedOwners, TopCards};
use crate::partition::{Canonical, Shape};
use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// A position with the same number of cards in each hand and none on the table.
///
/// Hands are seats 0..=3 clockwise from North, suits 0..=3 from spades down.
/// Ranks are relative: a suit is the list of its cards' owners from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// Seats from North.
    owners: PackedOwners,
    lengths: [SuitLengths; 4],
    leader: u8,
    /// 0..=3, or 4 at no trump.
    trump: u8,
}

/// Reasons why a position is not an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndingError {
    /// There are cards on the table.
    #[error("a trick is under way ({0} cards on the table); an ending has none")]
    TrickUnderWay(usize),
    /// The hands differ in length.
    #[error(
        "the hands hold {}, {}, {} and {} cards; in an ending all four hold as many",
        .0[0], .0[1], .0[2], .0[3]
    )]
    UnequalHands([usize; 4]),
    /// All hands are empty.
    #[error("there are no cards left to play")]
    NoCards,
    /// A suit has more than 13 cards.
    #[error("{suit} has {cards} cards; a suit has at most 13")]
    LongSuit {
        /// The suit's letter.
        suit: char,
        /// Its number of cards.
        cards: usize,
    },
}

/// By the set of ranks present among four, and the marked ones among them: the marks of the present
/// ranks, from the top, in every other bit.
const MARKS: [[u8; 16]; 16] = {
    let mut marks = [[0; 16]; 16];
    let mut at = 0;
    while at < 256 {
        let (held, marked) = (at / 16, at % 16);
        let (mut rank, mut shift) = (4, 0);
        while rank > 0 {
            rank -= 1;
            if held >> rank & 1 == 1 {
                marks[held][marked] |= ((marked >> rank & 1) as u8) << shift;
                shift += 2;
            }
        }
        at += 1;
    }
    marks
};

/// Returns the error for impossible lengths.
#[cold]
fn no_ending(lengths: [SuitLengths; 4]) -> EndingError {
    let hand = |hand: usize| {
        let of_hand = lengths.iter().map(|suit| usize::from(suit.length(hand)));
        of_hand.sum()
    };
    let hands: [usize; 4] = [0, 1, 2, 3].map(hand);
    if hands == [0; 4] {
        return EndingError::NoCards;
    }
    if hands != [hands[0]; 4] {
        return EndingError::UnequalHands(hands);
    }
    let long = lengths.iter().position(|suit| suit.total() > SUIT_CARDS);
    let suit = long.expect("four hands of more than 13 cards have more than 13 of some suit");
    EndingError::LongSuit {
        suit: Suit::from_index(suit).letter(),
        cards: lengths[suit].total() as usize,
    }
}

impl Ending {
    /// Makes the ending in which the cards of each suit, from the top, belong to these seats (0..=3
    /// from North; higher numbers wrap).
    ///
    /// # Errors
    ///
    /// If a suit has more than 13 cards or the hands differ in length.
    pub fn new(strain: Strain, leader: Seat, owners: [&[u8]; 4]) -> Result<Ending, EndingError> {
        let mut ending = Ending {
            owners: PackedOwners::NONE,
            lengths: [SuitLengths::EMPTY; 4],
            leader: leader.index() as u8,
            trump: strain.trump().map_or(4, |suit| suit.index() as u8),
        };
        for (suit, owners) in owners.iter().enumerate() {
            if owners.len() > SUIT_CARDS as usize {
                let suit = Suit::from_index(suit).letter();
                return Err(EndingError::LongSuit {
                    suit,
                    cards: owners.len(),
                });
            }
            let mut lengths = [0u8; 4];
            for (rank, &owner) in owners.iter().enumerate() {
                ending.owners.insert(suit, rank, usize::from(owner));
                lengths[usize::from(owner & 3)] += 1;
            }
            ending.lengths[suit] = SuitLengths::new(lengths);
        }
        ending.checked()
    }

    /// Makes an ending of a position without cards on the table.
    ///
    /// # Errors
    ///
    /// If a trick is under way, or the hands are empty or differ in length.
    pub fn from_position(position: &Position) -> Result<Ending, EndingError> {
        if !position.is_trick_boundary() {
            return Err(EndingError::TrickUnderWay(position.played().len()));
        }
        Ending::from_deal(position.strain(), position.leader(), position.deal())
    }

    /// Makes the ending with these cards, `leader` to lead.
    ///
    /// # Errors
    ///
    /// If the hands are empty or differ in length.
    pub fn from_deal(strain: Strain, leader: Seat, deal: &Deal) -> Result<Ending, EndingError> {
        let mut owners = [0; 4];
        let mut lengths = [SuitLengths::EMPTY; 4];
        for (index, suit) in Suit::ALL.into_iter().enumerate() {
            let held = Seat::ALL.map(|seat| u32::from(deal.hand(seat).holding(suit).bits()));
            // The seats as a two-bit number for each rank, then only the ranks present, from the
            // top, four ranks at a time.
            let (odd, upper) = (held[1] | held[3], held[2] | held[3]);
            let any = held[0] | odd | upper;
            let mut shift = 0;
            let word = &mut owners[index];
            for lowest in [12, 8, 4, 0] {
                let four = |ranks: u32| (ranks >> lowest & 15) as usize;
                let marks = &MARKS[four(any)];
                let marked = u32::from(marks[four(odd)]) | u32::from(marks[four(upper)]) << 1;
                *word |= marked << (2 * shift);
                shift += four(any).count_ones();
            }
            lengths[index] = SuitLengths::new(held.map(|ranks| ranks.count_ones() as u8));
        }
        Ending::from_packed(strain, leader, lengths, PackedOwners::from_words(owners))
    }

    /// Makes the ending of these lengths and owners, seats from North, which must match: if the
    /// owners do not add up to the lengths, a database's answers about the ending are meaningless.
    ///
    /// # Errors
    ///
    /// If the hands are empty or differ in length.
    #[inline]
    pub fn from_packed(
        strain: Strain,
        leader: Seat,
        lengths: [SuitLengths; 4],
        owners: PackedOwners,
    ) -> Result<Ending, EndingError> {
        let ending = Ending {
            owners,
            lengths,
            leader: leader.index() as u8,
            trump: strain.trump().map_or(4, |suit| suit.index() as u8),
        };
        ending.checked()
    }

    #[inline]
    fn checked(self) -> Result<Ending, EndingError> {
        let lengths = self.lengths;
        match (Shape { lengths }).level() {
            Some(_) => Ok(self),
            None => Err(no_ending(lengths)),
        }
    }

    /// Cards in each hand, 1..=13.
    #[inline]
    pub fn level(&self) -> usize {
        // A hand has at most 13 cards, so the nibbles cannot overflow.
        let sum = self
            .lengths
            .iter()
            .map(|suit_lengths| suit_lengths.bits() & 15)
            .sum::<u16>();
        usize::from(sum)
    }

    /// The seat on lead.
    pub fn leader(&self) -> Seat {
        Seat::from_index(usize::from(self.leader))
    }

    /// The seat on lead, 0..=3 from North.
    #[inline]
    pub(crate) fn leader_index(&self) -> u8 {
        self.leader
    }

    /// The strain.
    pub fn strain(&self) -> Strain {
        if self.trump < 4 {
            Strain::Trump(Suit::from_index(usize::from(self.trump)))
        } else {
            Strain::NoTrump
        }
    }

    /// Returns the owner of a suit's card, 0 for the top one; `None` below the last.
    pub fn owner(&self, suit: Suit, rank: usize) -> Option<Seat> {
        let suit = suit.index();
        (rank < self.lengths[suit].total() as usize)
            .then(|| Seat::from_index(self.owners.owner(suit, rank)))
    }

    /// Returns the lengths of a suit, seat by seat from North.
    pub fn lengths(&self, suit: Suit) -> SuitLengths {
        self.lengths[suit]
    }

    /// Returns the number of cards of a suit (0..=3) that are left.
    #[inline]
    pub(crate) fn total(&self, suit: usize) -> usize {
        self.lengths[suit & 3].total() as usize
    }

    /// Returns all of its cards.
    pub fn all_cards(&self) -> TopCards {
        TopCards::new(self.lengths.map(|lengths| lengths.total() as u8))
    }

    /// Returns the owners of all cards: seats from North.
    #[inline]
    pub(crate) fn owners(&self) -> PackedOwners {
        self.owners
    }

    /// Returns the suit lengths as the leader sees them: the leader is hand 0.
    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        Shape {
            lengths: self
                .lengths
                .map(|suit_lengths| suit_lengths.seen_from(usize::from(self.leader))),
        }
    }

    /// Returns the canonical shape, and the order of the suits in it.
    #[inline]
    pub fn canonical(&self) -> Canonical {
        self.shape()
            .canonical((self.trump < 4).then_some(usize::from(self.trump)))
    }

    /// Returns the lengths of all suits, and a number below 32 that is different for each leader
    /// and strain: a key for a table of position patterns. Endings with the same key have the same
    /// [`canonical`](Self::canonical) shape and order.
    #[inline]
    pub fn lengths_and_turn(&self) -> (u64, u8) {
        let [a, b, c, d] = self.lengths.map(|lengths| u64::from(lengths.bits()));
        (
            a | b << 16 | c << 32 | d << 48,
            self.leader | self.trump << 2,
        )
    }

    /// Returns true if a proof about this ending that depends on the `known` cards holds for the
    /// `other` one, too: both have the same leader, strain and lengths, and these cards have the same
    /// owners.
    #[inline]
    pub fn agrees(&self, other: &Ending, known: TopCards) -> bool {
        let mask = PackedOwners::mask(known);
        self.lengths_and_turn() == other.lengths_and_turn()
            && self.owners.agree(&other.owners, &mask)
    }

    /// Returns the canonical form of this ending, and this ending's suits in the form's order: North
    /// leads, the trump suit is spades, and the other suits are sorted by their lengths and owners.
    /// An ending without a card of the trump suit is one at no trump. Endings with the same form
    /// have the same value, and the same cards prove it.
    ///
    /// ```
    /// use setrograde_endgame::ending::Ending;
    ///
    /// let canonical = |text: &str| -> Result<Ending, Box<dyn std::error::Error>> {
    ///     Ok(Ending::from_position(&text.parse()?)?.to_canonical().0)
    /// };
    /// let west_leads = canonical("H W N:.A.. .K.. .Q.. .J..")?;
    /// assert_eq!(west_leads, canonical("S N N:5... 9... 8... 7...")?);
    /// assert_eq!(west_leads.to_position().to_string(), "S N N:J... A... K... Q...");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_canonical(&self) -> (Ending, [Suit; 4]) {
        let words = self.owners.words();
        let seen = [0, 1, 2, 3].map(|suit| {
            let cards = (1 << (2 * self.total(suit))) - 1;
            let lengths = self.lengths[suit].seen_from(usize::from(self.leader));
            (lengths, seen_from(words[suit], self.leader) & cards)
        });
        let is_trump = |suit: usize| suit == usize::from(self.trump) && self.total(suit) > 0;
        let mut order = [0, 1, 2, 3];
        order.sort_by_key(|&suit| {
            let (lengths, owners) = seen[suit];
            Reverse((is_trump(suit), lengths.bits(), owners))
        });
        let ending = Ending {
            owners: PackedOwners::from_words(order.map(|suit| seen[suit].1)),
            lengths: order.map(|suit| seen[suit].0),
            leader: 0,
            trump: if is_trump(order[0]) { 0 } else { 4 },
        };
        (ending, order.map(Suit::from_index))
    }

    /// Returns the ending with real cards: each suit's from the ace down.
    pub fn to_position(&self) -> Position {
        let mut holdings = [[Holding::EMPTY; 4]; 4];
        for suit in Suit::ALL {
            let mut ranks = Rank::all();
            let mut rank = 0;
            while let Some(owner) = self.owner(suit, rank) {
                holdings[owner][suit].insert(ranks.next().expect("at most 13 cards in a suit"));
                rank += 1;
            }
        }
        let deal = Deal::new(holdings.map(Hand::new)).expect("each card has one owner");
        let nothing_played: &[Card] = &[];
        Position::new(self.strain(), self.leader(), deal, nothing_played)
            .expect("equally many cards in each hand")
    }
}

/// The owners of a suit, two bits each, counted from `seat` on.
fn seen_from(owners: u32, seat: u8) -> u32 {
    const EACH: u32 = 0x5555_5555;
    let (low, high) = (owners & EACH, owners >> 1 & EACH);
    let (low, high) = match seat & 3 {
        0 => (low, high),
        1 => (!low, high ^ !low),
        2 => (low, !high),
        _ => (!low, high ^ low),
    };
    low & EACH | (high & EACH) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_ranks_forget_the_absolute_ones() -> Result<(), Box<dyn std::error::Error>> {
        let high: Position = "S E N:A.5.. K.Q.. 2..7. ..A.3".parse()?;
        let low: Position = "S E N:9.2.. 8.Q.. 2..5. ..J.A".parse()?;
        let (high, low) = (Ending::from_position(&high)?, Ending::from_position(&low)?);
        assert_eq!(high, low);
        assert_eq!(high.level(), 2);
        assert_eq!(high.owner(Suit::Hearts, 0), Some(Seat::East));
        assert_eq!(high.owner(Suit::Hearts, 2), None);
        assert_eq!(high.lengths(Suit::Spades), SuitLengths::new([1, 1, 1, 0]));
        let again = high.to_position();
        assert_eq!(again.to_string(), "S E N:A.K.. K.A.. Q..K. ..A.A");
        assert_eq!(Ending::from_position(&again)?, high);
        let [s, h, d, c] = [vec![0, 1, 2], vec![1, 0], vec![3, 2], vec![3]];
        assert_eq!(
            Ending::new(Strain::Trump(Suit::Spades), Seat::East, [&s, &h, &d, &c])?,
            high
        );
        Ok(())
    }

    #[test]
    fn the_leader_is_hand_0_and_the_trump_suit_is_first() -> Result<(), Box<dyn std::error::Error>>
    {
        for (strain, suits) in [
            ("NT", [0, 1, 2, 3]),
            ("H", [1, 0, 2, 3]),
            ("C", [3, 0, 1, 2]),
        ] {
            let position: Position = format!("{strain} E N:A.K.. K.A.. Q..K. ..A.A").parse()?;
            let ending = Ending::from_position(&position)?;
            let shape = [[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0]];
            assert_eq!(ending.shape().lengths, shape.map(SuitLengths::new));
            let canonical = ending.canonical();
            assert_eq!(canonical.order.suits(), suits);
            assert_eq!(canonical.partition.trump, strain != "NT");
            assert_eq!(ending.all_cards(), TopCards::new([3, 2, 2, 1]));
            assert_eq!(ending.to_position(), position);
        }
        Ok(())
    }

    #[test]
    fn a_deal_is_read_as_its_cards_are_one_by_one() -> Result<(), Box<dyn std::error::Error>> {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..if cfg!(miri) { 20 } else { 2_000 } {
            let deal = Deal::random_ending(1 + round % 13, |n| random.usize(..n));
            let hands = deal.hands();
            let owners = Suit::ALL.map(|suit| -> Vec<u8> {
                let holder = |rank: Rank| {
                    (0..4).find(|&seat| hands[usize::from(seat)].contains(Card::new(suit, rank)))
                };
                Rank::all().filter_map(holder).collect()
            });
            let [s, h, d, c] = &owners;
            let one_by_one = Ending::new(Strain::NoTrump, Seat::South, [s, h, d, c])?;
            assert_eq!(
                Ending::from_deal(Strain::NoTrump, Seat::South, &deal)?,
                one_by_one
            );
        }
        Ok(())
    }

    #[test]
    fn what_is_no_ending_is_refused() -> Result<(), Box<dyn std::error::Error>> {
        let position: Position = "NT N N:A.K.. K.A.. Q..K. ..A.A".parse()?;
        let card = position.legal_cards().next().ok_or("no card")?;
        let under_way = Ending::from_position(&position.play(card)?);
        assert_eq!(under_way, Err(EndingError::TrickUnderWay(1)));
        let too_long = |suit| EndingError::LongSuit { suit, cards: 14 };
        for (spades, error) in [
            (&[0, 1][..], EndingError::UnequalHands([1, 1, 0, 0])),
            (&[0; 14], too_long('S')),
            (&[], EndingError::NoCards),
        ] {
            let ending = Ending::new(Strain::NoTrump, Seat::North, [spades, &[], &[], &[]]);
            assert_eq!(ending, Err(error));
        }
        for (lengths, suit) in [
            ([[4, 3, 3, 3], [3, 4, 4, 3], [0, 0, 0, 1], [0; 4]], 'H'),
            (
                [[4, 3, 4, 3], [3, 4, 3, 4], [4, 4, 3, 3], [3, 3, 4, 4]],
                'S',
            ),
        ] {
            let lengths = lengths.map(SuitLengths::new);
            let none = PackedOwners::NONE;
            let ending = Ending::from_packed(Strain::NoTrump, Seat::North, lengths, none);
            assert_eq!(ending, Err(too_long(suit)));
        }
        Ok(())
    }

    #[test]
    fn endings_agree_by_their_known_cards() {
        let ending = |text: &str| Ending::from_position(&text.parse().unwrap()).unwrap();
        let one = ending("NT N N:A5... K4... Q3... J2...");
        let other = ending("NT N N:A2... K4... Q3... J5...");
        assert!(one.agrees(&other, TopCards::new([4, 0, 0, 0])));
        assert!(!one.agrees(&other, TopCards::new([5, 0, 0, 0])));
        for different in [
            "NT E N:A5... K4... Q3... J2...",
            "S N N:A5... K4... Q3... J2...",
            "NT N N:A5... K4... Q3... J.2..",
        ] {
            assert!(!one.agrees(&ending(different), TopCards::new([3, 0, 0, 0])));
        }
    }

    /// The canonical form has the cards of the ending, for all leaders and strains.
    #[test]
    fn a_canonical_ending_has_the_same_cards() {
        let random = &mut fastrand::Rng::with_seed(23);
        for nth in 0..if cfg!(miri) { 20 } else { 2_000 } {
            let deal = Deal::random_ending(1 + nth % 5, |n| random.usize(..n));
            let (strain, leader) = (random.usize(..5), Seat::from_index(random.usize(..4)));
            let strain = match strain {
                4 => Strain::NoTrump,
                suit => Strain::Trump(Suit::from_index(suit)),
            };
            let ending = Ending::from_deal(strain, leader, &deal).unwrap();
            let (canonical, suits) = ending.to_canonical();
            assert_eq!(canonical.leader(), Seat::North);
            assert_eq!(canonical.to_canonical(), (canonical, Suit::ALL));
            assert!(canonical.agrees(&canonical, canonical.all_cards()));
            let trumps = match strain {
                Strain::Trump(suit) => ending.total(suit.index()),
                Strain::NoTrump => 0,
            };
            let trump = (trumps > 0).then_some(Strain::Trump(Suit::Spades));
            assert_eq!(canonical.strain(), trump.unwrap_or(Strain::NoTrump));
            for (suit, at) in suits.into_iter().zip(Suit::ALL) {
                for rank in 0..13 {
                    let owner = ending.owner(suit, rank);
                    let distance = owner.map(|seat| seat.distance_from(leader));
                    assert_eq!(canonical.owner(at, rank).map(Seat::index), distance);
                }
            }
        }
    }
}
