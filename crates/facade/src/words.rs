//! The printer of answers: a text for people, and an object for programs.

use std::borrow::Borrow;
use std::error::Error;
use std::fmt::{self, Display};

use serde::Serialize;
use setrograde_beliefs::joined;
use setrograde_cards::{Card, Hand, Seat, Side, Suit};

use crate::mistakes::Review;
use crate::source::{Escape, escaped};

/// An answer. As an object it is its [`Serialize`], described in `docs/json.md`; as a text it is
/// its [`words`](Self::words).
pub trait Report: Serialize {
    /// Writes the answer for people; nothing if it is for programs alone.
    fn words(&self, to: &mut Words) {
        let _ = to;
    }

    /// Returns true if nothing is to be written, because the subject was not wanted.
    fn is_left_out(&self) -> bool {
        false
    }

    /// Returns the review in the answer, for a summary of many.
    fn review(&self) -> Option<&Review> {
        None
    }
}

/// An answer, or nothing where the subject was not wanted.
impl<R: Report> Report for Option<R> {
    fn words(&self, to: &mut Words) {
        if let Some(answer) = self {
            answer.words(to);
        }
    }

    fn is_left_out(&self) -> bool {
        self.is_none()
    }
}

/// An answer of any type.
pub trait AnyReport {
    /// Writes the answer for people, as [`Report::words`].
    fn words(&self, to: &mut Words);

    /// Returns the object, as JSON.
    fn object(&self) -> String;

    /// As [`Report::is_left_out`].
    fn is_left_out(&self) -> bool;

    /// As [`Report::review`].
    fn review(&self) -> Option<&Review>;
}

impl<R: Report> AnyReport for R {
    fn words(&self, to: &mut Words) {
        // The page's engine has no texts.
        if cfg!(feature = "text") {
            Report::words(self, to);
        }
    }

    fn object(&self) -> String {
        serde_json::to_string(self).expect("names are text")
    }

    fn is_left_out(&self) -> bool {
        Report::is_left_out(self)
    }

    fn review(&self) -> Option<&Review> {
        Report::review(self)
    }
}

/// The question that a text answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionKind {
    /// A single question.
    #[default]
    Single,
    /// One line of many, whose answer is best kept to one line.
    Line,
    /// A board of a record.
    Board,
}

/// The style of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The question that is answered.
    pub asked: QuestionKind,
    /// True to explain the answer: all tricks of a play with their winners, or the deal and the
    /// proof of a value.
    pub explain: bool,
    /// True to list every playable card of a claim with its sure tricks.
    pub by_card: bool,
}

impl From<QuestionKind> for Style {
    fn from(asked: QuestionKind) -> Style {
        Style {
            asked,
            ..Style::default()
        }
    }
}

/// Returns the text of the answer to `question`, or about a board of that heading.
pub fn render(answer: &impl Report, question: &str, style: impl Into<Style>) -> Vec<u8> {
    let mut words = Words::new(style);
    Report::words(answer, &mut words);
    words.under(question)
}

/// The text of an answer: beside its question, or in lines below.
#[derive(Clone, Debug, Default)]
pub struct Words {
    style: Style,
    title: Option<String>,
    beside: String,
    below: String,
    bytes: Option<Vec<u8>>,
}

impl Words {
    /// Makes an empty text in this style.
    pub(crate) fn new(style: impl Into<Style>) -> Words {
        Words {
            style: style.into(),
            ..Words::default()
        }
    }

    /// Returns the style.
    pub(crate) const fn style(&self) -> Style {
        self.style
    }

    /// Returns the question that is answered.
    pub const fn asked(&self) -> QuestionKind {
        self.style.asked
    }

    /// Writes on the line of the question, after a tab; for a board on the line below it.
    pub fn beside(&mut self, text: impl Display) {
        self.beside += &text.to_string();
    }

    /// Writes a line, or several, below the question.
    pub fn line(&mut self, text: impl Display) {
        let text = text.to_string();
        self.below += text.trim_end_matches('\n');
        self.below.push('\n');
    }

    /// Sets another title for the question.
    pub(crate) fn title(&mut self, text: impl Display) {
        self.title = Some(text.to_string());
    }

