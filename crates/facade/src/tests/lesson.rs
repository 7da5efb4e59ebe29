//! Lessons: the bounds hold, and the text follows from them.

use crate::lesson::Lessons;
use crate::subjects::declarer_question;
use crate::{LessonAnswer, QuestionKind, render};
use setrograde_cards::{Deal, Doubling, Position, Seat, Side, Suit};
use setrograde_claim::{Claims, Knowledge, Options};
use setrograde_records::Board;
use setrograde_single_dummy::Sampling;

fn lessons(limit: u64) -> Lessons {
    let sampling = Sampling {
        layouts: 10,
        until: None,
        seed: 1,
        threads: 1,
        by_card: false,
    };
    Lessons::new(setrograde_solver::Options::default(), limit, sampling)
}

fn words_of(lesson: &LessonAnswer) -> String {
    String::from_utf8(render(lesson, "", QuestionKind::Single)).expect("text")
}

/// Claims without a limit agree with the bounds; nothing is sure that double
/// dummy does not give.
#[test]
fn bounds_hold() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut lessons = lessons(400);
    let (mut open, mut sacrifices) = (0, 0);
    for _ in 0..12 {
        let deal = Deal::random(|n| rng.usize(..n));
        let lesson = lessons.lesson(&deal, None).expect("a lesson");
        assert!(lesson.par && lesson.lead.is_none() && lesson.ending.is_none());
        let contract = lesson.contract;
        assert_eq!(lesson.needed, contract.bid.tricks());
        // A par contract that goes down is doubled, any other is not.
        let down = lesson.needed > lesson.double_dummy;
        assert_eq!(contract.doubling == Doubling::Doubled, down, "{lesson:?}");
        sacrifices += usize::from(down);
        let start = Position::new(contract.bid.strain(), contract.leader(), deal, &[]);
        let mut solver = setrograde_solver::Solver::new(setrograde_solver::Options::default());
        let tricks = 13 - solver.tricks(&start.expect("a position")).expect("solved");
        assert_eq!(lesson.double_dummy, tricks);
        let [least, most] = lesson.sure;
        assert!(least <= most && most <= tricks, "{lesson:?}");
        open += usize::from(least < most);
        let question = declarer_question(contract, &deal, &[]);
        let knowledge = Knowledge::of(&question).expect("a question");
        let mut claims = Claims::new(Options::default());
        assert!(claims.is_sure(&knowledge, least).expect("no limit"));
        let makes = &lesson.makes;
        assert!(makes.at_least <= makes.at_most_interval[1] + 1e-9);
        assert_eq!(makes.at_least >= 1.0, least >= lesson.needed);
        assert!(lesson.matter.values().map(|hand| hand.len()).sum::<usize>() > 4);
        // The best suit to play on first keeps what double dummy gives; the same layouts are drawn.
        let first = lesson.teaching.first.iter().map(|of| of.makes);
        let best = first.clone().fold(0.0, f64::max);
        assert!(best <= makes.at_most + 1e-9, "{lesson:?}");
        let all = first.sum::<f64>();
        assert!(
            makes.at_least >= 1.0 || all >= makes.at_most - 1e-9,
            "{lesson:?}"
        );
        for (seat, cards) in &lesson.matter {
            assert!(cards.iter().all(|card| deal.hand(*seat).contains(card)));
        }
    }
    assert!(open > 2, "{open}");
    assert!((1..12).contains(&sacrifices), "{sacrifices}");
}

/// Tricks of the top, entries and danger, counted by hand; the plans name declarer's own hands.
#[test]
fn a_teacher_counts() {
    let deal: Deal = "N:T943.K8.T93.AJ92 KJ6.Q964.Q86.T43 875.AJ2.AKJ.KQ65 AQ2.T753.7542.87"
        .parse()
        .expect("a deal");
    let mut lessons = lessons(200);
    let mut lesson = |deal: &Deal, contract: &str| {
        let board = Board {
            contract: contract.parse().ok(),
            ..Board::default()
        };
        let lesson = lessons.lesson(deal, Some(&board));
        lesson.expect("a lesson").teaching
    };
    let found = lesson(&deal, "3NTS");
    let tops: Vec<usize> = found.sources.iter().map(|of| of.top).collect();
    assert_eq!(tops, [0, 2, 2, 4]);
    assert_eq!(found.entries[&Seat::North].to_string(), ".K..AJ");
    assert_eq!(found.entries[&Seat::South].to_string(), ".A.AK.KQ");
    let danger = found.danger.iter();
    let danger: Vec<_> = danger.map(|of| (of.suit, of.stops, of.cards)).collect();
    assert_eq!(danger, [(Suit::Spades, 0, 6)]);
    // A finesse for one queen: even, and a little more as it may drop.
    let hearts = &found.sources[1];
    assert_eq!((hearts.sure, hearts.more[0].tricks), (2, 3));
    assert!((0.5..0.51).contains(&hearts.more[0].chance));
    let names = |plan: &[String], seats: [&str; 2]| {
        let plan = plan.concat();
        seats
            .iter()
            .any(|seat| plan.contains(&format!("from {seat}")))
    };
    assert!(!names(&hearts.plan, ["East", "West"]));
    // The same hands, held by East and West.
    let [n, e, s, w] = *deal.hands();
    let turned = Deal::new([w, n, e, s]).expect("a deal");
    let found = lesson(&turned, "3NTW");
    let plan = &found.sources[1].plan;
    assert!(names(plan, ["East", "West"]), "{plan:?}");
    assert!(!names(plan, ["North", "South"]));
    assert_eq!(found.danger.len(), 1);
    // With trumps no suit is run.
    assert!(lesson(&deal, "2CS").danger.is_empty());
}

