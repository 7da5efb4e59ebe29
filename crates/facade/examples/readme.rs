//! The first program of a new user: `cargo run -p setrograde --example readme`.

use setrograde_lookup::Database;
use setrograde_solver::cards::{Deal, Seat, Strain};
use setrograde_solver::{Options, Solver};

/// Looks an ending up and solves a deal.
pub fn main() -> anyhow::Result<()> {
    let database = Database::open("data/golden")?;
    let tricks = database.position_value(&"NT S N:AQ... 76... 54... K3...".parse()?)?;
    println!("South and North take {tricks} of 2 tricks");

    let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
    let table = Solver::new(Options::default()).table(&deal.parse::<Deal>()?)?;
    let tricks = table.tricks(Strain::NoTrump, Seat::East);
    println!("East takes {tricks} tricks at no trump");
    Ok(())
}
