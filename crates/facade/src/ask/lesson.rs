//! The questions that a teacher asks.

use serde::{Deserialize, Serialize};
use setrograde_cards::Deal;
use setrograde_single_dummy::Sampling;

use super::options::with_drawing;
use crate::{Ask, Board, Desk, Example, Refusal};

with_drawing! {
/// A teacher's questions about a deal: the sure tricks, the best line's chance, where double dummy
/// misleads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// Maximum number of search nodes for each question about sure tricks; beyond it, the answer
    /// has bounds.
    #[serde(default = "limit")]
    pub limit: u64,
}
draw: "The number of layouts to draw; 50 unless set, or as many as `until` takes."
}

const fn limit() -> u64 {
    5_000
}

impl Lesson {
    pub(crate) fn sampling(&self, threads: usize) -> Sampling {
        self.drawing().sampling(50, threads, false)
    }
}

impl Ask for Lesson {
    const NAME: &'static str = "lesson";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876", "draw": 1}"#,
        command: "lesson --draw 1",
    };
    type Subject = Deal;
    type Answer = crate::LessonAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.drawing().check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        deal: &Deal,
        board: Option<&Board>,
    ) -> Result<crate::LessonAnswer, Refusal> {
        desk.check_drawn(self.draw)?;
        desk.lessons(self).lesson(deal, board)
    }
}
