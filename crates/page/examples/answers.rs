//! Answers the page's questions natively, to compare them with a browser's: on each
//! line of standard input a list of two texts, as `["cards", "NT W N:… "]`.

use std::io;

use setrograde_page::Engine;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::default();
    for line in io::stdin().lines() {
        let (what, text): (String, String) = serde_json::from_str(&line?)?;
        println!("{}", engine.ask(&what, &text));
    }
    Ok(())
}
