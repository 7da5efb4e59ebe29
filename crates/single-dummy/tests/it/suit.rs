//! One suit: against brute force over all lines, and against published chances.

use std::cmp::Ordering;
use std::time::{Duration, Instant};

use fastrand::Rng;
use setrograde_cards::Holding;
use setrograde_parallel::Stop;
use setrograde_single_dummy::{SuitError, SuitHolding, SuitLine};

fn suit(north: &str, south: &str) -> SuitHolding {
    SuitHolding::read([north, south], "-", [13, 13]).expect("a suit")
}

fn line(suit: &SuitHolding, tricks: usize) -> SuitLine {
    suit.line(tricks).expect("nothing ends the search")
}

fn chance(suit: &SuitHolding, tricks: usize) -> f64 {
    line(suit, tricks).chance
}

/// The suit, of which nothing is found after this number of seconds.
fn within(seconds: u64, suit: SuitHolding) -> SuitHolding {
    suit.with_stop(Stop::default().by(Instant::now() + Duration::from_secs(seconds)))
}

fn bits(cards: u16) -> impl Iterator<Item = u16> {
    (0..16)
        .map(|bit| 1 << bit)
        .filter(move |bit| cards & bit != 0)
}

/// The cards of North and of South in a random suit of this length, those of the opponents,
/// `most_out` at most, and the others, which are gone.
fn random_suit(random: &mut Rng, cards: usize, most_out: usize) -> ([u16; 2], u16, Holding) {
    let mut ranks: Vec<u16> = (0..13).map(|rank| 1 << rank).collect();
    random.shuffle(&mut ranks);
    let (all, gone) = ranks.split_at(cards);
    let out: u16 = all[..1 + random.usize(..most_out)].iter().sum();
    let ours = all.iter().sum::<u16>() & !out;
    let north: u16 = bits(ours).filter(|_| random.bool()).sum();
    let gone = Holding::from_bits(gone.iter().sum());
    ([north, ours & !north], out, gone)
}

fn of_hands(hands: [u16; 2], gone: Holding, vacant: [usize; 2]) -> SuitHolding {
    let [north, south] = hands.map(Holding::from_bits);
    SuitHolding::new(north, south, gone, vacant).expect("a suit")
}

/// Complete lines by brute force, with entries: no memory, every card of each hand, nothing left
/// out but vectors that another is as good as everywhere.
struct Lines {
    /// The opponents' cards by class, from the top: their number, and the bit of their lowest rank.
    /// Declarer cannot distinguish the cards of a class.
    classes: Vec<(u8, u16)>,
    /// East's cards of each class.
    layouts: Vec<Vec<u8>>,
    /// The number of tricks that is worth one point; else each trick is.
    target: Option<u8>,
}

/// A point at the start of a trick.
#[derive(Clone)]
struct Point {
    hands: [u16; 2],
    /// By opponent and class.
    played: [Vec<u8>; 2],
    won: u8,
    entries: [Option<u8>; 2],
    inside: Option<usize>,
}

/// The points of each line in each layout.
type Vectors = Vec<Vec<u8>>;

fn keep(found: &mut Vectors, new: Vec<u8>) {
    let worse = |a: &Vec<u8>, b: &Vec<u8>| a.iter().zip(b).all(|(a, b)| a <= b);
    if !found.iter().any(|other| worse(&new, other)) {
        found.retain(|other| !worse(other, &new));
        found.push(new);
    }
}

impl Lines {
    /// Against the cards `out`, each a class of its own, or `touching` ones of one class.
    fn new(out: u16, ours: u16, touching: bool) -> Lines {
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
                apart = !touching;
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
        Lines {
            classes,
            layouts,
            target: None,
        }
    }

    /// The chance of each layout.
    fn chances(&self, vacant: [usize; 2]) -> Vec<f64> {
        let choose =
            |n: usize, k: usize| (1..=k).fold(1.0, |v, i| v * (n + 1 - i) as f64 / i as f64);
        let out: usize = self.classes.iter().map(|class| usize::from(class.0)).sum();
        let weight = |layout: &Vec<u8>| {
            let held: usize = layout.iter().map(|&held| usize::from(held)).sum();
            let each = layout.iter().zip(&self.classes);
            let ways = each.map(|(&held, &(count, _))| choose(count.into(), held.into()));
            ways.product::<f64>() * choose(vacant[0] + vacant[1] - out, vacant[0] - held)
        };
        let weights: Vec<f64> = self.layouts.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    }

