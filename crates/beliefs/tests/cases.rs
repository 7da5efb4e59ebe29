//! Whole packs, and facts that leave nothing.

use setrograde_beliefs::{Beliefs, Facts, Limits, Reason};
use setrograde_cards::{Card, Hand, Seat};

#[test]
fn whole_packs_are_counted() {
    let whist = Facts::new(Hand::PACK.iter().take(39).collect(), [13, 13, 13, 0]);
    let beliefs = Beliefs::new(&whist).expect("layouts");
    assert_eq!(beliefs.count(), 84_478_098_072_866_400);
    let all = Beliefs::new(&Facts::new(Hand::PACK, [13; 4])).expect("layouts");
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
    let spades: Hand = two[..2].iter().copied().collect();
    let mut facts = Facts::new(two.iter().copied().collect(), [2, 1, 1, 0]);
    let play = |text: &str| Reason::Play(text.parse().expect("a card"));
    facts.deny(Seat::North, spades, play("C2"));
    facts.deny(Seat::East, Hand::of(two[0]), play("C3"));
    facts.deny(Seat::South, Hand::of(two[0]), play("C4"));
    facts.deny(Seat::East, Hand::of(two[1]), play("C5"));
    assert_eq!(
        Beliefs::new(&facts).expect_err("nothing").to_string(),
        "no layout of the hidden cards is left: what South's play of C4 shows does not fit \
         what was known before it"
    );
    let mut facts = Facts::new(spades, [1, 1, 0, 0]);
    let points = (5, 6);
    let limits = Limits {
        points,
        ..Limits::default()
    };
    facts.limit(Seat::East, limits, Reason::Limits(limits));
    assert_eq!(
        Beliefs::new(&facts).expect_err("nothing").to_string(),
        "no layout of the hidden cards is left: E.hcp=5-6 cannot be met"
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
