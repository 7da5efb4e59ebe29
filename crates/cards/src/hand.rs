//! A set of cards: the hand of a seat.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};
use std::str::FromStr;

use crate::card::read_rank;
use crate::text::{TextError, TextProblem, missing, without_selectors};
use crate::{Card, Holding, Rank, Suit};

/// A set of cards: the hand of a seat. Any number of cards, 0 to 52.
///
/// Stored as 64 bits, sixteen for each suit with spades lowest; within a suit
/// bit 0 is the deuce and bit 12 the ace. `Ord` compares them as a number.
///
/// ```
/// use setrograde_cards::{Hand, Suit};
///
/// let hand: Hand = "AK2.Q..".parse()?;
/// let hearts = hand.suit(Suit::Hearts);
/// assert_eq!((hand - hearts).to_string(), "AK2...");
/// assert_eq!((hand & hearts) | hearts, hearts);
/// # Ok::<(), setrograde_cards::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hand(u64);

const SUIT: u64 = 0x1fff;

impl Hand {
    /// No cards.
    pub const EMPTY: Hand = Hand(0);
    /// All 52 cards.
    pub const PACK: Hand = Hand(SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48);

    /// The hand with these holdings in spades, hearts, diamonds, clubs.
    pub const fn new(holdings: [Holding; 4]) -> Hand {
        let [spades, hearts, diamonds, clubs] = holdings;
        Hand(
            spades.bits() as u64
                | (hearts.bits() as u64) << 16
                | (diamonds.bits() as u64) << 32
                | (clubs.bits() as u64) << 48,
        )
    }

    /// The hand with these bits; bits of no card are dropped.
    pub const fn from_bits(bits: u64) -> Hand {
        Hand(bits & Hand::PACK.0)
    }

    /// The bits.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the number of a card's bit, 0 to 60.
    #[inline]
    const fn bit_index(card: Card) -> usize {
        card.suit.index() << 4 | card.rank.index()
    }

    /// The one card.
    #[inline]
    pub const fn of(card: Card) -> Hand {
        Hand(1 << Hand::bit_index(card))
    }

    /// The cards of one suit alone.
    #[inline]
    #[must_use]
    pub const fn suit(self, suit: Suit) -> Hand {
        Hand(self.0 & SUIT << (suit.index() << 4))
    }

    /// Returns the holding in `suit`.
    #[inline]
    pub const fn holding(self, suit: Suit) -> Holding {
        Holding::from_bits((self.0 >> (suit.index() << 4)) as u16)
    }

    /// Number of cards, 0 to 52.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the hand has no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the hand has `card`.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Hand::of(card).0 != 0
    }

    /// Adds `card`; returns whether it was new.
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        self.0 |= Hand::of(card).0;
        new
    }

    /// Takes `card` away; returns whether it was held.
    pub const fn remove(&mut self, card: Card) -> bool {
        let held = self.contains(card);
        self.0 &= !Hand::of(card).0;
        held
    }

    /// The cards in the order of [`Card`]: spades first, each suit low to high.
    #[inline]
    pub const fn iter(self) -> Ascending {
        Ascending(self)
    }

    /// The cards as bridge players list them: spades first, each suit high to low.
    pub fn cards(mut self) -> impl Iterator<Item = Card> {
        std::iter::from_fn(move || {
            let suit = self.iter().next()?.suit;
            let rank = self.holding(suit).highest()?;
            let card = Card::new(suit, rank);
            self.remove(card);
            Some(card)
        })
    }
}

/// The cards of a [`Hand`] in the order of [`Card`].
#[derive(Clone, Debug)]
pub struct Ascending(Hand);

