//! Looks for deals that take the solver long: finds the 20 results of random
//! deals and prints the hardest, and how nodes and processor time are spread.
//!
//! ```text
//! cargo run --release --manifest-path experiments/Cargo.toml --bin hard_deals -- COUNT [SEED [PRINTED]] [--freaks]
//! ```
//!
//! With `--freaks` the hands are wild: at least two voids. The lines that it
//! prints first, the 20 hardest deals or as many as asked for, are those of
//! `data/hard_deals.txt`: `PBN | t1 ... t20`.

use std::error::Error;

use cpu_time::ThreadTime;
use setrograde_cards::{Card, Deal, Hand, Suit};
use setrograde_solver::{Options, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut numbers, mut freaks) = (Vec::new(), false);
    for argument in std::env::args().skip(1) {
        if argument == "--freaks" {
            freaks = true;
        } else {
            numbers.push(argument.parse::<u64>()?);
        }
    }
    let count = *numbers.first().ok_or("how many deals?")?;
    let mut rng = fastrand::Rng::with_seed(numbers.get(1).copied().unwrap_or(1));
    let printed = numbers.get(2).copied().unwrap_or(20) as usize;
    let mut solver = Solver::new(Options::default());
    let mut solved = Vec::new();
    for _ in 0..count {
        let deal = if freaks {
            freak(&mut rng)
        } else {
            Deal::random(|n| rng.usize(..n))
        };
        let (before, start) = (solver.nodes(), ThreadTime::now());
        let table = solver.table(&deal)?;
        solved.push((solver.nodes() - before, start.elapsed(), deal, table));
    }
    solved.sort_by_key(|&(nodes, ..)| std::cmp::Reverse(nodes));
    for (nodes, time, deal, table) in solved.iter().take(printed) {
        println!("{deal} | {table}");
        eprintln!("{nodes} nodes, {time:.2?}");
    }
    let mut times: Vec<_> = solved.iter().map(|&(_, time, ..)| time).collect();
    times.sort();
    let all: u64 = solved.iter().map(|&(nodes, ..)| nodes).sum();
    for (name, share) in [
        ("median", 500),
        ("99th percentile", 990),
        ("99.9th", 999),
        ("most", 1000),
    ] {
        let at = (solved.len() * share / 1000).min(solved.len() - 1);
        let nodes = solved[solved.len() - 1 - at].0;
        eprintln!("{name}: {nodes} nodes, {:.2?}", times[at]);
    }
    eprintln!("mean: {} nodes", all / count.max(1));
    Ok(())
}

/// A deal with at least two voids: from four hands of one suit each, cards are
/// exchanged for a while; then every suit is dealt at random to these lengths.
fn freak(rng: &mut fastrand::Rng) -> Deal {
    let lengths = loop {
        let mut lengths: [[usize; 4]; 4] = std::array::from_fn(|seat| {
            std::array::from_fn(|suit| if suit == seat { 13 } else { 0 })
        });
        for _ in 0..rng.usize(8..=24) {
            let (one, other) = (rng.usize(0..4), rng.usize(0..4));
            let (give, take) = (rng.usize(0..4), rng.usize(0..4));
            let cards = rng
                .usize(1..=3)
                .min(lengths[one][give])
                .min(lengths[other][take]);
            lengths[one][give] -= cards;
            lengths[other][give] += cards;
            lengths[other][take] -= cards;
            lengths[one][take] += cards;
        }
        let voids = lengths
            .iter()
            .flatten()
            .filter(|&&cards| cards == 0)
            .count();
        if voids >= 2 {
            break lengths;
        }
    };
    let mut hands = [Hand::EMPTY; 4];
    for suit in Suit::ALL {
        let mut cards: Vec<Card> = Card::pack().filter(|card| card.suit == suit).collect();
        rng.shuffle(&mut cards);
        let mut cards = cards.into_iter();
        for (hand, lengths) in hands.iter_mut().zip(&lengths) {
            for card in cards.by_ref().take(lengths[suit.index()]) {
                hand.insert(card);
            }
        }
    }
    Deal::new(hands).expect("every card was dealt to one hand")
}
