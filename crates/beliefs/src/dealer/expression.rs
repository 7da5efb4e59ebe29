//! Expressions and their values.

use fastrand::Rng;
use setrograde_cards::{Bid, Card, Doubling, Hand, Seat, Strain, Suit, imps};

use super::{Script, ScriptError, counts};

/// An expression of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expression(pub(super) u32);

/// An operator between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    Number(i64),
    /// An expression with a name, whose value is kept.
    Named(Expression),
    Length(Seat, Suit),
    /// The sum of a table of points.
    Count(u32, Seat, Option<Suit>),
    Controls(Seat, Option<Suit>),
    Losers(Seat, Option<Suit>),
    Quality(Seat, Suit),
    Cccc(Seat),
    Shape(Seat, u32),
    Holds(Seat, Card),
    Tricks(Seat, Strain),
    /// The declarer's score for a number of tricks.
    Score(Bid, Doubling, bool, Expression),
    Imps(Expression),
    Random(Expression),
    Absolute(Expression),
    Negative(Expression),
    Not(Expression),
    And(Expression, Expression),
    Or(Expression, Expression),
    If(Expression, Expression, Expression),
    Binary(Operator, Expression, Expression),
}

/// The values of a script's names for a deal.
#[derive(Clone, Debug)]
pub struct Values {
    /// For each expression the number of the deal for which its value is known, and the value.
    known: Vec<(u64, i64)>,
    number: u64,
    hands: [Hand; 4],
    rng: Rng,
}

impl Values {
    /// The values for the first of several deals; `seed` is that of what the deal's random numbers
    /// are.
    #[must_use]
    pub fn new(script: &Script) -> Values {
        Values {
            known: vec![(0, 0); script.nodes.len()],
            number: 0,
            hands: [Hand::EMPTY; 4],
            rng: Rng::with_seed(0),
        }
    }

    /// Forgets all values; the next ones are those of a deal with these hands, whose random numbers
    /// depend on `seed`.
    pub fn start(&mut self, hands: [Hand; 4], seed: u64) {
        self.number += 1;
        self.hands = hands;
        self.rng = Rng::with_seed(seed);
    }

    /// The value of an expression; `tricks` finds those of a declarer.
    ///
    /// # Errors
    ///
    /// If a number is divided by 0, or `tricks` fails.
    pub fn of<E: From<ScriptError>>(
        &mut self,
        script: &Script,
        expression: Expression,
        tricks: &mut dyn FnMut(Seat, Strain) -> Result<u8, E>,
    ) -> Result<i64, E> {
        let hand = |seat: Seat| self.hands[seat];
        let node = script.nodes[expression.0 as usize];
        Ok(match node {
            Operation::Number(number) => number,
            Operation::Named(of) => {
                let at = of.0 as usize;
                if self.known[at].0 != self.number {
                    let value = self.of(script, of, tricks)?;
                    self.known[at] = (self.number, value);
                }
                self.known[at].1
            }
            Operation::Length(seat, suit) => hand(seat).holding(suit).len() as i64,
            Operation::Count(table, seat, suit) => {
                counts::sum(&script.tables[table as usize], hand(seat), suit)
            }
            Operation::Controls(seat, suit) => counts::controls(hand(seat), suit),
            Operation::Losers(seat, suit) => counts::losers(hand(seat), suit),
            Operation::Quality(seat, suit) => counts::quality(hand(seat), suit),
            Operation::Cccc(seat) => counts::cccc(hand(seat)),
            Operation::Shape(seat, set) => script.shapes[set as usize].allows(hand(seat)).into(),
            Operation::Holds(seat, card) => hand(seat).contains(card).into(),
            Operation::Tricks(seat, strain) => tricks(seat, strain)?.into(),
            Operation::Score(bid, doubling, vulnerable, of) => {
                let tricks = self.of(script, of, tricks)?.clamp(0, 13);
                bid.score(tricks as u8, doubling, vulnerable).into()
            }
            Operation::Imps(of) => {
                let most = i64::from(i32::MAX);
                let difference = self.of(script, of, tricks)?.clamp(-most, most);
                imps(difference as i32).into()
            }
            Operation::Random(of) => {
                let below = self.of(script, of, tricks)?;
                if below > 0 { self.rng.i64(0..below) } else { 0 }
            }
            Operation::Absolute(of) => self.of(script, of, tricks)?.saturating_abs(),
            Operation::Negative(of) => self.of(script, of, tricks)?.saturating_neg(),
            Operation::Not(of) => i64::from(self.of(script, of, tricks)? == 0),
            Operation::And(a, b) => {
                i64::from(self.of(script, a, tricks)? != 0 && self.of(script, b, tricks)? != 0)
            }
            Operation::Or(a, b) => {
                i64::from(self.of(script, a, tricks)? != 0 || self.of(script, b, tricks)? != 0)
            }
            Operation::If(condition, then, otherwise) => {
                let chosen = match self.of(script, condition, tricks)? {
                    0 => otherwise,
                    _ => then,
                };
                self.of(script, chosen, tricks)?
            }
            Operation::Binary(operator, a, b) => {
                let (a, b) = (self.of(script, a, tricks)?, self.of(script, b, tricks)?);
                let value = operator.of(a, b);
                value.ok_or_else(|| script.error(expression, "a number is divided by 0"))?
            }
        })
    }
}

