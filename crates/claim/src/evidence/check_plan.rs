//! Proves plans and cores, without code of the search.
//!
//! Where the search keeps a range of lengths for each suit, this module lists
//! the length vectors one by one, and it plays cards with
//! [`Trick`](setrograde_cards::Trick).

use std::collections::HashSet;

use setrograde_cards::{Card, Hand, Holding, Seat, Sorting, Strain, Suit, Trick};

use crate::evidence::plan::{Plan, PlanError, PlanFault, Step};
use crate::knowledge::Knowledge;

/// Maximum number of splits at all points of the play together, which take 1 GiB.
const MOST_SPLITS: usize = 1 << 25;

/// Splits of the unseen cards with the same cards known to be in one hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Splits {
    known: [Hand; 2],
    /// The lengths of the first hidden hand, in order.
    lengths: Vec<[usize; 4]>,
}

/// A point of the play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CheckedPoint {
    visible: [Hand; 2],
    unseen: Hand,
    splits: Vec<Splits>,
    trick: Trick,
    need: u8,
}

struct Checker<'a> {
    steps: &'a [Step],
    strain: Strain,
    visible: [Seat; 2],
    hidden: [Seat; 2],
    plays: [bool; 4],
    side: usize,
    proved: HashSet<(usize, CheckedPoint)>,
    /// The number of splits that may still be looked at.
    left: usize,
}

/// Proves that `plan` takes its tricks against every defence in every layout, or in the plan's
/// layouts.
///
/// # Errors
///
/// A [`PlanError`] that names the first step that fails.
pub fn check_plan(knowledge: &Knowledge, plan: &Plan) -> Result<(), PlanError> {
    let mut among = plan.among.iter().flatten();
    if let Some(layout) = among.position(|&hands| !knowledge.has_layout(hands)) {
        let (step, fault) = (plan.root, PlanFault::NotALayout { layout });
        return Err(PlanError { step, fault });
    }
    let knowledge = plan.knowledge(knowledge);
    let splits = knowledge
        .splits()
        .into_iter()
        .map(|(known, lengths)| Splits { known, lengths })
        .collect();
    let point = CheckedPoint {
        visible: knowledge.visible_hands(),
        unseen: knowledge.unseen(),
        splits,
        trick: *knowledge.trick(),
        need: plan.tricks,
    };
    let mut checker = Checker {
        steps: &plan.steps,
        strain: knowledge.strain(),
        visible: knowledge.visible(),
        hidden: knowledge.hidden(),
        plays: Seat::ALL.map(|seat| knowledge.plays_for(seat)),
        side: knowledge.claimer().index() % 2,
        proved: HashSet::new(),
        left: MOST_SPLITS,
    };
    checker.check(plan.root, point)
}

fn len(hand: &Hand, suit: Suit) -> usize {
    hand.holding(suit).len()
}

impl Splits {
    /// The suit lengths of hidden hand `who` in a split.
    fn lengths_of(&self, who: usize, first: &[usize; 4], unseen: &Hand) -> [usize; 4] {
        match who {
            0 => *first,
            _ => Suit::ALL.map(|suit| unseen.holding(suit).len() - first[suit]),
        }
    }

    /// Returns the splits after hidden hand `who` has played `card`, without those in which it
    /// cannot.
    fn after(&self, who: usize, card: Card, led: Option<Suit>, unseen: &Hand) -> Option<Splits> {
        if self.known[1 - who].contains(card) {
            return None;
        }
        let mut after = self.clone();
        let was_known = after.known[who].remove(card);
        let suit = card.suit;
        after.lengths.retain_mut(|first| {
            let lengths = self.lengths_of(who, first, unseen);
            let spare = lengths[suit] - len(&self.known[who], suit);
            let holds = was_known || spare > 0;
            let follows = led.is_none_or(|led| led == suit || lengths[led] == 0);
            if who == 0 && holds {
                first[suit] -= 1;
            }
            holds && follows
        });
        (!after.lengths.is_empty()).then_some(after)
    }
}

