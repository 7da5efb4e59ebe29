//! The weakest assumptions against all that may be assumed, as sets of layouts.

mod positions;

use std::collections::{BTreeSet, HashMap};

use setrograde_cards::{Card, Suit};
use setrograde_claim::{Claims, Knowledge, Options};

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

/// The layouts that fit each assumption of the kinds that are looked for.
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
    // Of cards with nothing but each other between them the highest stands for all.
    let mut above: Option<Card> = None;
    for card in Card::pack() {
        if known.unseen().contains(card) {
            if above.is_none_or(|above| above.suit != card.suit) {
                found.insert(those(&|n| all[n][0].contains(card)));
                found.insert(those(&|n| all[n][1].contains(card)));
            }
            above = Some(card);
        } else if known
            .visible()
            .iter()
            .any(|&seat| known.hand(seat).expect("visible").contains(card))
        {
            above = None;
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
            .weakest(&known, need)
            .expect("an answer");
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
            // What fails in one layout fails in all sets with it.
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
        assert_eq!(sets.len(), expected.len(), "{known:?} {need} {found:?}");
        assert_eq!(BTreeSet::from_iter(sets), expected, "{known:?} {need}");
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}
