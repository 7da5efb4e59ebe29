//! Deals under fifty conditions: how long the first and a thousand more take, and whether shapes and
//! points are distributed as if deals that do not fit had been thrown away.
//!
//! ```sh
//! cargo run --release -p setrograde-beliefs --example drawing -- [DEALS] [PART]
//! ```
//!
//! Draws DEALS (2,000 unless given) both ways for the conditions that contain PART. The last columns
//! are the chances, in per cent, that two samples of one distribution differ as much: of the lengths
//! and points of North's and South's hands. Exits with 1 if one of them is below a thousandth, which
//! may happen by chance once in some ten runs, or a time is over the limit.

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Condition, Facts, points};
use setrograde_cards::{Deal, Hand, Seat, Suit};
use statrs::distribution::{ChiSquared, ContinuousCDF};

const CONDITIONS: [&str; 50] = [
    "N 15-17,N.balanced,S 8-9",
    "N 15-17,N.balanced,S.hcp>=8",
    "N 15-17,N.balanced,S.hcp<=9",
    "N 15-17,N.balanced,S 0-7",
    "N 15-17,N.5-3-3-2,S 8-9",
    "N 15-17,N.4-3-3-3,S 8-9",
    "N 22-24,N.balanced,S 3-5",
    "N.balanced,N 15-17,S 10-12,S.S<=3,S.H<=3",
    "N 15-17,N.balanced,S 8-9,E 12-14",
    "N 15-17",
    "N 15-17,S 8-9",
    "N 15-17,N.balanced",
    "N 20-21,N.balanced,S 15-16",
    "N 17-19,S 20-22",
    "N.S>=5,N 12-21,S.S>=4,S 6-10",
    "N.S>=5,N.H>=5,S 10+",
    "N.S=6,N 5-10,N.S.top5>=2",
    "N.S=6,N 5-10,S 15+,S.balanced",
    "N.semibalanced,S.semibalanced,NS 25-26",
    "NS.hcp>=25,NS.S>=8",
    "NS.hcp>=37",
    "NS.hcp 20-22,NS.controls>=9",
    "N.hcp>S.hcp,N.S>S.S",
    "N.hcp-S.hcp>=10",
    "N.losers<=4,S.losers<=6",
    "N.losers<=2",
    "N.controls>=8,S.controls>=3",
    "N.void,S.singleton",
    "N.S=AKT9x",
    "N.S=KQxxxx,N 6-9,S 12+",
    "N.5=3=3=2,N 12-14,S.4=4=3=2",
    "N.S>=7,N.hcp<=10,S.S>=2",
    "N.4-4-4-1,N 17-20",
    "N 23+,S 8+",
    "N.5-4-3-1|N.6-3-2-2,S 11-13",
    "N 12-14,N.balanced|N.S>=5,N 15-19",
    "(N 15-17,N.balanced|N 20-21,N.balanced),(S 8-9|S.S>=5)",
    "not N.balanced,N 15-17,not S.balanced,S 8-9",
    "N.S>=5,S.S<=2,N 11-15,S 6-9",
    "N+SA,S+SK,N 12-14,S 12-14",
    "N.S+N.H>=10,S 10-12",
    "N.hcp+N.S>=20",
    "N.D-N.C>=4,N 11-15,S 11-15",
    "E.S>=5,E 12-21,N 12-15,S 0-7",
    "N.balanced,E.balanced,S.balanced",
    "W.S=6,W.hcp=5-10,N.balanced,N 15-17",
    "NE.S>=10,E.hcp<=8",
    "hcp<=12",
    "S<=4,N 15-17",
    "N.S.top3=3,S.H.top3=3,N 15-17,S 12-14",
];

/// Seconds of this thread; of the wall clock where that is unknown.
fn seconds(begun: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| begun.elapsed().as_secs_f64(), |spent| spent / 1e9)
}

/// What is compared: the lengths and the points of a hand.
fn facts_of(hand: Hand) -> [u64; 2] {
    let lengths = Suit::ALL.map(|suit| hand.suit(suit).len() as u64);
    let shape = lengths.iter().fold(0, |all, length| all * 14 + length);
    [shape, points(hand).into()]
}

