//! Prints the bench signature, which `data/signature.txt` records: the levels
//! that both methods build, and the solver's nodes.
//!
//! `cargo bench --bench signature` builds 4 to 12 cards, and 16 with `-- 16`.

#[path = "../tests/it/signature.rs"]
mod signature;

fn main() {
    let sixteen = std::env::args().any(|argument| argument == "16");
    print!("{}", signature::signature(if sixteen { 16 } else { 12 }));
}