    /// The points of each line from the start on, of which none is as good as another.
    fn all(&self, hands: [u16; 2], entries: [Option<u8>; 2]) -> Vectors {
        let start = Point {
            hands,
            played: [0, 1].map(|_| vec![0; self.classes.len()]),
            won: 0,
            entries,
            inside: None,
        };
        let alive: Vec<usize> = (0..self.layouts.len()).collect();
        self.from(&start, &alive)
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

    /// The same from a point on, in the layouts `alive`.
    fn from(&self, point: &Point, alive: &[usize]) -> Vectors {
        if self.target.is_some_and(|target| point.won >= target) {
            return vec![vec![1; alive.len()]];
        }
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
            let points = self.target.map_or(point.won, |_| 0);
            found.push(vec![points; alive.len()]);
        }
        found
    }

    /// Each card of an opponent, and the minimum over layouts of the points reached `after` it.
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
                    for (&index, &points) in indices.iter().zip(&rest) {
                        line[index] = line[index].min(points);
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
                    let next = Point {
                        won: point.won + u8::from(won),
                        inside: won.then_some(winner),
                        ..point.clone()
                    };
                    self.from(&next, alive)
                });
                lines.into_iter().for_each(|line| keep(&mut found, line));
            }
            found
        })
    }
}

/// The mean of what a line is worth: the worth of its points in each layout.
fn mean(line: &[u8], chances: &[f64], worth: impl Fn(usize, u8) -> f64) -> f64 {
    let each = line.iter().zip(chances).enumerate();
    each.map(|(at, (&points, chance))| worth(at, points) * chance)
        .sum()
}

/// The greatest mean of any line.
fn best(lines: &Vectors, chances: &[f64], worth: impl Fn(u8) -> f64) -> f64 {
    let each = lines
        .iter()
        .map(|line| mean(line, chances, |_, points| worth(points)));
    each.fold(0.0, f64::max)
}

