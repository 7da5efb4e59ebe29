//! Statements of a script: what is dealt, and what is asked about it.

use setrograde_cards::{Card, Hand, Rank, Seat, Suit, quote};

use super::ScriptError;
use super::counts::TABLES;
use super::lex::TokenKind;
use super::parse::{Parser, count, suit};
use crate::condition::{Condition, Term};
use crate::limits::Measure;

/// The words of the language that are not names of counts.
const RESERVED: &str = "generate produce dealer vulnerable predeal pointcount altcount condition action \
     print printall printpbn printew printns printcompact printoneline printes \
     evalcontract average frequency north east south west shape hascard any and or not \
     rnd title seed startboard";

/// Returns true if a word is of the language.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.split(' ').any(|reserved| reserved == word) || count(word).is_some()
}

impl Parser<'_> {
    pub(super) fn statements(&mut self) -> Result<(), ScriptError> {
        loop {
            let token = self.token();
            if token.kind == TokenKind::End {
                return Ok(());
            }
            if self.eat(";") {
                continue;
            }
            let assigned = self.following();
            if token.kind == TokenKind::Word
                && assigned.kind == TokenKind::Mark
                && assigned.text == "="
            {
                self.name()?;
                continue;
            }
            if token.kind != TokenKind::Word {
                self.condition()?;
                continue;
            }
            self.next();
            match token.text.to_ascii_lowercase().as_str() {
                "condition" => self.condition()?,
                "generate" => {
                    let number = self.whole(1, u32::MAX.into())? as u64;
                    self.script.generate.get_or_insert(number);
                }
                "produce" => {
                    let number = self.whole(0, u32::MAX.into())? as u32;
                    self.script.produce.get_or_insert(number);
                }
                "startboard" => self.script.first = Some(self.whole(1, 1_000_000)? as u32),
                "seed" => self.script.seed = Some(self.whole(0, i64::MAX)? as u64),
                "title" => drop(self.label()),
                // DealerV2's, for evaluations that are not made here.
                "opener" => drop(self.seat()?),
                "dealer" => self.script.dealer = Some(self.seat()?),
                "vulnerable" => self.script.vulnerability = Some(self.sides()?),
                "predeal" => self.predeal()?,
                "pointcount" => self.table(0)?,
                "altcount" => {
                    let number = self.whole(0, TABLES as i64 - 2)?;
                    self.table(number as usize + 1)?;
                }
                "action" => self.actions()?,
                _ => {
                    self.at -= 1;
                    match self.action_name() {
                        Some(_) => self.actions()?,
                        None => self.condition()?,
                    }
                }
            }
        }
    }

    fn condition(&mut self) -> Result<(), ScriptError> {
        // As in the original, the last one counts.
        self.script.condition = Some(self.expression()?);
        Ok(())
    }

    /// `NAME = EXPRESSION`.
    fn name(&mut self) -> Result<(), ScriptError> {
        let token = self.next();
        let name = token.text;
        if is_reserved(name) || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let problem = format_args!(
                "{:?} is a word of the language; choose another name",
                quote(name)
            );
            return self.fault(token, problem);
        }
        self.expect("=")?;
        let expression = self.expression()?;
        self.script.names.insert(name.to_owned(), expression);
        Ok(())
    }

    /// `predeal north SAKQ, HA spades(south)==5`.
    fn predeal(&mut self) -> Result<(), ScriptError> {
        let mut any = false;
        loop {
            let token = self.token();
            if let Some(suit) = suit(token.text)
                && token.kind == TokenKind::Word
                && self.following().text == "("
            {
                self.at += 1;
                let seat = self.in_brackets(Parser::seat)?;
                self.expect("==")?;
                let number = self.whole(0, 13)? as u8;
                let range = Term::range(Some(seat), Measure::Length(suit), (number, number));
                self.script.lengths.push(Condition::any([[range]]));
            } else if token.kind == TokenKind::Word
                && let Ok(seat) = token.text.parse::<Seat>()
                && token.text.len() > 1
            {
                self.at += 1;
                self.cards(seat)?;
                while self.eat(",") {
                    self.cards(seat)?;
                }
            } else if any {
                return Ok(());
            } else {
                return self.expected("a hand and its cards, as north SAKQ,HA");
            }
            any = true;
        }
    }

    /// The cards of a suit, such as `SAKQ`.
    fn cards(&mut self, seat: Seat) -> Result<(), ScriptError> {
        let token = self.token();
        let mut letters = token.text.chars();
        let suit = letters.next().and_then(Suit::from_letter);
        let ranks: Option<Vec<Rank>> = letters.map(Rank::from_letter).collect();
        let (Some(suit), Some(ranks), TokenKind::Word) = (suit, ranks, token.kind) else {
            return self.expected("a suit and its cards, as SAKQ");
        };
        for rank in ranks {
            let card = Card::new(suit, rank);
            if self.script.predealt.iter().any(|hand| hand.contains(card)) {
                return self.fault(token, format_args!("the {card} is dealt twice"));
            }
            self.script.predealt[seat] |= Hand::of(card);
            if self.script.predealt[seat].len() > 13 {
                let problem = format_args!("{} gets more than 13 cards", seat.name());
                return self.fault(token, problem);
            }
        }
        self.at += 1;
        Ok(())
    }

    /// The points of ace, king, queen and so on.
    fn table(&mut self, number: usize) -> Result<(), ScriptError> {
        let mut table = [0; 13];
        let mut count = 0;
        loop {
            let token = self.token();
            let negative = self.is("-") && self.following().kind == TokenKind::Number;
            if token.kind != TokenKind::Number && !negative {
                break;
            }
            let points = self.signed()?;
            if count == 13 || points.abs() > 1_000_000 {
                return self.fault(token, "expected no more than 13 numbers, below a million");
            }
            table[count] = points;
            count += 1;
        }
        self.script.tables[number] = table;
        Ok(())
    }
}
