//! Properties of the text formats and of play, over random values and texts.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use proptest::prelude::*;
use setrograde_cards::{Card, Deal, Hand, Holding, Position, Rank, Seat, Strain, Suit, TextError};

fn round_trip<T>(value: T)
where
    T: Display + FromStr<Err = TextError> + PartialEq + Debug,
{
    assert_eq!(value.to_string().parse::<T>(), Ok(value));
}

/// Parses `text` as a `T`; an error must point into the text or just past it.
fn parse_anything<T: FromStr<Err = TextError>>(text: &str) {
    if let Err(error) = text.parse::<T>() {
        let column = error.column();
        assert!((1..=text.chars().count() + 1).contains(&column), "{error}");
        assert!(error.to_string().len() < 300, "{error}");
    }
}

fn parse_as_every_type(text: &str) {
    parse_anything::<Seat>(text);
    parse_anything::<Suit>(text);
    parse_anything::<Strain>(text);
    parse_anything::<Rank>(text);
    parse_anything::<Card>(text);
    parse_anything::<Holding>(text);
    parse_anything::<Hand>(text);
    parse_anything::<Deal>(text);
    parse_anything::<Position>(text);
}

fn seat() -> impl Strategy<Value = Seat> {
    (0usize..4).prop_map(Seat::from_index)
}

fn strain() -> impl Strategy<Value = Strain> {
    proptest::sample::select(&Strain::ALL[..])
}

fn pack() -> impl Strategy<Value = Vec<Card>> {
    Just(Card::pack().collect::<Vec<_>>()).prop_shuffle()
}

/// Hands of any length: every card goes to one of the seats or to nobody.
fn any_deal() -> impl Strategy<Value = Deal> {
    proptest::collection::vec(0usize..5, 52).prop_map(|owners| {
        let mut hands = [Hand::EMPTY; 4];
        for (card, owner) in Card::pack().zip(owners) {
            if let Some(hand) = hands.get_mut(owner) {
                hand.insert(card);
            }
        }
        Deal::new(hands).expect("every card has one owner")
    })
}

/// A position with 1 to 13 cards a hand and no card on the table.
fn trick_boundary() -> impl Strategy<Value = Position> {
    (pack(), 1usize..=13, strain(), seat()).prop_map(|(pack, len, strain, leader)| {
        let hands = std::array::from_fn(|n| pack[n * len..][..len].iter().copied().collect());
        let deal = Deal::new(hands).expect("the cards of a pack differ");
        Position::new(strain, leader, deal, &[]).expect("hands of equal length")
    })
}

/// Plays the cards that `choices` pick among the legal ones, as far as the
/// cards last, and calls `check` on every position and its successor.
fn play_out(start: Position, choices: &[usize], mut check: impl FnMut(&Position, Card, &Position)) {
    let mut position = start;
    for choice in choices {
        let legal: Vec<_> = position.legal_cards().collect();
        let Some(&card) = legal.get(choice % legal.len().max(1)) else {
            break;
        };
        let after = position.play(card).expect("a legal card");
        check(&position, card, &after);
        position = after;
    }
}

fn choices() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(any::<usize>(), 52)
}

