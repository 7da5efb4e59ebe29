//! Integration tests: counts, draws and conditions against every layout.

#[path = "../../../cards/tests/positions/mod.rs"]
mod positions;

mod cases;
mod conditions;
mod enumeration;
