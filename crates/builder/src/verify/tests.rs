//! Right databases pass; wrong ones are found out, and what is wrong is named.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use setrograde_cards::Position;
use setrograde_endgame::diagram::{Bounds, Diagram, Node, Ref};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::codec::Streams;
use setrograde_lookup::layout::{self, Entry, Header};
use setrograde_lookup::manifest::{self, Manifest};
use setrograde_lookup::{Database, Ending, Level};
use tempfile::TempDir;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::checksums::{self, own_nodes};
use super::exhaustive::Exhaustive;
use super::parallel::Workers;
use super::reproof::{self, check_diagram};
use super::retrograde::{Solver, Table};
use super::suit_deals::AllDeals;
use super::three_valued::{Evaluator, Truth};
use super::{Check, PartitionName, Verify, VerifyError, known::Known, sample};
use crate::{Build, Silent};

type Outcome = Result<(), Box<dyn Error>>;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn built(cards: usize) -> Result<TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let build = Build {
        directory: directory.path().to_owned(),
        cards,
        threads: Some(2),
        force: false,
        program: "test".to_owned(),
    };
    build.run(&Silent, &GO_ON)?;
    Ok(directory)
}

fn workers() -> Result<Workers<'static, Silent>, Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    Ok(Workers {
        pool,
        observer: &Silent,
        stop: &GO_ON,
    })
}

/// Writes a level anew, its diagrams and its header as `change` and `header`
/// leave them, with all checksums right.
fn rewrite(
    directory: &Path,
    number: usize,
    mut change: impl FnMut(usize, Partition, &mut Vec<Node>, &mut Ref),
    header: impl FnOnce(&mut Header),
) -> Outcome {
    let path = manifest::level_path(directory, number);
    let level = Level::open(&path)?;
    let mut written = Header {
        nodes: 0,
        sets: 0,
        ..*level.header()
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut body = Vec::new();
    let mut content = Xxh3::new();
    let mut largest = 0;
    let start = (layout::HEADER_BYTES + level.shard_count() * layout::ENTRY_BYTES) as u64;
    for shard in 0..level.shard_count() {
        let mut streams = Streams::default();
        let mut nodes_in_shard = 0;
        for number in level.shard_partitions(shard) {
            let partition = level.partitions().partition(number).ok_or("no partition")?;
            let diagram = own_nodes(level.numbered_diagram(number)?);
            let (mut nodes, mut root) = (diagram.nodes.to_vec(), diagram.root);
            change(number, partition, &mut nodes, &mut root);
            let diagram = Diagram {
                nodes: &nodes,
                root,
            };
            let before = streams.tokens.len();
            streams.push(diagram, partition.shape);
            written.sets += diagram.set_count();
            // Only nodes that are still in use are written.
            let nodes = streams.tokens[before..]
                .iter()
                .filter(|token| (16..20).contains(*token))
                .count();
            nodes_in_shard += nodes;
            largest = largest.max(nodes as u64);
        }
        written.nodes += nodes_in_shard as u64;
        let [tokens, distances] = [&streams.tokens, &streams.distances];
        let both = [xxh3_64(tokens), xxh3_64(distances)].map(u64::to_le_bytes);
        content.update(&xxh3_64(&both.concat()).to_le_bytes());
        let zipped = [tokens, distances].map(|plain| zstd::bulk::compress(plain, 1));
        let [zipped_tokens, zipped_distances] = zipped;
        let (zipped_tokens, zipped_distances) = (zipped_tokens?, zipped_distances?);
        let bytes = [&zipped_tokens[..], &zipped_distances].concat();
        entries.push(Entry {
            offset: start + body.len() as u64,
            checksum: xxh3_64(&bytes),
            token_bytes: zipped_tokens.len() as u32,
            distance_bytes: zipped_distances.len() as u32,
            tokens: tokens.len() as u32,
            distances: distances.len() as u32,
            nodes: nodes_in_shard as u32,
        });
        body.extend(bytes);
    }
    written.content = content.digest();
    header(&mut written);
    let (mut file, checksum) = layout::head_bytes(&written, &entries);
    file.extend(body);
    // The old file is still mapped, so it must not be written into.
    fs::remove_file(&path)?;
    fs::write(&path, &file)?;
    let mut manifest = Manifest::read(directory)?;
    let mut record = manifest.level(number).ok_or("no record")?.clone();
    record.bytes = file.len() as u64;
    record.checksum = checksum;
    record.content = written.content;
    record.sets = written.sets;
    record.nodes = written.nodes;
    record.largest = largest;
    manifest.insert(record);
    fs::write(manifest::path_in(directory), manifest.to_bytes()?)?;
    Ok(())
}

fn keep_header(_: &mut Header) {}

#[test]
fn a_right_database_passes_every_check() -> Outcome {
    let directory = built(8)?;
    let database = Database::open(directory.path())?;
    let verify = Verify {
        sample: 500,
        exhaustive: true,
        ..Verify::default()
    };
    let report = verify.run(&database, &Silent, &GO_ON)?;
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| (check.cards, check.check, check.units))
        .collect();
    assert_eq!(
        checks,
        [
            (4, Check::Checksums, 1),
            (4, Check::Sets, 52),
            (4, Check::Sample, 500),
            (4, Check::Exhaustive, 209),
            (8, Check::Checksums, 9),
            (8, Check::Sets, 2_054),
            (8, Check::Sample, 500),
            (8, Check::Exhaustive, 87_921),
        ]
    );
    let sets = |level| database.manifest().level(level).map(|record| record.sets);
    assert_eq!(Some(report.checks[1].sets), sets(1));
    assert_eq!(Some(report.checks[5].sets), sets(2));
    Ok(())
}

