//! Top-down splitting: a partition's diagram from its root to its leaves.

use setrograde_endgame::diagram::{Bounds, DiagramBuilder, Edge, TooManyNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::{deals_of_suit, states_of_partition};

use crate::oracle::bound_query::{Blame, OPEN};
use crate::oracle::top_set::TopSet;
use crate::oracle::{LevelBelow, Oracle};

/// A set and its bounds.
#[derive(Clone, Copy)]
struct Bounded {
    set: TopSet,
    lo: u8,
    hi: u8,
    blame: Blame,
}

/// The bounds of the cases of each suit, by suit and owner, inherited from the enclosing sets. They
/// hold for the set's own cases too as long as the suit's next card is the same, and save 6 % of
/// the proofs at 12 cards.
type Foreknown = [[(u8, u8); 4]; 4];

const NOTHING: (u8, u8) = (0, u8::MAX);

impl Bounded {
    /// Returns the leaf of a set that is not split: because it has fewer endings than `least`, or
    /// because no further card can narrow its bounds.
    fn leaf(&self, least: u128) -> Option<Edge> {
        let Bounded { lo, hi, .. } = *self;
        if lo == hi {
            return Some(Edge::leaf(lo));
        }
        let is_open = self.blame & !OPEN == 0
            || (least > 1 && self.endings() < least)
            || (self.blame & OPEN != 0 && (0..4).all(|suit| self.set.xs(suit).holders() < 2));
        is_open.then(|| Edge::interval(Bounds { lo, hi }))
    }

    /// The number of endings in the set.
    fn endings(&self) -> u128 {
        (0..4)
            .map(|suit| deals_of_suit(self.set.xs(suit)))
            .product()
    }
}

/// Adds the diagram of a partition to `diagram`, and returns its root. Sets of fewer endings than
/// `least` are not split; if the entire partition has fewer, nothing is proved about it.
pub(crate) fn refine<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    partition: Partition,
    least: u128,
    diagram: &mut DiagramBuilder,
) -> Result<Edge, TooManyNodes> {
    let set = TopSet::everything(partition.shape);
    let (lo, hi, blame) = (0, oracle.level, 0);
    let mut whole = Bounded { set, lo, hi, blame };
    if least > 1 && states_of_partition(partition) < least {
        return Ok(Edge::interval(Bounds { lo, hi }));
    }
    oracle.enter(partition);
    (whole.lo, whole.hi, whole.blame) = oracle.bound(&set, 0, false, lo, hi);
    split(oracle, &whole, [[NOTHING; 4]; 4], least, diagram)
}

fn split<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    parent: &Bounded,
    mut foreknown: Foreknown,
    least: u128,
    diagram: &mut DiagramBuilder,
) -> Result<Edge, TooManyNodes> {
    if let Some(leaf) = parent.leaf(least) {
        return Ok(leaf);
    }
    let moment = oracle.split(&parent.set);
    let (suit, cases) = best_split(oracle, parent, &mut foreknown, least);
    // The suit now has another next card.
    foreknown[suit] = [NOTHING; 4];
    let mut children = [Edge::NOTHING; 4];
    for (child, case) in children.iter_mut().zip(&cases) {
        if let Some(case) = case {
            *child = split(oracle, case, foreknown, least, diagram)?;
        }
    }
    oracle.leave(moment);
    diagram.node(suit, children)
}

/// Returns the suit whose next card decides most, with the case of each owner.
fn best_split<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    parent: &Bounded,
    foreknown: &mut Foreknown,
    least: u128,
) -> (usize, [Option<Bounded>; 4]) {
    let open = |suit: usize| parent.set.xs(suit).holders() >= 2;
    let blamed = |suit: usize| parent.blame >> suit & 1 == 1 && open(suit);
    let any = (0..4).any(blamed);
    let may_split = |&suit: &usize| if any { blamed(suit) } else { open(suit) };
    if least > 0
        && let Some(suit) = last_split(parent, foreknown, least, may_split)
        && let Some((_, cases)) = try_suit(oracle, parent, suit, &mut foreknown[suit], least, None)
    {
        return (suit, cases);
    }
    let mut best = (0, [None; 4]);
    let mut best_score = None;
    // Short suits first: they win more often, and the remaining suits are abandoned sooner.
    let mut suits = [0, 1, 2, 3];
    suits.sort_by_key(|&suit| parent.set.xs(suit).total());
    for suit in suits.into_iter().filter(may_split) {
        let inherited = &mut foreknown[suit];
        let found = try_suit(oracle, parent, suit, inherited, least, best_score);
        if let Some((score, cases)) = found {
            best_score = Some(score);
            best = (suit, cases);
        }
    }
    best
}

