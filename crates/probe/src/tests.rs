//! Answers against plain minimax, proofs against endings dealt anew, and nonsense.

use std::ffi::{CString, c_char, c_int};
use std::ptr::{null, null_mut};

use setrograde_cards::{Card, Deal, Hand, Position, Seat, Strain, Suit};

use super::*;

#[path = "../../cards/tests/positions/mod.rs"]
mod positions;

use positions::minimax;

/// The database of up to 12 cards.
struct Opened(*mut Db);

impl Opened {
    fn inside() -> Opened {
        let levels = setrograde_lookup::in_use::LEVELS.map(|level| level.as_ptr().cast());
        let sizes = setrograde_lookup::in_use::LEVELS.map(<[u8]>::len);
        // SAFETY: three levels, which live as long as the program.
        let db = unsafe { sg_open_memory(levels.as_ptr(), sizes.as_ptr(), 3, null_mut(), 0) };
        assert!(!db.is_null());
        Opened(db)
    }

    fn decide(&self, cards: &[[u16; 4]; 4], [trump, leader, target]: [c_int; 3]) -> Decided {
        let (cards, mut known) = (cards.as_ptr(), [99; 4]);
        // SAFETY: an open database, 16 words and four bytes.
        let code = unsafe { sg_decide(self.0, cards, trump, leader, target, known.as_mut_ptr()) };
        (code, known)
    }

    fn decide52(&self, hands: [u64; 4], order: c_int, numbers: [c_int; 3]) -> Decided {
        let (hands, mut known) = (hands.as_ptr(), [99; 4]);
        let ([trump, leader, target], to) = (numbers, known.as_mut_ptr());
        // SAFETY: an open database, four words and four bytes.
        let code = unsafe { sg_decide52(self.0, hands, order, trump, leader, target, to) };
        (code, known)
    }
}

/// A code, and the known cards if there is an answer.
type Decided = (c_int, [u8; 4]);

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: it was opened, and is closed once.
        unsafe { sg_close(self.0) };
    }
}

/// The cards of a deal as C has them, the first hand being `first`.
fn cards_of(deal: &Deal, first: usize) -> [[u16; 4]; 4] {
    [0, 1, 2, 3].map(|hand| {
        let hand = deal.hand(Seat::from_index((first + hand) % 4));
        Suit::ALL.map(|suit| hand.holding(suit).bits())
    })
}

/// The same, in 52 bits.
fn words_of(cards: &[[u16; 4]; 4], ace_low: bool) -> [u64; 4] {
    cards.map(|suits| {
        let bit = |suit: usize, rank: usize| {
            let rank_bit = if ace_low { 12 - rank } else { rank };
            u64::from(suits[suit] >> rank & 1) << (13 * suit + rank_bit)
        };
        (0..4)
            .flat_map(|suit| (0..13).map(move |rank| (suit, rank)))
            .map(|(s, r)| bit(s, r))
            .sum()
    })
}

fn strain_of(trump: c_int) -> Strain {
    match trump {
        4 => Strain::NoTrump,
        trump => Strain::Trump(Suit::from_index(trump as usize)),
    }
}

/// Deals the cards below the known ones anew, keeping the length of each suit in each hand.
fn dealt_anew(deal: &Deal, known: [usize; 4], rng: &mut fastrand::Rng) -> Deal {
    let mut hands = [Hand::EMPTY; 4];
    for suit in Suit::ALL {
        let all: Hand = deal.hands().iter().map(|hand| hand.suit(suit)).collect();
        let cards: Vec<Card> = all.cards().collect();
        let owner = |&card: &Card| deal.owner(card).expect("a holder").index();
        let mut owners: Vec<usize> = cards.iter().map(owner).collect();
        let known = known[suit.index()].min(owners.len());
        rng.shuffle(&mut owners[known..]);
        for (card, owner) in cards.into_iter().zip(owners) {
            hands[owner].insert(card);
        }
    }
    Deal::new(hands).expect("each card has one owner")
}

