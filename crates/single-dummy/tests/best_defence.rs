//! The exact search against brute force over all plans.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use fastrand::Rng;
use setrograde_beliefs::{Layout, Question};
use setrograde_cards::{Card, Hand, Seat};
use setrograde_claim::{Claims, Knowledge, Options, Pair, Plan, Step, check_plan, in_words};
use setrograde_games::{BridgeView, Game, State, Strengths, View, Whist};
use setrograde_single_dummy::{BestDefence, OpenCards, Options as SearchOptions, single_dummy};

fn read(text: &str) -> BridgeView {
    View::of_bridge(&text.parse().expect("a question")).expect("a view")
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
    for (question, problem) in [
        (
            "NT N N:AKQ.AK.AK. ? 432.32.32. ? out=JT98765.QJT.QJT.2",
            "3432 layouts; at most 1024 can be looked at",
        ),
        (
            "NT N N:A... 2... ? ? out=43...",
            "the hands of North and South must be shown",
        ),
    ] {
        let view = read(question);
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        let found = single_dummy(&view, &beliefs, 1, &options);
        assert_eq!(found.expect_err("no answer").to_string(), problem);
    }
}

fn all_layouts(view: &BridgeView) -> Vec<Layout> {
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    beliefs.layouts().collect()
}

/// The discovery play of figure 2.8 in "DTAC": the ace of hearts first tells who
/// has the spades.
#[test]
fn the_discovery_play_is_found() {
    let view = read("NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2.");
    let layouts: Vec<Layout> = all_layouts(&view)
        .into_iter()
        .filter(|layout| layout[0].contains("D2".parse().expect("a card")))
        .collect();
    assert_eq!(layouts.len(), 35);
    let mut search = BestDefence::new(&view, 4, layouts).expect("few layouts");
    let cards = search.cards().expect("no limit");
    let sure: Vec<(String, usize)> = cards
        .iter()
        .map(|(card, layouts)| (card.to_string(), layouts.len()))
        .collect();
    let expected = [("ST", 34), ("SJ", 34), ("SK", 31), ("HA", 35)];
    assert_eq!(sure, expected.map(|(card, sure)| (card.to_owned(), sure)));
}

/// The largest sets of layouts, as bits, that a plan wins in all of, by trying all
/// plans: the side's choices are made for each history of play once, the
/// opponents' in each layout.
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
        let cards: Hand = states
            .iter()
            .fold(Hand::EMPTY, |all, (_, state)| all | state.legal(game));
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
    able.map(|&(at, state)| (at, state.after(game, card)))
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
fn random_ending(rng: &mut Rng, tricks: usize, most: usize) -> (BridgeView, Vec<Layout>, u8) {
    let leader = [Seat::North, Seat::South][rng.usize(0..2)];
    let view = read(&Question::random_text(
        rng,
        tricks,
        leader,
        &[Seat::East, Seat::West],
    ));
    let mut layouts = all_layouts(&view);
    rng.shuffle(&mut layouts);
    layouts.truncate(most);
    (view, layouts, 1 + rng.u8(0..tricks as u8))
}

fn numbered(view: &BridgeView, layouts: &[Layout]) -> Vec<(usize, State)> {
    let states = layouts.iter().map(|layout| view.state(layout));
    states.enumerate().collect()
}

#[test]
fn the_best_card_weighs_as_much_as_any_plan() {
    let mut rng = Rng::with_seed(10);
    let mut visits = [0; 2];
    for round in 0..160 {
        let (tricks, most) = [(2, 6), (3, 9), (3, 20), (4, 12)][round % 4];
        let (view, layouts, target) = random_ending(&mut rng, tricks, most);
        let game = *view.game();
        let weight = |rng: &mut Rng| if round % 8 < 4 { 1.0 } else { rng.f64() };
        let weights: Vec<f64> = layouts.iter().map(|_| weight(&mut rng)).collect();
        let heaviest = |plans: Vec<u128>| -> f64 {
            let of_set = |set: &u128| {
                let within = weights.iter().enumerate();
                let within = within.filter(|(at, _)| set >> at & 1 == 1);
                within.map(|(_, weight)| weight).sum()
            };
            plans.iter().map(of_set).fold(0.0, f64::max)
        };
        let states = numbered(&view, &layouts);
        let mut claims = Claims::new(Options {
            memory: 1 << 20,
            ..Options::default()
        });
        let search = || BestDefence::new(&view, target, layouts.clone()).expect("few layouts");
        let mut blind = search().with_weights(&weights);
        let mut seeing = search()
            .with_weights(&weights)
            .with_open_cards(OpenCards::new(&view, target, None, None))
            .with_claims(&mut claims);
        let mut most = 0_f64;
        for (search, visits) in [&mut blind, &mut seeing].into_iter().zip(&mut visits) {
            let cards = search.cards().expect("no limit");
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
            *visits += search.visits();
        }
        // No plan wins in a layout that is lost with all cards known.
        let mut open = OpenCards::new(&view, target, None, None);
        let won = |(at, state): &&(usize, State)| open.reaches(*at, state).expect("a value");
        let won: f64 = states.iter().filter(won).map(|(at, _)| weights[*at]).sum();
        assert!(most <= won + 1e-9, "{view:?} {target}");
    }
    // A change that claims not to change the work leaves these as they are.
    assert_eq!(visits, [255_443, 96_478]);
}

