//! The judgement of claims at the table, and of the whole play in the end.

use std::io::{self, Write};

use setrograde::ask::{Analyse, of_left};
use setrograde::{Board, Desk, Play, QuestionKind, Subject, compass_of, render, tricks};
use setrograde_beliefs::{Game, Tally, View};
use setrograde_play::TableClaim;

use super::at::LiveTable;
use crate::interrupt;

/// The nodes that the judgement of a claim may take.
const CLAIM_LIMIT: u64 = 100_000;

impl<G: Game> LiveTable<G> {
    /// Shows all hands, the result, and the cards that cost something.
    pub fn review(&self, tally: &Tally) -> anyhow::Result<()> {
        let mut out = io::stdout();
        let dealt = self.table.dealt();
        writeln!(out, "\n{}", compass_of(dealt, None))?;
        for (party, name) in ["North and South", "East and West"].into_iter().enumerate() {
            let result = self.table.game().result(tally, party);
            let tricks = tricks(tally.tricks[party]);
            writeln!(out, "{name}: {tricks}, result {result}")?;
        }
        let game = self.table.game();
        let declarer = self
            .contract
            .map(|contract| contract.declarer.side().index());
        let board = Board {
            hands: dealt.map(Some),
            strain: game.strain(),
            leader: Some(game.first_leader()),
            play: self.table.history().to_vec(),
            contract: self.contract,
            result: declarer.map(|side| tally.tricks[side]),
            ..Board::default()
        };
        if let Some(play) = Play::board(&board)?.filter(|_| game.strain().is_some()) {
            let mut desk = Desk::new(self.roster.database.clone());
            desk.set_stop(interrupt::stop());
            let review = desk.answer(&Analyse {}, &play, Some(&board))?;
            out.write_all(&render(&review, "", QuestionKind::Board))?;
        }
        Ok(())
    }

    /// Judges a claim of `wanted` of the tricks left, or all, by the person to play. If it is good,
    /// the tricks at the end.
    pub fn claim(&mut self, view: &View<G>, wanted: Option<u8>) -> anyhow::Result<Option<Tally>> {
        let left = view.tricks_left() as u8;
        let claimed = wanted.unwrap_or(left);
        if self.contract.is_none() {
            self.complain("claims are judged at bridge alone, where two hands are seen")?;
            return Ok(None);
        }
        if let Err(error) = of_left(claimed, left) {
            self.complain(error)?;
            return Ok(None);
        }
        let mut out = io::stdout();
        match self.table.judge(claimed, CLAIM_LIMIT, interrupt::stop())? {
            None => self.complain("a claim can be judged once dummy is seen")?,
            Some(TableClaim::Sure(tally, why)) => {
                let all = tricks(left);
                writeln!(out, "The claim of {claimed} of {all} is good.\n{why}")?;
                return Ok(Some(tally));
            }
            Some(TableClaim::Refuted(why)) => {
                let are = if claimed == 1 { "is" } else { "are" };
                let tricks = tricks(claimed);
                write!(out, "{tricks} {are} not sure; play on.\n{why}")?;
            }
            Some(TableClaim::Unknown(so_far)) => {
                writeln!(
                    out,
                    "Too early to decide this claim ({so_far}); please play on."
                )?;
            }
        }
        Ok(None)
    }
}
