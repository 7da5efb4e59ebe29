//! x
use std::sync::atomic::AtomicBool;
fn main() {
    let b = setrograde_builder::Build { directory: "/tmp/db16".into(), cards: std::env::args().nth(1).unwrap().parse().unwrap(), threads: None, force: true, program: "x".into() };
    let m = b.run(&setrograde_builder::Silent, &AtomicBool::new(false)).unwrap();
    for l in &m.levels { println!("{l:?}"); }
}
