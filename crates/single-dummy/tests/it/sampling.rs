//! Odds over layouts that are drawn, against odds that are counted.

use std::collections::BTreeMap;
use std::time::Instant;

use setrograde_beliefs::{Beliefs, BridgeView, Facts, Limits, Question, Reason, Strengths};
use setrograde_cards::{Card, Contract, Deal, Seat, Side, Strain, Suit, Vulnerability};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;
use setrograde_single_dummy::{
    BySplit, CardOdds, Chances, Compared, ContractOdds, Odds, Sampling, SearchError, SolvedLayouts,
    card_odds, interval, mean_half_width, odds, sampled, sampled_contracts, sampled_leads,
    tricks_of_cards,
};
use setrograde_solver::{Options, Solver};

use crate::given::{all_layouts, read};

const SAMPLING: Sampling = Sampling {
    layouts: 200,
    until: None,
    seed: 7,
    threads: 1,
    by_card: true,
};

fn golden() -> Database {
    Database::open("../../data/golden").expect("the golden database")
}

/// A question, and the layouts that it leaves.
fn asked(text: &str) -> (BridgeView, Beliefs) {
    let view = read(text);
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    (view, beliefs)
}

/// A sample of this number of layouts.
const fn few(layouts: usize) -> Sampling {
    Sampling {
        layouts,
        ..SAMPLING
    }
}

/// A random question of two cards a hand, as text; a trick has been played before if wanted.
fn question(random: &mut fastrand::Rng, hidden: &[Seat], later: bool) -> String {
    let leader = Seat::from_index(random.usize(..4));
    let mut text = Question::random_text(random, 2 + usize::from(later), leader, hidden);
    let view = read(&text);
    let mut state = view.state(&all_layouts(&view)[0]);
    while later && state.tally().tricks == [0; 2] {
        let card = state.legal(view.game()).iter().next().expect("a card");
        text += &format!(" {card}");
        state.play(view.game(), card);
    }
    text
}

/// In 95 % of random questions the counted mean is within the interval of the drawn one.
#[test]
fn intervals_hold_what_is_counted() {
    let database = golden();
    let mut random = fastrand::Rng::with_seed(29);
    let (mut within, mut compared) = (0, 0);
    while compared < 400 {
        let text = question(&mut random, &Seat::ALL[1..], false);
        let (view, beliefs) = asked(&text);
        let counted = odds(&view, &beliefs, &database, &Stop::default()).expect("held");
        let sampling = Sampling {
            layouts: beliefs.count() as usize - 1,
            seed: random.u64(..),
            ..SAMPLING
        };
        let sample = sampled(&view, &beliefs, sampling, &Options::default()).expect("solved");
        let drawn = &sample.found.all;
        assert!(!sample.exact && beliefs.count() == 90, "{text}");
        let counts = || counted.all.counts.iter().filter(|&&count| count > 0);
        if counts().count() < 2 {
            assert_eq!(drawn.mean(), counted.all.mean(), "{text}");
            continue;
        }
        // The interval of a rare number of tricks is too narrow if no drawn layout has it.
        if counts().any(|&count| count < 9) {
            continue;
        }
        compared += 1;
        let off = (drawn.mean() - counted.all.mean()).abs();
        within += usize::from(off <= mean_half_width(drawn));
        let cards = card_odds(&view, &beliefs, &database, &Stop::default()).expect("held");
        // A hidden hand has some cards in few layouts, or in no drawn one.
        if view.hand(view.to_play()).is_none() {
            continue;
        }
        assert_eq!(cards.len(), sample.cards.len(), "{text}");
        for (card, odds) in cards {
            let found = sample.cards.iter().find(|(of, _)| *of == card);
            let (_, found) = found.expect("a card");
            assert!((found.mean() - odds.mean()).abs() < 0.5, "{text} {card}");
        }
    }
    // 95 % of 400 with a standard deviation of 1.1 %.
    assert!((368..=392).contains(&within), "{within} of {compared}");
}

