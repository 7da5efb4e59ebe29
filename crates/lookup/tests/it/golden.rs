//! A database of 8 cards, opened and asked in every way.

use std::error::Error;

use setrograde_endgame::diagram::Bounds;
use setrograde_lookup::Database;

use crate::{GOLDEN, random_ending};

#[test]
fn all_questions_about_an_ending_have_one_answer() -> Result<(), Box<dyn Error>> {
    let database = Database::open(GOLDEN)?;
    let random = &mut fastrand::Rng::with_seed(7);
    for _ in 0..500 {
        let ending = random_ending(2, random)?;
        let located = database.locate(&ending)?.ok_or("not held")?;
        let answer = located.answer()?;
        assert_eq!(answer.value, located.value()?);
        assert_eq!(database.values(&[ending; 20])?, [Some(answer.value); 20]);
        let exactly = Bounds::exactly(answer.value);
        assert_eq!(located.bounds(&answer.set), exactly);
        let wide = located.widen(&answer.set, exactly);
        assert_eq!(located.bounds(&wide), exactly);
        for target in 0..=3 {
            let walk = located.prove(target)?;
            assert!(walk.bounds.contain(exactly) && !walk.bounds.leave_open(target));
            let reached = answer.value >= target;
            assert_eq!(located.decide(target)?.reached, reached);
            let verdict = database.decide(&ending, target)?.ok_or("not held")?;
            assert_eq!(verdict.reached, reached, "{target} of {}", answer.value);
        }
    }
    Ok(())
}
