//! Counts and marginals computed elsewhere with exact fractions.

use setrograde_beliefs::{Beliefs, CardSet, Facts, Reason};
use setrograde_cards::{Card, Seat};

/// A number, or a fraction as text.
fn fraction(value: &serde_json::Value) -> f64 {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    match value.as_str() {
        None => value.as_f64().expect("a number"),
        Some(text) => match text.split_once('/') {
            Some((above, below)) => number(above) / number(below),
            None => number(text),
        },
    }
}

#[test]
fn all_cases_are_right() {
    let text = include_str!("../../../data/play/belief_cases.json");
    let cases: serde_json::Value = serde_json::from_str(text).expect("JSON");
    for case in cases.as_array().expect("an array") {
        let count = case["cards"].as_u64().expect("a number") as usize;
        let cards: Vec<Card> = CardSet::PACK.iter().take(count).collect();
        let size = |seat: usize| case["capacities"][seat].as_u64().expect("a size") as u8;
        let sizes = [size(0), size(1), size(2), 0];
        let mut facts = Facts::new(cards.iter().copied().collect(), sizes);
        for seat in 0..3 {
            for (at, &card) in cards.iter().enumerate() {
                let weight = case["weights"][seat][at].as_f64().expect("a weight");
                facts.weigh(Seat::from_index(seat), card.into(), weight);
            }
        }
        let total = case["Z"].as_str().expect("digits");
        assert_eq!(
            Beliefs::whole_total(&facts).expect("whole").to_string(),
            total
        );
        let beliefs = Beliefs::new(&facts).expect("layouts");
        assert!((beliefs.log_total() - fraction(&case["Z"]).ln()).abs() < 1e-12);
        if case["kind"] == "uniform" {
            assert_eq!(beliefs.count().to_string(), total);
        }
        let marginals = beliefs.marginals();
        for seat in 0..3 {
            for (at, &card) in cards.iter().enumerate() {
                let right = fraction(&case["marginals"][seat][at]);
                let found = marginals.probability(Seat::from_index(seat), card);
                assert!((found - right).abs() < 1e-12, "{found} {right}");
            }
        }
    }
}

#[test]
fn whole_packs_are_counted() {
    let whist = Facts::new(CardSet::PACK.iter().take(39).collect(), [13, 13, 13, 0]);
    let beliefs = Beliefs::new(&whist).expect("layouts");
    assert_eq!(beliefs.count(), 84_478_098_072_866_400);
    let all = Beliefs::new(&Facts::new(CardSet::PACK, [13; 4])).expect("layouts");
    assert_eq!(all.count(), 53_644_737_765_488_792_839_237_440_000);
    let last = all.layout(all.count() - 1).expect("the last");
    assert!(all.layout(all.count()).is_none());
    assert!(last.iter().all(|hand| hand.len() == 13));
}

#[test]
fn the_fact_that_leaves_nothing_is_named() {
    let two: Vec<Card> = ["SA", "SK", "HA", "HK"]
        .map(|card| card.parse().expect("a card"))
        .to_vec();
    let spades: CardSet = two[..2].iter().copied().collect();
    let mut facts = Facts::new(two.iter().copied().collect(), [2, 1, 1, 0]);
    let play = |text: &str| Reason::Play(text.parse().expect("a card"));
    facts.deny(Seat::North, spades, play("C2"));
    facts.deny(Seat::East, CardSet::of(two[0]), play("C3"));
    facts.deny(Seat::South, CardSet::of(two[0]), play("C4"));
    facts.deny(Seat::East, CardSet::of(two[1]), play("C5"));
    assert_eq!(
        Beliefs::new(&facts).expect_err("nothing").to_string(),
        "no layout of the hidden cards is left: what South's play of C4 shows does not fit \
         what was known before it"
    );
    let mut facts = Facts::new(spades, [1, 1, 0, 0]);
    facts.limit(Seat::East, "5-6hcp".parse().expect("limits"));
    assert_eq!(
        Beliefs::new(&facts).expect_err("nothing").to_string(),
        "no layout of the hidden cards is left: East's limits 5-6hcp cannot be met"
    );
    facts = Facts::new(spades, [1, 0, 0, 0]);
    assert_eq!(
        Beliefs::new(&facts).expect_err("sizes").to_string(),
        "2 cards are not seen, but the hidden hands hold 1 (1, 0, 0 and 0 from North)"
    );
    facts = Facts::new(spades, [1, 1, 0, 0]);
    facts.weigh(Seat::North, spades, f64::NAN);
    assert!(Beliefs::new(&facts).is_err());
}
