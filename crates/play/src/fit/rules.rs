//! Strengths of the rules of thumb.
//!
//! They are those under which the true layouts are most likely; how good they
//! are is measured on other boards, by the mean log-loss of the marginals: −ln
//! of the probability given to each hidden card's true owner.

use setrograde_beliefs::BeliefsError;
use setrograde_cards::Seat;

use super::sample::Sample;
use setrograde_games::{Game, Strengths};

/// The mean log-loss per hidden card of the marginals, in nats.
///
/// # Errors
///
/// If a view has no layout that fits.
pub fn log_loss<G: Game>(
    samples: &[Sample<G>],
    strengths: &Strengths,
) -> Result<f64, BeliefsError> {
    let (mut sum, mut count) = (0.0, 0);
    for Sample { view, truth } in samples {
        let marginals = view.beliefs(strengths)?.marginals();
        for seat in Seat::ALL {
            for card in truth[seat.index()] {
                // A layout that is possible has no marginal of 0.
                sum -= marginals
                    .probability(seat, card)
                    .max(f64::MIN_POSITIVE)
                    .ln();
                count += 1;
            }
        }
    }
    Ok(sum / f64::from(count.max(1)))
}

/// The mean log-probability of the true layouts.
///
/// # Errors
///
/// As for [`log_loss`].
pub fn log_likelihood<G: Game>(
    samples: &[Sample<G>],
    strengths: &Strengths,
) -> Result<f64, BeliefsError> {
    let mut sum = 0.0;
    for Sample { view, truth } in samples {
        sum += view.beliefs(strengths)?.log_probability(truth);
    }
    Ok(sum / samples.len().max(1) as f64)
}

/// The strengths under which the samples' layouts are most likely, found by
/// searching one strength at a time, twice round, to within 0.02. The likelihood
/// is concave in the strengths, so there is one summit.
///
/// # Errors
///
/// As for [`log_loss`].
pub fn fit<G: Game>(samples: &[Sample<G>]) -> Result<Strengths, BeliefsError> {
    let mut strengths = Strengths(vec![0.0; G::rules().len()]);
    for _ in 0..2 {
        for rule in 0..strengths.0.len() {
            let (mut low, mut high) = (-3.0, 3.0);
            let mut try_at = |strength: f64| {
                strengths.0[rule] = strength;
                log_likelihood(samples, &strengths)
            };
            // Golden section.
            let golden = (5f64.sqrt() - 1.0) / 2.0;
            let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
            let (mut at_a, mut at_b) = (try_at(a)?, try_at(b)?);
            while high - low > 0.02 {
                if at_a > at_b {
                    high = b;
                    (b, at_b) = (a, at_a);
                    a = high - golden * (high - low);
                    at_a = try_at(a)?;
                } else {
                    low = a;
                    (a, at_a) = (b, at_b);
                    b = low + golden * (high - low);
                    at_b = try_at(b)?;
                }
            }
            strengths.0[rule] = (low + high) / 2.0;
        }
    }
    Ok(strengths)
}
