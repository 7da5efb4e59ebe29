//! Solves a file of deals and compares the tables.
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let n: usize = std::env::args().nth(2).map_or(100, |s| s.parse().unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut bad, mut nodes, mut probes, mut scanned) = (0, 0, 0, 0);
    let mut times = vec![];
    for line in text.lines().take(n) {
        let (deal, answers) = line.split_once(" | ").unwrap();
        let deal = deal.parse().unwrap();
        let t = Instant::now();
        let (got, a, b, c) = setrograde_solver::debug_table(&deal);
        times.push(t.elapsed().as_secs_f64() * 1e3);
        nodes += a; probes += b; scanned += c;
        let answers: Vec<i32> = answers.split(' ').map(|s| s.parse().unwrap()).collect();
        if got != answers { bad += 1; }
    }
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let st = setrograde_solver::STATS.take().map(|x| x as f64 / nodes as f64);
    println!("of nodes: quick {:.3} later {:.3} tt {:.3}; cut/node, tried per cut, fails: lead {:.3} {:.2} {:.3}  second {:.3} {:.2} {:.3} third {:.3} {:.2} {:.3} fourth {:.3} {:.2} {:.3}", st[0],st[1],st[2],st[4],st[8]/st[4],st[12],st[5],st[9]/st[5],st[13],st[6],st[10]/st[6],st[14],st[7],st[11]/st[7],st[15]);
    println!("{} deals, bad {bad}, mean {:.2} ms, median {:.2} ms, nodes {} each, {:.0} ns/node, probes {} {:.1} scanned", times.len(), total / times.len() as f64, times[times.len()/2], nodes / times.len() as u64, total * 1e6 / nodes as f64, probes/times.len() as u64, scanned as f64 / probes as f64);
}
