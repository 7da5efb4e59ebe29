//! The time of `best_line` on random endings, with layouts that are drawn.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin given_layouts -- --db db
//!
//! Both hands of the side on lead are seen. Endings in which all cards are equally good, and those
//! that are decided at once, count too: a robot asks about them as well.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_beliefs::{Layout, Question, Strengths, View};
use setrograde_cards::Seat;
use setrograde_lookup::Database;
use setrograde_single_dummy::{LineOptions, Objective, best_line};

/// Measures the best line over drawn layouts.
#[derive(Parser)]
struct Arguments {
    /// Cards in each hand.
    #[arg(long, default_value_t = 5)]
    tricks: usize,
    /// Layouts, or all if there are fewer.
    #[arg(long, default_value_t = 64)]
    layouts: usize,
    /// Number of endings.
    #[arg(long, default_value_t = 100)]
    endings: usize,
    /// Number of them to leave out.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tricks wanted; their mean if none are.
    #[arg(long)]
    target: Option<u8>,
    /// Seconds for an ending.
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    /// Value all cards.
    #[arg(long)]
    all: bool,
    /// Print each ending.
    #[arg(long)]
    each: bool,
    /// Directory of the database.
    #[arg(long)]
    db: Option<std::path::PathBuf>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let database = arguments.db.as_ref().map(Database::open).transpose()?;
    let options = LineOptions {
        database: database.map(Arc::new),
        time: Some(Duration::from_secs_f64(arguments.time)),
        all_cards: arguments.all,
        ..LineOptions::default()
    };
    let objective = arguments.target.map_or(Objective::Mean, Objective::Target);
    let (mut times, mut exact, mut gap, mut visits) = (Vec::new(), 0, 0.0, 0);
    for number in arguments.skip..arguments.skip + arguments.endings {
        let mut rng = Rng::with_seed(arguments.seed << 32 | number as u64);
        let leader = [Seat::North, Seat::South][rng.usize(0..2)];
        let hidden = [Seat::East, Seat::West];
        let text = Question::random_text(&mut rng, arguments.tricks, leader, &hidden);
        let view = View::of_bridge(&text.parse()?)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let layouts: Vec<Layout> = if beliefs.count() <= arguments.layouts as u128 {
            beliefs.layouts().collect()
        } else {
            (0..arguments.layouts)
                .map(|_| beliefs.sample(&mut rng))
                .collect()
        };
        let start = ThreadTime::now();
        let found = best_line(&view, &layouts, &[], &objective, &options)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        times.push(time);
        exact += usize::from(found.value.is_exact());
        gap += found.value.at_most - found.value.worth;
        visits += found.visits;
        if arguments.each {
            println!(
                "{number} {text}: {:.4} to {:.4}, double dummy {:.4}, {} positions, {time:.2} ms",
                found.value.worth, found.value.at_most, found.double_dummy, found.visits,
            );
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() as f64 * share) as usize).min(times.len() - 1)];
    println!(
        "{} cards, {} layouts: {exact} of {} exact, mean gap {:.4}; ms: median {:.2}, 90 % {:.2}, 99 % {:.2}, most {:.2}, mean {:.2}; {} positions",
        arguments.tricks,
        arguments.layouts,
        times.len(),
        gap / times.len() as f64,
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        times.iter().sum::<f64>() / times.len() as f64,
        visits / times.len() as u64,
    );
    Ok(())
}
