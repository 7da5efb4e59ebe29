//! The averages and frequencies of a script.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::Serialize;
use setrograde_beliefs::{Expression, Script, ScriptAction};

/// An average, or numbers of deals by the values of one or two expressions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statistic {
    /// The text of the script before it.
    pub label: String,
    /// The average; of a frequency there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f64>,
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
        ScriptAction::Frequency { of, .. } => of.iter().map(|&(of, ..)| of).collect(),
        _ => Vec::new(),
    };
    script.actions.iter().flat_map(of_action).collect()
}

/// The sums of what a script counts.
pub(super) struct ScriptTally<'a> {
    actions: &'a [ScriptAction],
    deals: u64,
    sums: Vec<i128>,
    /// For each action the numbers of deals, by values, which are one beyond the range if they are
    /// outside it.
    counts: Vec<BTreeMap<Vec<i64>, u64>>,
}

impl ScriptTally<'_> {
    pub(super) fn new(script: Option<&Script>) -> ScriptTally<'_> {
        let actions = script.map_or(&[][..], |script| &script.actions);
        ScriptTally {
            actions,
            deals: 0,
            sums: vec![0; actions.len()],
            counts: vec![BTreeMap::new(); actions.len()],
        }
    }

    /// Adds the values of a deal; `values` is empty if the deal does not fit.
    pub(super) fn add(&mut self, values: &[i64]) {
        let mut values = values.iter();
        if values.len() == 0 {
            return;
        }
        self.deals += 1;
        for (at, action) in self.actions.iter().enumerate() {
            match action {
                ScriptAction::Average { .. } => {
                    self.sums[at] += values.next().copied().map_or(0, i128::from);
                }
                ScriptAction::Frequency { of, .. } => {
                    let value = |(&(_, least, most), &value): (&(_, i64, i64), &i64)| {
                        value.clamp(least - 1, most + 1)
                    };
                    let key = of.iter().zip(values.by_ref().take(of.len())).map(value);
                    *self.counts[at].entry(key.collect()).or_default() += 1;
                }
                _ => {}
            }
        }
    }

    pub(super) fn statistics(self) -> Vec<Statistic> {
        let deals = self.deals;
        let both = self.sums.into_iter().zip(self.counts);
        let all = self.actions.iter().zip(both);
        all.filter_map(|(action, (sum, counts))| match action {
            ScriptAction::Average { label, .. } => Some(Statistic {
                label: label.clone(),
                average: (deals > 0).then(|| sum as f64 / deals as f64),
                counts: Vec::new(),
            }),
            ScriptAction::Frequency { label, of } => Some(Statistic {
                label: label.clone(),
                average: None,
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
const fn in_range((&(_, least, most), value): (&(Expression, i64, i64), i64)) -> CountedValue {
    match value {
        _ if value < least => CountedValue::Low,
        _ if value > most => CountedValue::High,
        _ => CountedValue::Value(value),
    }
}

/// A line, or a line for each value.
impl Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = if self.label.is_empty() {
            "average"
        } else {
            &self.label
        };
        if let Some(average) = self.average {
            return writeln!(f, "{label}: {average:.4}");
        }
        writeln!(f, "{label}:")?;
        let all: u64 = self.counts.iter().map(|count| count.deals).sum();
        for ValueCount { values, deals } in &self.counts {
            for value in values {
                write!(f, "{value:>8}")?;
            }
            let share = 100.0 * *deals as f64 / all.max(1) as f64;
            writeln!(f, " {deals:>9} {share:>6.2} %")?;
        }
        Ok(())
    }
}
