//! Tables of many deals, as they come, with a deal that has none and a time limit:
//! `cargo run --release --example tables`.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use setrograde_solver::cards::{Deal, Seat, Strain};
use setrograde_solver::{
    Endgames, EndgamesError, Ending, Options, SolveError, Solver, Stop, Verdict, each_table,
};

/// Values of the user's own: here those of a solver without a source.
#[derive(Debug)]
struct MyValues;

impl Endgames for MyValues {
    fn max_tricks(&self) -> usize {
        2
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let mut solver = Solver::new(Options::default());
        Ok(Some(Verdict {
            reached: solver.tricks(&ending.to_position())? >= target,
            known: ending.all_cards(),
        }))
    }
}

/// Solves three deals, of which one has no table.
#[allow(clippy::missing_errors_doc, reason = "an example")]
pub fn run() -> anyhow::Result<()> {
    let deals: Vec<Deal> = [
        "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76",
        "N:A... K... Q... ...",
        "N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.",
    ]
    .iter()
    .map(|deal| deal.parse())
    .collect::<Result<_, _>>()?;
    // `Stop::from` an `Arc<AtomicBool>` ends the search once the flag is set.
    let options = Options {
        endgames: Some(Arc::new(MyValues)),
        stop: Stop::default().by(Instant::now() + Duration::from_secs(60)),
        ..Options::default()
    };
    let (mut solved, mut cancelled, mut faulty) = (0, 0, Vec::new());
    let end = each_table(&deals, 2, &options, |number, table| match table {
        Ok(table) => {
            solved += 1;
            let tricks = table.tricks(Strain::NoTrump, Seat::East);
            println!("deal {number}: East takes {tricks} tricks at no trump");
            ControlFlow::Continue(())
        }
        // After the time limit. Tables that other threads finished still follow.
        Err(SolveError::Cancelled) => {
            cancelled += 1;
            ControlFlow::Continue(())
        }
        Err(error) => {
            println!("deal {number}: {error}");
            faulty.push(number);
            match faulty.len() {
                10 => ControlFlow::Break("too many faulty deals"),
                _ => ControlFlow::Continue(()),
            }
        }
    });
    assert!(end.is_continue(), "{end:?}");
    assert_eq!((solved, cancelled, faulty), (2, 0, vec![1]));
    Ok(())
}

fn main() -> anyhow::Result<()> {
    run()
}
