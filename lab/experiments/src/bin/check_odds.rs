//! Compares the counting of odds over hidden hands with looking up every layout,
//! on random questions, and takes the median times of both, in CPU time.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin check_odds -- DB CARDS HIDDEN QUESTIONS
//!
//! CARDS are those of all four hands, HIDDEN is 2 or 3 hands. It fails if any
//! question has other counts.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_beliefs::{Question, QuestionError, Strengths, View, Whist};
use setrograde_cards::Seat;
use setrograde_lookup::Database;
use setrograde_single_dummy::{odds, visited};

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
    let go_on = Default::default();
    let mut rng = Rng::with_seed(20);
    let (mut right, mut wrong) = (0, 0);
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
    let seats: Vec<Seat> = Seat::ALL
        .into_iter()
        .skip(1)
        .filter(|&seat| Some(seat) != dummy)
        .collect();
    View::of_bridge(&Question::random_text(rng, tricks, leader, &seats).parse()?)
}

/// In microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    middle.as_secs_f64() * 1e6
}
