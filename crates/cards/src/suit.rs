//! The four suits, and the five strains they make with no trump.

use std::fmt;
use std::str::FromStr;

use crate::text::{TextError, longest, without_selectors, word};

/// One of the four suits.
///
/// Suits are numbered 0 to 3 in the order in which a hand is written: spades,
/// hearts, diamonds, clubs. That is the order of [`Suit::ALL`], of `Ord`, and
/// of arrays indexed by suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Suit {
    /// ♠
    Spades = 0,
    /// ♥
    Hearts = 1,
    /// ♦
    Diamonds = 2,
    /// ♣
    Clubs = 3,
}

impl Suit {
    /// All suits, spades first.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// The suit's number, 0 (spades) to 3 (clubs).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The suit numbered `index` modulo 4.
    pub const fn from_index(index: usize) -> Suit {
        Suit::ALL[index % 4]
    }

    /// The suit's initial: S, H, D or C.
    pub const fn letter(self) -> char {
        match self {
            Suit::Spades => 'S',
            Suit::Hearts => 'H',
            Suit::Diamonds => 'D',
            Suit::Clubs => 'C',
        }
    }

    /// The suit with this initial, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Suit> {
        Suit::ALL
            .into_iter()
            .find(|suit| suit.letter().eq_ignore_ascii_case(&letter))
    }

    /// The suit with this initial, or with this symbol, filled or not.
    pub(crate) fn from_mark(mark: char) -> Option<Suit> {
        Suit::from_letter(mark).or(match mark {
            '♠' | '♤' => Some(Suit::Spades),
            '♥' | '♡' => Some(Suit::Hearts),
            '♦' | '♢' => Some(Suit::Diamonds),
            '♣' | '♧' => Some(Suit::Clubs),
            _ => None,
        })
    }

    /// The suit's symbol: ♠, ♥, ♦ or ♣.
    pub const fn symbol(self) -> char {
        match self {
            Suit::Spades => '♠',
            Suit::Hearts => '♥',
            Suit::Diamonds => '♦',
            Suit::Clubs => '♣',
        }
    }

    /// The suit's English name, such as `spades`.
    pub const fn name(self) -> &'static str {
        match self {
            Suit::Spades => "spades",
            Suit::Hearts => "hearts",
            Suit::Diamonds => "diamonds",
            Suit::Clubs => "clubs",
        }
    }
}

/// Writes the suit's letter.
impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

/// The trump suit, or no trump.
///
/// `Ord` follows [`Strain::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strain {
    /// No suit is trump.
    NoTrump,
    /// This suit is trump.
    Trump(Suit),
}

impl Strain {
    /// All strains: no trump, spades, hearts, diamonds, clubs.
    pub const ALL: [Strain; 5] = [
        Strain::NoTrump,
        Strain::Trump(Suit::Spades),
        Strain::Trump(Suit::Hearts),
        Strain::Trump(Suit::Diamonds),
        Strain::Trump(Suit::Clubs),
    ];

    /// The strain's number in DDS and in many tables, 0 (spades) to 3 (clubs), 4 (no trump).
    pub const fn dds_index(self) -> usize {
        match self {
            Strain::NoTrump => 4,
            Strain::Trump(suit) => suit.index(),
        }
    }

    /// The strain's index in [`Strain::ALL`], 0 (no trump) to 4 (clubs).
    pub const fn index(self) -> usize {
        match self {
            Strain::NoTrump => 0,
            Strain::Trump(suit) => suit.index() + 1,
        }
    }

    /// The trump suit; `None` at no trump.
    pub const fn trump(self) -> Option<Suit> {
        match self {
            Strain::NoTrump => None,
            Strain::Trump(suit) => Some(suit),
        }
    }
}

/// Writes `NT`, or the letter of the trump suit.
impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strain::NoTrump => f.pad("NT"),
            Strain::Trump(suit) => suit.fmt(f),
        }
    }
}

