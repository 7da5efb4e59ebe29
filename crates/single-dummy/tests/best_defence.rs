//! The exact search against brute force over all plans.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use fastrand::Rng;
use setrograde_beliefs::{CardSet, Layout, Limits};
use setrograde_cards::{Card, Seat, Strain};
use setrograde_claim::{Claims, Options};
use setrograde_games::{Game, State, Strengths, View, Whist};
use setrograde_single_dummy::{
    BestDefence, OpenCards, Options as SearchOptions, Plan, single_dummy,
};

fn read(text: &str) -> View<Whist> {
    View::read_bridge(text, [Limits::default(); 4]).expect("a view")
}

#[test]
fn a_finesse_is_sure_in_half_of_the_layouts() {
    let view = read("NT S N:AQ... ? 54... ? out=K763...");
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let mut options = SearchOptions {
        database: None,
        most_visits: u64::MAX,
        plan: false,
        cancel: Arc::default(),
    };
    let found = single_dummy(&view, &beliefs, 2, &options).expect("an answer");
    assert_eq!((found.layouts, found.sure()), (6, 3));
    let refused = |target, options: &_| {
        let found = single_dummy(&view, &beliefs, target, options);
        found.expect_err("no answer").to_string()
    };
    assert!(refused(3, &options).contains("there are 2 left"));
    options.most_visits = 1;
    assert_eq!(refused(2, &options), "no answer within 1 positions");
    options.most_visits = u64::MAX;
    options.cancel.store(true, Ordering::Relaxed);
    assert!(refused(2, &options).contains("cancelled"));
}

fn layouts(view: &View<Whist>) -> Vec<Layout> {
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    beliefs.layouts().collect()
}

/// The discovery play of figure 2.8 in "DTAC": the ace of hearts first tells who
/// has the spades.
#[test]
fn the_discovery_play_is_found() {
    let view = read("NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2.");
    let worlds: Vec<Layout> = layouts(&view)
        .into_iter()
        .filter(|layout| layout[0].contains("D2".parse().expect("a card")))
        .collect();
    assert_eq!(worlds.len(), 35);
    let weights = vec![1.0; 35];
    let mut search = BestDefence::new(&view, 4, (&worlds, &weights), None, u64::MAX);
    let cards = search.cards().expect("no value fails").expect("no limit");
    let sure: Vec<(String, usize)> = cards
        .iter()
        .map(|(card, worlds)| (card.to_string(), worlds.len()))
        .collect();
    let expected = [("ST", 34), ("SJ", 34), ("SK", 31), ("HA", 35)];
    assert_eq!(sure, expected.map(|(card, sure)| (card.to_owned(), sure)));
}

/// The largest sets of worlds, as bits, that a plan wins in all of, by trying all
/// plans: the side's choices are made for each history of play once, the
/// opponents' in each world.
fn brute_force(game: &Whist, states: &[(usize, State)], party: usize, target: u8) -> Vec<u128> {
    let Some((_, first)) = states.first() else {
        return vec![0];
    };
    if first.is_over() {
        let won =
            |(at, state): &(usize, State)| u128::from(state.tally().tricks[party] >= target) << at;
        return vec![states.iter().map(won).sum()];
    }
    let seat = first.to_play();
    let mut found: Vec<u128> = Vec::new();
    if game.party(seat) == party {
        for card in first.legal(game) {
            let after = play(game, states, card);
            found.extend(brute_force(game, &after, party, target));
        }
    } else {
        found.push(states.iter().map(|(at, _)| 1 << at).sum());
        let cards: CardSet = states
            .iter()
            .fold(CardSet::EMPTY, |all, (_, state)| all | state.legal(game));
        for card in cards {
            let able = play(game, states, card);
            let open: u128 = able.iter().map(|(at, _)| 1 << at).sum();
            let others = brute_force(game, &able, party, target);
            found = found
                .iter()
                .flat_map(|mine| others.iter().map(move |theirs| mine & (theirs | !open)))
                .collect();
            keep_largest(&mut found);
        }
    }
    keep_largest(&mut found);
    found
}

fn play(game: &Whist, states: &[(usize, State)], card: Card) -> Vec<(usize, State)> {
    let able = states
        .iter()
        .filter(|(_, state)| state.legal(game).contains(card));
    able.map(|&(at, mut state)| {
        state.play(game, card);
        (at, state)
    })
    .collect()
}

fn keep_largest(sets: &mut Vec<u128>) {
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|&set| !all.iter().any(|&other| other != set && set & other == set));
}

