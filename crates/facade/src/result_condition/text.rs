//! The text of conditions on results.

use std::fmt::Display;

use setrograde_beliefs::{Placed, QuestionError, Statement};
use setrograde_cards::{Card, Contract, Seat, Strain, quote};

use super::{Amount, Literal, NamedContract, NamedLead, ResultTerm};

/// The names that begin a statement about results.
const NAMES: [&str; 6] = ["tricks", "par", "score", "makes", "unique", "lost"];

/// A number beyond all scores, and their sums in a condition.
const BEYOND: i32 = 1_000_000;

/// Maximum number of amounts in a sum.
const MOST_AMOUNTS: usize = 16;

/// Returns the name at the start of a text, if it is one of [`NAMES`], and the rest.
fn name(text: &str) -> Option<(&'static str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let found = NAMES
        .into_iter()
        .find(|name| name.eq_ignore_ascii_case(word))?;
    Some((found, rest))
}

impl Statement for Literal {
    fn call(text: &str) -> Option<usize> {
        name(text)?;
        let mut depth = 0_u32;
        let end = text.find(|c| match c {
            '(' => {
                depth += 1;
                false
            }
            ')' if depth > 0 => {
                depth -= 1;
                false
            }
            ')' => true,
            ',' | '|' => depth == 0,
            _ => false,
        });
        Some(end.unwrap_or(text.len()))
    }

    fn read(
        text: &str,
        inside: Option<Seat>,
        column: usize,
    ) -> Result<Vec<Literal>, QuestionError> {
        if name(text).is_none() {
            let placed = Placed::read(text, inside, column)?;
            return Ok(placed.into_iter().map(Literal::Hands).collect());
        }
        let problem = |problem: String| QuestionError::new(column, problem);
        if let Some(seat) = inside {
            return Err(problem(format!(
                "{:?} is about the deal, not about {}'s hand",
                quote(text),
                seat.name()
            )));
        }
        let term = term(text).map_err(problem)?;
        Ok(vec![Literal::Result { term, holds: true }])
    }

    fn denied(&self) -> Literal {
        match self {
            Literal::Hands(placed) => Literal::Hands(placed.denied()),
            Literal::Result { term, holds } => Literal::Result {
                term: term.clone(),
                holds: !holds,
            },
        }
    }
}

fn term(text: &str) -> Result<ResultTerm, String> {
    let Some(mark) = text.find(['<', '>', '=']) else {
        return statement(text.trim());
    };
    let (left, rest) = text.split_at(mark);
    let relation = ["<=", ">=", "<", ">", "="];
    let relation = relation
        .into_iter()
        .find(|&mark| rest.starts_with(mark))
        .expect("the rest begins with one of the three characters");
    let right = rest[relation.len()..].trim();
    let mut of = AmountSum::default();
    of.add(left, 1)?;
    if relation == "="
        && let Some((least, most)) = range(right)
    {
        if least > most {
            return Err(format!(
                "{:?}: the range {least}-{most} is reversed; expected {most}-{least}",
                quote(text.trim())
            ));
        }
        return of.within(least, most);
    }
    if let ("=", Some(least)) = (relation, right.strip_suffix('+')) {
        let least = number(least).ok_or_else(|| expected("a number", least))?;
        return of.within(least, BEYOND);
    }
    of.add(right, -1)?;
    match relation {
        ">=" => of.within(0, BEYOND),
        ">" => of.within(1, BEYOND),
        "<=" => of.within(-BEYOND, 0),
        "<" => of.within(-BEYOND, -1),
        _ => of.within(0, 0),
    }
}

fn expected(what: impl Display, found: &str) -> String {
    match found.trim() {
        "" => format!("expected {what}, found nothing"),
        found => format!("expected {what}, found {:?}", quote(found)),
    }
}

/// A whole number, perhaps negative.
fn number(text: &str) -> Option<i32> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let size = setrograde_beliefs::number(digits).filter(|&size: &i32| size < BEYOND)?;
    Some(if digits == text { size } else { -size })
}

/// Two numbers with `-` between them.
fn range(text: &str) -> Option<(i32, i32)> {
    let dash = text.get(1..)?.find('-')? + 1;
    Some((number(&text[..dash])?, number(&text[dash + 1..])?))
}