/// The words for strains. [`Suit::from_mark`] has the same signs.
const WORDS: [(&str, Strain); 25] = {
    use Strain::{NoTrump, Trump};
    use Suit::{Clubs, Diamonds, Hearts, Spades};
    [
        ("N", NoTrump),
        ("NT", NoTrump),
        ("NoTrump", NoTrump),
        ("NoTrumps", NoTrump),
        ("No Trump", NoTrump),
        ("S", Trump(Spades)),
        ("♠", Trump(Spades)),
        ("♤", Trump(Spades)),
        ("Spade", Trump(Spades)),
        ("Spades", Trump(Spades)),
        ("H", Trump(Hearts)),
        ("♥", Trump(Hearts)),
        ("♡", Trump(Hearts)),
        ("Heart", Trump(Hearts)),
        ("Hearts", Trump(Hearts)),
        ("D", Trump(Diamonds)),
        ("♦", Trump(Diamonds)),
        ("♢", Trump(Diamonds)),
        ("Diamond", Trump(Diamonds)),
        ("Diamonds", Trump(Diamonds)),
        ("C", Trump(Clubs)),
        ("♣", Trump(Clubs)),
        ("♧", Trump(Clubs)),
        ("Club", Trump(Clubs)),
        ("Clubs", Trump(Clubs)),
    ]
};

/// The strain that `text` begins with, and the length of its word.
pub(crate) fn strain_at_start(text: &str) -> Option<(Strain, usize)> {
    longest(text, &WORDS)
}

/// The strain that is the whole of `text`.
fn whole(text: &str) -> Option<Strain> {
    // Nearly all texts are one letter.
    if let &[letter] = text.as_bytes() {
        return match letter {
            b'N' | b'n' => Some(Strain::NoTrump),
            _ => Suit::from_letter(char::from(letter)).map(Strain::Trump),
        };
    }
    let (strain, length) = strain_at_start(text)?;
    (length == text.len()).then_some(strain)
}

/// Reads a suit's letter or name in upper or lower case, or its symbol.
impl FromStr for Suit {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, |text| {
            let suit = whole(text).and_then(Strain::trump);
            word(text, "a suit", "S H D C", suit)
        })
    }
}

/// Reads `NT`, `N`, `S`, `H`, `D` or `C`, in upper or lower case, a suit's symbol, or a name as
/// `spades` or `no trump`.
impl FromStr for Strain {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, |text| {
            word(text, "a strain", "NT S H D C", whole(text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn suits() {
        for (index, suit) in Suit::ALL.into_iter().enumerate() {
            assert_eq!(suit.index(), index);
            assert_eq!(Suit::from_index(index + 4), suit);
            assert_eq!(suit.to_string().to_lowercase().parse(), Ok(suit));
            assert_eq!(suit.symbol().to_string().parse(), Ok(suit));
            assert_eq!(suit.name().to_uppercase().parse(), Ok(suit));
        }
        assert_eq!("♡".parse(), Ok(Suit::Hearts));
        assert_errors::<Suit>(
            r#"
            |NT| column 1: "NT" is not a suit; expected one of S H D C
            || column 1: …
            |SS| column 1: …
            "#,
        );
    }

    #[test]
    fn strains() {
        let written: Vec<_> = Strain::ALL.iter().map(Strain::to_string).collect();
        assert_eq!(written, ["NT", "S", "H", "D", "C"]);
        for (index, strain) in Strain::ALL.into_iter().enumerate() {
            assert_eq!(strain.index(), index);
            assert_eq!(strain.dds_index(), (index + 4) % 5);
            assert_eq!(strain.to_string().parse(), Ok(strain));
            assert_eq!(strain.to_string().to_lowercase().parse(), Ok(strain));
        }
        assert_eq!("n".parse(), Ok(Strain::NoTrump));
        assert_eq!("♥".parse(), Ok(Strain::Trump(Suit::Hearts)));
        assert_eq!(Strain::NoTrump.trump(), None);
        assert_eq!(Strain::Trump(Suit::Clubs).trump(), Some(Suit::Clubs));
        assert_errors::<Strain>(
            r#"
            |SA| column 1: "SA" is not a strain; expected one of NT S H D C
            || column 1: …
            "#,
        );
    }
}