/// Follows a plan in one layout against every defence; whether it always wins.
fn always_wins(game: &Whist, (plan, step): (&Plan, usize), state: &State, target: u8) -> bool {
    if state.tally().tricks[1] >= target {
        return true;
    }
    let after = |card: Card| {
        assert!(state.legal(game).contains(card));
        state.after(game, card)
    };
    let own = state.to_play().index() % 2 == 1;
    match &plan.steps[step] {
        Step::Done => false,
        Step::Order(pairs) => order_wins(game, pairs, state, target),
        Step::Play { card, then } => own && always_wins(game, (plan, *then), &after(*card), target),
        Step::Rule(cards) => {
            let legal = state.legal(game);
            let taken = |card: &Card| {
                let mut state = *state;
                let [seat, before] = [state.to_play(), state.trick().winner()];
                state.play(game, *card);
                let wins = match state.trick().is_empty() {
                    true => state.to_play() == seat,
                    false => state.trick().winner() == seat,
                };
                wins && before != seat.partner()
            };
            let winners = legal
                .iter()
                .filter(|card| !state.trick().is_empty() && taken(card));
            let listed = cards.iter().copied().find(|&card| legal.contains(card));
            let by_rule = winners.min_by_key(|card| card.rank).or(listed);
            match own {
                true => by_rule
                    .is_some_and(|card| always_wins(game, (plan, step), &after(card), target)),
                false => legal
                    .iter()
                    .all(|card| always_wins(game, (plan, step), &after(card), target)),
            }
        }
        Step::Watch { seen, otherwise } => {
            !own && state.legal(game).iter().all(|card| {
                let way = seen.iter().find(|(cards, _)| cards.contains(card));
                let then = way.map_or(*otherwise, |&(_, then)| then);
                always_wins(game, (plan, then), &after(card), target)
            })
        }
    }
}

/// The same of pairs that are played one after the other.
fn order_wins(game: &Whist, pairs: &[Pair], state: &State, target: u8) -> bool {
    if state.tally().tricks[1] >= target {
        return true;
    }
    if state.to_play().index().is_multiple_of(2) {
        return state
            .legal(game)
            .iter()
            .all(|card| order_wins(game, pairs, &state.after(game, card), target));
    }
    let Some((&(lead, follow), rest)) = pairs.split_first() else {
        return false;
    };
    let (card, rest) = match state.trick().is_empty() {
        true => (lead, pairs),
        false => (follow, rest),
    };
    assert!(state.legal(game).contains(card));
    order_wins(game, rest, &state.after(game, card), target)
}

#[test]
fn plans_win_in_all_their_layouts_and_prove_it() {
    for (text, target, most) in [
        ("NT W W:KJT.A.. ? A98.2.. ? out=Q32.KQ54.2.", 4, 60),
        ("NT E W:K97... ? AT6... ? out=QJ8543...", 3, 60),
        ("NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..", 3, 60),
        ("S E W:AQ.A.. ? 65.2.. ? out=K74.K3.2.", 2, 60),
        ("NT S N:AQT9.2.. ? 43.A43.. ? out=KJ875.KQJT9..", 4, 120),
        // An order of more pairs than are needed would name a card that is gone.
        ("D N N:A..764.A ? Q5..AT.5 ? out=7.Q82.K8.KT94", 3, 100),
        ("NT W E:3.3.QJ.3 ? .4..JT82 ? out=T8.QJ76.T3.Q7", 1, 100),
        ("H E E:.A4.Q2.7 ? T52..7.8 ? out=83.J97653..KJ", 2, 250),
    ] {
        let question: Question = text.parse().expect("a question");
        let view = View::of_bridge(&question).expect("a view");
        let knowledge = Knowledge::of(&question).expect("two hands are visible");
        let beliefs = view.beliefs(&Strengths::NONE).expect("possible");
        let options = SearchOptions {
            database: None,
            most_visits: u64::MAX,
            plan: true,
            cancel: Default::default(),
        };
        let found = single_dummy(&view, &beliefs, target, &options).expect("an answer");
        let Some(plan) = &found.plan else {
            assert_eq!(found.sure(), 0, "{text}");
            continue;
        };
        let among = plan.among.as_ref().expect("the layouts it is for");
        assert_eq!(among.len(), found.sure(), "{text}");
        let ours = view.game().party(view.to_play()) == 1;
        for hands in among.iter().filter(|_| ours) {
            let mut layout = Layout::default();
            for (seat, hand) in knowledge.hidden().into_iter().zip(hands) {
                layout[seat] = *hand;
            }
            assert!(
                always_wins(view.game(), (plan, plan.root), &view.state(&layout), target),
                "{text}"
            );
        }
        assert_eq!(check_plan(&knowledge, plan), Ok(()), "{text}");
        let lines = in_words(&knowledge, plan).lines().count();
        assert!(lines <= most, "{text}: {lines} lines");
        // All layouts are more than it says.
        let all = Plan {
            among: None,
            ..plan.clone()
        };
        let is_all = among.len() == found.layouts;
        assert_eq!(check_plan(&knowledge, &all).is_ok(), is_all, "{text}");
    }
}