/// Chances hold the odds and, if wanted, those of each card and each split.
#[test]
fn chances_hold_what_was_asked_for() {
    let database = golden();
    let (view, beliefs) = asked("NT S N:AQ... ? 54... ? out=K763...");
    let stop = Stop::default();
    let of_card = |(card, odds)| CardOdds {
        card,
        odds,
        intervals: None,
        mean_half_width: None,
    };
    let all = odds(&view, &beliefs, &database, &stop).expect("held");
    let cards = card_odds(&view, &beliefs, &database, &stop).expect("held");
    let cards: Vec<CardOdds> = cards.into_iter().map(of_card).collect();
    for wanted @ [by_card, by_split] in [[false, false], [false, true], [true, false]] {
        let found = Chances::counted(&view, &beliefs, &database, wanted, &stop).expect("held");
        assert_eq!((found.side, found.to_play), (Side::NorthSouth, Seat::South));
        assert_eq!(found.hidden, [Seat::East, Seat::West]);
        assert_eq!((&found.all, found.drawn), (&all.all, None));
        assert_eq!(found.cards, by_card.then(|| cards.clone()));
        let splits = found.splits.map(|mut splits| {
            let spades = splits.remove(&Suit::Spades).expect("spades");
            let each = spades.into_iter().map(|of| (of.lengths, of.odds));
            each.collect::<BTreeMap<_, _>>()
        });
        assert_eq!(splits, by_split.then(|| all.splits[0].clone()));
    }
    for by_card in [false, true] {
        let (seed, options) = (3, Options::default());
        let sampling = Sampling {
            seed,
            by_card,
            ..few(5)
        };
        let sample = sampled(&view, &beliefs, sampling, &options).expect("solved");
        let solved = &mut SolvedLayouts::default();
        let parts: (usize, &mut dyn FnMut(Chances)) = (usize::MAX, &mut |_| ());
        let found = Chances::drawn(&view, &beliefs, sampling, true, &options, solved, parts);
        let found = found.expect("solved");
        assert_eq!((&found.all, found.splits), (&sample.found.all, None));
        let intervals = |of: &Odds| [0, 1, 2].map(|tricks| interval(of.at_least(tricks), 5));
        let expected = sample.cards.into_iter().map(|(card, odds)| CardOdds {
            intervals: Some(intervals(&odds).into()),
            mean_half_width: Some(mean_half_width(&odds)),
            ..of_card((card, odds))
        });
        assert_eq!(found.cards, by_card.then(|| expected.collect()));
        let drawn = found.drawn.expect("a sample");
        assert_eq!((drawn.of.0, drawn.exact, drawn.seed), (6, true, seed));
        assert_eq!(drawn.intervals, intervals(&found.all));
        assert_eq!(drawn.mean_half_width, mean_half_width(&found.all));
    }
}