/// A statement without a comparison.
fn statement(text: &str) -> Result<ResultTerm, String> {
    let Some(("unique", arguments)) = name(text) else {
        return match amount(text)? {
            (Amount::Makes(contract), "") => Ok(ResultTerm::Within {
                of: vec![(1, Amount::Makes(contract))],
                least: 1,
                most: 1,
            }),
            (_, "") => Err(format!(
                "{:?} is a number; compare it, as in tricks(S,NT)>=9",
                quote(text)
            )),
            (_, rest) => Err(expected("a comparison", rest)),
        };
    };
    let (arguments, rest) = bracket(arguments)?;
    if !rest.trim().is_empty() {
        return Err(expected("nothing after the bracket", rest));
    }
    let (what, others) = arguments.split_once(',').unwrap_or((arguments, ""));
    let (contract, lead) = contract_and_lead(others)?;
    let unique_card = |is_sure| ResultTerm::UniqueCard {
        contract,
        lead,
        is_sure,
    };
    match &*what.trim().to_ascii_lowercase() {
        "lead" => match lead {
            None => Ok(ResultTerm::UniqueLead(contract)),
            Some(card) => Err(format!("unique(lead) has no card, found {card}")),
        },
        "card" => Ok(unique_card(false)),
        "sure" => Ok(unique_card(true)),
        _ => Err(expected(
            "lead, card or sure, as in unique(lead,3NTS)",
            what,
        )),
    }
}

/// A contract and a lead. Either may be missing.
fn contract_and_lead(text: &str) -> Result<(NamedContract, NamedLead), String> {
    let (mut contract, mut lead) = (None, None);
    let arguments = text.split(',').map(str::trim);
    for argument in arguments.filter(|argument| !argument.is_empty()) {
        if argument.starts_with(|c: char| c.is_ascii_digit()) {
            if contract.replace(read_contract(argument)?).is_some() {
                return Err(format!("{:?} is a second contract", quote(argument)));
            }
        } else {
            let card: Card = argument
                .parse()
                .map_err(|_| expected("a contract, as 3NTS, or a card, as HK", argument))?;
            if lead.replace(card).is_some() {
                return Err(format!("{:?} is a second card", quote(argument)));
            }
        }
    }
    Ok((contract, lead))
}

fn read_contract(text: &str) -> Result<Contract, String> {
    text.trim()
        .parse()
        .map_err(|error: setrograde_cards::TextError| {
            let problem = error.problem();
            format!(
                "{:?} is not a contract, as 3NTS: {problem}",
                quote(text.trim())
            )
        })
}

/// The text in the bracket at the start of `text`, and the rest.
fn bracket(text: &str) -> Result<(&str, &str), String> {
    let inside = text.trim_start().strip_prefix('(');
    let inside = inside.ok_or_else(|| expected("a bracket", text))?;
    inside
        .split_once(')')
        .ok_or_else(|| "expected a closing bracket".to_owned())
}

/// The amount at the start of a text, and the rest.
fn amount(text: &str) -> Result<(Amount, &str), String> {
    let (name, rest) = name(text).ok_or_else(|| {
        expected(
            "a number, tricks(S,NT), score(4SN), lost(HK,3NTS) or par",
            text,
        )
    })?;
    if name == "par" {
        return Ok((Amount::Par, rest.trim_start()));
    }
    let (arguments, rest) = bracket(rest)?;
    let amount = match name {
        "tricks" => {
            let (seat, strain) = arguments
                .split_once(',')
                .ok_or_else(|| expected("a seat and a strain, as S,NT", arguments))?;
            let seat: Seat = seat
                .trim()
                .parse()
                .map_err(|_| expected("a seat (N E S W)", seat))?;
            let strain: Strain = strain
                .trim()
                .parse()
                .map_err(|_| expected("a strain (NT S H D C)", strain))?;
            Amount::Tricks(seat, strain)
        }
        "lost" => {
            let arguments = match arguments.trim_start() {
                text if text
                    .get(..4)
                    .is_some_and(|word| word.eq_ignore_ascii_case("lead")) =>
                {
                    &text[4..]
                }
                text => text,
            };
            let (contract, lead) = contract_and_lead(arguments)?;
            Amount::Lost(contract, lead)
        }
        _ => {
            let contract = match arguments.trim() {
                word if word.eq_ignore_ascii_case("contract") => None,
                text => Some(read_contract(text)?),
            };
            match name {
                "score" => Amount::Score(contract),
                "makes" => Amount::Makes(contract),
                _ => return Err("unique(…) is true or false, not a number".to_owned()),
            }
        }
    };
    Ok((amount, rest.trim_start()))
}

/// Amounts with their signs, and a number.
#[derive(Default)]
struct AmountSum {
    of: Vec<(i32, Amount)>,
    number: i32,
}

