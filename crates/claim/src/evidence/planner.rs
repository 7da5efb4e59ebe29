//! The search for plans.

use std::cmp::Reverse;
use std::collections::HashMap;

use setrograde_cards::{Card, Hand, Sorting};

use crate::claims::{ClaimError, Claims, candidates};
use crate::evidence::plan::{MOST_STEPS, Plan, PlanBuilder, Step};
use crate::knowledge::Knowledge;
use crate::ordered::{fixed_order, order_wins};

/// Maximum number of steps of a plan that needs no rules, and of those that are built to find it.
const SHORT: usize = 60;
const FEW_STEPS: usize = 2_000;

/// Maximum number of remaining tricks for a search for the smallest plan.
const FEW_TRICKS: usize = 4;

/// Maximum number of remaining tricks for a search for a rule.
const RULE_TRICKS: usize = 5;

/// Maximum number of points in one search for a rule, and in all searches for a plan together.
const RULE_POINTS: u64 = 3_000;
const ALL_RULE_POINTS: u64 = 1_500_000;

/// Maximum number of earlier steps tried on a new point.
const MOST_TRIED: usize = 24;

/// The knowledge at a point of the play, and the tricks still needed.
type PlanPoint = (Knowledge, u8);

struct Planner<'a> {
    claims: &'a mut Claims,
    builder: PlanBuilder,
    known: HashMap<PlanPoint, usize>,
    /// The steps tried so far: true if the step is enough at the point.
    serves: HashMap<(usize, PlanPoint), bool>,
    /// The steps so far, except orders, the most recently used one last.
    earlier: Vec<usize>,
    /// Remaining number of points for tests of earlier steps.
    checks: u64,
    /// Remaining number of points for new rules.
    rule_points: u64,
}

impl Claims {
    /// Returns a plan that takes `need` tricks: a fixed order if there is one, else the smallest
    /// tree found.
    ///
    /// # Errors
    ///
    /// [`ClaimError::NotSure`] if they are not sure, and as [`is_sure`](Self::is_sure);
    /// [`ClaimError::PlanTooLarge`] if the plan is too large to be useful.
    pub fn plan(&mut self, knowledge: &Knowledge, need: u8) -> Result<Plan, ClaimError> {
        if !self.is_sure(knowledge, need)? {
            return Err(ClaimError::NotSure);
        }
        self.plan_for(knowledge, need)
    }

    /// A plan for tricks that are sure.
    pub(crate) fn plan_for(&mut self, knowledge: &Knowledge, need: u8) -> Result<Plan, ClaimError> {
        // A short plan explains itself card by card; a rule replaces a long one.
        match self.plan_of(knowledge, need, FEW_STEPS, 0) {
            Ok(plan) if plan.steps.len() <= SHORT => return Ok(plan),
            Ok(_) | Err(ClaimError::PlanTooLarge(_)) => {}
            Err(error) => return Err(error),
        }
        self.plan_of(
            knowledge,
            need,
            MOST_STEPS,
            ALL_RULE_POINTS.min(self.limit()),
        )
    }

    /// Returns a plan of at most `most_steps` steps, with rules found within `rule_points` points.
    fn plan_of(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
        most_steps: usize,
        rule_points: u64,
    ) -> Result<Plan, ClaimError> {
        self.renew();
        let mut planner = Planner {
            checks: self.limit(),
            claims: self,
            builder: PlanBuilder::new(most_steps),
            known: HashMap::new(),
            serves: HashMap::new(),
            earlier: Vec::new(),
            rule_points,
        };
        let root = planner.build(&(knowledge.clone(), need))?;
        Ok(planner.builder.finish(root, need))
    }
}

/// The point after `card`; `None` if it cannot be played.
fn after((knowledge, need): &PlanPoint, card: Card) -> Option<PlanPoint> {
    let after = knowledge.play(card).ok()?;
    let need = knowledge.still_needed(&after, *need);
    Some((after, need))
}

/// The points after each card that the seat to play may play.
fn replies(point: &PlanPoint) -> Vec<(Card, PlanPoint)> {
    let cards = point.0.playable().cards();
    let mut points: Vec<(Card, PlanPoint)> = cards
        .filter_map(|card| Some((card, after(point, card)?)))
        .collect();
    points.in_order_by_key(|(_, (knowledge, _))| Reverse(knowledge.state().cases.len()));
    points
}

