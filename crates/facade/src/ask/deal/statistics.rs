//! The averages and frequencies of a script.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::Serialize;
use setrograde_beliefs::{Buckets, Expression, ReportPart, Script, ScriptAction, joined};
use setrograde_cards::{Deal, Seat, Suit};

use crate::words::grouped;

/// An average, or numbers of deals by the values of one or two expressions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statistic {
    /// The text of the script before it.
    pub label: String,
    /// The number of deals counted.
    pub deals: u64,
    /// The average; of a frequency there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f64>,
    /// The standard error of the average; of fewer than two deals there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The values that occurred, in order, with the numbers of deals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<ValueCount>,
}

/// A value, or a pair of values, and how often it occurred.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueCount {
    /// The values; `low` and `high` for all below and above the script's range.
    pub values: Vec<CountedValue>,
    /// The number of deals.
    pub deals: u64,
}

/// A value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CountedValue {
    /// Below the range.
    Low,
    /// Above the range.
    High,
    /// In the range.
    #[serde(untagged)]
    Value(i64),
}

impl Display for CountedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountedValue::Low => f.pad("low"),
            CountedValue::Value(value) => f.pad(&value.to_string()),
            CountedValue::High => f.pad("high"),
        }
    }
}

/// The expressions that a script counts, in the order of its actions.
pub(super) fn counted(script: &Script) -> Vec<Expression> {
    let of_action = |action: &ScriptAction| match action {
        ScriptAction::Average { of, .. } => vec![*of],
        ScriptAction::Frequency { of, .. } => of.iter().map(|buckets| buckets.of).collect(),
        ScriptAction::Report(parts) => {
            let values = parts.iter().filter_map(|part| match part {
                ReportPart::Value(of) => Some(*of),
                _ => None,
            });
            values.collect()
        }
        _ => Vec::new(),
    };
    script.actions.iter().flat_map(of_action).collect()
}

/// The sums of what a script counts.
pub(super) struct ScriptTally<'a> {
    actions: &'a [ScriptAction],
    deals: u64,
    sums: Vec<ValueSum>,
    /// For each action the numbers of deals, by values, which are one beyond the range if they are
    /// outside it.
    counts: Vec<BTreeMap<Vec<i64>, u64>>,
}

/// The sum of values, and what their deviation needs.
#[derive(Clone, Copy, Default)]
struct ValueSum {
    sum: i128,
    mean: f64,
    /// The sum of the squares of the distances from the mean.
    squares: f64,
}

impl ValueSum {
    /// Adds the value of the deal with this number, from 1.
    fn add(&mut self, value: i64, number: u64) {
        self.sum += i128::from(value);
        let distance = value as f64 - self.mean;
        self.mean += distance / number as f64;
        self.squares += distance * (value as f64 - self.mean);
    }

    fn average(self, deals: u64) -> Option<f64> {
        (deals > 0).then(|| self.sum as f64 / deals as f64)
    }

    fn error(self, deals: u64) -> Option<f64> {
        let squares = deals as f64 * deals.saturating_sub(1) as f64;
        (deals > 1).then(|| (self.squares / squares).sqrt())
    }
}

