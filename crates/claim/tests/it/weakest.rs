//! Compares the weakest assumptions with all possible assumptions, as sets of layouts.

use std::collections::{BTreeSet, HashMap};

use setrograde_beliefs::{Condition, Measure, Term};
use setrograde_cards::Suit;
use setrograde_claim::{Claims, Knowledge, Options};

use crate::positions;

/// Layouts by their numbers, a bit each.
type Set = u32;

/// The set of the layouts with these numbers.
fn set_of(numbers: impl Iterator<Item = usize>) -> Set {
    numbers.fold(0, |set, n| set | 1 << n)
}

/// The numbers of the layouts in a set.
fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..Set::BITS as usize).filter(move |n| set >> n & 1 == 1)
}

/// The layouts that fit each assumption of the kinds in question.
fn assumptions(known: &Knowledge) -> BTreeSet<Set> {
    let all = positions::layouts(known);
    let those = |fits: &dyn Fn(usize) -> bool| set_of((0..all.len()).filter(|&n| fits(n)));
    let length = |n: usize, suit: Suit| all[n][0].holding(suit).len();
    let mut found = BTreeSet::new();
    for first in Suit::ALL {
        for lengths in 0_u32..1 << 7 {
            found.insert(those(&|n| lengths >> length(n, first) & 1 == 1));
        }
        for second in Suit::ALL {
            for (a, b, c, d) in (0..7_usize.pow(4)).map(|n| (n % 7, n / 7 % 7, n / 49 % 7, n / 343))
            {
                let fits =
                    |n| (a..=b).contains(&length(n, first)) && (c..=d).contains(&length(n, second));
                if a <= b && c <= d && first != second {
                    found.insert(those(&fits));
                }
            }
        }
    }
    for card in known.unseen() {
        for hand in [0, 1] {
            let holds = |n: usize| all[n][hand].contains(card);
            found.insert(those(&holds));
            for suit in Suit::ALL {
                for lengths in 0_u32..1 << 7 {
                    found.insert(those(&|n| holds(n) && lengths >> length(n, suit) & 1 == 1));
                }
            }
        }
    }
    found.remove(&0);
    found
}

