//! The two streams of a shard, of diagrams or of trees.
//!
//! An input is a byte for the kind of the database, one for the level (even for 4 cards, odd for 8),
//! four for the number of nodes that the index
//! promises, four for the length of the first stream, and both streams.

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::diagram_codec::DiagramReader;
use setrograde_lookup::paper::card_order::CardOrder;
use setrograde_lookup::paper::tree_codec::TreeReader;
use std::sync::LazyLock;

use crate::golden::GOLDEN;

/// The database of trees.
const TREES: usize = 1;

/// The database with a coarse level.
const COARSE: usize = 2;

/// An input in its parts.
pub struct Parts {
    /// The number of the database in [`GOLDEN`].
    pub kind: usize,
    pub level: usize,
    pub nodes: u32,
    pub streams: [Vec<u8>; 2],
}

impl Parts {
    pub fn read(input: &[u8]) -> Option<Parts> {
        let (&[kind, level, n0, n1, n2, n3, l0, l1, l2, l3], streams) =
            input.split_first_chunk::<10>()?;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let (first, second) = streams.split_at(length.min(streams.len()));
        Some(Parts {
            kind: usize::from(kind) % GOLDEN.len(),
            level: usize::from(level % 2) + 1,
            nodes: u32::from_le_bytes([n0, n1, n2, n3]),
            streams: [first.to_vec(), second.to_vec()],
        })
    }

    fn write(&self) -> Vec<u8> {
        let mut bytes = vec![self.kind as u8, self.level as u8 - 1];
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend((self.streams[0].len() as u32).to_le_bytes());
        bytes.extend(self.streams.concat());
        bytes
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (kind, golden) in GOLDEN.iter().enumerate() {
        for (level, golden) in (1..).zip(&golden.levels) {
            let parts = Parts {
                kind,
                level,
                nodes: golden.entries[0].nodes,
                streams: golden.streams[0].clone(),
            };
            seeds.push(parts.write());
        }
    }
    seeds.extend([1, 2].map(|level| chain(level).write()));
    seeds
}

/// Diagrams whose paths continue in the diagram before, and that share nearly all
/// nodes: far deeper than there are cards, and with more paths than can be
/// walked.
pub fn chain(level: usize) -> Parts {
    let mut chain = Chain::default();
    for partition in PARTITIONS[level - 1].iter() {
        let lengths = partition.shape.lengths.map(|suit| suit.to_array());
        chain.begun = chain.count > 0;
        chain.last = chain.count;
        chain.child(&mut lengths.map(|suit| suit.map(usize::from)));
    }
    Parts {
        kind: 0,
        level,
        nodes: chain.count,
        streams: [chain.tokens, chain.distances],
    }
}

#[derive(Default)]
struct Chain {
    tokens: Vec<u8>,
    distances: Vec<u8>,
    /// Nodes finished.
    count: u32,
    /// Number of the root before.
    last: u32,
    begun: bool,
}

impl Chain {
    fn finished(&mut self, mut distance: u32) {
        self.tokens.push(20);
        while distance >= 128 {
            self.distances.push(distance as u8 | 128);
            distance >>= 7;
        }
        self.distances.push(distance as u8);
    }

    fn child(&mut self, lengths: &mut [[usize; 4]; 4]) {
        let shared = |suit: &&[usize; 4]| suit.iter().filter(|&&cards| cards > 0).count() > 1;
        let Some(suit) = lengths.iter().position(|suit| shared(&suit)) else {
            if self.begun {
                self.finished(self.count - self.last);
            } else {
                self.tokens.push(0);
            }
            return;
        };
        self.tokens.push(16 + suit as u8);
        let mut first = true;
        for owner in 0..4 {
            if lengths[suit][owner] == 0 {
                continue;
            }
            let before = self.count;
            if first {
                lengths[suit][owner] -= 1;
                self.child(lengths);
                lengths[suit][owner] += 1;
            } else if before > 0 && (self.begun || before > self.last) {
                self.finished(0);
            } else {
                self.tokens.push(1);
            }
            first = false;
        }
        self.count += 1;
    }
}

static PARTITIONS: LazyLock<[PartitionIndex; 2]> =
    LazyLock::new(|| [1, 2].map(PartitionIndex::new));

pub fn run(input: &[u8]) {
    let Some(parts) = Parts::read(input) else {
        return;
    };
    let [first, second] = &parts.streams;
    let shapes = PARTITIONS[parts.level - 1]
        .iter()
        .map(|partition| partition.shape);
    if parts.kind == TREES {
        let mut reader = TreeReader::new(first, second, parts.level);
        let mut sets = Vec::new();
        for shape in shapes {
            if reader.next(&CardOrder::new(shape), &mut sets).is_err() {
                return;
            }
        }
        let _ = reader.finish();
        assert!(sets.len() <= first.len() / 2);
    } else {
        let (nodes, coarse) = (parts.nodes as usize, parts.kind == COARSE);
        let mut reader = DiagramReader::new(first, second, parts.level, nodes, coarse);
        for shape in shapes {
            if reader.next(shape).is_err() {
                return;
            }
        }
        let nodes = reader.node_count();
        if reader.finish().is_ok() {
            assert!(nodes <= first.len());
        }
    }
}
