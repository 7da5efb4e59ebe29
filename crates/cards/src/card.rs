//! Ranks, and cards as a suit and a rank.

use std::fmt;
use std::str::FromStr;

use crate::Suit;
use crate::text::{TextError, TextProblem, missing, without_selectors};

/// The letters of the ranks from the deuce up.
const LETTERS: &[u8; 13] = b"23456789TJQKA";

const NAMES: [&str; 13] = [
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
];

/// The rank of a card: 2 to 10, then 11 (jack) to 14 (ace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(u8);

impl Rank {
    /// The lowest rank.
    pub(crate) const DEUCE: Rank = Rank(2);
    /// The highest rank.
    pub(crate) const ACE: Rank = Rank(14);

    /// The rank with this value, if it is 2 to 14.
    pub const fn new(value: u8) -> Option<Rank> {
        match value {
            2..=14 => Some(Rank(value)),
            _ => None,
        }
    }

    /// The rank whose bit in a [`Holding`](crate::Holding) is `bit`.
    ///
    /// The caller must pass 0 to 12.
    pub(crate) const fn from_bit(bit: u8) -> Rank {
        debug_assert!(bit < 13);
        Rank(bit + 2)
    }

    /// All ranks, from the ace down.
    pub fn all() -> impl Iterator<Item = Rank> {
        (Rank::DEUCE.0..=Rank::ACE.0).rev().map(Rank)
    }

    /// The rank's value, 2 to 14.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The rank's number, 0 (deuce) to 12 (ace).
    pub const fn index(self) -> usize {
        self.0 as usize - 2
    }

    /// The rank's letter or digit; `T` for the ten.
    pub const fn letter(self) -> char {
        LETTERS[self.index()] as char
    }

    /// The rank with this letter or digit, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Rank> {
        Some(match letter {
            '2'..='9' => Rank(letter as u8 - b'0'),
            'T' | 't' => Rank(10),
            'J' | 'j' => Rank(11),
            'Q' | 'q' => Rank(12),
            'K' | 'k' => Rank(13),
            'A' | 'a' => Rank(14),
            _ => return None,
        })
    }

    /// The rank's English name, such as `queen`.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }
}

/// Writes the rank's letter.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

/// A card of the pack.
///
/// Cards are ordered by suit as written (spades first), then by rank from the
/// deuce up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    /// The card's suit.
    pub suit: Suit,
    /// The card's rank.
    pub rank: Rank,
}

impl Card {
    /// The card of this suit and rank.
    pub const fn new(suit: Suit, rank: Rank) -> Card {
        Card { suit, rank }
    }

    /// The 52 cards of the pack, spades first, each suit from the ace down.
    pub fn pack() -> impl Iterator<Item = Card> {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| Rank::all().map(move |rank| Card::new(suit, rank)))
    }

    /// The card in words: `queen of hearts`.
    pub fn in_words(self) -> String {
        format!("{} of {}", self.rank.name(), self.suit.name())
    }

    /// The card in words and letters, for messages: `queen of hearts (HQ)`.
    pub(crate) fn described(self) -> String {
        format!("{} ({self})", self.in_words())
    }
}

/// Writes the card as `SA` for data; in the alternate form, `{:#}`, as `♠A` for people.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = if f.alternate() {
            self.suit.symbol()
        } else {
            self.suit.letter()
        };
        write!(f, "{suit}{}", self.rank.letter())
    }
}

/// Reads a rank's letter or digit, in upper or lower case; the ten is `T` or `10`.
impl FromStr for Rank {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let (rank, length) = read_rank(text)?;
        match &text[length..] {
            "" => Ok(rank),
            rest => Err(TextError::left_over(1 + length, rest, "the rank")),
        }
    }
}

/// Reads the rank at the start of `text`, reporting it in column 1; also the number of
/// its bytes, which are as many characters.
pub(crate) fn read_rank(text: &str) -> Result<(Rank, usize), TextError> {
    if text.starts_with("10") {
        return Ok((Rank(10), 2));
    }
    let Some(found) = text.chars().next() else {
        return Err(missing(text, "a rank (A K Q J T 9 8 7 6 5 4 3 2)"));
    };
    let rank =
        Rank::from_letter(found).ok_or(TextError::new(1, TextProblem::NotARank { found }))?;
    Ok((rank, 1))
}

/// Reads a suit and a rank, in this order or the other: `SA`, `ht`, `♥10` or `9h`.
impl FromStr for Card {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, read_card)
    }
}

fn read_card(text: &str) -> Result<Card, TextError> {
    let Some(first) = text.chars().next() else {
        return Err(missing(text, "a card, as SA"));
    };
    if let Ok((rank, length)) = read_rank(text)
        && let Ok(suit) = text[length..].parse::<Suit>()
    {
        return Ok(Card { suit, rank });
    }
    let (suit, rank) = text.split_at(first.len_utf8());
    let suit: Suit = suit.parse()?;
    let rank = rank.parse::<Rank>().map_err(|e| e.shifted(1))?;
    Ok(Card { suit, rank })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn ranks() {
        assert_eq!(Rank::new(1), None);
        assert_eq!(Rank::new(15), None);
        for value in 2..=14 {
            let rank = Rank::new(value).unwrap();
            assert_eq!(rank.value(), value);
            assert_eq!(rank.to_string().parse(), Ok(rank));
            assert_eq!(rank.to_string().to_lowercase().parse(), Ok(rank));
        }
        let letters: String = Rank::all().map(Rank::letter).collect();
        assert_eq!(letters, "AKQJT98765432");
        assert_eq!(Rank::from_letter('1'), None);
        assert_eq!([Rank::ACE, Rank::DEUCE].map(Rank::name), ["ace", "deuce"]);
    }

    #[test]
    fn the_pack() {
        let pack: Vec<_> = Card::pack().collect();
        assert_eq!((pack.len(), pack[0].to_string()), (52, "SA".to_owned()));
        for card in pack {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.to_string().to_lowercase().parse(), Ok(card));
        }
    }

    #[test]
    fn a_card_may_be_written_as_it_is_shown() {
        let ten: Card = "HT".parse().unwrap();
        for text in ["♥10", "♥T", "h10", "H10", "10h", "th", "T♥", "10♥"] {
            assert_eq!(text.parse(), Ok(ten), "{text}");
        }
        assert_eq!("10".parse(), Ok(ten.rank));
        assert_eq!("9h".parse::<Card>().unwrap().to_string(), "H9");
    }

    #[test]
    fn errors_name_their_column() {
        assert_errors::<Card>(
            r#"
            || column 1: expected a card, as SA, found nothing
            |♚A| column 1: "♚" is not a suit; expected one of S H D C
            |S| column 2: expected a rank (A K Q J T 9 8 7 6 5 4 3 2), found nothing
            |♥| column 2: expected a rank (A K Q J T 9 8 7 6 5 4 3 2), found nothing
            |♥1| column 2: '1' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2
            |Sé| column 2: 'é' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2
            |SAK| column 3: "K" is left over after the rank
            |S100| column 4: "0" is left over after the rank
            "#,
        );
    }
}
