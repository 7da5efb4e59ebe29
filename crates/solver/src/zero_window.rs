//! From a guess to the number of tricks, by questions that have yes or no for an
//! answer.

use crate::error::SolveError;

/// Returns the number of tricks of North and South out of `left`, where `reaches` decides whether
/// they take at least N. The nearer the guess, the fewer questions.
pub(crate) fn most_tricks(
    left: i32,
    guess: i32,
    mut reaches: impl FnMut(i32) -> Result<bool, SolveError>,
) -> Result<i32, SolveError> {
    let (mut low, mut high) = (0, left);
    let mut guess = guess.clamp(0, left);
    while low < high {
        let need = if guess == low { guess + 1 } else { guess };
        if reaches(need)? {
            low = need;
            guess = need;
        } else {
            high = need - 1;
            guess = need - 1;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guess_leads_to_the_answer() {
        for tricks in 0..=5 {
            for guess in -1..=7 {
                let found = most_tricks(5, guess, |need| {
                    assert!((1..=5).contains(&need));
                    Ok(need <= tricks)
                });
                assert_eq!(found.unwrap(), tricks);
            }
        }
    }
}
