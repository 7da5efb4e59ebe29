//! Conditions that limits on each hand cannot say: against every layout, one by one.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, BeliefsError, Condition, Facts, Given, Layout, losers};
use setrograde_cards::{Card, Hand, Seat};

fn facts(unseen: Hand, hidden: &[Seat], condition: &str) -> Facts {
    let each = (unseen.len() / hidden.len()) as u8;
    let sizes = Seat::ALL.map(|seat| if hidden.contains(&seat) { each } else { 0 });
    let mut facts = Facts::new(unseen, sizes);
    let condition: Condition = condition.parse().expect("a condition");
    condition.check(hidden, unseen).expect("it fits");
    facts.given(Given {
        cases: condition.cases(hidden, unseen),
        condition,
        hidden: hidden.to_vec(),
        played: [Hand::EMPTY; 4],
    });
    facts
}

/// All layouts, by brute force.
fn all(unseen: Hand, hidden: &[Seat]) -> Vec<Layout> {
    let cards: Vec<Card> = unseen.iter().collect();
    let (hands, each) = (hidden.len(), cards.len() / hidden.len());
    let number = hands.pow(cards.len() as u32);
    let layout = |mut code: usize| {
        let mut layout = [Hand::EMPTY; 4];
        for &card in &cards {
            layout[hidden[code % hands]] |= Hand::of(card);
            code /= hands;
        }
        let even = hidden.iter().all(|seat| layout[seat.index()].len() == each);
        even.then_some(layout)
    };
    (0..number).filter_map(layout).collect()
}

const CONDITIONS: [&str; 14] = [
    "E-SK",
    "E+SK|W.H>=2",
    "S=4-0",
    "S=4-0|S=1-3",
    "(E+SK|W+SK,W+HK),S<=3",
    "E.S.top3>=1",
    "S.top5>=1",
    "E.controls>=1",
    "E.losers<=2",
    "losers<=3|E+S8",
    "E.(S>=3|H=2)|W.hcp>=4",
    "W.hcp=3-4|E.hcp=3|E-S9",
    "S>=1|H>=1",
    "E+SK,W+SK|E.S=2",
];

#[test]
fn layouts_are_counted_listed_and_drawn() {
    let unseen: Hand = "KT98.K2..".parse().expect("cards");
    let three: Hand = "KT98.KQ..".parse().expect("cards");
    let cases = [
        (unseen, &[Seat::East, Seat::West][..]),
        (three, &[Seat::North, Seat::East, Seat::West]),
    ];
    for (unseen, hidden) in cases {
        let layouts = all(unseen, hidden);
        for text in CONDITIONS {
            if text.contains("S=") && hidden.len() > 2 && !text.contains(".S=") {
                continue;
            }
            let facts = facts(unseen, hidden, text);
            let condition: Condition = text.parse().expect("a condition");
            let fits: HashSet<Layout> = layouts
                .iter()
                .copied()
                .filter(|layout| condition.allows(hidden, layout))
                .collect();
            let beliefs = match Beliefs::new(&facts) {
                Ok(beliefs) => beliefs,
                Err(error) => {
                    assert!(matches!(error, BeliefsError::NoneFits { drawn: false, .. }));
                    assert!(fits.is_empty(), "{text}");
                    continue;
                }
            };
            assert!(beliefs.is_exact());
            assert_eq!(beliefs.count(), fits.len() as u128, "{text}");
            let listed: Vec<Layout> = beliefs.layouts().collect();
            assert_eq!(listed.len(), fits.len(), "{text}");
            assert_eq!(
                listed.iter().copied().collect::<HashSet<_>>(),
                fits,
                "{text}"
            );
            assert_eq!(beliefs.layout(0), Some(listed[0]));
            assert_eq!(beliefs.layout(fits.len() as u128), None);
            if let Some(parts) = beliefs.parts() {
                let parts = parts
                    .iter()
                    .flat_map(|part| part.layouts().collect::<Vec<_>>());
                assert_eq!(parts.collect::<Vec<_>>(), listed, "{text}");
            }
            // Each is drawn as often as any other.
            let mut rng = Rng::with_seed(9);
            let mut drawn: HashMap<Layout, f64> = HashMap::new();
            let draws = 200.0 * fits.len() as f64;
            for _ in 0..draws as usize {
                *drawn.entry(beliefs.sample(&mut rng)).or_default() += 1.0;
            }
            let squares = fits.iter().map(|layout| {
                let off = drawn.get(layout).copied().unwrap_or(0.0) - 200.0;
                off * off / 200.0
            });
            let (chi, free) = (squares.sum::<f64>(), fits.len() as f64 - 1.0);
            assert!(drawn.keys().all(|layout| fits.contains(layout)), "{text}");
            assert!(
                chi < free + 5.0 * (2.0 * free).sqrt() + 5.0,
                "{text}: {chi} of {free}"
            );
            let marginals = beliefs.marginals();
            for card in unseen.iter() {
                for &seat in hidden {
                    let held = fits.iter().filter(|of| of[seat].contains(card)).count();
                    let right = held as f64 / fits.len() as f64;
                    let found = marginals.probability(seat, card);
                    assert!(
                        (found - right).abs() < 1e-9,
                        "{text} {seat} {card}: {found} {right}"
                    );
                }
            }
            for layout in &layouts {
                let found = beliefs.log_probability(layout).exp();
                let right = match fits.contains(layout) {
                    true => 1.0 / fits.len() as f64,
                    false => 0.0,
                };
                assert!((found - right).abs() < 1e-9, "{text}");
            }
        }
    }
}

