//! A database of 8 cards, opened and asked in every way.

use std::error::Error;
use std::path::{Path, PathBuf};

use setrograde_cards::{Deal, Position, Seat, Strain};
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
        assert_eq!(located.decide(target)?.reached, answer.value >= target);
    }
    Ok(())
}

#[test]
fn a_verdict_at_once_is_that_of_the_ending_that_is_found() -> Result<(), Box<dyn Error>> {
    let database = Database::open(directory())?;
    let random = &mut fastrand::Rng::with_seed(7);
    for _ in 0..500 {
        let (strain, leader) = (Strain::ALL[random.usize(..5)], random.usize(..4));
        let deal = Deal::random_ending(2, |n| random.usize(..n));
        let position = Position::new(strain, Seat::ALL[leader], deal, &[])?;
        let ending = Ending::from_position(&position)?;
        let value = database.locate(&ending)?.ok_or("not held")?.value()?;
        for target in 0..=3 {
            let verdict = database.decide(&ending, target)?.ok_or("not held")?;
            assert_eq!(verdict.reached, value >= target, "{target} of {value}");
        }
    }
    Ok(())
}
