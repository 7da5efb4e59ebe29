//! What is kept, shown and logged while a tournament is played.

use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use setrograde_games::Game;
use setrograde_play::tournament::{Decisions, Event, Log};

use super::chart::Curve;
use super::log_file::LogFile;
use crate::interrupt;
use crate::output::say;

/// A tournament under way.
pub struct Course<'a> {
    pub bar: ProgressBar,
    pairs: &'a [(usize, usize)],
    log: &'a Log,
    file: LogFile,
    /// By player: as declarers, and otherwise.
    decisions: Vec<[Decisions; 2]>,
    /// By pair.
    curves: Vec<Curve>,
    /// Why the log cannot be written.
    failed: Option<anyhow::Error>,
}

impl<'a> Course<'a> {
    pub fn new(
        boards: u32,
        names: &[String],
        pairs: &'a [(usize, usize)],
        (log, file): (&'a Log, LogFile),
    ) -> Course<'a> {
        Course {
            bar: bar(boards),
            pairs,
            log,
            file,
            decisions: vec![[Decisions::default(); 2]; names.len()],
            curves: pairs
                .iter()
                .map(|&(a, b)| Curve::new(format!("{} v {}", names[a], names[b])))
                .collect(),
            failed: None,
        }
    }

    /// Takes in a board: one that cannot be logged interrupts the tournament.
    pub fn take<G: Game>(&mut self, event: &Event<G>) {
        for (sum, of_board) in self.decisions.iter_mut().zip(&event.decisions) {
            for (sum, of_board) in sum.iter_mut().zip(of_board) {
                sum.add(of_board);
            }
        }
        let pairs = self.pairs.iter().copied();
        for (((first, second), (tables, result)), curve) in
            pairs.zip(&event.pairs).zip(&mut self.curves)
        {
            curve.add(result);
            for (table, sides) in [[first, second], [second, first]].into_iter().enumerate() {
                let text = self.log.record(&event.board, table, sides, &tables[table]);
                if let Err(error) = self.file.write(&text, event.from_log) {
                    self.failed.get_or_insert(error);
                    interrupt::flag().store(true, Ordering::Relaxed);
                }
                if let Some(forfeit) = &tables[table].forfeit {
                    let (board, seat) = (event.board.number, forfeit.seat.name());
                    let problem = &forfeit.problem;
                    self.bar.suspend(|| {
                        say(format_args!("board {board}: {seat} forfeits: {problem}"));
                    });
                }
            }
        }
        self.bar.set_position(event.board.number.into());
        if let Some(curve) = self.curves.first() {
            self.bar.set_message(curve.summary());
        }
    }

    /// Makes sure that the log is on disk; returns each player's decisions and
    /// each pair's gains.
    pub fn finish(self) -> anyhow::Result<(Vec<[Decisions; 2]>, Vec<Curve>)> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.file.finish()?;
        Ok((self.decisions, self.curves))
    }
}

fn bar(boards: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(boards.into()), ProgressDrawTarget::stderr());
    let template = "[{bar:30}] {pos}/{len} boards, {eta} left, {msg}";
    // The template is a constant; were it wrong, the default would show.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
