//! A source of endgame values of one's own, given to a solver: here last tricks
//! are played out, and a counter says how often the search asked.
//!
//! ```text
//! cargo run --release -p setrograde-solver --example own_endgames
//! ```

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_cards::{Deal, Strain, Suit};
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

/// Values of endings of one and two tricks.
#[derive(Debug, Default)]
struct TwoTricks {
    asked: AtomicU64,
}

impl Endgames for TwoTricks {
    fn max_tricks(&self) -> usize {
        2
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let leader = ending.leader().index();
        let trump = ending.strain() != Strain::NoTrump;
        // The proof names every card. One that names fewer holds for more
        // endings, and saves the search more work.
        Ok(Some(Verdict {
            reached: most(&hands(ending), leader, trump) >= target,
            known: ending.all_cards(),
        }))
    }
}

/// A suit, the last one trump if there is one, and a rank: higher wins.
type Card = (usize, u32);

/// The hands of an ending, from North.
fn hands(ending: &Ending) -> [Vec<Card>; 4] {
    let mut hands: [Vec<Card>; 4] = Default::default();
    for suit in Suit::ALL {
        let owners = (0..).map_while(|place| ending.owner(suit, place));
        for (owner, rank) in owners.zip((0..13).rev()) {
            hands[owner].push((suit.index(), rank));
        }
    }
    hands
}

/// The most tricks that the side of `leader` takes.
fn most(hands: &[Vec<Card>; 4], leader: usize, trump: bool) -> u8 {
    if hands[0].is_empty() {
        return 0;
    }
    play(hands, &mut Vec::new(), leader, trump)
}

/// The most tricks for the side of `leader`, with these cards on the trick.
fn play(hands: &[Vec<Card>; 4], trick: &mut Vec<Card>, leader: usize, trump: bool) -> u8 {
    if trick.len() == 4 {
        let strength = |&(suit, rank): &Card| match suit {
            _ if trump && suit == 3 => 100 + rank,
            _ if suit == trick[0].0 => rank,
            _ => 0,
        };
        let best = (0..4).max_by_key(|&at| strength(&trick[at])).unwrap_or(0);
        let winner = (leader + best) % 4;
        let rest = most(hands, winner, trump);
        let left = hands[0].len() as u8;
        return if best % 2 == 0 { 1 + rest } else { left - rest };
    }
    let seat = (leader + trick.len()) % 4;
    let led = trick.first().map(|led| led.0);
    let follows = |card: &Card| led.is_none_or(|led| led == card.0);
    let must = hands[seat].iter().any(follows);
    let mut results = Vec::new();
    for (at, card) in hands[seat].iter().enumerate() {
        if !must || follows(card) {
            let mut after = hands.clone();
            after[seat].remove(at);
            trick.push(*card);
            results.push(play(&after, trick, leader, trump));
            trick.pop();
        }
    }
    let best = if trick.len().is_multiple_of(2) {
        results.into_iter().max()
    } else {
        results.into_iter().min()
    };
    best.unwrap_or(0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let deal: Deal = "N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.".parse()?;
    let alone = Solver::new(Options::default()).table(&deal)?;
    let source = Arc::new(TwoTricks::default());
    let mut solver = Solver::new(Options {
        endgames: Some(source.clone()),
        ..Options::default()
    });
    let table = solver.table(&deal)?;
    assert_eq!(table, alone);
    println!("{table}");
    println!(
        "{} nodes, asked {} times",
        solver.nodes(),
        source.asked.load(Ordering::Relaxed)
    );
    Ok(())
}
