//! Fixed orders of play: the longest list of pairs that wins every trick.

use std::collections::HashSet;

use setrograde_cards::Card;

use crate::knowledge::Knowledge;
use crate::lanes::{card, count, lane, suit_of, top};

/// A hand's card that leads, and the card that the other visible hand plays.
pub type Pair = (Card, Card);

/// A split of the unseen cards by lengths, and the cards pinned in it.
struct Split {
    pinned: [u64; 2],
    lengths: [[u8; 4]; 2],
}

/// What decides whether a trick may be lost: how often each suit was led.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    hands: [u64; 2],
    leader: usize,
    rounds: [u8; 4],
}

/// The search for a fixed order: the paper's *findClaim* with a rule that is
/// exact.
struct Orders {
    splits: Vec<Split>,
    unseen: u64,
    trump: Option<usize>,
    failed: HashSet<Place>,
    left: u64,
}

impl Split {
    /// Whether hidden hand `who` may have kept one of `cards`, all of `suit`,
    /// after `rounds` of it were led.
    fn keeps(&self, who: usize, suit: usize, cards: u64, rounds: u8) -> bool {
        let length = self.lengths[who][suit];
        if length <= rounds {
            return false;
        }
        let free = length > count(self.pinned[who], suit);
        let may = cards & !self.pinned[1 - who];
        may & self.pinned[who] != 0 || free && may != 0
    }

    /// Whether `who` may be void in `suit` after these rounds. It follows as
    /// long as it can, and discards of `suit` where it cannot.
    fn may_be_void(&self, who: usize, suit: usize, rounds: &[u8; 4], trump: usize) -> bool {
        let lengths = &self.lengths[who];
        let discards: u8 = (0..4)
            .filter(|&other| other != suit && other != trump)
            .map(|other| rounds[other].saturating_sub(lengths[other]))
            .sum();
        lengths[suit] <= rounds[suit] + discards
    }
}

impl Orders {
    fn new(knowledge: &Knowledge) -> Orders {
        let state = knowledge.state();
        let mut splits = Vec::new();
        for case in &state.cases {
            for first in case.lengths.vectors(state.cards) {
                let second = std::array::from_fn(|suit| count(state.unseen, suit) - first[suit]);
                splits.push(Split {
                    pinned: case.pinned,
                    lengths: [first, second],
                });
            }
        }
        Orders {
            splits,
            unseen: state.unseen,
            trump: knowledge.seating().trump,
            failed: HashSet::new(),
            left: 200_000,
        }
    }

    /// Whether `winning` wins a trick to which `led` was led, whatever the
    /// layout, and whatever the hidden hands have played before.
    fn wins(&self, led: usize, winning: u64, rounds: &[u8; 4]) -> bool {
        let suit = suit_of(winning);
        let higher = self.unseen & lane(suit) & !(winning | (winning - 1));
        self.splits.iter().all(|split| {
            (0..2).all(|who| {
                if suit == led && higher != 0 && split.keeps(who, suit, higher, rounds[suit]) {
                    return false;
                }
                match self.trump {
                    Some(trump) if trump != led => {
                        let ruffs = match suit == led {
                            true => self.unseen & lane(trump),
                            false => higher,
                        };
                        ruffs == 0
                            || !split.keeps(who, trump, ruffs, rounds[trump])
                            || !split.may_be_void(who, led, rounds, trump)
                    }
                    _ => true,
                }
            })
        })
    }

    /// Cards of which equals are left out.
    fn choices(&self, place: &Place, who: usize, led: Option<usize>) -> Vec<u64> {
        let hand = place.hands[who];
        let pool = match led {
            Some(led) if hand & lane(led) != 0 => hand & lane(led),
            _ => hand,
        };
        let mut found: Vec<u64> = Vec::new();
        for suit in [3, 2, 1, 0] {
            let others = (self.unseen | place.hands[1 - who]) & lane(suit);
            let mut previous = 0_u64;
            let mut left = pool & lane(suit);
            while left != 0 {
                let card = top(left);
                left ^= card;
                let between = (previous | previous.wrapping_sub(1)) & !(card | (card - 1));
                if previous == 0 || others & between != 0 {
                    found.push(card);
                }
                previous = card;
            }
        }
        found
    }

    fn find(&mut self, place: Place, need: u8, order: &mut Vec<(u64, u64)>) -> bool {
        if need == 0 {
            return true;
        }
        if place.hands[0] == 0 || self.left == 0 || self.failed.contains(&place) {
            return false;
        }
        self.left -= 1;
        for lead in self.choices(&place, place.leader, None) {
            let led = suit_of(lead);
            for follow in self.choices(&place, 1 - place.leader, Some(led)) {
                let over = if suit_of(follow) == led {
                    follow > lead
                } else {
                    Some(suit_of(follow)) == self.trump
                };
                let (winning, winner) = match over {
                    true => (follow, 1 - place.leader),
                    false => (lead, place.leader),
                };
                if !self.wins(led, winning, &place.rounds) {
                    continue;
                }
                let mut next = place;
                next.hands[place.leader] ^= lead;
                next.hands[1 - place.leader] ^= follow;
                next.leader = winner;
                next.rounds[led] += 1;
                order.push((lead, follow));
                if self.find(next, need - 1, order) {
                    return true;
                }
                order.pop();
            }
        }
        self.failed.insert(place);
        false
    }
}

/// A fixed order of play that wins the next `need` tricks in every layout
/// against every defence, if there is one.
///
/// Only where the claimer plays both visible hands and leads from one of them;
/// elsewhere the answer is `None`, unless no trick is needed.
#[must_use]
pub fn fixed_order(knowledge: &Knowledge, need: u8) -> Option<Vec<Pair>> {
    if need == 0 {
        return Some(Vec::new());
    }
    let leader = knowledge.to_play();
    let seating = knowledge.seating();
    if !knowledge.trick().cards().is_empty()
        || !seating.has_partner()
        || !knowledge.plays_for(leader)
    {
        return None;
    }
    let place = Place {
        hands: knowledge.state().visible,
        leader: usize::from(knowledge.visible()[1] == leader),
        rounds: [0; 4],
    };
    let mut order = Vec::new();
    let found = Orders::new(knowledge).find(place, need, &mut order);
    found.then(|| order.iter().map(|&(a, b)| (card(a), card(b))).collect())
}

/// The most tricks that a fixed order wins, one after the other, and the order.
///
/// See [`fixed_order`].
#[must_use]
pub fn ordered(knowledge: &Knowledge) -> Vec<Pair> {
    let mut best = Vec::new();
    for need in 1..=knowledge.tricks_left() as u8 {
        match fixed_order(knowledge, need) {
            Some(order) => best = order,
            None => break,
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_easy_claim() {
        let line = "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98";
        let knowledge: Knowledge = line.parse().unwrap();
        let order = ordered(&knowledge);
        assert_eq!(order.len(), 5);
    }
}
