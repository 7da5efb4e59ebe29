//! Classes of equivalent cards, and the sums over all layouts.

use fastrand::Rng;
use setrograde_cards::{Card, Hand, Sorting, Suit};
use setrograde_parallel::Stop;

use crate::beliefs::Shares;
use crate::chain::{Chain, Continuation, Number};
use crate::counters::{Counters, counters};
use crate::facts::{BeliefsError, FactSummary, bit_index};
use crate::limits::{card_points, points};
use crate::subsets::{share_out_at_random, share_out_nth, splits, ways};

/// Cards that no fact distinguishes.
#[derive(Debug)]
struct Class {
    cards: Vec<Card>,
    weights: [f64; 4],
    points: u8,
    /// The ways to distribute them among the seats: the options of this class.
    splits: Vec<[u8; 4]>,
}

/// Classes with common limits: all cards, or those of a suit.
#[derive(Debug)]
struct Group<N> {
    classes: Vec<Class>,
    /// A layer for each class.
    chain: Chain<N>,
    /// The states of `chain` that the limits on lengths allow.
    ends: Vec<Counters>,
}

/// The sums over all layouts: within groups of classes, and over the groups.
#[derive(Debug)]
pub(crate) struct Tables<N> {
    groups: Vec<Group<N>>,
    /// A layer for each group.
    chain: Chain<N>,
    /// The states that meet the hand sizes and the limits on points.
    ends: Vec<Counters>,
    total: N,
    bytes: usize,
}

/// The approximate limit for the memory of sums, in bytes.
const ROOM: usize = 192 << 20;

/// Minimum share of the ways for which a drawn quantile is kept. A smaller share leaves few of its
/// digits, and another quantile is drawn.
const FEW_DIGITS: f64 = 1e-8;

/// The limits that need to be checked.
struct Watched {
    lengths: bool,
    /// The seats whose points are counted.
    points: [bool; 4],
    /// Counters that follow from the rest.
    implied: [bool; 8],
}

impl Watched {
    fn new(facts: &FactSummary) -> Watched {
        let hidden = facts.sizes.map(|size| size > 0);
        let limits = &facts.limits;
        let points: [bool; 4] =
            std::array::from_fn(|seat| hidden[seat] && limits[seat].limit_points());
        let mut implied = [false; 8];
        if let Some(last) = hidden.iter().rposition(|&hidden| hidden) {
            implied[last] = true;
            // The unseen cards have a known number of points.
            implied[4 + last] = points == hidden;
        }
        Watched {
            lengths: (0..4).any(|seat| hidden[seat] && limits[seat].limit_lengths()),
            points,
            implied,
        }
    }
}

impl<N: Number> Tables<N> {
    /// The sums; `None` if they take too much memory.
    ///
    /// # Errors
    ///
    /// [`BeliefsError::Stopped`] once `stop` is due.
    pub(crate) fn new(facts: &FactSummary, stop: &Stop) -> Result<Option<Tables<N>>, BeliefsError> {
        let mut room = ROOM;
        let watched = Watched::new(facts);
        let parts: Vec<(Hand, [(u8, u8); 4])> = if watched.lengths {
            let part = |suit: Suit| {
                let lengths = facts.limits.map(|limits| limits.lengths[suit]);
                (facts.unseen.suit(suit), lengths)
            };
            Suit::ALL.into_iter().map(part).collect()
        } else {
            vec![(facts.unseen, [(0, u8::MAX); 4])]
        };
        let mut groups: Vec<Group<N>> = Vec::with_capacity(parts.len());
        for part in parts {
            match Group::new(facts, &watched, part, &mut room, stop)? {
                Some(group) => groups.push(group),
                None => return Ok(None),
            }
        }
        let layers = groups
            .iter()
            .map(|group| {
                let layers = group.classes.len();
                let choice = |&adds| Continuation {
                    adds,
                    weight: group.chain.sum(layers, adds),
                };
                group.ends.iter().map(choice).collect()
            })
            .collect();
        let caps = caps(facts, &watched, |seat| facts.sizes[seat]);
        let chain = Chain::new(caps, watched.implied, layers, &mut room, stop)?;
        let Some(chain) = chain else { return Ok(None) };
        let enough = |end: &Counters| {
            let bytes = end.to_le_bytes();
            (0..4).all(|seat| {
                bytes[seat] == facts.sizes[seat]
                    && (!watched.points[seat] || bytes[4 + seat] >= facts.limits[seat].points.0)
            })
        };
        let ends: Vec<Counters> = chain.ends().filter(enough).collect();
        let total = ends
            .iter()
            .fold(N::ZERO, |total, &end| total + chain.sum(groups.len(), end));
        Ok(Some(Tables {
            groups,
            chain,
            ends,
            total,
            bytes: ROOM - room,
        }))
    }