/// The odds are those of all layouts solved one by one: with weights, with limits, in the middle
/// of a trick, and after one.
#[test]
fn odds_are_those_of_all_layouts() {
    let database = golden();
    let mut random = fastrand::Rng::with_seed(30);
    let mut solver = Solver::new(Options::default());
    let (mut kinds, mut in_parts) = ([0; 4], 0);
    for n in 0..600 {
        let mut text = question(&mut random, &[Seat::East, Seat::West], n % 7 == 6);
        let before = read(&text);
        if let Some(card) = before
            .hand(before.to_play())
            .and_then(|hand| hand.iter().next())
            && n % 4 == 3
        {
            text += &format!(" {card}");
        }
        let (view, all) = asked(&text);
        let mut facts = Facts::new(all.unseen(), all.sizes());
        let mut limits = Limits::default();
        match n % 4 {
            1 => limits.lengths[random.usize(..4)] = (random.u8(..2), 1),
            2 => limits.points = (0, 4),
            _ => {}
        }
        facts.limit(Seat::East, limits, Reason::Given);
        for card in all.unseen().iter().filter(|_| n % 3 == 0) {
            facts.weigh(Seat::West, card.into(), f64::from(random.u8(..3)));
        }
        // Limits on each hand do not say this: the layouts are counted in parts, if at all.
        if n % 5 == 4 {
            let condition = "E.S=0|E.H=0".parse().expect("a condition");
            let hidden = [Seat::East, Seat::West];
            facts.suppose(&condition, &hidden).expect("hidden hands");
        }
        let Ok(beliefs) = Beliefs::new(&facts) else {
            continue;
        };
        in_parts += usize::from(beliefs.parts().is_some());
        kinds[n % 4] += 1;
        let (mut tricks, mut weights) = ([0_u128; 14], [0.0; 14]);
        let mut splits: [BTreeMap<[u8; 4], u128>; 4] = Default::default();
        let mut of_cards: BTreeMap<Card, [u128; 14]> = BTreeMap::new();
        let leads = view.to_play().side() == view.trick().leader().side();
        for layout in beliefs.layouts() {
            let state = view.state(&layout);
            let solved = tricks_of_cards(&mut solver, &state, view.game().strain());
            let mut best = 0;
            for (card, tricks) in solved.expect("solved") {
                of_cards.entry(card).or_default()[usize::from(tricks)] += 1;
                best = best.max(usize::from(tricks));
            }
            let best = if leads {
                best
            } else {
                view.tricks_left() - best
            };
            tricks[best] += 1;
            weights[best] += beliefs.log_probability(&layout).exp();
            for (splits, suit) in splits.iter_mut().zip(Suit::ALL) {
                let lengths = layout.map(|hand| hand.suit(suit).len() as u8);
                *splits.entry(lengths).or_default() += 1;
            }
        }
        let go_on = Stop::default();
        let found = odds(&view, &beliefs, &database, &go_on).expect("held");
        assert_eq!(found.all.counts, tricks, "{text}");
        assert_eq!(found.all.layouts, beliefs.count());
        for (at, weight) in weights.into_iter().enumerate() {
            assert!((found.all.chances[at] - weight).abs() < 1e-9, "{text}");
            let at_least: f64 = weights[at..].iter().sum();
            assert!((found.all.at_least(at) - at_least).abs() < 1e-9);
        }
        let layouts = |of: &BTreeMap<[u8; 4], Odds>| -> BTreeMap<[u8; 4], u128> {
            let each = of.iter();
            each.map(|(&split, odds)| (split, odds.layouts)).collect()
        };
        assert_eq!(found.splits.each_ref().map(layouts), splits, "{text}");
        let counts = |cards: Vec<(Card, Odds)>| -> BTreeMap<Card, [u128; 14]> {
            let each = cards.into_iter();
            each.map(|(card, odds)| (card, odds.counts)).collect()
        };
        let cards = card_odds(&view, &beliefs, &database, &go_on).expect("held");
        assert_eq!(counts(cards), of_cards, "{text}");

        // As many as would be drawn: all of them, each once, without the database.
        let sampling = Sampling {
            threads: 1 + n % 3,
            ..few(beliefs.count() as usize)
        };
        let solved = sampled(&view, &beliefs, sampling, &Options::default()).expect("solved");
        assert!(solved.exact, "{text}");
        let all = |of: BySplit| {
            [of.all]
                .into_iter()
                .chain(of.splits.into_iter().flat_map(BTreeMap::into_values))
        };
        for (solved, counted) in all(solved.found).zip(all(found)) {
            assert_eq!(solved.counts, counted.counts, "{text}");
            for (a, b) in solved.chances.iter().zip(counted.chances) {
                assert!((a - b).abs() < 1e-9, "{text}");
            }
        }
        assert_eq!(counts(solved.cards), of_cards, "{text}");
    }
    assert!(kinds.iter().all(|&asked| asked > 40), "{kinds:?}");
    assert!(in_parts > 60, "{in_parts}");
}

#[test]
fn threads_make_no_difference_and_until_stops() {
    let (view, beliefs) = asked("NT W W:AQ732.K5.J83.T92 ? ? ? if=E.hcp=5-9");
    let few = few(70);
    let of = |threads| {
        let sampling = Sampling { threads, ..few };
        sampled(&view, &beliefs, sampling, &Options::default()).expect("solved")
    };
    let one = of(1);
    assert_eq!(one, of(3));
    assert_eq!((one.found.all.layouts, one.cards.len()), (70, 13));
    let until = Sampling {
        until: Some(0.3),
        layouts: 10_000,
        by_card: false,
        ..SAMPLING
    };
    let found = sampled(&view, &beliefs, until, &Options::default()).expect("solved");
    assert_eq!((found.exact, found.found.all.layouts), (false, 64));
}

/// Two contracts over twelve layouts.
fn scored(
    view: &BridgeView,
    beliefs: &Beliefs,
    contracts: [&str; 2],
    vulnerability: Vulnerability,
    side: Side,
) -> Vec<ContractOdds> {
    let contracts: [Contract; 2] = contracts.map(|text| text.parse().expect("a contract"));
    let compared = Compared {
        contracts: &contracts,
        vulnerability,
        side,
    };
    let found = sampled_contracts(view, beliefs, compared, few(12), &Options::default());
    found.expect("solved")
}

