//! Mixes: shares of named types of deals.

use std::collections::BTreeMap;

use fastrand::Rng;
use setrograde_beliefs::{Budget, Condition, Expression, Script};
use setrograde_cards::quote;

use crate::refusal::Refusal;

/// The name of the deals that are of no other type.
const OTHER: &str = "other";

/// Maximum number of types.
const MOST: usize = 100;

/// The types of a mix.
#[derive(Debug)]
pub(super) struct Mix {
    pub parts: Vec<MixPart>,
}

/// A type of deals.
#[derive(Debug)]
pub(super) struct MixPart {
    pub name: String,
    /// The share, in a unit common to all types.
    share: u64,
    /// What must hold, or must not.
    pub meanings: Vec<(Meaning, bool)>,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A condition.
    Text(String),
    /// An expression of the script.
    Named(Expression),
}

impl Mix {
    /// Reads shares with names, such as `35 % weak two, 60 % strong, 5 % other`. The size of the
    /// conditions `names` is taken from `budget`.
    pub(super) fn read(
        text: &str,
        names: &BTreeMap<String, String>,
        script: Option<&Script>,
        budget: &mut Budget,
    ) -> Result<Mix, Refusal> {
        for (name, condition) in names {
            let taken = match name.as_str() {
                OTHER => Some("is every deal without another name"),
                name if script.is_some_and(|script| script.named(name).is_some()) => {
                    Some("is a name of the script, too")
                }
                _ => None,
            };
            if let Some(taken) = taken {
                let problem = format_args!("{:?} {taken}; choose another name", quote(name));
                return Err(Refusal::option("name", problem));
            }
            let checked = Condition::read(condition, budget);
            checked.map_err(|error| {
                Refusal::option("name", format_args!("{:?}: {error}", quote(name)))
            })?;
        }
        let mut parts: Vec<MixPart> = Vec::new();
        let mut column = 1;
        for piece in text.split(',') {
            let wrong = |problem: String| {
                let blank = piece.chars().take_while(|c| c.is_whitespace()).count();
                let error = setrograde_beliefs::QuestionError::new(column + blank, problem);
                Refusal::in_text_of("mix", &error)
            };
            let (share, name) = piece
                .split_once('%')
                .ok_or_else(|| wrong("expected a share and a name, as 35 % strong".to_owned()))?;
            let name = name.trim();
            let share = hundredths(share.trim()).ok_or_else(|| {
                let found = quote(share.trim());
                wrong(format!(
                    "{found:?} is not a share; expected a number from 0 to 100"
                ))
            })?;
            let named = script.and_then(|script| script.named(name));
            let meaning = match (names.get(name), named) {
                (Some(condition), _) => vec![(Meaning::Text(condition.clone()), true)],
                (None, Some(expression)) => vec![(Meaning::Named(expression), true)],
                (None, None) if name == OTHER => Vec::new(),
                (None, None) => {
                    let known = names.keys().map(String::as_str);
                    let known = known.chain(script.into_iter().flat_map(Script::names));
                    let known: Vec<&str> = known.take(12).collect();
                    let known = if known.is_empty() {
                        "give its condition with `name`".to_owned()
                    } else {
                        format!("known are {}", known.join(", "))
                    };
                    return Err(wrong(format!("{:?} is not a name; {known}", quote(name))));
                }
            };
            if parts.iter().any(|part| part.name == name) {
                return Err(wrong(format!("{:?} is named twice", quote(name))));
            }
            if parts.len() == MOST {
                return Err(wrong(format!("more than {MOST} types")));
            }
            parts.push(MixPart {
                name: name.to_owned(),
                share,
                meanings: meaning,
            });
            column += piece.chars().count() + 1;
        }
        let all: u64 = parts.iter().map(|part| part.share).sum();
        if all != 10_000 {
            let all = all as f64 / 100.0;
            let problem = format_args!("the shares are {all} % together; expected 100 %");
            return Err(Refusal::option("mix", problem));
        }
        let others: Vec<(Meaning, bool)> = parts
            .iter()
            .flat_map(|part| {
                part.meanings
                    .iter()
                    .map(|(meaning, _)| (meaning.clone(), false))
            })
            .collect();
        for part in parts.iter_mut().filter(|part| part.meanings.is_empty()) {
            part.meanings.clone_from(&others);
        }
        Ok(Mix { parts })
    }

    /// Returns the type of each of `count` deals. Each type gets its share, with the largest
    /// remainders rounded up; the order depends on the seed.
    pub(super) fn spread(&self, count: u32, seed: u64) -> Vec<usize> {
        let exact = |part: &MixPart| u64::from(count) * part.share;
        let mut counts: Vec<u64> = self.parts.iter().map(|part| exact(part) / 10_000).collect();
        let mut by_rest: Vec<usize> = (0..self.parts.len()).collect();
        by_rest.sort_by_key(|&at| std::cmp::Reverse(exact(&self.parts[at]) % 10_000));
        let left = u64::from(count) - counts.iter().sum::<u64>();
        for &at in by_rest.iter().take(left as usize) {
            counts[at] += 1;
        }
        let types = counts.iter().enumerate();
        let each = types.flat_map(|(at, &count)| std::iter::repeat_n(at, count as usize));
        let mut each: Vec<usize> = each.collect();
        Rng::with_seed(seed).shuffle(&mut each);
        each
    }
}

/// A number from 0 to 100 with at most two decimals, times 100.
fn hundredths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 3 || part.len() > 2 || !digits(whole) || !digits(part) {
        return None;
    }
    let number = format!("{whole}{part:0<2}").parse().ok()?;
    (number <= 10_000).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_remainders_are_rounded_up() {
        let names = |names: &[&str]| -> BTreeMap<String, String> {
            let named = |name: &&str| ((*name).to_owned(), "N.S>=5".to_owned());
            names.iter().map(named).collect()
        };
        let names = names(&["weak two", "strong"]);
        let read = |text: &str| Mix::read(text, &names, None, &mut Budget::default());
        let mix = read("35 % weak two, 60.5 % strong,4.5% other").expect("a mix");
        let count = |count: u32| {
            let each = mix.spread(count, 1);
            [0, 1, 2].map(|at| each.iter().filter(|&&kind| kind == at).count())
        };
        assert_eq!(count(100), [35, 61, 4]);
        assert_eq!(count(1000), [350, 605, 45]);
        assert_eq!(count(1), [0, 1, 0]);
        assert_ne!(mix.spread(100, 1), mix.spread(100, 2));
        assert_eq!(mix.parts[2].meanings.len(), 2);
        for (text, error) in [
            (
                "35 % weak two",
                "the shares are 35 % together; expected 100 %",
            ),
            (
                "35 strong",
                "column 1: expected a share and a name, as 35 % strong",
            ),
            (
                "35 % strong, x % other",
                "column 14: \"x\" is not a share; expected a number from 0 to 100",
            ),
            (
                "100 % strange",
                "column 1: \"strange\" is not a name; known are strong, weak two",
            ),
            (
                "50 % strong,50 % strong",
                "column 13: \"strong\" is named twice",
            ),
        ] {
            let refusal = read(text).expect_err("wrong").to_string();
            assert_eq!(refusal, format!("mix: {error}"));
        }
    }
}
