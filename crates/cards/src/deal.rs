//! Four hands, and their PBN text.

use crate::Sorting;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::fields::{Field, fields, hand_field};
use crate::hand::{column_of, read_plain};
use crate::text::{TextError, TextProblem, end_column, missing, quote, without_selectors};
use crate::{Card, Hand, Holding, Rank, Seat, Suit};

/// Four hands that have no card in common.
///
/// The hands may have any number of cards, and need not have the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Deal {
    hands: [Hand; 4],
}

/// Four hands that cannot be those of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DealError {
    /// A card in two hands.
    #[error("the {} is held by both {} and {}", card.described(), first.name(), second.name())]
    SharedCard {
        /// The card.
        card: Card,
        /// One of its holders; in a text, the one written first.
        first: Seat,
        /// The other holder.
        second: Seat,
    },
}

impl Deal {
    /// The deal with these hands, by seat from North clockwise.
    ///
    /// # Errors
    ///
    /// [`DealError::SharedCard`] if a card is in two hands.
    pub fn new(hands: [Hand; 4]) -> Result<Deal, DealError> {
        for (i, second) in Seat::ALL.into_iter().enumerate() {
            for &first in &Seat::ALL[..i] {
                Deal::check_disjoint(&hands, first, second)?;
            }
        }
        Ok(Deal { hands })
    }

    /// Returns a random deal of the full pack, 13 cards to each seat. `below(n)` returns a random
    /// number from 0 to n − 1.
    ///
    /// ```
    /// use setrograde_cards::Deal;
    ///
    /// let mut rng = fastrand::Rng::with_seed(7);
    /// let deal = Deal::random(|n| rng.usize(..n));
    /// assert_eq!(deal.cards_per_hand(), Some(13));
    /// ```
    ///
    /// # Panics
    ///
    /// If `below(n)` returns n or more.
    pub fn random(below: impl FnMut(usize) -> usize) -> Deal {
        Deal::random_ending(13, below)
    }

    /// Returns a random deal of `cards_per_hand` cards to each seat, drawn from the full pack.
    /// More than 13 count as 13. `below(n)` returns a random number from 0 to n − 1.
    ///
    /// # Panics
    ///
    /// If `below(n)` returns n or more.
    pub fn random_ending(cards_per_hand: usize, mut below: impl FnMut(usize) -> usize) -> Deal {
        let mut pack: Vec<Card> = Card::pack().collect();
        for at in 1..pack.len() {
            let other = below(at + 1);
            assert!(other <= at, "below({}) returned {other}", at + 1);
            pack.swap(at, other);
        }
        let mut hands = pack.chunks(13);
        let mut hand = || {
            let cards = hands.next().expect("a pack is four hands");
            cards.iter().take(cards_per_hand).copied().collect()
        };
        Deal {
            hands: [hand(), hand(), hand(), hand()],
        }
    }