#[test]
fn a_level_not_held_and_an_interruption_are_errors() -> Outcome {
    let directory = built(4)?;
    let database = Database::open(directory.path())?;
    let verify = Verify {
        levels: Some(2..=2),
        ..Verify::default()
    };
    let found = verify.run(&database, &Silent, &GO_ON);
    assert!(matches!(found, Err(VerifyError::LevelNotHeld { cards: 8 })));
    let found = Verify::default().run(&database, &Silent, &AtomicBool::new(true));
    assert!(matches!(found, Err(VerifyError::Interrupted)));
    Ok(())
}

#[test]
fn a_wrong_value_is_found_by_every_check_that_looks_at_values() -> Outcome {
    let directory = built(8)?;
    let workers = workers()?;
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
                    let children = &mut nodes[root.place()].children;
                    let leaf = children.iter().position(|child| child.is_leaf());
                    let other = children.iter().any(|child| child.is_node());
                    if let Some(leaf) = leaf.filter(|_| other) {
                        let value = children[leaf].lo();
                        children[leaf] = Ref::leaf(if value == 0 { 1 } else { value - 1 });
                        changed.push(number);
                    }
                } else if wanted == "the root" && root.is_leaf() {
                    *root = Ref::leaf(2 - root.lo());
                    if root.lo() != 1 {
                        changed.push(number);
                    }
                }
            },
            keep_header,
        )?;
        let database = Database::open(directory.path())?;
        let level = database.level(2).ok_or("no level")?;
        checksums::check(&database, level, &workers)?;

        let found = reproof::check(level, database.level(1), &workers);
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
        let query = Ending::from_position(&ending.parse::<Position>()?)?;
        assert_eq!(database.value(&query)?, *stored);
        assert_ne!(stored, right);

        let found = Exhaustive::new(2).check(level, &workers);
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
        let query = Ending::from_position(&ending.parse::<Position>()?)?;
        assert_eq!(database.value(&query)?, *stored);
        assert_ne!(stored, right);

        let one_thread = Verify {
            threads: Some(1),
            ..Verify::default()
        };
        let Err(error) = one_thread.run(&database, &Silent, &GO_ON) else {
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

#[test]
fn a_sample_finds_values_that_are_often_wrong() -> Outcome {
    let directory = built(4)?;
    let swap = |_, _, _: &mut Vec<Node>, root: &mut Ref| {
        if root.is_leaf() {
            *root = Ref::leaf(1 - root.lo());
        }
    };
    rewrite(directory.path(), 1, swap, keep_header)?;
    let database = Database::open(directory.path())?;
    let level = database.level(1).ok_or("no level")?;
    let found = sample::check(&database, level, 200, 1, &workers()?);
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
    let query = Ending::from_position(&ending.parse::<Position>()?)?;
    assert_eq!(database.value(&query)?, *stored);
    assert_eq!(*right, 1 - stored);
    assert_eq!(query.canonical().shape, partition.partition.shape);
    Ok(())
}

#[test]
fn a_diagram_that_does_not_cover_its_partition_is_found() -> Outcome {
    let directory = built(12)?;
    // A node that asks again for a suit in which hand 0 has played its last
    // card is put where that hand has it still. In the file it stands in its
    // right place first, and is only referred to in the wrong one, so that it
    // can be read.
    let mut changed = None;
    rewrite(
        directory.path(),
        3,
        |number, partition, nodes, root| {
            if changed.is_some() || !root.is_node() {
                return;
            }
            let column = partition.shape.columns[root.suit()];
            let children = nodes[root.place()].children;
            let last = children[0];
            let other = (1..4).find(|&owner| children[owner].is_node());
            if let Some(other) = other
                && column.length(0) == 1
                && last.is_node()
                && last.suit() == root.suit()
            {
                nodes[root.place()].children[other] = last;
                changed = Some(number);
            }
        },
        keep_header,
    )?;
    let changed = changed.ok_or("no partition to spoil")?;
    let database = Database::open(directory.path())?;
    let level = database.level(3).ok_or("no level")?;
    let found = reproof::check(level, database.level(2), &workers()?);
    match &found {
        Err(VerifyError::Cover { partition, .. }) => assert_eq!(partition.number, changed),
        _ => return Err(format!("{found:?}").into()),
    }
    Ok(())
}

#[test]
fn diagrams_with_wrong_bounds_or_owners_are_found() -> Outcome {
    let directory = built(8)?;
    let database = Database::open(directory.path())?;
    let level = database.level(2).ok_or("no level")?;
    let mut evaluator = Evaluator::new(level, database.level(1));
    let mut tried = 0;
    for (number, partition) in level.partitions().iter().enumerate() {
        let diagram = own_nodes(level.numbered_diagram(number)?);
        let name = PartitionName { number, partition };
        let root = diagram.root;
        if !root.is_node() {
            continue;
        }
        let mut problem = |nodes: &[Node], root: Ref| {
            let diagram = Diagram { nodes, root };
            match check_diagram(&mut evaluator, level, name, diagram) {
                Err(VerifyError::Cover { problem, .. }) => problem,
                Err(_) => "another error",
                Ok(_) => "none",
            }
        };
        assert_eq!(problem(diagram.nodes, root), "none");
        if root.bounds() == (Bounds { lo: 0, hi: 1 }) {
            let wide = Ref::node(root.suit(), root.place(), Bounds { lo: 0, hi: 2 });
            let found = problem(diagram.nodes, wide);
            assert_eq!(found, "the bounds are not those of the children");
            tried += 1;
        }
        let column = partition.shape.columns[root.suit()];
        if let Some(none) = (0..4).find(|&owner| column.length(owner) == 0) {
            let mut nodes = diagram.nodes.to_vec();
            nodes[root.place()].children[none] = Ref::leaf(root.lo());
            let found = problem(&nodes, root);
            assert_eq!(found, "a hand without cards may own the next card");
            tried += 1;
        }
        if column.holders() == 4 {
            let mut nodes = diagram.nodes.to_vec();
            let children = &mut nodes[root.place()].children;
            for owner in 0..4 {
                let child = std::mem::replace(&mut children[owner], Ref::NOTHING);
                let join = |bounds: Bounds, child: &Ref| bounds.join(child.bounds());
                if children.iter().fold(Bounds::NOTHING, join) == root.bounds() {
                    tried += 1;
                    break;
                }
                children[owner] = child;
            }
            if children.contains(&Ref::NOTHING) {
                let found = problem(&nodes, root);
                assert_eq!(found, "a hand that may own the next card is left out");
            }
        }
        let empty = (0..4).find(|&suit| partition.shape.columns[suit].total() == 0);
        if let Some(empty) = empty {
            let wrong = Ref::node(empty, root.place(), root.bounds());
            let found = problem(diagram.nodes, wrong);
            assert_eq!(found, "it asks for a card of a suit that has none left");
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
    Ok(())
}

#[test]
fn counts_that_do_not_add_up_are_found() -> Outcome {
    type Change = fn(&mut Header);
    let cases: [(Change, &str); 3] = [
        (|header| header.sets += 1, "number of sets"),
        (|header| header.nodes += 1, "number of nodes"),
        (|header| header.content ^= 1, "hash of the content"),
    ];
    let directory = built(8)?;
    for (change, name) in cases {
        rewrite(directory.path(), 2, |_, _, _, _| {}, change)?;
        let database = Database::open(directory.path())?;
        let found = Verify::default().run(&database, &Silent, &GO_ON);
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
fn one_flipped_bit_anywhere_is_found_and_named() -> Outcome {
    let directory = built(8)?;
    let workers = workers()?;
    let check = || -> Result<(), String> {
        let database = Database::open(directory.path()).map_err(|error| error.to_string())?;
        for level in database.levels() {
            let checked = checksums::check(&database, level, &workers);
            checked.map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    let head = layout::HEADER_BYTES + 9 * layout::ENTRY_BYTES;
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
                let place = if at < head { "header" } else { "shard" };
                assert!(found.contains(place) || at < 12, "{at}: {found}");
            }
        }
        fs::write(&path, &right)?;
        check()?;
    }
    Ok(())
}

#[test]
fn what_three_valued_logic_says_is_so() -> Outcome {
    let directory = built(8)?;
    let database = Database::open(directory.path())?;
    let level = database.level(2).ok_or("no level")?;
    let deals = AllDeals::up_to(2);
    let first = Table::empty(1);
    let mut solver = Solver::new(1, &deals, None);
    for (number, partition) in first.partitions().iter().enumerate() {
        first.enter(
            number,
            solver.solve(partition, |_, _| Ok::<_, VerifyError>(()))?,
        );
    }
    let mut solver = Solver::new(2, &deals, Some(&first));
    let mut evaluator = Evaluator::new(level, database.level(1));
    let (mut known, mut unknown) = (0, 0);
    for partition in level.partitions().iter() {
        evaluator.enter(partition);
        let mut endings = Vec::new();
        solver.solve(partition, |owners, value| {
            endings.push((owners, value));
            Ok::<_, VerifyError>(())
        })?;
        let mut sets = vec![Known::nothing(partition.shape)];
        for (suit, column) in partition.shape.columns.iter().enumerate() {
            let owners = (0..4).filter(|&owner| column.length(owner) > 0);
            sets.extend(owners.map(|owner| Known::nothing(partition.shape).learn(suit, owner)));
        }
        // A single ending, on which nothing may be left open.
        sets.push(sets[0].any_ending());
        for (at, set) in sets.iter().enumerate() {
            let of_set = endings.iter().filter(|(owners, _)| set.holds(owners));
            for tricks in 1..=2 {
                let (truth, learn) = evaluator.truth(set, tricks)?;
                for hoped in [true, false] {
                    let wanted = if hoped { Truth::True } else { Truth::False };
                    assert_eq!(evaluator.holds(set, tricks, hoped)?, truth == wanted);
                }
                match truth {
                    Truth::True => assert!(of_set.clone().all(|ending| ending.1 >= tricks)),
                    Truth::False => assert!(of_set.clone().all(|ending| ending.1 < tricks)),
                    Truth::Unknown => {
                        assert!(at + 1 < sets.len());
                        let suit = learn.ok_or("nothing to learn")?;
                        assert!(set.hidden(suit).holders() > 1);
                        unknown += 1;
                        continue;
                    }
                }
                known += 1;
            }
        }
    }
    assert!(known > 10_000 && unknown > 1_000, "{known} {unknown}");
    Ok(())
}
