//! Integration tests: counts, draws and conditions against every layout.

mod cases;
mod conditions;
mod enumeration;
