//! Games on random boards, and the inference from plays to cards that a hand cannot have.
//! `check_play` has answers of other programs.

use fastrand::Rng;
use setrograde_beliefs::{Game, Jass, Limits, Mode, Strengths, Tally, Trick, Whist};
use setrograde_cards::{Bid, Card, Contract, Doubling, Hand, Seat, Strain, Vulnerability};
use setrograde_play::{Bridge, Goal, Table, deal};

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

/// Random tricks and hands: the legal cards are those that are legal from every
/// pair.
fn check_pairs<G: Game>(game: &G, rng: &mut Rng) {
    let mut pack: Vec<Card> = game.pack().iter().collect();
    for _ in 0..2_000 {
        rng.shuffle(&mut pack);
        let on_table = rng.usize(0..4);
        let mut trick = Trick::new(Seat::North);
        for &card in &pack[..on_table] {
            game.play_to(&mut trick, card);
        }
        let count = rng.usize(1..10);
        let hand: Hand = pack[on_table..on_table + count].iter().copied().collect();
        let legal = game.legal(hand, &trick);
        assert!(!legal.is_empty() && (legal - hand).is_empty());
        for card in hand {
            let from_pair = |other: Card| {
                game.legal(Hand::of(card) | other.into(), &trick)
                    .contains(card)
            };
            let by_pairs = hand.iter().all(from_pair);
            assert_eq!(legal.contains(card), by_pairs, "{trick:?} {hand} {card}");
        }
    }
}

/// Random boards: what plays show never denies a card that is held, all cards
/// are played, and the tricks add up.
fn check_boards<G: Game>(game: &G, rng: &mut Rng, total: Option<i32>) {
    for _ in 0..30 {
        let hands = deal(game, rng);
        let mut table = Table::new(*game, hands, [Limits::default(); 4]).expect("a table");
        while !table.state().is_over() {
            for seat in Seat::ALL {
                let view = table.view_of(seat);
                let beliefs = view.beliefs(&Strengths::NONE).expect("the true layout");
                let truth = std::array::from_fn(|at| match view.hand(Seat::from_index(at)) {
                    Some(_) => Hand::EMPTY,
                    None => table.state().hands()[at],
                });
                assert!(beliefs.log_probability(&truth) > f64::NEG_INFINITY);
                assert_eq!(view.state(&truth), *table.state());
            }
            let legal: Vec<Card> = table.view().legal().iter().collect();
            table.play(legal[rng.usize(0..legal.len())]).expect("legal");
        }
        let tally = table.state().tally();
        let tricks: usize = tally.tricks.iter().map(|&tricks| usize::from(tricks)).sum();
        assert_eq!(tricks, game.pack().len() / 4);
        if let Some(total) = total {
            assert_eq!(game.result(tally, 0) + game.result(tally, 1), total);
        }
        let (low, high) = game.utility_range();
        for party in 0..2 {
            assert!((low..=high).contains(&game.utility(tally, party)));
        }
    }
}

#[test]
fn every_game_holds_in_pairs_and_on_boards() {
    let mut rng = Rng::with_seed(5);
    for strain in Strain::ALL {
        let game = Whist::new(strain, Seat::East, 13);
        check_pairs(&game, &mut rng);
        check_boards(&game, &mut rng, Some(13));
        let bid = Bid::new(rng.u8(1..8), strain).expect("a bid");
        let contract = Contract {
            bid,
            doubling: Doubling::Doubled,
            declarer: Seat::South,
        };
        for (_, goal) in Goal::NAMES {
            let game = Bridge::new(contract, Vulnerability::Both, goal);
            check_pairs(&game, &mut rng);
            check_boards(&game, &mut rng, Some(0));
        }
    }
    for mode in Mode::ALL {
        let game = Jass::new(mode, Seat::West, 9);
        check_pairs(&game, &mut rng);
        check_boards(&game, &mut rng, None);
    }
}

#[test]
fn jass_has_157_points_or_257() {
    let mut rng = Rng::with_seed(6);
    for mode in Mode::ALL {
        let game = Jass::new(mode, Seat::North, 9);
        let points: i16 = game.pack().iter().map(|card| game.card_value(card)).sum();
        assert_eq!(points, 152);
        let hands = deal(&game, &mut rng);
        let mut table = Table::new(game, hands, [Limits::default(); 4]).expect("a table");
        while let Some(card) = table.state().legal(&game).iter().next() {
            table.play(card).expect("legal");
        }
        let tally = table.state().tally();
        assert_eq!(tally.points[0] + tally.points[1], 157);
        let (points, tricks) = ([157, 0], [9, 0]);
        let all = Tally { points, tricks };
        assert_eq!([0, 1].map(|party| game.result(&all, party)), [257, 0]);
    }
}

#[test]
fn tables_refuse_what_is_against_the_rules() {
    let game = Whist::new(Strain::NoTrump, Seat::West, 2);
    let hand = |text: &str| text.parse::<Hand>().expect("a hand");
    let none = [Limits::default(); 4];
    let deal = [hand("AK..."), hand("Q.A.."), hand(".KQ.."), hand("..AK.")];
    let shared = [deal[0], deal[0], deal[2], deal[3]];
    let mut refused = Vec::new();
    for hands in [shared, [Hand::EMPTY; 4]] {
        refused.push(Table::new(game, hands, none).expect_err("refused"));
    }
    let mut table = Table::new(game, deal, none).expect("a table");
    refused.extend(table.play(card("SQ")).err());
    table.play(card("SA")).expect("legal");
    refused.extend(table.play(card("HA")).err());
    assert_eq!(
        refused.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "SK is in two hands",
            "the hands hold 0, 0, 0 and 0 cards; all four must hold as many, and some",
            "North is to play and does not hold SQ",
            "East may not play HA; it must play one of Q...",
        ]
    );
}