/// The play of a board is followed: its lead is seen, its mistakes are named, and near its end
/// is the best line.
#[test]
fn a_play_is_followed() {
    let deal: Deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
        .parse()
        .expect("a deal");
    let contract = "4HW".parse().expect("a contract");
    let mut rng = fastrand::Rng::with_seed(5);
    let mut lessons = lessons(200);
    let (mut endings, mut mistakes, mut all) = (0, 0, 0);
    let start: Position = format!("H N {deal}").parse().expect("a position");
    for _ in 0..10 {
        let (mut position, mut play, mut seats) = (start, Vec::new(), Vec::new());
        while position.tricks_left() > 0 {
            seats.push(position.to_play());
            let cards: Vec<_> = position.legal_cards().collect();
            let card = cards[rng.usize(0..cards.len())];
            position = position.play(card).expect("legal");
            play.push(card);
        }
        let board = Board {
            contract: Some(contract),
            play: play.clone(),
            ..Board::default()
        };
        let lesson = lessons.lesson(&deal, Some(&board)).expect("a lesson");
        assert_eq!(lesson.lead, Some(play[0]));
        assert!(!lesson.par);
        assert!(lesson.mistakes.iter().all(|step| step.cost > 0));
        mistakes += lesson.mistakes.len();
        // Declarer's side leads to the trick, and can still make exactly the tricks it needs.
        let begun = (2..=5)
            .rev()
            .find(|left| seats[4 * (13 - left)].side() == Side::EastWest);
        let needed = begun.map(|left| {
            let mut before = board.clone();
            before.play.truncate(4 * (13 - left));
            10 - usize::from(before.tricks_played().expect("a contract"))
        });
        let open = needed.is_some_and(|needed| (1..=begun.unwrap_or(0)).contains(&needed));
        assert_eq!(lesson.ending.is_some(), open, "{begun:?} {needed:?}");
        all += usize::from(begun.is_some() && needed == begun);
        if let Some(ending) = &lesson.ending {
            assert!(ending.sure <= ending.layouts && !ending.best.is_empty());
            assert_eq!(ending.played, Some(play[4 * (13 - ending.tricks_left)]));
            assert!(words_of(&lesson).contains("begin"));
            endings += 1;
        }
    }
    let counts = [endings, mistakes, all];
    assert!(endings > 1 && mistakes > 10 && all > 0, "{counts:?}");
}

#[test]
fn what_has_no_lesson_says_why() {
    let ending = "N:A... K... Q... J...".parse().expect("a deal");
    let error = lessons(10).lesson(&ending, None).expect_err("an ending");
    let said = "a lesson is about whole deals, and the hands have 1 cards";
    assert_eq!(error.to_string(), said);
}

/// Twelve tricks are sure, and the thirteenth if East is short in spades and clubs.
#[test]
fn an_assumption_bounds_the_chance() {
    let deal = "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876"
        .parse()
        .expect("a deal");
    let board = Board {
        contract: "7NTS".parse().ok(),
        ..Board::default()
    };
    let lesson = lessons(20_000)
        .lesson(&deal, Some(&board))
        .expect("a lesson");
    assert_eq!((lesson.sure, lesson.double_dummy), ([12, 12], 13));
    let makes = &lesson.makes;
    assert!((makes.at_least - 0.418).abs() < 0.001, "{makes:?}");
    assert!(makes.at_least <= makes.at_most_interval[1]);
    assert!(makes.at_most < 1.0, "{makes:?}");
    let words = words_of(&lesson);
    for said in [
        "12, whatever the defenders hold and do.",
        "At least 41.8 %: it is sure if",
        "1 of these is not sure.",
    ] {
        assert!(words.contains(said), "{said}\n{words}");
    }
    // Claims without a limit say the same.
    let question = declarer_question(lesson.contract, &deal, &[]);
    let knowledge = Knowledge::of(&question).expect("a question");
    let of = makes.sure_with.as_ref().expect("an assumption");
    let given = knowledge.given(&of.condition).expect("possible");
    let mut claims = Claims::new(Options::default());
    assert!(claims.is_sure(&given, 13).expect("no limit"));
    assert!(!claims.is_sure(&knowledge, 13).expect("no limit"));
}
