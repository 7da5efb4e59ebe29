//! Stated lines of play and what is normal where they are silent; contested claims,
//! adjudicated after Law 70 of the Laws of Duplicate Bridge (2017).

use std::fmt;
use std::iter;
use std::str::FromStr;

use rustc_hash::FxHashMap;
use serde::Serialize;
use setrograde_beliefs::QuestionError;
use setrograde_cards::{Card, Hand};
use smallvec::{SmallVec, smallvec};

use crate::claims::{ClaimError, Claims};
use crate::double_dummy::Path;
use crate::knowledge::Knowledge;
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{self, above, bit, count, each, lane, top, union};
use crate::search::moves::{History, moves};
use crate::search::node::{Node, Trick};

/// The most points of the play that are looked at.
const MOST_POINTS: u64 = 1_000_000;

/// The cards that a claimer states, trick by trick: a card to lead, and perhaps
/// the card that the other visible hand plays to it.
///
/// Written as `SA SK H2-HQ`. A last word `rest` says nothing and may be left
/// out. `T` alone stands for trumps: the claimer says that they are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The leads, each with the card of the other hand if that is stated.
    pub plays: Vec<(Card, Option<Card>)>,
    /// Whether the claimer said that trumps are drawn.
    pub draws_trumps: bool,
}

impl FromStr for Line {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Line, QuestionError> {
        let mut line = Line::default();
        let mut column = 1;
        let mut ended = false;
        for word in text.split(char::is_whitespace) {
            let at = column;
            column += word.chars().count() + 1;
            let word = word.trim_end_matches(',');
            if word.is_empty() {
                continue;
            }
            if ended {
                let found: String = word.chars().take(20).collect();
                return Err(QuestionError::new(
                    at,
                    format_args!("{found:?} is left over"),
                ));
            }
            if word.eq_ignore_ascii_case("rest") {
                ended = true;
            } else if word.eq_ignore_ascii_case("T") {
                line.draws_trumps = true;
            } else {
                let (lead, follow) = match word.split_once('-') {
                    Some((lead, follow)) => (lead, Some(follow)),
                    None => (word, None),
                };
                let read = |card: &str, by: usize| {
                    let card = card.parse::<Card>();
                    card.map_err(|error| QuestionError::from(error).shifted(at - 1 + by))
                };
                let follow = follow
                    .map(|card| read(card, lead.chars().count() + 1))
                    .transpose()?;
                line.plays.push((read(lead, 0)?, follow));
            }
        }
        Ok(line)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.draws_trumps {
            f.write_str("T ")?;
        }
        for (lead, follow) in &self.plays {
            match follow {
                Some(follow) => write!(f, "{lead}-{follow} ")?,
                None => write!(f, "{lead} ")?,
            }
        }
        f.write_str("rest")
    }
}

/// The worst that may come of a stated line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Worst {
    /// The tricks of the claimer's side.
    pub tricks: u8,
    /// The cards of the worst play from here, in order.
    pub play: Vec<Card>,
}

/// The adjudication of a contested claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// The tricks claimed.
    pub claimed: u8,
    /// The tricks that were sure from what the claimer knew.
    pub sure: u8,
    /// The tricks with all cards seen.
    pub double_dummy: u8,
    /// The fewest tricks of the stated line, and of any normal play where it is
    /// silent, as the cards lie; and the cards of that play.
    pub worst: Worst,
    /// The tricks to award: those claimed, unless a normal play takes fewer.
    pub awarded: u8,
}

impl Claims {
    /// The fewest tricks that a stated line takes, over all layouts and
    /// defences, and over all normal plays where it is silent; and how.
    ///
    /// Normal, after Law 70: suits are led from the top; to a trick a hand plays
    /// its lowest card, its highest, or the cheapest that is sure to win; an
    /// unstated finesse counts only once it cannot lose; trumps are led first
    /// only if the line draws or mentions them.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure), [`ClaimError::LimitReached`] if there
    /// are too many ways to play, and [`ClaimError::StatedCard`] if the claimer's
    /// side does not hold a card of the line, or the line has a card twice.
    pub fn line(&mut self, knowledge: &Knowledge, line: &Line) -> Result<Worst, ClaimError> {
        self.worst(knowledge, None, line)
    }

