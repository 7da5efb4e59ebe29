//! Double-dummy tricks over the layouts of hidden hands.

use serde::{Deserialize, Serialize};
use setrograde_beliefs::Whist;
use setrograde_single_dummy::{Chances, MOST_VISITED};

use super::options::{Conditions, Rules, USUAL, with_drawing};
use crate::{Ask, Board, Desk, Example, HiddenHands, OddsAnswer, Refusal};

with_drawing! {
/// Double-dummy tricks over the layouts of hidden hands: counted exactly if the database is deep
/// enough or there are no more layouts than would be drawn, otherwise over drawn layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Odds {
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Rules of thumb about the played cards, which weight the layouts.
    #[serde(default)]
    pub rules: Rules,
    /// The odds of every card that may be played, too, for its own side.
    #[serde(default)]
    pub all: bool,
    /// The odds for every split of each suit, too.
    #[serde(default)]
    pub by_split: bool,
}
draw: "Draw this number of layouts, even if the database can count all; if there are no more, all are counted."
}

/// Number of layouts of a part of the answer, which take some tenth of a second to solve.
const fn part_of(tricks_left: usize) -> usize {
    match tricks_left {
        10.. => 8,
        7.. => 20,
        _ => 50,
    }
}

impl Ask for Odds {
    const NAME: &'static str = "odds";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9...", "all": true, "by_split": true}"#,
        command: "odds --all --by-split",
    };
    type Subject = HiddenHands;
    type Answer = OddsAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()?;
        self.drawing().check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        HiddenHands(question): &HiddenHands,
        _: Option<&Board>,
    ) -> Result<OddsAnswer, Refusal> {
        desk.check_drawn(self.draw)?;
        let strengths = self.rules.strengths::<Whist>();
        let (view, beliefs) = desk.seen(&self.conditions.of(question)?, &strengths)?;
        let answer = |found: Chances| match question.contract() {
            Some(contract) => OddsAnswer(found.of_contract(contract, &view)),
            None => OddsAnswer(found),
        };
        let each = self.all || !view.trick().is_empty();
        let many = each && beliefs.count_looked_at() > MOST_VISITED;
        let drawing = self.drawing();
        let sampling = drawing.sampling(USUAL, desk.threads(), self.all);
        let covers = sampling.covers(&beliefs);
        let counted = desk.database().filter(|database| {
            let drawn = drawing.is_wanted() && !covers;
            view.tricks_left() <= database.max_tricks() && !drawn && !many
        });
        if let Some(database) = counted {
            let parts = [self.all, self.by_split];
            let found = Chances::counted(&view, &beliefs, database, parts, desk.stop());
            return Ok(answer(found?));
        }
        if self.by_split && !covers {
            let problem = "is for layouts that are counted, not drawn";
            return Err(Refusal::is("by_split", problem));
        }
        let options = desk.layout_options();
        let every = if desk.has_parts() {
            part_of(view.tricks_left())
        } else {
            usize::MAX
        };
        let about = question.to_string();
        let mut solved = desk.solved_layouts(&about);
        let found = Chances::drawn(
            &view,
            &beliefs,
            sampling,
            self.by_split,
            &options,
            &mut solved,
            (every, &mut |found| desk.part(&answer(found))),
        );
        desk.keep_layouts(about, solved);
        Ok(answer(found?))
    }
}
