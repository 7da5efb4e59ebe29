//! The text of conditions: read, written, and in words.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Seat};

use super::joined::{Budget, Statement, joined};
use super::read::read_terms;
use super::{Condition, Kind, Placed, Relation, Sum, Term};
use crate::limits::Measure;
use crate::question_error::QuestionError;

impl Condition {
    /// Reads a condition, whose size is taken from `budget`.
    ///
    /// # Errors
    ///
    /// If it is invalid, or too large.
    pub fn read(text: &str, budget: &mut Budget) -> Result<Condition, QuestionError> {
        Ok(Condition {
            alternatives: joined(text, budget)?,
        })
    }

    /// The condition as a sentence without its end: `East has the king of hearts, or the
    /// spades are split 3-2`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let all = |terms: &Vec<Placed>| {
            let words: Vec<String> = terms.iter().map(Placed::in_words).collect();
            words.join(" and ")
        };
        let each: Vec<String> = self.alternatives.iter().map(all).collect();
        each.join(", or ")
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

/// The amount of a measure in words; `top` is its maximum.
fn amount(of: Measure, (least, most): (u8, u8), top: u8) -> String {
    let things = |count| of.things(count);
    match (least, most) {
        (0, 0) => format!("no {}", things(2)),
        (least, most) if least == most => format!("{least} {}", things(least)),
        (0, most) => format!("at most {most} {}", things(most)),
        (least, most) if most == top => format!("at least {least} {}", things(least)),
        (least, most) => format!("{least} to {most} {}", things(2)),
    }
}

impl Sum {
    /// The measures by name: `North's spades and South's spades`.
    fn in_words(&self) -> String {
        let each = self
            .parts()
            .map(|(seat, of)| format!("{}'s {}", seat.name(), of.things(2)));
        each.collect::<Vec<_>>().join(" and ")
    }

    /// The only measure of all parts, if there is one.
    fn measure(&self) -> Option<Measure> {
        let mut measures = self.parts().map(|(_, of)| of);
        let first = measures.next()?;
        measures.all(|of| of == first).then_some(first)
    }
}

impl Term {
    fn in_words(self) -> String {
        let who = match self.seat() {
            Some(seat) => seat.name(),
            None => "each hidden hand",
        };
        match self {
            Term::Range {
                of, least, most, ..
            } => format!("{who} has {}", amount(of, (least, most), of.top())),
            Term::Sum {
                of: sum,
                least,
                most,
            } => match sum.measure() {
                Some(of) => {
                    let seats: Vec<&str> = sum.parts().map(|(seat, _)| seat.name()).collect();
                    let amount = amount(of, (least, most), sum.top());
                    format!("{} have {amount} together", seats.join(" and "))
                }
                None => {
                    let bounds = match (least, most) {
                        (least, most) if least == most => least.to_string(),
                        (0, most) => format!("at most {most}"),
                        (least, most) if most == sum.top() => format!("at least {least}"),
                        (least, most) => format!("{least} to {most}"),
                    };
                    format!("{} are {bounds} together", sum.in_words())
                }
            },
            Term::Compare {
                left,
                relation,
                right,
                plus,
            } => {
                let relation = match relation {
                    Relation::Greater => "more than",
                    Relation::AtLeast => "at least as many as",
                    Relation::Equal => "as many as",
                };
                let plus = match plus {
                    0 => String::new(),
                    plus if plus > 0 => format!(" plus {plus}"),
                    minus => format!(" minus {}", -minus),
                };
                let (left, right) = (left.in_words(), right.in_words());
                format!("{left} are {relation} {right}{plus}")
            }
            Term::Split {
                suit,
                first,
                second,
            } => format!("the {} are split {first}-{second}", suit.name()),
            Term::Holds { card, .. } => format!("{who} has the {}", full_name(card)),
            Term::Lack { card, .. } => format!("{who} does not have the {}", full_name(card)),
            Term::Shape {
                lengths: [a, b, c, d],
                ..
            } => format!("{who} is {a}-{b}-{c}-{d}"),
            Term::Kind { kind, .. } => match kind {
                Kind::Balanced | Kind::Semibalanced => format!("{who} is {}", kind.name()),
                Kind::Void | Kind::Singleton => format!("{who} has a {}", kind.name()),
            },
        }
    }
}

fn full_name(card: Card) -> String {
    format!("{} of {}", card.rank.name(), card.suit.name())
}

/// Writes the term in the syntax of its text.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let hand = before(seat);
                match (least, most) {
                    (least, most) if least == most && seat.is_some() => {
                        write!(f, "{hand}{of}={least}")
                    }
                    (0, most) => write!(f, "{hand}{of}<={most}"),
                    (least, most) if most == of.top() => write!(f, "{hand}{of}>={least}"),
                    (least, most) if seat.is_none() => write!(f, "{of}>={least},{of}<={most}"),
                    (least, most) => write!(f, "{hand}{of}={least}-{most}"),
                }
            }
            Term::Split {
                suit,
                first,
                second,
            } => write!(f, "{suit}={first}-{second}"),
            Term::Holds { seat, card } => write!(f, "{seat}+{card}"),
            Term::Lack { seat, card } => write!(f, "{seat}-{card}"),
            Term::Shape {
                seat,
                lengths: [a, b, c, d],
            } => write!(f, "{}{a}-{b}-{c}-{d}", before(seat)),
            Term::Kind { seat, kind } => write!(f, "{}{}", before(seat), kind.name()),
            Term::Sum { of, least, most } => match (least, most) {
                (least, most) if least == most => write!(f, "{of}={least}"),
                (0, most) => write!(f, "{of}<={most}"),
                (least, most) if most == of.top() => write!(f, "{of}>={least}"),
                (least, most) => write!(f, "{of}={least}-{most}"),
            },
            Term::Compare {
                left,
                relation,
                right,
                plus: 0,
            } => write!(f, "{left}{relation}{right}"),
            Term::Compare {
                left,
                relation,
                right,
                plus,
            } => write!(f, "{left}{relation}{right}{plus:+}"),
        }
    }
}

/// Writes the sum in the syntax of its text: `N.S+S.S`.
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (seat, of)) in self.parts().enumerate() {
            let plus = if at == 0 { "" } else { "+" };
            write!(f, "{plus}{seat}.{of}")?;
        }
        Ok(())
    }
}

/// Writes `>`, `>=` or `=`.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        })
    }
}

/// The seat and a dot, if there is a seat.
fn before(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!("{seat}."))
}

/// Writes the term in the syntax of its text, after `not` if it must not hold.
impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.holds {
            f.write_str("not ")?;
        }
        self.term.fmt(f)
    }
}

/// Writes the condition in the syntax of its text.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, terms) in self.alternatives.iter().enumerate() {
            if n > 0 {
                f.write_str("|")?;
            }
            for (m, placed) in terms.iter().enumerate() {
                if m > 0 {
                    f.write_str(",")?;
                }
                placed.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// Reads terms joined by `,` or `and`, and by `|` or `or`, with brackets and `not`.
impl FromStr for Condition {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Condition, QuestionError> {
        Condition::read(text, &mut Budget::default())
    }
}

impl Statement for Placed {
    fn read(text: &str, inside: Option<Seat>, column: usize) -> Result<Vec<Placed>, QuestionError> {
        read_terms(text, inside, column)
    }

    fn denied(&self) -> Placed {
        (*self).opposite()
    }
}
