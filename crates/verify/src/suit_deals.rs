//! The deals of one suit, numbered, and what playing a card does to the number.

use setrograde_endgame::suit_lengths::SuitLengths;

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
            found.unwrap_or_default() as u32
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
mod tests {
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
