use std::collections::HashSet;

use super::*;
use crate::condition::Condition;
use crate::facts::Facts;
use crate::limits::{Measure, NamedMeasure};
use crate::tests::positions::all;

const CONDITIONS: [&str; 24] = [
    "E.hcp=4-6",
    "E.S>=2,W.hcp<=5",
    "E+SK|W.H>=2",
    "E.S.top3>=1,W.hcp>=3",
    "E.controls>=1,E.hcp<=7",
    "E.losers<=2,W.losers>=2",
    "losers<=3|E+S8",
    "E.(S>=3|H=2)|W.hcp>=4",
    "W.hcp=3-4|E.hcp=3|E-S9",
    "E.hcp>W.hcp",
    "E.hcp+W.hcp=8-12",
    "not E.hcp=3-5,E.S>=1",
    "not (E.S>E.H|W.hcp<=2)",
    "E.S>=2|E.S>=1,W.hcp>=5|W.S>=2",
    "E.hcp>=3,E.H<=1|E.hcp>=5,E.H<=2|W.S=0",
    "E+SA|E+HK,W.hcp>=3|E+SA,W.hcp=0",
    "hcp<=6",
    "S<=2",
    "E.S+W.S>=3,E.hcp+W.hcp>=6",
    "E.hcp+E.S>=6",
    "E.losers+W.losers<=4",
    "E.hcp=0-2|E.hcp=6-20",
    "E.H>=1,W.H>=1,E.hcp>=2,W.hcp>=2",
    "E.S=1,W.S=1|E.H=2,W.H=0|E.hcp=W.hcp",
];

/// The conditions, and some on each measure of a hand.
fn conditions() -> Vec<String> {
    let of_measure = |named: &NamedMeasure| {
        let of = named.of;
        [
            format!("{of}<=1"),
            format!("{of}<=3"),
            format!("E.{of}>=1,W.{of}<=2"),
            format!("E.{of}=2|W.{of}=1"),
            format!("E.{of}+W.{of}=3-4"),
            format!("W.{of}>E.{of}"),
        ]
    };
    let of_measures = Measure::NAMED.iter().flat_map(of_measure);
    let all = CONDITIONS.into_iter().map(str::to_owned);
    all.chain(of_measures).collect()
}

/// Returns true if a part of the condition may be left out: a sum of lengths and points, and what
/// each hand has where two of them are counted together.
fn may_be_left_out(text: &str, hidden: usize) -> bool {
    let names_hands = text.starts_with(['E', 'W', 'n']);
    text == "E.hcp+E.S>=6" || hidden == 4 && !names_hands || hidden == 3 && text == "losers<=3|E+S8"
}

/// The layouts of every number are those that fit, each once; if parts are left out, they are among
/// them. The shares of each card are theirs.
#[test]
fn numbers_have_the_layouts_that_fit() {
    let mut left_out = 0;
    for (unseen, sizes) in [
        ("AK98.Q2..", [0, 3, 0, 3]),
        ("AKJ8.KQ92.A.", [0, 3, 3, 3]),
        ("AK98.KQ.A.J", [2, 2, 2, 2]),
        ("KJT9.A.Q3.54", [1, 4, 1, 3]),
        ("AQT98.KJ2..", [0, 5, 0, 3]),
    ] {
        let unseen: Hand = unseen.parse().expect("cards");
        let mut hidden = Seat::ALL.to_vec();
        hidden.retain(|&seat| sizes[seat] > 0);
        for text in &conditions() {
            let condition: Condition = text.parse().expect("a condition");
            let mut facts = Facts::new(unseen, sizes);
            if facts.suppose(&condition, &hidden).is_err() {
                continue;
            }
            // Also what limits say alone.
            facts.given(Given {
                condition: condition.clone(),
                hidden: hidden.clone(),
                played: [Hand::EMPTY; 4],
                cases: None,
            });
            let fits = |layout: &Layout| condition.allows(&hidden, layout);
            let layouts = all(unseen, sizes).into_iter();
            let expected: HashSet<Layout> = layouts.filter(fits).collect();
            let summary = facts.summary(usize::MAX).expect("weights");
            let stop = Stop::default();
            let joint = Joint::new(&summary, &facts.given, &fits, &stop);
            let joint = joint.expect("not stopped").expect("it can be counted");
            let found: Vec<Layout> = (0..joint.total).map(|n| joint.nth(n)).collect();
            let once: HashSet<Layout> = found.iter().copied().collect();
            assert_eq!(once.len(), found.len(), "{text} {unseen}");
            let whole = !may_be_left_out(text, hidden.len());
            assert_eq!(joint.exact, whole, "{text} {unseen}");
            if !joint.exact {
                left_out += 1;
                assert!(expected.is_subset(&once), "{text} {unseen}");
                continue;
            }
            assert_eq!(once, expected, "{text} {unseen}");
            if found.is_empty() {
                continue;
            }
            let shares = joint.marginals(&stop).expect("not stopped");
            for card in unseen {
                for &seat in &hidden {
                    let with = found.iter().filter(|layout| layout[seat].contains(card));
                    let share = with.count() as f64 / found.len() as f64;
                    let counted = shares[bit_index(card)][seat];
                    assert!(
                        (share - counted).abs() < 1e-9,
                        "{text} {card} {share} {counted}"
                    );
                }
            }
        }
    }
    assert!(left_out > 20, "{left_out}");
}