/// The chance that two samples of one distribution differ as much, by χ² of classes of 10 or more.
fn chance(one: &HashMap<u64, u32>, other: &HashMap<u64, u32>) -> f64 {
    let count = |of: &HashMap<u64, u32>| f64::from(of.values().sum::<u32>());
    let (n, m) = (count(one), count(other));
    let mut classes: Vec<u64> = one.keys().chain(other.keys()).copied().collect();
    classes.sort_unstable();
    classes.dedup();
    let of = |class: &u64| {
        let get = |of: &HashMap<u64, u32>| f64::from(of.get(class).copied().unwrap_or(0));
        (get(one), get(other))
    };
    let (few, many): (Vec<_>, Vec<_>) = classes.iter().map(of).partition(|(a, b)| a + b < 10.0);
    let rest = few
        .iter()
        .fold((0.0, 0.0), |all, of| (all.0 + of.0, all.1 + of.1));
    let all = many
        .into_iter()
        .chain((rest.0 + rest.1 >= 10.0).then_some(rest));
    let (mut sum, mut classes) = (0.0, 0);
    for (a, b) in all {
        let (k, l) = ((m / n).sqrt(), (n / m).sqrt());
        sum += (k * a - l * b).powi(2) / (a + b);
        classes += 1;
    }
    match ChiSquared::new(f64::from(classes - 1)) {
        Ok(chances) => chances.sf(sum),
        // A single class.
        Err(_) => 1.0,
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let deals = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2000);
    let part = arguments.next().unwrap_or_default();
    let mut rng = Rng::with_seed(7);
    let mut failed = 0;
    println!("set-up   1000 deals  share of deals  shapes and points of N, of S  condition");
    for text in CONDITIONS.into_iter().filter(|text| text.contains(&part)) {
        let condition: Condition = text.parse().expect("a condition");
        let begun = Instant::now();
        let before = seconds(begun);
        let mut facts = Facts::new(Hand::PACK, [13; 4]);
        facts.suppose(&condition, &Seat::ALL).expect("it fits");
        let beliefs = Beliefs::new(&facts).expect("some deal fits");
        let sample = |rng: &mut Rng| beliefs.sample(rng);
        let first = sample(&mut rng);
        let set_up = seconds(begun) - before;
        assert!(condition.allows(&Seat::ALL, &first));
        let before = seconds(begun);
        for _ in 0..1000 {
            assert!(condition.allows(&Seat::ALL, &sample(&mut rng)));
        }
        let thousand = seconds(begun) - before;
        let share = beliefs.count() as f64 / 53_644_737_765_488_792_839_237_440_000.0;
        let mut tables: Vec<[HashMap<u64, u32>; 4]> = vec![Default::default(); 2];
        let add = |table: &mut [HashMap<u64, u32>; 4], deal: &[Hand; 4]| {
            let values = [Seat::North, Seat::South].map(|seat| facts_of(deal[seat]));
            for (table, &value) in table.iter_mut().zip(values.as_flattened()) {
                *table.entry(value).or_default() += 1;
            }
        };
        // The rarest of the fifty are found in minutes among all deals.
        let compared = share * 2e8 > f64::from(deals);
        if compared {
            for _ in 0..deals {
                add(&mut tables[0], &sample(&mut rng));
            }
            let mut kept = 0;
            while kept < deals {
                let deal = Deal::random(|below| rng.usize(..below));
                if condition.allows(&Seat::ALL, deal.hands()) {
                    add(&mut tables[1], deal.hands());
                    kept += 1;
                }
            }
        }
        let chances: Vec<f64> = if compared {
            (0..4)
                .map(|at| chance(&tables[0][at], &tables[1][at]))
                .collect()
        } else {
            Vec::new()
        };
        let slow = share > 1e-7 && (set_up > 0.1 || thousand > 0.5);
        let biased = chances.iter().any(|&chance| chance < 0.001);
        failed += u32::from(slow || biased);
        let shown: Vec<String> = chances
            .iter()
            .map(|of| format!("{:5.1}", of * 100.0))
            .collect();
        println!(
            "{:6.1} ms {:7.1} ms  {share:9.2e}{}  {:23}  {text}{}",
            set_up * 1e3,
            thousand * 1e3,
            if beliefs.is_exact() { " " } else { "~" },
            shown.join(" "),
            if slow || biased { "  <<<" } else { "" },
        );
    }
    println!("{failed} of {} fail", CONDITIONS.len());
    ExitCode::from(u8::from(failed > 0))
}
