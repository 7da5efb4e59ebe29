//! The gain of one player over another, with its confidence interval.

use setrograde_beliefs::Game;
use setrograde_cards::{Seat, imps};

use super::board::Board;
use super::table::TableResult;

/// All pairs of `count` players, by number.
pub(super) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}

/// The result of two players at a pair of tables: the first sat North and South at
/// the first table, and East and West at the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardResult {
    /// Half the difference between the first player's total at both tables and the second's: in
    /// tricks at whist, score at bridge, points at jass.
    pub gain: f64,
    /// The gain in international match points, at bridge.
    pub imps: i32,
    /// Whether each of the two players made the contract when declaring, in games with a contract.
    pub made: Option<[bool; 2]>,
}

impl BoardResult {
    /// The result of a board.
    pub fn new<G: Game>(board: &Board<G>, tables: &[TableResult; 2]) -> BoardResult {
        let game = &board.game;
        // The result of North and South, minus that of East and West.
        let ahead =
            |table: &TableResult| game.result(&table.tally, 0) - game.result(&table.tally, 1);
        let [first, second] = [ahead(&tables[0]), ahead(&tables[1])];
        let gain = f64::from(first - second) / 2.0;
        BoardResult {
            gain,
            imps: imps(gain as i32),
            made: contracts_made(game, tables),
        }
    }
}

/// Returns whether the first and whether the second player made the contract.
fn contracts_made<G: Game>(game: &G, tables: &[TableResult; 2]) -> Option<[bool; 2]> {
    // The first sits North at the first table and East at the second.
    [Seat::North, Seat::East].into_iter().find_map(|seat| {
        let wanted = game.tricks_wanted(seat)?;
        let made = |table: &TableResult| table.tally.tricks[game.party(seat)] >= wanted;
        let [first, second] = [made(&tables[0]), made(&tables[1])];
        Some(match seat {
            Seat::North => [first, second],
            _ => [second, first],
        })
    })
}

/// The sum of many boards between two players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Boards played.
    pub boards: u32,
    /// Boards with a gain above 0.
    pub won: u32,
    /// Boards with a gain of 0.
    pub tied: u32,
    /// Boards with a gain below 0.
    pub lost: u32,
    gains: SquareSums,
    imps: SquareSums,
    /// Contracts made by both players when declaring, by the first alone, by the
    /// second alone, by neither.
    pub contracts: [u32; 4],
}

impl Standing {
    /// Adds a board.
    pub fn add(&mut self, result: &BoardResult) {
        self.boards += 1;
        match result.gain.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => self.won += 1,
            std::cmp::Ordering::Equal => self.tied += 1,
            std::cmp::Ordering::Less => self.lost += 1,
        }
        self.gains.add(result.gain);
        self.imps.add(result.imps.into());
        if let Some([first, second]) = result.made {
            let kind = match (first, second) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            self.contracts[kind] += 1;
        }
    }

    /// Returns the difference of the first player's share of contracts made from the second's, and
    /// half the width of its 95 % interval; `None` without contracts.
    pub fn contracts_ahead(&self) -> Option<(f64, f64)> {
        let [_, first, second, _] = self.contracts.map(f64::from);
        let boards = f64::from(self.contracts.iter().sum::<u32>());
        let variance = first + second - (first - second).powi(2) / boards;
        (boards > 0.0).then(|| {
            let half_width = 1.96 * variance.max(0.0).sqrt() / boards;
            ((first - second) / boards, half_width)
        })
    }

    /// The probability that the contracts made by one player alone are shared out
    /// at least as unevenly as they are, if both players were equally good
    /// (McNemar's exact test, two-sided).
    pub fn contracts_p_value(&self) -> f64 {
        let [_, first, second, _] = self.contracts;
        let (count, few) = (first + second, first.min(second));
        // The tail of a binomial distribution with probability one half.
        let mut term = 0.5f64.powi(count as i32);
        let mut tail = 0.0;
        for at in 0..=few {
            tail += term;
            term *= f64::from(count - at) / f64::from(at + 1);
        }
        (2.0 * tail).min(1.0)
    }

    /// The mean gain a board.
    pub fn mean(&self) -> f64 {
        self.gains.mean()
    }

    /// The standard deviation of a board's gain.
    pub fn deviation(&self) -> f64 {
        self.gains.deviation()
    }

    /// Half the width of the mean's 95 % interval.
    pub fn half_width(&self) -> f64 {
        self.gains.half_width()
    }

    /// The mean of the international match points per board, and half the width of its 95 %
    /// interval.
    pub fn imps(&self) -> (f64, f64) {
        (self.imps.mean(), self.imps.half_width())
    }
}

/// The sums of a number over boards and of its squares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SquareSums {
    boards: f64,
    sum: f64,
    squares: f64,
}

impl SquareSums {
    fn add(&mut self, number: f64) {
        self.boards += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    fn mean(&self) -> f64 {
        self.sum / self.boards.max(1.0)
    }

    fn deviation(&self) -> f64 {
        let n = self.boards;
        if n < 2.0 {
            return f64::INFINITY;
        }
        let variance = (self.squares - self.sum * self.sum / n) / (n - 1.0);
        variance.max(0.0).sqrt()
    }

    /// Half the width of the mean's 95 % interval.
    fn half_width(&self) -> f64 {
        1.96 * self.deviation() / self.boards.max(1.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_intervals() {
        let mut standing = Standing::default();
        assert_eq!(standing.half_width(), f64::INFINITY);
        for gain in [1.0, -1.0, 0.0, 4.0] {
            standing.add(&BoardResult {
                gain,
                imps: gain as i32,
                made: None,
            });
        }
        assert_eq!((standing.won, standing.tied, standing.lost), (2, 1, 1));
        assert_eq!(standing.mean(), 1.0);
        let deviation = (14f64 / 3.0).sqrt();
        assert!((standing.deviation() - deviation).abs() < 1e-12);
        assert!((standing.half_width() - 0.98 * deviation).abs() < 1e-12);
        assert!((standing.imps().0 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn contracts_are_compared() {
        let mut standing = Standing::default();
        assert_eq!(standing.contracts_ahead(), None);
        let alone = [([true, false], 8), ([false, true], 2), ([true, true], 10)];
        for (made, boards) in alone {
            for _ in 0..boards {
                let made = Some(made);
                let (gain, imps) = (0.0, 0);
                standing.add(&BoardResult { gain, imps, made });
            }
        }
        assert_eq!(standing.contracts, [10, 8, 2, 0]);
        let (ahead, half_width) = standing.contracts_ahead().expect("contracts");
        assert!((ahead - 0.3).abs() < 1e-12);
        assert!((half_width - 1.96 * 8.2f64.sqrt() / 20.0).abs() < 1e-12);
        // (1 + 10 + 45) / 1024, twice.
        assert!((standing.contracts_p_value() - 112.0 / 1024.0).abs() < 1e-12);
    }
}
