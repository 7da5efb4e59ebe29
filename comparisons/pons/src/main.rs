//! The solver `pons-dds`, DDS in Rust, on one thread.

use anyhow::Context;
use compare::{Answer, Question, Solve, serve};
use contract_bridge::{FullDeal, PartialDeal, Seat, Strain};
use pons_dds::{Board, CurrentTrick, Objective, Solver, Target, solve_deal_on};
use setrograde_cards as cards;
use setrograde_solver::TrickTable;

struct Pons(Solver);

fn main() -> anyhow::Result<()> {
    serve(Pons(Solver::new(Strain::Notrump)))
}

impl Solve for Pons {
    fn name(&self) -> String {
        "pons-dds 0.2".to_owned()
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        match question {
            Question::Table(deal) => {
                let deal: FullDeal = deal.to_string().parse()?;
                let table = solve_deal_on(&mut self.0, deal);
                let row = |strain| cards::Seat::ALL.map(|by| table[of(strain)].get(seat(by)).get());
                Ok(Answer::Table(TrickTable::new(cards::Strain::ALL.map(row))))
            }
            Question::Tricks(position) => {
                let deal: PartialDeal = position.deal().to_string().parse()?;
                let trick = CurrentTrick::new(of(position.strain()), seat(position.leader()));
                let board = Board::try_new(deal, trick)?;
                let target = Target::Any(None);
                let found = self.0.solve_board(&Objective { board, target });
                let best = found.plays.first().context("pons-dds plays no card")?;
                Ok(Answer::Tricks(best.score.get()))
            }
        }
    }
}

fn of(strain: cards::Strain) -> Strain {
    match strain {
        cards::Strain::NoTrump => Strain::Notrump,
        cards::Strain::Trump(cards::Suit::Spades) => Strain::Spades,
        cards::Strain::Trump(cards::Suit::Hearts) => Strain::Hearts,
        cards::Strain::Trump(cards::Suit::Diamonds) => Strain::Diamonds,
        cards::Strain::Trump(cards::Suit::Clubs) => Strain::Clubs,
    }
}

fn seat(seat: cards::Seat) -> Seat {
    [Seat::North, Seat::East, Seat::South, Seat::West][seat.index()]
}
