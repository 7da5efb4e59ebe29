//! Diagrams of made-up value functions, against the functions themselves.

use proptest::prelude::*;
use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::census::Census;
use setrograde_endgame::diagram::{Bounds, Diagram, DiagramBuilder, Edge, View};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::{Partition, SuitOrder};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::set::EndingSet;

/// For each suit, in canonical order, the owners from the top; hand 0 leads.
type Owners = [Vec<u8>; 4];

/// A value that depends on some cards only, so that subtrees coincide.
fn value(owners: &Owners, salt: u64) -> u8 {
    let mut sum = salt;
    for suit in owners {
        for (place, &owner) in suit.iter().enumerate().take(2) {
            sum = sum
                .wrapping_mul(31)
                .wrapping_add((u64::from(owner) + salt) * (place as u64 + 1));
        }
    }
    (sum >> 3) as u8 % 3
}

/// Every way to deal the partition's suits.
fn all_deals(partition: Partition) -> Vec<Owners> {
    let mut deals: Vec<Owners> = vec![Default::default()];
    for suit in 0..4 {
        let suit_lengths = partition.shape.lengths[suit];
        for _ in 0..suit_lengths.total() {
            deals = deals
                .into_iter()
                .flat_map(|deal| {
                    (0..4u8).filter_map(move |owner| {
                        let held = deal[suit].iter().filter(|&&other| other == owner).count();
                        (held < usize::from(suit_lengths.length(usize::from(owner)))).then(|| {
                            let mut deal = deal.clone();
                            deal[suit].push(owner);
                            deal
                        })
                    })
                })
                .collect();
        }
    }
    deals
}

/// The diagram that asks for all cards, suit by suit.
fn grow(partition: Partition, known: &mut Owners, salt: u64, builder: &mut DiagramBuilder) -> Edge {
    let total = |suit: usize| partition.shape.lengths[suit].total() as usize;
    let Some(suit) = (0..4).find(|&suit| known[suit].len() < total(suit)) else {
        return Edge::leaf(value(known, salt));
    };
    let mut children = [Edge::NOTHING; 4];
    for (owner, child) in children.iter_mut().enumerate() {
        let held = known[suit]
            .iter()
            .filter(|&&other| usize::from(other) == owner)
            .count();
        if held < usize::from(partition.shape.lengths[suit].length(owner)) {
            known[suit].push(owner as u8);
            *child = grow(partition, known, salt, builder);
            known[suit].pop();
        }
    }
    builder.node(suit, children).expect("few nodes")
}

/// The ending with these owners, turned so that `leader` leads.
fn ending(owners: &Owners, leader: u8, trump: bool) -> Ending {
    let turned = owners
        .clone()
        .map(|suit| -> Vec<u8> { suit.into_iter().map(|owner| (owner + leader) % 4).collect() });
    let strain = if trump {
        Strain::Trump(Suit::Spades)
    } else {
        Strain::NoTrump
    };
    let [s, h, d, c] = &turned;
    Ending::new(strain, Seat::from_index(leader.into()), [s, h, d, c]).expect("an ending")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn diagrams_say_what_the_function_says(
        number in 0usize..2_054,
        salt in 0u64..1_000,
        leader in 0u8..4,
        masks in prop::array::uniform4(prop::collection::vec(1u8..16, 0..4)),
    ) {
        let index = PartitionIndex::new(2);
        let partition = index.partition(number).expect("a partition");
        let mut builder = DiagramBuilder::new();
        let root = grow(partition, &mut Default::default(), salt, &mut builder);
        let diagram = Diagram::new(builder.nodes(), root);
        let order = SuitOrder::IDENTITY;

        let mut set = EndingSet::EVERYTHING;
        for (suit, masks) in masks.iter().enumerate() {
            masks.iter().for_each(|&mask| set.learn(suit, mask));
        }
        let turn = |mask: u8| (0..4).fold(0, |turned, hand| {
            turned | (mask >> ((hand + leader) % 4) & 1) << hand
        });
        let mut expected = Bounds::NOTHING;
        for owners in all_deals(partition) {
            let right = value(&owners, salt);
            let ending = ending(&owners, leader, partition.trump);
            prop_assert_eq!(diagram.value(&ending, order), Some(right));
            for target in 0..4 {
                let walk = diagram.walk(&ending, order, Some(target)).expect("covered");
                prop_assert!(walk.bounds.lo <= right && right <= walk.bounds.hi);
                prop_assert!(walk.bounds.lo >= target || walk.bounds.hi < target);
            }
            let fits = owners.iter().enumerate().all(|(suit, owners)| {
                owners.iter().enumerate().all(|(place, &owner)| {
                    turn(set.mask(suit, place)) >> owner & 1 == 1
                })
            });
            if fits {
                expected = expected.join(Bounds { lo: right, hi: right });
            }
        }
        let found = diagram.bounds(&set, View { order, leader });
        // Masks that exclude each other further down may widen the bounds, but
        // never narrow them.
        prop_assert!(found.lo <= expected.lo && found.hi >= expected.hi);
        let one_each = masks.iter().all(|masks| masks.len() <= 1);
        if one_each && expected != Bounds::NOTHING {
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn paths_are_counted_as_they_are_walked(number in 0usize..2_054, salt in 0u64..1_000) {
        let partition = PartitionIndex::new(2).partition(number).expect("a partition");
        let mut builder = DiagramBuilder::new();
        let root = grow(partition, &mut Default::default(), salt, &mut builder);
        let diagram = Diagram::new(builder.nodes(), root);
        let mut sets: Vec<String> = all_deals(partition)
            .iter()
            .map(|owners| {
                let walk = diagram.walk(&ending(owners, 0, partition.trump), SuitOrder::IDENTITY, None);
                format!("{:?}", walk.expect("covered").set)
            })
            .collect();
        sets.sort();
        sets.dedup();
        prop_assert_eq!(Census::new().count(diagram).sets, sets.len() as u64);
    }
}
