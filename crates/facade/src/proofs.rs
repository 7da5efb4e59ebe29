//! Checks of proofs: of plans that make tricks, and of layouts that refute them.

use serde::de::Error;
use serde_json::Value;
use setrograde_claim::{Core, Knowledge, Plan, check_core, check_plan, tricks};

use crate::ask::Conditions;
use crate::json::VERSION;
use crate::refusal::Refusal;
use crate::words::layouts;

/// The knowledge of a claimer, against which proofs are checked.
#[derive(Debug)]
pub struct ProofCheck(Knowledge);

impl ProofCheck {
    /// Reads a question, with conditions beside it.
    ///
    /// # Errors
    ///
    /// If one of them is invalid, or the question does not hide two hands.
    pub fn new(question: &str, conditions: &Conditions) -> Result<ProofCheck, Refusal> {
        conditions.check().map_err(Refusal::into_request)?;
        Ok(ProofCheck(conditions.knowledge(None, &question.parse()?)?))
    }

    /// Checks a plan or layouts, an object of JSON. Returns what it proves, or else what is wrong.
    ///
    /// # Errors
    ///
    /// If the text is no such object, or one of another version.
    pub fn check(&self, proof: &str) -> Result<Result<String, String>, serde_json::Error> {
        let ProofCheck(knowledge) = self;
        let value: Value = serde_json::from_str(proof)?;
        if let Some(version) = value.get("version").filter(|&version| *version != VERSION) {
            return Err(Error::custom(format_args!(
                "it has version {version}, and this program reads version {VERSION}"
            )));
        }
        Ok(if value.get("steps").is_none() {
            let core: Core = serde_json::from_str(proof)?;
            match check_core(knowledge, &core) {
                Ok(()) => Ok(format!(
                    "no plan takes {} in all layouts",
                    tricks(core.tricks)
                )),
                Err(error) => Err(error.to_string()),
            }
        } else {
            let plan: Plan = serde_json::from_str(proof)?;
            let among = plan.among.as_ref();
            let all = among.map_or("all layouts".to_owned(), |among| {
                layouts(among.len() as u128)
            });
            match check_plan(knowledge, &plan) {
                Ok(()) => Ok(format!("the plan takes {} in {all}", tricks(plan.tricks))),
                Err(error) => Err(error.to_string()),
            }
        })
    }
}
