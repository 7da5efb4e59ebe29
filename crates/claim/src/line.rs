//! Stated lines of play.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use setrograde_beliefs::QuestionError;
use setrograde_cards::{Card, Hand, quote};

use crate::claims::ClaimError;
use crate::knowledge::Knowledge;

/// The cards that a claimer states, trick by trick: a card to lead, and optionally the card that
/// the other visible hand plays to it.
///
/// Written as `SA SK H2-HQ`. A final word `rest` is optional and has no effect. `T` alone means
/// that the claimer draws trumps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// The leads, each with the card of the other hand if stated.
    pub plays: Vec<(Card, Option<Card>)>,
    /// True if the claimer said that trumps are drawn.
    pub draws_trumps: bool,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Line {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Line".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "A line, as `SA SK H2-HQ rest`." })
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
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
                let problem = format_args!("{:?} is left over", quote(word));
                return Err(QuestionError::new(at, problem));
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

impl Line {
    /// Returns true if the line draws trumps, or leads one.
    pub(crate) fn mentions_trumps(&self, known: &Knowledge) -> bool {
        let trump = known.strain().trump();
        self.draws_trumps || self.plays.iter().any(|(lead, _)| Some(lead.suit) == trump)
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
