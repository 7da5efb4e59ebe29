//! Options that several questions share.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use setrograde_beliefs::{Budget, Condition, Game, Question, QuestionError, Strengths};
use setrograde_cards::{Seat, quote};
use setrograde_claim::Knowledge;
use setrograde_single_dummy::Sampling;

use crate::{Refusal, ResultCondition, Subject};

/// Conditions on the hidden hands, each a text such as `E+HK,W.S=0-2`; all must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "OneOrMore")]
pub struct Conditions(pub Vec<String>);

/// Returns a limit in seconds as a time; more than a year, which clocks hold, means a year.
pub(super) fn time_limit(seconds: Option<f64>) -> Result<Option<Duration>, Refusal> {
    const LONGEST: f64 = 365.0 * 86_400.0;
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds.min(LONGEST)));
    let wrong = |_| Refusal::option("time", "expected a number of seconds, as 10 or 0.5");
    time.transpose().map_err(wrong)
}

/// Returns a number as text, without hundreds of digits.
pub(super) fn in_short(number: f64) -> String {
    let text = number.to_string();
    if text.len() > 20 {
        format!("{number:e}")
    } else {
        text
    }
}

/// A text or a list of texts.
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(inline, untagged)
)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OneOrMore, D::Error> {
        from.deserialize_any(TextsVisitor)
    }
}

struct TextsVisitor;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = OneOrMore;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a text or a list of texts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMore, E> {
        Ok(OneOrMore::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOrMore, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element()? {
            texts.push(text);
        }
        Ok(OneOrMore::More(texts))
    }
}

impl OneOrMore {
    /// The texts.
    pub(super) fn all(self) -> Vec<String> {
        match self {
            OneOrMore::One(text) => vec![text],
            OneOrMore::More(texts) => texts,
        }
    }
}

impl From<OneOrMore> for Conditions {
    fn from(texts: OneOrMore) -> Conditions {
        Conditions(texts.all())
    }
}

/// Lines, written as a text or as a list of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "OneOrMore")]
pub struct TextLines(pub String);

impl From<OneOrMore> for TextLines {
    fn from(texts: OneOrMore) -> TextLines {
        TextLines(texts.all().join("\n"))
    }
}

impl Conditions {
    /// Checks the conditions.
    ///
    /// # Errors
    ///
    /// If one is invalid, with its column.
    pub fn check(&self) -> Result<(), Refusal> {
        self.read(&mut Budget::default()).map(drop)
    }

    /// Reads the conditions, whose size is taken from `budget`.
    ///
    /// # Errors
    ///
    /// If one is invalid, with its column, or they are larger than the budget.
    pub(crate) fn read(&self, budget: &mut Budget) -> Result<Vec<Condition>, Refusal> {
        let read = |(index, text): (usize, &String)| {
            let read = Condition::read(text, budget);
            let index = (self.0.len() > 1).then_some(index);
            read.map_err(|error| Refusal::condition(&error).at_index(index))
        };
        self.0.iter().enumerate().map(read).collect()
    }

    /// Reads the conditions on results.
    ///
    /// # Errors
    ///
    /// If one is invalid, with its column.
    pub fn read_results(&self) -> Result<Vec<ResultCondition>, Refusal> {
        self.results_within(&mut Budget::default())
    }

    /// Does the same; their size is taken from `budget`.
    pub(crate) fn results_within(
        &self,
        budget: &mut Budget,
    ) -> Result<Vec<ResultCondition>, Refusal> {
        let read = |text: &String| ResultCondition::within(text, budget);
        self.0.iter().map(read).collect()
    }

    /// Returns a question with these conditions.
    ///
    /// # Errors
    ///
    /// If one is invalid, or they are too large together with those of the question.
    pub(crate) fn of<T: Clone>(
        &self,
        question: &Question<T>,
    ) -> Result<Question<T>, QuestionError> {
        question.clone().assuming_texts(&self.0)
    }

