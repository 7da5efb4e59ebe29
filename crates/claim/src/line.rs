//! Stated lines of play.

use std::fmt;

use serde::{Serialize, Serializer};
use setrograde_cards::{Card, Rank, Seat, Suit};

use crate::claims::ClaimError;
use crate::knowledge::Knowledge;
use crate::lanes::{bit, each, lane, top, union};
use crate::search::node::Trick;

/// The steps that a claimer states, in the order of play.
///
/// Read from cards, such as `SA SK H2-HQ`, or from words, such as *draw trumps, cash two diamonds,
/// cross with a club*. *rest*, *the rest* and *all* are optional and have no effect. The text of a
/// line says what was understood, and reads as the same line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The steps. One that the hand on lead cannot make waits until it can.
    pub steps: Vec<LineStep>,
    /// True if the claimer said that trumps are drawn: once the steps are made they are led as long
    /// as some are out.
    pub draws_trumps: bool,
}

/// A step of a line: one trick, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineStep {
    /// A card to lead, and optionally the card that the other visible hand plays to it.
    Play(Card, Option<Card>),
    /// Tricks in a suit; `None` is the trump suit.
    Suit(How, Option<Suit>),
}

/// What is done with a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// Rounds from the top as long as an opponent may hold a card of it.
    Draw,
    /// Rounds from the top as long as the side has cards of it.
    Run,
    /// One round from the top: the highest card is led, or the lowest to it.
    Round,
    /// This card is led, or the lowest to it.
    Cash(Rank),
    /// The lowest card is led to this one in the other hand.
    To(Rank),
    /// The lowest card is led to the highest of the other hand, or to its ruff.
    Cross,
    /// The lowest card is led, and the other hand ruffs as low as it can.
    Ruff,
    /// Each hand plays its lowest card.
    Concede,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Line {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Line".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A line, such as `SA SK H2-HQ rest`."
        })
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl fmt::Display for LineStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(1, f)
    }
}

impl LineStep {
    /// Writes the step, made this many times.
    fn write(self, times: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (how, suit) = match self {
            LineStep::Play(lead, None) => return write!(f, "{lead}"),
            LineStep::Play(lead, Some(follow)) => return write!(f, "{lead}-{follow}"),
            LineStep::Suit(how, suit) => (how, suit.map_or("trumps", Suit::name)),
        };
        let one = suit.trim_end_matches('s');
        let some = match times {
            1 => format!("a {one}"),
            times => format!("{times} {suit}"),
        };
        match how {
            How::Draw => f.write_str("T"),
            How::Run => write!(f, "{suit} from the top"),
            How::Round if times == 1 => write!(f, "a round of {suit}"),
            How::Round => write!(f, "{times} rounds of {suit}"),
            How::Cash(rank) => write!(f, "the {} of {suit}", rank.name()),
            How::To(rank) => write!(f, "a {one} to the {}", rank.name()),
            How::Cross => write!(f, "cross with a {one}"),
            How::Ruff => write!(f, "ruff {some}"),
            How::Concede => write!(f, "concede {some}"),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draws = LineStep::Suit(How::Draw, None);
        if self.draws_trumps && !self.steps.contains(&draws) {
            write!(f, "{draws} ")?;
        }
        let counted = |step: &LineStep| {
            matches!(
                step,
                LineStep::Suit(How::Round | How::Ruff | How::Concede, _)
            )
        };
        // The verb of a ruff or a concession goes on until the next one, and *trumps* would have the
        // ace that follows.
        let mut before = None;
        for steps in self.steps.chunk_by(|a, b| a == b && counted(a)) {
            if let LineStep::Suit(how, _) = steps[0] {
                let is_bare = matches!(how, How::Run | How::Round | How::Cash(_) | How::To(_));
                let needs_verb = match before {
                    Some(How::Ruff | How::Concede) => is_bare,
                    Some(How::Draw) => matches!(how, How::Cash(_)),
                    _ => false,
                };
                if needs_verb {
                    f.write_str("play ")?;
                }
                before = Some(how);
            }
            steps[0].write(steps.len(), f)?;
            f.write_str(match steps[0] {
                LineStep::Play(..) | LineStep::Suit(How::Draw, _) => " ",
                LineStep::Suit(..) => ", ",
            })?;
        }
        f.write_str("rest")
    }
}

impl LineStep {
    /// The suit; `None` for trumps at no trump.
    fn suit(self, trump: Option<usize>) -> Option<usize> {
        match self {
            LineStep::Play(card, _) => Some(card.suit.index()),
            LineStep::Suit(_, suit) => suit.map(Suit::index).or(trump),
        }
    }

    /// The card that is named; 0 if none is.
    fn card(self, trump: Option<usize>) -> u64 {
        match (self, self.suit(trump)) {
            (LineStep::Play(card, _), _) => bit(card),
            (LineStep::Suit(How::Cash(rank) | How::To(rank), _), Some(suit)) => {
                bit(Card::new(Suit::from_index(suit), rank))
            }
            _ => 0,
        }
    }

    /// The cards that are kept for it.
    pub(crate) fn cards(self, trump: Option<usize>) -> u64 {
        match self {
            LineStep::Play(lead, follow) => bit(lead) | follow.map_or(0, bit),
            LineStep::Suit(How::Run, _) => self.suit(trump).map_or(0, lane),
            LineStep::Suit(..) => self.card(trump),
        }
    }

    /// Returns true if it takes as many tricks as there are.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, LineStep::Suit(How::Draw | How::Run, _))
    }

