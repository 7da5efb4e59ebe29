//! The exact search against brute force over all plans.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use fastrand::Rng;
use setrograde_beliefs::{CardSet, Layout};
use setrograde_cards::{Card, Seat, Strain};
use setrograde_claim::{Claims, Options};
use setrograde_play::alpha_mu::{AlphaMu, EXACT, Front};
use setrograde_play::best_defence::{BestDefence, Plan};
use setrograde_play::clues::Strengths;
use setrograde_play::double_dummy::OpenCards;
use setrograde_play::games::{Game, Whist};
use setrograde_play::single_dummy::{self, single_dummy};
use setrograde_play::worlds::Worlds;
use setrograde_play::{State, View};

fn read(text: &str) -> View<Whist> {
    View::of_bridge(&text.parse().expect("a question")).expect("a view")
}

#[test]
fn a_finesse_is_sure_in_half_of_the_layouts() {
    let view = read("NT S N:AQ... ? 54... ? out=K763...");
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let mut options = single_dummy::Options {
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
fn brute_force(game: &Whist, states: &[(usize, State)], party: usize, target: u8) -> Vec<u32> {
    let Some((_, first)) = states.first() else {
        return vec![0];
    };
    if first.is_over() {
        let won =
            |(at, state): &(usize, State)| u32::from(state.tally().tricks[party] >= target) << at;
        return vec![states.iter().map(won).sum()];
    }
    let seat = first.to_play();
    let mut found: Vec<u32> = Vec::new();
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
            let open: u32 = able.iter().map(|(at, _)| 1 << at).sum();
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

fn keep_largest(sets: &mut Vec<u32>) {
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|&set| !all.iter().any(|&other| other != set && set & other == set));
}

/// A random ending of 2 or 3 tricks, its layouts (at most `most` of them) and a
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

fn bits(front: &Front) -> Vec<u32> {
    let of_set = |set: &Worlds| set.iter().map(|at| 1u32 << at).sum();
    let mut sets: Vec<u32> = front.sets().iter().map(of_set).collect();
    sets.sort_unstable();
    sets
}

#[test]
fn fronts_equal_all_plans() {
    let mut rng = Rng::with_seed(9);
    for round in 0..160 {
        let (tricks, most) = if round % 2 == 0 { (2, 6) } else { (3, 9) };
        let (view, worlds, target) = random_ending(&mut rng, tricks, most);
        let game = *view.game();
        let weights = vec![1.0; worlds.len()];
        let known = (&worlds[..], &weights[..]);
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let mut blind = AlphaMu::new(&view, target, known, None, u64::MAX);
        let mut seeing = AlphaMu::new(&view, target, known, Some(&mut value), u64::MAX);
        let mut most = 0;
        for search in [&mut blind, &mut seeing] {
            let cards = search
                .cards(EXACT)
                .expect("no value fails")
                .expect("no limit");
            for (card, front) in cards {
                let after = play(&game, &numbered(&view, &worlds), card);
                let plans = brute_force(&game, &after, 0, target);
                assert_eq!(bits(&front), plans, "{view:?} {target} {card}");
                most = most.max(
                    plans
                        .iter()
                        .map(|set| set.count_ones())
                        .max()
                        .expect("a plan"),
                );
            }
        }
        // What is sure is at most what is won double dummy, in the mean over layouts.
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let won = numbered(&view, &worlds)
            .iter()
            .filter(|(at, state)| open.reaches(*at, state).expect("a value"))
            .count();
        assert!(most as usize <= won);
    }
}

#[test]
fn the_best_card_weighs_as_much_as_any_plan() {
    let mut rng = Rng::with_seed(10);
    for round in 0..160 {
        let (view, worlds, target) = random_ending(&mut rng, 3, 9);
        let game = *view.game();
        let weight = |rng: &mut Rng| if round % 2 == 0 { 1.0 } else { rng.f64() };
        let weights: Vec<f64> = worlds.iter().map(|_| weight(&mut rng)).collect();
        let heaviest = |plans: Vec<u32>| -> f64 {
            let of_set = |set: &u32| {
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
        for search in [&mut blind, &mut seeing] {
            let cards = search.cards().expect("no value fails").expect("no limit");
            assert_eq!(cards.len(), view.playable().len());
            for (card, sure) in cards {
                let after = play(&game, &states, card);
                let plans = brute_force(&game, &after, 0, target);
                let bits = sure.iter().map(|at| 1u32 << at).sum::<u32>();
                assert!(
                    plans.iter().any(|plan| bits & plan == bits),
                    "{view:?} {target} {card}"
                );
                let weight = sure.weight(&weights);
                assert!(
                    (weight - heaviest(plans)).abs() < 1e-9,
                    "{view:?} {target} {card}"
                );
            }
        }
    }
}

#[test]
fn alpha_mu_hopes_for_less_with_every_move_and_ends_exactly() {
    let mut rng = Rng::with_seed(10);
    for round in 0..160 {
        let (view, worlds, target) = random_ending(&mut rng, 3, 9);
        let weight = |rng: &mut Rng| if round % 2 == 0 { 1.0 } else { rng.f64() };
        let weights: Vec<f64> = worlds.iter().map(|_| weight(&mut rng)).collect();
        let mut search = BestDefence::new(&view, target, (&worlds, &weights), None, u64::MAX);
        let cards = search.cards().expect("no value fails").expect("no limit");
        let sure = cards.iter().map(|(_, worlds)| worlds.weight(&weights));
        let most = sure.fold(0.0, f64::max);
        let order: Vec<Card> = view.playable().iter().collect();
        let known = (&worlds[..], &weights[..]);
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let mut search = AlphaMu::new(&view, target, known, Some(&mut value), u64::MAX);
        let best = search
            .best(EXACT, &order)
            .expect("no value fails")
            .expect("cards");
        assert!((best.cards[0].1 - most).abs() < 1e-9, "{view:?} {target}");
        // Less deep it hopes for more, and deep enough it is exact.
        let mut before = f64::INFINITY;
        for depth in 1..=6 {
            let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
            let mut value = |world: usize, state: &State| open.reaches(world, state);
            let mut search = AlphaMu::new(&view, target, known, Some(&mut value), u64::MAX);
            let cards = search
                .cards(depth)
                .expect("no value fails")
                .expect("no limit");
            let fronts = cards.iter().map(|(_, front)| front.best(&weights));
            let hoped = fronts.fold(0.0, f64::max);
            assert!(hoped <= before + 1e-9, "{view:?} {target} {depth}");
            before = hoped;
            let best = search
                .best(depth, &order)
                .expect("no value fails")
                .expect("cards");
            assert!(
                (best.cards[0].1 - hoped).abs() < 1e-9,
                "{view:?} {target} {depth}"
            );
        }
        assert!((before - most).abs() < 1e-9, "{view:?} {target}");
    }
}

/// Cores and Pareto fronts share no more than positions and sets: on endings of
/// four tricks, with all 70 layouts, they find the same.
#[test]
fn cores_and_fronts_agree() {
    let mut rng = Rng::with_seed(11);
    for round in 0..60 {
        let (view, worlds, target) = random_ending(&mut rng, 4, 70);
        let weight = |rng: &mut Rng| if round % 2 == 0 { 1.0 } else { rng.f64() };
        let weights: Vec<f64> = worlds.iter().map(|_| weight(&mut rng)).collect();
        let known = (&worlds[..], &weights[..]);
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let mut search = BestDefence::new(&view, target, known, Some(&mut value), u64::MAX);
        let sure = search.cards().expect("no value fails").expect("no limit");
        let mut open = OpenCards::new(&view, target, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let mut search = AlphaMu::new(&view, target, known, Some(&mut value), 1_000_000);
        let Some(fronts) = search.cards(EXACT).expect("no value fails") else {
            continue;
        };
        for ((card, worlds), (of, front)) in sure.iter().zip(&fronts) {
            assert_eq!(card, of);
            let (one, other) = (worlds.weight(&weights), front.best(&weights));
            assert!((one - other).abs() < 1e-9, "{view:?} {target} {card}");
        }
    }
}

/// In figure 2.8 of "DTAC" two spades win in all layouts with all cards known, as
/// the ace of hearts does. Perfect-information Monte Carlo, which is one move of
/// αμ, cannot tell them apart and leads the lowest; two moves can.
#[test]
fn two_moves_find_the_discovery_play() {
    let view = read("NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2.");
    let worlds: Vec<Layout> = layouts(&view)
        .into_iter()
        .filter(|layout| layout[0].contains("D2".parse().expect("a card")))
        .collect();
    let weights = vec![1.0; 35];
    let mut order: Vec<Card> = view.legal().iter().collect();
    order.sort_by_key(|card| (card.rank, card.suit));
    for depth in [1, 2, 3, 4, EXACT] {
        let mut open = OpenCards::new(&view, 4, None, None).expect("a strain");
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let known = (&worlds[..], &weights[..]);
        let mut search = AlphaMu::new(&view, 4, known, Some(&mut value), u64::MAX);
        let best = search
            .best(depth, &order)
            .expect("no value fails")
            .expect("cards");
        let lead = if depth == 1 { "ST" } else { "HA" };
        assert_eq!(best.cards[0].0.to_string(), lead, "{depth} moves: {best:?}");
        assert_eq!(best.cards[0].1, 35.0);
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
