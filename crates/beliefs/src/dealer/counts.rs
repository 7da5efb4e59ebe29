//! What scripts count in a hand.

use setrograde_cards::{Hand, Holding, Rank, Suit};

/// Points for the cards of a suit, from the ace to the deuce.
pub(super) type PointTable = [i64; 13];

/// The number of tables: the high-card points, and the ten alternative counts.
pub(super) const TABLES: usize = 11;

/// The usual tables: points; tens, jacks, queens, kings, aces; the cards among the top two to five;
/// 13 points in a suit.
pub(super) const USUAL: [PointTable; TABLES] = {
    const fn top(points: &[i64]) -> PointTable {
        let mut table = [0; 13];
        let mut at = 0;
        while at < points.len() {
            table[at] = points[at];
            at += 1;
        }
        table
    }
    [
        top(&[4, 3, 2, 1]),
        top(&[0, 0, 0, 0, 1]),
        top(&[0, 0, 0, 1]),
        top(&[0, 0, 1]),
        top(&[0, 1]),
        top(&[1]),
        top(&[1, 1]),
        top(&[1, 1, 1]),
        top(&[1, 1, 1, 1]),
        top(&[1, 1, 1, 1, 1]),
        top(&[6, 4, 2, 1]),
    ]
};

/// The sum of a table's points for the cards of a hand, or of one suit of it.
pub(super) fn sum(table: &PointTable, hand: Hand, suit: Option<Suit>) -> i64 {
    let of_suit = |suit: Suit| -> i64 {
        let points = |rank: Rank| table[usize::from(14 - rank.value())];
        hand.holding(suit).iter().map(points).sum()
    };
    suit.map_or_else(|| Suit::ALL.into_iter().map(of_suit).sum(), of_suit)
}

/// Returns true if a table has these numbers for the ranks.
pub(super) fn is_of(table: &PointTable, of_card: fn(Rank) -> u8) -> bool {
    let numbers = Rank::all().map(|rank| i64::from(of_card(rank)));
    numbers.eq(table.iter().copied())
}

/// The losers of a hand or a suit times 100, with half losers for ace-queen, for a lone king and for
/// honours with or without the jack or ten below them.
pub(super) fn half_losers(hand: Hand, suit: Option<Suit>) -> i64 {
    let of_suit = |suit: Suit| {
        let Honours { held, length } = Honours::of(hand.holding(suit));
        let [ace, king, queen, jack, ten, ..] = held;
        let count = |held: &[bool]| held.iter().filter(|&&held| held).count() as i64;
        match length {
            0 => 0,
            1 if king => 50,
            1 => 100 * i64::from(!ace),
            2 if ace && queen => 50,
            2 => 200 - 100 * count(&[ace, king]),
            _ => {
                let whole = 300 - 100 * count(&[ace, king, queen]);
                let better = jack && ace && king != queen || jack && ten && !queen && ace != king;
                let worse = queen && !ace && !king && !jack;
                whole - 50 * i64::from(better) + 50 * i64::from(worse)
            }
        }
    };
    suit.map_or_else(|| Suit::ALL.into_iter().map(of_suit).sum(), of_suit)
}

/// The cards of a suit that evaluations look at.
struct Honours {
    held: [bool; 7],
    length: i64,
}

impl Honours {
    fn of(held: Holding) -> Honours {
        let rank = |value: u8| Rank::new(value).is_some_and(|rank| held.contains(rank));
        Honours {
            held: [14, 13, 12, 11, 10, 9, 8].map(rank),
            length: held.len() as i64,
        }
    }

    /// The quality of the suit by Kaplan and Rubens (*The Bridge World*, October 1982), times 100:
    /// its points and those of its intermediate cards, times its length divided by ten.
    fn quality(&self) -> i64 {
        let [ace, king, queen, jack, ten, nine, eight] = self.held;
        let top: Vec<(bool, i64)> = vec![(ace, 4), (king, 3), (queen, 2), (jack, 1)];
        let honours = top.iter().filter(|(held, _)| *held);
        let (count, points) = honours.fold((0, 0), |(n, sum), (_, of)| (n + 1, sum + of));
        // In halves of a point.
        let more = if self.length > 6 {
            // The length is worth queen and jack.
            let missing = 3 - 2 * i64::from(queen) - i64::from(jack);
            2 * missing.min(self.length - 6)
        } else {
            let of_ten = if !ten {
                0
            } else if count > 1 || jack {
                2
            } else {
                1
            };
            of_ten + i64::from(nine && (count == 2 || ten || eight))
        };
        5 * self.length * (2 * points + more)
    }

    /// The value of the suit's honours by the same authors, times 100.
    fn value(&self) -> i64 {
        let [ace, king, queen, jack, ten, nine, _] = self.held;
        let mut value = 0;
        let mut higher = 0;
        if ace {
            value += 300;
            higher += 1;
        }
        if king {
            value += if self.length == 1 { 50 } else { 200 };
            higher += 1;
        }
        if queen {
            value += match self.length {
                1 => 25,
                2 => 75,
                _ => 100,
            };
            value -= if higher == 0 { 25 } else { 0 };
            higher += 1;
        }
        if jack {
            value += match higher {
                2 => 50,
                1 => 25,
                _ => 0,
            };
            higher += 1;
        }
        if ten && (higher == 2 || higher == 1 && nine) {
            value += 25;
        }
        value
    }
}

/// The quality of a suit, times 100.
pub(super) fn quality(hand: Hand, suit: Suit) -> i64 {
    Honours::of(hand.holding(suit)).quality()
}

/// The evaluation of a hand by Kaplan and Rubens, times 100.
pub(super) fn cccc(hand: Hand) -> i64 {
    let suits = Suit::ALL.map(|suit| Honours::of(hand.holding(suit)));
    let short: i64 = suits
        .iter()
        .map(|suit| 100 * (3 - suit.length).max(0))
        .sum();
    let shape = if short == 0 { -50 } else { short - 100 };
    let suits = suits.iter().map(|suit| suit.value() + suit.quality());
    shape + suits.sum::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losing tricks in halves of each kind of suit.
    #[test]
    fn half_losers_are_those_of_their_table() {
        for (losers, suits) in [
            (0, " A AK AKQ"),
            (50, "K AQ AKJ AQJ"),
            (100, "Q T AJ A2 KQ KJ K2 AKT AK2 AQT AQ2 KQJ KQT KQ2 KQ432"),
            (150, "AJT KJT AJT32"),
            (200, "QJ Q2 JT 32 AJ2 AT2 A32 KJ2 K32 QJT QJ2"),
            (250, "QT2 Q32 Q5432"),
            (300, "JT9 432 T9876"),
        ] {
            for suit in suits.split(' ') {
                let hand: Hand = format!("{suit}...").parse().expect("a hand");
                assert_eq!(half_losers(hand, Some(Suit::Spades)), losers, "{suit}");
                assert_eq!(half_losers(hand, None), losers, "{suit}");
            }
        }
    }
}
