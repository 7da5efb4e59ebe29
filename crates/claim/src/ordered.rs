//! Fixed orders of play: the longest list of pairs that wins every trick.

use rustc_hash::FxHashSet;
use setrograde_cards::Card;
use smallvec::SmallVec;

use crate::knowledge::Knowledge;
use crate::knowledge::case::{Case, Hidden, Lengths};
use crate::knowledge::state::State;
use crate::lanes::{above, bit, card, count, following, lane, suit_of, union};
use crate::search::moves::for_each_run;

/// A hand's card that leads, and the card that the other visible hand plays.
pub type Pair = (Card, Card);

/// A state of the search for orders; whether a trick may be lost depends on how often each suit was
/// led.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct OrderState {
    hands: [u64; 2],
    leader: usize,
    rounds: [u8; 4],
}

impl OrderState {
    /// The state after a trick that `best` of the two cards wins.
    fn after(mut self, lead: u64, follow: u64, best: u64) -> OrderState {
        self.hands[self.leader] ^= lead;
        self.hands[1 - self.leader] ^= follow;
        self.rounds[suit_of(lead)] += 1;
        if best == follow {
            self.leader = 1 - self.leader;
        }
        self
    }
}

/// Finds the tricks that cannot be lost, by a rule that considers each length separately: fast, and
/// never too optimistic; exact if each case is [one split](every_split).
struct Judge<'a> {
    cases: &'a [Case],
    unseen: u64,
    trump: Option<usize>,
}

/// The search for a fixed order: the paper's *findClaim*.
struct Orders<'a> {
    judge: Judge<'a>,
    failed: FxHashSet<OrderState>,
    /// Number of states that may still be searched.
    left: u64,
}

/// Returns true if a hand of these lengths may be void in `suit` after these rounds. It follows
/// suit as long as it can, and then discards from `suit`.
fn may_be_void(lengths: &[u8; 4], suit: usize, rounds: &[u8; 4], trump: usize) -> bool {
    let discards: u8 = (0..4)
        .filter(|&other| other != suit && other != trump)
        .map(|other| rounds[other].saturating_sub(lengths[other]))
        .sum();
    lengths[suit] <= rounds[suit] + discards
}

/// A case for every split of the unseen cards by lengths; not normal.
fn every_split(state: &State) -> Vec<Case> {
    let splits = state.cases.iter().flat_map(|case| {
        let Case { pinned, lengths } = *case;
        lengths.vectors(state.cards).map(move |vector| {
            let (lo, hi) = (vector, vector);
            let lengths = Lengths { lo, hi };
            Case { pinned, lengths }
        })
    });
    splits.collect()
}

impl Judge<'_> {
    /// Returns true if `winning` wins a trick to which `led` is led, after `rounds` of each suit,
    /// in every layout and after any earlier plays of the hidden hands.
    fn wins(&self, led: usize, winning: u64, rounds: &[u8; 4]) -> bool {
        let unseen = self.unseen;
        let suit = suit_of(winning);
        let higher = higher(unseen, winning);
        let ruffs = match self.trump {
            Some(trump) if trump != led && suit == led => unseen & lane(trump),
            Some(trump) if trump != led => higher,
            _ => 0,
        };
        if ruffs == 0 && (suit != led || higher == 0) {
            return true;
        }
        self.cases.iter().all(|case| {
            Hidden::BOTH.into_iter().all(|hand| {
                // Whether it may have kept one of these cards of the suit. With only its pinned cards
                // of the suit it keeps no other card. Then either it has one more in another split, or
                // all other cards are pinned to the other hand.
                let keeps = |suit: usize, cards: u64| {
                    case.most(hand, suit, unseen) > rounds[suit]
                        && cards & !case.pinned[hand.other().index()] != 0
                };
                if suit == led && keeps(suit, higher) {
                    return false;
                }
                let Some(trump) = self.trump.filter(|_| ruffs != 0) else {
                    return true;
                };
                let least = std::array::from_fn(|suit| case.least(hand, suit, unseen));
                !keeps(trump, ruffs) || !may_be_void(&least, led, rounds, trump)
            })
        })
    }
}

/// The unseen cards of the suit that beat `card`.
fn higher(unseen: u64, card: u64) -> u64 {
    above(unseen & lane(suit_of(card)), card)
}

/// The card that wins the trick between these two of the claimer's.
fn winning(lead: u64, follow: u64, trump: Option<usize>) -> u64 {
    match suit_of(follow) {
        suit if suit == suit_of(lead) => lead.max(follow),
        suit if Some(suit) == trump => follow,
        _ => lead,
    }
}

