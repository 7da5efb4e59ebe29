//! Integration tests: each file keeps one promise about players and tournaments.

mod exact;
mod games;
mod tournament;
