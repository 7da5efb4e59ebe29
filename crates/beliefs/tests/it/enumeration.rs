//! Everything against enumeration of all layouts, which shares no code with
//! the counting.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Facts, Layout, Limits, Reason};
use setrograde_cards::{Card, Hand, Seat};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::positions::all;

/// Checks beliefs against all layouts and their weights: sums and probabilities are as `close`.
pub(crate) fn agree(beliefs: &Beliefs, all: &HashMap<Layout, f64>, close: f64, case: &str) {
    assert_eq!(beliefs.count(), all.len() as u128, "{case}");
    let total: f64 = all.values().sum();
    assert!((beliefs.log_total() - total.ln()).abs() < close, "{case}");
    let listed: Vec<Layout> = beliefs.layouts().collect();
    assert_eq!(listed.len(), all.len(), "{case}");
    assert!(
        listed.iter().collect::<HashSet<_>>() == all.keys().collect(),
        "{case}"
    );
    for (layout, weight) in all {
        let off = beliefs.log_probability(layout) - (weight / total).ln();
        assert!(off.abs() < 10.0 * close, "{case}: {off}");
    }
    let marginals = beliefs.marginals();
    for (seat, card) in Seat::ALL
        .into_iter()
        .flat_map(|seat| beliefs.unseen().iter().map(move |card| (seat, card)))
    {
        let with = |(layout, _): &(&Layout, &f64)| layout[seat].contains(card);
        let sum: f64 = all.iter().filter(with).map(|(_, weight)| weight).sum();
        let off = marginals.probability(seat, card) - sum / total;
        assert!(off.abs() < close, "{case} {seat} {card}: {off}");
    }
    let mut rng = Rng::with_seed(all.len() as u64);
    assert!(
        (0..20).all(|_| all.contains_key(&beliefs.sample(&mut rng))),
        "{case}"
    );
    let spread = beliefs.stratified(all.len(), &mut rng);
    assert!(
        spread.iter().all(|layout| all.contains_key(layout)),
        "{case}"
    );
}

struct Case {
    facts: Facts,
    cards: Vec<Card>,
    sizes: [u8; 4],
    weights: HashMap<(usize, Card), f64>,
    limits: [Option<Limits>; 4],
}

/// Some cards of two to four hands with denials, weights and limits.
fn random_case(rng: &mut Rng, weighed: bool, limited: bool) -> Case {
    let mut sizes = [0; 4];
    while sizes.iter().filter(|&&size| size > 0).count() < 2 {
        sizes = std::array::from_fn(|_| rng.u8(0..4));
    }
    let count = sizes.iter().sum::<u8>().into();
    let mut pack: Vec<Card> = Card::pack().collect();
    rng.shuffle(&mut pack);
    let cards = pack[..count].to_vec();
    let unseen: Hand = cards.iter().copied().collect();
    let mut facts = Facts::new(unseen, sizes);
    let mut weights = HashMap::new();
    for seat in Seat::ALL {
        for &card in &cards {
            let weight = match rng.u8(0..8) {
                0 => 0.0,
                1..3 if weighed => f64::from(rng.u8(1..9)) / 4.0,
                3 if weighed => 3.0,
                _ => 1.0,
            };
            weights.insert((seat.index(), card), weight);
            if weight == 0.0 {
                facts.deny(seat, card.into(), Reason::Given);
            } else {
                facts.weigh(seat, card.into(), weight);
            }
        }
    }
    let mut limits = [None; 4];
    if limited {
        for seat in Seat::ALL {
            if rng.bool() {
                let mut new = Limits::default();
                if rng.bool() {
                    let least = rng.u8(0..3);
                    new.lengths[rng.usize(0..4)] = (least, least + rng.u8(0..3));
                }
                if rng.bool() {
                    let least = rng.u8(0..6);
                    new.points = (least, least + rng.u8(0..6));
                }
                facts.limit(seat, new, Reason::Limits(new));
                if sizes[seat] > 0 {
                    limits[seat] = Some(new);
                }
            }
        }
    }
    Case {
        facts,
        cards,
        sizes,
        weights,
        limits,
    }
}

fn check(case: &Case) {
    let mut layouts: HashMap<Layout, f64> = HashMap::new();
    for layout in all(case.cards.iter().copied().collect(), case.sizes) {
        let fits = (0..4).all(|seat| case.limits[seat].is_none_or(|l| l.allow(layout[seat])));
        let weight: f64 = (0..4)
            .flat_map(|seat| layout[seat].iter().map(move |card| (seat, card)))
            .map(|at| case.weights[&at])
            .product();
        if fits && weight > 0.0 {
            layouts.insert(layout, weight);
        }
    }
    let Ok(beliefs) = Beliefs::new(&case.facts) else {
        assert!(layouts.is_empty());
        return;
    };
    agree(&beliefs, &layouts, 1e-12, "a random case");
    let held = (0..4).filter(|&seat| case.sizes[seat] > 0);
    for (&card, seat) in case
        .cards
        .iter()
        .flat_map(|card| held.clone().map(move |seat| (card, seat)))
    {
        let weight = |seat| beliefs.weight(Seat::from_index(seat), card);
        let sum: f64 = held.clone().map(weight).sum();
        let right: f64 = held.clone().map(|seat| case.weights[&(seat, card)]).sum();
        let difference = weight(seat) * right - case.weights[&(seat, card)] * sum;
        assert!(difference.abs() < 1e-12 * sum * right, "{card} {seat}");
    }
}

#[test]
fn small_packs_are_counted_as_enumerated() {
    let mut rng = Rng::with_seed(7);
    for round in 0..1_200 {
        check(&random_case(&mut rng, round % 2 == 1, round % 3 == 2));
    }
}

