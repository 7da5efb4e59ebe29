//! Positions in which a side does not know where the hidden cards lie: one world
//! for each layout that it cannot tell apart.

mod cores;
mod front;
mod open;
mod position;
mod set;
mod visits;

pub(crate) use self::cores::Cores;
pub(crate) use self::front::Front;
pub(crate) use self::open::OpenWorlds;
pub use self::open::Valuation;
pub(crate) use self::position::{At, Subject};
pub use self::set::Worlds;
pub(crate) use self::visits::{Stop, Visits};
