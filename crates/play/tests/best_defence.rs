//! The exact search against answers found by another program, and against
//! brute force over all plans.

use fastrand::Rng;
use setrograde_beliefs::{CardSet, Layout, Limits};
use setrograde_cards::{Card, Seat, Strain};
use setrograde_play::alpha_mu::{AlphaMu, EXACT, Plan};
use setrograde_play::clues::Strengths;
use setrograde_play::games::{Game, Whist};
use setrograde_play::{State, View};

fn read(text: &str) -> View<Whist> {
    let view = View::read(text, [Limits::default(); 4], |strain, leader| {
        let strain = strain.parse::<Strain>();
        strain.map(|strain| Whist::new(strain, leader.plus(3), 13))
    });
    view.expect("a view")
}

fn layouts(view: &View<Whist>) -> Vec<Layout> {
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    beliefs.layouts().collect()
}

fn exact(view: &View<Whist>, target: u8) -> Vec<(Card, usize)> {
    let worlds = layouts(view);
    let weights = vec![1.0; worlds.len()];
    let mut search = AlphaMu::new(view, target, (&worlds, &weights), None, u64::MAX);
    let cards = search
        .cards(EXACT)
        .expect("no value fails")
        .expect("no limit");
    let best = |front: &setrograde_play::alpha_mu::Front| front.best(&weights) as usize;
    cards
        .iter()
        .map(|(card, front)| (*card, best(front)))
        .collect()
}

#[test]
fn all_cases_are_right() {
    let text = include_str!("../../../data/play/best_defence_cases.txt");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [
            strain,
            leader,
            north,
            south,
            hidden,
            target,
            layouts,
            best,
            leads @ ..,
        ] = &fields[..]
        else {
            panic!("{line}");
        };
        let view = read(&format!(
            "{strain} {leader} N:{north} - {south} - hidden={hidden}"
        ));
        let found = exact(&view, target.parse().expect("a target"));
        assert_eq!(self::layouts(&view).len().to_string(), *layouts);
        let most = found.iter().map(|(_, sure)| *sure).max();
        assert_eq!(
            most.map(|most| most.to_string()).as_deref(),
            Some(*best),
            "{line}"
        );
        for lead in leads {
            let (card, values) = lead.split_once('=').expect("a lead");
            let sure = values.split('/').next().expect("a value");
            let card: Card = card.parse().expect("a card");
            let of_card = found.iter().find(|(of, _)| *of == card).expect("led");
            assert_eq!(of_card.1.to_string(), sure, "{line}: {card}");
        }
        count += 1;
    }
    assert_eq!(count, 78);
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
    let mut search = AlphaMu::new(&view, 4, (&worlds, &weights), None, u64::MAX);
    let cards = search
        .cards(EXACT)
        .expect("no value fails")
        .expect("no limit");
    let sure: Vec<(String, f64)> = cards
        .iter()
        .map(|(card, front)| (card.to_string(), front.best(&weights)))
        .collect();
    let expected = [("ST", 34.0), ("SJ", 34.0), ("SK", 31.0), ("HA", 35.0)];
    assert_eq!(sure, expected.map(|(card, sure)| (card.to_owned(), sure)));
}

/// The most worlds that any plan wins, by trying all plans: the side's choices
/// are made for each history of play once, the opponents' in each world.
fn brute_force(game: &Whist, states: &[State], party: usize, target: u8) -> usize {
    // All sets of worlds that some plan wins, as bits.
    fn sets(game: &Whist, states: &[(usize, State)], party: usize, target: u8) -> Vec<u32> {
        let Some((_, first)) = states.first() else {
            return vec![0];
        };
        if first.is_over() {
            let won = |(at, state): &(usize, State)| {
                u32::from(state.tally().tricks[party] >= target) << at
            };
            return vec![states.iter().map(won).sum()];
        }
        let seat = first.to_play();
        let play = |card: Card| -> Vec<(usize, State)> {
            let able = states
                .iter()
                .filter(|(_, state)| state.legal(game).contains(card));
            able.map(|&(at, mut state)| {
                state.play(game, card);
                (at, state)
            })
            .collect()
        };
        let mut found: Vec<u32> = Vec::new();
        if game.party(seat) == party {
            for card in first.legal(game) {
                found.extend(sets(game, &play(card), party, target));
            }
        } else {
            let all: u32 = states.iter().map(|(at, _)| 1 << at).sum();
            let cards: CardSet = states
                .iter()
                .fold(CardSet::EMPTY, |all, (_, state)| all | state.legal(game));
            found = vec![all];
            for card in cards {
                let able = play(card);
                let open: u32 = able.iter().map(|(at, _)| 1 << at).sum();
                let others = sets(game, &able, party, target);
                found = found
                    .iter()
                    .flat_map(|mine| others.iter().map(move |theirs| mine & (theirs | !open)))
                    .collect();
                found.sort_unstable();
                found.dedup();
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
    let numbered: Vec<(usize, State)> = states.iter().copied().enumerate().collect();
    let found = sets(game, &numbered, party, target);
    found
        .iter()
        .map(|set| set.count_ones() as usize)
        .max()
        .unwrap_or(0)
}

#[test]
fn the_search_equals_all_plans() {
    let mut rng = Rng::with_seed(9);
    for round in 0..60 {
        let mut pack: Vec<Card> = Card::pack().take(16).collect();
        rng.shuffle(&mut pack);
        let each = 2;
        let hand = |from: usize| -> setrograde_cards::Hand {
            pack[from * each..(from + 1) * each]
                .iter()
                .copied()
                .collect()
        };
        let hidden: setrograde_cards::Hand = pack[2 * each..4 * each].iter().copied().collect();
        let (strain, target) = (Strain::ALL[round % 5], 1 + rng.u8(0..2));
        let leader = [Seat::North, Seat::South][rng.usize(0..2)];
        let text = format!(
            "{strain} {leader} N:{} - {} - hidden={hidden}",
            hand(0),
            hand(1)
        );
        let view = read(&text);
        let worlds = layouts(&view);
        let states: Vec<State> = worlds.iter().map(|layout| view.state(layout)).collect();
        let plans = brute_force(view.game(), &states, 0, target);
        let found = exact(&view, target).iter().map(|(_, sure)| *sure).max();
        assert_eq!(found, Some(plans), "{text} {target}");
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
        let mut search = AlphaMu::new(&view, target, (&worlds, &weights), None, u64::MAX);
        let cards = search
            .cards(EXACT)
            .expect("no value fails")
            .expect("no limit");
        for (card, front) in cards {
            for &goal in front.sets() {
                let plan = search.plan(card, goal).expect("no value fails");
                let plan = plan.expect("a set of the front has a plan");
                for world in goal.iter() {
                    let state = view.state(&worlds[world]);
                    assert!(
                        always_wins(view.game(), &plan, &state, target),
                        "{text} {card}"
                    );
                }
            }
            assert!(front.best(&weights) <= worlds.len() as f64);
        }
    }
}