    /// Adjudicates a claim of `claimed` tricks with a stated line. `layout` holds the cards
    /// of the two [hidden hands](Knowledge::hidden).
    ///
    /// # Errors
    ///
    /// As [`line`](Self::line), and [`ClaimError::NotALayout`].
    pub fn adjudicate(
        &mut self,
        knowledge: &Knowledge,
        layout: [Hand; 2],
        claimed: u8,
        line: &Line,
    ) -> Result<Adjudication, ClaimError> {
        let double_dummy = self.double_dummy_of(knowledge, layout)?;
        let case = knowledge.among(&[layout]);
        let worst = self.worst(knowledge, Some(case), line)?;
        Ok(Adjudication {
            claimed,
            sure: self.sure(knowledge)?,
            double_dummy,
            awarded: claimed.min(worst.tricks),
            worst,
        })
    }

    /// The worst that may come of a line, where `known` is what the claimer knows, in
    /// `case`, one layout of it, if that is given, else in all.
    fn worst(
        &mut self,
        known: &Knowledge,
        case: Option<Knowledge>,
        line: &Line,
    ) -> Result<Worst, ClaimError> {
        check(known, line)?;
        self.begin();
        let stated = |(lead, follow): &(Card, Option<Card>)| (bit(*lead), follow.map(bit));
        let trumps = |&(lead, _): &(Card, _)| Some(lead.suit) == known.strain().trump();
        let mut worsts = Worsts {
            seating: known.seating(),
            line: line.plays.iter().map(stated).collect(),
            draws_trumps: line.draws_trumps || line.plays.iter().any(trumps),
            found: FxHashMap::default(),
            history: Box::new([[[0; 64]; 4]; 4]),
            points: 0,
            claims: self,
        };
        worsts.of(known, case)
    }
}

/// Checks that the claimer's side holds every card of a line, which has each once.
fn check(known: &Knowledge, line: &Line) -> Result<(), ClaimError> {
    let held = known
        .own_hands()
        .fold(Hand::EMPTY, |all, (_, hand)| all | hand);
    let mut left = held;
    let plays = line.plays.iter();
    for card in plays.flat_map(|&(lead, follow)| [lead].into_iter().chain(follow)) {
        if !left.remove(card) {
            let problem = match held.contains(card) {
                true => "is stated twice",
                false => "is in no hand of the claimer's side",
            };
            return Err(ClaimError::StatedCard { card, problem });
        }
    }
    Ok(())
}

/// A moment of the play. Once the line is played, cards have relative ranks from the next
/// trick on: points that differ by cards that are gone are one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    /// The claimer's knowledge.
    known: State,
    /// The lie of the cards, if it is known.
    case: Option<State>,
    /// The seat to play.
    seat: usize,
    /// The plays of the line that have been made.
    done: usize,
    /// Whether cards have relative ranks.
    relative: bool,
}

impl Point {
    /// The lie of the cards, as far as it is known.
    fn truth(&self) -> &State {
        self.case.as_ref().unwrap_or(&self.known)
    }
}

/// The search for the fewest tricks of the claimer's side, which may play any normal card,
/// and the others any card.
struct Worsts<'a> {
    claims: &'a mut Claims,
    seating: Seating,
    /// The cards stated.
    line: Vec<(u64, Option<u64>)>,
    /// Whether trumps are led while some are out.
    draws_trumps: bool,
    /// The fewest tricks from the start of a trick, or a number that they are not less than;
    /// whether it is exact.
    found: FxHashMap<Point, (u8, bool)>,
    /// Nothing: the order of cards depends on the point alone.
    history: Box<History>,
    points: u64,
}