impl Iterator for Ascending {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.0.trailing_zeros();
        self.0.0 &= self.0.0 - 1;
        Some(Card {
            suit: Suit::ALL[index as usize >> 4],
            rank: Rank::from_bit((index & 15) as u8),
        })
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Card> {
        for _ in 0..n {
            self.0.0 &= self.0.0.wrapping_sub(1);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Ascending {}
impl FusedIterator for Ascending {}

impl IntoIterator for Hand {
    type Item = Card;
    type IntoIter = Ascending;

    fn into_iter(self) -> Ascending {
        self.iter()
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        cards.into_iter().map(Hand::of).collect()
    }
}

/// The union of hands.
impl FromIterator<Hand> for Hand {
    fn from_iter<I: IntoIterator<Item = Hand>>(hands: I) -> Hand {
        hands.into_iter().fold(Hand::EMPTY, |all, hand| all | hand)
    }
}

impl From<Card> for Hand {
    fn from(card: Card) -> Hand {
        Hand::of(card)
    }
}

impl BitOr for Hand {
    type Output = Hand;
    #[inline]
    fn bitor(self, other: Hand) -> Hand {
        Hand(self.0 | other.0)
    }
}

impl BitOrAssign for Hand {
    #[inline]
    fn bitor_assign(&mut self, other: Hand) {
        self.0 |= other.0;
    }
}

impl BitAnd for Hand {
    type Output = Hand;
    #[inline]
    fn bitand(self, other: Hand) -> Hand {
        Hand(self.0 & other.0)
    }
}

impl BitAndAssign for Hand {
    #[inline]
    fn bitand_assign(&mut self, other: Hand) {
        self.0 &= other.0;
    }
}

/// The cards of this hand that are not in the other.
impl Sub for Hand {
    type Output = Hand;
    #[inline]
    fn sub(self, other: Hand) -> Hand {
        Hand(self.0 & !other.0)
    }
}

impl SubAssign for Hand {
    #[inline]
    fn sub_assign(&mut self, other: Hand) {
        self.0 &= !other.0;
    }
}

/// Writes the four holdings separated by dots, as in `AK.Q..T2`.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [spades, hearts, diamonds, clubs] = Suit::ALL.map(|suit| self.holding(suit));
        write!(f, "{spades}.{hearts}.{diamonds}.{clubs}")
    }
}

/// Reads four holdings, spades first, ranks in any order, separated by dots or, if there are
/// four words without dots, by blanks; or holdings after the symbols or letters of their suits, as
/// `♠AQ732♥K5♦J83♣1092` or `S AQ732 H K5 D J83 C 1092`. A holding of `-` is a void.
impl FromStr for Hand {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match read_plain(text) {
            Some(hand) => Ok(hand),
            None => without_selectors(text, read_hand),
        }
    }
}

/// Reads a hand in the form that programs write, such as `AK2.Q..`. Returns `None` for other forms
/// and for faults, which [`read_hand`] reads.
pub(crate) fn read_plain(text: &str) -> Option<Hand> {
    let (mut cards, mut suit) = (0_u64, 0);
    for byte in text.bytes() {
        if byte == b'.' {
            suit += 16;
            if suit > 48 {
                return None;
            }
            continue;
        }
        let rank = Rank::from_letter(byte.into())?;
        let card = 1 << (suit + rank.index());
        if cards & card != 0 {
            return None;
        }
        cards |= card;
    }
    (suit == 48).then_some(Hand(cards))
}

pub(crate) fn read_hand(text: &str) -> Result<Hand, TextError> {
    let Some(first) = text.chars().next() else {
        return Err(missing(text, "a hand (spades.hearts.diamonds.clubs)"));
    };
    if Suit::from_mark(first).is_some() {
        return read_marked(text);
    }
    let blanks = !text.contains('.') && text.split_whitespace().count() == 4;
    let divides = |c: char| c == '.' || blanks && c.is_whitespace();
    let mut holdings = [Holding::EMPTY; 4];
    let mut column = 1;
    let mut suit = 0;
    for holding in text
        .split(divides)
        .filter(|text| !(blanks && text.is_empty()))
    {
        let Some(slot) = holdings.get_mut(suit) else {
            // The dot that starts the fifth suit is one too many.
            let found = text.split('.').count();
            return Err(TextError::new(column - 1, TextProblem::SuitCount { found }));
        };
        if !is_void(holding) {
            let read = holding.parse::<Holding>();
            *slot = read.map_err(|e| e.shifted(column - 1))?;
        }
        column += holding.chars().count() + 1;
        suit += 1;
    }
    match suit {
        4 => Ok(Hand::new(holdings)),
        found => Err(TextError::new(column - 1, TextProblem::SuitCount { found })),
    }
}

