//! Many questions at once, on all cores.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::solver::{Options, Solver};

/// Answers questions side by side on the threads of rayon's current pool, each
/// with a solver of its own, and returns the answers in the questions' order.
/// The memory in `options` is that of one solver.
///
/// ```
/// use setrograde_cards::Deal;
/// use setrograde_solver::{Options, answer_each};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let deals: [Deal; 2] = [
///     "N:AKQ... J.A.. T9..A. 8.K.K.".parse()?,
///     "N:A... K... Q... J...".parse()?,
/// ];
/// let tables = answer_each(&deals, &Options::default(), |solver, deal| solver.table(deal));
/// assert_eq!(tables.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn answer_each<Question: Sync, Answer: Send>(
    questions: &[Question],
    options: &Options,
    answer: impl Fn(&mut Solver, &Question) -> Answer + Sync,
) -> Vec<Answer> {
    questions
        .par_iter()
        .map_init(
            || Solver::new(options.clone()),
            |solver, question| answer(solver, question),
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use setrograde_cards::Position;

    #[test]
    fn answers_stand_in_the_order_of_the_questions() {
        let texts = [
            "NT N N:AQ... K3... 54... 76...",
            "NT S N:AQ... 76... 54... K3...",
            "NT W N:A... K... Q... J...",
        ];
        let positions: Vec<Position> = (0..60)
            .map(|at| texts[at % 3].parse().expect("a position"))
            .collect();
        let together = answer_each(&positions, &Options::default(), |solver, position| {
            solver.tricks(position)
        });
        let mut alone = Solver::new(Options::default());
        for (position, answer) in positions.iter().zip(together) {
            assert_eq!(
                answer.expect("tricks"),
                alone.tricks(position).expect("tricks")
            );
        }
    }
}