#[test]
fn impossible_layouts_have_no_probability() {
    let cards: Hand = Card::pack().take(4).collect();
    let beliefs = Beliefs::new(&Facts::new(cards, [2, 2, 0, 0])).expect("layouts");
    let none = Hand::EMPTY;
    assert_eq!(
        beliefs.log_probability(&[cards, none, none, none]),
        f64::NEG_INFINITY
    );
    let half: Hand = cards.iter().take(2).collect();
    assert_eq!(
        beliefs.log_probability(&[half, half, none, none]),
        f64::NEG_INFINITY
    );
    let found = beliefs.log_probability(&[half, cards - half, none, none]);
    assert!((found + 6f64.ln()).abs() < 1e-12);
}

/// Thirty random cases with voids, some with limits: samples are uniform over all layouts, and
/// the p-values of the thirty tests are themselves uniform.
#[test]
fn samples_are_uniform() {
    let mut rng = Rng::with_seed(20);
    let mut p_values = Vec::new();
    while p_values.len() < 30 {
        let number = p_values.len();
        let case = random_case(&mut rng, number % 2 == 1, number % 3 == 2);
        let Ok(beliefs) = Beliefs::new(&case.facts) else {
            continue;
        };
        let count = beliefs.count();
        if !(20..800).contains(&count) {
            continue;
        }
        // Enough that the rarest layout is expected five times or so.
        let least = beliefs
            .layouts()
            .map(|layout| beliefs.log_probability(&layout).exp())
            .fold(1.0, f64::min);
        let draws = ((5.0 / least) as usize).max(20 * count as usize);
        if draws > 400_000 {
            continue;
        }
        let mut seen: HashMap<Layout, u32> = HashMap::new();
        for _ in 0..draws {
            *seen.entry(beliefs.sample(&mut rng)).or_default() += 1;
        }
        let chi_square: f64 = beliefs
            .layouts()
            .map(|layout| {
                let expected = beliefs.log_probability(&layout).exp() * draws as f64;
                let found = f64::from(seen.get(&layout).copied().unwrap_or(0));
                (found - expected).powi(2) / expected
            })
            .sum();
        let chances = ChiSquared::new(count as f64 - 1.0).expect("layouts to choose from");
        p_values.push(chances.sf(chi_square));
    }
    // Kolmogorov and Smirnov: 1.63/√30 is the 1 % point.
    p_values.sort_by(f64::total_cmp);
    let distance = p_values
        .iter()
        .enumerate()
        .map(|(at, p)| {
            let (below, above) = (at as f64 / 30.0, (at + 1) as f64 / 30.0);
            (p - below).abs().max((above - p).abs())
        })
        .fold(0.0, f64::max);
    assert!(distance < 1.63 / 30f64.sqrt(), "{distance}: {p_values:?}");
    assert!(p_values[0] > 1e-4, "{p_values:?}");
}

/// Strata of weighed layouts have as much of each as it weighs.
#[test]
fn strata_are_weighed() {
    let mut rng = Rng::with_seed(3);
    for round in 0..200 {
        let case = random_case(&mut rng, true, round % 2 == 1);
        let Ok(beliefs) = Beliefs::new(&case.facts) else {
            continue;
        };
        let draws = 2_000;
        let mut found: HashMap<Layout, f64> = HashMap::new();
        for layout in beliefs.stratified(draws, &mut rng) {
            *found.entry(layout).or_default() += 1.0;
        }
        for layout in beliefs.layouts() {
            let expected = draws as f64 * beliefs.log_probability(&layout).exp();
            let off = found.get(&layout).copied().unwrap_or(0.0) - expected;
            assert!(
                off.abs() < 2.0 + 5.0 * expected.sqrt(),
                "{round}: {off} of {expected}"
            );
        }
    }
}

/// Full packs with weights and limits on lengths, more layouts than the machine's numbers can
/// distinguish: each seat is dealt each card as often as it should hold it.
#[test]
fn samples_of_whole_packs_are_weighed() {
    for whole in [false, true] {
        let mut facts = Facts::new(Hand::PACK, [13; 4]);
        let mut weigh = |seat, cards: &str, factor: f64| {
            let cards: Hand = cards.parse().expect("cards");
            let factor = if whole { factor.ceil() } else { factor };
            facts.weigh(seat, cards, factor);
        };
        weigh(Seat::North, "AKQ.A..", 1.7);
        weigh(Seat::East, ".KQJ.AK.", 0.6);
        weigh(Seat::West, "..JT9.A", 2.5);
        let mut limits = Limits::default();
        limits.lengths[0] = (4, 13);
        limits.lengths[2] = (0, 4);
        facts.limit(Seat::North, limits, Reason::Limits(limits));
        let beliefs = Beliefs::new(&facts).expect("layouts");
        let marginals = beliefs.marginals();
        let mut rng = Rng::with_seed(12);
        let draws = 4_000;
        let samples: [Vec<Layout>; 2] = [
            (0..draws).map(|_| beliefs.sample(&mut rng)).collect(),
            beliefs.stratified(draws, &mut rng),
        ];
        for (sample, card) in samples
            .iter()
            .flat_map(|of| Card::pack().map(move |card| (of, card)))
        {
            for seat in Seat::ALL {
                let chance = marginals.probability(seat, card);
                let found = sample.iter().filter(|of| of[seat].contains(card)).count();
                let off = found as f64 - draws as f64 * chance;
                let deviation = (draws as f64 * chance * (1.0 - chance)).sqrt();
                assert!(
                    off.abs() < 5.0 * deviation,
                    "{card} {seat}: {off} {deviation}"
                );
            }
        }
    }
}