impl Checker<'_> {
    fn check(&mut self, step: usize, point: CheckedPoint) -> Result<(), PlanError> {
        let fault = |fault| Err(PlanError { step, fault });
        if point.need == 0 || self.proved.contains(&(step, point.clone())) {
            return Ok(());
        }
        let Some(what) = self.steps.get(step) else {
            return fault(PlanFault::NoSuchStep);
        };
        let splits: usize = point.splits.iter().map(|of| of.lengths.len()).sum();
        let limit = MOST_SPLITS;
        let Some(left) = self.left.checked_sub(splits) else {
            return fault(PlanFault::TooLarge { limit });
        };
        self.left = left;
        let seat = point.trick.to_play();
        let [first, second] = point.visible;
        let missing = point.need;
        if (first | second | point.unseen).is_empty() {
            return fault(PlanFault::Short { missing });
        }
        match what {
            Step::Done => return fault(PlanFault::Short { missing }),
            Step::Order(pairs) => match self.order(&point, pairs) {
                Ok(()) => {}
                Err(found) => return fault(found),
            },
            Step::Play { card, then } => {
                if !self.plays[seat] {
                    return fault(PlanFault::WrongHand);
                }
                let Some(next) = self.own(&point, seat, *card) else {
                    return fault(PlanFault::Unplayable { card: *card });
                };
                self.check(*then, next)?;
            }
            Step::Rule(cards) if self.plays[seat] => {
                let card = self.by_rule(&point, seat, cards);
                let Some(next) = card.and_then(|card| self.own(&point, seat, card)) else {
                    return fault(PlanFault::NoCard);
                };
                self.check(step, next)?;
            }
            Step::Rule(_) => {
                for (_, next) in self.others(&point, seat) {
                    self.check(step, next)?;
                }
            }
            Step::Watch { seen, otherwise } => {
                if self.plays[seat] {
                    return fault(PlanFault::WrongHand);
                }
                for (card, next) in self.others(&point, seat) {
                    let mut steps = seen.iter().filter(|(cards, _)| cards.contains(card));
                    let first = steps.next();
                    if steps.next().is_some() {
                        return fault(PlanFault::Ambiguous { card });
                    }
                    let then = first.map_or(*otherwise, |&(_, then)| then);
                    self.check(then, next)?;
                }
            }
        }
        self.proved.insert((step, point));
        Ok(())
    }

    /// Returns the point after a visible hand has played `card`, if that is legal.
    fn own(&self, point: &CheckedPoint, seat: Seat, card: Card) -> Option<CheckedPoint> {
        let who = self.visible.iter().position(|&shown| shown == seat)?;
        let hand = point.visible[who];
        let led = point.trick.led_suit();
        let revokes = led.is_some_and(|led| led != card.suit && len(&hand, led) > 0);
        if !hand.contains(card) || revokes {
            return None;
        }
        let mut next = point.clone();
        next.visible[who] = hand - card.into();
        Some(self.on_table(next, card))
    }

    /// The card that a rule plays from a hand of the claimer.
    fn by_rule(&self, point: &CheckedPoint, seat: Seat, cards: &[Card]) -> Option<Card> {
        let may = |card: &Card| self.own(point, seat, *card).is_some();
        let takes = |card: &Card| {
            let trick = point.trick.with(*card);
            trick.and_then(|trick| trick.winner(self.strain)) == Some(seat)
        };
        let so_far = point.trick.winner(self.strain);
        let hand = self.visible.iter().position(|&shown| shown == seat)?;
        let hand = point.visible[hand].cards();
        let winners = hand.filter(|card| takes(card) && may(card));
        let winner = match so_far {
            Some(winner) if winner != seat.partner() => winners.min_by_key(|card| card.rank),
            _ => None,
        };
        winner.or_else(|| cards.iter().copied().find(may))
    }

    /// Returns the cards that another hand may play, each with the point after it.
    fn others(&self, point: &CheckedPoint, seat: Seat) -> Vec<(Card, CheckedPoint)> {
        let Some(who) = self.hidden.iter().position(|&hidden| hidden == seat) else {
            let who = usize::from(self.visible[1] == seat);
            let cards = point.visible[who].cards();
            return cards
                .filter_map(|card| Some((card, self.own(point, seat, card)?)))
                .collect();
        };
        let led = point.trick.led_suit();
        let mut found = Vec::new();
        for card in point.unseen.cards() {
            let mut splits: Vec<Splits> = point
                .splits
                .iter()
                .filter_map(|splits| splits.after(who, card, led, &point.unseen))
                .collect();
            if !splits.is_empty() {
                splits.in_order_by(Ord::cmp);
                splits.dedup();
                let mut next = point.clone();
                next.unseen = point.unseen - card.into();
                next.splits = splits;
                found.push((card, self.on_table(next, card)));
            }
        }
        found
    }

    fn on_table(&self, mut point: CheckedPoint, card: Card) -> CheckedPoint {
        point.trick = point.trick.with(card).unwrap_or(point.trick);
        if point.trick.cards().len() == 4
            && let Some(winner) = point.trick.winner(self.strain)
        {
            point.trick = Trick::new(winner);
            point.need -= u8::from(winner.index() % 2 == self.side);
        }
        point
    }

    /// Checks that the pairs win their tricks, and that these are enough.
    fn order(&self, point: &CheckedPoint, pairs: &[(Card, Card)]) -> Result<(), PlanFault> {
        if !point.trick.cards().is_empty() || self.visible[0].partner() != self.visible[1] {
            return Err(PlanFault::WrongHand);
        }
        let mut leader = point.trick.leader();
        let mut hands = point.visible;
        let mut led_before: Vec<Suit> = Vec::new();
        for &(lead, follow) in pairs {
            let Some(who) = self.visible.iter().position(|&seat| seat == leader) else {
                return Err(PlanFault::WrongHand);
            };
            let suit = lead.suit;
            if !hands[who].remove(lead) {
                return Err(PlanFault::Unplayable { card: lead });
            }
            let revokes = follow.suit != suit && len(&hands[1 - who], suit) > 0;
            if revokes || !hands[1 - who].remove(follow) {
                return Err(PlanFault::Unplayable { card: follow });
            }
            // Our two cards alone, to see which is the better.
            let two = Trick::new(Seat::North)
                .with(lead)
                .and_then(|t| t.with(follow));
            let first_wins = two.and_then(|t| t.winner(self.strain)) == Some(Seat::North);
            let winning = if first_wins { lead } else { follow };
            if !first_wins {
                leader = leader.partner();
            }
            for splits in &point.splits {
                for first in &splits.lengths {
                    for who in 0..2 {
                        let lengths = splits.lengths_of(who, first, &point.unseen);
                        let known = (&splits.known[who], &splits.known[1 - who]);
                        if self.beats(point, suit, winning, &led_before, lengths, known) {
                            return Err(PlanFault::MayLose { card: winning });
                        }
                    }
                }
            }
            led_before.push(suit);
        }
        match point.need.checked_sub(pairs.len() as u8) {
            Some(missing @ 1..) => Err(PlanFault::Short { missing }),
            _ => Ok(()),
        }
    }

    /// Returns true if a hidden hand of these lengths may beat `winning` in a trick to which `suit`
    /// is led after the suits `before` were.
    fn beats(
        &self,
        point: &CheckedPoint,
        suit: Suit,
        winning: Card,
        before: &[Suit],
        lengths: [usize; 4],
        (own, others): (&Hand, &Hand),
    ) -> bool {
        let rounds = |of: Suit| before.iter().filter(|&&led| led == of).count();
        let length = |of: Suit| lengths[of];
        // Whether it may still have a card of a suit above some rank.
        let has = |of: Suit, cards: Holding| {
            let possible = cards.iter().any(|rank| {
                let card = Card::new(of, rank);
                own.contains(card) || !others.contains(card) && length(of) > len(own, of)
            });
            length(of) > rounds(of) && possible
        };
        let above = |of: Suit, than: Option<Card>| {
            let ranks = point.unseen.holding(of).iter();
            ranks
                .filter(|&rank| than.is_none_or(|than| rank > than.rank))
                .collect::<Holding>()
        };
        if winning.suit == suit && has(suit, above(suit, Some(winning))) {
            return true;
        }
        let Some(trump) = self.strain.trump().filter(|&trump| trump != suit) else {
            return false;
        };
        let ruff = above(trump, (winning.suit == trump).then_some(winning));
        let away: usize = Suit::ALL
            .into_iter()
            .filter(|&other| other != suit && other != trump)
            .map(|other| rounds(other).saturating_sub(length(other)))
            .sum();
        has(trump, ruff) && length(suit) <= rounds(suit) + away
    }
}
