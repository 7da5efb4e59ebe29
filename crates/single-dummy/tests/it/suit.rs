//! One suit: against brute force over all plans, and against published chances.

use std::collections::HashMap;

use setrograde_cards::Holding;
use setrograde_parallel::Stop;
use setrograde_single_dummy::{SuitError, SuitHolding};

fn holding(text: &str) -> Holding {
    let hand: setrograde_cards::Hand = format!("{text}...").parse().expect("a holding");
    hand.holding(setrograde_cards::Suit::Spades)
}

fn chance(north: &str, south: &str, tricks: usize) -> f64 {
    let suit =
        SuitHolding::new(holding(north), holding(south), Holding::EMPTY, [13, 13]).expect("a suit");
    suit.line(tricks).expect("a line").chance
}

/// Brute force: single cards instead of classes, no memory, and nothing left out but sets that
/// another plan's set includes. Returns the sets of East's holdings that a plan wins.
struct Brute {
    /// East's cards in each layout.
    layouts: Vec<u16>,
    out: u16,
    tricks: u32,
}

type Sets = Vec<u64>;

fn add(sets: &mut Sets, set: u64) {
    if sets.iter().any(|other| set & !other == 0) {
        return;
    }
    sets.retain(|other| other & !set != 0);
    sets.push(set);
}

impl Brute {
    /// The sets won from the start of a trick; `alive` are the layouts that fit.
    fn trick(&self, hands: [u16; 2], gone: u16, alive: u64, won: u32) -> Sets {
        if won >= self.tricks {
            return vec![alive];
        }
        if hands == [0, 0] {
            return vec![0];
        }
        let mut sets = Sets::new();
        for leader in 0..2 {
            for card in bits(hands[leader]) {
                let mut left = hands;
                left[leader] &= !card;
                for set in self.theirs(left, gone, alive, won, leader, leader, &[card], 0) {
                    add(&mut sets, set);
                }
            }
        }
        sets
    }

    #[allow(clippy::too_many_arguments)]
    fn theirs(
        &self,
        hands: [u16; 2],
        gone: u16,
        alive: u64,
        won: u32,
        leader: usize,
        who: usize,
        ours: &[u16],
        theirs: u16,
    ) -> Sets {
        let mut moves: HashMap<u16, u64> = HashMap::new();
        for (at, &east) in self.layouts.iter().enumerate() {
            if alive >> at & 1 == 0 {
                continue;
            }
            let held = if who == 0 { east } else { self.out & !east } & !gone;
            let cards: Vec<u16> = if held == 0 {
                vec![0]
            } else {
                bits(held).collect()
            };
            for card in cards {
                *moves.entry(card).or_default() |= 1 << at;
            }
        }
        let mut sets = vec![alive];
        for (card, with) in moves {
            let (gone, theirs) = (gone | card, theirs.max(card));
            let after = if ours.len() == 2 {
                let took = u32::from(ours.iter().max() > Some(&theirs));
                self.trick(hands, gone, with, won + took)
            } else {
                let mut sets = Sets::new();
                let third: Vec<u16> = match hands[1 - leader] {
                    0 => vec![0],
                    cards => bits(cards).collect(),
                };
                for card in third {
                    let mut left = hands;
                    left[1 - leader] &= !card;
                    let ours = [ours[0], card];
                    for set in self.theirs(left, gone, with, won, leader, 1 - who, &ours, theirs) {
                        add(&mut sets, set);
                    }
                }
                sets
            };
            let mut joined = Sets::new();
            for set in &sets {
                for won in &after {
                    add(&mut joined, set & !with | set & won);
                }
            }
            sets = joined;
        }
        sets
    }
}

fn bits(cards: u16) -> impl Iterator<Item = u16> {
    (0..16)
        .map(|bit| 1 << bit)
        .filter(move |bit| cards & bit != 0)
}

fn brute(hands: [u16; 2], out: u16, vacant: [usize; 2], tricks: u32) -> f64 {
    let east_of = (0..=out).filter(|east| east & !out == 0);
    let layouts: Vec<u16> = east_of
        .filter(|east| east.count_ones() as usize <= vacant[0])
        .filter(|east| (out & !east).count_ones() as usize <= vacant[1])
        .collect();
    let choose = |n: usize, k: usize| (1..=k).fold(1.0, |v, i| v * (n + 1 - i) as f64 / i as f64);
    let others = vacant[0] + vacant[1] - out.count_ones() as usize;
    let weight = |east: u16| choose(others, vacant[0] - east.count_ones() as usize);
    let all: f64 = layouts.iter().map(|&east| weight(east)).sum();
    let brute = Brute {
        layouts,
        out,
        tricks,
    };
    let alive = u64::MAX >> (64 - brute.layouts.len());
    let sets = brute.trick(hands, 0, alive, 0);
    let chance = |set: &u64| {
        let held = brute.layouts.iter().enumerate();
        let won = held.filter(|(at, _)| set >> at & 1 == 1);
        won.map(|(_, &east)| weight(east)).sum::<f64>() / all
    };
    sets.iter().map(chance).fold(0.0, f64::max)
}

