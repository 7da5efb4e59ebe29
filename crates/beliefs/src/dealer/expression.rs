//! Expressions and their values.

use fastrand::Rng;
use setrograde_cards::{Bid, Card, Doubling, Hand, Seat, Side, Strain, Suit, Vulnerability, imps};

use super::{Script, ScriptError, counts};
use crate::limits::Measure;

/// The greatest value of an expression, and the least one negated.
const GREATEST: u64 = 1 << 60;

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
    /// A measure of a hand, or of a suit of it.
    Measured(Measure, Seat, Option<Suit>),
    /// The sum of a table of points.
    Count(u32, Seat, Option<Suit>),
    /// The losing tricks in halves, times 100.
    HalfLosers(Seat, Option<Suit>),
    Quality(Seat, Suit),
    Cccc(Seat),
    Shape(Seat, u32),
    Holds(Seat, Card),
    Result(ScriptResult),
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

/// A double-dummy result of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptResult {
    /// The tricks of a declarer.
    Tricks(Seat, Strain),
    /// The par score of a side that bids first.
    Par(Side, Vulnerability),
}

/// The values of a script's names for a deal.
#[derive(Clone, Debug)]
pub struct Values {
    /// For each expression the pass in which its value was found, and the value.
    known: Vec<(u64, i64)>,
    /// For each expression whether it depends on double-dummy results.
    with_results: Vec<bool>,
    /// The pass that began with the deal, and the present one.
    first: u64,
    pass: u64,
    hands: [Hand; 4],
    rng: Rng,
}

impl Values {
    /// The values for the first of several deals; `seed` is that of what the deal's random numbers
    /// are.
    pub fn new(script: &Script) -> Values {
        Values {
            known: vec![(0, 0); script.nodes.len()],
            with_results: script.with_results(),
            first: 0,
            pass: 0,
            hands: [Hand::EMPTY; 4],
            rng: Rng::with_seed(0),
        }
    }

    /// Forgets all values; the next ones are those of a deal with these hands, whose random numbers
    /// depend on `seed`.
    pub fn start(&mut self, hands: [Hand; 4], seed: u64) {
        self.again();
        self.first = self.pass;
        self.hands = hands;
        self.rng = Rng::with_seed(seed);
    }

    /// Forgets the values that depend on double-dummy results.
    pub fn again(&mut self) {
        self.pass += 1;
    }

    /// The value of an expression; `results` finds double-dummy results.
    ///
    /// # Errors
    ///
    /// If a number is divided by 0 or beyond 2^60, or `results` fails.
    pub fn of<E: From<ScriptError>>(
        &mut self,
        script: &Script,
        expression: Expression,
        results: &mut dyn FnMut(ScriptResult) -> Result<i64, E>,
    ) -> Result<i64, E> {
        let hand = |seat: Seat| self.hands[seat];
        let node = script.nodes[expression.0 as usize];
        Ok(match node {
            Operation::Number(number) => number,
            Operation::Named(of) => {
                let at = of.0 as usize;
                let pass = if self.with_results[at] {
                    self.pass
                } else {
                    self.first
                };
                if self.known[at].0 != pass {
                    let value = self.of(script, of, results)?;
                    self.known[at] = (pass, value);
                }
                self.known[at].1
            }
            Operation::Measured(of, seat, suit) => {
                let hand = hand(seat);
                of.of(suit.map_or(hand, |suit| hand.suit(suit))).into()
            }
            Operation::Count(table, seat, suit) => {
                counts::sum(&script.tables[table as usize], hand(seat), suit)
            }
            Operation::HalfLosers(seat, suit) => counts::half_losers(hand(seat), suit),
            Operation::Quality(seat, suit) => counts::quality(hand(seat), suit),
            Operation::Cccc(seat) => counts::cccc(hand(seat)),
            Operation::Shape(seat, set) => script.shapes[set as usize].allows(hand(seat)).into(),
            Operation::Holds(seat, card) => hand(seat).contains(card).into(),
            Operation::Result(result) => results(result)?,
            Operation::Score(bid, doubling, vulnerable, of) => {
                let tricks = self.of(script, of, results)?.clamp(0, 13);
                bid.score(tricks as u8, doubling, vulnerable).into()
            }
            Operation::Imps(of) => {
                let most = i64::from(i32::MAX);
                let difference = self.of(script, of, results)?.clamp(-most, most);
                imps(difference as i32).into()
            }
            Operation::Random(of) => {
                let below = self.of(script, of, results)?;
                if below > 0 { self.rng.i64(0..below) } else { 0 }
            }
            Operation::Absolute(of) => self.of(script, of, results)?.abs(),
            Operation::Negative(of) => -self.of(script, of, results)?,
            Operation::Not(of) => i64::from(self.of(script, of, results)? == 0),
            Operation::And(a, b) => {
                i64::from(self.of(script, a, results)? != 0 && self.of(script, b, results)? != 0)
            }
            Operation::Or(a, b) => {
                i64::from(self.of(script, a, results)? != 0 || self.of(script, b, results)? != 0)
            }
            Operation::If(condition, then, otherwise) => {
                let chosen = match self.of(script, condition, results)? {
                    0 => otherwise,
                    _ => then,
                };
                self.of(script, chosen, results)?
            }
            Operation::Binary(operator, a, b) => {
                let (a, b) = (self.of(script, a, results)?, self.of(script, b, results)?);
                let value = operator.of(a, b);
                value.map_err(|problem| script.error(expression, problem))?
            }
        })
    }
}

impl Operator {
    /// The value, or why there is none.
    pub(super) fn of(self, a: i64, b: i64) -> Result<i64, &'static str> {
        let value = match self {
            Operator::Plus => a.checked_add(b),
            Operator::Minus => a.checked_sub(b),
            Operator::Times => a.checked_mul(b),
            Operator::Divide | Operator::Remainder if b == 0 => {
                return Err("a number is divided by 0");
            }
            Operator::Divide => Some(a / b),
            Operator::Remainder => Some(a % b),
            Operator::Equal => Some((a == b).into()),
            Operator::Unequal => Some((a != b).into()),
            Operator::Less => Some((a < b).into()),
            Operator::AtMost => Some((a <= b).into()),
            Operator::Greater => Some((a > b).into()),
            Operator::AtLeast => Some((a >= b).into()),
        };
        let value = value.filter(|value| value.unsigned_abs() <= GREATEST);
        value.ok_or("a number is beyond 2^60")
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

    /// For each expression whether it, or a part of it, is such an operation.
    fn with(&self, is_such: impl Fn(Operation) -> bool) -> Vec<bool> {
        let mut with = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            let found = is_such(node) || node.parts().any(|part| with[part.0 as usize]);
            with.push(found);
        }
        with
    }

    /// For each expression whether it depends on double-dummy results.
    fn with_results(&self) -> Vec<bool> {
        self.with(|node| matches!(node, Operation::Result(_)))
    }

    /// Returns true if the value depends on double-dummy results.
    pub fn needs_results(&self, of: Expression) -> bool {
        self.with_results()[of.0 as usize]
    }

    /// Returns true if the value depends on random numbers.
    pub fn is_random(&self, of: Expression) -> bool {
        self.with(|node| matches!(node, Operation::Random(_)))[of.0 as usize]
    }

    /// Returns the parts that must all be true for the expression to be true, and how many of them
    /// do not depend on double-dummy results; these come first.
    pub fn conjuncts(&self, of: Expression) -> (Vec<Expression>, usize) {
        let with_results = self.with_results();
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
                _ if with_results[at] => last.push(next),
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
