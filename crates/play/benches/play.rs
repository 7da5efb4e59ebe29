//! Roll-outs and decisions: `cargo bench -p setrograde-play`. With the path of a
//! database in `SETROGRADE_DB`, PIMC is measured with it as well.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use setrograde_beliefs::{Game, Limits, State, View, Whist};
use setrograde_cards::{Seat, Strain, Suit, Vulnerability};
use setrograde_lookup::Database;
use setrograde_play::players::{Player, Roster};
use setrograde_play::{Bridge, Goal, Table, deal};

/// The view of a random deal after some cards, played by rules of thumb.
fn view<G: Game>(game: G, seed: u64, cards: usize) -> View<G> {
    let hands = deal(&game, &mut Rng::with_seed(seed));
    let mut table = Table::new(game, hands, [Limits::default(); 4]).expect("a table");
    let spec = "simple".parse().expect("a player");
    let mut simple: Box<dyn Player<G>> = Roster::default().player(&spec).expect("a player");
    while table.history().len() < cards || table.view().legal().len() < 2 {
        let choice = simple.choose(&table.view(), &mut Rng::with_seed(1));
        table.play(choice.expect("a card").card).expect("legal");
    }
    table.view()
}

fn bridge() -> Bridge {
    let contract = "3NTW".parse().expect("a contract");
    Bridge::new(contract, Vulnerability::None, Goal::Score)
}

fn rollouts(c: &mut Criterion) {
    let game = Whist::new(Strain::Trump(Suit::Spades), Seat::North, 13);
    let mut rng = Rng::with_seed(1);
    let start = State::new(&game, deal(&game, &mut rng));
    c.bench_function("random roll-out of 52 cards", |b| {
        b.iter(|| {
            let mut state = black_box(start);
            while !state.is_over() {
                let legal = state.legal(&game);
                let at = rng.usize(0..legal.len());
                if let Some(card) = legal.iter().nth(at) {
                    state.play(&game, card);
                }
            }
            state
        });
    });
}

fn decisions(c: &mut Criterion) {
    let mut group = c.benchmark_group("decision");
    group.sample_size(10);
    let whist = view(
        Whist::new(Strain::Trump(Suit::Spades), Seat::West, 13),
        5,
        0,
    );
    for spec in ["mu:1000", "ismcts:1000"] {
        let player = Roster::default().player::<Whist>(&spec.parse().expect("a player"));
        let mut player = player.expect("a player");
        let mut rng = Rng::with_seed(2);
        group.bench_function(format!("{spec}, whist, trick 1"), |b| {
            b.iter(|| player.choose(&whist, &mut rng).expect("a card"));
        });
    }
    // Dummy is seen: the second seat to play decides for it.
    let views: Vec<View<Bridge>> = (0..8).map(|seed| view(bridge(), seed, 1)).collect();
    let late: Vec<View<Bridge>> = (0..8).map(|seed| view(bridge(), seed, 32)).collect();
    let open = |path: String| Arc::new(Database::open(path).expect("a database"));
    let database = std::env::var("SETROGRADE_DB").ok().map(open);
    let with = database.map(|database| (", database", Some(database)));
    for (name, database) in [("", None)].into_iter().chain(with) {
        let roster = Roster {
            database,
            ..Roster::default()
        };
        for (when, views) in [("trick 1 with dummy", &views), ("5 tricks left", &late)] {
            let player = roster.player::<Bridge>(&"pimc:20".parse().expect("a player"));
            let mut player = player.expect("a player");
            let mut rng = Rng::with_seed(3);
            let mut at = 0;
            group.bench_function(format!("pimc:20, bridge, {when}{name}"), |b| {
                b.iter(|| {
                    at += 1;
                    player.new_board();
                    player
                        .choose(&views[at % views.len()], &mut rng)
                        .expect("a card")
                });
            });
        }
    }
}

criterion_group!(all, rollouts, decisions);
criterion_main!(all);