    /// The hands, by seat from North clockwise.
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.hands
    }

    /// Returns the hand of `seat`.
    pub const fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat.index()]
    }

    /// Returns the number of cards in each hand, 0 to 13; `None` if it differs.
    pub fn cards_per_hand(&self) -> Option<usize> {
        let [first, rest @ ..] = self.hands.map(|hand| hand.len());
        rest.iter().all(|&len| len == first).then_some(first)
    }

    /// Returns the number of cards in all hands together, 0 to 52.
    pub fn cards_left(&self) -> usize {
        self.hands.iter().map(|hand| hand.len()).sum()
    }

    /// Returns the number of deals of these cards to hands of these sizes.
    pub fn count(&self) -> u128 {
        shared_out(self.hands.map(|hand| hand.len()))
    }

    /// Returns the number of deals with these suit lengths in which the highest `top` cards left of
    /// each suit, from spades on, have the same owners.
    ///
    /// ```
    /// use setrograde_cards::Deal;
    ///
    /// let deal: Deal = "N:AQ... 76... 54... K3...".parse()?;
    /// // The ace and the king are fixed, and six cards are shared out 1, 2, 2 and 1.
    /// assert_eq!(deal.count_with_top([2, 0, 0, 0]), 180);
    /// assert_eq!(deal.count(), 2520);
    /// # Ok::<(), setrograde_cards::TextError>(())
    /// ```
    pub fn count_with_top(&self, top: [usize; 4]) -> u128 {
        let ways = Suit::ALL.into_iter().zip(top).map(|(suit, top)| {
            let holdings = self.hands.map(|hand| hand.holding(suit));
            let mut held: Vec<Rank> = holdings.into_iter().flatten().collect();
            held.in_any_order_by(|a, b| b.cmp(a));
            let low = held.get(top..).unwrap_or_default();
            let of_hand = |of: Holding| low.iter().filter(|&&rank| of.contains(rank)).count();
            shared_out(holdings.map(of_hand))
        });
        ways.product()
    }

    /// Returns the seat that holds `card`, if any.
    pub fn owner(&self, card: Card) -> Option<Seat> {
        Seat::ALL
            .into_iter()
            .find(|&seat| self.hands[seat].contains(card))
    }

    /// Takes `card` away from the hand that holds it; returns that seat.
    pub fn remove(&mut self, card: Card) -> Option<Seat> {
        let owner = self.owner(card)?;
        self.hands[owner].remove(card);
        Some(owner)
    }

    /// The deal in PBN, starting with the hand of `first`.
    ///
    /// ```
    /// use setrograde_cards::{Deal, Seat};
    ///
    /// let deal: Deal = "N:A... K... Q... J...".parse()?;
    /// assert_eq!(deal.to_pbn(Seat::South), "S:Q... J... A... K...");
    /// # Ok::<(), setrograde_cards::TextError>(())
    /// ```
    pub fn to_pbn(&self, first: Seat) -> String {
        let [a, b, c, d] = std::array::from_fn(|i| self.hand(first.plus(i)));
        format!("{first}:{a} {b} {c} {d}")
    }

    /// Makes the deal with these hands, which must be disjoint.
    pub(crate) const fn of_disjoint(hands: [Hand; 4]) -> Deal {
        Deal { hands }
    }

    /// Checks that two of the hands share no card.
    pub(crate) fn check_disjoint(
        hands: &[Hand; 4],
        first: Seat,
        second: Seat,
    ) -> Result<(), DealError> {
        let shared = hands[first] & hands[second];
        match shared.cards().next() {
            None => Ok(()),
            Some(card) => Err(DealError::SharedCard {
                card,
                first,
                second,
            }),
        }
    }
}

/// Writes the deal in PBN, starting with North.
impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_pbn(Seat::North))
    }
}

/// Reads a deal in PBN: the first seat, a colon, and four hands clockwise from it, separated by
/// blanks or commas; each may name its seat. A hand may have any number of cards. If three have 13,
/// the fourth may be `-` or `?`, or left out at the end: it has the other cards.
impl FromStr for Deal {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match read_plain_deal(text) {
            Some(deal) => Ok(deal),
            None => without_selectors(text, read_deal).map(|written| written.deal),
        }
    }
}

/// Reads a deal in the form that programs write. Returns `None` for other forms and for faults,
/// which [`read_deal`] reads.
fn read_plain_deal(text: &str) -> Option<Deal> {
    let (seat, written) = text.split_at_checked(2)?;
    let seat = seat.strip_suffix(':')?.parse::<Seat>().ok()?;
    let mut written = written.split(' ');
    let (mut hands, mut all) = ([Hand::EMPTY; 4], Hand::EMPTY);
    for number in 0..4 {
        let hand = read_plain(written.next()?)?;
        if !(all & hand).is_empty() {
            return None;
        }
        all |= hand;
        hands[seat.plus(number)] = hand;
    }
    written.next().is_none().then(|| Deal::of_disjoint(hands))
}

/// Returns true if more than one blank is between two hands, where another may be missing.
fn has_gap(hands: &str) -> bool {
    let hands = hands.trim_end();
    hands.starts_with(' ') || hands.contains("  ") || hands.contains(",,")
}

/// A deal that was read from text.
pub(crate) struct WrittenDeal {
    pub deal: Deal,
    /// The column of each seat's hand.
    pub columns: [usize; 4],
}

