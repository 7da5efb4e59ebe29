//! Integration tests: each file keeps one promise about claims.

mod answers;
mod brute_force;
mod figures;
mod lines;
mod positions;
mod proofs;
mod rulings;
mod so_far;
mod statements;
mod weakest;
mod work;
