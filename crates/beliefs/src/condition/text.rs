//! The text of conditions: read, written, and in words.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::Seat;

use super::joined::{Budget, alternatives};
use super::{Condition, Linear, Placed, Shapes, Summand, Term};
use crate::limits::Measure;
use crate::question_error::QuestionError;
use crate::text::joined;

impl Condition {
    /// Reads a condition, whose size is taken from `budget`.
    ///
    /// # Errors
    ///
    /// If it is invalid, or too large.
    pub fn read(text: &str, budget: &mut Budget) -> Result<Condition, QuestionError> {
        Ok(Condition {
            alternatives: alternatives(text, budget)?,
        })
    }

    /// The condition as a sentence without its end: `East has the king of hearts, or the
    /// spades are split 3-2`.
    pub fn in_words(&self) -> String {
        self.written(", or ", " and ", Placed::in_words)
    }

    /// The alternatives joined by `or`, in each the terms by `and`.
    fn written(&self, or: &str, and: &str, term: impl Fn(&Placed) -> String) -> String {
        let all = |terms: &Vec<Placed>| {
            let each: Vec<String> = terms.iter().map(&term).collect();
            each.join(and)
        };
        let alternatives: Vec<String> = self.alternatives.iter().map(all).collect();
        alternatives.join(or)
    }
}

impl Placed {
    fn in_words(&self) -> String {
        let words = self.term.in_words();
        if self.holds {
            return words;
        }
        if words.starts_with("each ") {
            return format!("not {words}");
        }
        let denials = [
            (" is ", " is not "),
            (" are ", " are not "),
            (" has ", " does not have "),
            (" have ", " do not have "),
        ];
        let denial = denials.iter().find(|(verb, _)| words.contains(verb));
        denial.map_or(words.clone(), |(verb, not)| words.replacen(verb, not, 1))
    }
}

/// A range of numbers up to `top` in words, `0` as `no`: each number is followed by its things.
fn amount((least, most): (i16, i16), top: i16, things: impl Fn(i16) -> String) -> String {
    match (least, most) {
        (0, 0) => format!("no{}", things(2)),
        (least, most) if least == most => format!("{least}{}", things(least)),
        (0, most) => format!("at most {most}{}", things(most)),
        (least, most) if most == top => format!("at least {least}{}", things(least)),
        (least, most) => format!("{least} to {most}{}", things(2)),
    }
}

/// What each part is called, joined by `sign`: `North's spades and South's spades`.
fn listed(parts: &[Summand], sign: &str, name: impl Fn(Option<Seat>, Measure) -> String) -> String {
    let each = parts.iter().map(|&(seat, of, _)| name(seat, of));
    joined(each, sign)
}

/// The name of the hand that a term is about.
fn who(seat: Option<Seat>) -> &'static str {
    seat.map_or("each hidden hand", Seat::name)
}

impl Linear {
    /// The parts that are added, and those that are subtracted.
    fn sides(&self) -> (Vec<Summand>, Vec<Summand>) {
        self.parts().partition(|&(.., sign)| sign == 1)
    }

    fn in_words(&self) -> String {
        let (bounds, (_, top)) = (self.bounds(), self.range());
        let (left, right) = self.sides();
        let (_, of, _) = left[0];
        let things = |count: i16| format!(" {}", of.things(count));
        if let Some((seat, _)) = self.single() {
            return format!("{} has {}", who(seat), amount(bounds, top, things));
        }
        if right.is_empty() && left.iter().all(|part| part.1 == of) {
            let seats = listed(&left, " and ", |seat, _| who(seat).to_owned());
            return format!("{seats} have {} together", amount(bounds, top, things));
        }
        let owned = |seat, of: Measure| format!("{}'s {}", who(seat), of.things(2));
        let [first, second] = [&left, &right].map(|parts| listed(parts, " and ", owned));
        let plus = |number: i16| match number {
            0 => String::new(),
            1.. => format!(" plus {number}"),
            _ => format!(" minus {}", -number),
        };
        match bounds {
            (0, 0) if right.is_empty() => format!("{first} are 0 together"),
            _ if right.is_empty() => {
                let amount = amount(bounds, top, |_| String::new());
                format!("{first} are {amount} together")
            }
            (1, most) if most == top => format!("{first} are more than {second}"),
            (least, most) if most == top => {
                format!("{first} are at least as many as {second}{}", plus(least))
            }
            (least, most) if least == most => {
                format!("{first} are as many as {second}{}", plus(least))
            }
            (least, most) => format!("{first} minus {second} are {least} to {most}"),
        }
    }
}

