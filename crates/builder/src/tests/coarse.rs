//! Coarse levels on small ones: their intervals hold, and grain 0 is exact.

use std::error::Error;

use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::COARSE;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Bounds, Database, Ending, EndingSet, Grain, LevelFile};
use setrograde_parallel::Stop;
use tempfile::TempDir;

use crate::estimate::sample::build_run;
use crate::oracle::LevelBelow;
use crate::oracle::stored_level::StoredLevel;
use crate::{Build, DEEPEST, Method, Silent};

/// A database of 12 cards by these methods.
fn built(methods: [Method; DEEPEST + 1]) -> Result<TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let build = Build {
        methods,
        threads: Some(2),
        ..Build::new(directory.path(), 12)
    };
    build.run(&Silent, &Stop::default())?;
    Ok(directory)
}

fn level(directory: &TempDir, level: usize) -> Result<LevelFile, setrograde_lookup::Error> {
    LevelFile::open(&level_path(directory.path(), level))
}

const EXACT: [Method; DEEPEST + 1] = [Method::Refine; DEEPEST + 1];

fn coarse(from: usize, trillionths: u32) -> [Method; DEEPEST + 1] {
    let mut methods = EXACT;
    methods[from / 4..].fill(Method::Coarse(Grain::new(trillionths)));
    methods
}

/// The leaf to which an ending leads, whose suits have these owners from the top.
fn leaf(diagram: Diagram<'_>, owners: &[Vec<usize>; 4]) -> Edge {
    let (mut at, mut asked) = (diagram.root(), [0; 4]);
    while at.is_node() {
        let suit = diagram.suit(at);
        at = diagram.child(at, owners[suit][asked[suit]]);
        asked[suit] += 1;
    }
    at
}

/// The owners of a random ending's cards.
fn random_ending(partition: Partition, random: &mut fastrand::Rng) -> [Vec<usize>; 4] {
    partition.shape.lengths.map(|lengths| {
        let of_hand = |hand| std::iter::repeat_n(hand, lengths.length(hand).into());
        let mut owners: Vec<usize> = (0..4).flat_map(of_hand).collect();
        random.shuffle(&mut owners);
        owners
    })
}

#[test]
fn every_interval_contains_the_values_of_its_endings() -> Result<(), Box<dyn Error>> {
    let exact = built(EXACT)?;
    let golden = StoredLevel::new(level(&exact, 3)?, true)?;
    let random = &mut fastrand::Rng::with_seed(5);
    // 8 cards are coarse too.
    for (grain, content, lookups) in [
        (100_000_000, 15_214_815_187_658_711_251, 64_899),
        (10_000_000, 4_693_715_609_974_008_942, 1_334_036),
        (1_000_000, 16_546_197_477_702_163_863, 3_637_150),
    ] {
        let coarse = built(coarse(8, grain))?;
        // A change that claims the same bytes and the same work must leave these unchanged.
        let record = &Manifest::read(coarse.path())?.levels[2];
        assert_eq!(
            (record.content, record.lookups),
            (content, lookups),
            "{grain}"
        );
        let file = level(&coarse, 3)?;
        let header = file.header();
        assert_eq!((header.payload, header.grain), (COARSE, Grain::new(grain)));
        let found = StoredLevel::new(file, true)?;
        let (mut open, mut narrow) = (0, 0);
        for partition in PartitionIndex::new(3).iter() {
            let [diagram, exact] = [found.diagram(partition)?, golden.diagram(partition)?];
            for _ in 0..5 {
                let owners = random_ending(partition, random);
                let [found, exact] = [leaf(diagram, &owners), leaf(exact, &owners)];
                assert!(exact.is_leaf() && found.bounds().contain(exact.bounds()));
                open += usize::from(found.is_interval());
                narrow += usize::from(found.is_interval() && found.hi() - found.lo() < 3);
            }
        }
        assert!(open > 10_000 && narrow > 100, "{grain}: {open}, {narrow}");
    }
    Ok(())
}