/// The number of balanced hands is known: 302,292,822,832 of 635,013,559,600.
#[test]
fn shapes_of_whole_deals_are_counted() {
    let deals = |condition: &str| {
        Beliefs::new(&facts(Hand::PACK, &Seat::ALL, condition))
            .expect("layouts")
            .count()
    };
    // 39 cards to three hands.
    let others = 84_478_098_072_866_400;
    assert_eq!(deals("N.balanced"), 302_292_822_832 * others);
    assert_eq!(deals("N.5-4-3-1"), 82_111_732_560 * others);
    assert_eq!(
        deals("S.4-4-4-1|S.5-3-3-2"),
        (19_007_345_500 + 98_534_079_072) * others
    );
}

/// Most hands have seven losers or eight; a share that was drawn is near the true one.
#[test]
fn losers_are_counted_by_drawing() {
    let hand = |text: &str| text.parse::<Hand>().expect("a hand");
    for (text, count) in [
        ("AKQ2.AKQ.AKQ.AKQ", 0),
        ("A.AK.Q32.7654321".split('1').next().expect("a text"), 0),
        ("K.AQ.Q32.765432", 0),
        ("QJ2.KJ32.A432.32", 0),
    ] {
        let by_suit = |ranks: &str| {
            let top = ["A", "K", "Q"].iter().take(ranks.len().min(3));
            top.filter(|rank| !ranks.contains(**rank)).count() as u8
        };
        let right: u8 = text.split('.').map(by_suit).sum();
        assert_eq!(losers(hand(text)), right + count, "{text}");
    }
    let whole = Beliefs::new(&facts(Hand::PACK, &Seat::ALL, "N.losers<=7")).expect("layouts");
    assert!(!whole.is_exact());
    let mut rng = Rng::with_seed(4);
    let mut fit = 0;
    for _ in 0..2000 {
        let layout = setrograde_cards::Deal::random(&mut rng);
        fit += u32::from(losers(layout.hand(Seat::North)) <= 7);
        assert!(losers(whole.sample(&mut rng)[0]) <= 7);
    }
    let free = Beliefs::new(&Facts::new(Hand::PACK, [13; 4]))
        .expect("layouts")
        .count();
    let share = whole.count() as f64 / free as f64;
    assert!(
        (share - f64::from(fit) / 2000.0).abs() < 0.05,
        "{share} {fit}"
    );
}