/// Random holdings in suits of up to eight cards; higher and lower ones have been played.
#[test]
fn lines_are_those_of_brute_force() {
    let mut random = Rng::with_seed(29);
    let mut most_out = 0;
    let mut fingerprint = 0xcbf2_9ce4_8422_2325_u64;
    for case in 0..250 {
        let cards = 5 + case % 4;
        let (hands, out, gone) = random_suit(&mut random, cards, (cards - 1).min(6));
        let vacant = [12 - random.usize(..4), 12 - random.usize(..4)];
        let suit = of_hands(hands, gone, vacant);
        let tricks = 1 + random.usize(..suit.most());
        let found = line(&suit, tricks);
        let lines = Lines {
            target: Some(tricks as u8),
            ..Lines::new(out, hands[0] | hands[1], false)
        };
        let all = lines.all(hands, [None; 2]);
        let expected = best(&all, &lines.chances(vacant), f64::from);
        assert!(
            (found.chance - expected).abs() < 1e-9,
            "{suit:?} {tricks}: {} {expected}",
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

#[test]
fn averages_are_those_of_brute_force() {
    let mut random = Rng::with_seed(31);
    for case in 0..120 {
        let (hands, out, gone) = random_suit(&mut random, 4 + case % 3, 3);
        let suit = of_hands(hands, gone, [13, 13]);
        let found = suit.averages().expect("few lines");
        let lines = Lines::new(out, hands[0] | hands[1], false);
        let all = lines.all(hands, [None; 2]);
        let best = best(&all, &lines.chances([13, 13]), f64::from);
        let printed = format!("{suit:?}: {found:?} {best}");
        assert!((found.mean.mean - best).abs() < 1e-9, "{printed}");
        let sum: f64 = found.mean.at_least.iter().skip(1).sum();
        assert!((sum - best).abs() < 1e-9);
        let matchpoints = found.matchpoints.expect("few lines");
        assert!(matchpoints.matchpoints >= found.mean.matchpoints);
        assert!(matchpoints.mean <= best + 1e-9);
        for of in [&found.mean, &matchpoints] {
            assert_eq!(of.at_least.len(), suit.most() + 1);
            for (tricks, &of) in of.at_least.iter().enumerate() {
                assert!(of <= chance(&suit, tricks) + 1e-9, "{printed}");
            }
        }
    }
}

/// Random suits of up to `most` cards, the others gone, against all lines: the chance of each
/// number of tricks, the best on average and at matchpoints, with entries and without.
fn whole_lines(holdings: usize, most: usize, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let (mut limited, mut cost) = (0, 0);
    for case in 0..holdings {
        let cards = 4 + case % (most - 3);
        let (hands, out, gone) = random_suit(&mut random, cards, (cards - 2).min(4));
        let vacant = [13 - random.usize(..4), 13 - random.usize(..4)];
        let free = of_hands(hands, gone, vacant);
        let entries = match random.usize(..3) {
            0 => [None; 2],
            _ => [0, 1].map(|_| [None, Some(0), Some(1), Some(2)][random.usize(..4)]),
        };
        limited += usize::from(entries != [None; 2]);
        let suit = free.clone().with_entries(entries);

        let lines = Lines::new(out, hands[0] | hands[1], true);
        let (all, chances) = (lines.all(hands, entries), lines.chances(vacant));
        for tricks in 0..=suit.most() {
            let is_enough = |took: u8| f64::from(u8::from(usize::from(took) >= tricks));
            let expected = best(&all, &chances, is_enough);
            let (found, free) = (chance(&suit, tricks), chance(&free, tricks));
            assert!(
                (found - expected).abs() < 1e-9,
                "{suit:?} {tricks}: {found} {expected}"
            );
            assert!(found <= free + 1e-9);
            cost += usize::from(found + 1e-9 < free);
        }
        let found = suit.averages().expect("few lines");
        let most = best(&all, &chances, f64::from);
        assert!(
            (found.mean.mean - most).abs() < 1e-9,
            "{suit:?}: {found:?} {most}"
        );
        let points = |line: &Vec<u8>| {
            let against = |other: &Vec<u8>| {
                mean(line, &chances, |at, tricks| match tricks.cmp(&other[at]) {
                    Ordering::Less => 0.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 1.0,
                })
            };
            let others = all.iter().filter(|other| *other != line);
            others.map(against).sum::<f64>()
        };
        let most = match all.len() {
            1 => 0.5,
            count => all.iter().map(points).fold(0.0, f64::max) / (count - 1) as f64,
        };
        let matchpoints = found.matchpoints.as_ref().and_then(|best| best.matchpoints);
        assert!(
            matchpoints.is_some_and(|share| (share - most).abs() < 1e-9),
            "{suit:?}: {found:?} {most}"
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
        let splits = line(&suit(top, "-"), 1).splits;
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
        let found = 100.0 * chance(&suit(north, south), tricks);
        assert!(
            (found - expected).abs() < 0.006,
            "{north} {south} {tricks}: {found}"
        );
    }
}

#[test]
fn a_line_is_printed_with_what_it_wins() {
    let printed = line(&suit("AJT", "432"), 2).to_string();
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
        let plan = line(&suit, 2).plan;
        assert!(plan.contains(&format!("West {seen}: the Q.")), "{plan}");
    }
}

/// Exact halves and certainties are exact to the last bit, and written holdings read back the same.
#[test]
fn chances_are_exact_and_low_cards_have_no_name() {
    for (north, south, tricks, expected) in [
        ("KT86", "97", 2, 0.5),
        ("KT86", "97", 1, 1.0),
        ("KT86", "97", 0, 1.0),
        ("A10x", "-", 1, 1.0),
    ] {
        let found = chance(&suit(north, south), tricks);
        assert_eq!(found, expected, "{north} {south} {tricks}");
    }
    let (low, named) = (suit("AJxxx", "Qx"), suit("AJ432", "Q5"));
    for tricks in 0..=5 {
        assert_eq!(chance(&low, tricks), chance(&named, tricks));
    }
    for (north, south, east, problem) in [
        ("AY", "2", 13, "\"AY\": column 2: 'Y' is not a rank"),
        ("xxxxxxx", "xxxxxxx", 13, "a suit has 13 cards"),
        ("-", "-", 13, "both hands are void"),
        (
            "A",
            "K",
            99_999_999_999,
            "99999999999 vacant places; a hand has at most 13",
        ),
    ] {
        let error = SuitHolding::read([north, south], "-", [east, 13]).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with(problem), "{error}");
    }
}

/// The line is that for the tricks asked for, or else for the most with an even chance.
#[test]
fn an_answer_is_for_tricks_that_the_suit_can_take() {
    let suit = suit("AQJ", "432");
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
        let plan = line(&suit(north, south), tricks).plan;
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

/// With eight cards out and few of one's own lines differ in many layouts.
#[test]
fn suits_with_many_cards_out_are_quick() {
    for (north, south) in [("KT86", "3"), ("QT7", "8"), ("K9", "J4")] {
        let suit = within(20, suit(north, south));
        for tricks in 0..=suit.most() {
            let line = suit.line(tricks);
            assert!(line.is_some(), "{north} {south}: {tricks}");
        }
    }
}

/// Where the lines are too many to compare each with all others, the best on average is found.
#[test]
fn the_best_on_average_needs_no_matchpoints() {
    let suit = suit("KT86", "3");
    let found = suit.averages().expect("the best on average");
    assert_eq!(found.matchpoints, None);
    assert!(found.mean.mean >= chance(&suit, 1), "{found:?}");
    assert!((found.mean.mean - 0.53863).abs() < 1e-5, "{found:?}");
}

#[test]
fn a_deadline_ends_the_search() {
    // The longest search without a limit: single cards and pairs in turn.
    let holding = suit("KT86", "2");
    let start = Instant::now();
    let cancelled = within(0, holding.clone());
    assert!(cancelled.line(2).is_none());
    assert!(cancelled.averages().is_none());
    let found = cancelled.answer(None).expect("a suit");
    assert!(found.is_none());
    assert!(start.elapsed() < Duration::from_secs(2));
    let later = within(3600, holding.clone());
    assert_eq!(chance(&later, 1), chance(&holding, 1));
}

/// Where few layouts are left their weights are small numbers, and a line that loses some of them
/// is found anyway.
#[test]
fn suits_of_few_layouts_are_searched_to_an_end() {
    for (hands, gone, out) in [
        (["KJ", "T9"], "8765432", 2),
        (["AJ9", "876"], "5432", 3),
        (["KT9", "J"], "76543", 4),
    ] {
        for east in 0..=out {
            let suit = SuitHolding::read(hands, gone, [east, out - east]).expect("a suit");
            let suit = within(20, suit);
            for tricks in 0..=suit.most() {
                let line = suit.line(tricks).expect("a line within 20 s");
                assert!((0.0..=1.0).contains(&line.chance));
            }
            assert!(suit.averages().is_some());
        }
    }
}

/// Any suit has its answer within two seconds, or none.
#[test]
#[ignore = "minutes"]
fn any_suit_ends_within_its_time() {
    let mut random = Rng::with_seed(43);
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
        let suit = within(2, suit.with_entries(entries));
        let lines = (0..=suit.most()).map(|tricks| suit.line(tricks));
        let (found, averages) = (lines.collect::<Option<Vec<_>>>(), suit.averages());
        let time = start.elapsed();
        let is_found = [found.is_some(), averages.is_some()];
        // A busy machine may be a little late.
        assert!(time < Duration::from_millis(2_500), "{time:?} {is_found:?}");
    }
}

/// Dummy's long suit needs entries: without one its winners cannot be cashed.
#[test]
fn entries_limit_what_a_hand_can_cash() {
    for (north, south, entries, tricks, expected) in [
        ("AKQJ", "2", None, 4, 1.0),
        // The two is led to the ace, which stays in North.
        ("AKQJ", "2", Some(0), 4, 1.0),
        ("KQJT", "A", Some(0), 1, 1.0),
        ("KQJT", "A", Some(0), 2, 0.0),
        ("KQJT", "A", Some(1), 4, 1.0),
    ] {
        let suit = suit(north, south).with_entries([entries, None]);
        let found = line(&suit, tricks);
        assert_eq!(
            found.chance, expected,
            "{north} {south} {entries:?} {tricks}"
        );
        if tricks == 1 {
            assert_eq!(found.steps[0].lead.letter(), 'A');
        }
    }
}

/// A plan is the same as data and in words.
#[test]
fn a_plan_is_data() {
    let line = line(&suit("AJT", "432"), 2);
    let json = serde_json::to_value(&line).expect("written");
    let first = &json["steps"][0];
    assert_eq!((&first["from"], &first["lead"]), (&"S".into(), &"2".into()));
    assert_eq!(first["third"][0]["card"], "T");
    assert_eq!(first["third"][0]["after"][0], "low");
    assert!(first["then"][0]["steps"][0]["lead"].is_string(), "{json:#}");
}
