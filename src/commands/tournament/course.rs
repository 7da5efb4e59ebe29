//! A tournament under way: its log, its sums, and its progress bar.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use indicatif::ProgressBar;
use setrograde_beliefs::Game;
use setrograde_play::tournament::{Decisions, Event, Forfeit, Log, Standing};

use super::log_file::LogFile;
use crate::interrupt;
use crate::output::progress::simple_bar;
use crate::output::say;

/// A tournament under way.
pub struct TournamentRun<'a> {
    pub bar: ProgressBar,
    log: &'a Log,
    file: Option<LogFile>,
    /// By player: the decisions as declarer, and the others.
    decisions: Vec<[Decisions; 2]>,
    /// The first two players, whose gain so far the bar shows.
    first: String,
    /// The failure that ended it.
    failed: Option<anyhow::Error>,
}

impl<'a> TournamentRun<'a> {
    pub fn new(
        boards: u32,
        names: &[String],
        log: &'a Log,
        file: Option<LogFile>,
    ) -> TournamentRun<'a> {
        TournamentRun {
            bar: simple_bar(
                "[{wide_bar}] {pos}/{len} boards, {eta} left, {msg}",
                Some(boards.into()),
            ),
            log,
            file,
            decisions: vec![[Decisions::default(); 2]; names.len()],
            first: format!("{} v {}", names[0], names[1]),
            failed: None,
        }
    }

    /// Adds a board; if it cannot be logged, the tournament ends.
    pub fn take<G: Game>(&mut self, event: &Event<G>, standings: &[Standing]) -> ControlFlow<()> {
        for (sum, of_board) in self.decisions.iter_mut().zip(&event.decisions) {
            for (sum, of_board) in sum.iter_mut().zip(of_board) {
                sum.add(of_board);
            }
        }
        if let Err(error) = self.write(event) {
            self.failed = Some(error);
            interrupt::flag().store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        let tables = event.pairs.iter().flat_map(|(tables, _)| tables);
        for Forfeit { seat, problem } in tables.filter_map(|table| table.forfeit.as_ref()) {
            let (board, seat) = (event.board.number, seat.name());
            self.bar
                .suspend(|| say(format_args!("board {board}: {seat} forfeits: {problem}")));
        }
        self.bar.set_position(event.board.number.into());
        if let Some(standing) = standings.first() {
            let (mean, half) = (standing.mean(), standing.half_width());
            self.bar
                .set_message(format!("{}: {mean:+.2} ± {half:.2}", self.first));
        }
        ControlFlow::Continue(())
    }

    fn write<G: Game>(&mut self, event: &Event<G>) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            for text in self.log.lines(event) {
                if event.from_log {
                    file.confirm(&text)?;
                } else {
                    file.write(&text)?;
                }
            }
        }
        Ok(())
    }

    /// Makes sure that the log is on disk; returns each player's decisions.
    pub fn finish(self) -> anyhow::Result<Vec<[Decisions; 2]>> {
        if let Some(error) = self.failed {
            // This stopped the players, not the user.
            interrupt::flag().store(false, Ordering::Relaxed);
            return Err(error);
        }
        if let Some(file) = self.file {
            file.finish()?;
        }
        Ok(self.decisions)
    }
}
