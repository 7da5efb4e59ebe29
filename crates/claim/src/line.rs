//! Stated lines of play and what is normal where they are silent; contested claims,
//! adjudicated after Law 70 of the Laws of Duplicate Bridge (2017).

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use setrograde_beliefs::QuestionError;
use setrograde_cards::{Card, Hand, Seat, Suit};

use crate::claims::{ClaimError, Claims};
use crate::knowledge::Knowledge;

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

/// A point of the play: what the claimer knows, what is the case, and how much
/// of the line has been played.
type Point = (Knowledge, Knowledge, usize);

struct Worsts<'a> {
    claims: &'a mut Claims,
    line: &'a Line,
    known: HashMap<Point, (u8, Option<Card>)>,
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
        self.worst(knowledge, knowledge, line)
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
        let worst = self.worst(knowledge, &case, line)?;
        Ok(Adjudication {
            claimed,
            sure: self.sure(knowledge)?,
            double_dummy,
            awarded: claimed.min(worst.tricks),
            worst,
        })
    }

    /// The worst that may come of a line, where `known` is what the claimer knows
    /// and `case` is the true situation: equal to `known`, or one layout of it.
    fn worst(
        &mut self,
        known: &Knowledge,
        case: &Knowledge,
        line: &Line,
    ) -> Result<Worst, ClaimError> {
        check(known, line)?;
        let mut worsts = Worsts {
            claims: self,
            line,
            known: HashMap::new(),
        };
        let mut point: Point = (known.clone(), case.clone(), 0);
        let tricks = worsts.tricks(&point)?;
        let mut play = Vec::new();
        while let Some(&(_, Some(card))) = worsts.known.get(&point) {
            play.push(card);
            point = worsts.after(&point, card)?;
            worsts.tricks(&point)?;
        }
        Ok(Worst { tricks, play })
    }
}

/// Checks that the claimer's side holds every card of a line, which has each once.
fn check(known: &Knowledge, line: &Line) -> Result<(), ClaimError> {
    let seats = Seat::ALL.into_iter().filter(|&seat| known.plays_for(seat));
    let held: Vec<Card> = seats
        .filter_map(|seat| known.hand(seat))
        .flat_map(|hand| hand.cards())
        .collect();
    let mut stated = Vec::new();
    for card in line
        .plays
        .iter()
        .flat_map(|&(lead, follow)| [Some(lead), follow])
    {
        let Some(card) = card else { continue };
        let problem = if !held.contains(&card) {
            "is in no hand of the claimer's side"
        } else if stated.contains(&card) {
            "is stated twice"
        } else {
            stated.push(card);
            continue;
        };
        return Err(ClaimError::StatedCard { card, problem });
    }
    Ok(())
}

