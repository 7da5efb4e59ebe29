//! Conditions that limits on each hand cannot say: against every layout, one by one.

use std::collections::HashMap;
use std::time::Instant;

use fastrand::Rng;
use setrograde_beliefs::{
    Beliefs, BeliefsError, Condition, Facts, Given, Layout, Limits, Reason, Steps, losers, points,
};
use setrograde_cards::{Card, Hand, Seat, Suit};
use setrograde_parallel::Stop;

use crate::enumeration::agree;
use crate::positions::all;

/// As many cards in each hidden hand.
fn sizes(unseen: Hand, hidden: &[Seat]) -> [u8; 4] {
    let each = (unseen.len() / hidden.len()) as u8;
    Seat::ALL.map(|seat| if hidden.contains(&seat) { each } else { 0 })
}

fn facts(unseen: Hand, hidden: &[Seat], condition: &str) -> Facts {
    let mut facts = Facts::new(unseen, sizes(unseen, hidden));
    let condition: Condition = condition.parse().expect("a condition");
    let fitted = condition.fit(hidden, unseen, &mut Steps::default());
    facts.given(Given {
        cases: fitted.expect("it fits").cases,
        condition,
        hidden: hidden.to_vec(),
        played: [Hand::EMPTY; 4],
    });
    facts
}

/// The deals that fit a condition.
fn deals(condition: &str) -> Beliefs {
    Beliefs::new(&facts(Hand::PACK, &Seat::ALL, condition)).expect("layouts")
}

const CONDITIONS: [&str; 28] = [
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
    "E-SK,E-S9|E.H>=1,W+S9",
    "E.S.top5=1|W.H=2",
    "E.S+W.H>=3",
    "E.S+W.S<=3",
    "E.hcp+W.hcp=5-7",
    "E.S>E.H",
    "E.hcp>W.hcp",
    "E.S+E.H>=W.S+W.S",
    "not S<=3",
    "not E.S=1-2",
    "not (E+SK,W.H=1)|E.losers>W.losers",
    "not (E.S>=3|E.hcp=3)",
    "not E.S=W.S,not W.S.top5=1",
    "not E.losers=2-3",
];

#[test]
fn layouts_are_counted_listed_and_drawn() {
    let unseen: Hand = "KT98.K2..".parse().expect("cards");
    let three: Hand = "KT98.KQ..".parse().expect("cards");
    let sides = [Seat::East, Seat::West];
    for weighed in [false, true] {
        for text in CONDITIONS {
            check(unseen, &sides, text, weighed);
            if !text.contains("S=") || text.contains(".S=") {
                check(three, &[Seat::North, Seat::East, Seat::West], text, weighed);
            }
        }
        // Few of many layouts match, in parts of different sizes.
        let many: Hand = "AKT987.KQ5432..".parse().expect("cards");
        for text in ["E.S=6|E.H=6", "E+SAKT9,E+H5|W+SAKT9,W+H5|E.S=6"] {
            check(many, &sides, text, weighed);
        }
    }
}

fn check(unseen: Hand, hidden: &[Seat], text: &str, weighed: bool) {
    let mut facts = facts(unseen, hidden, text);
    let mut weights: Vec<(Seat, Card, f64)> = Vec::new();
    if weighed {
        let card = |at: usize| unseen.iter().nth(at).expect("a card");
        weights = vec![(Seat::East, card(0), 3.0), (Seat::West, card(2), 0.5)];
    }
    for &(seat, card, factor) in &weights {
        facts.weigh(seat, card.into(), factor);
    }
    let weight = |layout: &Layout| -> f64 {
        let held = weights.iter().filter(|of| layout[of.0].contains(of.1));
        held.map(|of| of.2).product()
    };
    let layouts = all(unseen, sizes(unseen, hidden));
    let condition: Condition = text.parse().expect("a condition");
    let fits: HashMap<Layout, f64> = layouts
        .iter()
        .filter(|layout| condition.allows(hidden, layout))
        .map(|layout| (*layout, weight(layout)))
        .collect();
    let total: f64 = fits.values().sum();
    let beliefs = match Beliefs::new(&facts) {
        Ok(beliefs) => beliefs,
        Err(error) => {
            assert!(matches!(error, BeliefsError::NoneFits { drawn: false, .. }));
            assert_eq!(
                error.to_string(),
                format!("no layout of the hidden cards fits {condition}")
            );
            assert!(fits.is_empty(), "{text}");
            return;
        }
    };
    assert!(beliefs.is_exact() && !beliefs.is_limits());
    agree(&beliefs, &fits, 1e-9, text);
    let impossible = layouts.iter().filter(|layout| !fits.contains_key(*layout));
    for layout in impossible {
        let log_probability = beliefs.log_probability(layout);
        assert_eq!(log_probability, f64::NEG_INFINITY, "{text}");
    }
    let listed: Vec<Layout> = beliefs.layouts().collect();
    let left = beliefs.layouts().size_hint();
    assert_eq!(left, (listed.len(), Some(listed.len())));
    assert_eq!(beliefs.layout(0), Some(listed[0]));
    assert_eq!(beliefs.layout(fits.len() as u128), None);
    let parts = beliefs.parts();
    let looked_at = match parts {
        Some(_) => fits.len(),
        None => layouts.len(),
    };
    assert_eq!(beliefs.count_looked_at(), looked_at as u128, "{text}");
    if let Some(parts) = parts {
        let parts = parts
            .iter()
            .flat_map(|part| part.layouts().collect::<Vec<_>>());
        assert_eq!(parts.collect::<Vec<_>>(), listed, "{text}");
    }
    // Each is drawn as often as it weighs.
    let mut rng = Rng::with_seed(9);
    let mut drawn: HashMap<Layout, f64> = HashMap::new();
    let draws = 200 * fits.len();
    let spread = beliefs.stratified(draws / 2, &mut rng);
    let singly = (0..draws / 2).map(|_| beliefs.sample(&mut rng));
    for layout in singly.chain(spread) {
        *drawn.entry(layout).or_default() += 1.0;
    }
    let squares = fits.iter().map(|(layout, weight)| {
        let expected = draws as f64 * weight / total;
        let off = drawn.get(layout).copied().unwrap_or(0.0) - expected;
        off * off / expected
    });
    let (chi, free) = (squares.sum::<f64>(), fits.len() as f64 - 1.0);
    assert_eq!(drawn.values().sum::<f64>(), draws as f64, "{text}");
    assert!(
        drawn.keys().all(|layout| fits.contains_key(layout)),
        "{text}"
    );
    assert!(
        chi < free + 5.0 * (2.0 * free).sqrt() + 5.0,
        "{text}: {chi} of {free}"
    );
}

