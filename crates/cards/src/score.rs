//! Duplicate scores and international match points (Laws of Duplicate Bridge
//! 2017, laws 77 and 78B).

use crate::{Bid, Contract, Doubling, Side, Strain, Suit, Vulnerability};

/// Tricks in a deal.
const TRICKS: i32 = 13;

impl Bid {
    /// The declaring side's duplicate score when it takes `tricks` tricks:
    /// negative if it goes down.
    ///
    /// More than 13 tricks count as 13.
    ///
    /// ```
    /// use setrograde_cards::{Bid, Doubling};
    ///
    /// let game: Bid = "4S".parse()?;
    /// assert_eq!(game.score(10, Doubling::Undoubled, true), 620);
    /// assert_eq!(game.score(8, Doubling::Doubled, false), -300);
    /// # Ok::<(), setrograde_cards::TextError>(())
    /// ```
    pub fn score(self, tricks: u8, doubling: Doubling, vulnerable: bool) -> i32 {
        let over = i32::from(tricks).min(TRICKS) - i32::from(self.tricks());
        if over >= 0 {
            self.made(over, doubling, vulnerable)
        } else {
            -penalty(-over, doubling, vulnerable)
        }
    }

    fn made(self, over: i32, doubling: Doubling, vulnerable: bool) -> i32 {
        let (each, first) = match self.strain() {
            Strain::NoTrump => (30, 10),
            Strain::Trump(Suit::Spades | Suit::Hearts) => (30, 0),
            Strain::Trump(Suit::Diamonds | Suit::Clubs) => (20, 0),
        };
        let tricks = (each * i32::from(self.level()) + first) * doubling.factor();
        let game = match (tricks >= 100, vulnerable) {
            (false, _) => 50,
            (true, false) => 300,
            (true, true) => 500,
        };
        let slam = match (self.level(), vulnerable) {
            (6, false) => 500,
            (6, true) => 750,
            (7, false) => 1000,
            (7, true) => 1500,
            _ => 0,
        };
        let (insult, overtrick) = match doubling {
            Doubling::Undoubled => (0, each),
            _ => {
                let base = if vulnerable { 100 } else { 50 };
                (25 * doubling.factor(), base * doubling.factor())
            }
        };
        tricks + game + slam + insult + over * overtrick
    }
}

/// The penalty for `under` undertricks, 1 or more.
fn penalty(under: i32, doubling: Doubling, vulnerable: bool) -> i32 {
    let doubled = match (vulnerable, under) {
        (true, _) => 300 * under - 100,
        (false, ..=3) => 200 * under - 100,
        (false, _) => 300 * under - 400,
    };
    match (doubling, vulnerable) {
        (Doubling::Undoubled, false) => 50 * under,
        (Doubling::Undoubled, true) => 100 * under,
        (Doubling::Doubled, _) => doubled,
        (Doubling::Redoubled, _) => 2 * doubled,
    }
}

impl Contract {
    /// The duplicate score of `side` when the declarer takes `tricks` tricks.
    ///
    /// More than 13 tricks count as 13.
    pub fn score(self, tricks: u8, vulnerability: Vulnerability, side: Side) -> i32 {
        let vulnerable = vulnerability.includes(self.declarer.side());
        let score = self.bid.score(tricks, self.doubling, vulnerable);
        if side == self.declarer.side() {
            score
        } else {
            -score
        }
    }
}

/// Smallest differences that are worth 1, 2, … 24 international match points.
const IMP_STEPS: [u32; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
];

/// The international match points for a difference of scores: −24 to 24, of
/// the difference's sign.
///
/// ```
/// use setrograde_cards::imps;
///
/// // 4♠ made at one table, one down at the other, not vulnerable.
/// assert_eq!(imps(420 - -50), 10);
/// assert_eq!(imps(-10), 0);
/// ```
pub fn imps(difference: i32) -> i32 {
    let points = IMP_STEPS.partition_point(|&least| least <= difference.unsigned_abs()) as i32;
    points * difference.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seat;

    #[test]
    fn the_score_is_one_sides_loss_and_the_others_gain() {
        let contract: Contract = "3NTXE".parse().unwrap();
        let score = |tricks, side| contract.score(tricks, Vulnerability::NorthSouth, side);
        assert_eq!(contract.declarer, Seat::East);
        assert_eq!(score(9, Side::EastWest), 550);
        assert_eq!(score(9, Side::NorthSouth), -550);
        assert_eq!(score(7, Side::NorthSouth), 300);
        assert_eq!(score(255, Side::EastWest), score(13, Side::EastWest));
    }

    #[test]
    fn match_points() {
        assert_eq!([0, 10, 19, 20, 40, 49, 50].map(imps), [0, 0, 0, 1, 1, 1, 2]);
        assert_eq!(
            [3490, 3500, 3990, 4000, 7600].map(imps),
            [22, 23, 23, 24, 24]
        );
        assert_eq!(imps(i32::MIN), -24);
        for difference in -5000..5000 {
            assert_eq!(imps(-difference), -imps(difference));
            assert!(imps(difference) <= imps(difference + 1));
        }
    }
}
