//! Stated lines of play.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use setrograde_beliefs::QuestionError;
use setrograde_cards::{Card, Hand, Seat, Suit, quote};

use crate::claims::ClaimError;
use crate::knowledge::Knowledge;

/// The cards that a claimer states, trick by trick: a card to lead, and optionally the card that
/// the other visible hand plays to it.
///
/// Written as `SA SK H2-HQ`. `T`, or in words *drawing trumps*, means that the claimer draws trumps,
/// and *spades from the top* that this suit is run after the cards before it. *rest*, *the rest* and
/// *all* are optional and have no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The leads, each with the card of the other hand if stated.
    pub plays: Vec<(Card, Option<Card>)>,
    /// True if the claimer said that trumps are drawn.
    pub draws_trumps: bool,
    /// The suits that are run after the leads, each from the top.
    pub runs: Vec<Suit>,
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

/// Words of a statement that say nothing of the cards.
const FILLERS: &str = "a all and are cash cashing claim down draw drawing draws from high i in is mine \
     my of order play playing pull pulling run running runs the then top";

/// The words that are understood.
const UNDERSTOOD: &str = "expected cards such as SA or H2-HQ, `drawing trumps`, `spades from the \
     top` or `the rest`";

impl FromStr for Line {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Line, QuestionError> {
        let mut line = Line::default();
        let mut column = 1;
        let mut ended = false;
        for word in text.split(char::is_whitespace) {
            let at = column;
            column += word.chars().count() + 1;
            let word = word.trim_matches([',', '.', ';']);
            let lower = word.to_lowercase();
            if word.is_empty() || FILLERS.split(' ').any(|filler| filler == lower) {
                continue;
            }
            let error = |problem: fmt::Arguments<'_>| Err(QuestionError::new(at, problem));
            if ended {
                return error(format_args!("{:?} is left over", quote(word)));
            }
            match &*lower {
                "rest" => ended = true,
                "t" | "trump" | "trumps" => line.draws_trumps = true,
                ruff if ruff.contains("ruff") => {
                    return error(format_args!(
                        "{:?}: which cards are ruffed, and in which order? name each lead, as H2-S3",
                        quote(word)
                    ));
                }
                _ => match word.parse::<Suit>() {
                    Ok(suit) => line.runs.push(suit),
                    Err(_) => {
                        let play = stated(word, at)?;
                        if let Some(suit) = line.runs.last() {
                            let suit = suit.name();
                            return error(format_args!(
                                "{word} after {suit}, whose cards may leave the lead in either \
                                 hand; name each card of {suit}"
                            ));
                        }
                        line.plays.push(play);
                    }
                },
            }
        }
        Ok(line)
    }
}

/// The cards of a word that begins in a column: the lead, and that of the other hand.
fn stated(word: &str, at: usize) -> Result<(Card, Option<Card>), QuestionError> {
    let (lead, follow) = match word.split_once('-') {
        Some((lead, follow)) => (lead, Some(follow)),
        None => (word, None),
    };
    let is_word = word.chars().filter(|c| c.is_lowercase()).count() > 2;
    if is_word {
        let problem = format_args!("{:?}: {UNDERSTOOD}", quote(word));
        return Err(QuestionError::new(at, problem));
    }
    let read = |card: &str, by: usize| {
        let card = card.parse::<Card>();
        card.map_err(|error| QuestionError::from(error).shifted(at - 1 + by))
    };
    let follow = follow.map(|card| read(card, lead.chars().count() + 1));
    Ok((read(lead, 0)?, follow.transpose()?))
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
        for suit in &self.runs {
            write!(f, "{} from the top ", suit.name())?;
        }
        f.write_str("rest")
    }
}

impl Line {
    /// Returns true if the line draws trumps, or leads one.
    pub(crate) fn mentions_trumps(&self, known: &Knowledge) -> bool {
        let trump = known.strain().trump();
        let runs_trumps = self.runs.iter().any(|&suit| Some(suit) == trump);
        self.draws_trumps
            || runs_trumps
            || self.plays.iter().any(|(lead, _)| Some(lead.suit) == trump)
    }

    /// The line with the cards of the suits that are run: to each trick the highest card of the side,
    /// led, or over the lowest of the other hand, which has the lead.
    pub(crate) fn with_runs(&self, known: &Knowledge) -> Line {
        let mut line = self.clone();
        let mut leader = known.trick().leader();
        let mut hands: Vec<(Seat, Hand)> = known.own_hands().collect();
        for (lead, follow) in &self.plays {
            let winner = follow.filter(|card| card.suit == lead.suit && card.rank > lead.rank);
            let winner = winner.unwrap_or(*lead);
            for (seat, hand) in &mut hands {
                if hand.contains(winner) {
                    leader = *seat;
                }
                hand.remove(*lead);
                follow.map(|card| hand.remove(card));
            }
        }
        for suit in std::mem::take(&mut line.runs) {
            loop {
                let of_suit = |(_, hand): &(Seat, Hand)| hand.suit(suit);
                let top = hands
                    .iter()
                    .filter_map(|of| Some((of_suit(of).cards().next()?, of.0)));
                let on_lead = hands.iter().find(|(seat, _)| *seat == leader);
                let lowest = on_lead.and_then(|of| of_suit(of).first());
                let (Some((top, winner)), Some(low)) = (top.max_by_key(|of| of.0), lowest) else {
                    break;
                };
                let play = if winner == leader {
                    (top, None)
                } else {
                    (low, Some(top))
                };
                for (_, hand) in &mut hands {
                    hand.remove(play.0);
                    hand.remove(top);
                }
                line.plays.push(play);
                leader = winner;
            }
        }
        line
    }

    /// Checks that the claimer's side has every card of the line, and that no card occurs twice.
    pub(crate) fn check(&self, known: &Knowledge) -> Result<(), ClaimError> {
        let held = known
            .own_hands()
            .fold(Hand::EMPTY, |all, (_, hand)| all | hand);
        let mut left = held;
        let plays = self.plays.iter();
        for card in plays.flat_map(|&(lead, follow)| [lead].into_iter().chain(follow)) {
            if !left.remove(card) {
                let problem = if held.contains(card) {
                    "is stated twice"
                } else {
                    "is in no hand of the claimer's side"
                };
                return Err(ClaimError::StatedCard { card, problem });
            }
        }
        Ok(())
    }
}
