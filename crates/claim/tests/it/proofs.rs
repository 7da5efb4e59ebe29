//! Plans and cores: every one passes the checker, damaged ones do not.

use setrograde_cards::{Card, Hand};
use setrograde_claim::{
    Claims, Core, Knowledge, Options, Plan, PlanFault, Step, Verdict, check_core, check_plan,
    ordered,
};

use crate::positions;

fn claims() -> Claims {
    Claims::new(Options::default())
}

/// A plan of one step.
fn only(step: Step, tricks: u8) -> Plan {
    Plan {
        tricks,
        steps: vec![step],
        root: 0,
        among: None,
    }
}

fn check(knowledge: &Knowledge, plan: &Plan) {
    check_plan(knowledge, plan).unwrap_or_else(|error| panic!("{error}: {plan:?}"));
}

#[test]
fn every_plan_and_core_passes() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut claims = claims();
    let (mut plans, mut orders, mut pairs, mut larger) = (0, 0, 0, 0);
    for n in 0..1_500 {
        let knowledge = positions::random(&mut rng, 2 + n % 3);
        let sure = claims.sure(&knowledge).unwrap();
        let Verdict::Sure(plan) = claims.decide(&knowledge, sure).unwrap() else {
            panic!("{sure} tricks are sure");
        };
        plans += 1;
        orders += usize::from(matches!(plan.steps[plan.root], Step::Order(_)));
        check(&knowledge, &plan);
        // One trick more is too much for it.
        let more = Plan {
            tricks: sure + 1,
            ..plan
        };
        assert!(check_plan(&knowledge, &more).is_err());

        if usize::from(sure) < knowledge.tricks_left() {
            let Verdict::Refuted(Some(core)) = claims.decide(&knowledge, sure + 1).unwrap() else {
                panic!("{} tricks are not sure", sure + 1);
            };
            check_core(&knowledge, &core).unwrap_or_else(|error| panic!("{error}: {core:?}"));
            pairs += usize::from(core.layouts.len() == 2);
            larger += usize::from(core.layouts.len() > 2);
            let less = Core {
                tricks: sure,
                ..core
            };
            assert!(check_core(&knowledge, &less).is_err());
        }
    }
    assert!(plans == 1_500 && orders > 50, "{orders} orders");
    assert!(pairs > 10, "{pairs} pairs, {larger} larger");
}

#[test]
fn fixed_orders_pass() {
    let mut rng = fastrand::Rng::with_seed(13);
    let mut orders = 0;
    for n in 0..20_000 {
        let knowledge = positions::random(&mut rng, 2 + n % 5);
        let order = ordered(&knowledge);
        let tricks = order.len() as u8;
        if tricks > 0 {
            check(&knowledge, &only(Step::Order(order), tricks));
            orders += 1;
        }
    }
    assert!(orders > 800, "{orders}");
}

/// The longest of all orders that win a trick each.
fn longest_order(knowledge: &Knowledge, order: &mut Vec<(Card, Card)>) -> usize {
    let held = |seat| knowledge.hand(seat).expect("visible").cards();
    let played = |card: &Card| order.iter().any(|&(a, b)| a == *card || b == *card);
    let [mine, dummy] = knowledge.visible().map(|seat| {
        let cards = held(seat).filter(|card| !played(card));
        cards.collect::<Vec<Card>>()
    });
    let mut most = order.len();
    for pair in mine
        .iter()
        .flat_map(|&a| dummy.iter().flat_map(move |&b| [(a, b), (b, a)]))
    {
        order.push(pair);
        if in_order(knowledge, order, order.len() as u8) {
            most = most.max(longest_order(knowledge, order));
        }
        order.pop();
    }
    most
}

#[test]
fn no_longer_order_is_missed() {
    let mut rng = fastrand::Rng::with_seed(15);
    let mut found = [0; 4];
    for n in 0..6_000 {
        let knowledge = positions::random(&mut rng, 2 + n % 2);
        let [mine, dummy] = knowledge.visible();
        let leads =
            knowledge.plays_for(knowledge.to_play()) && knowledge.trick().cards().is_empty();
        if mine.partner() == dummy && leads {
            let longest = longest_order(&knowledge, &mut Vec::new());
            assert_eq!(ordered(&knowledge).len(), longest, "{knowledge:#?}");
            found[longest] += 1;
        }
    }
    assert!(found.iter().all(|&found| found > 20), "{found:?}");
}

