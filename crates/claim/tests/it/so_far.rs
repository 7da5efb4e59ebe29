//! Bounds that are known already while a search is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::positions::random;
use setrograde_claim::{Claims, Options, SoFar};

#[test]
fn what_is_known_so_far_is_right_at_every_moment() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..60 {
        let knowledge = random(&mut rng, 5 + number % 4);
        let left = knowledge.tricks_left() as u8;
        let sure = Claims::new(Options::default())
            .sure(&knowledge)
            .expect("no limit");
        let so_far = Arc::new(SoFar::default());
        let mut claims = Claims::new(Options {
            so_far: Some(Arc::clone(&so_far)),
            ..Options::default()
        });
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                let mut moments = Vec::new();
                while !done.load(Ordering::Relaxed) {
                    moments.push(so_far.bounds());
                    std::thread::yield_now();
                }
                moments
            });
            assert_eq!(claims.sure(&knowledge).expect("no limit"), sure);
            done.store(true, Ordering::Relaxed);
            for (least, most) in watch.join().expect("it only looks") {
                assert!(
                    least <= sure && sure <= most && most <= 13,
                    "{least} {sure} {most}"
                );
                seen.insert((least, most));
            }
        });
        assert_eq!(so_far.bounds(), (sure, sure));
        // An interrupted search leaves its results so far.
        for limit in [1, 10, 100] {
            let so_far = Arc::new(SoFar::default());
            let mut claims = Claims::new(Options {
                so_far: Some(Arc::clone(&so_far)),
                limit: Some(limit),
                ..Options::default()
            });
            let found = claims.sure(&knowledge);
            let (least, most) = so_far.bounds();
            assert!(
                least <= sure && sure <= most && most <= left,
                "{least} {sure} {most}"
            );
            assert!(found.is_err() || (least, most) == (sure, sure));
            seen.insert((least, most));
        }
    }
    assert!(
        seen.iter().any(|(least, most)| 0 < *least && least < most),
        "{seen:?}"
    );
}