/// Contracts with both hands of a side seen: each layout by its own solver.
#[test]
fn contracts_score_as_solved_one_by_one() {
    let (view, beliefs) = asked("NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?");
    let sides = Vulnerability::Both;
    let found = scored(&view, &beliefs, ["3NTN", "4SS"], sides, Side::NorthSouth);
    assert_eq!(found[0].odds.layouts, 12);
    let points: f64 = found.iter().filter_map(|of| of.matchpoints).sum();
    assert!((points - 1.0).abs() < 1e-9);
    assert_eq!(found[0].imps, Some(0.0));
    for of in &found {
        let scores = of.odds.counts.iter().enumerate().map(|(tricks, &count)| {
            let score = of
                .contract
                .score(tricks as u8, sides, of.contract.declarer.side());
            f64::from(score) * count as f64
        });
        assert!((scores.sum::<f64>() / 12.0 - of.score).abs() < 1e-9);
    }
    // All layouts by one solver's tables: means of declarers' tricks over other layouts.
    let mut solver = Solver::new(Options::default());
    let mut random = fastrand::Rng::with_seed(5);
    let mut sum = 0.0;
    for _ in 0..12 {
        let layout = beliefs.sample(&mut random);
        let deal = Deal::new(*view.state(&layout).hands()).expect("a deal");
        let tricks = solver
            .declarer_tricks(&deal, Strain::NoTrump)
            .expect("solved");
        sum += f64::from(tricks[Seat::North]);
    }
    let (mean, width) = (sum / 12.0, mean_half_width(&found[0].odds));
    assert!(
        (found[0].odds.mean() - mean).abs() <= 2.0 * width + 0.6,
        "{mean}"
    );
}

/// Wilson's intervals, from a calculator; they stay within 0 and 1.
#[test]
fn intervals_of_chances_are_as_published() {
    for (share, drawn, low, high) in [
        (0.5, 100, 0.40383, 0.59617),
        (0.0, 10, 0.0, 0.27753),
        (1.0, 10, 0.72247, 1.0),
        (0.9, 50, 0.78640, 0.95652),
        (0.0, 1, 0.0, 0.79345),
    ] {
        let found = interval(share, drawn);
        let off = (found[0] - low).abs().max((found[1] - high).abs());
        assert!(off < 1e-5, "{share} {drawn}: {found:?}");
    }
    for drawn in 0..200 {
        for hits in 0..=drawn {
            let share = hits as f64 / drawn.max(1) as f64;
            let [low, high] = interval(share, drawn);
            assert!(
                0.0 <= low && low <= share && share <= high && high <= 1.0,
                "{hits} of {drawn}"
            );
        }
    }
}

/// The value of a sacrifice is what it saves, seen from one side.
#[test]
fn contracts_of_both_sides_are_seen_from_one() {
    let (view, beliefs) = asked("NT W N:AK52.4.Q73.A6432 ? QJT943.A3.K64.85 ?");
    let of = |side| scored(&view, &beliefs, ["4SS", "5HXE"], Vulnerability::None, side);
    let (ours, theirs) = (of(Side::NorthSouth), of(Side::EastWest));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.odds, theirs.odds);
        let lost = |of: Option<f64>| of.map(|imps| -imps);
        assert_eq!((ours.score, ours.imps), (-theirs.score, lost(theirs.imps)));
        let points = [ours, theirs].map(|of| of.matchpoints.expect("there are two"));
        assert!((points[0] + points[1] - 1.0).abs() < 1e-9);
    }
    // Five hearts go down, and cost less than the game.
    assert!(
        ours[1].score > 0.0 && ours[1].score < ours[0].score,
        "{ours:?}"
    );
    assert!(theirs[1].imps > Some(0.0), "{theirs:?}");
}

/// A question before the first card is about full deals, one strain and a visible hand.
#[test]
fn questions_before_the_lead_are_refused_later() {
    let bid = "3NT".parse().expect("a bid");
    let contracts = ["3NTN".parse().expect("a contract")];
    let options = Options::default();
    let leads = |text: &str| {
        let (view, beliefs) = asked(text);
        sampled_leads(&view, &beliefs, bid, few(3), &options)
    };
    let scores = |text: &str, layouts: usize| {
        let (view, beliefs) = asked(text);
        let compared = Compared {
            contracts: &contracts,
            vulnerability: Vulnerability::None,
            side: Side::NorthSouth,
        };
        sampled_contracts(&view, &beliefs, compared, few(layouts), &options)
    };
    const ENDING: &str = "NT W W:AQ7... ? ? ? out=KJT98.AK.2.Q";
    let both = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let only = scores(both, 3).expect("scores");
    assert_eq!(
        (only.len(), only[0].matchpoints, only[0].imps),
        (1, None, None)
    );
    assert!(matches!(scores(both, 0), Err(SearchError::NoLayouts)));
    let hand = "W:AQ732.K5.J83.T92 ? ? ?";
    let found = leads(&format!("NT W {hand}")).expect("leads");
    assert_eq!(found.cards.len(), 13);

    let strain = Strain::Trump(Suit::Hearts);
    let whole = |cards, played| SearchError::NotWhole { cards, played };
    for (text, expected) in [
        (format!("{both} H5"), whole(52, 1)),
        (ENDING.to_owned(), whole(12, 0)),
    ] {
        let error = scores(&text, 3).expect_err("a refusal");
        assert_eq!(error.to_string(), expected.to_string());
    }
    for (text, expected) in [
        (
            format!("H W {hand}"),
            SearchError::OtherStrain { bid, strain },
        ),
        (
            format!("NT N {hand}"),
            SearchError::LeaderHidden(Seat::North),
        ),
        (format!("NT W {hand} SA"), whole(52, 1)),
        (ENDING.to_owned(), whole(12, 0)),
    ] {
        let error = leads(&text).expect_err("a refusal");
        assert_eq!(error.to_string(), expected.to_string());
    }
}

