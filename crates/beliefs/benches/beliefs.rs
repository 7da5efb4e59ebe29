//! Set-up, marginals and samples: `cargo bench -p setrograde-beliefs`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Facts, Limits, Measure, Reason};
use setrograde_cards::{Hand, Seat, Suit};

fn hidden(cards: usize, sizes: [u8; 4]) -> Facts {
    let spread = Hand::PACK.iter().enumerate();
    let cards: Hand = spread
        .filter(|(at, _)| cards == 39 && at % 4 != 0 || cards == 26 && at % 2 != 0)
        .map(|(_, card)| card)
        .collect();
    Facts::new(cards, sizes)
}

fn benches(c: &mut Criterion) {
    let two = hidden(26, [0, 13, 0, 13]);
    let three = hidden(39, [13, 13, 0, 13]);
    let mut voids = three.clone();
    for (seat, suit) in [(Seat::North, Suit::Hearts), (Seat::East, Suit::Clubs)] {
        voids.deny(seat, Hand::PACK.suit(suit), Reason::Given);
    }
    let mut weighed = three.clone();
    for (at, card) in three.unseen().iter().enumerate() {
        weighed.weigh(Seat::East, card.into(), 1.0 + at as f64 / 7.0);
    }
    let mut limited = two.clone();
    let limits = Limits::default().and_range(Measure::Length(Suit::Spades), 3, 6);
    let limits = limits.and_then(|limits| limits.and_range(Measure::Points, 8, 12));
    let limits = limits.expect("limits bound both");
    limited.limit(Seat::East, limits, Reason::Given);
    let cases = [
        ("two hands of 13", &two),
        ("three hands of 13", &three),
        ("three hands, two voids", &voids),
        ("three hands, all cards weighed", &weighed),
        ("two hands, limits", &limited),
    ];
    for (name, facts) in cases {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(1));
        group.bench_function("set-up", |b| b.iter(|| Beliefs::new(black_box(facts))));
        let beliefs = Beliefs::new(facts).expect("layouts");
        group.bench_function("marginals", |b| b.iter(|| beliefs.marginals()));
        let mut rng = Rng::with_seed(1);
        group.bench_function("sample", |b| b.iter(|| beliefs.sample(&mut rng)));
    }
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(all);
