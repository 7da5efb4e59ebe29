//! Draws layouts of random cases with voids, and compares their frequencies with
//! the exact probabilities by chi-square: for exact sampling, and for mu's
//! greedy scheme on the same cases.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin uniformity -- 30 200

use std::collections::HashMap;
use std::error::Error;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Facts, Layout, Reason};
use setrograde_cards::{Card, Hand, Seat, Suit};
use setrograde_play::players::Determinizer;
use statrs::distribution::{ChiSquared, ContinuousCDF};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let cases = numbers.next().transpose()?.unwrap_or(30);
    let draws_each = numbers.next().transpose()?.unwrap_or(200);
    let mut rng = Rng::with_seed(42);
    let mut p_values = Vec::new();
    println!(
        "{:>8} {:>8} {:>8} {:>10} {:>8} {:>9} {:>10}",
        "layouts", "draws", "exact X2", "p", "mu X2", "dead ends", "mu p"
    );
    while p_values.len() < cases {
        let Some((facts, possible)) = random_case(&mut rng) else {
            continue;
        };
        let Ok(beliefs) = Beliefs::new(&facts) else {
            continue;
        };
        let count = beliefs.count();
        if !(50..3_000).contains(&count) {
            continue;
        }
        let draws = draws_each * count as usize;
        let mut exact: HashMap<Layout, u32> = HashMap::new();
        let mut greedy: HashMap<Layout, u32> = HashMap::new();
        let mut determinizer =
            Determinizer::with_possible(facts.unseen(), possible, facts.sizes())?;
        for _ in 0..draws {
            *exact.entry(beliefs.sample(&mut rng)).or_default() += 1;
            *greedy.entry(determinizer.layout(&mut rng)).or_default() += 1;
        }
        let expected = draws as f64 / count as f64;
        let chi_square = |seen: &HashMap<Layout, u32>| -> f64 {
            beliefs
                .layouts()
                .map(|layout| {
                    let found = f64::from(seen.get(&layout).copied().unwrap_or(0));
                    (found - expected).powi(2) / expected
                })
                .sum()
        };
        let (ours, mus) = (chi_square(&exact), chi_square(&greedy));
        let chances = ChiSquared::new(count as f64 - 1.0)?;
        let (p, mu_p) = (chances.sf(ours), chances.sf(mus));
        println!(
            "{count:>8} {draws:>8} {ours:>8.1} {p:>10.4} {mus:>8.0} {:>9} {mu_p:>10.2e}",
            determinizer.dead_ends()
        );
        p_values.push(p);
    }
    p_values.sort_by(f64::total_cmp);
    let count = p_values.len() as f64;
    let distance = p_values
        .iter()
        .enumerate()
        .map(|(at, p)| {
            (p - at as f64 / count)
                .abs()
                .max(((at + 1) as f64 / count - p).abs())
        })
        .fold(0.0, f64::max);
    println!(
        "distance of the exact p-values from uniform: {distance:.3}; 5 % point {:.3}",
        1.36 / count.sqrt()
    );
    Ok(())
}

/// Three hidden hands, each void in one or two suits or none.
fn random_case(rng: &mut Rng) -> Option<(Facts, [Hand; 4])> {
    let mut pack: Vec<Card> = Card::pack().collect();
    rng.shuffle(&mut pack);
    let sizes = [rng.u8(2..6), rng.u8(2..6), rng.u8(2..6), 0];
    let count = usize::from(sizes.iter().sum::<u8>());
    let unseen: Hand = pack.iter().take(count).copied().collect();
    let mut facts = Facts::new(unseen, sizes);
    let mut possible = [unseen, unseen, unseen, Hand::EMPTY];
    let mut voids = 0;
    for (seat, possible) in possible.iter_mut().enumerate().take(3) {
        for _ in 0..rng.usize(0..3) {
            let suit = Hand::PACK.suit(Suit::from_index(rng.usize(0..4)));
            facts.deny(Seat::from_index(seat), suit, Reason::Given);
            *possible -= suit;
            voids += 1;
        }
    }
    (voids > 0).then_some((facts, possible))
}
