//! The lengths that one hidden hand may have: a box cut by the number of cards.

/// The suit lengths that the first hidden hand may have: at least `lo`,
/// at most `hi`, with a given sum.
///
/// A play shifts or cuts one suit, so a box stays a box. Tight bounds are each
/// reached by some vector, so that two boxes describe the same vectors if and
/// only if they are equal, and one set of vectors includes another if and only
/// if its box does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lengths {
    pub lo: [u8; 4],
    pub hi: [u8; 4],
}

impl Lengths {
    /// The vectors within both boxes; not tight.
    pub fn intersection(&self, other: &Lengths) -> Lengths {
        Lengths {
            lo: std::array::from_fn(|s| self.lo[s].max(other.lo[s])),
            hi: std::array::from_fn(|s| self.hi[s].min(other.hi[s])),
        }
    }

    /// The same vectors of sum `cards` with tight bounds; `None` if there is none.
    #[inline]
    pub fn tightened(mut self, cards: u8) -> Option<Lengths> {
        let sum = |bounds: &[u8; 4]| bounds.iter().map(|&b| i16::from(b)).sum::<i16>();
        let (least, most, cards) = (sum(&self.lo), sum(&self.hi), i16::from(cards));
        if least > cards || most < cards {
            return None;
        }
        for suit in 0..4 {
            let (lo, hi) = (i16::from(self.lo[suit]), i16::from(self.hi[suit]));
            if lo > hi {
                return None;
            }
            self.lo[suit] = lo.max(cards - (most - hi)) as u8;
            self.hi[suit] = hi.min(cards - (least - lo)) as u8;
        }
        Some(self)
    }

    /// Whether every vector of `other` is one of these; both tight, of one sum.
    #[inline]
    pub fn includes(&self, other: &Lengths) -> bool {
        (0..4).all(|suit| self.lo[suit] <= other.lo[suit] && other.hi[suit] <= self.hi[suit])
    }

    /// The vectors of sum `cards`.
    pub fn vectors(self, cards: u8) -> impl Iterator<Item = [u8; 4]> {
        let Lengths { lo, hi } = self;
        (lo[0]..=hi[0])
            .flat_map(move |a| (lo[1]..=hi[1]).map(move |b| (a, b)))
            .flat_map(move |(a, b)| (lo[2]..=hi[2]).map(move |c| (a, b, c)))
            .filter_map(move |(a, b, c)| {
                let d = cards.checked_sub(a + b + c)?;
                (lo[3] <= d && d <= hi[3]).then_some([a, b, c, d])
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tight_bounds_are_reached() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let lo: [u8; 4] = std::array::from_fn(|_| rng.u8(0..4));
            let hi = lo.map(|lo| lo + rng.u8(0..4));
            let cards = rng.u8(0..14);
            let loose = Lengths { lo, hi };
            let all: Vec<_> = loose.vectors(cards).collect();
            let Some(tight) = loose.tightened(cards) else {
                assert!(all.is_empty(), "{loose:?} {cards}");
                continue;
            };
            assert_eq!(tight.vectors(cards).collect::<Vec<_>>(), all);
            for suit in 0..4 {
                assert!(all.iter().any(|v| v[suit] == tight.lo[suit]));
                assert!(all.iter().any(|v| v[suit] == tight.hi[suit]));
            }
        }
    }
}