/// Texts that look enough like the formats to get past the first checks.
fn near_miss() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "N", "NT", "W", "S", "H", "N:", "E:", "A", "K", "Q", "T", "10", "2", ".", ".", ".", "...",
        " ", " ", "\u{a0}", "♠", "é", "played=", ",", "SA", "H3", "A...", "K...", "Q...", "J...",
    ]);
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_parsed_without_panic(text in any::<String>()) {
        parse_as_every_type(&text);
    }

    #[test]
    fn near_misses_are_parsed_without_panic(text in near_miss()) {
        parse_as_every_type(&text);
    }

    #[test]
    fn a_spoilt_position_is_parsed_without_panic(
        position in trick_boundary(),
        at in any::<proptest::sample::Index>(),
        with in any::<char>(),
    ) {
        let mut text: Vec<char> = position.to_string().chars().collect();
        let at = at.index(text.len());
        text[at] = with;
        parse_as_every_type(&text.into_iter().collect::<String>());
    }

    #[test]
    fn a_wrong_letter_is_reported_where_it_is(
        position in trick_boundary(),
        at in any::<proptest::sample::Index>(),
    ) {
        let mut text: Vec<char> = position.to_string().chars().collect();
        let ranks: Vec<_> = (text.len() - position.deal().to_string().len() + 2..text.len())
            .filter(|&n| Rank::from_letter(text[n]).is_some())
            .collect();
        let at = *at.get(&ranks);
        text[at] = 'Z';
        let error = text.into_iter().collect::<String>().parse::<Position>().unwrap_err();
        prop_assert_eq!(error.column(), at + 1);
        let problem = "'Z' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2";
        prop_assert_eq!(error.problem().to_string(), problem);
    }

    #[test]
    fn hands_round_trip(bits in any::<[u16; 4]>()) {
        let hand = Hand::new(bits.map(Holding::from_bits));
        round_trip(hand);
        prop_assert_eq!(hand.cards().count(), hand.len());
    }

    #[test]
    fn deals_round_trip_from_every_seat(deal in any_deal(), first in seat()) {
        round_trip(deal);
        prop_assert_eq!(deal.to_pbn(first).parse(), Ok(deal));
        for card in Card::pack() {
            let mut less = deal;
            let owner = less.remove(card);
            prop_assert_eq!(owner, deal.owner(card));
            prop_assert_eq!(less.cards_left() + usize::from(owner.is_some()), deal.cards_left());
        }
    }

    #[test]
    fn ranks_may_be_written_in_any_order(deal in any_deal()) {
        let backwards: Vec<String> = deal
            .hands()
            .iter()
            .map(|hand| Suit::ALL.map(|suit| hand.holding(suit).to_string().chars().rev().collect::<String>()))
            .map(|suits| suits.join(".").to_lowercase())
            .collect();
        prop_assert_eq!(format!("n:{}", backwards.join("  ")).parse(), Ok(deal));
    }

    #[test]
    fn positions_round_trip_throughout_the_play(
        start in trick_boundary(),
        choices in choices(),
    ) {
        round_trip(start);
        play_out(start, &choices, |_, _, after| {
            if after.tricks_left() > 0 {
                round_trip(*after);
            }
        });
    }

    #[test]
    fn playing_removes_exactly_one_card(start in trick_boundary(), choices in choices()) {
        let mut plays = 0;
        play_out(start, &choices, |before, card, after| {
            plays += 1;
            let mut less = *before.deal();
            assert_eq!(less.remove(card), Some(before.to_play()));
            assert_eq!(&less, after.deal());
            let ends_trick = before.played().len() == 3;
            assert_eq!(after.is_trick_boundary(), ends_trick);
            assert_eq!(after.tricks_left() + usize::from(ends_trick), before.tricks_left());
            if !ends_trick {
                assert_eq!(after.to_play(), before.to_play().next());
                assert_eq!(after.played().last(), Some(&card));
            }
        });
        prop_assert_eq!(plays, start.deal().cards_left());
    }

    #[test]
    fn cards_that_are_not_legal_are_refused(start in trick_boundary(), choices in choices()) {
        play_out(start, &choices, |before, _, _| {
            let legal: Hand = before.legal_cards().collect();
            for card in Card::pack() {
                assert_eq!(before.play(card).is_ok(), legal.contains(card));
            }
        });
    }

    #[test]
    fn every_position_of_the_play_can_be_set_up(start in trick_boundary(), choices in choices()) {
        play_out(start, &choices, |_, _, after| {
            let set_up =
                Position::new(after.strain(), after.leader(), *after.deal(), after.played());
            assert_eq!(set_up, Ok(*after));
        });
    }

    #[test]
    fn setting_up_any_cards_never_panics(
        deal in any_deal(),
        strain in strain(),
        leader in seat(),
        pack in pack(),
        len in 0usize..=52,
    ) {
        if let Err(error) = Position::new(strain, leader, deal, &pack[..len]) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn huge_texts_are_answered_quickly() {
    for piece in ["A", ".", " ", "é", "N:", "... ", "AKQ.", "SA,", "played="] {
        let text = piece.repeat(300_000);
        parse_as_every_type(&text);
        parse_as_every_type(&format!("NT W N:{text}"));
        parse_as_every_type(&format!("NT W N:A... K... Q... J... played={text}"));
    }
}
