//! Cards by DDS's numbers: suits 0 to 3, ranks 2 to 14, a holding's bits.

use std::ffi::c_int;

use setrograde_cards::{Card, Rank, Strain, Suit};

/// The bits of a holding that represent ranks.
pub const ALL_RANKS: u32 = 0x7ffc;

/// The strains in the order of their numbers.
pub const STRAINS: [Strain; 5] = [
    Strain::Trump(Suit::Spades),
    Strain::Trump(Suit::Hearts),
    Strain::Trump(Suit::Diamonds),
    Strain::Trump(Suit::Clubs),
    Strain::NoTrump,
];

/// A card from DDS's numbers.
pub fn card(suit: c_int, rank: c_int) -> Option<Card> {
    let suit = (0..4)
        .contains(&suit)
        .then(|| Suit::from_index(suit as usize))?;
    Some(Card::new(suit, Rank::new(u8::try_from(rank).ok()?)?))
}

/// A number above 0; `None` means that there is none.
pub fn positive(number: c_int) -> Option<usize> {
    usize::try_from(number).ok().filter(|&number| number > 0)
}
