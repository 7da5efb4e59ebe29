//! The cards of the claimer that count: stated, normal, or played in forgetfulness.

use smallvec::{SmallVec, smallvec};

use super::{CardToTry, Care, Choices, WorstPoint, Worsts, plain};
use crate::claims::ClaimError;
use crate::lanes::{each, following, union};
use crate::line::LineStep;
use crate::normal::{Outlook, Plays};
use crate::search::node::Trick;

impl Worsts<'_> {
    /// The plays of the claimer: the stated ones, or else the relevant ones.
    pub(super) fn of_claimer(
        &mut self,
        point: &WorstPoint,
        who: usize,
        trick: Option<&Trick>,
        left: u8,
        below: u8,
    ) -> Result<Choices, ClaimError> {
        if let Some(card) = self.stated(point, who, trick) {
            return Ok(Choices::these(smallvec![card]));
        }
        let normal = self.normal(point, who, trick, false);
        if self.care == Care::None {
            return Ok(Choices::these(normal));
        }
        let bounded = self.keeps_sure(point) && below <= left;
        let mut level = if bounded { below } else { left };
        while level > 0 && !self.is_sure(point, trick, left, level, None)? {
            level -= 1;
        }
        if bounded && level == below {
            return Ok(Choices::AtLeast(below));
        }
        let mut kept = self.keeping(point, trick, left, level, normal)?;
        if kept.is_empty() {
            let all = self.all(&point.known, point.seat, trick);
            kept = self.keeping(point, trick, left, level, all)?;
        }
        let mut choices: SmallVec<[CardToTry; 8]> = SmallVec::new();
        let mut careless = Plays::new();
        let trump = self.seating.trump;
        let wins = |card| trick.is_none_or(|trick| trick.is_beaten_by(card, trump));
        if point.forgets {
            careless = self.normal(point, who, trick, true);
        }
        // Fear of a trump takes a trick that is won without it, or takes it with a higher card.
        let fears =
            |card| point.forgets && trick.is_some() && wins(card) && !careless.contains(&card);
        if point.risked.is_none() {
            let lapse = Some(level);
            let feared = kept.iter().any(|&card| fears(card));
            let lapses = careless.iter().copied();
            let lapses = lapses.filter(|&card| (wins(card) || feared) && !kept.contains(&card));
            let fears = false;
            choices.extend(lapses.map(|card| CardToTry { card, lapse, fears }));
        }
        choices.extend(kept.into_iter().map(|card| CardToTry {
            fears: fears(card),
            ..plain(card)
        }));
        Ok(Choices::These(choices))
    }

    /// Those of `cards` after which `level` tricks are sure.
    fn keeping(
        &mut self,
        point: &WorstPoint,
        trick: Option<&Trick>,
        left: u8,
        level: u8,
        cards: Plays,
    ) -> Result<Plays, ClaimError> {
        let mut kept = Plays::new();
        for card in cards {
            if self.is_sure(point, trick, left, level, Some(card))? {
                kept.push(card);
            }
        }
        Ok(kept)
    }

    /// The card that the line states for a hand at a point, if it holds it.
    fn stated(&self, point: &WorstPoint, who: usize, trick: Option<&Trick>) -> Option<u64> {
        let hand = point.known.visible[who];
        let trump = self.seating.trump;
        if point.relative {
            return None;
        }
        let Some(trick) = trick else {
            return Some(self.next_lead(point, who)?.1);
        };
        // A step of one trick is done once its card is led.
        let made = self.line[..point.done].last();
        let under_way = self.line.get(point.done).filter(|step| step.repeats());
        let playable = following(hand, Some(trick.led));
        let mut steps = made.into_iter().chain(under_way);
        let follow = steps.find_map(|step| step.follow(trick, playable, trump))?;
        let follow = Some(follow).filter(|_| self.seating.is_ours(trick.leader))?;
        // A stated finesse applies as long as no higher card has been played.
        let wins = |card| trick.is_beaten_by(card, trump);
        let covers = !self.seating.is_ours(trick.winner) && each(playable).any(wins);
        (playable & follow != 0 && (wins(follow) || !covers)).then_some(follow)
    }

    /// The step that a hand on lead makes, and the card. A suit that it cannot go on with is left.
    pub(super) fn next_lead(&self, point: &WorstPoint, who: usize) -> Option<(usize, u64)> {
        let hand = point.known.visible[who];
        let partner = self.own(&point.known) & !hand;
        let lead = |step: &LineStep| step.lead(hand, partner, self.seating.trump);
        let mut steps = (point.done..).zip(&self.line[point.done..]);
        let (index, step) = steps.find(|(_, step)| !step.repeats() || lead(step).is_some())?;
        Some((index, lead(step)?))
    }

    /// The plays of the claimer that are normal where the line is silent; or, if trumps are
    /// `forgotten`, those that would be if no trump were out.
    fn normal(
        &self,
        point: &WorstPoint,
        who: usize,
        trick: Option<&Trick>,
        forgotten: bool,
    ) -> Plays {
        let mut outlook = Outlook::of_claimer(&self.seating, &point.known, who, point.seat, trick);
        outlook.concedes = point.concedes;
        outlook.draws_trumps = self.draws_trumps;
        let trumps_led = trick.is_some_and(|trick| Some(trick.led) == self.seating.trump);
        outlook.no_trumps_out = forgotten && !trumps_led;
        if !point.relative {
            let rest = self.line[point.done..].iter();
            outlook.stated = union(rest.map(|step| step.cards(self.seating.trump)));
        }
        match trick {
            None if forgotten => outlook.winning_leads(),
            None => outlook.leads(),
            Some(trick) => outlook.follows(trick),
        }
    }
}