/// Returns the suit of the last split of a set: one none of whose cases is split again, in any of
/// these suits. The best suit is that of which the most is known: its cases' bounds are inherited
/// from enclosing sets, and cost no proof. Of equal suits it is the most evenly divided one, then
/// the longest.
fn last_split(
    parent: &Bounded,
    foreknown: &Foreknown,
    least: u128,
    may_split: impl Fn(&usize) -> bool,
) -> Option<usize> {
    let endings = parent.endings();
    let mut best: Option<(usize, [Score; 2], u32)> = None;
    for suit in (0..4).filter(may_split) {
        let xs = parent.set.xs(suit);
        let total = xs.total();
        let longest = (0..4).map(|owner| u32::from(xs.length(owner))).max();
        let longest = longest.expect("four hands");
        if endings * u128::from(longest) >= least * u128::from(total) {
            return None;
        }
        let even = Score {
            numerator: total - longest,
            denominator: total,
        };
        let scores = [foreknown_score(parent, suit, &foreknown[suit]), even];
        let is_better = best.is_none_or(|(_, others, others_total)| {
            for (score, other) in scores.into_iter().zip(others) {
                if score.beats(other) || other.beats(score) {
                    return score.beats(other);
                }
            }
            total > others_total
        });
        if is_better {
            best = Some((suit, scores, total));
        }
    }
    best.map(|(suit, ..)| suit)
}

/// Returns the score of a suit if nothing more than the inherited bounds of its cases were proved.
fn foreknown_score(parent: &Bounded, suit: usize, foreknown: &[(u8, u8); 4]) -> Score {
    let xs = parent.set.xs(suit);
    let (total, holders) = (xs.total(), xs.holders() as u32);
    let width = u32::from(parent.hi - parent.lo);
    let narrowed = |owner: usize| {
        let length = u32::from(xs.length(owner));
        if length == 0 {
            return 0;
        }
        let lo = parent.lo.max(foreknown[owner].0);
        let hi = parent.hi.min(foreknown[owner].1).max(lo);
        (length * holders + total) * (width - u32::from(hi - lo))
    };
    Score {
        numerator: (0..4).map(narrowed).sum(),
        denominator: total * holders * width,
    }
}

/// A score as a fraction, so that equal scores compare equal everywhere.
#[derive(Clone, Copy)]
struct Score {
    numerator: u32,
    denominator: u32,
}

impl Score {
    fn beats(self, other: Score) -> bool {
        self.numerator * other.denominator > other.numerator * self.denominator
    }
}

/// Bounds every case of a suit; `None` as soon as it cannot beat `best`.
fn try_suit<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    parent: &Bounded,
    suit: usize,
    foreknown: &mut [(u8, u8); 4],
    least: u128,
    best: Option<Score>,
) -> Option<(Score, [Option<Bounded>; 4])> {
    let xs = parent.set.xs(suit);
    let total = xs.total();
    let holders = xs.holders() as u32;
    let width = u32::from(parent.hi - parent.lo);
    // The weight of an owner is its share of the x's, plus one over the number of cases.
    let weight = |length: u8| u32::from(length) * holders + total;
    let denominator = total * holders * width;
    // The score of the suit if every case not yet bounded were decided.
    let mut hope = Score {
        numerator: 2 * total * holders * width,
        denominator,
    };
    let mut cases = [None; 4];
    for (owner, case) in cases.iter_mut().enumerate() {
        let length = xs.length(owner);
        if length == 0 {
            continue;
        }
        if best.is_some_and(|best| !hope.beats(best)) {
            return None;
        }
        let set = parent.set.with(suit, owner);
        let bounds = &mut foreknown[owner];
        let lo = parent.lo.max(bounds.0);
        // Bounds contradict each other only if the level below is damaged.
        let hi = parent.hi.min(bounds.1).max(lo);
        let (lo, hi, blame) = oracle.bound(&set, owner, least > 0, lo, hi);
        *bounds = (lo, hi);
        hope.numerator -= weight(length) * u32::from(hi - lo);
        *case = Some(Bounded { set, lo, hi, blame });
    }
    best.is_none_or(|best| hope.beats(best))
        .then_some((hope, cases))
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition_index::PartitionIndex;

    use super::*;
    use crate::tests::golden_below;

    /// A partition of exactly the least number of endings is split once, and a smaller one is
    /// the interval from 0 to all tricks, without a proof.
    #[test]
    fn partitions_and_sets_of_the_least_size_are_split() -> Result<(), Box<dyn std::error::Error>> {
        let below = golden_below(2)?;
        let mut oracle = Oracle::new(&below, 3);
        let mut split = 0;
        for partition in PartitionIndex::new(3).iter().step_by(10) {
            let states = states_of_partition(partition);
            let mut root = |least| {
                let mut diagram = DiagramBuilder::new();
                let root = refine(&mut oracle, partition, least, &mut diagram)?;
                Ok::<_, TooManyNodes>((root, diagram.nodes().len()))
            };
            let unproved = Edge::interval(Bounds { lo: 0, hi: 3 });
            assert_eq!(root(states + 1)?, (unproved, 0));
            let (found, nodes) = root(states)?;
            assert!(nodes <= 1 && found.is_node() == (nodes == 1));
            split += nodes;
        }
        assert!(split > 300, "{split}");
        Ok(())
    }
}