    /// Their approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The sum of the weights of all layouts.
    pub(crate) fn total(&self) -> N {
        self.total
    }

    /// Returns the end of the path numbered `ticket`, and the rest of the ticket, which is below
    /// the number of paths to this end. `of` makes a ticket of a number of ways.
    fn end<T: Number>(&self, ticket: T, of: impl Fn(N) -> T) -> (Counters, T) {
        let mut left = ticket;
        let mut last = 0;
        for &end in &self.ends {
            let share = of(self.chain.sum(self.groups.len(), end));
            if left < share {
                return (end, left);
            }
            left = left - share;
            last = end;
        }
        // Rounding may leave a small rest after the last one.
        (last, T::ZERO)
    }

    /// Walks back through all classes from `end`: `choose` returns the option of a layer that leads
    /// to a state; within a class, all distributions are equally likely.
    #[inline]
    fn walk_back(
        &self,
        end: Counters,
        mut second: Rng,
        mut choose: impl FnMut(&Chain<N>, usize, Counters) -> usize,
    ) -> [Hand; 4] {
        let mut hands = [Hand::EMPTY; 4];
        let mut state = end;
        for (at, group) in self.groups.iter().enumerate().rev() {
            let option = choose(&self.chain, at, state);
            let mut inner = self.chain.layers()[at][option].adds;
            state -= inner;
            for (layer, class) in group.classes.iter().enumerate().rev() {
                let option = choose(&group.chain, layer, inner);
                inner -= group.chain.layers()[layer][option].adds;
                let split = class.splits[option];
                share_out_at_random(&class.cards, split, &mut second, &mut hands);
            }
        }
        hands
    }

    /// The layout at `quantile`, from 0 to 1, of all layouts in order: the last classes follow from
    /// its digits, and the first are drawn.
    pub(crate) fn sample_at(&self, quantile: f64, rng: &mut Rng) -> [Hand; 4] {
        let second = Rng::with_seed(rng.u64(..));
        let total = self.total.to_f64();
        let (end, rest) = self.end(quantile * total, N::to_f64);
        let share = self.chain.sum(self.groups.len(), end).to_f64();
        // The quantile among the remaining ways, and their share of those among which it was drawn.
        let (mut index, mut left) = (rest / share, share / total);
        self.walk_back(end, second, |chain, layer, state| {
            if left < FEW_DIGITS {
                (index, left) = (rng.f64(), 1.0);
            }
            let all = chain.sum(layer + 1, state).to_f64();
            let (option, rest) = chain.step_back(layer, state, index * all, N::to_f64);
            let choice = chain.layers()[layer][option];
            let before = chain.sum(layer, state - choice.adds);
            let share = (choice.weight * before).to_f64();
            (index, left) = (rest / share, left * share / all);
            option
        })
    }

    /// For each card and seat, the share of the weight of all layouts in which the seat has the card.
    pub(crate) fn shares(&self, stop: &Stop) -> Result<Shares, BeliefsError> {
        let mut shares: Shares = Box::new([[0.0; 4]; 64]);
        let total = self.total.to_f64();
        let ends = |end: &Counters| (*end, N::ONE);
        let outer = self.chain.flows(self.ends.iter().map(ends), stop)?;
        for (group, coefficients) in self.groups.iter().zip(outer) {
            let ends = group.ends.iter().copied().zip(coefficients);
            let flows = group.chain.flows(ends, stop)?;
            for ((class, flow), choices) in
                group.classes.iter().zip(&flows).zip(group.chain.layers())
            {
                // The number of cards of the class in each hand, times the weights of the layouts.
                let mut sums = [0.0; 4];
                for ((split, &flow), choice) in class.splits.iter().zip(flow).zip(choices) {
                    let through = (flow * choice.weight).to_f64();
                    for (sum, &share) in sums.iter_mut().zip(split) {
                        *sum += through * f64::from(share);
                    }
                }
                let each = sums.map(|sum| sum / total / class.cards.len() as f64);
                for &card in &class.cards {
                    shares[bit_index(card)] = each;
                }
            }
        }
        Ok(shares)
    }

    /// Draws a layout with a probability proportional to its weight.
    #[inline]
    pub(crate) fn sample(&self, rng: &mut Rng) -> [Hand; 4] {
        let (end, _) = self.end(self.total.draw(rng), |ways| ways);
        let second = Rng::with_seed(rng.u64(..));
        self.walk_back(end, second, |chain, layer, state| {
            match chain.layers()[layer].len() {
                1 => 0,
                _ => {
                    let ticket = chain.sum(layer + 1, state).draw(rng);
                    chain.step_back(layer, state, ticket, |ways| ways).0
                }
            }
        })
    }
}

