//! The argument `--if`: conditions on the hidden hands.

use clap::Args;
use setrograde_beliefs::{Condition, Question, QuestionError};
use setrograde_cards::Seat;
use setrograde_claim::Knowledge;

use crate::questions::refused;

/// Conditions that are given beside a question.
///
/// They are read late, so that a bad one is bad input like a bad question.
#[derive(Args)]
pub struct ConditionArgument {
    /// Conditions on the hidden hands of the deal, as E+HK, W.S=0-2, N.balanced or
    /// E.hcp=11-15, joined by `,` (and) and `|` (or); see `setrograde help conditions`.
    #[arg(long = "if", value_name = "COND")]
    conditions: Vec<String>,
}

impl ConditionArgument {
    /// The conditions.
    pub fn read(&self) -> anyhow::Result<Vec<Condition>> {
        let read = |text: &String| text.parse();
        let conditions: Result<_, QuestionError> = self.conditions.iter().map(read).collect();
        conditions.map_err(|error| refused(described(&error, true)))
    }

    /// The question with the conditions, which must have been [read](Self::read) once.
    pub fn ask<T: Clone>(&self, question: &Question<T>) -> Result<Question<T>, QuestionError> {
        let mut question = question.clone();
        for condition in &self.conditions {
            question = question.assuming(condition.parse()?);
        }
        Ok(question)
    }

    /// The knowledge of the only question of a command, which is a text.
    pub fn read_knowledge(&self, by: Option<Seat>, text: &str) -> anyhow::Result<Knowledge> {
        let question = text.parse::<Question>();
        let knowledge = question.and_then(|question| self.knowledge(by, &question));
        knowledge.map_err(|error| refused(described(&error, false)))
    }

    /// The knowledge of a question, asked by `by` if it does not say who asks.
    pub fn knowledge(
        &self,
        by: Option<Seat>,
        question: &Question,
    ) -> Result<Knowledge, QuestionError> {
        let question = self.ask(question)?;
        Knowledge::of(&match by {
            Some(seat) => question.asked_by(seat),
            None => question,
        })
    }
}

/// The error, with the option in which it is.
pub fn described(error: &QuestionError, in_option: bool) -> String {
    let (column, problem) = (error.column(), error.problem());
    match in_option || error.in_condition() {
        true => format!("--if: column {column}: {problem}"),
        false => format!("column {column}: {problem}"),
    }
}