    /// Writes these bytes, and nothing else: neither the question nor a line break.
    pub fn only(&mut self, bytes: impl Into<Vec<u8>>) {
        self.bytes = Some(bytes.into());
    }

    /// The whole text of the answer to `question`, or about a board of that heading. If it has
    /// lines below, and is one of many answers, an empty line follows. A character that
    /// [acts](crate::source::acts) on a terminal, such as a player's name may contain, is written
    /// as `\u{1b}`.
    pub(crate) fn under(self, question: &str) -> Vec<u8> {
        if let Some(bytes) = self.bytes {
            return bytes;
        }
        let mut text = self.title.unwrap_or_else(|| question.to_owned());
        if !self.beside.is_empty() {
            text += if self.style.asked == QuestionKind::Board {
                "\n  "
            } else {
                "\t"
            };
            text += &self.beside;
        }
        text.push('\n');
        text += &self.below;
        if !self.below.is_empty() && self.style.asked != QuestionKind::Single {
            text.push('\n');
        }
        escaped(text.into(), Escape::Lines)
            .into_owned()
            .into_bytes()
    }
}

/// Defines an answer of several kinds: as an object and as a text, it is that of its kind.
macro_rules! kinds_of_answer {
    ($(#[$meta:meta])* $name:ident: $($(#[$doc:meta])* $kind:ident($answer:ty)),*) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(untagged)]
        pub enum $name {
            $($(#[$doc])* $kind($answer)),*
        }

        impl $crate::words::Report for $name {
            fn review(&self) -> Option<&$crate::Review> {
                match self {
                    $($name::$kind(answer) => answer.review()),*
                }
            }

            fn words(&self, to: &mut $crate::words::Words) {
                match self {
                    $($name::$kind(answer) => answer.words(to)),*
                }
            }
        }
    };
}

/// Defines an answer that is an object found by a crate of the engine. Its words are written where
/// the macro is not.
macro_rules! answer_of {
    ($(#[$meta:meta])* $name:ident($found:ty)) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub(crate) $found);
    };
}

pub(crate) use {answer_of, kinds_of_answer};

/// A share of 1, in per cent: `12.3 %`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Percent(pub(crate) f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.1} %", 100.0 * self.0))
    }
}

/// An interval, with this number of digits after the point: `12.3 to 14.5`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval(pub(crate) [f64; 2], pub(crate) usize);

impl Interval {
    /// The interval of a share of 1, in per cent.
    pub(crate) fn percent(shares: [f64; 2]) -> Interval {
        Interval(shares.map(|share| 100.0 * share), 1)
    }
}

impl Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval([low, high], digits) = self;
        f.pad(&format!("{low:.digits$} to {high:.digits$}"))
    }
}

/// Returns an error and its causes in one line, without repetitions.
pub fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text += &format!(": {more}");
        }
        cause = error.source();
    }
    text
}

/// Returns a number with its digits in groups of three.
///
/// ```
/// assert_eq!(setrograde::grouped(1_234_567_u32), "1,234,567");
/// assert_eq!(setrograde::grouped(999_u32), "999");
/// ```
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `1 layout`, `20 layouts`; with `about` if they were not counted exactly.
pub fn layouts(count: u128) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} layout{s}", grouped(count))
}

/// Returns a number of all layouts; with `about` unless it is exact.
pub(crate) fn about(count: u128, exact: bool) -> String {
    let about = if exact { "" } else { "about " };
    format!("{about}{}", grouped(count))
}

/// Returns the names of a side's seats.
pub(crate) fn side_name(side: Side) -> String {
    side.seats().map(Seat::name).join(" and ")
}

/// Returns a card, such as `♥K`.
pub fn shown(card: Card) -> String {
    format!("{card:#}")
}

/// Returns cards suit by suit, such as `♠AK3 ♥2`.
pub fn cards_by_suit(cards: impl IntoIterator<Item: Borrow<Card>>) -> String {
    let cards: Hand = cards.into_iter().map(|card| *card.borrow()).collect();
    let suits = Suit::ALL.map(|suit| (suit.symbol(), cards.holding(suit)));
    let held = suits.iter().filter(|(_, ranks)| !ranks.is_empty());
    joined(held.map(|(suit, ranks)| format!("{suit}{ranks}")), " ")
}
