//! Prints the value of every card of a position.
//!
//! ```text
//! cargo run --release -p setrograde-solver --example solve -- \
//!     'NT W N:K3... Q4... J5... T... played=SA'
//! ```

use std::error::Error;

use setrograde_cards::Position;
use setrograde_solver::{Options, Solver, Target, Wanted};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "NT W N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.".to_owned());
    let position: Position = text.parse()?;
    // Keep a solver for as long as the questions are about one deal and strain:
    // what it has learned helps the next answer.
    let mut solver = Solver::new(Options::default());
    let solution = solver.solve(&position, Target::Most, Wanted::All)?;
    println!("{position}");
    for found in &solution.cards {
        print!("{} {}: {}", solution.seat, found.card, found.tricks);
        for rank in found.equals.iter() {
            print!(" ={rank}");
        }
        println!();
    }
    println!("{} nodes", solver.nodes());
    Ok(())
}
