//! Plain retrograde analysis: the value of every single ending of a level, one
//! trick deep, from a table of the values of the level below.

use std::sync::OnceLock;

use setrograde_endgame::partition::{Partition, Shape};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::path_set::TopOwners;

/// The values of all endings of a level, partition by partition.
///
/// An ending is numbered by the numbers of its suits' deals, in the canonical
/// order of the suits, the last suit's counting fastest.
pub(crate) struct Table {
    partitions: PartitionIndex,
    values: Vec<OnceLock<Vec<u8>>>,
}

impl Table {
    /// A table of a level without any values yet.
    pub(crate) fn empty(level: usize) -> Table {
        let partitions = PartitionIndex::new(level);
        let values = (0..partitions.len()).map(|_| OnceLock::new()).collect();
        Table { partitions, values }
    }

    /// The level's partitions.
    pub(crate) fn partitions(&self) -> &PartitionIndex {
        &self.partitions
    }

    /// Enters the values of a partition, once.
    pub(crate) fn enter(&self, number: usize, values: Vec<u8>) {
        let _ = self.values[number].set(values);
    }

    fn of(&self, partition: usize) -> &[u8] {
        self.values[partition].get().map_or(&[], Vec::as_slice)
    }
}

/// Solves one partition after another.
pub(crate) struct Retrograde<'a> {
    deals: &'a AllDeals,
    below: Option<&'a Table>,
    level: u8,
    /// The partition.
    shape: Shape,
    trump: bool,
    /// For each suit, the deals of what is left of it when the hands in a bit
    /// mask have played one card each.
    left: [[Option<&'a SuitDeals>; 16]; 4],
    /// The partitions after a trick, by the four suits played and the winner.
    following: Vec<Option<NextTrick<'a>>>,
    /// The place from the top of every card: by suit, hand and which of the
    /// hand's cards it is.
    places: [[[u8; MOST_CARDS]; 4]; 4],
}

/// The part of the table below in which the play continues.
#[derive(Clone, Copy)]
struct NextTrick<'a> {
    values: &'a [u8],
    /// For each suit, what its deal's number is multiplied by.
    factors: [usize; 4],
}

/// A trick under way.
#[derive(Clone, Copy)]
struct OpenTrick {
    /// The number of each suit's deal, without the cards played.
    deals: [u32; 4],
    /// The hands that have played a card of each suit, as a bit mask.
    hands: [u8; 4],
    /// The suits played, two bits a hand.
    suits: u8,
    winner: u8,
    winning_suit: u8,
    winning_place: u8,
}

