//! The rules of the games that questions are about: [`Whist`], whose rules the play of bridge
//! follows, and [`Jass`].

mod clues;
mod game;
mod jass;
mod state;
mod whist;

pub use clues::{Play, Rule, Strengths};
pub use game::{Game, Tally};
pub use jass::{Jass, Mode};
pub use state::{State, Trick};
pub use whist::Whist;
