//! A database of 8 cards, opened and asked in every way.

use std::error::Error;
use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::Bounds;
use setrograde_lookup::{Database, Ending};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden")
}

fn ending(text: &str) -> Result<Ending, Box<dyn Error>> {
    Ok(Ending::from_position(&text.parse()?)?)
}

#[test]
fn a_located_ending_answers_every_question() -> Result<(), Box<dyn Error>> {
    let database = Database::open(directory())?;
    let ending = ending("H W N:A.2.. K..A. .AK.. Q..K.")?;
    let located = database.locate(&ending)?.ok_or("not held")?;
    let answer = located.answer()?;
    assert_eq!(answer.value, located.value()?);
    assert_eq!(database.values(&[ending; 20])?, [Some(answer.value); 20]);
    let exactly = Bounds::exactly(answer.value);
    assert_eq!(located.bounds(&answer.set), exactly);
    assert_eq!(
        located.bounds(&located.widen(&answer.set, exactly)),
        exactly
    );
    for target in 0..=3 {
        let walk = located.prove(target)?;
        assert!(walk.bounds.contain(exactly) && !walk.bounds.leave_open(target));
        let reached = answer.value >= target;
        assert_eq!(located.decide(target)?.reached, reached);
        let at_once = database.decide(&ending, target)?.ok_or("not held")?;
        assert_eq!(at_once.reached, reached);
    }
    Ok(())
}
