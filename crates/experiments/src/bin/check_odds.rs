//! Compares the counting of odds over hidden hands with looking up every layout,
//! on random questions, and takes the median times of both, in CPU time. Layouts are drawn,
//! too, 200 for each question, and it counts how often the exact mean, and the exact
//! chance of the likeliest number of tricks, lie in the intervals of 95 %.
//!
//!     cargo run --release -p setrograde-experiments --bin check_odds -- DB CARDS HIDDEN QUESTIONS
//!
//! CARDS are those of all four hands, HIDDEN is 2 or 3 hands. It fails if any
//! question has other counts.

use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_beliefs::{Question, QuestionError};
use setrograde_cards::Seat;
use setrograde_games::{Strengths, View, Whist};
use setrograde_lookup::Database;
use setrograde_single_dummy::{
    Sampling, chance_half_width, mean_half_width, odds, sampled, visited,
};
use setrograde_solver::Options;

/// The number of layouts that are drawn.
const DRAWN: usize = 200;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, cards, hidden, questions] = &arguments[..] else {
        return Err("expected DB CARDS HIDDEN QUESTIONS, as db 16 2 1000".into());
    };
    let database = Database::open(directory)?;
    let (cards, hidden): (usize, usize) = (cards.parse()?, hidden.parse()?);
    let questions: u32 = questions.parse()?;
    if !(4..=52).contains(&cards) || cards % 4 != 0 || !(2..=3).contains(&hidden) {
        return Err("CARDS is a multiple of 4, HIDDEN is 2 or 3".into());
    }
    let go_on = AtomicBool::new(false);
    let mut rng = Rng::with_seed(20);
    let (mut right, mut wrong) = (0, 0);
    let (mut spread, mut means_within, mut chances_within) = (0, 0, 0);
    let (mut counting, mut visiting) = (Vec::new(), Vec::new());
    for _ in 0..questions {
        let view = random_view(&mut rng, cards / 4, hidden)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        // The first touch of a level unpacks it.
        odds(&view, &beliefs, &database, &go_on)?;
        let start = ThreadTime::now();
        let counted = odds(&view, &beliefs, &database, &go_on)?;
        counting.push(start.elapsed());
        let start = ThreadTime::now();
        let looked_up = visited(&view, &beliefs, &database, &go_on)?;
        visiting.push(start.elapsed());
        let sampling = Sampling {
            layouts: DRAWN,
            until: None,
            seed: rng.u64(..),
            threads: 1,
            by_card: false,
        };
        let drawn = sampled(&view, &beliefs, sampling, &Options::default())?.all;
        let exact = &counted.all;
        let likeliest = (0..14).max_by(|&a, &b| exact.chances[a].total_cmp(&exact.chances[b]));
        let likeliest = likeliest.expect("fourteen numbers");
        let width = chance_half_width(drawn.chances[likeliest], DRAWN as u128);
        if exact.layouts > 1 {
            spread += 1;
            let off = (exact.mean() - drawn.mean()).abs();
            means_within += u32::from(off <= mean_half_width(&drawn) + 1e-12);
            let off = (exact.chances[likeliest] - drawn.chances[likeliest]).abs();
            chances_within += u32::from(off <= width);
        }
        if counted.all.counts == looked_up.all.counts {
            right += 1;
        } else {
            wrong += 1;
            println!("{view:?}: {counted:?}, not {looked_up:?}");
        }
    }
    println!(
        "{cards} cards, {hidden} hidden hands: {right} right, {wrong} wrong; median {:.1} µs \
         counting, {:.1} µs looking up every layout",
        median(counting),
        median(visiting)
    );
    let share = |within: u32| 100.0 * f64::from(within) / f64::from(spread.max(1));
    println!(
        "{DRAWN} layouts drawn: the mean within its interval in {:.1} %, the chance in {:.1} % of \
         {spread} questions",
        share(means_within),
        share(chances_within)
    );
    Ok(if wrong == 0 && right > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Random hands of `tricks` cards, of which North's is seen, and one more unless
/// three are hidden.
fn random_view(rng: &mut Rng, tricks: usize, hidden: usize) -> Result<View<Whist>, QuestionError> {
    let leader = Seat::from_index(rng.usize(0..4));
    let dummy = (hidden == 2).then(|| Seat::from_index(rng.usize(1..4)));
    let seats = Seat::ALL.into_iter().skip(1);
    let seats: Vec<Seat> = seats.filter(|&seat| Some(seat) != dummy).collect();
    View::of_bridge(&Question::random_text(rng, tricks, leader, &seats).parse()?)
}

/// In microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    middle.as_secs_f64() * 1e6
}