/// Reads a deal in PBN, keeping track of where the hands are.
pub(crate) fn read_deal(text: &str) -> Result<WrittenDeal, TextError> {
    let Some(start) = fields(text).next() else {
        return Err(missing(text, "the first seat and a colon, as N:"));
    };
    let seat = text[start.start..].split_once(':').map(|(seat, _)| seat);
    let Some(seat) = seat.filter(|seat| seat.split_whitespace().count() < 2) else {
        let found = quote(start.text);
        let problem = TextProblem::NoFirstSeat { found };
        return Err(TextError::new(start.column, problem));
    };
    let first = seat
        .trim_end()
        .parse::<Seat>()
        .map_err(|e| e.shifted(start.column - 1))?;

    let hands_start = start.start + seat.len() + 1;
    let hands_column = start.column + seat.len() + 1; // seats are ASCII
    let hands_text = &*without_signs_between(&text[hands_start..]);

    let mut hands = [Hand::EMPTY; 4];
    let mut columns = [0; 4];
    let mut found = 0;
    let mut open = None;
    let mut left = fields(hands_text).peekable();
    while let Some(field) = left.next() {
        let field = hand_field(hands_text, field, &mut left);
        let column = hands_column + field.column - 1;
        if found == 4 {
            let after = "the fourth hand";
            return Err(TextError::left_over(column, field.text, after));
        }
        let seat = first.plus(found);
        // Each hand may name its seat. With marked suits, S would be spades.
        let named = field
            .text
            .split_once(':')
            .filter(|(name, hand)| name.parse() == Ok(seat) && hand.contains('.'));
        let (column, field) = named.map_or((column, field), |(name, text)| {
            (column + name.len() + 1, Field { text, ..field })
        });
        if matches!(field.text, "-" | "?") {
            if let Some((seat, column)) = open {
                return Err(TextError::new(column, TextProblem::OneHidden { seat }));
            }
            open = Some((seat, column));
            found += 1;
            continue;
        }
        hands[seat] = field
            .text
            .parse::<Hand>()
            .map_err(|e| e.shifted(column - 1))?;
        columns[seat] = column;
        for earlier in 0..found {
            Deal::check_disjoint(&hands, first.plus(earlier), seat).map_err(|error| {
                let DealError::SharedCard { card, .. } = error;
                let column = column + column_of(field.text, card) - 1;
                TextError::new(column, TextProblem::Deal(error))
            })?;
        }
        found += 1;
    }
    let rest = Hand::PACK - hands.into_iter().collect();
    if let Some((seat, column)) = open {
        if found < 4 || rest.len() != 13 {
            let error = TextProblem::OneHidden { seat };
            return Err(TextError::new(column, error));
        }
        hands[seat] = rest;
        columns[seat] = column;
    } else if found == 3 && rest.len() == 13 && !has_gap(hands_text) {
        hands[first.plus(3)] = rest;
        columns[first.plus(3)] = hands_column + end_column(hands_text) - 1;
    } else if found < 4 {
        return Err(TextError::new(
            hands_column + end_column(hands_text) - 1,
            TextProblem::HandCount { found },
        ));
    }
    let deal = Deal::of_disjoint(hands);
    Ok(WrittenDeal { deal, columns })
}

/// The hands of a deal, with commas, semicolons and bars between them replaced by spaces. In a hand
/// with marked suits these have other places.
fn without_signs_between(hands: &str) -> Cow<'_, str> {
    let signs = [',', ';', '|'];
    if hands.matches('.').count() == 12 && hands.contains(signs) {
        Cow::Owned(hands.replace(signs, " "))
    } else {
        Cow::Borrowed(hands)
    }
}

