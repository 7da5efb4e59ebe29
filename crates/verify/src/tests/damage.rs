//! Files on the disk that are wrong.

use std::error::Error;
use std::fs;
use std::path::Path;

use setrograde_cards::Position;
use setrograde_endgame::diagram::{Edge, Node};
use setrograde_lookup::format::level_header::{self, Header};
use setrograde_lookup::format::manifest;
use setrograde_lookup::{Database, Ending, LevelFile};

use super::rewrite::{keep_header, rewrite};
use super::{GO_ON, golden, workers};
use crate::checksums::check_level;
use crate::reproof::{self, Chosen, Groups};
use crate::{Check, SilentCheck, Verify, VerifyError, exhaustive};

/// The value of an ending in a database.
fn value(database: &Database, ending: &str) -> Result<u8, Box<dyn Error>> {
    let ending = Ending::from_position(&ending.parse::<Position>()?)?;
    Ok(database.locate(&ending)?.ok_or("not held")?.value()?)
}

#[test]
fn a_wrong_value_is_found_by_every_check_that_looks_at_values() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    let workers = workers();
    // Any leaf of a node whose bounds stay as they are will do; so will a
    // partition whose endings all have one value.
    for wanted in ["a node", "the root"] {
        let mut changed = Vec::new();
        rewrite(
            directory.path(),
            2,
            |number, _, nodes, root| {
                if changed.len() == 2 || number < 700 {
                    return;
                }
                if wanted == "a node" && root.is_node() {
                    let children = &mut nodes[root.slot()].children;
                    let leaf = children.iter().position(|child| child.is_leaf());
                    let other = children.iter().any(|child| child.is_node());
                    if let Some(leaf) = leaf.filter(|_| other) {
                        let value = children[leaf].lo();
                        children[leaf] = Edge::leaf(if value == 0 { 1 } else { value - 1 });
                        changed.push(number);
                    }
                } else if wanted == "the root" && root.is_leaf() {
                    *root = Edge::leaf(2 - root.lo());
                    if root.lo() != 1 {
                        changed.push(number);
                    }
                }
            },
            keep_header,
        )?;
        let database = Database::open(directory.path())?;
        let level = database.level(2).ok_or("no level")?;
        let file = LevelFile::open(&manifest::level_path(directory.path(), 2))?;
        let groups = Groups::new(level, Some(&file));
        check_level(&database, level, Some(&file), &groups, &workers)?;

        let chosen = Chosen::new(level, &groups, None, 1);
        let found = reproof::check(level, Some(&file), database.level(1), &chosen, &workers);
        let Err(VerifyError::WrongSet {
            partition,
            ending,
            stored,
            right,
            ..
        }) = &found
        else {
            return Err(format!("{wanted}: {found:?}").into());
        };
        assert_eq!(partition.number, changed[0]);
        assert_eq!(value(&database, ending)?, *stored);
        assert_ne!(stored, right);

        let found = exhaustive::check_all(&database, level, &workers);
        let Err(VerifyError::WrongValue {
            partition,
            ending,
            stored,
            right,
            check,
            ..
        }) = &found
        else {
            return Err(format!("{wanted}: {found:?}").into());
        };
        assert_eq!((partition.number, *check), (changed[0], Check::Exhaustive));
        assert_eq!(value(&database, ending)?, *stored);
        assert_ne!(stored, right);

        let one_thread = Verify {
            threads: Some(1),
            ..Verify::default()
        };
        let Err(error) = one_thread.run(&database, &SilentCheck, &GO_ON) else {
            return Err("the whole run found nothing".into());
        };
        let text = error.to_string();
        let start = format!(
            "{}: partition {} (",
            manifest::level_path(directory.path(), 2).display(),
            changed[0]
        );
        assert!(text.starts_with(&start), "{text}");
    }
    Ok(())
}

/// Changes the value of each diagram of a level that has but one.
fn change_leaves(
    directory: &Path,
    level: usize,
    value: impl Fn(u8) -> u8,
) -> Result<(), Box<dyn Error>> {
    let change = |_, _, _: &mut Vec<Node>, root: &mut Edge| {
        if root.is_leaf() {
            *root = Edge::leaf(value(root.lo()));
        }
    };
    rewrite(directory, level, change, keep_header)
}

#[test]
fn a_sample_finds_values_that_are_often_wrong() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    change_leaves(directory.path(), 1, |value| 1 - value)?;
    let database = Database::open(directory.path())?;
    let level = database.level(1).ok_or("no level")?;
    let found = exhaustive::check_sample(&database, level, 200, 1, &workers());
    let Err(VerifyError::WrongValue {
        ending,
        stored,
        right,
        check,
        partition,
        ..
    }) = &found
    else {
        return Err(format!("{found:?}").into());
    };
    assert_eq!(*check, Check::Sample);
    assert_eq!(value(&database, ending)?, *stored);
    assert_eq!(*right, 1 - stored);
    let query = Ending::from_position(&ending.parse::<Position>()?)?;
    assert_eq!(query.canonical().partition.shape, partition.partition.shape);
    Ok(())
}

