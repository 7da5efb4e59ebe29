//! Odds over layouts that are drawn, against odds that are counted.

use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Question;
use setrograde_cards::{Contract, Deal, Hand, Seat, Strain, Vulnerability};
use setrograde_games::{Strengths, View, Whist};
use setrograde_lookup::Database;
use setrograde_single_dummy::{
    Compared, Sampling, card_odds, mean_half_width, odds, sampled, sampled_contracts,
};
use setrograde_solver::{Options, Solver};

const SAMPLING: Sampling = Sampling {
    layouts: 200,
    until: None,
    seed: 7,
    threads: 1,
    by_card: true,
};

fn view(text: &str) -> View<Whist> {
    let question: Question = text.parse().expect("a question");
    View::of_bridge(&question).expect("a view")
}

/// A random question of two cards a hand, as text.
fn question(random: &mut fastrand::Rng) -> String {
    let deal = Deal::random_ending(2, random);
    let strain = ["NT", "S", "H", "D", "C"][random.usize(..5)];
    let leader = Seat::from_index(random.usize(..4));
    let ours = [deal.hand(Seat::North), deal.hand(Seat::South)];
    let out: Hand = deal.hand(Seat::East) | deal.hand(Seat::West);
    format!("{strain} {leader} N:{} ? {} ? out={out}", ours[0], ours[1])
}

/// In 95 % of random questions the counted mean is within the interval of the drawn one.
#[test]
fn intervals_hold_what_is_counted() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    let database = Database::open(golden).expect("the golden database");
    let mut random = fastrand::Rng::with_seed(29);
    let (mut within, mut asked) = (0, 0);
    while asked < 400 {
        let text = question(&mut random);
        let view = view(&text);
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        let counted = odds(&view, &beliefs, &database, &AtomicBool::new(false)).expect("held");
        let seed = random.u64(..);
        let sampling = Sampling { seed, ..SAMPLING };
        let drawn = sampled(&view, &beliefs, sampling, &Options::default()).expect("solved");
        if counted
            .all
            .counts
            .iter()
            .filter(|&&count| count > 0)
            .count()
            < 2
        {
            assert_eq!(drawn.all.mean(), counted.all.mean(), "{text}");
            continue;
        }
        asked += 1;
        let off = (drawn.all.mean() - counted.all.mean()).abs();
        within += usize::from(off <= mean_half_width(&drawn.all));
        let cards = card_odds(&view, &beliefs, &database, &AtomicBool::new(false)).expect("held");
        for (card, odds) in cards {
            let (_, found) = drawn
                .cards
                .iter()
                .find(|(of, _)| *of == card)
                .expect("a card");
            assert!((found.mean() - odds.mean()).abs() < 0.25, "{text} {card}");
        }
    }
    // 95 % of 400 with a standard deviation of 1.1 %.
    assert!((368..=392).contains(&within), "{within} of {asked}");
}

#[test]
fn threads_make_no_difference_and_until_stops() {
    let view = view("NT W W:AQ732.K5.J83.T92 ? ? ? if=E.hcp=5-9");
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let few = Sampling {
        layouts: 70,
        ..SAMPLING
    };
    let of = |threads| {
        let sampling = Sampling { threads, ..few };
        sampled(&view, &beliefs, sampling, &Options::default()).expect("solved")
    };
    let one = of(1);
    assert_eq!(one, of(3));
    assert_eq!((one.all.layouts, one.cards.len()), (70, 13));
    let until = Sampling {
        until: Some(0.3),
        layouts: 10_000,
        by_card: false,
        ..SAMPLING
    };
    let found = sampled(&view, &beliefs, until, &Options::default()).expect("solved");
    assert_eq!(found.all.layouts, 64);
}

/// Contracts with both hands of a side seen: each layout by a solver of its own.
#[test]
fn contracts_score_as_solved_one_by_one() {
    let view = view("NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?");
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let contracts: Vec<Contract> = ["3NTN", "4SS"]
        .map(|c| c.parse().expect("a contract"))
        .into();
    let few = Sampling {
        layouts: 12,
        ..SAMPLING
    };
    let sides = Vulnerability::Both;
    let compared = Compared {
        contracts: &contracts,
        vulnerability: sides,
    };
    let options = Options::default();
    let found = sampled_contracts(&view, &beliefs, compared, few, &options);
    let found = found.expect("solved");
    assert_eq!(found[0].odds.layouts, 12);
    let points: f64 = found.iter().map(|of| of.matchpoints).sum();
    assert!((points - 1.0).abs() < 1e-9);
    assert_eq!(found[0].imps, 0.0);
    for of in &found {
        let scores = of.odds.counts.iter().enumerate().map(|(tricks, &count)| {
            let score = of.contract.score(tricks as u8, sides, of.contract.side());
            f64::from(score) * count as f64
        });
        assert!((scores.sum::<f64>() / 12.0 - of.score).abs() < 1e-9);
    }
    // All layouts by one solver's tables: means of declarers' tricks over other layouts.
    let mut solver = Solver::new(Options::default());
    let mut random = fastrand::Rng::with_seed(5);
    let mut sum = 0.0;
    for _ in 0..12 {
        let layout = beliefs.sample(&mut random);
        let deal = Deal::new(*view.state(&layout).hands()).expect("a deal");
        let tricks = solver
            .declarer_tricks(&deal, Strain::NoTrump)
            .expect("solved");
        sum += f64::from(tricks[Seat::North.index()]);
    }
    let (mean, width) = (sum / 12.0, mean_half_width(&found[0].odds));
    assert!(
        (found[0].odds.mean() - mean).abs() <= 2.0 * width + 0.6,
        "{mean}"
    );
}
