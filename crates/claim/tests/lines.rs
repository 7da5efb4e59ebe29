//! The worst of a line against all plays, one by one: no relative ranks, no cases, no table.

mod positions;

use positions::{layouts, random_line};
use setrograde_cards::{Card, Hand, Seat, Suit};
use setrograde_claim::{ClaimError, Claims, Knowledge, Line, Options};

fn legal(hand: Hand, led: Option<Suit>) -> Hand {
    match led {
        Some(led) if !hand.holding(led).is_empty() => {
            hand.cards().filter(|card| card.suit == led).collect()
        }
        _ => hand,
    }
}

/// The cards that a hidden seat may play in one of `layouts`.
fn may_play(known: &Knowledge, layouts: &[[Hand; 2]], seat: Seat) -> Hand {
    let place = usize::from(known.hidden()[1] == seat);
    let led = known.trick().led_suit();
    let hands = layouts
        .iter()
        .flat_map(|hands| legal(hands[place], led).cards());
    hands.collect()
}

/// The plays of the claimer, as `docs/claim.md` has them.
fn normal(known: &Knowledge, line: &Line, done: usize, seat: Seat) -> Vec<Card> {
    let (trick, trump) = (known.trick(), known.strain().trump());
    let playable = legal(known.hand(seat).expect("visible"), trick.led_suit());
    let of = |suit: Suit| playable.cards().filter(move |card| card.suit == suit);
    let stated = line.plays.get(done);
    let Some(led) = trick.led_suit() else {
        if let Some(&(lead, _)) = stated.filter(|(lead, _)| playable.contains(*lead)) {
            return vec![lead];
        }
        let drawn =
            line.draws_trumps || line.plays.iter().any(|(lead, _)| Some(lead.suit) == trump);
        let out = trump.is_some_and(|trump| !known.unseen().holding(trump).is_empty());
        let suits = match trump {
            Some(trump) if drawn && out && of(trump).count() > 0 => vec![trump],
            _ => Suit::ALL.to_vec(),
        };
        return suits
            .into_iter()
            .filter_map(|suit| of(suit).next())
            .collect();
    };
    if let Some((lead, Some(follow))) = done.checked_sub(1).map(|done| line.plays[done])
        && trick.cards()[0] == lead
        && playable.contains(follow)
    {
        return vec![follow];
    }
    let all = layouts(known);
    let wins = |card: &Card| {
        let after = trick.with(*card).expect("room for a card");
        let later = (1..4 - trick.cards().len()).map(|n| seat.plus(n));
        let mut hidden = later.filter(|seat| known.hidden().contains(seat));
        let higher = |of: Card| of.suit == card.suit && of.rank > card.rank;
        after.winner(known.strain()) == Some(seat)
            && !hidden.any(|seat| may_play(known, &all, seat).cards().any(higher))
    };
    let mut found = Vec::new();
    for suit in Suit::ALL {
        found.extend(of(suit).last());
        if suit == led || Some(suit) == trump {
            found.extend(of(suit).next());
            found.extend(of(suit).filter(wins).last());
        }
    }
    found
}

/// The fewest tricks of the claimer's side, where `truth` has the layouts that are possible.
fn fewest(known: &Knowledge, truth: &[[Hand; 2]], line: &Line, done: usize) -> u8 {
    if known.tricks_left() == 0 {
        return 0;
    }
    let seat = known.to_play();
    let cards = if known.plays_for(seat) {
        normal(known, line, done, seat)
    } else if let Some(hand) = known.hand(seat) {
        legal(hand, known.trick().led_suit()).cards().collect()
    } else {
        may_play(known, truth, seat).cards().collect()
    };
    let lead = known.trick().cards().is_empty();
    let tricks = cards.into_iter().map(|card| {
        let after = known.play(card).expect("a legal card");
        let stated = lead && line.plays.get(done).is_some_and(|&(lead, _)| lead == card);
        // What is left of the layouts in which the card could be played.
        let led = known.trick().led_suit();
        let place = known.hidden().iter().position(|&hidden| hidden == seat);
        let rest = truth.iter().filter_map(|hands| {
            let mut hands = *hands;
            if let Some(place) = place {
                if !legal(hands[place], led).contains(card) {
                    return None;
                }
                hands[place].remove(card);
            }
            Some(hands)
        });
        let ended = after.trick().cards().is_empty();
        let ours = after.trick().leader().side() == known.claimer().side();
        let rest: Vec<[Hand; 2]> = rest.collect();
        u8::from(ended && ours) + fewest(&after, &rest, line, done + usize::from(stated))
    });
    tricks.min().expect("a card")
}