impl Shapes {
    /// The name, if the set has one.
    fn name(self) -> Option<&'static str> {
        let named = Shapes::NAMED.iter().find(|(shapes, _)| *shapes == self);
        named.map(|(_, names)| names[0])
    }

    /// The shapes as 5-3-3-2.
    fn texts(self) -> Vec<String> {
        let text = |[a, b, c, d]: [u8; 4]| format!("{a}-{b}-{c}-{d}");
        self.each().map(text).collect()
    }
}

impl Term {
    fn in_words(self) -> String {
        match self {
            Term::Linear(linear) => linear.in_words(),
            Term::Split {
                suit,
                first,
                second,
            } => format!("the {} are split {first}-{second}", suit.name()),
            Term::Holds { seat, card } => format!("{} has the {}", seat.name(), card.in_words()),
            Term::Shape { seat, shapes } => match (shapes, shapes.name()) {
                (Shapes::WithLength(_), Some(name)) => format!("{} has a {name}", who(seat)),
                (Shapes::Of(_), Some(name)) => format!("{} is {name}", who(seat)),
                (_, None) => format!("{} is {}", who(seat), shapes.texts().join(" or ")),
            },
        }
    }
}

/// Writes the sum and its bounds in the syntax of their text: as a comparison if something is
/// subtracted.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, top) = self.range();
        let (left, right) = self.sides();
        // `N.S`, or `S` of each hand.
        let written = |seat, of| format!("{}{of}", before(seat));
        let (sum, second) = (listed(&left, "+", written), listed(&right, "+", written));
        let is_difference = !right.is_empty();
        let names_hands = self.names_hands();
        match self.bounds() {
            (1, most) if most == top && is_difference => write!(f, "{sum}>{second}"),
            (least, most) if is_difference && (most == top || least == most) => {
                let relation = if most == top { ">=" } else { "=" };
                write!(f, "{sum}{relation}{second}")?;
                match least {
                    0 => Ok(()),
                    plus => write!(f, "{plus:+}"),
                }
            }
            (least, most) if is_difference => {
                write!(f, "{sum}-{}", listed(&right, "-", written))?;
                let less = least.min(0);
                if less < 0 {
                    write!(f, "{:+}", -less)?;
                }
                write!(f, "={}-{}", least - less, most - less)
            }
            (least, most) if least == most && names_hands => write!(f, "{sum}={least}"),
            (0, most) => write!(f, "{sum}<={most}"),
            (least, most) if most == top => write!(f, "{sum}>={least}"),
            (least, most) if names_hands => write!(f, "{sum}={least}-{most}"),
            (least, most) => write!(f, "{sum}>={least},{sum}<={most}"),
        }
    }
}

/// Writes the term in the syntax of its text.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Linear(linear) => linear.fmt(f),
            Term::Split {
                suit,
                first,
                second,
            } => write!(f, "{suit}={first}-{second}"),
            Term::Holds { seat, card } => write!(f, "{seat}+{card}"),
            Term::Shape { seat, shapes } => {
                let hand = before(seat);
                match (shapes.name(), &shapes.texts()[..]) {
                    (Some(name), _) => write!(f, "{hand}{name}"),
                    (None, [shape]) => write!(f, "{hand}{shape}"),
                    (None, shapes) => write!(f, "{hand}({})", shapes.join("|")),
                }
            }
        }
    }
}

/// The seat and a dot, if there is a seat.
fn before(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!("{seat}."))
}

/// Writes the term in the syntax of its text; one that must not hold as `W-HA`, or after `not`.
impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.term {
            term if self.holds => term.fmt(f),
            Term::Holds { seat, card } => write!(f, "{seat}-{card}"),
            term @ (Term::Linear(_) | Term::Shape { .. } | Term::Split { .. }) => {
                let text = term.to_string();
                if text.contains(',') {
                    write!(f, "not ({text})")
                } else {
                    write!(f, "not {text}")
                }
            }
        }
    }
}

/// Writes the condition in the syntax of its text.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written("|", ",", Placed::to_string))
    }
}

/// Reads terms joined by `,` or `and`, and by `|` or `or`, with brackets and `not`.
impl FromStr for Condition {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Condition, QuestionError> {
        Condition::read(text, &mut Budget::default())
    }
}
