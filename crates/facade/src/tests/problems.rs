//! Problems with one right card: each is proved again by the checkers of plans and cores, and by
//! double dummy over layouts.

use std::ops::ControlFlow;

use crate::ask::{Conditions, Deal as Drawn, DealFound};
use crate::{DealResults, Desk, ResultCondition, Setting};
use setrograde_cards::{Card, Contract, Deal, Hand, Position, Seat};
use setrograde_claim::{ClaimError, Claims, Knowledge, Options, Verdict, check_core, check_plan};
use setrograde_records::pbn;
use setrograde_solver::{Solver, choices};

fn holds(condition: &str, deal: Deal) -> bool {
    let condition = ResultCondition::read(condition).expect("a condition");
    let mut solver = Solver::new(setrograde_solver::Options::default());
    let mut results = DealResults::new(&mut solver, deal);
    let fits = results.fit(&condition, &Setting::default());
    fits.expect("no search fails")
}

/// The number of runs of dummy's cards that make the contract sure. Each verdict is checked by other
/// code than the search; of a run that does not, layouts that refute it may be too many to find.
fn sure_cards(
    deal: &Deal,
    contract: Contract,
    lead: Card,
    (rng, cores): (&mut fastrand::Rng, &mut usize),
) -> usize {
    let need = contract.bid.tricks();
    let start = Position::new(contract.strain(), contract.leader(), *deal, &[]);
    let led = start.expect("a position").play(lead).expect("the lead");
    let seen = Knowledge::from_position(&led, contract.declarer, contract.dummy()).expect("seen");
    let mut claims = Claims::new(Options::default());
    let mut sure = 0;
    for choice in choices(&led) {
        let played = seen.play(choice.card).expect("a card of dummy");
        let verdict = match claims.decide(&played, need) {
            // Its tricks are sure, and double dummy agrees below.
            Err(ClaimError::PlanTooLarge(_)) => Ok(None),
            verdict => verdict.map(Some),
        };
        match verdict.expect("no failure") {
            verdict @ (None | Some(Verdict::Sure(_))) => {
                if let Some(Verdict::Sure(plan)) = verdict {
                    check_plan(&played, &plan).expect("a plan that holds");
                }
                sure += 1;
                let mut solver = Solver::new(setrograde_solver::Options::default());
                for _ in 0..3 {
                    let layout = other_layout(deal, contract, lead, rng);
                    let start = Position::new(contract.strain(), contract.leader(), layout, &[]);
                    let led = start.expect("a position").play(lead).expect("the lead");
                    let played = led.play(choice.card).expect("a card of dummy");
                    let defenders = solver.reaches(&played, 14 - need).expect("solved");
                    assert!(!defenders.reached, "{layout}");
                }
            }
            Some(Verdict::Refuted(core)) => {
                if let Some(core) = core {
                    check_core(&played, &core).expect("a core that holds");
                    *cores += 1;
                }
            }
            Some(Verdict::Unknown) => panic!("there is no limit"),
        }
    }
    sure
}

/// The deal with the defenders' cards dealt again; the leader keeps the lead.
fn other_layout(deal: &Deal, contract: Contract, lead: Card, rng: &mut fastrand::Rng) -> Deal {
    let (leader, other) = (contract.leader(), contract.leader().partner());
    let both = deal.hand(leader) | deal.hand(other);
    let mut cards: Vec<Card> = both.cards().filter(|&card| card != lead).collect();
    rng.shuffle(&mut cards);
    let mut hands = *deal.hands();
    hands[leader.index()] = cards[..12].iter().copied().chain([lead]).collect::<Hand>();
    hands[other.index()] = cards[12..].iter().copied().collect::<Hand>();
    Deal::new(hands).expect("the cards are shared out")
}

fn drawn(count: u32, hands: Option<&str>, conditions: &str, results: &str) -> Vec<Deal> {
    let results = if results.is_empty() {
        Vec::new()
    } else {
        vec![results.to_owned()]
    };
    let ask = Drawn {
        count: Some(count),
        hands: hands.map(str::to_owned),
        conditions: Conditions(vec![conditions.to_owned()]),
        results: Conditions(results),
        first: 1,
        seed: 1,
        ..Drawn::default()
    };
    let found = found(&ask).into_iter();
    found.filter_map(|found| found.deal()).collect()
}

