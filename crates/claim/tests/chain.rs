//! Relations that hold between the methods, and cases in which the paper's breaks them.

mod positions;

use setrograde_claim::{
    Claims, Knowledge, Options, PaperOptions, Verdict, check_core, ordered, paper,
};

/// Small positions in which the paper's method claims a trick too many. While
/// declarer ruffs high, the defender with the trump discards: of the suit of
/// which he was sure to have a card.
const TOO_MUCH: &[(&str, u8)] = &[
    // Rule B: the ace of hearts is ruffed.
    ("S E W:A.A.. ? ...42 ? out=2.KQJ..", 2),
    // Rule C: dummy's ruff of a heart is over-ruffed.
    ("S E W:A.2.. ? 3...2 ? out=4.KQJ..", 2),
    // Rule B in the second round of a suit.
    ("S E W:A.AK.. ? ...432 ? out=2.QJT98..", 3),
];

fn paper_says(knowledge: &Knowledge, tricks: u8, losers: u8) -> bool {
    let options = PaperOptions {
        losers,
        ..PaperOptions::default()
    };
    paper(knowledge, tricks, options).found == Some(true)
}

#[test]
fn the_paper_claims_too_much() {
    for &(line, tricks) in TOO_MUCH {
        let knowledge: Knowledge = line.parse().unwrap();
        assert!(paper_says(&knowledge, tricks, 0), "{line}");
        let mut claims = Claims::new(Options::default());
        let Verdict::Refuted(Some(core)) = claims.decide(&knowledge, tricks).unwrap() else {
            panic!("{line}");
        };
        check_core(&knowledge, &core).unwrap();
    }
}

/// Ordered, sure, least double dummy, double dummy: none is above the next.
#[test]
fn each_method_is_bounded_by_the_next() {
    let mut rng = fastrand::Rng::with_seed(21);
    let mut claims = Claims::new(Options::default());
    let mut strict = [0; 2];
    for n in 0..10_000 {
        let knowledge = positions::random(&mut rng, 2 + n % 3);
        let order = ordered(&knowledge).len() as u8;
        let sure = claims.sure(&knowledge).unwrap();
        let (least, exact) = claims.least_double_dummy(&knowledge, 1_000).unwrap();
        assert!(exact && order <= sure && sure <= least, "{knowledge:#?}");
        strict[0] += u32::from(order < sure);
        strict[1] += u32::from(sure < least);
    }
    assert!(strict[0] > 100 && strict[1] > 20, "{strict:?}");
}