impl AmountSum {
    /// Adds the amounts and numbers of a text, each with this sign.
    fn add(&mut self, text: &str, sign: i32) -> Result<(), String> {
        let mut rest = text.trim();
        let mut next = sign;
        if let Some(after) = rest.strip_prefix('-') {
            (rest, next) = (after.trim_start(), -sign);
        }
        loop {
            let digits = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            if digits > 0 {
                let found = number(&rest[..digits])
                    .ok_or_else(|| expected("a smaller number", &rest[..digits]))?;
                self.number += next * found;
                rest = rest[digits..].trim_start();
            } else {
                let (found, after) = amount(rest)?;
                if matches!(found, Amount::Makes(_)) {
                    return Err("makes(…) is true or false, not a number".to_owned());
                }
                self.of.push((next, found));
                rest = after;
            }
            if self.of.len() > MOST_AMOUNTS || self.number.abs() > BEYOND {
                return Err(format!(
                    "more than {MOST_AMOUNTS} amounts, or a greater sum"
                ));
            }
            next = match rest.chars().next() {
                None => return Ok(()),
                Some('+') => sign,
                Some('-') => -sign,
                Some(_) => return Err(expected("+, - or a comparison", rest)),
            };
            rest = rest[1..].trim_start();
        }
    }

    /// The term that the sum is within a range.
    fn within(self, least: i32, most: i32) -> Result<ResultTerm, String> {
        let least = (least - self.number).max(-BEYOND);
        let most = (most - self.number).min(BEYOND);
        if let [(1, Amount::Tricks(..) | Amount::Lost(..))] = self.of[..]
            && (least > 13 || most < 0)
        {
            return Err("tricks are 0 to 13; this is never so".to_owned());
        }
        Ok(ResultTerm::Within {
            of: self.of,
            least,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RESULT_CONDITIONS, ResultCondition};

    #[test]
    fn what_the_help_teaches_is_read() {
        for line in RESULT_CONDITIONS.lines() {
            let (text, _) = line.split_once("  ").expect("a meaning");
            ResultCondition::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(line.chars().count() <= 85, "{line}");
        }
    }

    #[test]
    fn other_forms_are_read_alike() {
        for (text, same) in [
            ("tricks(S,NT)>8", "tricks(South, nt) >= 9"),
            ("tricks(S,NT)=9+", "tricks(S,NT)≥9"),
            ("tricks(S,NT)=9-10", "tricks(S,NT)=9 - 10"),
            ("not (makes(4SN),N.hcp>=5)", "not makes(4SN)|N.hcp<=4"),
            ("par>score(4SN)", "par-score(4SN)>=1"),
            ("unique(lead,3NTS)", "UNIQUE( lead , 3nt by South )"),
            ("unique(sure,3NTS,HK)", "unique( Sure , HK , 3NTS )"),
            ("lost(HK,3NTS)>=1", "lost(3NTS,HK)>0"),
            ("par=-100--50", "par = -100 - -50"),
            (
                "tricks(N,S) + 2 <= tricks(N,H)",
                "tricks(N,S)<=tricks(N,H)-2",
            ),
        ] {
            let read = |text| ResultCondition::read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read(text), read(same), "{text}");
        }
    }

    #[test]
    fn errors_name_the_column_and_what_is_expected() {
        for (text, column, problem) in [
            ("tricks(S,NT)", 1, "is a number; compare it"),
            (
                "N.hcp>=5,tricks(NT,S)>=9",
                10,
                "expected a seat (N E S W), found \"NT\"",
            ),
            ("tricks(S)>=9", 1, "expected a seat and a strain"),
            ("tricks(S,NT)>=14", 1, "never so"),
            (
                "N.hcp>=5,tricks(S,NT)=10-9",
                10,
                "the range 10-9 is reversed",
            ),
            ("par=-50--100", 1, "expected -100--50"),
            ("tricks(S,NT)>=", 1, "found nothing"),
            ("tricks(S,NT>=9", 1, "expected a closing bracket"),
            ("makes(4S)", 1, "is not a contract"),
            ("makes(4SN)>=1", 1, "true or false"),
            ("unique(4SN)", 1, "expected lead, card or sure"),
            ("unique(lead,HK)", 1, "has no card"),
            ("lost(HK,HQ)>=1", 1, "second card"),
            ("par>=1 2", 1, "expected +, - or a comparison"),
            ("S.(tricks(S,NT)>=9)", 4, "not about South's hand"),
            ("par>=99999999999", 1, "smaller number"),
            ("makes(4SN))", 11, "closes no bracket"),
            ("trick(S,NT)>=9", 1, "is not a condition"),
            ("S=3-2", 1, "two hidden hands"),
        ] {
            let error = ResultCondition::read(text).unwrap_err().to_string();
            let begins = format!("where: column {column}: ");
            assert!(
                error.starts_with(&begins) && error.contains(problem),
                "{text}: {error}"
            );
        }
    }
}
