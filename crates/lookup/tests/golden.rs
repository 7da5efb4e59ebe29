//! A database of 8 cards, opened and asked in every way.

use std::error::Error;
use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::Bounds;
use setrograde_lookup::{Access, Database, Ending};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden")
}

fn ending(text: &str) -> Result<Ending, Box<dyn Error>> {
    Ok(Ending::from_position(&text.parse()?)?)
}

#[test]
fn mapped_and_read_levels_hold_the_same() -> Result<(), Box<dyn Error>> {
    let mapped = Database::open(directory())?;
    let read = Database::open_with(directory(), Access::Read)?;
    for (mapped, read) in mapped.levels().zip(read.levels()) {
        for shard in 0..mapped.shard_count() {
            assert_eq!(mapped.check_shard(shard)?, read.check_shard(shard)?);
        }
    }
    Ok(())
}

#[test]
fn a_located_ending_answers_every_question() -> Result<(), Box<dyn Error>> {
    let database = Database::open(directory())?;
    let ending = ending("H W N:A.2.. K..A. .AK.. Q..K.")?;
    let located = database.locate(&ending)?;
    let answer = located.answer()?;
    assert_eq!(answer.value, located.value()?);
    assert_eq!(answer, database.probe(&ending)?);
    assert_eq!(database.values(&[ending; 20])?, [answer.value; 20]);
    let exactly = Bounds::exactly(answer.value);
    assert_eq!(located.bounds(&answer.set), exactly);
    assert_eq!(
        located.bounds(&located.widen(&answer.set, exactly)),
        exactly
    );
    for target in 0..=3 {
        let walk = located.prove(target)?;
        assert!(walk.bounds.contain(exactly) && !walk.bounds.leave_open(target));
        assert_eq!(located.decide(target)?.reached, answer.value >= target);
    }
    Ok(())
}