/// A seed draws the same endings in any run; each level and each seed has its own.
#[test]
fn a_seed_stands_for_its_endings() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    change_leaves(directory.path(), 2, |value| 2 - value.max(1))?;
    change_leaves(directory.path(), 1, |value| 1 - value)?;
    let database = Database::open(directory.path())?;
    let workers = workers();
    let mut drawn = Vec::new();
    for (level, seed) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let level = database.level(level).ok_or("no level")?;
        match exhaustive::check_sample(&database, level, 200, seed, &workers) {
            Err(VerifyError::WrongValue { ending, .. }) => drawn.push(ending),
            other => return Err(format!("{other:?}").into()),
        }
    }
    let expected = [
        "S S N:6... .4.. ..A. .2..",
        "H E N:.3.. ...T ...8 ..A.",
        "H W N:6..6. .7..4 Q..8. 3..7.",
        "NT S N:.5.K. .3.T. T2... ..2.J",
    ];
    assert_eq!(drawn, expected);
    Ok(())
}

#[test]
fn a_diagram_that_does_not_cover_its_partition_is_not_proved() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    // A node that asks again for a suit in which a hand has played its last
    // card is put where that hand has it still. In the file it is in its
    // right diagram first, and is only referred to in the wrong one.
    let mut changed = None;
    rewrite(
        directory.path(),
        2,
        |number, partition, nodes, root| {
            if changed.is_some() || !root.is_node() {
                return;
            }
            let suit_lengths = partition.shape.lengths[root.suit()];
            let children = nodes[root.slot()].children;
            let again = |&owner: &usize| {
                let child = children[owner];
                suit_lengths.length(owner) == 1 && child.is_node() && child.suit() == root.suit()
            };
            if let Some(owner) = (0..4).find(again)
                && let Some(other) = (owner + 1..4).find(|&other| children[other].is_node())
            {
                nodes[root.slot()].children[other] = children[owner];
                changed = Some(number);
            }
        },
        keep_header,
    )?;
    let changed = changed.ok_or("no partition to spoil")?;
    // Opening it unpacks the rewritten level.
    let database = Database::open(directory.path())?;
    let [below, level] = [1, 2].map(|level| database.level(level).expect("two levels"));
    let groups = Groups::new(level, None);
    let chosen = Chosen::new(level, &groups, None, 1);
    let found = reproof::check(level, None, Some(below), &chosen, &workers());
    match found.map(|_| ()) {
        Err(VerifyError::Cover {
            partition, problem, ..
        }) => {
            assert_eq!(partition.number, changed);
            assert_eq!(problem, "a hand that may own the next card is left out");
        }
        other => return Err(format!("{other:?}").into()),
    }
    Ok(())
}

#[test]
fn counts_that_do_not_add_up_are_found() -> Result<(), Box<dyn Error>> {
    type Change = fn(&mut Header);
    let cases: [(Change, &str); 3] = [
        (|header| header.sets += 1, "number of sets"),
        (|header| header.nodes += 1, "number of nodes"),
        (|header| header.content ^= 1, "hash of the content"),
    ];
    let directory = golden()?;
    for (change, name) in cases {
        rewrite(directory.path(), 2, |_, _, _, _| {}, change)?;
        let database = Database::open(directory.path())?;
        let found = Verify::default().run(&database, &SilentCheck, &GO_ON);
        match found {
            Err(VerifyError::Count { what, path, .. }) => {
                assert_eq!(what, name);
                assert_eq!(path, manifest::level_path(directory.path(), 2));
            }
            other => return Err(format!("{name}: {other:?}").into()),
        }
    }
    Ok(())
}

#[test]
fn one_flipped_bit_anywhere_is_found_and_named() -> Result<(), Box<dyn Error>> {
    let directory = golden()?;
    let workers = workers();
    let check = || -> Result<(), String> {
        let database = Database::open(directory.path()).map_err(|error| error.to_string())?;
        for level in database.levels() {
            let path = manifest::level_path(directory.path(), level.level());
            let file = LevelFile::open(&path).map_err(|error| error.to_string())?;
            let groups = Groups::new(level, Some(&file));
            let checked = check_level(&database, level, Some(&file), &groups, &workers);
            checked.map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    let head = level_header::HEADER_BYTES + 9 * level_header::ENTRY_BYTES;
    for path in [
        manifest::level_path(directory.path(), 2),
        manifest::path_in(directory.path()),
    ] {
        let right = fs::read(&path)?;
        for at in (0..right.len()).filter(|&at| at < head || at % 5 == 0) {
            let mut wrong = right.clone();
            wrong[at] ^= 1 << (at % 8);
            fs::write(&path, &wrong)?;
            let Err(found) = check() else {
                return Err(format!("byte {at} of {}", path.display()).into());
            };
            assert!(
                found.starts_with(&path.display().to_string()),
                "{at}: {found}"
            );
            if path.extension().is_some() {
                let index = if at < head { "header" } else { "shard" };
                assert!(found.contains(index) || at < 12, "{at}: {found}");
            }
            if at % 25 == 0 {
                fs::write(&path, &right[..at])?;
                let found = check().expect_err("it is cut short");
                assert!(
                    found.starts_with(&path.display().to_string()),
                    "{at} bytes: {found}"
                );
            }
        }
        fs::write(&path, &right)?;
        check()?;
    }
    Ok(())
}
