//! Answers the page's questions natively, to compare them with a browser's: each line of standard
//! input is a question in JSON.

use std::io;

use setrograde_page::Engine;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::default();
    for line in io::stdin().lines() {
        println!("{}", engine.ask(&line?));
    }
    Ok(())
}