fn found(ask: &Drawn) -> Vec<DealFound> {
    let mut deals = Vec::new();
    let end = ask.each(&Desk::default(), |found| {
        deals.extend(found.board.is_some().then_some(found));
        ControlFlow::<()>::Continue(())
    });
    end.expect("deals");
    deals
}

/// A problem has its contract and its lead, unless conditions speak of several.
#[test]
fn a_drawn_problem_is_a_record() {
    let lead: Card = "C7".parse().expect("a card");
    let board = |contract: Option<&str>, results: &[&str]| {
        let ask = Drawn {
            hands: Some("QJ4.43.A863.AQ52 AKT863.T9.KQT.T8".to_owned()),
            conditions: Conditions(vec!["W+C7".to_owned()]),
            contract: contract.map(str::to_owned),
            results: Conditions(results.iter().copied().map(str::to_owned).collect()),
            first: 1,
            ..Drawn::default()
        };
        let board = found(&ask).remove(0).board.expect("a deal");
        let has_lead = pbn::write(&board).contains("[Play \"W\"]\nC7 - - -\n");
        assert_eq!(has_lead, !board.play.is_empty());
        (
            board.contract.map(|contract| contract.to_string()),
            board.play,
        )
    };
    let record = |contract: &str, play: Vec<Card>| (Some(contract.to_owned()), play);
    let sure = "unique(sure,3NTS,C7)";
    assert_eq!(board(None, &[sure]), record("3NTS", vec![lead]));
    let of_board = ["makes(4SS)", "unique(sure,C7)"];
    assert_eq!(board(Some("3NTS"), &of_board), record("3NTS", vec![lead]));
    assert_eq!(board(Some("4SS"), &[sure]), record("4SS", vec![]));
    let two = "unique(sure,3NTS,C7)|unique(sure,2NTS,C7)";
    assert_eq!(board(None, &[two]), (None, vec![]));
    assert_eq!(board(None, &["not unique(sure,6NTS,C7)"]), (None, vec![]));
}

/// Ten tricks are at the top, and the defenders have a suit to run: the ace at once, no finesse.
#[test]
fn one_card_makes_it_sure() {
    let contract: Contract = "3NTS".parse().expect("a contract");
    let lead: Card = "C7".parse().expect("a card");
    let hands = "QJ4.43.A863.AQ52 AKT863.T9.KQT.T8";
    let mut cores = 0;
    let mut rng = fastrand::Rng::with_seed(5);
    for deal in drawn(3, Some(hands), "W+C7", "") {
        assert!(holds("unique(sure,3NTS,C7)", deal), "{deal}");
        assert_eq!(sure_cards(&deal, contract, lead, (&mut rng, &mut cores)), 1);
        // Twelve tricks are not sure.
        assert!(!holds("unique(sure,6NTS,C7)", deal));
        // It is not East who leads.
        assert!(!holds("unique(sure,3NTN,C7)", deal));
    }
    // Queen, five and deuce are each beaten by a layout.
    assert_eq!(cores, 9);
    // A second stopper makes every card right.
    let hands = "QJ4.A3.8632.AQJ2 AKT863.KT.AKQ.T8";
    for deal in drawn(3, Some(hands), "W+C7", "") {
        assert!(!holds("unique(sure,3NTS,C7)", deal), "{deal}");
        assert_eq!(sure_cards(&deal, contract, lead, (&mut rng, &mut cores)), 3);
    }
}

/// Drawn problems are problems.
#[test]
fn problems_that_are_drawn_are_proved_again() {
    let contract: Contract = "3NTS".parse().expect("a contract");
    let lead: Card = "C3".parse().expect("a card");
    let (mut rng, mut cores) = (fastrand::Rng::with_seed(6), 0);
    let strong = "N.hcp+S.hcp=27-29,W+C3,N.S+S.S>=8";
    for deal in drawn(2, None, strong, "unique(sure,3NTS,C3)") {
        let sure = sure_cards(&deal, contract, lead, (&mut rng, &mut cores));
        assert_eq!(sure, 1, "{deal}");
        assert!(deal.hand(Seat::West).contains(lead));
    }
    assert!(cores > 0, "{cores}");
}