impl Tables<u128> {
    /// The layout numbered `number`, which must be below the total; the tables
    /// must be of weights 0 and 1.
    pub(crate) fn nth(&self, number: u128) -> [Hand; 4] {
        let mut hands = [Hand::EMPTY; 4];
        let (mut state, mut ticket) = self.end(number, |ways| ways);
        for (at, group) in self.groups.iter().enumerate().rev() {
            let (option, rest) = self.chain.step_back(at, state, ticket, |ways| ways);
            let mut inner = self.chain.layers()[at][option].adds;
            state -= inner;
            // The rest numbers ways within the group, and ways before it.
            let before = self.chain.sum(at, state);
            let mut inner_ticket = rest / before;
            ticket = rest % before;
            for (layer, class) in group.classes.iter().enumerate().rev() {
                let (option, rest) = group
                    .chain
                    .step_back(layer, inner, inner_ticket, |ways| ways);
                inner -= group.chain.layers()[layer][option].adds;
                let before = group.chain.sum(layer, inner);
                share_out_nth(
                    &class.cards,
                    class.splits[option],
                    rest / before,
                    &mut hands,
                );
                inner_ticket = rest % before;
            }
        }
        hands
    }
}

impl<N: Number> Group<N> {
    fn new(
        facts: &FactSummary,
        watched: &Watched,
        (cards, lengths): (Hand, [(u8, u8); 4]),
        room: &mut usize,
        stop: &Stop,
    ) -> Result<Option<Group<N>>, BeliefsError> {
        let mut classes = classes(facts, watched, cards);
        // Large classes first: on the way back they come last, when few choices remain.
        classes.in_order_by_key(|class| std::cmp::Reverse(class.cards.len()));
        let layers = classes.iter().map(|class| class.choices(watched)).collect();
        let mut caps = caps(facts, watched, |seat| {
            lengths[seat]
                .1
                .min(facts.sizes[seat])
                .min(cards.len() as u8)
        });
        for points in &mut caps[4..] {
            *points = (*points).min(self::points(cards));
        }
        let chain: Option<Chain<N>> = Chain::new(caps, watched.implied, layers, room, stop)?;
        let Some(chain) = chain else { return Ok(None) };
        let enough = |end: &Counters| {
            let bytes = end.to_le_bytes();
            (0..4).all(|seat| facts.sizes[seat] == 0 || bytes[seat] >= lengths[seat].0)
        };
        let ends = chain.ends().filter(enough).collect();
        Ok(Some(Group {
            classes,
            chain,
            ends,
        }))
    }
}

impl Class {
    fn choices<N: Number>(&self, watched: &Watched) -> Vec<Continuation<N>> {
        let weights = self.weights.map(N::from_weight);
        let choice = |split: &[u8; 4]| {
            let mut adds = [0; 8];
            let mut weight = N::from_count(ways(*split));
            for seat in 0..4 {
                adds[seat] = split[seat];
                if watched.points[seat] {
                    adds[4 + seat] = split[seat] * self.points;
                }
                weight = weight * weights[seat].power(split[seat]);
            }
            Continuation {
                adds: counters(adds),
                weight,
            }
        };
        self.splits.iter().map(choice).collect()
    }
}

/// The maximum of each counter.
fn caps(facts: &FactSummary, watched: &Watched, cards: impl Fn(usize) -> u8) -> [u8; 8] {
    let mut caps = [0; 8];
    for seat in 0..4 {
        caps[seat] = cards(seat);
        if watched.points[seat] {
            caps[4 + seat] = facts.limits[seat].points.1;
        }
    }
    caps
}

/// Cards of equal weights, of equal points if points are watched.
fn classes(facts: &FactSummary, watched: &Watched, cards: Hand) -> Vec<Class> {
    let counts_points = watched.points.contains(&true);
    let mut classes: Vec<Class> = Vec::new();
    for card in cards {
        let weights = facts.weights[bit_index(card)];
        let points = if counts_points {
            card_points(card.rank)
        } else {
            0
        };
        let alike = |class: &&mut Class| class.weights == weights && class.points == points;
        match classes.iter_mut().find(alike) {
            Some(class) => class.cards.push(card),
            None => classes.push(Class {
                cards: vec![card],
                weights,
                points,
                splits: Vec::new(),
            }),
        }
    }
    for class in &mut classes {
        let most = |seat| {
            if class.weights[seat] > 0.0 {
                facts.sizes[seat]
            } else {
                0
            }
        };
        let most = std::array::from_fn(most);
        class.splits = splits(class.cards.len() as u8, most);
    }
    classes
}