impl ScriptTally<'_> {
    pub(super) fn new(script: Option<&Script>) -> ScriptTally<'_> {
        let actions = script.map_or(&[][..], |script| &script.actions);
        ScriptTally {
            actions,
            deals: 0,
            sums: vec![ValueSum::default(); actions.len()],
            counts: vec![BTreeMap::new(); actions.len()],
        }
    }

    /// Adds the values of a deal that fits, and returns what the script prints for it.
    pub(super) fn add(&mut self, deal: &Deal, values: &[i64]) -> String {
        let mut values = values.iter();
        let mut report = String::new();
        self.deals += 1;
        for (at, action) in self.actions.iter().enumerate() {
            match action {
                ScriptAction::Average { .. } => {
                    let value = values.next().copied().unwrap_or(0);
                    self.sums[at].add(value, self.deals);
                }
                ScriptAction::Frequency { of, .. } => {
                    let value = |(buckets, &value): (&Buckets, &i64)| match buckets {
                        of if value < of.least => of.least - 1,
                        of if value > of.most => of.most + 1,
                        of => value - (value - of.least) % of.size,
                    };
                    let key = of.iter().zip(values.by_ref().take(of.len())).map(value);
                    *self.counts[at].entry(key.collect()).or_default() += 1;
                }
                ScriptAction::Report(parts) => {
                    for part in parts {
                        report += &match part {
                            ReportPart::Text(text) => text.clone(),
                            ReportPart::Value(_) => values.next().copied().unwrap_or(0).to_string(),
                            ReportPart::Number => self.deals.to_string(),
                            ReportPart::Hands(seats) => hands(deal, seats),
                            ReportPart::Predeal(seats) => predeal(deal, seats),
                            _ => String::new(),
                        };
                    }
                }
                _ => {}
            }
        }
        report
    }

    pub(super) fn statistics(self) -> Vec<Statistic> {
        let deals = self.deals;
        let both = self.sums.into_iter().zip(self.counts);
        let all = self.actions.iter().zip(both);
        all.filter_map(|(action, (sum, counts))| match action {
            ScriptAction::Average { label, .. } => Some(Statistic {
                label: label.clone(),
                deals,
                average: sum.average(deals),
                error: sum.error(deals),
                counts: Vec::new(),
            }),
            ScriptAction::Frequency { label, of } => Some(Statistic {
                label: label.clone(),
                deals,
                average: None,
                error: None,
                counts: counts
                    .into_iter()
                    .map(|(values, deals)| ValueCount {
                        values: of.iter().zip(values).map(in_range).collect(),
                        deals,
                    })
                    .collect(),
            }),
            _ => None,
        })
        .collect()
    }
}

/// A value, which is outside its range if it is one beyond it.
const fn in_range((buckets, value): (&Buckets, i64)) -> CountedValue {
    match value {
        _ if value < buckets.least => CountedValue::Low,
        _ if value > buckets.most => CountedValue::High,
        _ => CountedValue::Value(value),
    }
}

/// Hands of a deal, as `n AK3.QJ4.KQ98.765 s ...`.
fn hands(deal: &Deal, seats: &[Seat]) -> String {
    let hand = |&seat: &Seat| {
        let letter = seat.letter().to_ascii_lowercase();
        format!("{letter} {}", deal.hand(seat))
    };
    joined(seats.iter().map(hand), " ")
}

/// Hands of a deal, as `-N SAK3,HQJ4,DKQ98,C765 -S ...`.
fn predeal(deal: &Deal, seats: &[Seat]) -> String {
    let hand = |&seat: &Seat| {
        let suits = Suit::ALL.into_iter().filter_map(|suit| {
            let held = deal.hand(seat).holding(suit);
            (!held.is_empty()).then(|| format!("{}{held}", suit.letter()))
        });
        format!("-{} {}", seat.letter(), joined(suits, ","))
    };
    joined(seats.iter().map(hand), " ")
}

/// A line, or a line for each value.
impl Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistic { label, deals, .. } = self;
        if let Some(average) = self.average {
            let label = if label.is_empty() { "average" } else { label };
            write!(f, "{label}: {average:.4}")?;
            if let Some(error) = self.error {
                write!(f, " ± {error:.4}")?;
            }
            return writeln!(f, " ({} deals)", grouped(*deals));
        }
        if !label.is_empty() {
            writeln!(f, "{label}:")?;
        }
        for ValueCount { values, deals } in &self.counts {
            for value in values {
                write!(f, "{value:>8}")?;
            }
            let share = 100.0 * *deals as f64 / self.deals.max(1) as f64;
            writeln!(f, " {deals:>9} {share:>6.2} %")?;
        }
        Ok(())
    }
}