#[test]
fn assumptions_are_the_weakest_of_all() {
    let mut rng = fastrand::Rng::with_seed(70);
    let mut counts = [0; 4];
    for _ in 0..1_000 {
        let known = positions::random(&mut rng, 3);
        let all = positions::layouts(&known);
        let need = rng.u8(1..=known.tricks_left() as u8);
        let found = Claims::new(Options::default())
            .weakest(&known, need, usize::MAX)
            .expect("an answer");
        assert!(found.complete, "{known:?} {need}");
        let found = found.found;
        let sure = |set: Set| {
            let among: Vec<_> = members(set).map(|n| all[n]).collect();
            let mut claims = Claims::new(Options::default());
            claims
                .is_sure(&known.among(&among), need)
                .expect("an answer")
        };
        let mut expected = BTreeSet::new();
        if !sure(set_of(0..all.len())) {
            let mut single: HashMap<usize, bool> = HashMap::new();
            let mut good: Vec<Set> = assumptions(&known).into_iter().collect();
            // A claim that fails in one layout fails in every set that contains it.
            good.retain(|&set| {
                members(set).all(|n| *single.entry(n).or_insert_with(|| sure(1 << n)))
            });
            good.retain(|&set| sure(set));
            let within = |set: Set| good.iter().any(|&other| other != set && other & set == set);
            expected = good.iter().copied().filter(|&set| !within(set)).collect();
        }
        let mut sets = Vec::new();
        for assumption in &found {
            let given = known.given(&assumption.condition).expect("possible");
            let set = set_of((0..all.len()).filter(|&n| given.has_layout(all[n])));
            assert_eq!(u64::from(set.count_ones()), assumption.layouts);
            assert_eq!(assumption.of, all.len() as u64);
            sets.push(set);
        }
        assert!(sets.is_sorted_by_key(|set| std::cmp::Reverse(set.count_ones())));
        counts[found.len().min(3)] += 1;
        // Of equal cards the highest represents all.
        let sizes = |sets: &BTreeSet<Set>| -> BTreeSet<u32> {
            sets.iter().map(|set| set.count_ones()).collect()
        };
        let sets = BTreeSet::from_iter(sets);
        assert!(sets.is_subset(&expected), "{known:?} {need} {found:?}");
        assert_eq!(sizes(&sets), sizes(&expected), "{known:?} {need}");
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

/// Maximum number of layouts in which an assumption makes the claim sure: any card's place with any
/// lengths of one suit, any lengths of one suit, any card's place, and any ranges of two suits.
fn best(known: &Knowledge, need: u8) -> u64 {
    let mut claims = Claims::new(Options::default());
    let seat = known.hidden()[0];
    let range = |suit: Suit, least: u8, most: u8| {
        Term::range(Some(seat), Measure::Length(suit), (least, most))
    };
    let mut sure = |condition: Condition| match known.given(&condition) {
        Ok(given) => claims
            .is_sure(&given, need)
            .expect("an answer")
            .then(|| given.layouts()),
        Err(_) => Some(0),
    };
    let mut best = 0;
    let held = |card| known.hidden().map(|seat| Some(Term::Holds { seat, card }));
    let holders = known.unseen().cards().flat_map(held);
    for holder in holders.chain([None]) {
        for suit in Suit::ALL {
            let with = |lengths: Vec<u8>| {
                let all = lengths.into_iter().map(|length| {
                    let term = range(suit, length, length);
                    holder.into_iter().chain([term])
                });
                Condition::any(all)
            };
            let good: Vec<u8> = (0..=8).filter(|&n| sure(with(vec![n])) > Some(0)).collect();
            for set in 1_u32..1 << good.len() {
                let chosen = (0..good.len()).filter(|n| set >> n & 1 == 1);
                let lengths: Vec<u8> = chosen.map(|n| good[n]).collect();
                let layouts = known
                    .given(&with(lengths.clone()))
                    .map_or(0, |of| of.layouts());
                if layouts > best {
                    best = best.max(sure(with(lengths)).unwrap_or(0));
                }
            }
        }
    }
    let ranges: Vec<_> = (0..=8).flat_map(|a| (a..=8).map(move |b| (a, b))).collect();
    for (n, &first) in Suit::ALL.iter().enumerate() {
        for &second in &Suit::ALL[n + 1..] {
            for (&(a, b), &(c, d)) in ranges
                .iter()
                .flat_map(|a| ranges.iter().map(move |b| (a, b)))
            {
                let condition = Condition::any([[range(first, a, b), range(second, c, d)]]);
                let layouts = known.given(&condition).map_or(0, |of| of.layouts());
                if layouts > best {
                    best = best.max(sure(condition).unwrap_or(0));
                }
            }
        }
    }
    best
}

/// The number of endings, and the time of each on a terminal: `ENDINGS=200 cargo test …
/// --nocapture`.
#[test]
fn the_best_of_longer_endings_is_that_of_brute_force() {
    let endings = std::env::var("ENDINGS").map_or(24, |n| n.parse().expect("a number"));
    let mut rng = fastrand::Rng::with_seed(71);
    let (mut times, mut some) = (Vec::new(), 0);
    while times.len() < endings {
        let known = positions::random(&mut rng, 5 + times.len() % 4);
        let mut claims = Claims::new(Options::default());
        let need = claims.sure(&known).expect("an answer") + 1;
        if usize::from(need) > known.tricks_left() {
            continue;
        }
        let start = std::time::Instant::now();
        let mut claims = Claims::new(Options::default());
        let found = claims.weakest(&known, need, 5).expect("an answer");
        times.push(start.elapsed());
        let best_found = found.found.first().map_or(0, |of| of.layouts);
        let best = best(&known, need);
        assert!(
            best_found == best || !found.complete,
            "{known:?} {need} {found:?} {best}"
        );
        some += u32::from(best > 0);
    }
    times.sort_unstable();
    let [median, most, longest] = [50, 90, 100].map(|share| times[(endings - 1) * share / 100]);
    eprintln!("{some} with one; median {median:?}, 90 % {most:?}, longest {longest:?}");
    assert!(some > 5, "{some}");
}
