//! Integration tests: each file keeps one promise about the solver.

mod api;
mod cold_source;
mod endgames;
mod minimax;
mod reference;