#[test]
fn suppositions_become_limits_where_they_can() {
    let unseen: Hand = "KT98.K2..".parse().expect("cards");
    let hidden = [Seat::East, Seat::West];
    let suppose = |text: &str| {
        let mut facts = Facts::new(unseen, [0, 3, 0, 3]);
        let condition = text.parse().expect("a condition");
        facts.suppose(&condition, &hidden).map(|()| facts)
    };
    for (text, limits) in [
        ("E+SK,S<=3", true),
        ("E.hcp>=4", true),
        ("E.S=3|E.S=1,W+HK", false),
        ("S=3-1", false),
        ("E.losers<=2", false),
    ] {
        let condition: Condition = text.parse().expect("a condition");
        let beliefs = Beliefs::new(&suppose(text).expect("it fits")).expect("layouts");
        assert_eq!(beliefs.is_limits(), limits, "{text}");
        let mut layouts = all(unseen, sizes(unseen, &hidden));
        layouts.retain(|layout| condition.allows(&hidden, layout));
        assert_eq!(beliefs.count(), layouts.len() as u128, "{text}");
    }
    // The limits around alternatives help, too.
    let beliefs = Beliefs::new(&suppose("E.S=3|E.S=2,W+HK").expect("it fits")).expect("layouts");
    assert_eq!(beliefs.limits(Seat::East).lengths[0], (2, 3));
    assert_eq!(
        suppose("E+SK,N.S=0")
            .expect_err("it does not fit")
            .to_string(),
        "condition, column 6: North is visible; conditions are about the hidden hands"
    );
}

/// Exact sums over the points of all four hands would be too large, so layouts are drawn.
#[test]
fn points_of_all_hands_are_believed() {
    let mut facts = Facts::new(Hand::PACK, [13; 4]);
    for (seat, points) in Seat::ALL
        .into_iter()
        .zip([(12, 40), (0, 11), (0, 13), (3, 12)])
    {
        let limits = Limits {
            points,
            ..Limits::default()
        };
        facts.limit(seat, limits, Reason::Limits(limits));
    }
    let beliefs = Beliefs::new(&facts).expect("layouts");
    let mut rng = Rng::with_seed(1);
    for _ in 0..50 {
        let held = beliefs.sample(&mut rng).map(points);
        assert!(held[0] >= 12 && held[1] <= 11 && held[2] <= 13, "{held:?}");
        assert!((3..=12).contains(&held[3]), "{held:?}");
    }
    let ace = "SA".parse().expect("a card");
    let [north, east] =
        [Seat::North, Seat::East].map(|seat| beliefs.marginals().probability(seat, ace));
    assert!(north > 0.3 && east < 0.25, "{north} {east}");
}