#[test]
fn answers_are_those_of_minimax_in_every_form() {
    let db = Opened::inside();
    let mut rng = fastrand::Rng::with_seed(61);
    for _ in 0..400 {
        let tricks = rng.usize(1..=3);
        let deal = Deal::random_ending(tricks, |n| rng.usize(..n));
        let (trump, leader, first) = (rng.i32(0..=4), rng.usize(0..4), rng.usize(0..4));
        let seat = Seat::from_index((leader + first) % 4);
        let value_of = |deal: Deal| {
            let position = Position::new(strain_of(trump), seat, deal, &[]).expect("an ending");
            c_int::from(minimax(&position, seat.side()))
        };
        let value = value_of(deal);
        let cards = cards_of(&deal, first);
        for target in 1..=tricks as c_int {
            let numbers = [trump, leader as c_int, target];
            let answer = db.decide(&cards, numbers);
            let (code, known) = answer;
            let expected = c_int::from(value >= target);
            assert_eq!(code, expected, "{deal} {trump} {seat:?} {target}");
            for (order, ace_low) in [(0, false), (1, true)] {
                let words = words_of(&cards, ace_low);
                assert_eq!(db.decide52(words, order, numbers), answer);
            }
            // The proof holds for other endings, too.
            for _ in 0..3 {
                let other = dealt_anew(&deal, known.map(usize::from), &mut rng);
                let expected = c_int::from(value_of(other) >= target);
                assert_eq!(code, expected, "{deal}, {other}");
            }
        }
        let (mut known, mut share) = ([99; 4], 0.0);
        // SAFETY: an open database, 16 words, four bytes and a number.
        let code = unsafe {
            let (cards, known) = (cards.as_ptr(), known.as_mut_ptr());
            sg_matter(db.0, cards, trump, leader as c_int, known, &raw mut share)
        };
        assert_eq!(code, value, "{deal} {trump} {seat:?}");
        let known = known.map(usize::from);
        let (of, all) = (deal.count_with_top(known), deal.count());
        assert!(share > 0.0 && share <= 1.0 && share == of as f64 / all as f64);
        for _ in 0..3 {
            let other = dealt_anew(&deal, known, &mut rng);
            assert_eq!(value, value_of(other), "{deal}, {other}");
        }
        let asked = [CEnding {
            cards,
            trump,
            leader: leader as i32,
        }; 3];
        let mut found = [99; 3];
        // SAFETY: an open database and three entries each.
        let counted = unsafe { sg_values(db.0, asked.as_ptr(), 3, found.as_mut_ptr()) };
        assert_eq!((counted, found), (3, [value as i8; 3]));
    }
}

#[test]
fn nonsense_gets_a_code() {
    let db = Opened::inside();
    let one = [[1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0], [8, 0, 0, 0]];
    assert_eq!(db.decide(&one, [4, 3, 1]).0, 1);
    let out_of_range = [
        [5, 0, 1],
        [-1, 0, 1],
        [4, 4, 1],
        [4, -1, 1],
        [4, 0, 0],
        [4, 0, 2],
        [4, 0, -7],
    ];
    for numbers in out_of_range {
        assert_eq!(db.decide(&one, numbers), (WRONG, [99; 4]));
    }
    // A card in two hands, an invalid card, unequal hands, no cards.
    for spades in [[1, 1, 4, 8], [1 << 13, 2, 4, 8], [3, 4, 8, 16], [0; 4]] {
        let cards = spades.map(|spades| [spades, 0, 0, 0]);
        assert_eq!(db.decide(&cards, [4, 0, 1]), (WRONG, [99; 4]));
    }
    let mut rng = fastrand::Rng::with_seed(1);
    let four = Deal::random_ending(4, |n| rng.usize(..n));
    assert_eq!(db.decide(&cards_of(&four, 0), [4, 0, 1]), (OPEN, [99; 4]));
    let mut words = words_of(&one, false);
    assert_eq!(db.decide52(words, 2, [4, 3, 1]).0, WRONG);
    words[0] |= 1 << 52;
    assert_eq!(db.decide52(words, 0, [4, 3, 1]).0, WRONG);
    // SAFETY: NULL arguments are not used.
    unsafe {
        assert_eq!(sg_cards(null()), 0);
        assert_eq!(sg_cards(db.0), 12);
        let known: *mut u8 = null_mut();
        assert_eq!(sg_decide(null(), one.as_ptr(), 4, 0, 1, known), OPEN);
        assert_eq!(sg_decide(db.0, one.as_ptr(), 4, 0, 1, known), WRONG);
        let mut room = [0; 4];
        assert_eq!(sg_decide(db.0, null(), 4, 0, 1, room.as_mut_ptr()), WRONG);
        for (db, code) in [(db.0.cast_const(), WRONG), (null(), OPEN)] {
            assert_eq!(sg_matter(db, null(), 4, 0, null_mut(), null_mut()), code);
        }
        assert_eq!(sg_values(db.0, null(), 4, null_mut()), 0);
        sg_close(null_mut());
    }
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..200_000 {
        let deal = Deal::random_ending(rng.usize(0..=3), |n| rng.usize(..n));
        let mut cards = cards_of(&deal, 0);
        for _ in 0..rng.usize(0..4) {
            cards[rng.usize(0..4)][rng.usize(0..4)] ^= 1 << rng.u32(0..16);
        }
        let numbers = [6, 5, 5].map(|end| rng.i32(-1..end));
        let (code, known) = db.decide(&cards, numbers);
        let fits = (-3..=1).contains(&code) && (code >= 0) == (known != [99; 4]);
        assert!(fits, "{code} {known:?}");
    }
}

