//! The exact search against brute force over all plans.

use std::time::Instant;

use fastrand::Rng;
use setrograde_beliefs::{BridgeView, Game, Layout, Question, State, Strengths, View, Whist};
use setrograde_cards::{Card, Seat};
use setrograde_claim::{Knowledge, Pair, Plan, Step, check_plan, in_words};
use setrograde_parallel::Stop;
use setrograde_single_dummy::{Options, SingleDummy, single_dummy};

use crate::given::{Tricks, all_layouts, lines, play, read, states};

/// Options without limits.
fn options() -> Options<'static> {
    Options {
        database: None,
        most_visits: u64::MAX,
        plan: false,
        stop: Stop::default(),
    }
}

#[test]
fn a_finesse_is_sure_in_half_of_the_layouts() {
    let view = read("NT S N:AQ... ? 54... ? out=K763...");
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let mut options = options();
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
    options.stop = Stop::default().by(Instant::now());
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

/// The answer without limits.
fn found(view: &BridgeView, target: u8, plan: bool) -> SingleDummy {
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    let options = Options { plan, ..options() };
    single_dummy(view, &beliefs, target, &options).expect("an answer")
}

/// No tricks are sure in all layouts, for either side on lead.
#[test]
fn a_target_of_nothing_is_sure() {
    for text in [
        "NT S N:AQ... ? 54... ? out=K763...",
        "NT E N:AQ... ? 54... ? out=K763... S3",
    ] {
        let view = read(text);
        let none = found(&view, 0, false);
        assert_eq!(none.cards.len(), view.playable().len(), "{text}");
        assert!(
            none.cards.iter().all(|card| card.1 == none.layouts),
            "{text}"
        );
    }
}

#[test]
fn nothing_is_asked_of_a_play_that_is_over() {
    let view = read("NT S N:A... ? 5... ? out=K3... S5 SK SA S3");
    let beliefs = view.beliefs(&Strengths::NONE).expect("a layout");
    let found = single_dummy(&view, &beliefs, 0, &options()).expect_err("no card");
    assert_eq!(found.to_string(), "there are no cards left to play");
}

/// The discovery play of figure 2.8 in "DTAC": the ace of hearts first reveals who
/// has the spades.
#[test]
fn the_discovery_play_is_found() {
    let found = found(
        &read("NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2. if=N.D=1"),
        4,
        false,
    );
    assert_eq!(found.layouts, 35);
    let cards = found.cards.iter();
    let sure: Vec<(String, usize)> = cards
        .map(|(card, sure)| (card.to_string(), *sure))
        .collect();
    let expected = [("ST", 34), ("SJ", 34), ("SK", 31), ("HA", 35)];
    assert_eq!(sure, expected.map(|(card, sure)| (card.to_owned(), sure)));
}

/// Returns the maximum number of layouts that a line wins in, after a card, by trying all lines.
fn most(view: &BridgeView, card: Card, target: u8) -> usize {
    let after = play(view.game(), &states(view, &all_layouts(view)), card);
    let sure = |line: &Tricks| line.iter().filter(|&&tricks| tricks >= target).count();
    let found = lines(view.game(), &after, 0);
    found.iter().map(sure).max().expect("a line")
}

#[test]
fn the_best_card_is_sure_in_as_many_layouts_as_any_plan() {
    let mut rng = Rng::with_seed(10);
    for round in 0..240 {
        let tricks = [2, 3][round % 2];
        let leader = [Seat::North, Seat::South][rng.usize(0..2)];
        let hidden = [Seat::East, Seat::West];
        let view = read(&Question::random_text(&mut rng, tricks, leader, &hidden));
        let target = 1 + rng.u8(0..tricks as u8);
        let found = found(&view, target, false);
        assert_eq!(found.cards.len(), view.playable().len());
        for (card, sure) in found.cards {
            assert_eq!(sure, most(&view, card, target), "{view:?} {target} {card}");
        }
    }
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
                let wins = if state.trick().is_empty() {
                    state.to_play() == seat
                } else {
                    state.trick().winner() == seat
                };
                wins && before != seat.partner()
            };
            let winners = legal
                .iter()
                .filter(|card| !state.trick().is_empty() && taken(card));
            let listed = cards.iter().copied().find(|&card| legal.contains(card));
            let by_rule = winners.min_by_key(|card| card.rank).or(listed);
            if own {
                by_rule.is_some_and(|card| always_wins(game, (plan, step), &after(card), target))
            } else {
                legal
                    .iter()
                    .all(|card| always_wins(game, (plan, step), &after(card), target))
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

/// The same for pairs played in sequence.
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
    let (card, rest) = if state.trick().is_empty() {
        (lead, pairs)
    } else {
        (follow, rest)
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
        let found = found(&view, target, true);
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
        // The layouts are more than it reports.
        let all = Plan {
            among: None,
            ..plan.clone()
        };
        let is_all = among.len() == found.layouts;
        assert_eq!(check_plan(&knowledge, &all).is_ok(), is_all, "{text}");
    }
}
