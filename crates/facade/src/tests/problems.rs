//! Problems with one right card: each is proved again by the checkers of plans and cores, and by
//! double dummy over layouts.

use std::ops::ControlFlow;

use crate::ask::{Deal as Drawn, DealFound};
use crate::result_condition::DealResults;
use crate::{Desk, ResultCondition, Setting};
use serde_json::json;
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
    let start = Position::new(contract.bid.strain(), contract.leader(), *deal, &[]);
    let led = start.expect("a position").play(lead).expect("the lead");
    let seen = Knowledge::from_position(&led, contract.declarer, contract.declarer.partner())
        .expect("seen");
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
                    let start =
                        Position::new(contract.bid.strain(), contract.leader(), layout, &[]);
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

/// Deals of a question in JSON.
fn drawn(question: &str) -> Vec<Deal> {
    let found = found(question).into_iter();
    found.filter_map(|found| found.board?.deal()).collect()
}

fn found(question: &str) -> Vec<DealFound> {
    let ask: Drawn = serde_json::from_str(question).expect("a question");
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
        let hands = "QJ4.43.A863.AQ52 AKT863.T9.KQT.T8";
        let ask = json!({"hands": hands, "if": "W+C7", "contract": contract, "where": results, "seed": 0});
        let board = found(&ask.to_string()).remove(0).board.expect("a deal");
        let has_lead = pbn::write(&board).contains("[Play \"W\"]\nC7 - - -\n");
        assert_eq!(has_lead, !board.play.is_empty());
        let contract = board.contract.map(|contract| contract.to_string());
        (contract, board.play)
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
    let (mut cores, mut rng) = (0, fastrand::Rng::with_seed(5));
    let hands = r#"{"count": 3, "hands": "QJ4.43.A863.AQ52 AKT863.T9.KQT.T8", "if": "W+C7"}"#;
    for deal in drawn(hands) {
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
    let hands = r#"{"count": 3, "hands": "QJ4.A3.8632.AQJ2 AKT863.KT.AKQ.T8", "if": "W+C7"}"#;
    for deal in drawn(hands) {
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
    let strong = r#"{"count": 2, "if": "N.hcp+S.hcp=27-29,W+C3,N.S+S.S>=8", "where": "unique(sure,3NTS,C3)"}"#;
    for deal in drawn(strong) {
        let sure = sure_cards(&deal, contract, lead, (&mut rng, &mut cores));
        assert_eq!(sure, 1, "{deal}");
        assert!(deal.hand(Seat::West).contains(lead));
    }
    assert!(cores > 0, "{cores}");
}

/// The tricks of the declarer, found card by card without the bounds that conditions use.
struct Plain {
    deal: Deal,
    solver: Solver,
}

impl Plain {
    fn new(line: &str) -> Plain {
        Plain {
            deal: line.parse().expect("a deal"),
            solver: Solver::new(setrograde_solver::Options::default()),
        }
    }

    /// The defenders' tricks after cards.
    fn defence(&mut self, contract: Contract, cards: &[Card]) -> u8 {
        let start = Position::new(contract.bid.strain(), contract.leader(), self.deal, &[]);
        let start = start.expect("a position");
        let played = cards
            .iter()
            .try_fold(start, |position, &card| position.play(card));
        let played = played.expect("legal cards");
        // The leader's side is that of the defenders, within its trick, too.
        self.solver.tricks(&played).expect("tricks")
    }

    /// The cards of a hand that are played, each with the defenders' tricks after it.
    fn each(&mut self, contract: Contract, lead: Option<Card>) -> Vec<(Card, u8)> {
        let hand = self.deal.hand(match lead {
            None => contract.leader(),
            Some(_) => contract.declarer.partner(),
        });
        let follows = |card: &Card| lead.is_none_or(|lead| card.suit == lead.suit);
        let must = hand.cards().any(|card| follows(&card));
        let cards: Vec<Card> = hand.cards().filter(|card| follows(card) || !must).collect();
        let cards = cards.into_iter().map(|card| {
            let played: Vec<Card> = lead.into_iter().chain([card]).collect();
            (card, self.defence(contract, &played))
        });
        cards.collect()
    }
}

/// Whether all these cards of one hand are one run of equal cards, if there are any.
fn is_one_run(deal: &Deal, cards: &[Card]) -> bool {
    let Some(first) = cards.first() else {
        return false;
    };
    let owner = Seat::ALL
        .into_iter()
        .find(|&seat| deal.hand(seat).contains(*first));
    let hand = deal.hand(owner.expect("an owner"));
    let ranks = || cards.iter().map(|card| card.rank);
    let (low, high) = (ranks().min(), ranks().max());
    let between = |card: &Card| Some(card.rank) > low && Some(card.rank) < high;
    cards.iter().all(|card| card.suit == first.suit)
        && Card::pack()
            .filter(|card| card.suit == first.suit && between(card))
            .all(|card| hand.contains(card))
}

/// Conditions on leads and cards agree with the tricks after each card.
#[test]
fn leads_and_cards_are_unique_if_no_other_is_right() {
    let deals = include_str!("../../../../data/deals_100.txt");
    let (mut unique_leads, mut unique_cards, mut costly) = (0, 0, 0);
    for line in deals.lines().take(16) {
        let mut plain = Plain::new(line.split(" | ").next().expect("a deal"));
        let deal = plain.deal;
        for denomination in ["NTS", "SN", "HE", "DW", "NTE"] {
            let at = |tricks: u8| {
                let level = tricks.clamp(7, 13) - 6;
                let contract = format!("{level}{denomination}");
                contract.parse::<Contract>().expect("a contract")
            };
            let leads = plain.each(at(7), None);
            let best = leads.iter().map(|of| of.1).max().expect("a lead");
            // The lowest contract that fails.
            let contract = at(14 - best);
            let defence = 14 - contract.bid.tricks();
            let beat = leads.iter().filter(|of| of.1 >= defence);
            let beat: Vec<Card> = beat.map(|of| of.0).collect();
            let unique = is_one_run(&deal, &beat) && beat.len() < leads.len();
            let condition = format!("unique(lead,{contract})");
            assert_eq!(holds(&condition, deal), unique, "{deal} {condition}");
            unique_leads += usize::from(unique);
            let (lead, tricks) = leads[leads.len() / 2];
            let condition = format!("lost({lead},{contract})={}", best - tricks);
            assert!(holds(&condition, deal), "{deal} {condition}");
            costly += usize::from(best > tricks);
            // The highest contract that makes after the lead.
            let contract = at(13 - tricks);
            let defence = 14 - contract.bid.tricks();
            let cards = plain.each(contract, Some(lead));
            let make = cards.iter().filter(|of| of.1 < defence);
            let make: Vec<Card> = make.map(|of| of.0).collect();
            let unique = is_one_run(&deal, &make) && make.len() < cards.len();
            let condition = format!("unique(card,{contract},{lead})");
            assert_eq!(holds(&condition, deal), unique, "{deal} {condition}");
            unique_cards += usize::from(unique);
        }
    }
    assert!(
        unique_leads > 0 && unique_cards > 0 && costly > 0,
        "{unique_leads} {unique_cards} {costly}"
    );
}