impl<'a> Orders<'a> {
    fn new(judge: Judge<'a>, limit: u64) -> Orders<'a> {
        Orders {
            judge,
            failed: FxHashSet::default(),
            left: limit,
        }
    }

    /// Cards without their equals.
    fn choices(&self, at: &OrderState, who: usize, led: Option<usize>) -> SmallVec<[u64; 16]> {
        let pool = following(at.hands[who], led);
        let others = self.judge.unseen | at.hands[1 - who];
        let mut found = SmallVec::new();
        for suit in [3, 2, 1, 0] {
            for_each_run(pool & lane(suit), others, |run| found.push(run[0]));
        }
        found
    }

    fn find(&mut self, at: OrderState, need: u8, order: &mut Vec<(u64, u64)>) -> bool {
        if need == 0 {
            return true;
        }
        if at.hands[0] == 0 || self.left == 0 || self.failed.contains(&at) {
            return false;
        }
        self.left -= 1;
        for lead in self.choices(&at, at.leader, None) {
            let led = suit_of(lead);
            let leads = self.judge.wins(led, lead, &at.rounds);
            for follow in self
                .choices(&at, 1 - at.leader, Some(led))
                .into_iter()
                .rev()
            {
                let best = winning(lead, follow, self.judge.trump);
                let wins = if best == lead {
                    leads
                } else {
                    self.judge.wins(led, best, &at.rounds)
                };
                if !wins {
                    continue;
                }
                order.push((lead, follow));
                if self.find(at.after(lead, follow, best), need - 1, order) {
                    return true;
                }
                order.pop();
            }
        }
        self.failed.insert(at);
        false
    }
}

/// Maximum number of states that are searched for a fixed order.
const MOST_PLACES: u64 = 200_000;
/// Maximum number of states if the result is only one of several bounds.
const FEW_PLACES: u64 = 80;

/// Returns the winning cards if visible hand `who`, to lead, obviously wins the next `need` tricks
/// by a fixed order.
pub(crate) fn at_sight(state: &State, trump: Option<usize>, who: usize, need: u8) -> Option<u64> {
    if most_rounds(state, trump) < need {
        return None;
    }
    let at = OrderState {
        hands: state.visible,
        leader: who,
        rounds: [0; 4],
    };
    let mut order = Vec::with_capacity(13);
    let judge = Judge {
        cases: &state.cases,
        unseen: state.unseen,
        trump,
    };
    let found = Orders::new(judge, FEW_PLACES).find(at, need, &mut order);
    let mut rounds = [0; 4];
    let mut used = 0;
    for &(lead, follow) in &order {
        let best = winning(lead, follow, trump);
        let suit = suit_of(best);
        // A card of a suit that no other hand has wins by length.
        if suit_of(lead) == suit_of(follow) || rounds[suit] < state.longest(suit) {
            used |= best;
        }
        rounds[suit_of(lead)] += 1;
    }
    found.then_some(used)
}

/// An upper bound on the tricks of a fixed order: in each suit the unbeatable cards, or all cards
/// of the longer hand once no other hand has any; and every trump.
fn most_rounds(state: &State, trump: Option<usize>) -> u8 {
    (0..4)
        .map(|suit| {
            let lengths = state.visible.map(|hand| count(hand, suit));
            if Some(suit) == trump {
                return lengths[0] + lengths[1];
            }
            let unseen = state.unseen & lane(suit);
            let ours = union(state.visible) & lane(suit);
            let winners = above(ours, unseen).count_ones() as u8;
            if winners >= state.longest(suit) {
                lengths[0].max(lengths[1])
            } else {
                winners
            }
        })
        .sum()
}

/// A fixed order of play that wins the next `need` tricks in every layout
/// against every defence, if there is one.
///
/// The claimer must play both visible hands and lead from one of them; otherwise the answer is
/// `None`, unless no trick is needed.
pub(crate) fn fixed_order(knowledge: &Knowledge, need: u8) -> Option<Vec<Pair>> {
    if need == 0 {
        return Some(Vec::new());
    }
    let at = start(knowledge)?;
    let mut order = Vec::new();
    let cases = every_split(knowledge.state());
    let judge = exact(knowledge, &cases);
    let found = Orders::new(judge, MOST_PLACES).find(at, need, &mut order);
    found.then(|| order.iter().map(|&(a, b)| (card(a), card(b))).collect())
}

/// Returns true if these pairs, `need` or more, played one after the other, win their tricks in
/// every layout against every defence.
pub(crate) fn order_wins(knowledge: &Knowledge, pairs: &[Pair], need: u8) -> bool {
    let Some(mut at) = start(knowledge).filter(|_| pairs.len() >= usize::from(need)) else {
        return false;
    };
    let cases = every_split(knowledge.state());
    let judge = exact(knowledge, &cases);
    pairs.iter().all(|&(lead, follow)| {
        let (lead, follow) = (bit(lead), bit(follow));
        let led = suit_of(lead);
        let [first, second] = [at.leader, 1 - at.leader];
        let follows = suit_of(follow) == led || at.hands[second] & lane(led) == 0;
        let best = winning(lead, follow, judge.trump);
        let wins = at.hands[first] & lead != 0
            && at.hands[second] & follow != 0
            && follows
            && judge.wins(led, best, &at.rounds);
        if wins {
            at = at.after(lead, follow, best);
        }
        wins
    })
}

/// The judge by every split, which are `cases`.
fn exact<'a>(knowledge: &Knowledge, cases: &'a [Case]) -> Judge<'a> {
    Judge {
        cases,
        unseen: knowledge.state().unseen,
        trump: knowledge.seating().trump,
    }
}

/// The state in which the claimer leads to a fixed order, if it plays both visible hands.
fn start(knowledge: &Knowledge) -> Option<OrderState> {
    let leader = knowledge.to_play();
    let may = knowledge.trick().cards().is_empty()
        && knowledge.seating().has_partner()
        && knowledge.plays_for(leader);
    may.then(|| OrderState {
        hands: knowledge.state().visible,
        leader: usize::from(knowledge.visible()[1] == leader),
        rounds: [0; 4],
    })
}

/// Returns the maximum number of tricks that a fixed order wins, one after the other, and the
/// order.
///
/// The claimer must play both visible hands and lead from one of them.
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
    fn rounds_are_counted_suit_by_suit() {
        for (line, rounds) in [
            ("NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98", 8),
            ("H W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98", 9),
            ("NT W W:AK2... ? 3.2.2. ? out=JT.KQ.KQ.", 3),
            ("NT W W:43.2.. ? 765... ? out=..AKQ.AKQ", 4),
        ] {
            let knowledge: Knowledge = line.parse().unwrap();
            let trump = knowledge.seating().trump;
            assert_eq!(most_rounds(knowledge.state(), trump), rounds, "{line}");
        }
    }
}
