//! The judgement of claims at the table, and of the whole play in the end.

use std::io::{self, Write};
use std::sync::Arc;

use setrograde::ask::of_left;
use setrograde::{QuestionKind, Review, compass_of, render};
use setrograde_beliefs::{Game, Question, Tally, View};
use setrograde_cards::{Deal, Position, Seat};
use setrograde_claim::{
    ClaimError, Claims, Knowledge, SoFar, Verdict, core_in_words, in_words, tricks,
};
use setrograde_records::Board;
use setrograde_solver::{Endgames, Solver};

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
        let Some(strain) = self.table.game().strain() else {
            return Ok(());
        };
        let leader = self.table.game().first_leader();
        let start = Position::new(strain, leader, Deal::new(*dealt)?, &[])?;
        let mut solver = Solver::new(setrograde_solver::Options {
            endgames: self
                .roster
                .database
                .clone()
                .map(|all| all as Arc<dyn Endgames>),
            stop: interrupt::stop(),
            ..Default::default()
        });
        let review = Review::new(&mut solver, &start, self.table.history())?;
        let declarer = self.contract.map(|contract| contract.side().index());
        let board = Board {
            contract: self.contract,
            result: declarer.map(|side| tally.tricks[side]),
            ..Board::default()
        };
        let review = review.of_board(&board);
        out.write_all(&render(&review, "", QuestionKind::Board))?;
        Ok(())
    }

    /// Judges a claim of `wanted` of the tricks left, or all, by the person to play. If it is good,
    /// the tricks at the end.
    pub fn claim(&mut self, view: &View<G>, wanted: Option<u8>) -> anyhow::Result<Option<Tally>> {
        let left = view.tricks_left() as u8;
        let claimed = wanted.unwrap_or(left);
        let Some(contract) = self.contract else {
            self.complain("claims are judged at bridge alone, where two hands are seen")?;
            return Ok(None);
        };
        if let Err(error) = of_left(claimed, left) {
            self.complain(error)?;
            return Ok(None);
        }
        let claimer = view.observer();
        let seen = |seat: Seat| view.hand(seat).is_some();
        if Seat::ALL.iter().filter(|&&seat| seen(seat)).count() < 2 {
            self.complain("a claim can be judged once dummy is seen")?;
            return Ok(None);
        }
        let deal = Deal::new(*self.table.dealt())?;
        let question = Question::of(contract.strain(), contract.leader(), deal.hands(), seen)
            .asked_by(claimer)
            .after(self.table.history());
        let knowledge = Knowledge::of(&question)?;
        let so_far = Arc::new(SoFar::default());
        let mut claims = Claims::new(setrograde_claim::Options {
            so_far: Some(Arc::clone(&so_far)),
            limit: Some(CLAIM_LIMIT),
            stop: interrupt::stop(),
            ..Default::default()
        });
        let mut out = io::stdout();
        match claims.decide(&knowledge, claimed)? {
            Verdict::Sure(plan) => {
                let words = in_words(&knowledge, &plan);
                writeln!(
                    out,
                    "The claim of {claimed} of {} is good.\n{words}",
                    tricks(left)
                )?;
                let mut tally = *self.table.state().tally();
                let party = self.table.game().party(claimer);
                for (party, won) in [(party, claimed), (1 - party, left - claimed)] {
                    tally.tricks[party] += won;
                    tally.points[party] += i16::from(won);
                }
                return Ok(Some(tally));
            }
            Verdict::Refuted(core) => {
                let why = core.map(|core| core_in_words(&knowledge, &core));
                let are = if claimed == 1 { "is" } else { "are" };
                writeln!(out, "{} {are} not sure; play on.", tricks(claimed))?;
                write!(out, "{}", why.unwrap_or_default())?;
            }
            Verdict::Unknown => {
                match claims.sure(&knowledge) {
                    Ok(_) | Err(ClaimError::LimitReached { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
                writeln!(
                    out,
                    "Too early to decide this claim ({so_far}); please play on."
                )?;
            }
        }
        Ok(None)
    }
}
