//! Both methods give every ending the same value.

use std::error::Error;
use std::path::Path;

use setrograde_builder::{Build, Method, Silent, Stop};
use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::{Bounds, Diagram, Edge, View};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::{Partition, SuitOrder};
use setrograde_endgame::set::EndingSet;
use setrograde_lookup::{Database, Level};

const IDENTITY: View = View {
    order: SuitOrder::IDENTITY,
    leader: 0,
};

fn build(
    directory: &Path,
    cards: usize,
    method: Method,
    threads: usize,
) -> Result<Database, Box<dyn Error>> {
    let build = Build {
        method,
        threads: Some(threads),
        ..Build::new(directory, cards)
    };
    build.run(&Silent, &Stop::default())?;
    Ok(Database::open(directory)?)
}

/// All endings of a partition: the owners of each suit from the top. The leader is hand 0.
fn endings(partition: Partition) -> Vec<[Vec<u8>; 4]> {
    let mut all = vec![[const { Vec::new() }; 4]];
    for suit in 0..4 {
        let mut longer = Vec::new();
        for ending in &all {
            deal(
                partition.shape.lengths[suit].to_array(),
                &mut Vec::new(),
                &mut |owners| {
                    let mut next = ending.clone();
                    next[suit] = owners.to_vec();
                    longer.push(next);
                },
            );
        }
        all = longer;
    }
    all
}

fn deal(left: [u8; 4], owners: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
    if left == [0; 4] {
        visit(owners);
    }
    for hand in 0..4u8 {
        let mut left = left;
        if left[usize::from(hand)] > 0 {
            left[usize::from(hand)] -= 1;
            owners.push(hand);
            deal(left, owners, visit);
            owners.pop();
        }
    }
}

#[test]
fn every_ending_of_eight_cards_has_one_value_and_a_set_that_proves_it() -> Result<(), Box<dyn Error>>
{
    let (first, second) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let refined = build(first.path(), 8, Method::Refine, 1)?;
    let analysed = build(second.path(), 8, Method::Setrograde, 1)?;
    let mut count = 0;
    for level in analysed.levels() {
        for partition in level.partitions().iter() {
            let strain = if partition.trump {
                Strain::Trump(Suit::Spades)
            } else {
                Strain::NoTrump
            };
            for [s, h, d, c] in endings(partition) {
                let ending = Ending::new(strain, Seat::North, [&s, &h, &d, &c])?;
                let analysed = analysed.locate(&ending)?.ok_or("not held")?;
                let refined = refined.locate(&ending)?.ok_or("not held")?;
                let answer = analysed.answer()?;
                assert_eq!(analysed.value()?, refined.value()?, "{ending:?}");
                assert_eq!(answer.value, refined.value()?, "{ending:?}");
                let exact = Bounds {
                    lo: answer.value,
                    hi: answer.value,
                };
                assert_eq!(analysed.bounds(&answer.set), exact, "{ending:?}");
                assert_eq!(refined.bounds(&answer.set), exact, "{ending:?}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 209 + 87_921);
    Ok(())
}

/// Compares all endings of a level: each path of a diagram of `refined` is a set of endings, over
/// which the diagram unfolded from a tree of `analysed` must have one value. Returns the number of
/// sets.
fn compare(refined: &Level, analysed: &Level) -> Result<u64, Box<dyn Error>> {
    let mut sets = 0;
    for (number, partition) in refined.partitions().iter().enumerate() {
        let diagram = refined.diagram(partition)?;
        let other = analysed.diagram(partition)?;
        sets += compare_below(
            &diagram,
            diagram.root(),
            EndingSet::EVERYTHING,
            &other,
            number,
        );
    }
    Ok(sets)
}

fn compare_below(
    diagram: &Diagram<'_>,
    at: Edge,
    set: EndingSet,
    other: &Diagram<'_>,
    number: usize,
) -> u64 {
    if at.is_nothing() {
        return 0;
    }
    if at.is_leaf() {
        assert_eq!(
            other.bounds(&set, IDENTITY),
            at.bounds(),
            "partition {number}: {set:?}"
        );
        return 1;
    }
    let children = diagram.children(at);
    let mut sets = 0;
    for (owner, child) in children.into_iter().enumerate() {
        let mut set = set;
        set.learn(diagram.suit(at), 1 << owner);
        sets += compare_below(diagram, child, set, other, number);
    }
    sets
}

fn compare_up_to(cards: usize) -> Result<(), Box<dyn Error>> {
    let (first, second) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let refined = build(first.path(), cards, Method::Refine, 2)?;
    let analysed = build(second.path(), cards, Method::Setrograde, 2)?;
    for (refined, analysed) in refined.levels().zip(analysed.levels()) {
        let sets = compare(refined, analysed)?;
        println!("{} cards: {sets} sets compared", 4 * refined.level());
    }
    Ok(())
}

#[test]
fn both_methods_agree_on_all_sets_of_eight_cards() -> Result<(), Box<dyn Error>> {
    compare_up_to(8)
}

#[test]
#[ignore = "seconds in release, minutes without optimization"]
fn both_methods_agree_on_all_endings_of_twelve_cards() -> Result<(), Box<dyn Error>> {
    compare_up_to(12)
}

#[test]
#[ignore = "many minutes"]
fn both_methods_agree_on_all_endings_of_sixteen_cards() -> Result<(), Box<dyn Error>> {
    compare_up_to(16)
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() -> Result<(), Box<dyn Error>> {
    let directories = [tempfile::tempdir()?, tempfile::tempdir()?];
    let one = build(directories[0].path(), 8, Method::Setrograde, 1)?;
    let three = build(directories[1].path(), 8, Method::Setrograde, 3)?;
    for (one, three) in one.levels().zip(three.levels()) {
        assert_eq!(std::fs::read(one.path())?, std::fs::read(three.path())?);
    }
    Ok(())
}
