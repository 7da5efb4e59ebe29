//! Larger positions: the nodes that a search takes, and plans with rules. A change that claims
//! to change neither leaves these numbers unchanged.

use setrograde_claim::{Claims, Options, Step, check_plan, in_words};

use crate::positions;

#[test]
fn searches_take_as_many_nodes_as_they_did() {
    let mut rng = fastrand::Rng::with_seed(72);
    let nodes = [5, 6, 7, 8].map(|tricks| {
        let mut claims = Claims::new(Options::default());
        for _ in 0..20 {
            let knowledge = positions::random(&mut rng, tricks);
            claims.sure(&knowledge).expect("no limit");
        }
        claims.nodes()
    });
    assert_eq!(nodes, [416, 2190, 4376, 9987]);
}

#[test]
fn larger_plans_are_proofs() {
    let mut rng = fastrand::Rng::with_seed(73);
    let (mut steps, mut rules, mut explained) = (0, 0, [0; 3]);
    for n in 0..70 {
        let knowledge = positions::random(&mut rng, 5 + n / 60);
        let mut claims = Claims::new(Options::default());
        let sure = claims.sure(&knowledge).expect("no limit");
        let plan = claims.plan(&knowledge, sure).expect("a plan");
        check_plan(&knowledge, &plan).unwrap_or_else(|error| panic!("{error}: {plan:?}"));
        steps += plan.steps.len();
        let is_rule = |step: &&Step| matches!(step, Step::Rule(_));
        rules += plan.steps.iter().filter(is_rule).count();
        let words = in_words(&knowledge, &plan);
        let phrases = [" follows:", " discards:", " does not follow:"];
        for (explained, phrase) in explained.iter_mut().zip(phrases) {
            *explained += words.matches(phrase).count();
        }
    }
    assert_eq!((steps, rules, explained), (805, 31, [8, 9, 2]));
}