/// Returns the number of ways to share out cards to hands of these sizes; 52 cards have fewer than
/// 2^96.
fn shared_out(sizes: [usize; 4]) -> u128 {
    let (mut ways, mut placed) = (1, 0);
    for size in sizes {
        for chosen in 1..=size as u128 {
            placed += 1;
            ways = ways * placed / chosen;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn ways_to_deal_a_suit() {
        assert_eq!(shared_out([0; 4]), 1);
        assert_eq!(shared_out([13, 0, 0, 0]), 1);
        assert_eq!(shared_out([1, 1, 1, 1]), 24);
        assert_eq!(shared_out([3, 4, 3, 3]), 1_201_200);
    }

    #[test]
    fn deals_are_counted() {
        let mut rng = fastrand::Rng::with_seed(17);
        let pack = Deal::random(|n| rng.usize(..n));
        assert_eq!(pack.count(), 53_644_737_765_488_792_839_237_440_000);
        assert_eq!(pack.count_with_top([13; 4]), 1);
        // With one suit, all deals are those of its lengths.
        let one: Deal = "N:AQ2... 76... 5... K3...".parse().unwrap();
        assert_eq!((one.count(), one.count_with_top([0; 4])), (1_680, 1_680));
        assert_eq!(one.count_with_top([3, 0, 9, 1]), 60);
        assert_eq!(one.count_with_top([99; 4]), 1);
        assert_eq!(Deal::default().count(), 1);
    }

    const FULL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

    #[test]
    fn a_full_deal() {
        let deal: Deal = FULL.parse().unwrap();
        assert_eq!(deal.to_string(), FULL);
        assert_eq!(deal.cards_per_hand(), Some(13));
        assert_eq!(deal.cards_left(), 52);
        // The fourth hand can only be one thing.
        let (three, last) = FULL.rsplit_once(' ').unwrap();
        for text in [three.to_owned(), format!("{three} -"), format!("{three} ?")] {
            assert_eq!(text.parse(), Ok(deal), "{text}");
        }
        assert_eq!(format!("W:{last} ? {}", &three[19..]).parse(), Ok(deal));
        assert!(Card::pack().all(|card| deal.owner(card).is_some()));
        for seat in Seat::ALL {
            assert_eq!(deal.to_pbn(seat).parse(), Ok(deal));
        }
        assert_eq!(Deal::new(*deal.hands()), Ok(deal));
    }

    #[test]
    fn random_deals_have_every_card_everywhere() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut held = [[0; 4]; 52];
        for round in 0..2_000 {
            let cards = round % 14;
            let deal = Deal::random_ending(cards, |n| rng.usize(..n));
            assert_eq!(deal.cards_per_hand(), Some(cards));
            assert_eq!(Deal::new(*deal.hands()), Ok(deal));
            for (card, held) in Card::pack().zip(&mut held) {
                if let Some(seat) = deal.owner(card) {
                    held[seat] += 1;
                }
            }
        }
        // 250 expected, with a standard deviation below 15.
        assert!(held.as_flattened().iter().all(|n| (175..325).contains(n)));
        assert_eq!(Deal::random(|n| rng.usize(..n)).cards_left(), 52);
        assert_eq!(Deal::random_ending(99, |n| rng.usize(..n)).cards_left(), 52);
    }

    #[test]
    fn shared_cards() {
        let hands = ["A.Q..", "...", ".Q..", "..."].map(|hand| hand.parse().unwrap());
        let error = Deal::new(hands).unwrap_err().to_string();
        assert_eq!(
            error,
            "the queen of hearts (HQ) is held by both North and South"
        );
    }

    #[test]
    fn blanks_case_and_order_do_not_matter() {
        let deal: Deal = " e:  k2... q... \t j... a...  ".parse().unwrap();
        assert_eq!(deal.to_string(), "N:A... K2... Q... J...");
        assert_eq!(deal.cards_per_hand(), None);
        assert_eq!(deal.cards_left(), 5);
    }

    /// The form that programs write is read by itself, as it would be among all others.
    #[test]
    fn plain_deals_are_read_as_others() {
        let mut random = fastrand::Rng::with_seed(20);
        let mut plain = 0;
        for _ in 0..20_000 {
            let deal = if random.bool() {
                Deal::random(|n| random.usize(..n))
            } else {
                Deal::random_ending(random.usize(1..=13), |n| random.usize(..n))
            };
            let mut text = deal.to_pbn(Seat::ALL[random.usize(..4)]).into_bytes();
            for _ in 0..random.usize(..3) {
                let byte = *random.choice(b"AKqjT92.. \t-?:N1,x").expect("one");
                let at = random.usize(..text.len());
                match random.usize(..3) {
                    0 => text[at] = byte,
                    1 => text.insert(at, byte),
                    _ => drop(text.remove(at)),
                }
            }
            let text = String::from_utf8(text).expect("it is ASCII");
            if let Some(found) = read_plain_deal(&text) {
                let among_all = read_deal(&text).map(|written| written.deal);
                assert_eq!(among_all, Ok(found), "{text}");
                plain += 1;
            }
            for hand in text.split([' ', ':']) {
                if let Some(found) = read_plain(hand) {
                    assert_eq!(crate::hand::read_hand(hand), Ok(found), "{hand}");
                }
            }
        }
        assert!((7_000..19_000).contains(&plain), "{plain}");
    }

    #[test]
    fn errors_name_their_column() {
        assert_errors::<Deal>(
            r#"
            || column 1: expected the first seat and a colon, as N:, found nothing
            | A... K... Q... J...| column 2: "A..." does not begin a deal; expected the first seat and a colon, as N:
            |:A... K...| column 1: expected a seat…
            |  X:A...| column 3: "X" is not a seat…
            |N:A... X...| column 8: 'X' is not a rank…
            |N:A... é| column 8: 'é' is not a rank…
            |N:A... ? K... Q...| column 8: East's hand is hidden; it is known only if the three others have 13 cards each
            |N:A... ? ? Q...| column 8: East's hand is hidden…
            |N:A... K... Q...  | column 17: a deal has 4 hands separated by blanks, found 3
            |N:| column 3: a deal has 4 hands separated by blanks, found 0
            |N:A... K... Q... J... 3| column 23: "3" is left over after the fourth hand
            |N:A... K... Q.. J...| column 16: a hand has 4 suits…
            |S:A.Q.. K.QJ.. ... ...| column 11: the queen of hearts (HQ) is held by both South and West
            "#,
        );
    }
}