impl Worsts<'_> {
    /// The fewest tricks of the claimer's side from here.
    fn tricks(&mut self, point: &Point) -> Result<u8, ClaimError> {
        if point.0.tricks_left() == 0 {
            return Ok(0);
        }
        if let Some(&(tricks, _)) = self.known.get(point) {
            return Ok(tricks);
        }
        let limit = self.claims.limit().min(MOST_POINTS);
        if self.known.len() as u64 >= limit {
            return Err(ClaimError::LimitReached { limit });
        }
        let (known, case, done) = point;
        let cards = if known.plays_for(known.to_play()) {
            self.normal(known, *done)
        } else {
            self.claims.candidates(case)
        };
        let mut least: Option<(u8, Card)> = None;
        for card in cards {
            let after = self.after(point, card)?;
            let ended = after.0.trick().cards().is_empty();
            let ours = after.0.trick().leader().index() % 2 == known.claimer().index() % 2;
            let tricks = u8::from(ended && ours) + self.tricks(&after)?;
            if least.is_none_or(|(fewest, _)| tricks < fewest) {
                least = Some((tricks, card));
            }
            if tricks == 0 {
                break;
            }
        }
        let (tricks, card) = least.map_or((0, None), |(tricks, card)| (tricks, Some(card)));
        self.known.insert(point.clone(), (tricks, card));
        Ok(tricks)
    }

    fn after(&self, (known, case, done): &Point, card: Card) -> Result<Point, ClaimError> {
        let stated = known.trick().cards().is_empty()
            && self
                .line
                .plays
                .get(*done)
                .is_some_and(|(lead, _)| *lead == card);
        let play = |knowledge: &Knowledge| knowledge.play(card).map_err(|_| ClaimError::NotSure);
        Ok((play(known)?, play(case)?, done + usize::from(stated)))
    }

    /// The plays of the claimer that the line states, or that are normal where
    /// it does not.
    fn normal(&self, known: &Knowledge, done: usize) -> Vec<Card> {
        let playable = known.playable();
        if known.trick().cards().is_empty() {
            return match self.line.plays.get(done) {
                Some(&(lead, _)) if playable.contains(lead) => vec![lead],
                _ => self.normal_leads(known, playable),
            };
        }
        // The card stated beside the lead that is on the table.
        let lead = known.trick().cards()[0];
        let ours = known.plays_for(known.trick().leader());
        let stated = done.checked_sub(1).and_then(|n| self.line.plays.get(n));
        if let Some(&(led, Some(follow))) = stated
            && ours
            && led == lead
            && playable.contains(follow)
        {
            return vec![follow];
        }
        normal_follows(known, playable)
    }

    /// Each suit from the top; trumps before others while some are out, if the
    /// claimer drew or mentioned them.
    fn normal_leads(&self, known: &Knowledge, playable: Hand) -> Vec<Card> {
        let mut tops: Vec<Card> = Suit::ALL
            .into_iter()
            .filter_map(|suit| Some(Card::new(suit, playable.holding(suit).highest()?)))
            .collect();
        if let Some(trump) = known.strain().trump() {
            let stated = self.line.plays.iter().any(|(lead, _)| lead.suit == trump);
            let out = !known.unseen().holding(trump).is_empty();
            if (stated || self.line.draws_trumps) && out && !playable.holding(trump).is_empty() {
                tops.retain(|card| card.suit == trump);
            }
        }
        tops
    }
}

/// The lowest card, the highest, and the cheapest that wins for sure so far;
/// of discards the lowest of each suit. A card that wins only if the next hand
/// does not hold a better one is a finesse, and not normal.
fn normal_follows(known: &Knowledge, playable: Hand) -> Vec<Card> {
    let trick = known.trick();
    let Some(led) = trick.led_suit() else {
        return Vec::new();
    };
    let seat = known.to_play();
    let wins = |card: Card| {
        let after = trick.with(card);
        after.and_then(|trick| trick.winner(known.strain())) == Some(seat)
    };
    let mut found: Vec<Card> = Vec::new();
    let mut add = |card: Option<Card>| {
        if let Some(card) = card
            && !found.contains(&card)
        {
            found.push(card);
        }
    };
    for suit in Suit::ALL {
        let holding = playable.holding(suit);
        let cards = || holding.iter().map(|rank| Card::new(suit, rank));
        let ruffs = suit != led && Some(suit) == known.strain().trump();
        add(cards().last());
        if suit == led || ruffs {
            add(cards().next());
            let sure = |card: &Card| wins(*card) && !may_be_beaten(known, *card);
            add(cards().filter(sure).last());
        }
    }
    found
}

/// Whether a hidden hand that is still to play may hold a better card of the
/// same suit.
fn may_be_beaten(known: &Knowledge, card: Card) -> bool {
    let trick = known.trick();
    let to_come = (1..4 - trick.cards().len()).map(|n| known.to_play().plus(n));
    let state = known.state();
    let higher = |seat: Seat| {
        known.hidden_place(seat).is_some_and(|hand| {
            let playable = Hand::from_bits(state.playable(hand, trick.led_suit().map(Suit::index)));
            playable
                .holding(card.suit)
                .iter()
                .any(|rank| rank > card.rank)
        })
    };
    to_come.into_iter().any(higher)
}