#[test]
fn worst_plays_are_those_of_brute_force() {
    let mut rng = fastrand::Rng::with_seed(70);
    let mut claims = Claims::new(Options::default());
    let mut seen = [0; 4];
    for _ in 0..400 {
        let known = positions::random(&mut rng, 3);
        let line = random_line(&mut rng, &known);
        let all = layouts(&known);
        let found = claims.line(&known, &line).expect("an answer");
        assert_eq!(
            found.tricks,
            fewest(&known, &all, &line, 0),
            "{known:#?} {line}"
        );
        seen[usize::from(found.tricks)] += 1;
        let one = all[rng.usize(0..all.len())];
        let found = claims.adjudicate(&known, one, 3, &line).expect("an answer");
        let worst = found.worst;
        assert_eq!(
            worst.tricks,
            fewest(&known, &[one], &line, 0),
            "{known:#?} {one:?} {line}"
        );
        // The play that is shown takes the tricks that it is said to take.
        let (mut at, mut won) = (known.clone(), 0);
        for card in worst.play {
            at = at.play(card).expect("a legal card");
            let ended = at.trick().cards().is_empty();
            won += u8::from(ended && at.trick().leader().side() == known.claimer().side());
        }
        assert_eq!((at.tricks_left(), won), (0, worst.tricks));
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
}

#[test]
fn the_limit_bounds_a_line() {
    let mut rng = fastrand::Rng::with_seed(71);
    let options = Options {
        limit: Some(20),
        ..Options::default()
    };
    let mut claims = Claims::new(options);
    let mut reached = 0;
    for _ in 0..20 {
        let known = positions::random(&mut rng, 6);
        let found = claims.line(&known, &Line::default());
        reached += usize::from(matches!(found, Err(ClaimError::LimitReached { limit: 20 })));
    }
    // A change that claims not to change the work leaves this as it is.
    assert_eq!(reached, 15);
}

/// A bound that equals what was asked for is not the exact number.
#[test]
fn bounds_are_not_taken_for_results() {
    let question = "D W W:? .T.J8. ? Q.Q.7.8 out=J8.5.A.AT5 played=S6,HK";
    let known: Knowledge = question.parse().expect("a question");
    let line = Line::default();
    let found = Claims::new(Options::default()).line(&known, &line);
    let brute = fewest(&known, &layouts(&known), &line, 0);
    assert_eq!((found.expect("an answer").tricks, brute), (2, 2));
}

#[test]
fn errors_name_the_column_of_a_card() {
    for (line, column) in [("SA SX", 5), ("SA H2-HX", 8), ("rest SA", 6)] {
        let error = line.parse::<Line>().expect_err(line).to_string();
        assert!(error.starts_with(&format!("column {column}:")), "{error}");
    }
}

/// A line that draws trumps leads them first, as long as some are out.
#[test]
fn trumps_are_drawn_if_that_is_stated() {
    let question = "S S N:..32. ? A.A.. ? out=2.2.98.";
    let known: Knowledge = question.parse().expect("a question");
    for (line, tricks) in [("T", 2), ("", 1)] {
        let line: Line = line.parse().expect("a line");
        let found = Claims::new(Options::default()).line(&known, &line);
        assert_eq!(found.expect("an answer").tricks, tricks, "{line}");
        assert_eq!(fewest(&known, &layouts(&known), &line, 0), tricks);
    }
}

#[test]
fn a_stated_low_lead_is_no_lead_from_the_top() {
    let question = "NT S N:..AKQJ. ? AK2.A.. ? out=QJ.KQ.T987.";
    let known: Knowledge = question.parse().expect("a question");
    let all = layouts(&known);
    let mut claims = Claims::new(Options::default());
    let mut tricks = |line: &str| {
        let line: Line = line.parse().expect("a line");
        let found = claims.line(&known, &line).expect("an answer").tricks;
        assert_eq!(found, fewest(&known, &all, &line, 0), "{line}");
        found
    };
    assert_eq!(tricks("HA"), 4);
    assert!(tricks("HA S2") < 4);
}
