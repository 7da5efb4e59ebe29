//! Full packs, and facts that leave nothing.

use std::collections::HashSet;
use std::time::Instant;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, BeliefsError, Condition, Facts, Limits, Question, Reason};
use setrograde_cards::{Card, Hand, Seat, Strain};
use setrograde_parallel::Stop;

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
    assert_eq!((all.unseen(), all.sizes()), (Hand::PACK, [13; 4]));
    // Too heavy for integers.
    let mut heavy = Facts::new(Hand::PACK, [13; 4]);
    for seat in Seat::ALL {
        heavy.weigh(seat, Hand::PACK, 1_000.0);
    }
    let heavy = Beliefs::new(&heavy).expect("layouts");
    let times = heavy.log_total() - all.log_total();
    assert!((times - 52.0 * 1_000_f64.ln()).abs() < 1e-9, "{times}");
}

#[test]
fn the_fact_that_leaves_nothing_is_named() {
    let error = |facts: &Facts| Beliefs::new(facts).expect_err("nothing").to_string();
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
        error(&facts),
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
        error(&facts),
        "no layout of the hidden cards is left: E.hcp=5-6 cannot be met"
    );
    facts = Facts::new(spades, [1, 0, 0, 0]);
    assert_eq!(
        error(&facts),
        "2 cards are not seen, but the hidden hands hold 1 (1, 0, 0 and 0 from North)"
    );
    for weight in [f64::NAN, f64::INFINITY, -1.0] {
        facts = Facts::new(spades, [1, 1, 0, 0]);
        facts.weigh(Seat::North, spades, weight);
        assert_eq!(
            error(&facts),
            format!("a weight of {weight}; it must be a finite number, 0 or more")
        );
    }
}

/// Each drawn layout comes from a separate part of all layouts, in order, and is any layout of that
/// part.
#[test]
fn strata_cover_all_layouts() {
    let beliefs = Beliefs::new(&Facts::new(
        Hand::PACK.iter().take(5).collect(),
        [3, 2, 0, 0],
    ))
    .expect("layouts");
    let all: Vec<_> = beliefs.layouts().collect();
    assert_eq!(all.len(), 10);
    let mut rng = Rng::with_seed(1);
    for count in 1..=25 {
        let mut drawn = HashSet::new();
        for _ in 0..200 {
            for (stratum, layout) in beliefs.stratified(count, &mut rng).iter().enumerate() {
                let number = all
                    .iter()
                    .position(|other| other == layout)
                    .expect("listed");
                drawn.insert((stratum, number));
            }
        }
        let part = |stratum: usize| match (10 / count, 10 % count) {
            // The first parts are one longer.
            (length @ 1.., longer) => {
                let first = stratum * length + stratum.min(longer);
                first..first + length + usize::from(stratum < longer)
            }
            _ => 10 * stratum / count..(10 * stratum + 10).div_ceil(count),
        };
        let parts = (0..count).flat_map(|at| part(at).map(move |number| (at, number)));
        assert_eq!(drawn, parts.collect(), "{count}");
    }
}

/// Layouts are drawn as often as they weigh, whether weights are integers or not.
#[test]
fn strata_are_as_large_as_weights() {
    let two: Hand = "AK...".parse().expect("cards");
    let ace: Hand = "A...".parse().expect("a card");
    let mut rng = Rng::with_seed(1);
    for (factor, parts) in [(3.0, [1, 3]), (0.5, [2, 1])] {
        let mut facts = Facts::new(two, [1, 1, 0, 0]);
        facts.weigh(Seat::East, ace, factor);
        let beliefs = Beliefs::new(&facts).expect("layouts");
        for times in 1..20 {
            let [with_north, with_east] = parts.map(|part| part * times);
            let drawn = beliefs.stratified(with_north + with_east, &mut rng);
            let found = drawn.iter().filter(|hands| hands[1] == ace).count();
            assert_eq!(found, with_east, "{factor} {times}");
        }
    }
}

#[test]
fn layouts_left_are_counted() {
    let beliefs = Beliefs::new(&Facts::new(
        Hand::PACK.iter().take(4).collect(),
        [2, 2, 0, 0],
    ))
    .expect("layouts");
    let mut layouts = beliefs.layouts();
    for left in (0..=6).rev() {
        assert_eq!(layouts.size_hint(), (left, Some(left)));
        layouts.next();
    }
    let all = Beliefs::new(&Facts::new(Hand::PACK, [13; 4])).expect("layouts");
    assert_eq!(all.layouts().size_hint(), (usize::MAX, None));
}

#[test]
fn random_questions_are_questions() {
    let (mut rng, hidden) = (Rng::with_seed(1), [Seat::North, Seat::West]);
    for tricks in 1..=13 {
        let text = Question::<Strain>::random_text(&mut rng, tricks, Seat::East, &hidden);
        let question: Question = text.parse().expect(&text);
        assert_eq!(question.leader(), Seat::East, "{text}");
        assert_eq!(question.hidden(), hidden, "{text}");
        assert_eq!(question.hand(Seat::South).map(Hand::len), Some(tricks));
    }
}

/// Facts about all deals that fit a condition.
fn whole(condition: &Condition) -> Facts {
    let mut facts = Facts::new(Hand::PACK, [13; 4]);
    facts.suppose(condition, &Seat::ALL).expect("it can be");
    facts
}

/// Counting the cases ends at a stop; so do points of two hands with limits on lengths, which are sums
/// over millions of options, without any case.
#[test]
fn counting_ends_at_a_stop() {
    let due = Stop::default().by(Instant::now());
    let large = "N.hcp=15-17,S.hcp=6-8,N.S>=4,S.H>=4";
    for text in ["N.balanced", large] {
        let facts = whole(&text.parse().expect("a condition"));
        let stopped = Beliefs::until(&facts, &due).expect_err("stopped");
        assert_eq!(stopped, BeliefsError::Stopped);
        if text == large {
            let beliefs = Beliefs::until(&facts, &Stop::default()).expect("layouts");
            let stopped = beliefs.marginals_until(&due).expect_err("stopped");
            assert_eq!(stopped, BeliefsError::Stopped);
        }
    }
}

/// The limits around two cases leave more open than a case, which takes more memory.
#[test]
fn a_case_may_take_more_memory_than_what_is_around_it() {
    let text = "N.hcp=0-36,S.hcp=0-36,E.hcp=0-36,N.S>=1|N.S=13";
    let condition: Condition = text.parse().expect("a condition");
    let beliefs = Beliefs::new(&whole(&condition)).expect("layouts");
    assert!(!beliefs.is_exact());
    let mut rng = Rng::with_seed(1);
    for _ in 0..100 {
        assert!(condition.allows(&Seat::ALL, &beliefs.sample(&mut rng)));
    }
}
