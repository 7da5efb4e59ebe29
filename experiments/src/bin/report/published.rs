//! The published figures that ours are compared with: Tables 1 and 2 of
//! "Setrograde analysis" (2024), to the digits that the paper gives.

/// One row of both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedLevel {
    /// Cards of all hands together.
    pub cards: u32,
    /// Table 1, "States": deals before any reduction, strains included.
    pub states: f64,
    /// Table 1, "Upper Bound": states after relative ranks and symmetries.
    pub reduced_states: f64,
    /// Table 1, "Setrograde": sets in the paper's database.
    pub sets: Option<f64>,
    /// Table 1, "Lower Bound": distributions of the suits between the hands.
    /// These are the shapes at no trump; with trumps there are about five times
    /// as many partitions.
    pub shapes: f64,
    /// Table 2.
    pub costs: Option<PublishedCosts>,
}

/// The cost of a level, from Table 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedCosts {
    /// GiB of a state-wise (retrograde) database, at two states a byte.
    pub retrograde_gib: f64,
    /// GiB of the setrograde database.
    pub setrograde_gib: f64,
    /// CPU days of state-wise analysis.
    pub retrograde_days: Option<f64>,
    /// CPU days of setrograde analysis.
    pub setrograde_days: Option<f64>,
    /// States for each byte of the setrograde database.
    pub states_per_byte: f64,
    /// True if the paper marks the retrograde size as extrapolated.
    pub size_extrapolated: bool,
    /// True if it marks the retrograde time as extrapolated.
    pub time_extrapolated: bool,
}

/// Both tables, by rising number of cards: 4, 8, …, 52.
pub const PUBLISHED: [PublishedLevel; 13] = [
    PublishedLevel {
        cards: 4,
        states: 3e7,
        reduced_states: 2e2,
        sets: Some(7e1),
        shapes: 2e1,
        costs: Some(costs([1e-7, 7e-6, 2.6e-2], None, [false, false])),
    },
    PublishedLevel {
        cards: 8,
        states: 9e12,
        reduced_states: 8e4,
        sets: Some(8e3),
        shapes: 5e2,
        costs: Some(costs([4e-5, 3e-5, 3.2], None, [false, false])),
    },
    PublishedLevel {
        cards: 12,
        states: 4e17,
        reduced_states: 3e7,
        sets: Some(5e5),
        shapes: 7e3,
        costs: Some(costs(
            [2e-2, 1e-3, 3.1e1],
            Some([3e-3, 1e-4]),
            [false, false],
        )),
    },
    PublishedLevel {
        cards: 16,
        states: 3e21,
        reduced_states: 1e10,
        sets: Some(3e7),
        shapes: 6e4,
        costs: Some(costs([5.0, 5e-2, 1.9e2], Some([1.0, 1e-2]), [true, false])),
    },
    PublishedLevel {
        cards: 20,
        states: 7e24,
        reduced_states: 3e12,
        sets: Some(1e9),
        shapes: 4e5,
        costs: Some(costs([2e3, 2.0, 1.6e3], Some([4e2, 2.0]), [true, true])),
    },
    PublishedLevel {
        cards: 24,
        states: 5e27,
        reduced_states: 8e14,
        sets: Some(2e10),
        shapes: 2e6,
        costs: Some(costs([4e5, 5e1, 1.5e4], Some([1e5, 3e2]), [true, true])),
    },
    uncomputed(28, 1e30, 2e17, 7e6),
    uncomputed(32, 6e31, 3e19, 2e7),
    uncomputed(36, 1e33, 4e21, 4e7),
    uncomputed(40, 5e33, 4e23, 4e7),
    uncomputed(44, 4e33, 4e25, 3e7),
    uncomputed(48, 3e32, 2e27, 9e6),
    uncomputed(52, 3e29, 1e28, 2e6),
];

/// The row of a number of cards.
#[must_use]
pub fn published(cards: u32) -> Option<&'static PublishedLevel> {
    PUBLISHED.iter().find(|level| level.cards == cards)
}

/// `sizes`: The sizes of both databases in GiB, and states per byte; `days`: the time of both
/// analyses; `extrapolated`: size and time of the retrograde one.
const fn costs(sizes: [f64; 3], days: Option<[f64; 2]>, extrapolated: [bool; 2]) -> PublishedCosts {
    let (retrograde_days, setrograde_days) = match days {
        Some([retrograde, setrograde]) => (Some(retrograde), Some(setrograde)),
        None => (None, None),
    };
    PublishedCosts {
        retrograde_gib: sizes[0],
        setrograde_gib: sizes[1],
        retrograde_days,
        setrograde_days,
        states_per_byte: sizes[2],
        size_extrapolated: extrapolated[0],
        time_extrapolated: extrapolated[1],
    }
}

const fn uncomputed(cards: u32, states: f64, reduced_states: f64, shapes: f64) -> PublishedLevel {
    PublishedLevel {
        cards,
        states,
        reduced_states,
        sets: None,
        shapes,
        costs: None,
    }
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition_index::PartitionIndex;
    use setrograde_endgame::states::states_of_partition;

    use super::*;

    /// Returns true if a figure is our number to one digit, rounded or cut.
    fn is_to_one_digit(figure: f64, ours: f64) -> bool {
        let unit = 10f64.powf(ours.log10().floor());
        [(ours / unit).floor(), (ours / unit).round()]
            .iter()
            .any(|d| (figure / unit - d).abs() < 1e-9)
    }

    #[test]
    fn the_published_states_and_shapes_are_ours() {
        for level in 1..=4 {
            let index = PartitionIndex::new(level);
            let states: u128 = index.iter().map(states_of_partition).sum();
            let row = published(4 * level as u32);
            assert!(row.is_some_and(|row| is_to_one_digit(row.reduced_states, states as f64)));
            assert!(
                row.is_some_and(|row| is_to_one_digit(row.shapes, index.no_trump_len() as f64))
            );
        }
    }

    #[test]
    fn states_per_byte_follow_from_states_and_size() {
        for level in PUBLISHED {
            if let Some(costs) = level.costs {
                let per_byte = level.reduced_states / (costs.setrograde_gib * f64::from(1 << 30));
                let ratio = costs.states_per_byte / per_byte;
                assert!(
                    (0.6..1.6).contains(&ratio),
                    "{} cards: {ratio}",
                    level.cards
                );
            }
        }
    }
}