/// A hidden hand's cards are counted in the layouts in which it holds them; a card that it never
/// holds is left out.
#[test]
fn cards_that_cannot_be_held_have_no_odds() {
    let database = golden();
    let (view, beliefs) = asked("NT S N:AQ... ? ? 32... out=KJT9... if=S-SJ");
    let cards = card_odds(&view, &beliefs, &database, &Stop::default()).expect("held");
    let names: Vec<String> = cards.iter().map(|(card, _)| card.to_string()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for (card, odds) in cards {
        assert!(odds.layouts > 0 && odds.mean().is_finite(), "{card}");
    }
}

/// The same for layouts that need no search: none is drawn or listed after the cancellation.
#[test]
fn drawing_ends_with_its_deadline() {
    let (view, beliefs) = asked("NT S N:AQ4... ? 532... ? out=KJT987...");
    for layouts in [19, 20, usize::MAX] {
        let sampling = few(layouts);
        assert_eq!(sampling.covers(&beliefs), layouts >= 20);
        let begun = Instant::now();
        let options = Options {
            stop: Stop::default().by(begun),
            ..Options::default()
        };
        let found = sampled(&view, &beliefs, sampling, &options);
        assert!(matches!(found, Err(SearchError::Cancelled)), "{found:?}");
    }
}

/// Without conditions nine hidden cards of a suit have 1,680 layouts: they are listed if that many
/// might be drawn until the intervals are narrow enough.
#[test]
fn layouts_are_listed_if_drawing_might_take_as_many() {
    let (_, beliefs) = asked("NT S N:AQ4... ? ? ? out=KJT987532...");
    for (layouts, until, covers) in [
        (1_679, None, false),
        (1_680, None, true),
        (1_000_000, Some(0.03), false),
        (1_000_000, Some(0.02), true),
        (1_000, Some(0.02), false),
    ] {
        let sampling = Sampling {
            layouts,
            until,
            ..SAMPLING
        };
        assert_eq!(sampling.covers(&beliefs), covers, "{layouts} {until:?}");
    }
}

/// Chances of layouts with equal weights are shares of their number, rounded once: sums of them,
/// too.
#[test]
fn sums_of_chances_are_rounded_once() {
    let (view, beliefs) = asked("NT S N:AQ4... ? 532... ? out=KJT987...");
    let database = golden();
    let solved = sampled(&view, &beliefs, SAMPLING, &Options::default()).expect("solved");
    assert_eq!(solved.found.all.mean(), 1.55);
    let (six, beliefs) = asked("NT S N:AQ... ? 54... ? out=K763...");
    for (card, odds) in card_odds(&six, &beliefs, &database, &Stop::default()).expect("held") {
        assert_eq!(odds.chances[1] + odds.chances[2], 1.0, "{card}");
        assert_eq!(
            odds.chances,
            odds.counts.map(|count| count as f64 / 6.0),
            "{card}"
        );
    }
    let mut ten = Odds {
        layouts: 10,
        counts: [0; 14],
        chances: [0.0; 14],
        left: 13,
    };
    for tricks in 0..10 {
        (ten.counts[tricks], ten.chances[tricks]) = (1, 0.1);
    }
    for tricks in 0..=10 {
        assert_eq!(ten.at_least(tricks), (10 - tricks) as f64 / 10.0);
        assert_eq!(ten.below(tricks), tricks as f64 / 10.0);
    }
    assert_eq!(
        (ten.mean(), ten.at_least(14), ten.below(14)),
        (4.5, 0.0, 1.0)
    );
}