/// Returns true if `text` is a sign for a suit without cards.
fn is_void(text: &str) -> bool {
    matches!(text, "-" | "--" | "–" | "—")
}

/// Reads holdings after the symbols or letters of their suits. Separators between them are ignored.
fn read_marked(text: &str) -> Result<Hand, TextError> {
    let mut hand = Hand::EMPTY;
    let mut suit = Suit::Spades;
    let (mut rest, mut column) = (text, 1);
    while let Some(mark) = rest.chars().next() {
        let mut length = mark.len_utf8();
        if let Some(found) = Suit::from_mark(mark) {
            suit = found;
        } else if !mark.is_whitespace() && !".,:;=-–—".contains(mark) {
            let (rank, bytes) = read_rank(rest).map_err(|e| e.shifted(column - 1))?;
            if !hand.insert(Card::new(suit, rank)) {
                return Err(TextError::new(column, TextProblem::RepeatedRank { rank }));
            }
            length = bytes;
        }
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(hand)
}

/// The column, within the text of a hand, at which `card` is written.
///
/// Returns 1 if the card is not there.
pub(crate) fn column_of(text: &str, card: Card) -> usize {
    let mut suit = 0;
    for (offset, letter) in text.chars().enumerate() {
        // A 1 begins a 10.
        let letter = if letter == '1' { 'T' } else { letter };
        if letter == '.' {
            suit += 1;
        } else if let Some(marked) = Suit::from_mark(letter) {
            suit = marked.index();
        } else if suit == card.suit.index() && letter.eq_ignore_ascii_case(&card.rank.letter()) {
            return offset + 1;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn text_and_cards() {
        let hand: Hand = "ka.q..2T".parse().unwrap();
        assert_eq!(hand.to_string(), "AK.Q..T2");
        for text in ["ka.q..210", "♠AK♥Q♣102", "♣2T♥q♦♠ka"] {
            assert_eq!(text.parse(), Ok(hand), "{text}");
        }
        assert_eq!(hand.len(), 5);
        let cards: Vec<_> = hand.cards().map(|card| card.to_string()).collect();
        assert_eq!(cards, ["SA", "SK", "HQ", "CT", "C2"]);
        assert_eq!(hand.cards().collect::<Hand>(), hand);
        assert_eq!("...".parse(), Ok(Hand::EMPTY));
        assert_eq!(Hand::EMPTY.to_string(), "...");
        assert_eq!(Card::pack().collect::<Hand>(), Hand::PACK);
        assert_eq!(Hand::PACK.len(), 52);
        assert_eq!(Hand::from_bits(u64::MAX), Hand::PACK);
    }

    #[test]
    fn cards_are_taken_out_and_put_in() {
        let mut hand: Hand = "AK.Q..T2".parse().unwrap();
        let queen = "HQ".parse().unwrap();
        assert!(hand.contains(queen));
        assert!(!hand.insert(queen));
        assert!(hand.remove(queen));
        assert!(!hand.remove(queen));
        assert!(hand.holding(Suit::Hearts).is_empty());
        assert!(hand.insert(queen) && !hand.is_empty());
    }

    #[test]
    fn sets_agree_with_lists_of_cards() {
        for text in ["AKQJT98765432...", "...", "A2.K3.Q4.J5", "T.9.8.7"] {
            let hand: Hand = text.parse().expect("a hand");
            assert_eq!(Hand::new(Suit::ALL.map(|suit| hand.holding(suit))), hand);
            let mut cards: Vec<Card> = hand.cards().collect();
            cards.sort();
            assert_eq!(hand.iter().collect::<Vec<_>>(), cards);
            assert_eq!(hand.len(), cards.len());
            for (n, &card) in cards.iter().enumerate() {
                assert_eq!(hand.iter().nth(n), Some(card));
            }
            assert_eq!(hand.iter().nth(cards.len()), None);
            assert_eq!((Hand::PACK - hand) | hand, Hand::PACK);
            assert!((Hand::PACK - hand) & hand == Hand::EMPTY);
            let suits: Hand = Suit::ALL.into_iter().map(|suit| hand.suit(suit)).collect();
            assert_eq!(suits, hand);
        }
    }

    #[test]
    fn errors_name_their_column() {
        assert_errors::<Holding>(
            "
            |AKX| column 3: 'X' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2
            |A102X| column 5: 'X' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2
            |AQ3q| column 4: the queen (Q) occurs twice in the same suit of one hand
            |A é| column 2: ' ' is not a rank…
            ",
        );
        assert_errors::<Hand>(
            "
            |AK.Q.T2| column 8: a hand has 4 suits separated by dots (spades.hearts.diamonds.clubs), found 3
            |AK.Q..T2.| column 9: a hand has 4 suits separated by dots (spades.hearts.diamonds.clubs), found 5
            |-| column 2: a hand has 4 suits…
            |AK.Q..1| column 7: '1' is not a rank…
            |AK.10Q..10X| column 11: 'X' is not a rank…
            |♠AK♥QQ| column 6: the queen (Q)…
            |♠AK♥Q♠K| column 7: the king (K)…
            |♠A♥9x| column 5: 'x' names no card…
            |AK.QQ..| column 5: the queen (Q)…
            || column 1: expected a hand…
            ",
        );
    }

    #[test]
    fn cards_are_found_in_their_suit() {
        for (hand, card, column) in [
            ("AK.kq..A", "HK", 4),
            ("AK.kq..A", "CA", 8),
            ("AK.kq..A", "DA", 1),
            ("AK.k10..A", "HT", 5),
            ("♠AK♣10A", "CA", 7),
        ] {
            assert_eq!(
                column_of(hand, card.parse().unwrap()),
                column,
                "{hand} {card}"
            );
        }
    }
}

#[cfg(test)]
mod words {
    use crate::{Contract, Deal, Hand, PartialContract, Position, Side, Strain, Vulnerability};

    #[test]
    fn hands_as_people_write_them() {
        let hand: Hand = "7.QJT94.K83.A962".parse().unwrap();
        for text in [
            "♠7 ♥QJT94 ♦K83 ♣A962",
            "♠\u{fe0f}7 ♥\u{fe0e}QJ1094 ♢K83 ♧A962",
            "S7HQJT94DK83CA962",
            "s 7 h q j 10 9 4 d k83 c a962",
            "S: 7  H: QJT94, D: K83; C: A962",
            "♥QJT94 ♠7 ♣A962 ♦K83",
            "7 QJT94 K83 A962",
            "s7.hqjt94.dk83.ca962",
        ] {
            assert_eq!(text.parse(), Ok(hand), "{text}");
        }
        let voids: Hand = ".AK..QJ".parse().unwrap();
        for text in [
            "♥AK ♣QJ",
            "♠- ♥AK ♦— ♣QJ",
            "-.AK.-.QJ",
            "- AK - QJ",
            "S HAK D CQJ",
        ] {
            assert_eq!(text.parse(), Ok(voids), "{text}");
        }
        for bad in ["7 QJT94 K83", "S7 HX", "AK Q J T 9", "S77", "7.Q"] {
            assert!(bad.parse::<Hand>().is_err(), "{bad}");
        }
        let error = "♠\u{fe0f}7 ♥\u{fe0f}QX".parse::<Hand>().unwrap_err();
        assert_eq!(error.column(), 8);
    }

    #[test]
    fn deals_of_marked_hands() {
        let deal: Deal = "N:AK2... .AK2.. ..AK2. ...AK2".parse().unwrap();
        for text in [
            "N:♠AK2 ♥AK2 ♦AK2 ♣AK2",
            "N:♠AK2 ♥- ♦- ♣- ♠- ♥AK2 ♦- ♣- ♠- ♥- ♦AK2 ♣- ♠- ♥- ♦- ♣AK2",
            "N:♠\u{fe0f}AK2 ♥- ♥\u{fe0f}AK2 ♦- ♦\u{fe0f}AK2 ♣- ♣\u{fe0f}AK2",
            "N:♠ AK2 ♥ - ♦ - ♣ - ♠ - ♥ AK2 ♦ - ♣ - ♠ - ♥ - ♦ AK2 ♣ - ♠ - ♥ - ♦ - ♣ AK2",
            "N:S: AK2 H: - D: - C: - S: - H: AK2 D: - C: - S: - H: - D: A K 2 C: - S: - C: AK2",
            "N : AK2... .AK2.. ..AK2. ...AK2",
            "N:AK2..., .AK2..; ..AK2. | ...AK2",
            "N:AK2...,.AK2..,..AK2.,...AK2",
            "N:AK2... E:.AK2.. S:..AK2. W:...AK2",
        ] {
            let read = text.parse::<Deal>();
            // Without a sign between them four hands would be one.
            if text.contains(['-', '.']) {
                assert_eq!(read, Ok(deal), "{text}");
            } else {
                assert!(read.is_err());
            }
        }
        let position: Position = "♠\u{fe0f} west N:SA H2 SK HA SQ D2 SJ C2".parse().unwrap();
        assert_eq!(position.to_string(), "S W N:A.2.. K.A.. Q..2. J...2");
    }

    #[test]
    fn contracts_as_people_write_them() {
        for (text, contract) in [
            ("4♠ by North", "4SN"),
            ("4♠\u{fe0f} by North", "4SN"),
            ("4 spades doubled by west", "4SXW"),
            ("3NT* E", "3NTXE"),
            ("3NTxx-S", "3NTXXS"),
            ("3nr, s", "3NTXXS"),
            ("4ss", "4SS"),
            ("5♢dbl N", "5DXN"),
        ] {
            let read: Contract = text.parse().unwrap();
            assert_eq!(read.to_string(), contract, "{text}");
        }
        let partial: PartialContract = "2 No Trump Rdbl".parse().unwrap();
        assert_eq!(
            (partial.bid.to_string().as_str(), partial.declarer),
            ("2NT", None)
        );
        for bad in ["4", "4♠ by", "4♠ by X", "8♠", "4Z", "♠4"] {
            assert!(bad.parse::<Contract>().is_err(), "{bad}");
        }
        assert_eq!("hearts".parse::<Strain>().unwrap().to_string(), "H");
        assert_eq!("no trump".parse::<Strain>(), Ok(Strain::NoTrump));
    }

    #[test]
    fn vulnerability_in_any_word() {
        for (words, sides) in [
            (
                "None|none|-|O|0|Love|Love all|Zero|Nil|nobody|None vul.",
                "None",
            ),
            ("NS|N-S|n/s|North-South|NS vul|NS only|N & S|sn", "NS"),
            ("EW|E-W|e|East/West|EW vulnerable|we", "EW"),
            ("All|Both|b|Both vul|Game all|everybody|ALL", "All"),
        ] {
            for word in words.split('|') {
                let read: Vulnerability = word.parse().unwrap();
                assert_eq!(read.to_string(), sides, "{word}");
            }
        }
        for bad in ["", "n", "Nord", "x", "NSE", "yes"] {
            assert!(bad.parse::<Vulnerability>().is_err(), "{bad}");
        }
        assert_eq!("N/S".parse(), Ok(Side::NorthSouth));
    }
}