/// A random ending of a few tricks, its layouts (at most `most` of them) and a
/// target.
fn random_ending(rng: &mut Rng, tricks: usize, most: usize) -> (View<Whist>, Vec<Layout>, u8) {
    let mut pack: Vec<Card> = Card::pack().take(24).collect();
    rng.shuffle(&mut pack);
    let hand = |from: usize, count: usize| -> setrograde_cards::Hand {
        pack[from..from + count].iter().copied().collect()
    };
    let (north, south, hidden) = (
        hand(0, tricks),
        hand(tricks, tricks),
        hand(2 * tricks, 2 * tricks),
    );
    let strain = Strain::ALL[rng.usize(0..5)];
    let leader = [Seat::North, Seat::South][rng.usize(0..2)];
    let text = format!("{strain} {leader} N:{north} - {south} - hidden={hidden}");
    let view = read(&text);
    let mut worlds = layouts(&view);
    rng.shuffle(&mut worlds);
    worlds.truncate(most);
    (view, worlds, 1 + rng.u8(0..tricks as u8))
}

fn numbered(view: &View<Whist>, worlds: &[Layout]) -> Vec<(usize, State)> {
    let states = worlds.iter().map(|layout| view.state(layout));
    states.enumerate().collect()
}

#[test]
fn the_best_card_weighs_as_much_as_any_plan() {
    let mut rng = Rng::with_seed(10);
    for round in 0..160 {
        let (tricks, most) = [(2, 6), (3, 9), (3, 20), (4, 12)][round % 4];
        let (view, worlds, target) = random_ending(&mut rng, tricks, most);
        let game = *view.game();
        let weight = |rng: &mut Rng| if round % 8 < 4 { 1.0 } else { rng.f64() };
        let weights: Vec<f64> = worlds.iter().map(|_| weight(&mut rng)).collect();
        let heaviest = |plans: Vec<u128>| -> f64 {
            let of_set = |set: &u128| {
                let within = weights.iter().enumerate();
                let within = within.filter(|(at, _)| set >> at & 1 == 1);
                within.map(|(_, weight)| weight).sum()
            };
            plans.iter().map(of_set).fold(0.0, f64::max)
        };
        let states = numbered(&view, &worlds);
        let known = (&worlds[..], &weights[..]);
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let mut claims = Claims::new(Options {
            memory: 1 << 20,
            ..Options::default()
        });
        let mut blind = BestDefence::new(&view, target, known, None, u64::MAX);
        let mut seeing = BestDefence::new(&view, target, known, Some(&mut value), u64::MAX)
            .with_claims(&mut claims);
        let mut most = 0_f64;
        for search in [&mut blind, &mut seeing] {
            let cards = search.cards().expect("no value fails").expect("no limit");
            assert_eq!(cards.len(), view.playable().len());
            for (card, sure) in cards {
                let after = play(&game, &states, card);
                let plans = brute_force(&game, &after, 0, target);
                let bits = sure.iter().map(|at| 1u128 << at).sum::<u128>();
                assert!(
                    plans.iter().any(|plan| bits & plan == bits),
                    "{view:?} {target} {card}"
                );
                let weight = sure.weight(&weights);
                assert!(
                    (weight - heaviest(plans)).abs() < 1e-9,
                    "{view:?} {target} {card}"
                );
                most = most.max(weight);
            }
        }
        // No plan wins in a layout that is lost with all cards known.
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let won = |(at, state): &&(usize, State)| open.reaches(*at, state).expect("a value");
        let won: f64 = states.iter().filter(won).map(|(at, _)| weights[*at]).sum();
        assert!(most <= won + 1e-9, "{view:?} {target}");
    }
}

/// Follows a plan in one world against every defence; whether it always wins.
fn always_wins(game: &Whist, plan: &Plan, state: &State, target: u8) -> bool {
    match plan {
        Plan::Won => state.tally().tricks[1] >= target,
        Plan::Play { seat, card, then } => {
            assert_eq!(*seat, state.to_play());
            let mut after = *state;
            after.play(game, *card);
            always_wins(game, then, &after, target)
        }
        Plan::Reply { seat, branches } => {
            assert_eq!(*seat, state.to_play());
            state.legal(game).iter().all(|card| {
                let mut after = *state;
                after.play(game, card);
                let branch = branches.iter().find(|(cards, _)| cards.contains(card));
                always_wins(game, &branch.expect("a branch").1, &after, target)
            })
        }
    }
}

#[test]
fn plans_win_in_all_their_worlds() {
    for (text, target) in [
        ("NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2.", 4),
        ("NT E W:K97... - AT6... - hidden=QJ8543...", 3),
        ("S E W:AQ.A.. - 65.2.. - hidden=K74.K3.2.", 2),
    ] {
        let view = read(text);
        let worlds = layouts(&view);
        let weights = vec![1.0; worlds.len()];
        let mut search = BestDefence::new(&view, target, (&worlds, &weights), None, u64::MAX);
        let cards = search.cards().expect("no value fails").expect("no limit");
        for (card, goal) in cards {
            let plan = search.plan(card, goal).expect("no value fails");
            let plan = plan.expect("these worlds have a plan");
            for world in goal.iter() {
                let state = view.state(&worlds[world]);
                assert!(
                    always_wins(view.game(), &plan, &state, target),
                    "{text} {card}"
                );
            }
        }
    }
}
