//! The worst outcome of a claim: the fewest tricks over all [normal](crate::normal) plays of the
//! claimer's side and all plays of the opponents.

use std::iter;

use rustc_hash::FxHashMap;
use serde::Serialize;
use setrograde_cards::{Card, Hand};
use smallvec::SmallVec;

use crate::claims::{ClaimError, Claims};
use crate::double_dummy::Path;
use crate::knowledge::Knowledge;
use crate::knowledge::case::Hidden;
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{self, above, bit, count, each, lane, union};
use crate::line::{How, Line, LineStep};
use crate::normal::{Outlook, Plays};
use crate::search::moves::{NO_HISTORY, moves};
use crate::search::node::{Node, Trick};

mod choices;

/// Maximum number of points of the play that are kept.
const MOST_POINTS: u64 = 1_000_000;

/// A play to the end, and its tricks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Worst {
    /// The tricks of the claimer's side.
    pub tricks: u8,
    /// The cards of the play from here, in order.
    pub play: Vec<Card>,
}

/// The normal plays that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// All, in whatever order.
    None,
    /// Those after which as many tricks are sure as before. If no card is normal, any card after
    /// which they are.
    KeepsSure,
    /// The same, except that while an unseen trump is out, leads and winning cards may be played as
    /// if it were not, until that has cost a trick.
    ForgetsTrumps,
}

/// The question to a search for the worst play.
pub(crate) struct WorstQuestion<'a> {
    pub known: &'a Knowledge,
    /// One layout of it, if that is given; else all count.
    pub layout: Option<[Hand; 2]>,
    pub line: &'a Line,
    pub care: Care,
    /// The tricks that the claim concedes.
    pub concedes: u8,
    /// Number of tricks from which on all plays are the same.
    pub below: u8,
}

impl Claims {
    /// The minimum number of tricks of a stated line over all layouts, defences and, where the line
    /// is silent, normal plays; and a play that takes it.
    ///
    /// Normal is what `docs/claim.md` says: suits are led from the top, tricks won that can
    /// be won for sure, and winners kept. In which order suits are led is open.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure), [`ClaimError::LimitReached`] if there
    /// are too many ways to play, and [`ClaimError::StatedCard`] if the claimer's
    /// side does not hold a card of the line, or the line has a card twice.
    pub fn line(&mut self, knowledge: &Knowledge, line: &Line) -> Result<Worst, ClaimError> {
        line.check(knowledge)?;
        self.begin();
        self.worst(&WorstQuestion {
            known: knowledge,
            layout: None,
            line,
            care: Care::None,
            concedes: knowledge.tricks_left() as u8,
            below: knowledge.tricks_left() as u8,
        })
    }

    /// The worst play, or any play of at least `below` tricks if none takes fewer.
    pub(crate) fn worst(&mut self, asked: &WorstQuestion<'_>) -> Result<Worst, ClaimError> {
        let mut line = asked.line.steps.clone();
        // Trumps are drawn without a step once all others are made.
        line.pop_if(|step| *step == LineStep::Suit(How::Draw, None));
        let seating = asked.known.seating();
        let mut worsts = Worsts {
            seating,
            line,
            draws_trumps: asked.line.mentions_trumps(asked.known),
            care: asked.care,
            found: FxHashMap::default(),
            claims: self,
        };
        worsts.of(asked)
    }
}

/// A moment of the play. Once the line is played, cards have relative ranks from the next trick on,
/// so points that differ only in played cards are equal.
#[derive(Clone, PartialEq, Eq, Hash)]
struct WorstPoint {
    /// The claimer's knowledge.
    known: State,
    /// The layout, if it is known.
    case: Option<State>,
    /// The seat to play.
    seat: usize,
    /// The plays of the line that have been made.
    done: usize,
    /// True if cards have relative ranks.
    relative: bool,
    /// The tricks conceded and not lost yet.
    concedes: u8,
    /// True if the claimer takes it that no trump is out.
    forgets: bool,
    /// The tricks that were sure before a card to this trick was played as if no trump were out.
    risked: Option<u8>,
}

impl WorstPoint {
    /// The lie of the cards, if it is known.
    fn truth(&self) -> &State {
        self.case.as_ref().unwrap_or(&self.known)
    }
}

/// A card to try.
#[derive(Clone, Copy)]
struct CardToTry {
    card: u64,
    /// If it is played because trumps were forgotten: the tricks that are sure without it.
    lapse: Option<u8>,
    /// True if it is played for fear of a trump, which nobody has forgotten who fears it.
    fears: bool,
}

/// The cards of the claimer's side to try.
enum Choices {
    /// It takes this number of tricks with any play.
    AtLeast(u8),
    These(SmallVec<[CardToTry; 8]>),
}