/// A finer grain decides more, and grain 0 decides everything.
#[test]
fn grain_0_is_the_exact_level() -> Result<(), Box<dyn Error>> {
    let exact = built(EXACT)?;
    let finest = built(coarse(8, 0))?;
    for number in 1..=3 {
        let [exact, finest] = [&exact, &finest].map(|directory| level(directory, number));
        let (exact, finest) = (exact?, finest?);
        let [one, other] = [exact.header(), finest.header()];
        assert_eq!((one.sets, one.nodes), (other.sets, other.nodes));
        assert_eq!(
            (one.content, one.payload + 2 * u32::from(number > 1)),
            (other.content, other.payload)
        );
    }
    let below = StoredLevel::new(level(&exact, 2)?, true)?;
    let partitions = PartitionIndex::new(3);
    let mut before = 0;
    for grain in [100_000_000, 10_000_000, 1_000_000, 100_000, 0] {
        let mut nodes = 0;
        for number in (0..partitions.len()).step_by(50) {
            let method = Method::Coarse(Grain::new(grain));
            let one = number..number + 1;
            nodes += build_run(&below, &partitions, method, one, &Stop::default())?
                .counts
                .nodes;
        }
        assert!(nodes > before, "{grain}: {nodes}");
        before = nodes;
    }
    Ok(())
}

/// Endings of 12 cards, at random.
fn random_endings(count: usize) -> Vec<Ending> {
    let random = &mut fastrand::Rng::with_seed(8);
    let partitions = PartitionIndex::new(3);
    let drawn = std::iter::repeat_with(|| {
        let partition = partitions.partition(random.usize(..partitions.len()));
        let partition = partition.expect("below their number");
        let owners = random_ending(partition, random);
        let seats = owners
            .each_ref()
            .map(|owners| -> Vec<u8> { owners.iter().map(|&owner| owner as u8).collect() });
        let strain = if partition.trump {
            Strain::Trump(Suit::from_index(0))
        } else {
            Strain::NoTrump
        };
        Ending::new(strain, Seat::North, seats.each_ref().map(Vec::as_slice)).expect("an ending")
    });
    drawn.take(count).collect()
}

/// A coarse level answers like the exact one or leaves the question open. It answers no other
/// questions.
#[test]
fn a_coarse_level_decides_rightly_or_not_at_all() -> Result<(), Box<dyn Error>> {
    let exact = built(EXACT)?;
    let exact = Database::open(exact.path())?;
    let endings = random_endings(3_000);
    let mut shares = Vec::new();
    for grain in [100_000_000, 10_000_000, 100_000] {
        let directory = built(coarse(12, grain))?;
        let database = Database::open(directory.path())?;
        assert_eq!(
            (database.max_tricks(), database.extent().as_str()),
            (2, "8 cards, coarse up to 12")
        );
        let level = database.level(3).ok_or("12 cards")?;
        level.check()?;
        let known = level.header().known.ok_or("a coarse level")?;
        assert!(known > 0 && (known < level.header().partitions || grain < 1_000_000));
        let in_memory = LevelFile::open(&level_path(directory.path(), 3))?.in_memory()?;
        let (mut asked, mut decided) = (0, 0);
        for ending in &endings {
            let value = exact.locate(ending)?.ok_or("12 cards")?.value()?;
            assert!(database.locate(ending)?.is_none());
            let walk = database.bounds(ending)?.ok_or("a coarse level")?;
            assert!(walk.bounds.contain(Bounds::exactly(value)));
            for target in 1..=3 {
                asked += 1;
                if let Some(verdict) = database.decide(ending, target)? {
                    decided += 1;
                    assert_eq!(verdict.reached, value >= target);
                    let mut known = EndingSet::EVERYTHING;
                    for suit in Suit::ALL {
                        for nth in 0..verdict.known.of_suit(suit.index()) {
                            let seat = ending.owner(suit, nth).ok_or("no card")?;
                            known.learn(suit.index(), 1 << seat.index());
                        }
                    }
                    let bounds = exact.locate(ending)?.ok_or("12 cards")?.bounds(&known);
                    assert!(!bounds.leave_open(target), "{bounds:?} {target}");
                }
                assert_eq!(
                    database.decide(ending, target)?.is_some(),
                    !walk.bounds.leave_open(target)
                );
            }
            let partition = ending.canonical().partition;
            assert_eq!(
                level.diagram(partition)?.own_nodes(),
                in_memory.diagram(partition)?.own_nodes()
            );
        }
        assert_eq!(database.values(&endings[..100])?, vec![None; 100]);
        shares.push(f64::from(decided) / f64::from(asked));
    }
    println!("{shares:?}");
    assert!(shares.is_sorted() && shares[0] > 0.01 && shares[2] > shares[0] + 0.1);
    Ok(())
}
