//! Double-dummy endings.
pub mod card_order;
pub mod diagram;
pub mod ending;
pub mod partition;
pub mod set;
pub mod shape;
pub mod states;
