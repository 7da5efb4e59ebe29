//! Reads scripts, their tokens and their expressions.

use std::fmt::Display;

use setrograde_cards::{Bid, Card, Doubling, Rank, Seat, Strain, Suit, Vulnerability, quote};

use super::counts::{TABLES, USUAL};
use super::expression::{Expression, Operation, Operator, ScriptResult};
use super::lex::{Token, TokenKind, tokens};
use super::shapes::ShapeSet;
use super::statements::is_reserved;
use super::{Script, ScriptError, braces, line_starts, place};
use crate::limits::Measure;

/// Maximum depth of an expression: of brackets in brackets, and of names of expressions
/// with names. The value of a deeper one takes more than the stack of a thread.
const DEEPEST: u32 = 300;

/// Maximum number of brackets in brackets.
const MOST_BRACKETS: u32 = 100;

/// What to do about an argument of the command, such as `$1`.
const ARGUMENT: &str = "$0 to $9 are arguments of DealerV2's command; write their values here";

/// Reads a script.
pub(super) fn script(text: &str) -> Result<Script, ScriptError> {
    if text.len() > Script::LONGEST {
        let problem = format!("the script has more than {} bytes", Script::LONGEST);
        return Err(ScriptError::at(text, 0, problem));
    }
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        depths: Vec::new(),
        lines: line_starts(text),
        script: Script {
            tables: USUAL.to_vec(),
            ..Script::default()
        },
    };
    parser.statements()?;
    Ok(parser.script)
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    /// The number of brackets that are open.
    depth: u32,
    /// The depth of each expression.
    depths: Vec<u32>,
    /// The bytes at which lines begin.
    lines: Vec<usize>,
    pub(super) script: Script,
}