impl Choices {
    /// Returns these cards as choices that forgetfulness does not explain.
    fn these(cards: Plays) -> Choices {
        Choices::These(cards.into_iter().map(plain).collect())
    }
}

/// The remaining cards of a trick, in order.
type Rest = SmallVec<[CardToTry; 4]>;

/// The search for the fewest tricks.
struct Worsts<'a> {
    claims: &'a mut Claims,
    seating: Seating,
    /// The steps stated.
    line: Vec<LineStep>,
    /// True if trumps are led while some are out.
    draws_trumps: bool,
    care: Care,
    /// The minimum number of tricks from the start of a trick, or a lower bound; and whether it is
    /// exact.
    found: FxHashMap<WorstPoint, (u8, bool)>,
}

impl Worsts<'_> {
    fn of(&mut self, asked: &WorstQuestion<'_>) -> Result<Worst, ClaimError> {
        let mut known = asked.known.clone();
        let mut case = asked.layout.map(|layout| known.among(&[layout]));
        let done = self.skip_gone(0, known.state());
        let mut state = (done, asked.concedes, self.care == Care::ForgetsTrumps);
        let mut play = Vec::new();
        let mut won = 0;
        // The minimum number of tricks: unknown, at least the target, or exact.
        let mut fewest: Option<Option<u8>> = None;
        while known.tricks_left() > 0 {
            let left = known.tricks_left() as u8;
            let relative = state.0 == self.line.len();
            let table = known.trick().cards().iter().map(|&card| bit(card));
            let path = Path::new(known.state().held(), table);
            let (mut point, mut trick) = self.start(&known, case.as_ref(), state, &path);
            let below = match fewest {
                None => Some(asked.below),
                // A repeated search finds its result in the table.
                Some(least) => least.map(|least| least - won + 1),
            };
            let mut cards = None;
            if let Some(below) = below {
                let (least, found) = self.turn(&point, trick.as_ref(), left, below)?;
                cards = (least < below).then_some(found);
                fewest.get_or_insert((least < below).then_some(least));
            }
            let cards = match cards {
                Some(cards) => cards,
                None => self.some_play(&point, trick, left)?,
            };
            for choice in cards {
                let card = choice.card;
                let card = lanes::card(if relative { path.real(card) } else { card });
                play.push(card);
                for knowledge in iter::once(&mut known).chain(&mut case) {
                    let after = knowledge.play(card);
                    *knowledge = after.expect("the search plays cards that may be played");
                }
                let (after, next) = self.after(&point, trick.as_ref(), choice)?;
                (point, trick) = (after, Some(next));
            }
            state = (point.done, point.concedes, point.forgets);
            won += u8::from(self.seating.is_ours(known.trick().leader().index()));
        }
        Ok(Worst { tricks: won, play })
    }

    /// The point of the play of some knowledge, and the current trick; `state` has the plays of
    /// the line that are done, the tricks conceded, and whether trumps are forgotten.
    fn start(
        &self,
        known: &Knowledge,
        case: Option<&Knowledge>,
        (done, concedes, forgets): (usize, u8, bool),
        path: &Path,
    ) -> (WorstPoint, Option<Trick>) {
        let relative = done == self.line.len();
        let state = |knowledge: &Knowledge| {
            let mut state = knowledge.state().clone();
            if relative {
                state.close_gaps(Hand::PACK.bits() & !path.here());
            }
            state
        };
        let trick = Trick::of(
            known,
            |card| if relative { path.relative(card) } else { card },
        );
        let point = WorstPoint {
            known: state(known),
            case: case.map(state),
            seat: known.to_play().index(),
            done,
            relative,
            concedes,
            forgets,
            risked: None,
        };
        (point, trick)
    }

    /// A play to the end of the trick where none takes fewer tricks than were asked for.
    fn some_play(
        &mut self,
        point: &WorstPoint,
        mut trick: Option<Trick>,
        left: u8,
    ) -> Result<Rest, ClaimError> {
        let mut point = point.clone();
        let mut rest = Rest::new();
        loop {
            let choice = match self.choices(&point, trick.as_ref(), left, u8::MAX)? {
                Choices::These(choices) => choices.into_iter().next(),
                Choices::AtLeast(_) => None,
            };
            let choice = choice.expect("a hand that is to play has a card");
            rest.push(choice);
            let (after, next) = self.after(&point, trick.as_ref(), choice)?;
            if next.played == 4 {
                return Ok(rest);
            }
            (point, trick) = (after, Some(next));
        }
    }

    /// The minimum number of tricks from the start of a trick if it is less than `below`, otherwise
    /// a lower bound.
    fn lead(&mut self, point: WorstPoint, left: u8, below: u8) -> Result<u8, ClaimError> {
        if left == 0 || below == 0 {
            return Ok(0);
        }
        if self.all_win(&point, point.truth()) {
            return Ok(left);
        }
        if let Some(&(least, exact)) = self.found.get(&point)
            && (exact || least >= below)
        {
            return Ok(least);
        }
        if self.keeps_sure(&point)
            && below <= left
            && self.is_sure(&point, None, left, below, None)?
        {
            return Ok(below);
        }
        self.claims.spend(1)?;
        if self.found.len() as u64 >= MOST_POINTS {
            return Err(ClaimError::LimitReached { limit: MOST_POINTS });
        }
        let (least, _) = self.turn(&point, None, left, below)?;
        self.found.insert(point, (least, least < below));
        Ok(least)
    }

    /// The same with `trick` on the table, and the cards that lead to it, to the trick's end.
    fn turn(
        &mut self,
        point: &WorstPoint,
        trick: Option<&Trick>,
        left: u8,
        below: u8,
    ) -> Result<(u8, Rest), ClaimError> {
        let choices = match self.choices(point, trick, left, below)? {
            Choices::AtLeast(least) => return Ok((least, Rest::new())),
            Choices::These(choices) => choices,
        };
        let (mut least, mut best) = (u8::MAX, Rest::new());
        for choice in choices {
            let below = below.min(least);
            let (after, trick) = self.after(point, trick, choice)?;
            let (tricks, mut rest) = if trick.played < 4 {
                self.turn(&after, Some(&trick), left, below)?
            } else {
                let won = u8::from(self.seating.is_ours(trick.winner));
                let rest = self.lead(after, left - 1, below.saturating_sub(won))?;
                (won + rest, Rest::new())
            };
            if tricks < least {
                least = tricks;
                rest.insert(0, choice);
                best = rest;
            }
            if least == 0 {
                break;
            }
        }
        Ok((least, best))
    }

    /// The cards to try: those of the claimer that count, or those of another seat.
    fn choices(
        &mut self,
        point: &WorstPoint,
        trick: Option<&Trick>,
        left: u8,
        below: u8,
    ) -> Result<Choices, ClaimError> {
        match self.seating.roles[point.seat] {
            Role::Ours(who) => self.of_claimer(point, who, trick, left, below),
            _ => Ok(Choices::these(self.others(point, trick))),
        }
    }

    /// The cards of a seat that the claimer does not play: all, but of a defender's partner
    /// those that are normal.
    fn others(&self, point: &WorstPoint, trick: Option<&Trick>) -> Plays {
        if let (Some(case), Role::Hidden(hand)) = (&point.case, self.seating.roles[point.seat]) {
            if self.seating.is_ours(point.seat) {
                return self.of_partner(case, hand, point.seat, trick);
            }
            // Of equal cards the claimer may learn one thing or another, as long as the other
            // hidden hand may hold the rest of them.
            let played = trick.map_or(0, |trick| trick.played);
            if self.care != Care::None && self.seating.other_to_come(point.seat, played) {
                return each(case.playable(hand, trick.map(|trick| trick.led))).collect();
            }
        }
        self.all(point.truth(), point.seat, trick)
    }

    /// The cards that may be played, one or two of equal ones.
    fn all(&self, state: &State, seat: usize, trick: Option<&Trick>) -> Plays {
        let node = self.node(state, seat, trick, 0, 0);
        let moves = moves(&self.seating, &NO_HISTORY, &node);
        moves.iter().map(|step| step.card).collect()
    }

    fn of_partner(&self, case: &State, hand: Hidden, seat: usize, trick: Option<&Trick>) -> Plays {
        let outlook = Outlook::of_partner(&self.seating, case, hand, seat, trick);
        match trick {
            None => outlook.leads(),
            Some(trick) => outlook.follows(trick),
        }
    }

    fn node<'a>(
        &self,
        state: &'a State,
        seat: usize,
        trick: Option<&'a Trick>,
        need: u8,
        left: u8,
    ) -> Node<'a> {
        Node {
            state,
            seat,
            trick,
            need,
            left,
            path: Path::new(0, iter::empty()),
            pause_at: u64::MAX,
        }
    }

    /// Returns true if no play from here gives up a trick that is sure.
    fn keeps_sure(&self, point: &WorstPoint) -> bool {
        self.care != Care::None && point.done == self.line.len() && !point.forgets
    }

    /// Returns true if `need` tricks are sure with the claimer's knowledge; after `card`, if there is
    /// one.
    fn is_sure(
        &mut self,
        point: &WorstPoint,
        trick: Option<&Trick>,
        left: u8,
        need: u8,
        card: Option<u64>,
    ) -> Result<bool, ClaimError> {
        if point.relative {
            let node = self.node(&point.known, point.seat, trick, need, left);
            return self.claims.is_sure_at(self.seating, node, card);
        }
        // The results of the search hold for relative ranks.
        let here = point.known.held() | trick.map_or(0, |trick| trick.cards);
        let path = Path::new(here, iter::empty());
        let mut known = point.known.clone();
        known.close_gaps(Hand::PACK.bits() & !here);
        let trick = trick.map(|trick| Trick {
            winning: path.relative(trick.winning),
            cards: path.relative(trick.cards),
            ..*trick
        });
        let node = self.node(&known, point.seat, trick.as_ref(), need, left);
        let card = card.map(|card| path.relative(card));
        self.claims.is_sure_at(self.seating, node, card)
    }

    /// The point after a card, and the trick with it. At the end of a trick it is the
    /// start of the next.
    fn after(
        &mut self,
        point: &WorstPoint,
        trick: Option<&Trick>,
        choice: CardToTry,
    ) -> Result<(WorstPoint, Trick), ClaimError> {
        let card = choice.card;
        let (role, led) = (self.seating.roles[point.seat], trick.map(|trick| trick.led));
        let play = |state: &State| state.after(role, card, led);
        let mut done = point.done;
        if let (Role::Ours(who), None, false) = (role, trick, point.relative)
            && let Some((step, lead)) = self.next_lead(point, who)
            && lead == card
        {
            done = step + usize::from(!self.line[step].repeats());
        }
        let is_trump = Some(lanes::suit_of(card)) == self.seating.trump;
        let shown = is_trump && !self.seating.is_ours(point.seat);
        let trick = match trick {
            None => Trick::new(point.seat, card),
            Some(trick) => trick.with(card, self.seating.trump),
        };
        let mut after = WorstPoint {
            known: play(&point.known),
            case: point.case.as_ref().map(play),
            seat: trick.to_play(),
            done,
            relative: point.relative,
            concedes: point.concedes,
            forgets: point.forgets && !shown && !choice.fears,
            risked: point.risked.or(choice.lapse),
        };
        if trick.played == 4 {
            after.seat = trick.winner;
            if !self.seating.is_ours(trick.winner) {
                after.concedes = after.concedes.saturating_sub(1);
            }
            after.done = self.skip_gone(after.done, &after.known);
            after.relative = after.done == self.line.len();
            let gone = if point.relative {
                trick.cards
            } else {
                Hand::PACK.bits() & !after.known.held()
            };
            for state in [Some(&mut after.known), after.case.as_mut()]
                .into_iter()
                .flatten()
            {
                if after.relative {
                    state.close_gaps(gone);
                }
            }
        }
        if let Some(sure) = after.risked.filter(|_| !after.forgets || trick.played == 4) {
            after.risked = None;
            // A player who has lost a trick by it thinks again.
            if after.forgets {
                let won = u8::from(self.seating.is_ours(trick.winner));
                let left = after.known.visible[0].count_ones() as u8;
                let need = sure.saturating_sub(won);
                after.forgets = self.is_sure(&after, None, left, need, None)?;
            }
        }
        Ok((after, trick))
    }

    /// The plays of the line that are done or no longer possible because their cards have been
    /// played.
    fn skip_gone(&self, done: usize, known: &State) -> usize {
        let own = self.own(known);
        let out = known.held() & !own;
        let steps = self.line[done..].iter();
        let over = steps.take_while(|step| step.is_over(own, out, self.seating.trump));
        done + over.count()
    }

    /// The cards of the claimer's side that it plays.
    fn own(&self, known: &State) -> u64 {
        union(self.seating.roles.iter().map(|role| match role {
            Role::Ours(who) => known.visible[*who],
            _ => 0,
        }))
    }

    /// Returns true if the claimer's side is on lead and wins all tricks: the opponents have no
    /// trump, and each of its hands has in each suit only high cards, or as many of them as the
    /// opponents can follow. Suits are led from the top, and low cards are discarded first.
    fn all_win(&self, point: &WorstPoint, truth: &State) -> bool {
        if !matches!(self.seating.roles[point.seat], Role::Ours(_)) {
            return false;
        }
        let (mut ours, mut theirs) = ([0; 2], truth.unseen);
        for role in self.seating.roles {
            match role {
                Role::Ours(who) => ours[who] = truth.visible[who],
                Role::Theirs(who) => theirs |= truth.visible[who],
                Role::Hidden(_) => {}
            }
        }
        let trumps = self.seating.trump.map_or(0, lane);
        theirs & trumps == 0
            && (0..4).all(|suit| {
                let others = theirs & lane(suit);
                let follow = truth.longest(suit).max(count(others & !truth.unseen, suit));
                ours.into_iter().all(|hand| {
                    let high = above(hand & lane(suit), others);
                    high == hand & lane(suit) || point.relative && count(high, suit) >= follow
                })
            })
    }
}

/// A careful card.
fn plain(card: u64) -> CardToTry {
    CardToTry {
        card,
        lapse: None,
        fears: false,
    }
}