/// A core without one of its layouts is not a core: nothing can be left out.
#[test]
fn nothing_can_be_left_out_of_a_core() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut claims = claims();
    let mut seen = 0;
    while seen < 30 {
        let knowledge = positions::random(&mut rng, 3);
        let sure = claims.sure(&knowledge).unwrap();
        let Ok(Verdict::Refuted(Some(core))) = claims.decide(&knowledge, sure + 1) else {
            continue;
        };
        if core.layouts.len() < 2 {
            continue;
        }
        seen += 1;
        for n in 0..core.layouts.len() {
            let mut less = core.clone();
            less.layouts.remove(n);
            assert!(check_core(&knowledge, &less).is_err());
        }
        // An invalid layout.
        let mut wrong = core.clone();
        wrong.layouts[0] = [knowledge.unseen(), Hand::EMPTY];
        assert!(check_core(&knowledge, &wrong).is_err());
    }
}

/// Returns true if the plan, played out card by card against explicit layouts, takes
/// its tricks: the judge of damaged plans.
fn survives(knowledge: &Knowledge, plan: &Plan, step: usize, need: u8) -> bool {
    if need == 0 {
        return true;
    }
    if knowledge.tricks_left() == 0 {
        return false;
    }
    let go_on = |card: Card, step: usize| {
        let Ok(after) = knowledge.play(card) else {
            return false;
        };
        survives(&after, plan, step, need - positions::won(&after))
    };
    let ours = knowledge.plays_for(knowledge.to_play());
    match plan.steps.get(step) {
        None | Some(Step::Done) => false,
        Some(Step::Play { card, then }) => ours && go_on(*card, *then),
        Some(Step::Rule(cards)) if ours => {
            let playable = knowledge.playable();
            let trick = knowledge.trick();
            let beats = |card: Card| {
                trick.cards().iter().all(|&other| {
                    let trump = knowledge.strain().trump();
                    if card.suit == other.suit {
                        card.rank > other.rank
                    } else {
                        Some(card.suit) == trump
                            || Some(other.suit) != trump && Some(other.suit) != trick.led_suit()
                    }
                })
            };
            let partners = trick.cards().len() >= 2 && {
                let seat = knowledge.to_play().partner();
                trick.winner(knowledge.strain()) == Some(seat)
            };
            let mut winners: Vec<Card> = playable.cards().filter(|&card| beats(card)).collect();
            winners.sort_by_key(|card| card.rank);
            let card = if trick.cards().is_empty() || partners {
                None
            } else {
                winners.first().copied()
            };
            let mut listed = cards
                .iter()
                .copied()
                .filter(|&card| playable.contains(card));
            card.or_else(|| listed.next())
                .is_some_and(|card| go_on(card, step))
        }
        Some(Step::Rule(_)) => knowledge.playable().cards().all(|card| go_on(card, step)),
        Some(Step::Watch { seen, otherwise }) => {
            !ours
                && knowledge.playable().cards().all(|card| {
                    let mut found = seen.iter().filter(|(cards, _)| cards.contains(card));
                    let then = found.next().map_or(*otherwise, |&(_, then)| then);
                    found.next().is_none() && go_on(card, then)
                })
        }
        Some(Step::Order(pairs)) => in_order(knowledge, pairs, need),
    }
}

/// Returns true if the pairs, played whatever falls, win a trick each.
fn in_order(knowledge: &Knowledge, pairs: &[(Card, Card)], need: u8) -> bool {
    if need == 0 {
        return true;
    }
    let Some(&(lead, follow)) = pairs.first() else {
        return false;
    };
    fn rest(knowledge: &Knowledge, follow: Card, pairs: &[(Card, Card)], need: u8) -> bool {
        if knowledge.trick().cards().is_empty() {
            let leader = knowledge.trick().leader();
            return knowledge.plays_for(leader) && in_order(knowledge, &pairs[1..], need - 1);
        }
        if knowledge.plays_for(knowledge.to_play()) {
            return knowledge
                .play(follow)
                .is_ok_and(|after| rest(&after, follow, pairs, need));
        }
        knowledge.playable().cards().all(|card| {
            let after = knowledge.play(card);
            after.is_ok_and(|after| rest(&after, follow, pairs, need))
        })
    }
    knowledge.plays_for(knowledge.to_play())
        && knowledge.trick().cards().is_empty()
        && knowledge
            .play(lead)
            .is_ok_and(|after| rest(&after, follow, pairs, need))
}

