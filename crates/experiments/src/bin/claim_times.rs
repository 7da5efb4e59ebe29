//! How long claims take: reads lines `QUESTION<tab>K` from standard input and
//! prints for each the verdict, the nodes and the processor time in seconds of
//! deciding whether K tricks are sure; with `--sure`, of finding how many are.
//!
//!     cargo run --release -p setrograde-experiments --bin claim_times < claims.txt

use std::io::{BufRead, stdin};

use rustix::time::{ClockId, clock_gettime};
use setrograde_claim::{Claims, Knowledge, Options};

fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = std::env::args().any(|argument| argument == "--sure");
    let limit =
        std::env::args().find_map(|argument| argument.strip_prefix("--limit=")?.parse().ok());
    let mut times = Vec::new();
    let mut nodes = 0;
    let mut unknown = 0;
    for line in stdin().lock().lines() {
        let line = line?;
        let (question, tricks) = line.split_once('\t').ok_or("QUESTION<tab>K expected")?;
        let knowledge: Knowledge = question.parse()?;
        let tricks: u8 = tricks.trim().parse()?;
        let mut claims = Claims::new(Options {
            limit,
            ..Options::default()
        });
        let start = now();
        let verdict = if all {
            claims.sure(&knowledge).map(|sure| sure.to_string())
        } else {
            claims
                .is_sure(&knowledge, tricks)
                .map(|sure| sure.to_string())
        };
        let time = now() - start;
        let verdict = verdict.unwrap_or_else(|_| {
            unknown += 1;
            "unknown".to_owned()
        });
        println!(
            "{verdict}\t{}\t{time:.6}\t{}\t{line}",
            claims.nodes(),
            knowledge.tricks_left()
        );
        nodes += claims.nodes();
        times.push(time);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    eprintln!(
        "{} claims, {unknown} unknown: {nodes} nodes, {:.3} s, median {:.6}, 90 % {:.6}, 99 % {:.6}, most {:.6}",
        times.len(),
        times.iter().sum::<f64>(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
