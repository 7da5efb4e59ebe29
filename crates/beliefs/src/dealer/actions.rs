//! Reads the actions of scripts.

use setrograde_cards::{Seat, Side, Strain};

use super::expression::{Operation, Operator, ScriptResult};
use super::lex::TokenKind;
use super::parse::Parser;
use super::{Buckets, ReportPart, ScriptAction, ScriptError};

/// The actions.
const ACTIONS: &str = "print printall printpbn printew printns printside printcompact printoneline \
     average frequency bktfreq evalcontract printes printrpt csvrpt export";

impl Parser<'_> {
    /// The name of the action that begins here, if one does.
    pub(super) fn action_name(&self) -> Option<&'static str> {
        let token = self.token();
        let mut actions = ACTIONS.split(' ');
        let action = actions.find(|action| action.eq_ignore_ascii_case(token.text));
        action.filter(|_| token.kind == TokenKind::Word)
    }

    /// Actions; the commas between them may be missing.
    pub(super) fn actions(&mut self) -> Result<(), ScriptError> {
        loop {
            if let Some(word) = self.action_name() {
                self.action(word)?;
            } else if !self.eat(",") {
                return Ok(());
            }
        }
    }

    fn action(&mut self, word: &'static str) -> Result<(), ScriptError> {
        self.next();
        let action = match word {
            "printpbn" => ScriptAction::PrintPbn,
            "printcompact" | "printoneline" => {
                if self.is("(") {
                    self.in_brackets(Parser::expression)?;
                }
                ScriptAction::Print(word)
            }
            "print" => {
                self.in_brackets(|parser| {
                    while parser.seat().map(|_| parser.eat(","))? {}
                    Ok(())
                })?;
                ScriptAction::Print(word)
            }
            "printside" => {
                self.in_brackets(Parser::hands)?;
                ScriptAction::Print(word)
            }
            "evalcontract" => return self.contract_value(),
            "printes" | "printrpt" | "csvrpt" => {
                ScriptAction::Report(self.report(word == "printes")?)
            }
            "export" => {
                let seats = self.in_brackets(Parser::hands)?;
                ScriptAction::Report(vec![
                    ReportPart::Predeal(seats),
                    ReportPart::Text("\n".to_owned()),
                ])
            }
            "average" => {
                let label = self.label();
                let of = self.expression()?;
                ScriptAction::Average { label, of }
            }
            "frequency" | "bktfreq" => {
                let (label, sized) = (self.label(), word == "bktfreq");
                let of = self.in_brackets(|parser| {
                    let mut of = vec![parser.buckets(sized)?];
                    if parser.eat(",") {
                        of.push(parser.buckets(sized)?);
                    }
                    Ok(of)
                })?;
                ScriptAction::Frequency { label, of }
            }
            // `printall`, `printew` and `printns`.
            word => ScriptAction::Print(word),
        };
        self.script.actions.push(action);
        Ok(())
    }

    /// What is in brackets.
    pub(super) fn in_brackets<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ScriptError>,
    ) -> Result<T, ScriptError> {
        self.expect("(")?;
        let found = read(self)?;
        self.expect(")")?;
        Ok(found)
    }

    /// An expression and its range, of which `sized` says the size of a bucket.
    fn buckets(&mut self, sized: bool) -> Result<Buckets, ScriptError> {
        let of = self.expression()?;
        self.expect(",")?;
        let token = self.token();
        let least = self.below_a_million()?;
        self.expect(",")?;
        let most = self.below_a_million()?;
        let mut size = 1;
        if sized {
            self.expect(",")?;
            size = self.below_a_million()?;
        }
        if least > most || size < 1 || (most - least) / size >= 1000 {
            let problem =
                format_args!("{least} to {most}: expected a range of at most 1000 numbers");
            return self.fault(token, problem);
        }
        Ok(Buckets {
            of,
            least,
            most,
            size,
        })
    }

    fn below_a_million(&mut self) -> Result<i64, ScriptError> {
        let token = self.token();
        let number = self.signed()?;
        if number.abs() > 1_000_000 {
            return self.fault(token, "expected a number of at most a million");
        }
        Ok(number)
    }

    /// `evalcontract(NS, z3Nx, vul)`: the averages of the score and of the deals that make it, with
    /// South or West as declarer.
    fn contract_value(&mut self) -> Result<(), ScriptError> {
        self.expect("(")?;
        let token = self.token();
        let declarer = match self.side()? {
            Side::NorthSouth => Seat::South,
            Side::EastWest => Seat::West,
        };
        self.expect(",")?;
        let text = self.token().text;
        let (bid, doubling) = self.contract()?;
        self.expect(",")?;
        let vulnerable = self.vulnerable()?;
        self.expect(")")?;
        let tricks = self.add(
            Operation::Result(ScriptResult::Tricks(declarer, bid.strain())),
            token,
        )?;
        let score = self.add(Operation::Score(bid, doubling, vulnerable, tricks), token)?;
        let wanted = self.add(Operation::Number(bid.tricks().into()), token)?;
        let made = Operation::Binary(Operator::AtLeast, tricks, wanted);
        let made = self.add(made, token)?;
        let hundred = self.add(Operation::Number(100), token)?;
        let percent = self.add(Operation::Binary(Operator::Times, hundred, made), token)?;
        let vulnerable = if vulnerable { "vul" } else { "nv" };
        for (of, what) in [(score, "score"), (percent, "% that make")] {
            let label = format!(
                "{} by {}, {vulnerable}, {what}",
                &text[1..],
                declarer.name()
            );
            self.script
                .actions
                .push(ScriptAction::Average { label, of });
        }
        Ok(())
    }

    /// The parts of a report, in brackets: `plain` without commas and the end of a line.
    fn report(&mut self, plain: bool) -> Result<Vec<ReportPart>, ScriptError> {
        let text = |text: &str| ReportPart::Text(text.to_owned());
        let mut parts = Vec::new();
        self.expect("(")?;
        while !self.eat(")") {
            if !parts.is_empty() {
                self.expect(",")?;
                // A comma may be the last word.
                if self.eat(")") {
                    break;
                }
                parts.extend((!plain).then(|| text(",")));
            }
            let token = self.token();
            let rnd = ["rnd", "(", "0", ")"];
            let ahead = self.tokens[self.at..].iter().zip(rnd);
            if token.kind == TokenKind::Quoted {
                self.at += 1;
                parts.push(match token.text {
                    "\\n" => text("\n"),
                    quoted if plain => text(quoted),
                    quoted => text(&format!("'{quoted}'")),
                });
            } else if ahead.filter(|(token, word)| token.text == *word).count() == rnd.len() {
                self.at += rnd.len();
                parts.push(ReportPart::Number);
            } else if self.is("trix") {
                self.at += 1;
                let seats = self.in_brackets(Parser::hands)?;
                // From clubs to no trump.
                let of_seat = |seat: Seat| {
                    Strain::ALL
                        .into_iter()
                        .rev()
                        .map(move |strain| (seat, strain))
                };
                for (at, (seat, strain)) in (0..).zip(seats.into_iter().flat_map(of_seat)) {
                    parts.extend((at > 0).then(|| text(",")));
                    let tricks =
                        self.add(Operation::Result(ScriptResult::Tricks(seat, strain)), token)?;
                    parts.push(ReportPart::Value(tricks));
                }
            } else if !plain && token.kind == TokenKind::Word && self.are_hands() {
                parts.push(ReportPart::Hands(self.hands()?));
            } else {
                parts.push(ReportPart::Value(self.expression()?));
            }
        }
        if !plain {
            parts.push(text("\n"));
        }
        Ok(parts)
    }

    /// Returns true if the next word means hands, and not an expression.
    fn are_hands(&self) -> bool {
        let word = self.token().text;
        let named = self.script.named(word).is_some();
        let seat = word.len() > 1 && word.parse::<Seat>().is_ok();
        !named
            && (seat
                || HANDS
                    .iter()
                    .any(|(hands, _)| hands.eq_ignore_ascii_case(word)))
    }

    /// A hand, the hands of a side, or all: `deal`.
    fn hands(&mut self) -> Result<Vec<Seat>, ScriptError> {
        match self.one_of(&HANDS, "") {
            Ok(seats) => Ok(seats.to_vec()),
            Err(_) => Ok(vec![self.seat()?]),
        }
    }

    pub(super) fn side(&mut self) -> Result<Side, ScriptError> {
        let sides = [("ns", Side::NorthSouth), ("ew", Side::EastWest)];
        self.one_of(&sides, "a side: NS or EW")
    }

    pub(super) fn vulnerable(&mut self) -> Result<bool, ScriptError> {
        let words = [("vul", true), ("nv", false), ("nonvul", false)];
        self.one_of(&words, "vul or nv")
    }
}

/// The words for several hands.
const HANDS: [(&str, &[Seat]); 3] = [
    ("deal", &Seat::ALL),
    ("ns", &[Seat::North, Seat::South]),
    ("ew", &[Seat::East, Seat::West]),
];
