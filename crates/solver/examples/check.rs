//! Solves files of endings and compares.
use std::time::Instant;
fn main() {
    let mut bad = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let t = Instant::now();
        let mut n = 0;
        let mut nodes = 0; let mut probes=0; let mut scanned=0;
        for line in text.lines() {
            let (position, tricks) = line.rsplit_once(' ').unwrap();
            let (got, more,p,s) = setrograde_solver::debug_value(&position.parse().unwrap());
            n += 1;
            nodes += more; probes+=p; scanned+=s;
            if got.to_string() != tricks {
                bad += 1;
                if bad < 10 { println!("{line} got {got}"); }
            }
        }
        println!("{path}: {n} bad {bad} nodes {} {:.3} ms each, {:.0} ns/node, {:.1} scanned/probe", nodes / n, t.elapsed().as_secs_f64() * 1e3 / n as f64, t.elapsed().as_secs_f64() * 1e9 / nodes as f64, scanned as f64/probes as f64);
    }
}
