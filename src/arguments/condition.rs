//! The argument `--if`: conditions on the hidden hands.

use clap::Args;
use setrograde::ResultCondition;
use setrograde::ask::Conditions;
use setrograde_beliefs::Condition;

use crate::questions::{refused, refused_request};

/// `--where`: conditions on double-dummy results.
#[derive(Args)]
pub struct ResultArgument {
    /// Conditions on the double-dummy results, such as tricks(S,NT)>=9, makes(4SN) or
    /// unique(lead,3NTS), joined like those of --if; see `setrograde help conditions`.
    #[arg(long = "where", value_name = "COND")]
    results: Vec<String>,
}

impl ResultArgument {
    /// The texts.
    pub fn texts(&self) -> Conditions {
        Conditions(self.results.clone())
    }

    /// The conditions.
    pub fn read(&self) -> anyhow::Result<Vec<ResultCondition>> {
        self.texts().read_results().map_err(refused)
    }
}

/// Conditions that are given beside a question.
///
/// They are read late, so a bad one is bad input like a bad question.
#[derive(Args)]
pub struct ConditionArgument {
    /// Conditions on the hidden hands of the deal, such as E+HK, W.S=0-2, N.balanced or
    /// E.hcp=11-15, joined by `,` (and) and `|` (or); see `setrograde help conditions`.
    #[arg(long = "if", value_name = "COND")]
    conditions: Vec<String>,
}

impl ConditionArgument {
    /// The texts.
    pub fn texts(&self) -> Conditions {
        Conditions(self.conditions.clone())
    }

    /// Checks the conditions, before a question is read.
    pub fn check(&self) -> anyhow::Result<()> {
        let checked = self.texts().check();
        checked.map_err(refused_request)
    }

    /// The conditions.
    pub fn read(&self) -> anyhow::Result<Vec<Condition>> {
        self.check()?;
        let read = |text: &String| text.parse().expect("it was checked");
        Ok(self.conditions.iter().map(read).collect())
    }
}