impl Worsts<'_> {
    fn of(&mut self, known: &Knowledge, case: Option<Knowledge>) -> Result<Worst, ClaimError> {
        let (mut known, mut case, mut done) = (known.clone(), case, 0);
        let mut fewest = None;
        let mut play = Vec::new();
        while known.tricks_left() > 0 {
            let left = known.tricks_left() as u8;
            let relative = done == self.line.len();
            let table = known.trick().cards().iter().map(|&card| bit(card));
            let path = Path::new(known.state().held(), table);
            let state = |knowledge: &Knowledge| {
                let mut state = knowledge.state().clone();
                if relative {
                    state.close_gaps(Hand::PACK.bits() & !path.here());
                }
                state
            };
            let point = Point {
                known: state(&known),
                case: case.as_ref().map(state),
                seat: known.to_play().index(),
                done,
                relative,
            };
            let mut trick: Option<Trick> = None;
            for (seat, card) in known.trick().plays() {
                let card = match relative {
                    true => path.relative(bit(card)),
                    false => bit(card),
                };
                trick = Some(match trick {
                    None => Trick::new(seat.index(), card),
                    Some(trick) => trick.with(card, self.seating.trump),
                });
            }
            // What is looked for again is found at once.
            let below = fewest.map_or(left, |(_, rest)| rest) + 1;
            let (rest, cards) = self.turn(&point, trick.as_ref(), left, below)?;
            let (all, _) = fewest.unwrap_or((rest, rest));
            for card in cards.into_iter().filter(|&card| card != 0) {
                let card = if relative { path.real(card) } else { card };
                if known.trick().cards().is_empty() {
                    done += usize::from(self.leads(card, done));
                }
                let card = lanes::card(card);
                play.push(card);
                for knowledge in iter::once(&mut known).chain(&mut case) {
                    let after = knowledge.play(card);
                    *knowledge = after.expect("the search plays cards that may be played");
                }
            }
            let won = u8::from(self.seating.is_ours(known.trick().leader().index()));
            fewest = Some((all, rest - won));
        }
        Ok(Worst {
            tricks: fewest.map_or(0, |(all, _)| all),
            play,
        })
    }

    /// Whether a lead is the one that the line states next.
    fn leads(&self, card: u64, done: usize) -> bool {
        self.line.get(done).is_some_and(|&(lead, _)| lead == card)
    }

    /// The fewest tricks from the start of a trick if they are fewer than `below`, else a
    /// number that they are not less than.
    fn lead(&mut self, point: Point, left: u8, below: u8) -> Result<u8, ClaimError> {
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
        self.points += 1;
        self.claims.spend(1)?;
        if self.points > MOST_POINTS {
            return Err(ClaimError::LimitReached { limit: MOST_POINTS });
        }
        let (least, _) = self.turn(&point, None, left, below)?;
        self.found.insert(point, (least, least < below));
        Ok(least)
    }

    /// The same with `trick` on the table, and the cards that lead to it, to the trick's end.
    fn turn(
        &mut self,
        point: &Point,
        trick: Option<&Trick>,
        left: u8,
        below: u8,
    ) -> Result<(u8, [u64; 4]), ClaimError> {
        let truth = point.truth();
        let cards: SmallVec<[u64; 8]> = match self.seating.roles[point.seat] {
            Role::Ours(who) => self.normal(point, who, trick),
            _ => {
                let node = Node {
                    state: truth,
                    seat: point.seat,
                    trick,
                    need: 0,
                    left,
                    path: Path::new(0, iter::empty()),
                    pause_at: 0,
                };
                let moves = moves(&self.seating, &self.history, &node);
                moves.iter().map(|step| step.card).collect()
            }
        };
        let (mut least, mut best) = (u8::MAX, [0; 4]);
        for card in cards {
            let below = below.min(least);
            let (after, trick) = self.after(point, trick, card);
            let (tricks, rest) = if trick.played < 4 {
                self.turn(&after, Some(&trick), left, below)?
            } else {
                let won = u8::from(self.seating.is_ours(trick.winner));
                let rest = self.lead(after, left - 1, below.saturating_sub(won))?;
                (won + rest, [0; 4])
            };
            if tricks < least {
                least = tricks;
                best = [card, rest[0], rest[1], rest[2]];
            }
            if least == 0 {
                break;
            }
        }
        Ok((least, best))
    }

    /// The point after a card, and the trick with it. At the end of a trick it is the
    /// start of the next.
    fn after(&self, point: &Point, trick: Option<&Trick>, card: u64) -> (Point, Trick) {
        let led = trick.map(|trick| trick.led);
        let play = |state: &State| match self.seating.roles[point.seat] {
            Role::Ours(who) | Role::Theirs(who) => state.shown(who, card),
            Role::Hidden(hand) => state.revealed(hand, card, led),
        };
        let stated = trick.is_none() && self.leads(card, point.done);
        let trick = match trick {
            None => Trick::new(point.seat, card),
            Some(trick) => trick.with(card, self.seating.trump),
        };
        let mut after = Point {
            known: play(&point.known),
            case: point.case.as_ref().map(play),
            seat: trick.to_play(),
            done: point.done + usize::from(stated),
            relative: point.relative,
        };
        if trick.played == 4 {
            after.seat = trick.winner;
            after.relative = after.done == self.line.len();
            let gone = match point.relative {
                true => trick.cards,
                false => Hand::PACK.bits() & !after.known.held(),
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
        (after, trick)
    }

    /// Whether the claimer's side is on lead and wins all tricks: nobody else has a trump, and
    /// each of its hands has high cards alone in a suit, or as many as the others can follow:
    /// suits are led from the top, and low cards discarded first.
    fn all_win(&self, point: &Point, truth: &State) -> bool {
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

    /// The plays of the claimer that the line states, or that are normal where
    /// it does not.
    fn normal(&self, point: &Point, who: usize, trick: Option<&Trick>) -> SmallVec<[u64; 8]> {
        let state = &point.known;
        let hand = state.visible[who];
        let stated = |n: Option<usize>| self.line.get(n?).filter(|_| !point.relative);
        let Some(trick) = trick else {
            return match stated(Some(point.done)) {
                Some(&(lead, _)) if hand & lead != 0 => smallvec![lead],
                _ => self.normal_leads(state, hand),
            };
        };
        let playable = match hand & lane(trick.led) {
            0 => hand,
            follow => follow,
        };
        // The card stated beside the lead that is on the table.
        if let Some(&(lead, Some(follow))) = stated(point.done.checked_sub(1))
            && trick.cards & lead != 0
            && playable & follow != 0
        {
            return smallvec![follow];
        }
        self.normal_follows(state, playable, trick)
    }

    /// Each suit from the top; trumps before others while some are out, if the
    /// claimer drew or mentioned them.
    fn normal_leads(&self, state: &State, hand: u64) -> SmallVec<[u64; 8]> {
        let trumps = self.seating.trump.map_or(0, lane);
        let drawn = self.draws_trumps && state.unseen & trumps != 0 && hand & trumps != 0;
        let from = if drawn { hand & trumps } else { hand };
        let tops = (0..4).map(|suit| top(from & lane(suit)));
        tops.filter(|&card| card != 0).collect()
    }

    /// The lowest card, the highest, and the cheapest that wins for sure so far;
    /// of discards the lowest of each suit. A card that wins only if the next hand
    /// does not hold a better one is a finesse, and not normal.
    fn normal_follows(&self, state: &State, playable: u64, trick: &Trick) -> SmallVec<[u64; 8]> {
        let to_come = (1..4 - trick.played).map(|n| (trick.to_play() + n) % 4);
        let hidden = to_come.filter_map(|seat| match self.seating.roles[seat] {
            Role::Hidden(hand) => Some(state.playable(hand, Some(trick.led))),
            _ => None,
        });
        let theirs = union(hidden);
        let mut found = SmallVec::new();
        let mut add = |card: u64| {
            if card != 0 && !found.contains(&card) {
                found.push(card);
            }
        };
        for suit in 0..4 {
            let holding = playable & lane(suit);
            add(holding & holding.wrapping_neg());
            if suit == trick.led || Some(suit) == self.seating.trump {
                add(top(holding));
                let high = above(holding, theirs & lane(suit));
                let wins = |&card: &u64| trick.is_beaten_by(card, self.seating.trump);
                each(high).find(wins).into_iter().for_each(&mut add);
            }
        }
        found
    }
}
