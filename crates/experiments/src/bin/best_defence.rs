//! How long the exact best-defence search takes on random endings: both hands of
//! the leader's side seen, a random target that is neither sure nor hopeless
//! double dummy.
//!
//!     cargo run --release -p setrograde-experiments --bin best_defence -- TRICKS ENDINGS [DB]
//!
//! An ending is given up after ten seconds. What is found to be sure is compared
//! with the layouts won double dummy, which cannot be fewer.

use std::error::Error;
use std::time::{Duration, Instant};

use fastrand::Rng;
use setrograde_beliefs::{Layout, Limits};
use setrograde_cards::{Card, Hand, Seat, Strain};
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
    let (mut times, mut given_up, mut visits) = (Vec::new(), 0, 0);
    while times.len() + given_up < endings {
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
        let cards = || OpenCards::new(&view, target, database.as_ref(), None);
        let mut open = cards().ok_or("no strain")?;
        let states = layouts.iter().map(|layout| view.state(layout)).enumerate();
        let won: Vec<bool> = states
            .map(|(at, state)| open.reaches(at, &state))
            .collect::<Result<_, _>>()?;
        let won = won.iter().filter(|won| **won).count();
        if won == 0 || won == layouts.len() {
            continue;
        }
        let weights = vec![1.0; layouts.len()];
        let mut open = cards().ok_or("no strain")?;
        let start = Instant::now();
        let mut value = |world: usize, state: &State| match start.elapsed() > PATIENCE {
            true => Err(PlayerError::Cancelled),
            false => open.reaches(world, state),
        };
        let known = (&layouts[..], &weights[..]);
        let mut search = AlphaMu::new(&view, target, known, Some(&mut value), u64::MAX);
        let order: Vec<Card> = view.playable().iter().collect();
        match search.best(EXACT, &order) {
            Ok(best) => {
                let sure = best.map_or(0.0, |best| best.cards[0].1);
                if sure > won as f64 {
                    return Err(format!("{sure} sure, {won} won: {view:?}").into());
                }
                visits += search.visits();
                times.push(start.elapsed());
            }
            Err(PlayerError::Cancelled) => given_up += 1,
            Err(error) => return Err(error.into()),
        }
    }
    times.sort();
    let seconds = |time: &Duration| time.as_secs_f64();
    let mean = times.iter().map(seconds).sum::<f64>() / times.len().max(1) as f64;
    println!(
        "{tricks} tricks: {} of {endings} finished within {PATIENCE:?}; mean {:.1} ms, median {:.1} ms, most \
         {:.1} ms, {:.0} positions",
        times.len(),
        mean * 1e3,
        times.get(times.len() / 2).map_or(0.0, seconds) * 1e3,
        times.last().map_or(0.0, seconds) * 1e3,
        visits as f64 / times.len().max(1) as f64
    );
    Ok(())
}

/// Random hands, North's and
/// South's seen, and a target.
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
    let view = View::read(&text, [Limits::default(); 4], |strain, leader| {
        let strain = strain.parse::<Strain>();
        strain.map(|strain| Whist::new(strain, leader.plus(3), 13))
    })?;
    Ok((view, rng.u8(1..=tricks as u8)))
}