/// Functions of DealerV2 whose meaning its documents do not say, and what to do instead.
const UNKNOWN: [(&str, &str); 3] = [
    (
        "opc",
        "count points of your own with altcount and pt0 to pt9",
    ),
    (
        "usereval",
        "count points of your own with altcount and pt0 to pt9",
    ),
    ("parcontract", "par(NS) is the score of the par contract"),
];

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn following(&self) -> Token<'a> {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    pub(super) fn is(&self, text: &str) -> bool {
        let token = self.token();
        token.kind != TokenKind::Quoted && token.text == text
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text) && self.token().kind != TokenKind::End;
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn fault<T>(
        &self,
        token: Token<'_>,
        problem: impl Display,
    ) -> Result<T, ScriptError> {
        Err(ScriptError::at(self.text, token.start, problem.to_string()))
    }

    pub(super) fn expected<T>(&self, what: impl Display) -> Result<T, ScriptError> {
        let token = self.token();
        match token.kind {
            TokenKind::End => self.fault(token, format_args!("expected {what}, found the end")),
            _ => {
                let found = quote(token.text);
                self.fault(token, format_args!("expected {what}, found {found:?}"))
            }
        }
    }

    pub(super) fn expect(&mut self, mark: &str) -> Result<(), ScriptError> {
        if self.eat(mark) {
            Ok(())
        } else {
            self.expected(format_args!("`{mark}`"))
        }
    }

    /// A whole number.
    pub(super) fn whole(&mut self, least: i64, most: i64) -> Result<i64, ScriptError> {
        let token = self.token();
        let negative = self.eat("-");
        let digits = self.token();
        let number = match digits.kind {
            TokenKind::Number => digits.text.parse::<i64>().ok(),
            _ => None,
        };
        let Some(number) = number else {
            return self.expected("a whole number");
        };
        let number = if negative { -number } else { number };
        if number < least || number > most {
            let problem = format_args!("{number}: expected a number from {least} to {most}");
            return self.fault(token, problem);
        }
        self.at += 1;
        Ok(number)
    }

    /// Reads a number; a decimal one is multiplied by 100.
    fn number(&self, token: Token<'_>) -> Result<i64, ScriptError> {
        let parsed = match token.text.split_once('.') {
            None => token.text.parse::<i64>().ok(),
            Some((whole, part)) if part.len() <= 2 && whole.len() <= 9 => {
                format!("{whole}{part:0<2}").parse().ok()
            }
            Some(_) => None,
        };
        match parsed {
            Some(number) if number < 1 << 40 => Ok(number),
            _ => {
                let found = quote(token.text);
                self.fault(
                    token,
                    format_args!("{found:?} is not a number, or too large"),
                )
            }
        }
    }

    /// A number, perhaps negative or decimal.
    pub(super) fn signed(&mut self) -> Result<i64, ScriptError> {
        let sign = if self.eat("-") { -1 } else { 1 };
        let token = self.token();
        if token.kind != TokenKind::Number {
            return self.expected("a number");
        }
        let number = self.number(token)?;
        self.at += 1;
        Ok(sign * number)
    }

    pub(super) fn label(&mut self) -> String {
        match self.token().kind {
            TokenKind::Quoted => self.next().text.trim().to_owned(),
            _ => String::new(),
        }
    }

    /// What the next token means, and continues after it.
    fn take<T>(&mut self, meant: Option<T>, what: &str) -> Result<T, ScriptError> {
        match meant {
            Some(meant) => {
                self.at += 1;
                Ok(meant)
            }
            None => self.expected(what),
        }
    }

    pub(super) fn seat(&mut self) -> Result<Seat, ScriptError> {
        let token = self.token();
        if self.is("$") {
            return self.fault(token, ARGUMENT);
        }
        let seat = token.text.parse().ok();
        let seat = seat.filter(|_| token.kind == TokenKind::Word);
        self.take(seat, "a hand: north, east, south or west")
    }

    /// One of several words, in upper or lower case.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        words: &[(&str, T)],
        what: &str,
    ) -> Result<T, ScriptError> {
        let text = self.token().text;
        let mut words = words.iter();
        let found = words.find(|(word, _)| word.eq_ignore_ascii_case(text));
        self.take(found.map(|&(_, value)| value), what)
    }

    /// A hand and the comma behind it.
    fn seat_of(&mut self) -> Result<Seat, ScriptError> {
        let seat = self.seat()?;
        self.expect(",")?;
        Ok(seat)
    }

    fn suit(&mut self) -> Result<Suit, ScriptError> {
        let suit = suit(self.token().text);
        self.take(suit, "a suit: clubs, diamonds, hearts or spades")
    }

    /// The vulnerable sides.
    pub(super) fn sides(&mut self) -> Result<Vulnerability, ScriptError> {
        let words = [
            ("none", Vulnerability::None),
            ("ns", Vulnerability::NorthSouth),
            ("ew", Vulnerability::EastWest),
            ("all", Vulnerability::Both),
            ("both", Vulnerability::Both),
        ];
        self.one_of(&words, "the vulnerable sides: none, NS, EW or all")
    }

    /// Adds an expression that begins at a token.
    pub(super) fn add(
        &mut self,
        node: Operation,
        token: Token<'_>,
    ) -> Result<Expression, ScriptError> {
        let depth = node.parts().map(|part| self.depths[part.0 as usize]).max();
        let depth = depth.unwrap_or(0) + 1;
        if depth > DEEPEST {
            return self.fault(
                token,
                format_args!("expressions in expressions, {depth} deep"),
            );
        }
        self.script.nodes.push(node);
        self.script
            .places
            .push(place(self.text, &self.lines, token.start));
        self.depths.push(depth);
        Ok(Expression(self.script.nodes.len() as u32 - 1))
    }

    pub(super) fn expression(&mut self) -> Result<Expression, ScriptError> {
        self.depth += 1;
        if self.depth > MOST_BRACKETS {
            return self.fault(self.token(), "too many brackets in brackets");
        }
        let token = self.token();
        let condition = self.binary(0)?;
        let found = if self.eat("?") {
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            self.add(Operation::If(condition, then, otherwise), token)?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(found)
    }

    /// Operators that bind at least as close as `level`.
    fn binary(&mut self, level: usize) -> Result<Expression, ScriptError> {
        let token = self.token();
        let mut left = self.unary()?;
        loop {
            let next = self.token();
            let found = operator(next.text).filter(|_| next.kind != TokenKind::Quoted);
            let Some((binds, operator)) = found.filter(|of| of.0 >= level) else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(binds + 1)?;
            let node = match operator {
                None if binds == 0 => Operation::Or(left, right),
                None => Operation::And(left, right),
                Some(operator) => Operation::Binary(operator, left, right),
            };
            left = self.add(node, token)?;
        }
    }

    fn unary(&mut self) -> Result<Expression, ScriptError> {
        // `not not x` and `- - x`, without recursion.
        let mut signs = Vec::new();
        loop {
            let token = self.token();
            if self.eat("!") || self.eat("not") {
                signs.push((token, true));
            } else if self.eat("-") {
                signs.push((token, false));
            } else {
                break;
            }
        }
        let mut found = self.primary()?;
        for (token, denied) in signs.into_iter().rev() {
            let node = if denied {
                Operation::Not(found)
            } else {
                Operation::Negative(found)
            };
            found = self.add(node, token)?;
        }
        Ok(found)
    }

    fn primary(&mut self) -> Result<Expression, ScriptError> {
        let token = self.token();
        match token.kind {
            TokenKind::Number => {
                let number = self.number(token)?;
                self.at += 1;
                return self.add(Operation::Number(number), token);
            }
            TokenKind::Mark if self.is("(") => return self.in_brackets(Parser::expression),
            TokenKind::Word => {}
            _ if token.text == "$" => {
                return self.fault(token, ARGUMENT);
            }
            _ => return self.expected("an expression"),
        }
        let next = self.following();
        let named = self.script.named(token.text);
        if named.is_none() && next.kind == TokenKind::Mark && next.text == "(" {
            self.at += 1;
            let node = self.in_brackets(|parser| parser.call(token))?;
            return self.add(node, token);
        }
        if token.text == "shape" && next.text == "{" {
            self.at += 2;
            let node = self.shapes_in_braces()?;
            return self.add(node, token);
        }
        let Some(named) = named else {
            let name = quote(token.text);
            let problem = if is_reserved(token.text) {
                format!("expected an expression, found {name:?}")
            } else {
                format!("{name:?} is not defined before this line")
            };
            return self.fault(token, problem);
        };
        self.at += 1;
        self.add(Operation::Named(named), token)
    }

    /// The operation of a function of a hand, between its brackets.
    fn call(&mut self, token: Token<'a>) -> Result<Operation, ScriptError> {
        let name = token.text.to_ascii_lowercase();
        if let Some(suit) = suit(&name).filter(|_| name.len() > 1) {
            let of = Measure::Length(suit);
            return Ok(Operation::Measured(of, self.seat()?, None));
        }
        if let Some(kind) = count(&name) {
            let (seat, suit) = self.hand_and_suit()?;
            return Ok(match kind {
                CountKind::Table(table) => Operation::Count(table, seat, suit),
                CountKind::Measure(of) => Operation::Measured(of, seat, suit),
            });
        }
        Ok(match name.as_str() {
            "cccc" => Operation::Cccc(self.seat()?),
            "quality" => {
                let seat = self.seat_of()?;
                Operation::Quality(seat, self.suit()?)
            }
            "shape" => {
                let seat = self.seat_of()?;
                let shapes = self.shapes()?;
                self.shape(seat, &shapes)
            }
            "hascard" => {
                let seat = self.seat_of()?;
                Operation::Holds(seat, self.card()?)
            }
            "trick" | "tricks" | "dds" => {
                let seat = self.seat_of()?;
                let strain = if self.eat("notrump") || self.eat("notrumps") {
                    Strain::NoTrump
                } else {
                    Strain::Trump(self.suit()?)
                };
                Operation::Result(ScriptResult::Tricks(seat, strain))
            }
            "score" => {
                let vulnerable = self.vulnerable()?;
                self.expect(",")?;
                let (bid, doubling) = self.contract()?;
                self.expect(",")?;
                Operation::Score(bid, doubling, vulnerable, self.expression()?)
            }
            "par" => {
                let side = self.side()?;
                let sides = if self.eat(",") {
                    self.sides()?
                } else {
                    Vulnerability::None
                };
                Operation::Result(ScriptResult::Par(side, sides))
            }
            "ltc" => {
                let (seat, suit) = self.hand_and_suit()?;
                Operation::HalfLosers(seat, suit)
            }
            "imp" | "imps" => Operation::Imps(self.expression()?),
            "rnd" => Operation::Random(self.expression()?),
            "abs" => Operation::Absolute(self.expression()?),
            _ => {
                let name = quote(token.text);
                let instead = UNKNOWN
                    .into_iter()
                    .find(|(unknown, _)| *unknown == token.text);
                let instead = instead.map_or(String::new(), |(_, instead)| format!("; {instead}"));
                let problem = format_args!("the function {name:?} is not known here{instead}");
                return self.fault(token, problem);
            }
        })
    }

    /// `north` or `north, spades`.
    fn hand_and_suit(&mut self) -> Result<(Seat, Option<Suit>), ScriptError> {
        let seat = self.seat()?;
        let suit = if self.eat(",") {
            Some(self.suit()?)
        } else {
            None
        };
        Ok((seat, suit))
    }

    /// A card, its rank first: `AS`.
    fn card(&mut self) -> Result<Card, ScriptError> {
        let mut letters = self.token().text.chars();
        let rank = letters.next().and_then(Rank::from_letter);
        let suit = letters.next().and_then(Suit::from_letter);
        let card = suit.zip(rank).map(|(suit, rank)| Card::new(suit, rank));
        let card = card.filter(|_| letters.next().is_none());
        self.take(card, "a card, its rank first, as AS")
    }

    /// A contract: `x3N` or `z3N`, `x4Sx` if doubled, `x4Sxx` if redoubled.
    pub(super) fn contract(&mut self) -> Result<(Bid, Doubling), ScriptError> {
        let text = self.token().text;
        let bid = text
            .get(1..3)
            .filter(|_| text.starts_with(['x', 'X', 'z', 'Z']));
        let bid: Option<Bid> = bid.and_then(|bid| bid.parse().ok());
        let doubling = match text.get(3..) {
            Some("") => Some(Doubling::Undoubled),
            Some("x") => Some(Doubling::Doubled),
            Some("xx") => Some(Doubling::Redoubled),
            _ => None,
        };
        self.take(bid.zip(doubling), "a contract as x3N or x4Sx")
    }

    /// `north, 5M(332) - xxx0}`: the brace is read.
    fn shapes_in_braces(&mut self) -> Result<Operation, ScriptError> {
        let seat = self.seat_of()?;
        let start = self.token().start;
        let Some(length) = self.text[start..].find('}') else {
            return self.fault(self.token(), "the shapes have no closing brace");
        };
        let shapes = braces::shapes(&self.text[start..start + length]);
        let shapes = shapes.map_err(|(at, what)| ScriptError::at(self.text, start + at, what))?;
        while self.token().start <= start + length && self.token().kind != TokenKind::End {
            self.at += 1;
        }
        Ok(self.shape(seat, &shapes))
    }

    /// The operation of shapes.
    fn shape(&mut self, seat: Seat, shapes: &ShapeSet) -> Operation {
        self.script.shapes.push(*shapes);
        Operation::Shape(seat, self.script.shapes.len() as u32 - 1)
    }

    /// Shapes: `any 4333 + 54xx - any 0xxx`.
    fn shapes(&mut self) -> Result<ShapeSet, ScriptError> {
        let mut all = ShapeSet::EMPTY;
        let mut first = true;
        while first || !self.is(")") {
            let less = !first && self.eat("-");
            if !(first || less || self.eat("+")) {
                self.eat(",");
            }
            first = false;
            let any = self.eat("any");
            let token = self.token();
            let is_length = |c: char| c.is_ascii_digit() || c == 'x' || c == 'X';
            let text = token.text;
            if text.len() != 4 || !text.chars().all(is_length) {
                return self.expected("a shape of four digits or x, as 54xx or any 4333");
            }
            let pattern = if any {
                format!("({text})")
            } else {
                text.to_owned()
            };
            let Ok(shapes) = braces::shapes(&pattern) else {
                return self.fault(token, format_args!("no hand of 13 cards is {text}"));
            };
            self.at += 1;
            all.change(&shapes, less);
        }
        Ok(all)
    }
}

