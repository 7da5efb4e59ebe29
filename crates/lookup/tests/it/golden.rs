//! Levels of 8 and 12 cards, asked in every way.

use std::error::Error;

use setrograde_cards::Suit;
use setrograde_lookup::{Bounds, Database, EndingSet};

use crate::hostile::maps;
use crate::random_ending;

#[test]
fn all_questions_about_an_ending_have_one_answer() -> Result<(), Box<dyn Error>> {
    let database = Database::from_bytes(maps()?)?;
    let random = &mut fastrand::Rng::with_seed(7);
    for round in 0..3_500 {
        let ending = random_ending(if round < 500 { 2 } else { 3 }, random)?;
        let owner = |suit: Suit, nth| ending.owner(suit, nth).expect("a card").index();
        let located = database.locate(&ending)?.ok_or("not held")?;
        let answer = located.answer()?;
        assert_eq!(answer.value, located.value()?);
        assert_eq!(database.values(&[ending; 20])?, [Some(answer.value); 20]);
        let exactly = Bounds::exactly(answer.value);
        let wide = located.widen(&answer.set, exactly);
        for set in [answer.set, wide] {
            assert_eq!(located.bounds(&set), exactly);
            for suit in Suit::ALL {
                let masks = (0..set.known(suit.index())).map(|nth| set.mask(suit.index(), nth));
                let mut owned = masks
                    .enumerate()
                    .map(|(nth, mask)| mask >> owner(suit, nth));
                assert!(owned.all(|mask| mask & 1 == 1), "{ending:?}: {set:?}");
            }
        }
        assert!((0..4).all(|suit| wide.known(suit) <= answer.set.known(suit)));
        for target in 0..=3 {
            let walk = located.prove(target)?;
            assert!(walk.bounds.contain(exactly) && !walk.bounds.leave_open(target));
            assert_eq!(located.bounds(&walk.set), walk.bounds);
            let reached = answer.value >= target;
            let verdict = located.decide(target)?;
            assert_eq!(verdict.reached, reached);
            let mut known = EndingSet::EVERYTHING;
            for suit in Suit::ALL {
                for nth in 0..verdict.known.of_suit(suit.index()) {
                    known.learn(suit.index(), 1 << owner(suit, nth));
                }
            }
            let bounds = located.bounds(&known);
            assert!(!bounds.leave_open(target), "{ending:?} {target}");
            let verdict = database.decide(&ending, target)?.ok_or("not held")?;
            assert_eq!(verdict.reached, reached, "{target} of {}", answer.value);
        }
    }
    Ok(())
}
