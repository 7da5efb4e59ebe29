//! What was found about a question, as text and as JSON.

use serde_json::{Map, Value, json};
use setrograde_claim::{Assumption, CardSure, Knowledge, ordered};

/// What was found about one question.
#[derive(Default)]
pub struct Answer {
    /// How many tricks were asked for; `None` if it was how many are sure.
    pub target: Option<u8>,
    /// How many tricks are sure; `None` if that is unknown or was not asked.
    pub sure: Option<u8>,
    /// Whether the tricks that were asked for are sure; `None` if unknown.
    pub verdict: Option<bool>,
    pub cards: Option<Vec<CardSure>>,
    pub assumptions: Option<Vec<Assumption>>,
}

impl Answer {
    /// How many tricks a fixed order wins.
    pub fn by_order(knowledge: &Knowledge, target: Option<u8>) -> Answer {
        let order = ordered(knowledge);
        Answer {
            target,
            sure: Some(order.len() as u8),
            verdict: Some(target.is_none_or(|target| order.len() >= usize::from(target))),
            ..Answer::default()
        }
    }

    /// The verdict as a word.
    fn word(&self) -> &'static str {
        match self.verdict {
            Some(true) => "sure",
            Some(false) => "not sure",
            None => "unknown",
        }
    }

    /// The answer to the question `text`, a line or more.
    pub fn text(&self, text: &str) -> String {
        let mut shown = match (&self.cards, self.sure) {
            (Some(cards), _) => {
                let cards = cards.iter().map(|of| format!("{}={}", of.card, of.sure));
                cards.collect::<Vec<_>>().join(" ")
            }
            (None, Some(sure)) if self.target.is_none() => sure.to_string(),
            (None, _) => self.word().to_owned(),
        };
        for of in self.assumptions.iter().flatten() {
            let (condition, share) = (&of.condition, 100.0 * of.share());
            let (layouts, all) = (of.layouts, of.of);
            shown += &format!("\n  {condition}\t{layouts}/{all}\t{share:.2} %");
        }
        format!("{text}\t{shown}")
    }

    /// The assumptions, a sentence each.
    pub fn assumptions_in_words(&self) -> String {
        let assumptions = self.assumptions.iter().flatten();
        let sentences = assumptions.map(|of| {
            let (condition, share) = (&of.condition, 100.0 * of.share());
            let (layouts, all) = (of.layouts, of.of);
            format!("Sure with {condition}: {layouts} of {all} layouts, {share:.2} %.\n")
        });
        sentences.collect()
    }

    /// The answer to the question `text`, as an object.
    pub fn json(&self, text: &str, knowledge: &Knowledge) -> Value {
        let cards = self.cards.iter().flatten();
        let cards: Map<String, Value> = cards
            .map(|of| (of.card.to_string(), json!(of.sure)))
            .collect();
        let mut object = json!({
            "question": text,
            "claimer": knowledge.claimer().to_string(),
            "tricks_left": knowledge.tricks_left(),
            "sure": self.sure,
            "claimed": self.target.or(self.sure),
            "verdict": self.word(),
            "cards": cards,
        });
        if let Some(assumptions) = &self.assumptions {
            object["assume"] = assumptions.iter().map(assumption_json).collect();
        }
        object
    }
}

fn assumption_json(of: &Assumption) -> Value {
    json!({
        "condition": of.condition.to_string(),
        "layouts": of.layouts,
        "of": of.of,
        "share": of.share(),
    })
}