/// What a function counts.
pub(super) enum CountKind {
    Table(u32),
    Measure(Measure),
}

/// The names of the tables of points.
const TABLE_NAMES: [&str; TABLES] = [
    "hcp hcps",
    "pt0 ten tens",
    "pt1 jack jacks",
    "pt2 queen queens",
    "pt3 king kings",
    "pt4 ace aces",
    "pt5 top2",
    "pt6 top3",
    "pt7 top4",
    "pt8 top5",
    "pt9 c13",
];

/// A function of a hand, or of a suit of it, by its name.
pub(super) fn count(name: &str) -> Option<CountKind> {
    let has_name = |names: &&str| names.split(' ').any(|of| of == name);
    match name {
        "control" | "controls" => Some(CountKind::Measure(Measure::Controls)),
        "loser" | "losers" => Some(CountKind::Measure(Measure::Losers)),
        _ => {
            let table = TABLE_NAMES.iter().position(has_name)?;
            Some(CountKind::Table(table as u32))
        }
    }
}

pub(super) fn suit(name: &str) -> Option<Suit> {
    let mut suits = Suit::ALL.into_iter();
    suits.find(|suit| [suit.name(), suit.name().trim_end_matches('s')].contains(&name))
}

/// How close an operator binds, and what it does; `None` for `or`, 0, and `and`, 1.
pub(super) fn operator(mark: &str) -> Option<(usize, Option<Operator>)> {
    Some(match mark {
        "or" | "||" => (0, None),
        "and" | "&&" => (1, None),
        "==" => (2, Some(Operator::Equal)),
        "!=" => (2, Some(Operator::Unequal)),
        "<" => (3, Some(Operator::Less)),
        "<=" => (3, Some(Operator::AtMost)),
        ">" => (3, Some(Operator::Greater)),
        ">=" => (3, Some(Operator::AtLeast)),
        "+" => (4, Some(Operator::Plus)),
        "-" => (4, Some(Operator::Minus)),
        "*" => (5, Some(Operator::Times)),
        "/" => (5, Some(Operator::Divide)),
        "%" => (5, Some(Operator::Remainder)),
        _ => return None,
    })
}
