//! Bounds that hold between the methods.

use setrograde_claim::{Claims, Options, ordered};

use crate::positions;

/// Ordered ≤ sure ≤ minimum double dummy ≤ double dummy.
#[test]
fn each_method_is_bounded_by_the_next() {
    let mut rng = fastrand::Rng::with_seed(21);
    let mut claims = Claims::new(Options::default());
    let mut strict = [0; 2];
    for n in 0..10_000 {
        let knowledge = positions::random(&mut rng, 2 + n % 3);
        let order = ordered(&knowledge).len() as u8;
        let sure = claims.sure(&knowledge).unwrap();
        let least = positions::least_double_dummy(&mut claims, &knowledge);
        assert!(order <= sure && sure <= least, "{knowledge:#?}");
        strict[0] += u32::from(order < sure);
        strict[1] += u32::from(sure < least);
    }
    assert!(strict[0] > 100 && strict[1] > 20, "{strict:?}");
}