    /// Returns the knowledge of the claimer of a question; `by` claims if the question names no
    /// claimer.
    ///
    /// # Errors
    ///
    /// If a condition is invalid, or the question does not hide two hands.
    pub(crate) fn knowledge(
        &self,
        by: Option<Seat>,
        question: &Question,
    ) -> Result<Knowledge, QuestionError> {
        let question = self.of(question)?;
        Knowledge::of(&match by {
            Some(seat) => question.asked_by(seat),
            None => question,
        })
    }
}

/// The layouts to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawing {
    /// The number of layouts; 1000 unless set, or as many as `until` takes.
    pub draw: Option<u32>,
    /// Half the width of the 95 % intervals, as a share of 1, at which to stop.
    pub until: Option<f64>,
    /// The seed of the layouts.
    pub seed: u64,
}

impl Drawing {
    /// True if layouts are to be drawn even if the database can count them.
    pub(crate) const fn is_wanted(&self) -> bool {
        self.draw.is_some() || self.until.is_some()
    }

    /// The sample, `usual` layouts unless the options say otherwise.
    pub(crate) fn sampling(&self, usual: usize, threads: usize, by_card: bool) -> Sampling {
        let usual = match self.until {
            Some(_) => 1_000_000,
            None => usual,
        };
        Sampling {
            layouts: self.draw.map_or(usual, |draw| draw as usize),
            until: self.until,
            seed: self.seed,
            threads,
            by_card,
        }
    }

    /// Checks the numbers.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.draw == Some(0) {
            return Err(Refusal::option("draw", "0; expected 1 or more"));
        }
        match self.until {
            // No half-width of a chance is greater: per cent are meant.
            Some(until) if !(until > 0.0 && until < 0.5) => Err(Refusal::option(
                "until",
                format_args!(
                    "{}; expected a share below one half, as 0.01 for 1 %",
                    in_short(until)
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// Reads an option that is written as a text.
pub(crate) fn text<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(from)?;
    let read = text.parse();
    read.map_err(|error| de::Error::custom(format_args!("{:?}: {error}", quote(&text))))
}

/// Writes an option as a text.
pub(crate) fn as_text<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Defines a question that may draw layouts: the struct, with the options of drawing after its own.
macro_rules! with_drawing {
    ($(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* } draw: $draw:literal) => {
        $(#[$meta])*
        pub struct $name {
            $($fields)*
            #[doc = $draw]
            #[serde(default)]
            pub draw: Option<u32>,
            /// Stop drawing once every chance is known to within this share of 1.
            #[serde(default)]
            pub until: Option<f64>,
            /// The seed of the layouts.
            #[serde(default = "crate::ask::options::seed")]
            pub seed: u64,
        }

        impl $name {
            pub(crate) const fn drawing(&self) -> $crate::ask::options::Drawing {
                $crate::ask::options::Drawing {
                    draw: self.draw,
                    until: self.until,
                    seed: self.seed,
                }
            }
        }
    };
}

pub(crate) use with_drawing;

/// Default number of layouts.
pub(crate) const USUAL: usize = 1000;

/// Default seed.
pub(crate) const fn seed() -> u64 {
    1
}

/// True, the default of options that are on.
pub(crate) const fn yes() -> bool {
    true
}

/// Rules of thumb about the played cards, which weight the layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Rules {
    /// No rules.
    #[default]
    None,
    /// The published rules.
    Mu,
    /// The rules fitted to games of strong players.
    Fitted,
}

impl Rules {
    /// The strengths of a game's rules.
    pub(crate) fn strengths<G: Game>(self) -> Strengths {
        match self {
            Rules::Mu => Strengths::as_published(G::RULES),
            Rules::Fitted => Strengths::fitted(G::RULES),
            Rules::None => Strengths::NONE,
        }
    }
}

/// The subject of a question that consists only of options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSubject;

impl Display for NoSubject {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Subject for NoSubject {
    fn line(text: &str) -> Result<NoSubject, Refusal> {
        if text.trim().is_empty() {
            Ok(NoSubject)
        } else {
            Err(Refusal::request("this question has only options"))
        }
    }
}