impl Planner<'_> {
    /// The step for a point at which the tricks needed are sure.
    fn build(&mut self, point: &PlanPoint) -> Result<usize, ClaimError> {
        let (knowledge, need) = point;
        if *need == 0 {
            return Ok(PlanBuilder::DONE);
        }
        if let Some(&step) = self.known.get(point) {
            return Ok(step);
        }
        self.claims.spend(1)?;
        if let Some(order) = fixed_order(knowledge, *need) {
            let step = self.builder.add(Step::Order(order))?;
            self.known.insert(point.clone(), step);
            return Ok(step);
        }
        let step = if let Some(step) = self.earlier(point) {
            step
        } else if let Some(step) = self.rule(point)? {
            step
        } else if knowledge.plays_for(knowledge.to_play()) {
            self.choose(point)?
        } else {
            self.watch(point)?
        };
        self.earlier.push(step);
        self.known.insert(point.clone(), step);
        Ok(step)
    }

    /// Returns a step of an earlier point that is enough at this one, too.
    fn earlier(&mut self, point: &PlanPoint) -> Option<usize> {
        let mut indices = (0..self.earlier.len()).rev().take(MOST_TRIED);
        let index = indices.find(|&n| self.serves(self.earlier[n], point))?;
        Some(self.earlier.remove(index))
    }

    /// Returns a rule that is enough.
    fn rule(&mut self, point: &PlanPoint) -> Result<Option<usize>, ClaimError> {
        if point.0.tricks_left() > RULE_TRICKS || self.rule_points == 0 {
            return Ok(None);
        }
        let most = RULE_POINTS.min(self.rule_points);
        let mut search = RuleSearch::new(&point.0, most);
        let found = search.find(point);
        self.rule_points -= most - search.points;
        let rule = found.map(|cards| self.builder.add(Step::Rule(cards)));
        Ok(rule.transpose()?)
    }

    /// Plays a card that keeps the tricks sure: with few tricks left, the card of the smallest
    /// plan.
    fn choose(&mut self, point: &PlanPoint) -> Result<usize, ClaimError> {
        let mut best: Option<usize> = None;
        for card in candidates(&point.0) {
            let Some(next) = after(point, card) else {
                continue;
            };
            if !self.claims.search_for(&next.0, next.1)? {
                continue;
            }
            let then = self.build(&next)?;
            let step = self.builder.add(Step::Play { card, then })?;
            if best.is_none_or(|best| self.builder.size(step) < self.builder.size(best)) {
                best = Some(step);
            }
            if point.0.tricks_left() > FEW_TRICKS {
                break;
            }
        }
        Ok(best.expect("some card keeps the tricks sure"))
    }

    /// Watches another hand's card, and continues in the same way after as many cards as possible.
    fn watch(&mut self, point: &PlanPoint) -> Result<usize, ClaimError> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        for (card, next) in replies(point) {
            let mut steps = ways.iter().map(|way| way.1);
            let then = match steps.find(|&step| self.serves(step, &next)) {
                Some(step) => step,
                None => self.build(&next)?,
            };
            PlanBuilder::add_way(&mut ways, card, then);
        }
        Ok(self.builder.watch(ways, point.0.playable())?)
    }

    /// Returns true if the plan from `step` on provably takes the tricks needed within the limit on
    /// points.
    fn serves(&mut self, step: usize, point: &PlanPoint) -> bool {
        if point.1 == 0 {
            return true;
        }
        let key = (step, point.clone());
        if let Some(&known) = self.serves.get(&key) {
            return known;
        }
        if self.checks == 0 {
            return false;
        }
        self.checks -= 1;
        let (knowledge, need) = point;
        let ours = knowledge.plays_for(knowledge.to_play());
        let serves = usize::from(*need) <= knowledge.tricks_left()
            && match self.builder.steps[step].clone() {
                Step::Done => false,
                Step::Order(pairs) => order_wins(knowledge, &pairs, *need),
                Step::Play { card, then } => {
                    ours && after(point, card).is_some_and(|next| self.serves(then, &next))
                }
                Step::Rule(cards) if ours => rule_card(knowledge, &cards)
                    .and_then(|card| after(point, card))
                    .is_some_and(|next| self.serves(step, &next)),
                Step::Rule(_) => {
                    let mut points = replies(point).into_iter();
                    points.all(|(_, next)| self.serves(step, &next))
                }
                Step::Watch { seen, otherwise } => {
                    let then = |card: Card| {
                        let way = seen.iter().find(|(cards, _)| cards.contains(card));
                        way.map_or(otherwise, |&(_, then)| then)
                    };
                    let mut points = replies(point).into_iter();
                    !ours && points.all(|(card, next)| self.serves(then(card), &next))
                }
            };
        self.serves.insert(key, serves);
        serves
    }
}

