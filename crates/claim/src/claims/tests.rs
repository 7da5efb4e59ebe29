use setrograde_cards::{Deal, Seat, Strain};

use super::*;

/// South's view of a deal from which random cards have been played.
pub(crate) fn random(rng: &mut fastrand::Rng, left: usize) -> Knowledge {
    loop {
        let deal = Deal::random(|n| rng.usize(..n));
        let strain = Strain::ALL[rng.usize(0..5)];
        let leader = Seat::from_index(rng.usize(0..4));
        let Ok(mut position) = Position::new(strain, leader, deal, &[]) else {
            continue;
        };
        let Ok(mut known) = Knowledge::from_position(&position, Seat::South, Seat::North) else {
            continue;
        };
        let extra = rng.usize(0..4);
        while position.tricks_left() > left || position.played().len() < extra {
            let cards: Vec<Card> = known.playable().cards().collect();
            let card = cards[rng.usize(0..cards.len())];
            if let Ok(next) = position.play(card) {
                position = next;
                known = known.play(card).unwrap();
            }
        }
        return known;
    }
}

/// The proof of an answer has the same number of nodes as the answer, even for a hopeless
/// claim.
#[test]
fn the_limit_bounds_the_proof_too() {
    const LIMIT: u64 = 300;
    let mut rng = fastrand::Rng::with_seed(29);
    let mut claims = Claims::new(Options {
        limit: Some(LIMIT),
        ..Options::default()
    });
    let (mut refuted, mut unknown) = (0, 0);
    for n in 0..60 {
        let known = random(&mut rng, 4 + n % 5);
        let need = (known.tricks_left() as u8).min(2 + n as u8 % 4);
        let before = claims.nodes();
        match claims.decide(&known, need).expect("no failure") {
            Verdict::Sure(_) => {}
            Verdict::Refuted(_) => refuted += 1,
            Verdict::Unknown => unknown += 1,
        }
        assert!(claims.nodes() - before <= 2 * LIMIT, "{known:#?}");
    }
    assert!(refuted > 5 && unknown > 5, "{refuted} {unknown}");
}

#[test]
fn helps_do_not_change_answers() {
    let mut rng = fastrand::Rng::with_seed(8);
    let mut plain = Claims::new(Options::default());
    plain.helps = Helps {
        order_tricks: 14,
        refuter_tricks: 14,
        refuter_nodes: u64::MAX,
        round_tricks: 14,
        first_round: u64::MAX,
    };
    let mut helped = Claims::new(Options::default());
    helped.helps = Helps {
        order_tricks: 2,
        refuter_tricks: 2,
        refuter_nodes: 0,
        ..plain.helps
    };
    // Short rounds: they postpone as much as possible, so more of them are needed.
    let mut in_rounds = Claims::new(Options::default());
    in_rounds.helps = Helps {
        round_tricks: 2,
        first_round: 1,
        ..helped.helps
    };
    let mut fewer = 0;
    for n in 0..600 {
        let known = random(&mut rng, 3 + n % 3);
        plain.table.clear();
        helped.table.clear();
        in_rounds.table.clear();
        let sure = plain.sure(&known).unwrap();
        assert_eq!(helped.sure(&known).unwrap(), sure, "{known:#?}");
        assert_eq!(in_rounds.sure(&known).unwrap(), sure, "{known:#?}");
        let cards = plain.cards(&known).unwrap();
        assert_eq!(helped.cards(&known).unwrap(), cards);
        assert_eq!(in_rounds.cards(&known).unwrap(), cards);
        fewer += i32::from(helped.nodes < plain.nodes);
    }
    assert!(fewer > 300, "{fewer}");
    // A change that claims not to affect the work must leave these unchanged.
    let nodes = [plain, helped, in_rounds].map(|claims| claims.nodes);
    assert_eq!(nodes, [14_431, 7_478, 169_260]);
}