impl Operator {
    /// The value; `None` for a division by 0.
    pub(super) fn of(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Operator::Plus => a.saturating_add(b),
            Operator::Minus => a.saturating_sub(b),
            Operator::Times => a.saturating_mul(b),
            Operator::Divide if b == 0 => return None,
            Operator::Remainder if b == 0 => return None,
            Operator::Divide => a.saturating_div(b),
            Operator::Remainder => a.wrapping_rem(b),
            Operator::Equal => (a == b).into(),
            Operator::Unequal => (a != b).into(),
            Operator::Less => (a < b).into(),
            Operator::AtMost => (a <= b).into(),
            Operator::Greater => (a > b).into(),
            Operator::AtLeast => (a >= b).into(),
        })
    }
}

impl Script {
    /// A problem with an expression.
    fn error(&self, of: Expression, problem: &str) -> ScriptError {
        let (line, column) = self.places[of.0 as usize];
        ScriptError {
            line,
            column,
            problem: problem.to_owned(),
        }
    }

    /// For each expression up to this one whether its value depends on double-dummy tricks.
    fn with_tricks(&self, of: Expression) -> Vec<bool> {
        let mut with_tricks = vec![false; of.0 as usize + 1];
        for at in 0..with_tricks.len() {
            with_tricks[at] = matches!(self.nodes[at], Operation::Tricks(..))
                || self.nodes[at]
                    .parts()
                    .any(|part| with_tricks[part.0 as usize]);
        }
        with_tricks
    }

    /// Returns true if the value depends on double-dummy tricks.
    #[must_use]
    pub fn needs_tricks(&self, of: Expression) -> bool {
        self.with_tricks(of)[of.0 as usize]
    }

    /// Returns the parts that must all be true for the expression to be true, and how many of them
    /// do not depend on double-dummy tricks; these come first.
    #[must_use]
    pub fn conjuncts(&self, of: Expression) -> (Vec<Expression>, usize) {
        let with_tricks = self.with_tricks(of);
        let mut seen = vec![false; of.0 as usize + 1];
        let (mut left, mut found, mut last) = (vec![of], Vec::new(), Vec::new());
        while let Some(next) = left.pop() {
            let at = next.0 as usize;
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match self.nodes[at] {
                Operation::And(a, b) => left.extend([b, a]),
                Operation::Named(of) => left.push(of),
                _ if with_tricks[at] => last.push(next),
                _ => found.push(next),
            }
        }
        let cheap = found.len();
        found.extend(last);
        (found, cheap)
    }
}

impl Operation {
    /// Returns the operands.
    pub(super) fn parts(self) -> impl Iterator<Item = Expression> {
        let parts = match self {
            Operation::Named(a)
            | Operation::Score(_, _, _, a)
            | Operation::Imps(a)
            | Operation::Random(a)
            | Operation::Absolute(a)
            | Operation::Negative(a)
            | Operation::Not(a) => [Some(a), None, None],
            Operation::And(a, b) | Operation::Or(a, b) | Operation::Binary(_, a, b) => {
                [Some(a), Some(b), None]
            }
            Operation::If(a, b, c) => [Some(a), Some(b), Some(c)],
            _ => [None; 3],
        };
        parts.into_iter().flatten()
    }
}