/// Opens a database with room for an error message; returns the message if that fails.
fn problem(path: &str, max_cards: c_int, flags: c_int, room: usize) -> String {
    let path = CString::new(path).expect("no 0");
    let mut error = [b'?' as c_char; 200];
    // SAFETY: a text that ends with 0, and as much room as is said.
    let db = unsafe { sg_open(path.as_ptr(), max_cards, flags, error.as_mut_ptr(), room) };
    if !db.is_null() {
        // SAFETY: it was opened.
        unsafe { sg_close(db) };
        return String::new();
    }
    let text = error[..room].iter().take_while(|&&byte| byte != 0);
    String::from_utf8(text.map(|&byte| byte as u8).collect()).expect("text")
}

#[test]
fn opening_says_what_is_wrong() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    assert!(problem("/nonexistent", 0, 0, 200).starts_with("/nonexistent: no database here"));
    assert!(problem("/a\nb\u{1b}[31m", 0, 0, 200).starts_with("/a?b?[31m: no database here"));
    assert_eq!(problem("/nonexistent", 0, 0, 4), "/no");
    assert_eq!(problem("/nonexistent", 0, 0, 0), "");
    assert!(problem(golden, 0, 9, 200).starts_with("flags: "));
    assert!(problem(golden, -4, 0, 200).starts_with("max_cards: "));
    assert!(problem(golden, 3, 0, 200).starts_with("the database has no level"));
    let mut errors = [0; 80];
    // SAFETY: no level is read.
    let none = unsafe { sg_open_memory(null(), null(), 2, errors.as_mut_ptr(), 80) };
    assert!(none.is_null() && errors[0] != 0);
}

#[test]
fn damaged_levels_in_memory_get_a_code() {
    let [first, second, level] = setrograde_lookup::in_use::LEVELS;
    let mut rng = fastrand::Rng::with_seed(8);
    let (mut refused, mut damaged, mut right) = (0, 0, 0);
    let whole = Opened::inside();
    for round in 0..300 {
        let mut bytes = level.to_vec();
        for _ in 0..rng.usize(1..400) {
            let at = rng.usize(if round % 2 == 0 {
                64..bytes.len()
            } else {
                0..bytes.len()
            });
            bytes[at] ^= 1 << rng.u32(0..8);
        }
        if round % 5 == 0 {
            bytes.truncate(rng.usize(0..bytes.len()));
        }
        let levels = [first, second, &bytes].map(|level| level.as_ptr().cast());
        let sizes = [first.len(), second.len(), bytes.len()];
        // SAFETY: three levels, which live longer than the database.
        let db = unsafe { sg_open_memory(levels.as_ptr(), sizes.as_ptr(), 3, null_mut(), 0) };
        if db.is_null() {
            refused += 1;
            continue;
        }
        let db = Opened(db);
        for _ in 0..100 {
            let cards = cards_of(&Deal::random_ending(3, |n| rng.usize(..n)), 0);
            let numbers = [rng.i32(0..5), rng.i32(0..4), rng.i32(1..=3)];
            let answer = db.decide(&cards, numbers);
            match answer.0 {
                DAMAGED => damaged += 1,
                _ => {
                    assert_eq!(answer, whole.decide(&cards, numbers));
                    right += 1;
                }
            }
        }
    }
    assert!(
        refused > 50 && damaged > 1000 && right > 1000,
        "{refused} {damaged} {right}"
    );
}
