//! Diagrams of made-up value functions, against the functions themselves.

use std::collections::HashSet;

use proptest::prelude::*;
use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::census::Census;
use setrograde_endgame::diagram::{
    Bounds, Diagram, DiagramBuilder, Edge, Node, NodePacker, PADDING, View, Weights,
};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::TopCards;
use setrograde_endgame::partition::{Partition, Shape, SuitOrder};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::set::EndingSet;
use setrograde_endgame::suit_lengths::SuitLengths;

/// For each suit, in canonical order, the owners from the top; hand 0 leads.
type Owners = [Vec<u8>; 4];

/// A value that depends on some cards only, so that subtrees coincide.
fn value(owners: &Owners, salt: u64) -> u8 {
    let mut sum = salt;
    for suit in owners {
        for (nth, &owner) in suit.iter().enumerate().take(2) {
            sum = sum
                .wrapping_mul(31)
                .wrapping_add((u64::from(owner) + salt) * (nth as u64 + 1));
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

/// The diagram that asks for all cards, suit by suit, with an interval instead of each subtree of
/// known cards that `is_cut` chooses.
fn grow(
    is_cut: &impl Fn(&Owners) -> bool,
    partition: Partition,
    known: &mut Owners,
    salt: u64,
    builder: &mut DiagramBuilder,
) -> Edge {
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
            *child = grow(is_cut, partition, known, salt, builder);
            known[suit].pop();
        }
    }
    let edge = builder.node(suit, children).expect("few nodes");
    if edge.is_node() && is_cut(known) {
        Edge::interval(edge.bounds())
    } else {
        edge
    }
}

/// Chooses one set of known cards in four.
fn one_in_four(known: &Owners, salt: u64) -> bool {
    let owners = known.iter().flat_map(|suit| suit.iter().chain(&[4]));
    let hash = owners.fold(salt, |hash, &owner| {
        (hash ^ u64::from(owner))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    hash % 4 == 0
}

/// The ending with these owners, turned so that `leader` leads; suit `i` becomes
/// `suits[i]`.
fn ending(owners: &Owners, leader: u8, suits: [usize; 4], trump: bool) -> Ending {
    let mut turned: Owners = Default::default();
    for (owners, suit) in owners.iter().zip(suits) {
        turned[suit] = owners.iter().map(|owner| (owner + leader) % 4).collect();
    }
    let strain = if trump {
        Strain::Trump(Suit::from_index(suits[0]))
    } else {
        Strain::NoTrump
    };
    let [s, h, d, c] = &turned;
    Ending::new(strain, Seat::from_index(leader.into()), [s, h, d, c]).expect("an ending")
}

/// The owners of an ending's cards as the diagram of its partition sees them.
fn seen(ending: &Ending, order: SuitOrder) -> Owners {
    let leader = ending.leader().index() as u8;
    [0, 1, 2, 3].map(|nth| order.suit(nth)).map(|suit| {
        let seats = (0..).map_while(|nth| ending.owner(Suit::from_index(suit), nth));
        seats
            .map(|seat| (seat.index() as u8 + 4 - leader) % 4)
            .collect()
    })
}

/// A diagram in both forms, and all endings of its partition as they are asked about.
#[derive(Debug)]
struct Sample {
    view: View,
    partition: Partition,
    /// Each with its value.
    endings: Vec<(Ending, u8)>,
    nodes: Vec<Node>,
    root: Edge,
    packed: Vec<u8>,
}

impl Sample {
    fn new(
        number: usize,
        salt: u64,
        leader: u8,
        suits: [usize; 4],
        is_cut: impl Fn(&Owners) -> bool,
    ) -> Sample {
        let index = PartitionIndex::new(2);
        let partition = index.partition(number).expect("a partition");
        let mut builder = DiagramBuilder::new();
        let root = grow(
            &is_cut,
            partition,
            &mut Default::default(),
            salt,
            &mut builder,
        );
        let mut packer = NodePacker::new();
        let packed_root = packer
            .add(Diagram::new(builder.nodes(), root))
            .expect("few nodes");
        let mut packed = packer.to_bytes().split_off(packer.offset(packed_root));
        packed.resize(packed.len() + PADDING, 0);
        let mut order = SuitOrder::IDENTITY;
        let endings = all_deals(partition).into_iter().map(|owners| {
            let ending = ending(&owners, leader, suits, partition.trump);
            let canonical = ending.canonical();
            assert_eq!(canonical.partition, partition);
            order = canonical.order;
            (ending, value(&seen(&ending, order), salt))
        });
        Sample {
            endings: endings.collect(),
            view: View { order, leader },
            partition,
            nodes: builder.into_nodes(),
            root,
            packed,
        }
    }

    fn diagrams(&self) -> [Diagram<'_>; 2] {
        let bounds @ Bounds { lo, hi } = self.root.bounds();
        let packed = if self.root.is_interval() {
            Diagram::unsplit(bounds)
        } else {
            Diagram::packed_at_start(&self.packed, lo | hi << 4)
        };
        [Diagram::new(&self.nodes, self.root), packed]
    }

    /// The bounds on the values of the endings of a set.
    fn bounds(&self, set: &EndingSet) -> Bounds {
        let in_set = self.endings.iter().filter(|(ending, _)| fits(ending, set));
        in_set.map(|&(_, value)| Bounds::exactly(value)).collect()
    }
}

/// Returns true if the ending is in the set.
fn fits(ending: &Ending, set: &EndingSet) -> bool {
    Suit::ALL.into_iter().all(|suit| {
        (0..set.known(suit.index())).all(|nth| {
            let owner = ending.owner(suit, nth);
            owner.is_none_or(|seat| set.mask(suit.index(), nth) >> seat.index() & 1 == 1)
        })
    })
}

/// The endings in which these top cards have the same owners as in one.
fn with_top_cards(ending: &Ending, known: [usize; 4]) -> EndingSet {
    let mut set = EndingSet::EVERYTHING;
    for suit in Suit::ALL {
        let owners = (0..known[suit.index()]).map_while(|nth| ending.owner(suit, nth));
        owners.for_each(|owner| set.learn(suit.index(), 1 << owner.index()));
    }
    set
}

fn known(set: &EndingSet) -> [usize; 4] {
    [0, 1, 2, 3].map(|suit| set.known(suit))
}

/// The set of endings that these masks of the top cards of each suit allow.
fn with_masks(masks: &[Vec<u8>; 4]) -> EndingSet {
    let mut set = EndingSet::EVERYTHING;
    for (suit, masks) in masks.iter().enumerate() {
        masks.iter().for_each(|&mask| set.learn(suit, mask));
    }
    set
}

prop_compose! {
    fn samples(is_coarse: bool)(
        number in 0usize..2_054,
        salt in 0u64..1_000,
        leader in 0u8..4,
        suits in Just([0, 1, 2, 3]).prop_shuffle(),
    ) -> Sample {
        Sample::new(number, salt, leader, suits, |known| is_coarse && one_in_four(known, salt))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn diagrams_say_what_the_function_says(
        sample in samples(false),
        masks in prop::array::uniform4(prop::collection::vec(1u8..16, 0..4)),
    ) {
        let set = with_masks(&masks);
        let expected = sample.bounds(&set);
        let one_each = masks.iter().all(|masks| masks.len() <= 1);
        for diagram in sample.diagrams() {
            for &(ending, right) in &sample.endings {
                prop_assert_eq!(diagram.value(&ending, sample.view.order), Some(right));
                for target in 0..4 {
                    let walk = diagram.walk(&ending, sample.view.order, Some(target)).expect("covered");
                    prop_assert!(walk.bounds.contain(Bounds::exactly(right)));
                    prop_assert!(!walk.bounds.leave_open(target));
                }
            }
            let found = diagram.bounds(&set, sample.view);
            // Masks that exclude each other further down may widen the bounds, but never narrow
            // them.
            prop_assert!(expected == Bounds::NOTHING || found.contain(expected));
            if one_each && expected != Bounds::NOTHING {
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn paths_are_counted_as_they_are_walked(sample in samples(false)) {
        let [diagram, _] = sample.diagrams();
        let walk = |(ending, _): &(Ending, u8)| diagram.walk(ending, sample.view.order, None);
        let walks = sample.endings.iter().map(walk);
        let sets: HashSet<EndingSet> = walks.map(|walk| walk.expect("covered").set).collect();
        prop_assert_eq!(Census::new().count(diagram).sets, sets.len() as u64);
    }

    /// Endings with the same top cards have the same verdict, and with one card fewer in any
    /// suit some have another.
    #[test]
    fn a_verdict_knows_as_few_cards_as_prove_it(
        sample in samples(false),
        pick in any::<prop::sample::Index>(),
    ) {
        let (ending, value) = sample.endings[pick.index(sample.endings.len())];
        for (diagram, target) in sample.diagrams().into_iter().flat_map(|diagram| (0..4).map(move |target| (diagram, target))) {
            let order = sample.view.order;
            prop_assert_eq!(diagram.value(&ending, order), Some(value));
            let verdict = diagram.decide(&ending, order, target).expect("covered");
            prop_assert_eq!(verdict.reached, value >= target);
            let proves = |known: TopCards| {
                let known = [0, 1, 2, 3].map(|suit| known.of_suit(suit));
                !sample.bounds(&with_top_cards(&ending, known)).leave_open(target)
            };
            prop_assert!(proves(verdict.known));
            for suit in (0..4).filter(|&suit| verdict.known.of_suit(suit) > 0) {
                let mut fewer = [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit) as u8);
                fewer[suit] -= 1;
                prop_assert!(!proves(TopCards::new(fewer)));
            }
            let walk = diagram.walk(&ending, order, Some(target)).expect("covered");
            prop_assert!(fits(&ending, &walk.set));
            let values = sample.bounds(&walk.set);
            prop_assert!(walk.bounds.contain(values) && !values.leave_open(target));
        }
    }

    /// Intervals leave a question open, or their bounds prove a verdict for all endings with its
    /// cards, the same in both forms.
    #[test]
    fn a_verdict_over_intervals_is_proved_or_open(sample in samples(true)) {
        let [plain, packed] = sample.diagrams();
        let order = sample.view.order;
        for &(ending, value) in &sample.endings {
            for target in 0..4 {
                let verdict = packed.decide(&ending, order, target);
                prop_assert_eq!(verdict, plain.decide(&ending, order, target));
                let walk = packed.walk(&ending, order, Some(target)).expect("covered");
                prop_assert!(walk.bounds.contain(Bounds::exactly(value)));
                prop_assert_eq!(verdict.is_none(), walk.bounds.leave_open(target));
                let Some(verdict) = verdict else { continue };
                prop_assert_eq!(verdict.reached, value >= target);
                let known = [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit));
                let bounds = sample.bounds(&with_top_cards(&ending, known));
                prop_assert!(!bounds.leave_open(target), "{ending:?} {target} {known:?}");
            }
        }
    }

    /// Where each card has one owner, bounds are exact, and a set widens until one more
    /// forgotten card of any suit would leave them.
    #[test]
    fn a_set_is_as_wide_as_its_bounds_allow(
        sample in samples(false),
        pick in any::<prop::sample::Index>(),
        cards in prop::array::uniform4(0usize..4),
        beside in 0u8..2,
    ) {
        let (ending, _) = sample.endings[pick.index(sample.endings.len())];
        let set = with_top_cards(&ending, cards);
        let exact = sample.bounds(&set);
        let bounds = Bounds { lo: exact.lo.saturating_sub(beside), hi: exact.hi };
        for diagram in sample.diagrams() {
            prop_assert_eq!(diagram.bounds(&set, sample.view), exact);
            let wider = diagram.widen(&set, sample.view, bounds);
            let kept = known(&wider);
            prop_assert_eq!(wider, with_top_cards(&ending, kept));
            prop_assert!(bounds.contain(sample.bounds(&wider)));
            for suit in (0..4).filter(|&suit| kept[suit] > 0) {
                let mut fewer = kept;
                fewer[suit] -= 1;
                prop_assert!(!bounds.contain(sample.bounds(&with_top_cards(&ending, fewer))));
            }
        }
    }

    #[test]
    fn endings_are_counted_by_value(
        sample in any::<bool>().prop_flat_map(samples),
        masks in prop::array::uniform4(prop::collection::vec(1u8..16, 0..4)),
        seed: u64,
    ) {
        let set = with_masks(&masks);
        let mut random = fastrand::Rng::with_seed(seed);
        // Whole numbers, whose sums are exact; some of them 0.
        let mut weights: Weights = Default::default();
        for weight in weights.as_flattened_mut().as_flattened_mut() {
            *weight = f64::from(random.u8(..4));
        }
        let (mut counts, mut sums) = ([0; 14], [0.0; 14]);
        for (ending, value) in &sample.endings {
            counts[usize::from(*value)] += u128::from(fits(ending, &set));
            let of_suit = |suit: Suit| -> f64 {
                let owners = (0..).map_while(|nth| ending.owner(suit, nth));
                let weights = weights[suit.index()].iter().zip(owners);
                weights.map(|(weights, owner)| weights[owner.index()]).product()
            };
            sums[usize::from(*value)] += Suit::ALL.map(of_suit).iter().product::<f64>();
        }
        for diagram in sample.diagrams() {
            let shape = sample.partition.shape;
            let is_open = |ending: &Ending| diagram.value(ending, sample.view.order).is_none();
            let all_open = sample.endings.iter().any(|(ending, _)| is_open(ending));
            let open = (sample.endings.iter()).any(|(ending, _)| fits(ending, &set) && is_open(ending));
            let found = diagram.distribution(shape, &set, sample.view);
            prop_assert_eq!(found, (!open).then_some(counts));
            let found = diagram.weighed_distribution(shape, &weights, sample.view);
            prop_assert!(found == Some(sums) || all_open && found.is_none());
        }
    }

    #[test]
    fn a_diagram_is_the_same_in_either_form(sample in samples(false), other in samples(false)) {
        let [plain, packed] = sample.diagrams();
        prop_assert_eq!(plain.own_nodes(), packed.own_nodes());
        let mut packer = NodePacker::new();
        let roots = [plain, packed, other.diagrams()[0], plain].map(|diagram| packer.add(diagram));
        prop_assert!(roots[0] == roots[1] && roots[0] == roots[3]);
        let mut bytes = packer.to_bytes();
        bytes.resize(bytes.len() + PADDING, 0);
        for (root, sample) in roots.iter().zip([&sample, &sample, &other]) {
            let at = root.map_or(0, |root| packer.offset(root));
            let Bounds { lo, hi } = sample.root.bounds();
            let again = Diagram::packed_at_start(&bytes[at..], lo | hi << 4);
            prop_assert_eq!(again.own_nodes(), sample.diagrams()[0].own_nodes());
        }
    }
}

/// Only the leader and its partner are said to own the top card.
#[test]
fn endings_that_lead_nowhere_are_not_counted() {
    let shape = Shape {
        lengths: [[1; 4], [0; 4], [0; 4], [0; 4]].map(SuitLengths::new),
    };
    let mut builder = DiagramBuilder::new();
    let [yes, no] = [1, 0].map(Edge::leaf);
    let root = builder
        .node(0, [yes, Edge::NOTHING, no, Edge::NOTHING])
        .expect("one node");
    let diagram = Diagram::new(builder.nodes(), root);
    let view = View {
        order: SuitOrder::IDENTITY,
        leader: 0,
    };
    let mut set = EndingSet::EVERYTHING;
    assert_eq!(diagram.distribution(shape, &set, view), None);
    set.learn(0, 0b0101);
    let mut counts = [0; 14];
    counts[..2].fill(6);
    assert_eq!(diagram.distribution(shape, &set, view), Some(counts));
}