/// The card by which the claimer wins the trick so far as cheaply as possible, unless
/// partner is winning it.
fn cheapest_winner(knowledge: &Knowledge) -> Option<Card> {
    let winner = knowledge.trick().winner(knowledge.strain())?;
    if winner == knowledge.to_play().partner() {
        return None;
    }
    let playable = knowledge.playable().cards();
    let winners = playable.filter(|&card| knowledge.wins(card));
    winners.min_by_key(|card| card.rank)
}

/// The card that a rule plays from the hand to play.
fn rule_card(knowledge: &Knowledge, cards: &[Card]) -> Option<Card> {
    let playable = knowledge.playable();
    cheapest_winner(knowledge)
        .or_else(|| cards.iter().copied().find(|&card| playable.contains(card)))
}

/// The search for a rule: an order of the cards of a hand.
struct RuleSearch {
    /// The cards of the claimer's hands.
    cards: Vec<Card>,
    /// Remaining number of points.
    points: u64,
}

/// The cards, as bits, that come after each card.
type Later = [u32; 26];

impl RuleSearch {
    fn new(knowledge: &Knowledge, points: u64) -> RuleSearch {
        let cards = knowledge.own_hands().flat_map(|(_, hand)| hand.cards());
        RuleSearch {
            cards: cards.collect(),
            points,
        }
    }

    /// The cards in an order that is enough at `point`.
    fn find(&mut self, point: &PlanPoint) -> Option<Vec<Card>> {
        let later = self.extend(vec![point.clone()], [0; 26])?;
        let mut order: Vec<usize> = (0..self.cards.len()).collect();
        order.in_order_by_key(|&n| Reverse(later[n].count_ones()));
        Some(order.into_iter().map(|n| self.cards[n]).collect())
    }

    /// Returns `later`, extended until the order is enough at all `points`; `None` if no order is.
    fn extend(&mut self, mut points: Vec<PlanPoint>, later: Later) -> Option<Later> {
        while let Some(point) = points.pop() {
            let (knowledge, need) = &point;
            if *need == 0 {
                continue;
            }
            if usize::from(*need) > knowledge.tricks_left() || self.points == 0 {
                return None;
            }
            self.points -= 1;
            if !knowledge.plays_for(knowledge.to_play()) {
                points.extend(replies(&point).into_iter().map(|(_, next)| next));
                continue;
            }
            if let Some(card) = cheapest_winner(knowledge) {
                points.push(after(&point, card)?);
                continue;
            }
            let playable = knowledge.playable();
            let may = |n: &usize| playable.contains(self.cards[*n]);
            let legal: Vec<usize> = (0..self.cards.len()).filter(may).collect();
            let all = legal.iter().fold(0, |all, n| all | 1 << n);
            let rest = |n: usize| all & !(1 << n);
            if let Some(&first) = legal.iter().find(|&&n| rest(n) & !later[n] == 0) {
                points.push(after(&point, self.cards[first])?);
                continue;
            }
            // Cards without a known order.
            let open = legal
                .iter()
                .filter(|&&n| legal.iter().all(|&m| later[m] >> n & 1 == 0));
            for &first in open.collect::<Vec<_>>() {
                let mut points = points.clone();
                points.push(after(&point, self.cards[first])?);
                let behind =
                    legal.iter().fold(
                        rest(first),
                        |set, &n| if n == first { set } else { set | later[n] },
                    );
                let mut new = later;
                for n in 0..self.cards.len() {
                    if n == first || later[n] >> first & 1 == 1 {
                        new[n] |= behind;
                    }
                }
                if let Some(found) = self.extend(points, new) {
                    return Some(found);
                }
            }
            return None;
        }
        Some(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Options;
    use crate::claims::tests::random;
    use crate::evidence::check_plan::check_plan;

    /// Every rule found is a proof. A change that claims not to affect the search must leave the
    /// numbers of rules and points unchanged.
    #[test]
    fn rules_serve() {
        let mut rng = fastrand::Rng::with_seed(30);
        let mut claims = Claims::new(Options::default());
        let (mut found, mut points) = (0, 0);
        for n in 0..400 {
            let known = random(&mut rng, 3 + n % 3);
            let tricks = claims.sure(&known).expect("no limit");
            let mut search = RuleSearch::new(&known, RULE_POINTS);
            let rule = search.find(&(known.clone(), tricks));
            points += RULE_POINTS - search.points;
            if let Some(cards) = rule.filter(|_| tricks > 0) {
                let plan = Plan {
                    tricks,
                    steps: vec![Step::Rule(cards)],
                    root: 0,
                    among: None,
                };
                check_plan(&known, &plan).unwrap_or_else(|error| panic!("{error}: {plan:?}"));
                found += 1;
            }
        }
        assert_eq!((found, points), (161, 396_357));
    }
}
