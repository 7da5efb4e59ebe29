//! The time of `single_dummy` on random endings: both hands of the leader's side
//! seen, a random target that is neither sure nor hopeless double dummy. Every card
//! that may be led gets its exact number of layouts.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin best_defence -- TRICKS ENDINGS [DB]
//!
//! Times are CPU times; an ending is given up after ten seconds. The sure layouts are compared with
//! the layouts won double dummy, which cannot be fewer.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Layout, Question, Strengths, View, Whist};
use setrograde_cards::Seat;
use setrograde_experiments::open_cards::OpenCards;
use setrograde_lookup::Database;
use setrograde_single_dummy::{Options, SearchError, single_dummy};

const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (tricks, endings): (usize, usize) = match &arguments[..] {
        [tricks, endings] | [tricks, endings, _] => (tricks.parse()?, endings.parse()?),
        _ => return Err("expected TRICKS ENDINGS [DB], as 5 100".into()),
    };
    let database = arguments.get(2).map(Database::open).transpose()?;
    let mut rng = Rng::with_seed(5);
    let mut times = Times::default();
    let mut asked = 0;
    while asked < endings {
        let (view, target, text) = random_ending(&mut rng, tricks)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let layouts: Vec<Layout> = beliefs.layouts().collect();
        let mut open = OpenCards::new(&view, target, database.as_ref());
        let states = layouts.iter().map(|layout| view.state(layout));
        let won: Result<Vec<bool>, SearchError> = states
            .enumerate()
            .map(|(at, state)| open.reaches(at, &state))
            .collect();
        let won = won?.iter().filter(|won| **won).count();
        if won == 0 || won == layouts.len() {
            continue;
        }
        asked += 1;
        let sure = times.search(&view, &beliefs, target, database.as_ref())?;
        if sure.is_none() {
            println!("given up: {text}, target {target}");
        }
        if sure.is_some_and(|sure| sure > won) {
            return Err(format!("{sure:?} sure, {won} won: {view:?}").into());
        }
    }
    println!("{tricks} tricks, {endings} endings, given up after {PATIENCE:?}:");
    times.print();
    Ok(())
}

#[derive(Default)]
struct Times {
    finished: Vec<Duration>,
    given_up: u32,
}

impl Times {
    /// Returns the number of layouts that are sure; `None` if the search was given up.
    fn search(
        &mut self,
        view: &View<Whist>,
        beliefs: &Beliefs,
        target: u8,
        database: Option<&Database>,
    ) -> Result<Option<usize>, SearchError> {
        let cancel = Arc::new(AtomicBool::new(false));
        let options = Options {
            database,
            most_visits: u64::MAX,
            plan: false,
            stop: Arc::clone(&cancel).into(),
        };
        // The timer ends when its sender is dropped, at the end of the search.
        let (_sender, timer) = mpsc::channel::<()>();
        thread::spawn(move || {
            if timer.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let start = ThreadTime::now();
        match single_dummy(view, beliefs, target, &options) {
            Ok(found) => {
                self.finished.push(start.elapsed());
                Ok(Some(found.sure()))
            }
            Err(SearchError::Cancelled) => {
                self.given_up += 1;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn print(mut self) {
        self.finished.sort();
        let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
        let count = self.finished.len();
        let sum: f64 = self.finished.iter().map(milliseconds).sum();
        println!(
            "  {count} finished, {} given up; mean {:.2} ms, median {:.2} ms, most {:.2} ms",
            self.given_up,
            sum / count.max(1) as f64,
            self.finished.get(count / 2).map_or(0.0, milliseconds),
            self.finished.last().map_or(0.0, milliseconds),
        );
    }
}

/// Random hands, North's and South's seen, and a target.
fn random_ending(
    rng: &mut Rng,
    tricks: usize,
) -> Result<(View<Whist>, u8, String), Box<dyn Error>> {
    let leader = [Seat::North, Seat::South][rng.usize(0..2)];
    let text = Question::random_text(rng, tricks, leader, &[Seat::East, Seat::West]);
    let view = View::of_bridge(&text.parse()?)?;
    Ok((view, rng.u8(1..=tricks as u8), text))
}