/// The plan with one thing changed.
fn damaged(rng: &mut fastrand::Rng, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let cards: Vec<Card> = Card::pack().collect();
    let card = cards[rng.usize(0..52)];
    let count = plan.steps.len();
    let nth = rng.usize(0..count);
    match &mut plan.steps[nth] {
        Step::Done => plan.root = rng.usize(0..count),
        Step::Order(pairs) => {
            let at = rng.usize(0..pairs.len());
            match rng.u8(0..4) {
                0 => pairs[at].0 = card,
                1 => pairs[at].1 = card,
                2 => {
                    pairs.remove(at);
                }
                _ => pairs.swap(0, at),
            }
        }
        Step::Rule(cards) => match rng.usize(0..=cards.len()) {
            at if at < cards.len() => {
                cards.remove(at);
            }
            _ => cards.reverse(),
        },
        Step::Play { card: old, then } => {
            if rng.bool() {
                *old = card;
            } else {
                *then = rng.usize(0..=count);
            }
        }
        Step::Watch { seen, otherwise } => match rng.u8(0..3) {
            0 if !seen.is_empty() => {
                seen.pop();
            }
            1 if !seen.is_empty() => {
                let at = rng.usize(0..seen.len());
                seen[at].0.insert(card);
            }
            _ => *otherwise = rng.usize(0..=count),
        },
    }
    plan
}

#[test]
fn damaged_plans_are_refused() {
    let mut rng = fastrand::Rng::with_seed(13);
    let mut claims = claims();
    let (mut refused, mut passed) = (0, 0);
    while refused < 3_000 {
        let left = rng.usize(2..=3);
        let knowledge = positions::random(&mut rng, left);
        let sure = claims.sure(&knowledge).unwrap();
        if sure == 0 {
            continue;
        }
        let plan = claims.plan(&knowledge, sure).unwrap();
        assert!(survives(&knowledge, &plan, plan.root, sure));
        for _ in 0..10 {
            let damaged = damaged(&mut rng, &plan);
            let holds = survives(&knowledge, &damaged, damaged.root, sure);
            let verdict = check_plan(&knowledge, &damaged);
            assert_eq!(
                verdict.is_ok(),
                holds,
                "{verdict:?} {damaged:?} {knowledge:#?}"
            );
            if holds {
                passed += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(passed < refused, "{passed} passed, {refused} were refused");
}

/// An order applies when the claimer's side leads and both of its hands are the claimer's.
#[test]
fn an_order_needs_the_lead_and_two_hands_of_the_claimer() {
    for (question, pairs, expected) in [
        ("NT W W:AK... ? 32... ? out=QJT9...", vec!["SA S2"], Ok(())),
        // The king falls under the ace, and East cannot have it.
        (
            "NT S N:AQ... ? 32... ? out=KJT.2.. if=W+SK,W.S=1",
            vec!["S2 SA", "SQ S3"],
            Ok(()),
        ),
        // West has led and the trick is not over.
        (
            "NT W W:K... ? 32... ? out=QJT... played=SA,S9",
            vec!["SK S2"],
            Err(PlanFault::WrongHand),
        ),
        // North is not a partner and may play any card.
        (
            "NT W W:AK... QJ... ? ? out=T987... by=W",
            vec!["SA SQ"],
            Err(PlanFault::WrongHand),
        ),
    ] {
        let card = |text: &str| text.parse::<Card>().expect("a card");
        let pairs = pairs.iter().map(|pair| pair.split_once(' ').expect("two"));
        let pairs = pairs.map(|(lead, follow)| (card(lead), card(follow)));
        let plan = only(Step::Order(pairs.collect()), 1);
        let found = check_plan(&positions::known(question), &plan);
        assert_eq!(found.map_err(|error| error.fault), expected, "{question}");
    }
}

/// With a limit, a claim may be refuted and no layouts be found that show it.
#[test]
fn a_limit_that_the_core_reaches_leaves_a_refutation() {
    let mut rng = fastrand::Rng::with_seed(14);
    let mut bare = 0;
    for _ in 0..40 {
        let knowledge = positions::random(&mut rng, 6);
        let sure = claims().sure(&knowledge).expect("no limit");
        if usize::from(sure) == knowledge.tricks_left() {
            continue;
        }
        let mut search = claims();
        assert!(!search.is_sure(&knowledge, sure + 1).expect("no limit"));
        let limit = Some(search.nodes() + 1);
        let options = Options {
            limit,
            ..Options::default()
        };
        let verdict = Claims::new(options).decide(&knowledge, sure + 1);
        bare += usize::from(matches!(verdict, Ok(Verdict::Refuted(None))));
        assert!(!matches!(verdict, Ok(Verdict::Sure(_))));
    }
    assert!(bare > 2, "{bare}");
}