/// Random holdings in suits of up to eight cards; higher and lower ones have been played.
#[test]
fn lines_are_those_of_brute_force() {
    let mut random = fastrand::Rng::with_seed(29);
    let mut most_out = 0;
    let mut fingerprint = 0xcbf2_9ce4_8422_2325_u64;
    for case in 0..250 {
        let mut ranks: Vec<u16> = (0..13).map(|rank| 1 << rank).collect();
        random.shuffle(&mut ranks);
        let cards = 5 + case % 4;
        let (all, gone) = ranks.split_at(cards);
        let out: u16 = all[..1 + random.usize(..(cards - 1).min(6))].iter().sum();
        let ours = all.iter().sum::<u16>() & !out;
        let north: u16 = bits(ours).filter(|_| random.bool()).sum();
        let hands = [north, ours & !north];
        let vacant = [12 - random.usize(..4), 12 - random.usize(..4)];
        let [north, south] = hands.map(Holding::from_bits);
        let gone = Holding::from_bits(gone.iter().sum());
        let suit = SuitHolding::new(north, south, gone, vacant).expect("a suit");
        let tricks = 1 + random.usize(..suit.most());
        let found = suit.line(tricks).expect("a line");
        let expected = brute(hands, out, vacant, tricks as u32);
        assert!(
            (found.chance - expected).abs() < 1e-9,
            "{north} {south} without {gone} {vacant:?} {tricks}: {} {expected}",
            found.chance
        );
        let by_split: f64 = found.splits.iter().map(|split| split.chance).sum();
        assert!((by_split - 1.0).abs() < 1e-9);
        most_out = most_out.max(out.count_ones());
        for byte in found.to_string().bytes() {
            fingerprint = (fingerprint ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    // A change that claims not to change lines and their words leaves this (FNV-1a) as it is.
    assert_eq!(fingerprint, 17_123_950_949_577_555_177);
    assert!(most_out >= 5, "{most_out}");
}

/// Every chance of a division that the Official Encyclopedia of Bridge tabulates for 2 to 11
/// cards, in per cent as there.
#[test]
fn divisions_are_those_of_the_tables() {
    let tables: [(usize, &[f64]); 10] = [
        (2, &[52.00, 48.00]),
        (3, &[78.00, 22.00]),
        (4, &[40.70, 49.74, 9.57]),
        (5, &[67.83, 28.26, 3.91]),
        (6, &[35.53, 48.45, 14.53, 1.49]),
        (7, &[62.17, 30.52, 6.78, 0.52]),
        (8, &[32.72, 47.12, 17.14, 2.86, 0.16]),
        (9, &[58.90, 31.41, 8.57, 1.07, 0.05]),
        (10, &[31.18, 46.20, 18.48, 3.78, 0.35, 0.01]),
        (11, &[57.17, 31.76, 9.53, 1.44, 0.10, 0.00]),
    ];
    let mut compared = 0;
    for (out, table) in tables {
        // North has the other cards.
        let top = &"AKQJT98765432"[..13 - out];
        let found = SuitHolding::new(holding(top), holding(""), holding(""), [13, 13]).unwrap();
        let splits = found.line(1).expect("a line").splits;
        assert_eq!(splits.len(), out + 1);
        for (index, &expected) in table.iter().enumerate() {
            let longer = out.div_ceil(2) + index;
            let both = splits
                .iter()
                .filter(|split| split.lengths.contains(&longer));
            let found: f64 = both.map(|split| split.chance).sum();
            assert!(
                (100.0 * found - expected).abs() < 0.0051,
                "{out}: {found} {expected}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 40);
}

/// Holdings whose chances every player knows, in per cent as printed.
#[test]
fn well_known_holdings() {
    let known = [
        // Simple finesses.
        ("AQ", "32", 2, 50.0),
        ("K2", "43", 1, 50.0),
        ("AQJ", "432", 3, 50.0),
        // Two finesses: one of two honours onside, or both.
        ("AJT", "432", 2, 76.0),
        ("AQT", "432", 3, 24.0),
        // The queen with nine cards: 2-2, a single queen, or four with West (40.70 + 12.43 + 4.78).
        ("AKJT9", "8765", 5, 57.91),
        ("AQJT9", "87654", 5, 50.0),
        // Eleven cards without the king: the drop.
        ("AQJT98", "76543", 6, 52.0),
        // Aces, kings and queens with small cards: the long card needs a 3-3 division.
        ("AKQ2", "543", 4, 35.53),
        // Four cards opposite four: 3-2.
        ("AKQ2", "6543", 4, 67.83),
        // Ace, king and small ones with nine cards: a 2-2 division for no loser.
        ("AK432", "8765", 5, 40.70),
    ];
    for (north, south, tricks, expected) in known {
        let found = 100.0 * chance(north, south, tricks);
        assert!(
            (found - expected).abs() < 0.006,
            "{north} {south} {tricks}: {found}"
        );
    }
}

#[test]
fn a_line_is_printed_with_what_it_wins() {
    let suit = SuitHolding::new(holding("AJT"), holding("432"), Holding::EMPTY, [13, 13]);
    let printed = suit.expect("a suit").line(2).expect("a line").to_string();
    for line in [
        "2 tricks: 76.0 %",
        "  Lead the 2 from South. West low: the T. West (K/Q): the A.",
        "        If West: low:",
        "          Lead the A from North, the 4 from South.",
        "     4-3      31.1 %       35    25  xxxx (K/Q)xxx",
        "     0-7       0.3 %        1     1",
    ] {
        assert!(
            printed.lines().any(|other| other == line),
            "{line}\n{printed}"
        );
    }
}

/// Cards below all cards that matter are low, unless they are few and one of them is a jack or
/// higher.
#[test]
fn many_cards_and_small_cards_are_low() {
    for (gone, seen) in [("-", "low"), ("87654", "(J/T/9)"), ("J87654", "low")] {
        let suit = SuitHolding::read(["AQ", "32"], gone, [13, 13]).expect("a suit");
        let plan = suit.line(2).expect("a line").plan;
        assert!(plan.contains(&format!("West {seen}: the Q.")), "{plan}");
    }
}

/// Exact halves and certainties are exact to the last bit, and written holdings read back the same.
#[test]
fn chances_are_exact_and_low_cards_have_no_name() {
    let read = |north, south| SuitHolding::read([north, south], "-", [13, 13]);
    let suit = read("KT86", "97").expect("a suit");
    assert_eq!(suit.line(2).expect("a line").chance, 0.5);
    for tricks in 0..=1 {
        assert_eq!(suit.line(tricks).expect("a line").chance, 1.0);
    }
    let [low, named] = [read("AJxxx", "Qx"), read("AJ432", "Q5")];
    let (low, named) = (low.expect("a suit"), named.expect("a suit"));
    for tricks in 0..=5 {
        assert_eq!(
            low.line(tricks).expect("a line").chance,
            named.line(tricks).expect("a line").chance
        );
    }
    assert_eq!(
        read("A10x", "-")
            .expect("a suit")
            .line(1)
            .map(|line| line.chance),
        Some(1.0)
    );
    for (north, south, problem) in [
        ("AY", "2", "\"AY\": column 2: 'Y' is not a rank"),
        ("xxxxxxx", "xxxxxxx", "a suit has 13 cards"),
        ("-", "-", "both hands are void"),
    ] {
        let error = read(north, south).unwrap_err().to_string();
        assert!(error.starts_with(problem), "{error}");
    }
    let error = SuitHolding::read(["A", "K"], "-", [99_999_999_999, 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "99999999999 vacant places; a hand has at most 13"
    );
}

/// The line is that for the tricks asked for, or else for the most with an even chance.
#[test]
fn an_answer_is_for_tricks_that_the_suit_can_take() {
    let suit = SuitHolding::read(["AQJ", "432"], "-", [13, 13]).expect("a suit");
    for (asked, tricks) in [(None, 3), (Some(0), 0), (Some(2), 2), (Some(3), 3)] {
        let found = suit
            .answer(asked)
            .expect("tricks of the suit")
            .expect("no deadline");
        assert_eq!(found.line.tricks, tricks);
        assert_eq!(found.line.chance, found.at_least[tricks]);
        assert_eq!((found.at_least.len(), found.at_least[3]), (4, 0.5));
    }
    let error = suit.answer(Some(4)).unwrap_err();
    assert_eq!(error, SuitError::Tricks { tricks: 4, most: 3 });
}

/// A plan does not depend on the opponents' cards where it need not.
#[test]
fn plans_are_short() {
    for (north, south, tricks, most) in [
        ("K9732", "A5", 3, 5),
        ("AJT98", "432", 4, 20),
        ("AKQ2", "543", 4, 4),
        ("AJ9x", "Kxx", 3, 40),
        ("Q9xx", "AJxxx", 4, 40),
    ] {
        let suit = SuitHolding::read([north, south], "-", [13, 13]).expect("a suit");
        let plan = suit.line(tricks).expect("a line").plan;
        assert!(plan.lines().count() <= most, "{north} {south}:\n{plan}");
    }
}

/// A continuation depends on who won the trick, on one card of the opponents, or on both.
#[test]
fn plans_say_what_a_continuation_depends_on() {
    let kept = [None, None];
    let few = |north, south| [Some(north), Some(south)];
    for (hands, gone, tricks, entries, expected) in [
        (
            ["K6", "Q842"],
            "JT973",
            2,
            few(0, 2),
            "\
Lead the 8 from South, the K from North.
  If that loses:
    Lead the Q from South, the 6 from North.
    Lead the 2 from South.
  If that wins:
    Lead the 6 from North, the 2 from South.
    Lead the 4 from South.
",
        ),
        (
            ["Q74", "T63"],
            "KJ5",
            2,
            few(2, 0),
            "\
Lead the 7 from North. East low or (9/8): the T. East A:
  the 3.
  If that wins:
    Lead the 6 from South, the 4 from North.
    Lead the Q from North, the 3 from South.
  If West: A:
    Lead the Q from North, the 3 from South.
    Lead the 4 from North, the 6 from South.
  If East: A:
    Lead the Q from North, the 6 from South.
    Lead the 4 from North, the T from South.
",
        ),
        (
            ["KJ98", "Q7"],
            "53",
            3,
            kept,
            "\
Lead the 8 from North. East low or T or shows out: the Q.
  East A: the 7.
  If East and West: low and low; low and T; low and A; T
    and low; T and A; shows out and T:
    Lead the J from North, the 7 from South.
    Lead the K from North.
    Lead the 9 from North.
  If East: A:
    Lead the Q from South, the 9 from North.
    Lead the J from North.
    Lead the K from North.
  If East and West: shows out and low; shows out and A:
    Lead the 7 from South. West low or A: the 9. West T: the J.
      If West: low or A:
        Lead the J from North.
        Lead the K from North.
      If West: T:
        Lead the 9 from North.
        Lead the K from North.
",
        ),
    ] {
        let suit = SuitHolding::read(hands, gone, [13, 13]).expect("a suit");
        let plan = suit
            .with_entries(entries)
            .line(tricks)
            .expect("a line")
            .plan;
        assert_eq!(plan, expected, "\n{plan}");
    }
}

/// Vectors of tricks by brute force: single cards, no memory, nothing left out but vectors that
/// another is as good as everywhere.
fn vectors(east: &[u16], out: u16, hands: [u16; 2], gone: u16) -> Vec<Vec<u8>> {
    if hands == [0, 0] {
        return vec![vec![0; east.len()]];
    }
    let mut found: Vec<Vec<u8>> = Vec::new();
    let add = |found: &mut Vec<Vec<u8>>, new: Vec<u8>| {
        let worse = |a: &Vec<u8>, b: &Vec<u8>| a.iter().zip(b).all(|(a, b)| a <= b);
        if !found.iter().any(|other| worse(&new, other)) {
            found.retain(|other| !worse(other, &new));
            found.push(new);
        }
    };
    let cards = |layout: u16, who: usize, gone: u16| -> Vec<u16> {
        let held = if who == 0 { layout } else { out & !layout } & !gone;
        if held == 0 {
            vec![0]
        } else {
            bits(held).collect()
        }
    };
    for leader in 0..2 {
        for lead in bits(hands[leader]) {
            // For each card of the second hand, the options of the third hand.
            let mut lines = vec![vec![u8::MAX; east.len()]];
            for second in bits(out).chain([0]) {
                let with: Vec<usize> = (0..east.len())
                    .filter(|&at| cards(east[at], leader, gone).contains(&second))
                    .collect();
                if with.is_empty() {
                    continue;
                }
                let mut choices: Vec<Vec<u8>> = Vec::new();
                let thirds: Vec<u16> = match hands[1 - leader] {
                    0 => vec![0],
                    held => bits(held).collect(),
                };
                for third in thirds {
                    let mut left = hands;
                    left[leader] &= !lead;
                    left[1 - leader] &= !third;
                    let mut of_third = vec![vec![u8::MAX; east.len()]];
                    for fourth in bits(out).chain([0]) {
                        let with: Vec<usize> = with
                            .iter()
                            .copied()
                            .filter(|&at| cards(east[at], 1 - leader, gone).contains(&fourth))
                            .collect();
                        if with.is_empty() {
                            continue;
                        }
                        let few: Vec<u16> = with.iter().map(|&at| east[at]).collect();
                        let took = u8::from(lead.max(third) > second.max(fourth));
                        let mut joined = Vec::new();
                        for rest in vectors(&few, out, left, gone | second | fourth) {
                            for line in &of_third {
                                let mut line = line.clone();
                                for (&at, more) in with.iter().zip(&rest) {
                                    line[at] = line[at].min(took + more);
                                }
                                add(&mut joined, line);
                            }
                        }
                        of_third = joined;
                    }
                    of_third
                        .into_iter()
                        .for_each(|line| add(&mut choices, line));
                }
                let mut joined = Vec::new();
                for line in &lines {
                    for choice in &choices {
                        let least = line.iter().zip(choice).map(|(a, b)| *a.min(b));
                        add(&mut joined, least.collect());
                    }
                }
                lines = joined;
            }
            lines.into_iter().for_each(|line| add(&mut found, line));
        }
    }
    found
}

/// With eight cards out and few of one's own lines differ in many layouts.
#[test]
fn suits_with_many_cards_out_are_quick() {
    let by = std::time::Instant::now() + std::time::Duration::from_secs(20);
    for (north, south) in [("KT86", "3"), ("QT7", "8"), ("K9", "J4")] {
        let suit = SuitHolding::read([north, south], "-", [13, 13]).expect("a suit");
        let suit = suit.with_stop(Stop::default().by(by));
        for tricks in 0..=suit.most() {
            let line = suit.line(tricks);
            assert!(line.is_some(), "{north} {south}: {tricks}");
        }
    }
}

#[test]
fn averages_are_those_of_brute_force() {
    let mut random = fastrand::Rng::with_seed(31);
    for case in 0..120 {
        let mut ranks: Vec<u16> = (0..13).map(|rank| 1 << rank).collect();
        random.shuffle(&mut ranks);
        let cards = 4 + case % 3;
        let (all, gone) = ranks.split_at(cards);
        let out: u16 = all[..1 + random.usize(..3)].iter().sum();
        let ours = all.iter().sum::<u16>() & !out;
        let north: u16 = bits(ours).filter(|_| random.bool()).sum();
        let hands = [north, ours & !north];
        let [a, b] = hands.map(Holding::from_bits);
        let gone = Holding::from_bits(gone.iter().sum());
        let suit = SuitHolding::new(a, b, gone, [13, 13]).expect("a suit");
        let found = suit.averages().expect("few lines");
        let east: Vec<u16> = (0..=out).filter(|east| east & !out == 0).collect();
        let choose =
            |n: usize, k: usize| (1..=k).fold(1.0, |v, i| v * (n + 1 - i) as f64 / i as f64);
        let others = 26 - out.count_ones() as usize;
        let weight = |east: u16| choose(others, 13 - east.count_ones() as usize);
        let total: f64 = east.iter().map(|&east| weight(east)).sum();
        let mean = |line: &Vec<u8>| {
            let each = line
                .iter()
                .zip(&east)
                .map(|(&tricks, &east)| f64::from(tricks) * weight(east));
            each.sum::<f64>() / total
        };
        let best = vectors(&east, out, hands, 0)
            .iter()
            .map(mean)
            .fold(0.0, f64::max);
        assert!(
            (found.mean.mean - best).abs() < 1e-9,
            "{a} {b} without {gone}: {found:?} {best}"
        );
        let sum: f64 = found.mean.at_least.iter().skip(1).sum();
        assert!((sum - best).abs() < 1e-9);
        let matchpoints = found.matchpoints.expect("few lines");
        assert!(matchpoints.matchpoints >= found.mean.matchpoints);
        assert!(matchpoints.mean <= best + 1e-9);
        for tricks in 0..=suit.most() {
            let most = suit.line(tricks).expect("a line").chance;
            for of in [&found.mean, &matchpoints] {
                assert!(
                    of.at_least
                        .get(tricks)
                        .is_none_or(|&chance| chance <= most + 1e-9)
                );
            }
        }
    }
}

/// Where the lines are too many to compare each with all others, the best on average is found.
#[test]
fn the_best_on_average_needs_no_matchpoints() {
    let suit = SuitHolding::read(["KT86", "3"], "-", [13, 13]).expect("a suit");
    let found = suit.averages().expect("the best on average");
    assert_eq!(found.matchpoints, None);
    assert!(
        found.mean.mean >= suit.line(1).expect("a line").chance,
        "{found:?}"
    );
    assert!((found.mean.mean - 0.53863).abs() < 1e-5, "{found:?}");
}

#[test]
fn a_deadline_ends_the_search() {
    use std::time::{Duration, Instant};
    // The longest search without a limit: single cards and pairs in turn.
    let holding = SuitHolding::read(["KT86", "2"], "-", [13, 13]).expect("a suit");
    let start = Instant::now();
    let until = |end| holding.clone().with_stop(Stop::default().by(end));
    let cancelled = until(start);
    assert!(cancelled.line(2).is_none());
    assert!(cancelled.averages().is_none());
    let found = cancelled.answer(None).expect("a suit");
    assert!(found.is_none());
    assert!(start.elapsed() < Duration::from_secs(2));
    let chance = |suit: &SuitHolding| suit.line(1).map(|line| line.chance);
    let later = until(start + Duration::from_secs(3600));
    assert!(chance(&holding).is_some());
    assert_eq!(chance(&later), chance(&holding));
}

/// Where few layouts are left their weights are small numbers, and a line that loses some of them
/// is found anyway.
#[test]
fn suits_of_few_layouts_are_searched_to_an_end() {
    use std::time::{Duration, Instant};
    let suits = [
        ("KJ T9", "8765432", 2),
        ("AJ9 876", "5432", 3),
        ("KT9 J", "76543", 4),
    ];
    for (hands, gone, out) in suits {
        let (north, south) = hands.split_once(' ').expect("two hands");
        for east in 0..=out {
            let suit = SuitHolding::read([north, south], gone, [east, out - east]).expect("a suit");
            let by = Instant::now() + Duration::from_secs(20);
            let suit = suit.with_stop(Stop::default().by(by));
            for tricks in 0..=suit.most() {
                let line = suit.line(tricks).expect("a line within 20 s");
                assert!((0.0..=1.0).contains(&line.chance));
            }
            assert!(suit.averages().is_some());
        }
    }
}

/// Complete lines by brute force, with entries: no memory, every card of each hand, nothing left
/// out but vectors that another is as good as everywhere. Declarer cannot distinguish touching
/// cards of the opponents.
struct Lines {
    /// The opponents' cards by class, from the top: their number, and the bit of their lowest rank.
    classes: Vec<(u8, u16)>,
    /// East's cards of each class.
    layouts: Vec<Vec<u8>>,
}

/// A point at the start of a trick.
#[derive(Clone)]
struct Point {
    hands: [u16; 2],
    /// By opponent and class.
    played: [Vec<u8>; 2],
    entries: [Option<u8>; 2],
    inside: Option<usize>,
}

type Vectors = Vec<Vec<u8>>;

fn keep(found: &mut Vectors, new: Vec<u8>) {
    let worse = |a: &Vec<u8>, b: &Vec<u8>| a.iter().zip(b).all(|(a, b)| a <= b);
    if !found.iter().any(|other| worse(&new, other)) {
        found.retain(|other| !worse(other, &new));
        found.push(new);
    }
}

impl Lines {
    fn new(out: u16, ours: u16) -> Lines {
        let mut classes: Vec<(u8, u16)> = Vec::new();
        let mut apart = true;
        for card in (0..13).rev().map(|rank| 1 << rank) {
            if ours & card != 0 {
                apart = true;
            } else if out & card != 0 {
                match classes.last_mut() {
                    Some((count, low)) if !apart => (*count, *low) = (*count + 1, card),
                    _ => classes.push((1, card)),
                }
                apart = false;
            }
        }
        let mut layouts = vec![Vec::new()];
        for &(count, _) in &classes {
            let with = |layout: &Vec<u8>| {
                let layout = layout.clone();
                (0..=count).map(move |held| [&layout[..], &[held]].concat())
            };
            layouts = layouts.iter().flat_map(with).collect();
        }
        Lines { classes, layouts }
    }

    /// The classes that an opponent may play in a layout; `None` if it shows out.
    fn plays(&self, at: usize, who: usize, played: &[u8]) -> Vec<Option<usize>> {
        let held = |class: usize| match who {
            0 => self.layouts[at][class],
            _ => self.classes[class].0 - self.layouts[at][class],
        };
        let classes = 0..self.classes.len();
        let found: Vec<Option<usize>> = classes
            .filter(|&class| held(class) > played[class])
            .map(Some)
            .collect();
        if found.is_empty() { vec![None] } else { found }
    }

    /// For each of the layouts `alive` the tricks of each line, of which none is as good as
    /// another.
    fn from(&self, point: &Point, alive: &[usize]) -> Vectors {
        let mut found = Vectors::new();
        for leader in 0..2 {
            let mut entries = point.entries;
            if point.inside != Some(leader)
                && let Some(left) = &mut entries[leader]
            {
                match *left {
                    0 => continue,
                    _ => *left -= 1,
                }
            }
            for lead in bits(point.hands[leader]) {
                let mut led = Point {
                    entries,
                    ..point.clone()
                };
                led.hands[leader] &= !lead;
                for line in self.second(&led, leader, lead, alive) {
                    keep(&mut found, line);
                }
            }
        }
        if found.is_empty() {
            found.push(vec![0; alive.len()]);
        }
        found
    }

    /// Each card of an opponent, and the minimum over layouts of the tricks reached `after` it.
    fn least(
        &self,
        point: &Point,
        who: usize,
        alive: &[usize],
        after: impl Fn(&Point, u16, &[usize]) -> Vectors,
    ) -> Vectors {
        let mut lines = vec![vec![u8::MAX; alive.len()]];
        let classes = (0..self.classes.len()).map(Some).chain([None]);
        for class in classes {
            let may = |&index: &usize| {
                self.plays(alive[index], who, &point.played[who])
                    .contains(&class)
            };
            let indices: Vec<usize> = (0..alive.len()).filter(may).collect();
            if indices.is_empty() {
                continue;
            }
            let mut next = point.clone();
            let card = class.map_or(0, |class| {
                next.played[who][class] += 1;
                self.classes[class].1
            });
            let few: Vec<usize> = indices.iter().map(|&index| alive[index]).collect();
            let mut joined = Vectors::new();
            for rest in after(&next, card, &few) {
                for line in &lines {
                    let mut line = line.clone();
                    for (&index, &tricks) in indices.iter().zip(&rest) {
                        line[index] = line[index].min(tricks);
                    }
                    keep(&mut joined, line);
                }
            }
            lines = joined;
        }
        lines
    }

    fn second(&self, point: &Point, leader: usize, lead: u16, alive: &[usize]) -> Vectors {
        self.least(point, leader, alive, |point, second, alive| {
            let mut found = Vectors::new();
            let thirds: Vec<u16> = match point.hands[1 - leader] {
                0 => vec![0],
                held => bits(held).collect(),
            };
            for third in thirds {
                let mut next = point.clone();
                next.hands[1 - leader] &= !third;
                let lines = self.least(&next, 1 - leader, alive, |point, fourth, alive| {
                    let won = lead.max(third) > second.max(fourth);
                    let winner = if lead > third { leader } else { 1 - leader };
                    let rest = self.from(
                        &Point {
                            inside: won.then_some(winner),
                            ..point.clone()
                        },
                        alive,
                    );
                    let with = |line: Vec<u8>| line.iter().map(|t| t + u8::from(won)).collect();
                    rest.into_iter().map(with).collect()
                });
                lines.into_iter().for_each(|line| keep(&mut found, line));
            }
            found
        })
    }
}

/// Random suits of up to `most` cards, the others gone, against all lines: the chance of each
/// number of tricks, the best on average and at matchpoints, with entries and without.
fn whole_lines(holdings: usize, most: usize, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut limited, mut cost) = (0, 0);
    for case in 0..holdings {
        let mut ranks: Vec<u16> = (0..13).map(|rank| 1 << rank).collect();
        random.shuffle(&mut ranks);
        let cards = 4 + case % (most - 3);
        let (all, gone) = ranks.split_at(cards);
        let out: u16 = all[..1 + random.usize(..(cards - 2).min(4))].iter().sum();
        let ours = all.iter().sum::<u16>() & !out;
        let north: u16 = bits(ours).filter(|_| random.bool()).sum();
        let hands = [north, ours & !north];
        let [a, b] = hands.map(Holding::from_bits);
        let gone = Holding::from_bits(gone.iter().sum());
        let vacant = [13 - random.usize(..4), 13 - random.usize(..4)];
        let free = SuitHolding::new(a, b, gone, vacant).expect("a suit");
        let entries = match random.usize(..3) {
            0 => [None; 2],
            _ => [0, 1].map(|_| [None, Some(0), Some(1), Some(2)][random.usize(..4)]),
        };
        limited += usize::from(entries != [None; 2]);
        let suit = free.clone().with_entries(entries);
        let printed = format!("{a} {b} without {gone} {vacant:?} {entries:?}");

        let lines = Lines::new(out, ours);
        let alive: Vec<usize> = (0..lines.layouts.len()).collect();
        let start = Point {
            hands,
            played: [0, 1].map(|_| vec![0; lines.classes.len()]),
            entries,
            inside: None,
        };
        let vectors = lines.from(&start, &alive);
        let choose =
            |n: usize, k: usize| (1..=k).fold(1.0, |v, i| v * (n + 1 - i) as f64 / i as f64);
        let others = vacant[0] + vacant[1] - out.count_ones() as usize;
        let weight = |layout: &Vec<u8>| {
            let held: usize = layout.iter().map(|&held| usize::from(held)).sum();
            let ways: f64 = layout
                .iter()
                .zip(&lines.classes)
                .map(|(&held, &(count, _))| choose(count.into(), held.into()))
                .product();
            ways * choose(others, vacant[0] - held)
        };
        let weights: Vec<f64> = lines.layouts.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let sum = |line: &Vec<u8>, worth: &dyn Fn(usize, u8) -> f64| -> f64 {
            let each = line.iter().zip(&weights).enumerate();
            each.map(|(at, (&tricks, weight))| worth(at, tricks) * weight)
                .sum::<f64>()
                / total
        };
        let best = |worth: &dyn Fn(usize, u8) -> f64| {
            let each = vectors.iter().map(|line| sum(line, worth));
            each.fold(0.0, f64::max)
        };
        for tricks in 0..=suit.most() {
            let expected = best(&|_, took| f64::from(u8::from(usize::from(took) >= tricks)));
            let found = suit.line(tricks).expect("a line");
            assert!(
                (found.chance - expected).abs() < 1e-9,
                "{printed}: {found} {expected}"
            );
            assert!(found.chance <= free.line(tricks).expect("a line").chance + 1e-9);
            cost += usize::from(found.chance + 1e-9 < free.line(tricks).expect("a line").chance);
        }
        let found = suit.averages().expect("few lines");
        let mean = best(&|_, tricks| f64::from(tricks));
        assert!((found.mean.mean - mean).abs() < 1e-9, "{printed}: {mean}");
        let points = |line: &Vec<u8>| {
            let against = |other: &Vec<u8>| {
                sum(line, &|at, tricks| match tricks.cmp(&other[at]) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 1.0,
                })
            };
            let others = vectors.iter().filter(|other| *other != line);
            others.map(against).sum::<f64>()
        };
        let most = vectors.iter().map(points).fold(0.0, f64::max);
        let most = match vectors.len() {
            1 => 0.5,
            count => most / (count - 1) as f64,
        };
        let matchpoints = found.matchpoints.as_ref().and_then(|best| best.matchpoints);
        assert!(
            matchpoints.is_some_and(|share| (share - most).abs() < 1e-9),
            "{printed}: {found:?} {most}"
        );
    }
    assert!(
        limited > holdings / 3 && cost > holdings / 8,
        "{limited} {cost}"
    );
}

#[test]
fn whole_lines_are_those_of_brute_force() {
    whole_lines(60, 6, 37);
}

#[test]
#[ignore = "minutes"]
fn whole_lines_are_those_of_brute_force_at_length() {
    whole_lines(500, 8, 41);
}

/// Any suit has its answer within two seconds, or none.
#[test]
#[ignore = "minutes"]
fn any_suit_ends_within_its_time() {
    use std::time::{Duration, Instant};
    let mut random = fastrand::Rng::with_seed(43);
    let (mut late, mut apart, mut longest) = (0, 0, Duration::ZERO);
    for _ in 0..300 {
        let ranks: Vec<usize> = (0..13).map(|_| random.usize(..4)).collect();
        let of = |who: usize| -> u16 {
            let ranks = ranks.iter().enumerate().filter(|(_, of)| **of == who);
            ranks.map(|(rank, _)| 1 << rank).sum()
        };
        let [north, south] = [of(0), of(1)].map(Holding::from_bits);
        let entries = [[None, None], [Some(1), None]][random.usize(..2)];
        let Ok(suit) = SuitHolding::new(north, south, Holding::EMPTY, [13, 13]) else {
            continue;
        };
        let start = Instant::now();
        let stop = Stop::default().by(start + Duration::from_secs(2));
        let suit = suit.with_entries(entries).with_stop(stop);
        let lines = (0..=suit.most()).map(|tricks| suit.line(tricks));
        let all: Option<Vec<_>> = lines.collect();
        late += usize::from(all.is_none());
        apart += usize::from(suit.averages().is_none());
        longest = longest.max(start.elapsed());
    }
    println!("of 300 {late} without an answer, {apart} without averages, the longest {longest:?}");
    // A busy machine may be a little late.
    assert!(longest < Duration::from_millis(2_500), "{longest:?}");
}

/// Dummy's long suit needs entries: without one its winners cannot be cashed.
#[test]
fn entries_limit_what_a_hand_can_cash() {
    let suit = SuitHolding::read(["AKQJ", "2"], "-", [13, 13]).expect("a suit");
    let chance = |suit: &SuitHolding, tricks| suit.line(tricks).expect("a line").chance;
    assert_eq!(chance(&suit, 4), 1.0);
    // The two is led to the ace, which stays in North.
    let none = suit.clone().with_entries([Some(0), None]);
    assert_eq!(chance(&none, 4), 1.0);
    let suit = SuitHolding::read(["KQJT", "A"], "-", [13, 13]).expect("a suit");
    let none = suit.clone().with_entries([Some(0), None]);
    assert_eq!([chance(&none, 1), chance(&none, 2)], [1.0, 0.0]);
    let steps = none.line(1).expect("a line").steps;
    assert_eq!(steps[0].lead.letter(), 'A');
    let one = suit.with_entries([Some(1), None]);
    assert_eq!(chance(&one, 4), 1.0);
}

/// A plan is the same as data and in words.
#[test]
fn a_plan_is_data() {
    let suit = SuitHolding::read(["AJT", "432"], "-", [13, 13]).expect("a suit");
    let line = suit.line(2).expect("a line");
    let json = serde_json::to_value(&line).expect("written");
    let first = &json["steps"][0];
    assert_eq!((&first["from"], &first["lead"]), (&"S".into(), &"2".into()));
    assert_eq!(first["third"][0]["card"], "T");
    assert_eq!(first["third"][0]["after"][0], "low");
    assert!(first["then"][0]["steps"][0]["lead"].is_string(), "{json:#}");
}