    /// Returns true if nothing of it is left, where `own` are the cards of the claimer's side and
    /// `out` those of the others.
    pub(crate) fn is_over(self, own: u64, out: u64, trump: Option<usize>) -> bool {
        let Some(suit) = self.suit(trump) else {
            return true;
        };
        match self.card(trump) {
            0 => {
                let drawn = self == LineStep::Suit(How::Draw, None) && out & lane(suit) == 0;
                drawn || own & lane(suit) == 0
            }
            card => own & card == 0,
        }
    }

    /// The card that `hand` leads, if it can make the step.
    pub(crate) fn lead(self, hand: u64, partner: u64, trump: Option<usize>) -> Option<u64> {
        let suit = self.suit(trump)?;
        let (own, theirs) = (hand & lane(suit), partner & lane(suit));
        let low = own & own.wrapping_neg();
        let may_ruff = || theirs == 0 && trump.is_some_and(|trump| partner & lane(trump) != 0);
        let (how, card) = match self {
            LineStep::Play(card, _) => return (hand & bit(card) != 0).then(|| bit(card)),
            LineStep::Suit(how, _) => (how, self.card(trump)),
        };
        let makes = match how {
            How::Cash(_) if own & card != 0 => return Some(card),
            How::Cash(_) | How::To(_) => theirs & card != 0,
            How::Draw | How::Run | How::Round if own != 0 && top(own) > top(theirs) => {
                return Some(top(own));
            }
            How::Draw | How::Run | How::Round | How::Concede => true,
            How::Cross => top(theirs) > low || may_ruff(),
            How::Ruff => may_ruff(),
        };
        (makes && low != 0).then_some(low)
    }

    /// The card among the playable ones that the other hand plays to the lead of the step.
    pub(crate) fn follow(self, trick: &Trick, cards: u64, trump: Option<usize>) -> Option<u64> {
        let how = match self {
            LineStep::Play(lead, follow) => {
                return follow.map(bit).filter(|_| trick.cards & bit(lead) != 0);
            }
            LineStep::Suit(how, _) => how,
        };
        if self.suit(trump)? != trick.led {
            return None;
        }
        let in_suit = cards & lane(trick.led);
        let ruffs =
            each(cards & trump.map_or(0, lane)).find(|&ruff| trick.is_beaten_by(ruff, trump));
        match how {
            How::Cash(_) | How::To(_) => Some(self.card(trump)).filter(|card| cards & card != 0),
            How::Ruff | How::Cross if in_suit == 0 => ruffs,
            How::Ruff => None,
            How::Concede => each(in_suit).next(),
            How::Draw | How::Run | How::Round | How::Cross => {
                Some(top(in_suit)).filter(|&card| card != 0 && trick.is_beaten_by(card, trump))
            }
        }
    }
}

/// The cards of the hands that the claimer plays.
fn own(known: &Knowledge) -> u64 {
    union(known.own_hands().map(|(_, hand)| hand.bits()))
}

impl Line {
    /// Returns true if the line draws trumps, or leads one.
    pub(crate) fn mentions_trumps(&self, known: &Knowledge) -> bool {
        let trump = known.seating().trump;
        let mut steps = self.steps.iter();
        self.draws_trumps || steps.any(|step| step.suit(trump) == trump)
    }

    /// Checks that the claimer's side has every card and suit of the line, that no card occurs twice,
    /// and that the hand on lead can make the first step.
    pub(crate) fn check(&self, known: &Knowledge) -> Result<(), ClaimError> {
        let trump = known.seating().trump;
        let held = own(known);
        let mut left = held;
        for &step in &self.steps {
            let refused = |problem| ClaimError::StatedStep { step, problem };
            let suit = step.suit(trump);
            let suit = suit.ok_or_else(|| refused("has no meaning at no trump"))?;
            if held & lane(suit) == 0 && step.card(trump) == 0 {
                return Err(refused("cannot be played: neither hand has the suit"));
            }
            let named = match step {
                LineStep::Suit(How::Run | How::Draw, _) => 0,
                step => step.cards(trump),
            };
            for one in each(named) {
                if left & one == 0 {
                    let problem = if held & one != 0 {
                        "is stated twice"
                    } else {
                        "is in no hand of the claimer's side"
                    };
                    let card = crate::lanes::card(one);
                    return Err(ClaimError::StatedCard { card, problem });
                }
                left ^= one;
            }
        }
        Ok(())
    }

    /// Says which step the hand on lead could not make in a play, if there is one.
    pub fn unmade(&self, known: &Knowledge, play: &[Card]) -> Option<String> {
        let (step, seat) = self.missed(known, play)?;
        let seat = seat.name();
        Some(format!(
            "As stated, \"{step}\" could not be played by {seat}, on lead."
        ))
    }

    /// The first step that the hand on lead could not make in a play, and that hand.
    fn missed(&self, known: &Knowledge, play: &[Card]) -> Option<(LineStep, Seat)> {
        let trump = known.seating().trump;
        let mut steps = self.steps.iter().copied().peekable();
        let mut at = known.clone();
        for &card in play {
            let seat = at.to_play();
            if at.trick().cards().is_empty() && at.plays_for(seat) {
                let (own, hand) = (own(&at), at.hand(seat)?.bits());
                let others = at.state().held() & !own;
                while steps
                    .next_if(|step| step.is_over(own, others, trump))
                    .is_some()
                {}
                let step = *steps.peek()?;
                match step.lead(hand, own & !hand, trump) {
                    None => return Some((step, seat)),
                    Some(lead) if lead == bit(card) && !step.repeats() => drop(steps.next()),
                    Some(_) => {}
                }
            }
            at = at.play(card).ok()?;
        }
        None
    }
}
