//! Times and their ratios.

use std::fmt;

use crate::solver::Reply;

/// The times of all solvers in all rounds.
pub struct Report {
    names: Vec<String>,
    /// Questions in each batch.
    sizes: Vec<usize>,
    /// By solver, then batch: the least time of all rounds, in nanoseconds.
    least: Vec<Vec<f64>>,
    /// By round, then solver: the time of all batches.
    totals: Vec<Vec<f64>>,
    /// By solver, of all rounds.
    nodes: Vec<u64>,
}

impl Report {
    pub fn new(names: Vec<String>, sizes: Vec<usize>) -> Report {
        Report {
            least: vec![vec![f64::INFINITY; sizes.len()]; names.len()],
            totals: Vec::new(),
            nodes: vec![0; names.len()],
            names,
            sizes,
        }
    }

    pub fn start_round(&mut self) {
        self.totals.push(vec![0.0; self.names.len()]);
    }

    pub fn add(&mut self, who: usize, batch: usize, reply: Reply) {
        let least = &mut self.least[who][batch];
        *least = least.min(reply.nanoseconds);
        if let Some(round) = self.totals.last_mut() {
            round[who] += reply.nanoseconds;
        }
        self.nodes[who] += reply.nodes;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        (values[middle - 1] + values[middle]) / 2.0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let questions: usize = self.sizes.iter().sum();
        let rounds = self.totals.len();
        writeln!(
            f,
            "{questions} questions, {rounds} rounds, all answers right. Times are microseconds for a\n\
             question in its best round, with the questions that one core answers in a\n\
             second. Ratios are to the first solver's times: of the sums\n\
             of the best rounds, the median over the rounds of the sums' ratios with the\n\
             least and the greatest, and the median over the questions.\n"
        )?;
        writeln!(
            f,
            "{:18} {:>11} {:>11} {:>10} {:>8} {:>8} {:>17} {:>8} {:>10}",
            "solver",
            "mean",
            "median",
            "a second",
            "best",
            "rounds",
            "least..greatest",
            "median",
            "nodes"
        )?;
        for (who, name) in self.names.iter().enumerate() {
            let each: Vec<f64> = self.least[who]
                .iter()
                .zip(&self.sizes)
                .map(|(time, &size)| time / 1e3 / size as f64)
                .collect();
            let sum = |who: usize| self.least[who].iter().sum::<f64>();
            let mut by_round: Vec<f64> = self.totals.iter().map(|all| all[who] / all[0]).collect();
            by_round.sort_by(f64::total_cmp);
            let by_question = self.least[who].iter().zip(&self.least[0]);
            let nodes = self.nodes[who] as f64 / (questions * rounds) as f64;
            writeln!(
                f,
                "{name:18} {:11.2} {:11.2} {:10.1} {:8.4} {:8.4} {:>17} {:8.4} {:>10}",
                sum(who) / 1e3 / questions as f64,
                median(each),
                questions as f64 / sum(who) * 1e9,
                sum(who) / sum(0),
                median(by_round.clone()),
                format!("{:.4}..{:.4}", by_round[0], by_round[rounds - 1]),
                median(by_question.map(|(own, first)| own / first).collect()),
                if nodes > 0.0 {
                    format!("{nodes:.0}")
                } else {
                    "-".to_owned()
                },
            )?;
        }
        Ok(())
    }
}
