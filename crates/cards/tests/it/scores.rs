//! Scores compared with a table from another program.

use setrograde_cards::{Bid, Doubling};

/// `4SX 1 10 790`: the contract, whether vulnerable, tricks taken, the score.
const TABLE: &str = include_str!("../../../../data/play/bridge_scores.txt");

/// A contract's score as the law lists it, term by term and not by formula.
fn by_the_book(bid: Bid, doubling: Doubling, vulnerable: bool, tricks: u8) -> i32 {
    let v = usize::from(vulnerable);
    let d = doubling as usize;
    if tricks < bid.tricks() {
        let first = [[50, 100, 200], [100, 200, 400]][v][d];
        let second_and_third = [[50, 200, 400], [100, 300, 600]][v][d];
        let later = [[50, 300, 600], [100, 300, 600]][v][d];
        return -(1..=bid.tricks() - tricks)
            .map(|n| match n {
                1 => first,
                2 | 3 => second_and_third,
                _ => later,
            })
            .sum::<i32>();
    }
    let minor = bid.to_string().ends_with(['C', 'D']);
    let notrump = bid.to_string().ends_with("NT");
    let mut points = 0;
    for odd_trick in 1..=bid.level() {
        points += match (minor, notrump, odd_trick) {
            (true, ..) => 20,
            (_, true, 1) => 40,
            _ => 30,
        };
    }
    points *= [1, 2, 4][d];
    let overtrick = match doubling {
        Doubling::Undoubled if minor => 20,
        Doubling::Undoubled => 30,
        Doubling::Doubled => [100, 200][v],
        Doubling::Redoubled => [200, 400][v],
    };
    let bonus = if points < 100 { 50 } else { [300, 500][v] };
    let slam = match bid.level() {
        6 => [500, 750][v],
        7 => [1000, 1500][v],
        _ => 0,
    };
    let insult = [0, 50, 100][d];
    points + bonus + slam + insult + overtrick * i32::from(tricks - bid.tricks())
}

#[test]
fn every_score_follows_the_law() {
    for bid in Bid::all() {
        for doubling in [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled] {
            for vulnerable in [false, true] {
                for tricks in 0..=13 {
                    assert_eq!(
                        bid.score(tricks, doubling, vulnerable),
                        by_the_book(bid, doubling, vulnerable, tricks),
                        "{bid}{doubling} {vulnerable} {tricks}"
                    );
                }
            }
        }
    }
}

#[test]
fn scores_equal_another_programs() {
    let mut compared = 0;
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [contract, vulnerable, tricks, score] = fields[..] else {
            panic!("not a score: {line}");
        };
        let bid = contract.trim_end_matches('X');
        let doubling: Doubling = contract[bid.len()..].parse().expect("a doubling");
        let bid: Bid = bid.parse().expect("a bid");
        let ours = bid.score(tricks.parse().expect("tricks"), doubling, vulnerable == "1");
        assert_eq!(ours.to_string(), score, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 1470);
}
