//! How long the exact best-defence search takes on random endings: both hands of
//! the leader's side seen, a random target that is neither sure nor hopeless
//! double dummy.
//!
//!     cargo run --release -p setrograde-experiments --bin best_defence -- TRICKS ENDINGS [DB]
//!
//! Times are CPU times; an ending is given up after ten seconds. What is found to
//! be sure is compared with the layouts won double dummy, which cannot be fewer.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_beliefs::{Layout, Limits};
use setrograde_cards::{Card, Hand, Seat, Strain};
use setrograde_claim::{Claims, Options};
use setrograde_lookup::Database;
use setrograde_play::alpha_mu::{AlphaMu, EXACT, Worlds};
use setrograde_play::clues::Strengths;
use setrograde_play::double_dummy::OpenCards;
use setrograde_play::games::Whist;
use setrograde_play::players::PlayerError;
use setrograde_play::{State, View};

const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (tricks, endings): (usize, usize) = match &arguments[..] {
        [tricks, endings] | [tricks, endings, _] => (tricks.parse()?, endings.parse()?),
        _ => return Err("expected TRICKS ENDINGS [DB], as 5 100".into()),
    };
    let database = arguments.get(2).map(Database::open).transpose()?;
    let mut rng = Rng::with_seed(5);
    let (mut without, mut with) = (Times::default(), Times::default());
    let mut asked = 0;
    while asked < endings {
        let (view, target) = random_ending(&mut rng, tricks)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let layouts: Vec<Layout> = beliefs.layouts().collect();
        if layouts.len() > Worlds::MOST {
            return Err(format!(
                "{} layouts; at most {} can be searched",
                layouts.len(),
                Worlds::MOST
            )
            .into());
        }
        let mut open = OpenCards::new(&view, target, database.as_ref(), None).ok_or("no strain")?;
        let states = layouts.iter().map(|layout| view.state(layout));
        let won: Result<Vec<bool>, PlayerError> = states
            .enumerate()
            .map(|(at, state)| open.reaches(at, &state))
            .collect();
        let won = won?.iter().filter(|won| **won).count();
        if won == 0 || won == layouts.len() {
            continue;
        }
        asked += 1;
        for (times, claims) in [
            (&mut without, None),
            (&mut with, Some(Claims::new(OPTIONS))),
        ] {
            let mut open =
                OpenCards::new(&view, target, database.as_ref(), None).ok_or("no strain")?;
            let sure = times.search(&view, target, &layouts, &mut open, claims)?;
            if sure.is_some_and(|sure| sure > won as f64) {
                return Err(format!("{sure:?} sure, {won} won: {view:?}").into());
            }
        }
    }
    println!("{tricks} tricks, {endings} endings, given up after {PATIENCE:?}:");
    without.print("without claims");
    with.print("with claims");
    Ok(())
}

const OPTIONS: Options = Options {
    memory: 16 << 20,
    endgames: None,
    limit: None,
    cancel: None,
};

#[derive(Default)]
struct Times {
    finished: Vec<Duration>,
    given_up: u32,
    visits: u64,
}

impl Times {
    /// The number of layouts that are sure; `None` if the search was given up.
    fn search(
        &mut self,
        view: &View<Whist>,
        target: u8,
        layouts: &[Layout],
        open: &mut OpenCards<'_, Whist>,
        mut claims: Option<Claims>,
    ) -> Result<Option<f64>, PlayerError> {
        let weights = vec![1.0; layouts.len()];
        let start = ThreadTime::now();
        let mut value = |world: usize, state: &State| open.reaches(world, state);
        let known = (layouts, &weights[..]);
        let cancel = Arc::new(AtomicBool::new(false));
        let mut search = AlphaMu::new(view, target, known, Some(&mut value), u64::MAX)
            .with_cancel(Arc::clone(&cancel));
        // The timer ends when its sender is dropped, at the end of the search.
        let (_sender, timer) = mpsc::channel::<()>();
        thread::spawn(move || {
            if timer.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        if let Some(claims) = &mut claims {
            search = search.with_claims(claims);
        }
        let order: Vec<Card> = view.playable().iter().collect();
        match search.best(EXACT, &order) {
            Ok(best) => {
                self.visits += search.visits();
                self.finished.push(start.elapsed());
                Ok(best.map(|best| best.cards[0].1))
            }
            Err(PlayerError::Cancelled) => {
                self.given_up += 1;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn print(mut self, name: &str) {
        self.finished.sort();
        let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
        let count = self.finished.len();
        let sum: f64 = self.finished.iter().map(milliseconds).sum();
        println!(
            "  {name:14} {count} finished, {} given up; mean {:.2} ms, median {:.2} ms, most {:.2} ms; \
             {:.0} positions",
            self.given_up,
            sum / count.max(1) as f64,
            self.finished.get(count / 2).map_or(0.0, milliseconds),
            self.finished.last().map_or(0.0, milliseconds),
            self.visits as f64 / count.max(1) as f64
        );
    }
}

/// Random hands, North's and South's seen, and a target.
fn random_ending(rng: &mut Rng, tricks: usize) -> Result<(View<Whist>, u8), Box<dyn Error>> {
    let mut pack: Vec<Card> = Card::pack().collect();
    rng.shuffle(&mut pack);
    let hand = |from: usize, count: usize| -> Hand {
        pack.iter().skip(from).take(count).copied().collect()
    };
    let (north, south) = (hand(0, tricks), hand(tricks, tricks));
    let hidden = hand(2 * tricks, 2 * tricks);
    let strain = Strain::ALL[rng.usize(0..5)];
    let leader = [Seat::North, Seat::South][rng.usize(0..2)];
    let text = format!("{strain} {leader} N:{north} - {south} - hidden={hidden}");
    let view = View::read_bridge(&text, [Limits::default(); 4])?;
    Ok((view, rng.u8(1..=tricks as u8)))
}