/// The number of balanced hands is known: 302,292,822,832 of 635,013,559,600.
#[test]
fn shapes_of_whole_deals_are_counted() {
    let count = |condition: &str| deals(condition).count();
    // 39 cards to three hands.
    let others = 84_478_098_072_866_400;
    assert_eq!(count("N.balanced"), 302_292_822_832 * others);
    assert_eq!(count("N.5-4-3-1"), 82_111_732_560 * others);
    assert_eq!(
        count("S.4-4-4-1|S.5-3-3-2"),
        (19_007_345_500 + 98_534_079_072) * others
    );
    // Often a layout is drawn until one has the shape; for a rare one a case is drawn first.
    let mut rng = Rng::with_seed(2);
    for (text, shape) in [("N.5-4-3-1", [5, 4, 3, 1]), ("N.7-3-2-1", [7, 3, 2, 1])] {
        let beliefs = deals(text);
        for _ in 0..50 {
            let north = beliefs.sample(&mut rng)[0];
            let mut lengths = Suit::ALL.map(|suit| north.suit(suit).len());
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(lengths, shape);
        }
    }
}

/// Most hands have seven losers or eight, and the share that is counted is near one that was drawn. So
/// is the share of a sum of losers and lengths, which is not counted but drawn.
#[test]
fn losers_are_counted() {
    for text in [
        "AKQ2.AKQ.AKQ.AKQ",
        "A.AK.Q32.765432",
        "K.AQ.Q32.765432",
        "QJ2.KJ32.A432.32",
    ] {
        let by_suit = |ranks: &str| {
            let top = ["A", "K", "Q"].iter().take(ranks.len().min(3));
            top.filter(|rank| !ranks.contains(**rank)).count() as u8
        };
        let right: u8 = text.split('.').map(by_suit).sum();
        assert_eq!(losers(text.parse().expect("a hand")), right, "{text}");
    }
    of_losers("N.losers<=7", true, |hand| losers(hand) <= 7);
    let sum = |hand: Hand| losers(hand) + hand.suit(Suit::Spades).len() as u8;
    of_losers("N.losers+N.S<=10", false, |hand| sum(hand) <= 10);
    let few = deals("N.losers=0");
    assert!(few.is_exact() && losers(few.sample(&mut Rng::with_seed(1))[0]) == 0);
    assert_eq!(
        Beliefs::new(&facts(Hand::PACK, &Seat::ALL, "N.losers+N.S=0"))
            .expect_err("too rare")
            .to_string(),
        "fewer than one in 5,000 layouts of the hidden cards fits N.losers+N.S=0; add limits on \
         lengths, points or cards"
    );
}

/// Checks the layouts of a condition on North's hand, which are counted exactly or not.
fn of_losers(text: &str, exact: bool, fits: impl Fn(Hand) -> bool) {
    let whole = deals(text);
    assert_eq!(whole.is_exact(), exact, "{text}");
    let mut rng = Rng::with_seed(4);
    let mut fit = 0;
    for _ in 0..2000 {
        let layout = setrograde_cards::Deal::random(|n| rng.usize(..n));
        fit += u32::from(fits(layout.hand(Seat::North)));
        assert!(fits(whole.sample(&mut rng)[0]));
    }
    let free = Beliefs::new(&Facts::new(Hand::PACK, [13; 4]))
        .expect("layouts")
        .count();
    let share = whole.count() as f64 / free as f64;
    assert!(
        (share - f64::from(fit) / 2000.0).abs() < 0.05,
        "{share} {fit}"
    );
    // The counts agree with each other.
    if !exact {
        assert_eq!(whole.layouts().size_hint(), (0, None));
    }
    let listed: Vec<Layout> = whole.layouts().take(20).collect();
    assert!(listed.len() == 20 && listed.iter().all(|layout| fits(layout[0])));
    assert_eq!(whole.layout(19), Some(listed[19]));
    let log_count = (whole.count() as f64).ln();
    assert!((whole.log_total() - log_count).abs() < 1e-9);
    assert!((whole.log_probability(&listed[0]) + log_count).abs() < 1e-9);
    let marginals = whole.marginals();
    let mut of_north = 0.0;
    for card in Card::pack() {
        let chances = Seat::ALL.map(|seat| marginals.probability(seat, card));
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{card}");
        of_north += chances[0];
    }
    assert!((of_north - 13.0).abs() < 1e-9);
    let ace = "SA".parse().expect("a card");
    let chance = marginals.probability(Seat::North, ace);
    assert!((0.2..0.45).contains(&chance), "{chance}");
}

/// A draw under a rare condition ends with the work.
#[test]
fn draws_end_once_the_stop_is_due() {
    let beliefs = deals("N.losers+N.S<=4");
    let due = Stop::default().by(Instant::now());
    let mut stopped = 0;
    for seed in 0..20 {
        let rng = || Rng::with_seed(seed);
        let free = beliefs.sample(&mut rng());
        for drawn in [
            beliefs.sample_until(&mut rng(), &due),
            beliefs.stratum(0, 1, &mut rng(), &due),
        ] {
            match drawn {
                Ok(drawn) => assert_eq!(drawn, free),
                Err(error) => {
                    assert!(matches!(error, BeliefsError::Stopped), "{error}");
                    stopped += 1;
                }
            }
        }
        assert_eq!(
            beliefs.sample_until(&mut rng(), &Stop::default()).ok(),
            Some(free)
        );
    }
    assert!(stopped > 10, "{stopped}");
}
