//! Integration tests: each file keeps one promise about play with hidden hands.

mod best_defence;
mod given;
mod sampling;
mod suit;
