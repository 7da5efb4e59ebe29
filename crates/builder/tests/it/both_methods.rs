//! Both methods give every ending the same value.

use std::error::Error;
use std::path::Path;

use setrograde_builder::{Method, Silent, Stop};
use setrograde_endgame::diagram::{Diagram, Edge, View};
use setrograde_endgame::partition::SuitOrder;
use setrograde_endgame::set::EndingSet;
use setrograde_lookup::{Database, Level};

use crate::build_by;

const IDENTITY: View = View {
    order: SuitOrder::IDENTITY,
    leader: 0,
};

fn built_by(method: Method, directory: &Path, cards: usize) -> Result<Database, Box<dyn Error>> {
    build_by(method, directory, cards).run(&Silent, &Stop::default())?;
    Ok(Database::open(directory)?)
}

/// Compares all endings of a level: each path of a diagram of `refined` is a set of endings, over
/// which the diagram unfolded from a tree of `analysed` must have one value. Returns the number of
/// sets.
fn compare(refined: &Level, analysed: &Level) -> Result<u64, Box<dyn Error>> {
    let mut sets = 0;
    for (number, partition) in refined.partitions().iter().enumerate() {
        let diagram = refined.diagram(partition)?;
        let other = analysed.diagram(partition)?;
        let set = EndingSet::EVERYTHING;
        sets += compare_below(&diagram, diagram.root(), set, &other, number);
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
        let found = other.bounds(&set, IDENTITY);
        assert_eq!(found, at.bounds(), "partition {number}: {set:?}");
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
    let refined = built_by(Method::Refine, first.path(), cards)?;
    let analysed = built_by(Method::Setrograde, second.path(), cards)?;
    for (refined, analysed) in refined.levels().zip(analysed.levels()) {
        let sets = compare(refined, analysed)?;
        println!("{} cards: {sets} sets compared", 4 * refined.level());
    }
    Ok(())
}

#[test]
fn both_methods_agree_on_all_endings_of_eight_cards() -> Result<(), Box<dyn Error>> {
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