impl<'a> Retrograde<'a> {
    /// An analysis of a level, given the table of the level below; there is none
    /// below level 1. `deals` must reach up to the level.
    pub(crate) fn new(
        level: usize,
        deals: &'a AllDeals,
        below: Option<&'a Table>,
    ) -> Retrograde<'a> {
        Retrograde {
            deals,
            below,
            level: level as u8,
            shape: Shape::default(),
            trump: false,
            left: [[None; 16]; 4],
            following: vec![None; 1 << 10],
            places: [[[0; MOST_CARDS]; 4]; 4],
        }
    }

    /// The values of all endings of a partition of the level, in their order.
    /// `visit` sees each with the owners of each suit's cards.
    pub(crate) fn solve<E>(
        &mut self,
        partition: Partition,
        mut visit: impl FnMut(TopOwners, u8) -> Result<(), E>,
    ) -> Result<Vec<u8>, E> {
        self.enter(partition);
        let [s0, s1, s2, s3] = partition
            .shape
            .lengths
            .map(|suit_lengths| self.deals.of(suit_lengths));
        let mut values = Vec::with_capacity(s0.len() * s1.len() * s2.len() * s3.len());
        for d0 in 0..s0.len() {
            self.lay_out(0, s0.owners(d0));
            for d1 in 0..s1.len() {
                self.lay_out(1, s1.owners(d1));
                for d2 in 0..s2.len() {
                    self.lay_out(2, s2.owners(d2));
                    for d3 in 0..s3.len() {
                        self.lay_out(3, s3.owners(d3));
                        let value = self.value([d0, d1, d2, d3].map(|deal| deal as u32));
                        let owners = [s0.owners(d0), s1.owners(d1), s2.owners(d2), s3.owners(d3)];
                        visit(TopOwners::of_words(owners), value)?;
                        values.push(value);
                    }
                }
            }
        }
        Ok(values)
    }

    fn enter(&mut self, partition: Partition) {
        self.shape = partition.shape;
        self.trump = partition.trump;
        self.following.fill(None);
        for (suit, suit_lengths) in partition.shape.lengths.into_iter().enumerate() {
            for hands in 0..16 {
                let played = (0..4).filter(|hand| hands >> hand & 1 == 1);
                let mut left = Some(suit_lengths);
                for hand in played {
                    left = left
                        .filter(|suit_lengths| suit_lengths.length(hand) > 0)
                        .map(|suit_lengths| suit_lengths.without_one(hand));
                }
                self.left[suit][hands] = left.map(|suit_lengths| self.deals.of(suit_lengths));
            }
        }
    }

    /// Notes the places of a suit's cards.
    fn lay_out(&mut self, suit: usize, owners: u32) {
        let mut seen = [0; 4];
        for place in 0..self.shape.lengths[suit].total() {
            let hand = (owners >> (2 * place) & 3) as usize;
            self.places[suit][hand][seen[hand]] = place as u8;
            seen[hand] += 1;
        }
    }

    fn value(&mut self, deals: [u32; 4]) -> u8 {
        let trick = OpenTrick {
            deals,
            hands: [0; 4],
            suits: 0,
            winner: 0,
            winning_suit: 0,
            winning_place: 0,
        };
        self.best(0, &trick, 0, self.level)
    }

    /// The tricks of the leader's side when `hand` and those after it play on,
    /// as far as they matter: outside of `alpha..beta` only the side counts.
    fn best(&mut self, hand: usize, trick: &OpenTrick, mut alpha: u8, mut beta: u8) -> u8 {
        if hand == 4 {
            return self.after(trick);
        }
        let led = usize::from(trick.suits & 3);
        let follows = hand > 0 && self.shape.lengths[led].length(hand) > 0;
        let suits = if follows { led..led + 1 } else { 0..4 };
        let maximizes = hand.is_multiple_of(2);
        let mut best = if maximizes { 0 } else { self.level };
        for suit in suits {
            for card in 0..usize::from(self.shape.lengths[suit].length(hand)) {
                let next = self.played(trick, hand, suit, card);
                let value = self.best(hand + 1, &next, alpha, beta);
                if maximizes {
                    best = best.max(value);
                    alpha = alpha.max(value);
                } else {
                    best = best.min(value);
                    beta = beta.min(value);
                }
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }

    fn played(&self, trick: &OpenTrick, hand: usize, suit: usize, card: usize) -> OpenTrick {
        let mut next = *trick;
        let place = self.places[suit][hand][card];
        if let Some(left) = self.left[suit][usize::from(trick.hands[suit])] {
            next.deals[suit] = left.played(trick.deals[suit], hand, card);
        }
        next.hands[suit] |= 1 << hand;
        next.suits |= (suit as u8) << (2 * hand);
        let wins = if hand == 0 {
            true
        } else if suit == usize::from(trick.winning_suit) {
            place < trick.winning_place
        } else {
            self.trump && suit == 0
        };
        if wins {
            next.winner = hand as u8;
            next.winning_suit = suit as u8;
            next.winning_place = place;
        }
        next
    }

    fn after(&mut self, trick: &OpenTrick) -> u8 {
        let winner = usize::from(trick.winner);
        let below = match self.below {
            Some(below) => {
                let at = usize::from(trick.suits) << 2 | winner;
                let following = match self.following[at] {
                    Some(following) => following,
                    None => self.find_following(below, trick, at),
                };
                let mut number = 0;
                for suit in 0..4 {
                    if let Some(left) = self.left[suit][usize::from(trick.hands[suit])] {
                        let deal = left.seen_from(winner, trick.deals[suit]);
                        number += deal as usize * following.factors[suit];
                    }
                }
                following.values[number]
            }
            None => 0,
        };
        // The table counts the tricks of the winner's side.
        if winner % 2 == 0 {
            1 + below
        } else {
            self.level - 1 - below
        }
    }

    fn find_following(&mut self, below: &'a Table, trick: &OpenTrick, at: usize) -> NextTrick<'a> {
        let winner = usize::from(trick.winner);
        let mut lengths = self.shape.lengths;
        for (suit_lengths, hands) in lengths.iter_mut().zip(trick.hands) {
            for hand in (0..4).filter(|hand| hands >> hand & 1 == 1) {
                *suit_lengths = suit_lengths.without_one(hand);
            }
            *suit_lengths = suit_lengths.seen_from(winner);
        }
        let canonical = Shape { lengths }.canonical(self.trump.then_some(0));
        let number = below.partitions.number(canonical.partition);
        let mut factors = [0; 4];
        let mut factor = 1;
        for (suit, suit_lengths) in canonical
            .order
            .suits()
            .into_iter()
            .zip(canonical.partition.shape.lengths)
            .rev()
        {
            factors[suit] = factor;
            factor *= self.deals.of(suit_lengths).len();
        }
        let following = NextTrick {
            values: below.of(number),
            factors,
        };
        self.following[at] = Some(following);
        following
    }
}

/// No hand has more cards of a suit than this.
pub(crate) const MOST_CARDS: usize = 3;

/// All deals of a suit's cards to hands of given lengths.
pub(crate) struct SuitDeals {
    /// Each deal as the owners from the top card down, two bits each, the top
    /// card's lowest; sorted. A deal's place here is its number.
    deals: Vec<u32>,
    /// By the deal, the hand and which of its cards, from the top, it plays:
    /// the number of what is left among the deals of the lengths that are left.
    played: Vec<[[u32; MOST_CARDS]; 4]>,
    /// By the hand that is on lead next: the deal's number as this hand counts
    /// the seats, from itself.
    seen_from: [Vec<u32>; 4],
}

impl SuitDeals {
    /// Returns the number of deals.
    pub(crate) fn len(&self) -> usize {
        self.deals.len()
    }

    /// The owners of a deal, see the field.
    pub(crate) fn owners(&self, number: usize) -> u32 {
        self.deals[number]
    }

    pub(crate) fn played(&self, number: u32, hand: usize, card: usize) -> u32 {
        self.played[number as usize][hand][card]
    }

    pub(crate) fn seen_from(&self, hand: usize, number: u32) -> u32 {
        self.seen_from[hand][number as usize]
    }
}

/// The deals of a suit for all lengths up to a level.
pub(crate) struct AllDeals {
    most: usize,
    by_lengths: Vec<SuitDeals>,
}

impl AllDeals {
    /// The deals in which no hand has more than `most` cards, itself at most
    /// [`MOST_CARDS`].
    pub(crate) fn up_to(most: usize) -> AllDeals {
        let most = most.min(MOST_CARDS);
        let count = (most + 1).pow(4);
        let lengths: Vec<SuitLengths> = (0..count)
            .map(|mut place| {
                let mut length = || {
                    let length = place % (most + 1);
                    place /= most + 1;
                    length as u8
                };
                SuitLengths::new([length(), length(), length(), length()])
            })
            .collect();
        let deals: Vec<Vec<u32>> = lengths
            .iter()
            .map(|&suit_lengths| all_deals(suit_lengths))
            .collect();
        let number = |suit_lengths: SuitLengths, deal: u32| -> u32 {
            let found = deals[place(most, suit_lengths)].binary_search(&deal);
            found.expect("all deals of these lengths are listed") as u32
        };
        let by_lengths = lengths
            .iter()
            .map(|&suit_lengths| {
                let deals = &deals[place(most, suit_lengths)];
                let seen_from = [0, 1, 2, 3].map(|hand| {
                    // Only what is left after a trick is ever seen so.
                    if suit_lengths
                        .to_array()
                        .iter()
                        .any(|&cards| usize::from(cards) == most)
                    {
                        return Vec::new();
                    }
                    let turned = suit_lengths.seen_from(hand);
                    let cards = suit_lengths.total();
                    let turn = |&deal| number(turned, turned_deal(deal, cards, hand as u32));
                    deals.iter().map(turn).collect()
                });
                let played = deals
                    .iter()
                    .map(|&deal| {
                        let mut played = [[0; MOST_CARDS]; 4];
                        let mut seen = [0; 4];
                        for card in 0..suit_lengths.total() {
                            let hand = (deal >> (2 * card) & 3) as usize;
                            let rest = number(suit_lengths.without_one(hand), without(deal, card));
                            played[hand][seen[hand]] = rest;
                            seen[hand] += 1;
                        }
                        played
                    })
                    .collect();
                SuitDeals {
                    deals: deals.clone(),
                    played,
                    seen_from,
                }
            })
            .collect();
        AllDeals { most, by_lengths }
    }

    /// The deals to hands of these lengths, none above the most.
    pub(crate) fn of(&self, suit_lengths: SuitLengths) -> &SuitDeals {
        &self.by_lengths[place(self.most, suit_lengths)]
    }
}

fn place(most: usize, suit_lengths: SuitLengths) -> usize {
    let [a, b, c, d] = suit_lengths.to_array().map(usize::from);
    ((d * (most + 1) + c) * (most + 1) + b) * (most + 1) + a
}

fn all_deals(suit_lengths: SuitLengths) -> Vec<u32> {
    fn extend(left: SuitLengths, deal: u32, cards: u32, deals: &mut Vec<u32>) {
        if left.total() == 0 {
            deals.push(deal);
        }
        for hand in 0..4 {
            if left.length(hand) > 0 {
                let deal = deal | (hand as u32) << (2 * cards);
                extend(left.without_one(hand), deal, cards + 1, deals);
            }
        }
    }
    let mut deals = Vec::new();
    extend(suit_lengths, 0, 0, &mut deals);
    deals.sort_unstable();
    deals
}

/// The deal without the card at that place.
fn without(deal: u32, card: u32) -> u32 {
    let above = deal & ((1 << (2 * card)) - 1);
    let below = deal >> (2 * card + 2) << (2 * card);
    above | below
}

/// The deal as `hand` counts the seats: itself as 0.
fn turned_deal(deal: u32, cards: u32, hand: u32) -> u32 {
    (0..cards).fold(0, |turned, card| {
        let owner = deal >> (2 * card) & 3;
        turned | ((owner + 4 - hand) & 3) << (2 * card)
    })
}

#[cfg(test)]
mod suit_deals_tests {
    use setrograde_endgame::states::deals_of_suit;

    use super::*;

    #[test]
    fn numbers_follow_the_cards_played() {
        let all = AllDeals::up_to(2);
        for place in 0..81u8 {
            let suit_lengths =
                SuitLengths::new([place % 3, place / 3 % 3, place / 9 % 3, place / 27]);
            let deals = all.of(suit_lengths);
            assert_eq!(deals.len() as u128, deals_of_suit(suit_lengths));
        }
        // From the top: East, North, East, South.
        let suit_lengths = SuitLengths::new([1, 2, 1, 0]);
        let deals = all.of(suit_lengths);
        let number = (0..deals.len())
            .find(|&number| deals.owners(number) == 0b10_01_00_01)
            .unwrap_or_default();
        let rest = deals.played(number as u32, 1, 1);
        let suit_lengths = SuitLengths::new([1, 1, 1, 0]);
        assert_eq!(all.of(suit_lengths).owners(rest as usize), 0b10_00_01);
        // East leads: North is its fourth hand, South its second.
        let turned = all.of(suit_lengths).seen_from(1, rest);
        let suit_lengths = SuitLengths::new([1, 1, 0, 1]);
        assert_eq!(all.of(suit_lengths).owners(turned as usize), 0b01_11_00);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::AtomicBool;

    use setrograde_endgame::states::states_of_partition;

    use super::*;
    use crate::exhaustive::Minimax;

    #[test]
    fn every_ending_of_four_and_eight_cards_is_worth_what_minimax_says() {
        let never = AtomicBool::new(false);
        let deals = AllDeals::up_to(2);
        let mut below = None;
        for level in 1..=2 {
            let table = Table::empty(level);
            let mut retrograde = Retrograde::new(level, &deals, below.as_ref());
            let mut states = 0;
            for (number, partition) in table.partitions().iter().enumerate() {
                let solved = retrograde.solve(partition, |owners, value| {
                    let mut hands = [const { Vec::new() }; 4];
                    for (suit, suit_lengths) in partition.shape.lengths.iter().enumerate() {
                        for place in 0..suit_lengths.total() {
                            let owner = owners.owner(suit, place);
                            hands[owner].push((suit, 12 - place as usize));
                        }
                    }
                    let trump = partition.trump.then_some(0);
                    let minimax = Minimax {
                        hands,
                        trump,
                        cancel: &never,
                    };
                    let right = minimax.tricks(0);
                    assert_eq!(value, right, "{partition:?} {owners:?}");
                    Ok::<(), Infallible>(())
                });
                let Ok(values) = solved;
                assert_eq!(values.len() as u128, states_of_partition(partition));
                states += values.len();
                table.enter(number, values);
            }
            assert_eq!(states, [209, 87_921][level - 1]);
            below = Some(table);
        }
    }
}
