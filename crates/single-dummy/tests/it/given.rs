//! The best line over given layouts against brute force over all lines.

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{
    BridgeView, Game, Layout, Question, State, Strengths, Tally, View, Whist,
};
use setrograde_cards::{Card, Hand, Seat, Vulnerability};
use setrograde_claim::Step;
use setrograde_lookup::Database;
use setrograde_single_dummy::{
    BestLine, Line, LineOptions, LineValue, Objective, best_line, layouts_of, read_layouts,
};

pub fn read(text: &str) -> BridgeView {
    View::of_bridge(&text.parse().expect("a question")).expect("a view")
}

pub fn all_layouts(view: &BridgeView) -> Vec<Layout> {
    let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
    beliefs.layouts().collect()
}

/// The minimum number of tricks of a line by layout; all of them in a missing layout.
pub type Tricks = Vec<u8>;

/// Marks a layout that is missing.
const ANY: u8 = 13;

/// All that lines may take, in each layout against its worst defence, none as good as another
/// everywhere: the side's choice is made once for each history, the opponents' in each layout.
pub fn lines(game: &Whist, states: &[Option<State>], party: usize) -> Vec<Tricks> {
    let Some(first) = states.iter().flatten().next() else {
        return vec![vec![ANY; states.len()]];
    };
    if first.is_over() {
        let tricks = |state: &Option<State>| state.map_or(ANY, |state| state.tally().tricks[party]);
        return vec![states.iter().map(tricks).collect()];
    }
    let mut found: Vec<Tricks> = Vec::new();
    if game.party(first.to_play()) == party {
        for card in first.legal(game) {
            found.extend(lines(game, &play(game, states, card), party));
        }
    } else {
        found.push(vec![ANY; states.len()]);
        let legal = states.iter().flatten().map(|state| state.legal(game));
        for card in legal.collect::<Hand>() {
            let others = lines(game, &play(game, states, card), party);
            let both = |mine: &Tricks, theirs: &Tricks| -> Tricks {
                mine.iter()
                    .zip(theirs)
                    .map(|(mine, theirs)| *mine.min(theirs))
                    .collect()
            };
            found = found
                .iter()
                .flat_map(|mine| others.iter().map(move |theirs| both(mine, theirs)))
                .collect();
            keep_best(&mut found);
        }
    }
    keep_best(&mut found);
    found
}

pub fn play(game: &Whist, states: &[Option<State>], card: Card) -> Vec<Option<State>> {
    let after = |state: &Option<State>| {
        let state = state.filter(|state| state.legal(game).contains(card))?;
        Some(state.after(game, card))
    };
    states.iter().map(after).collect()
}

fn keep_best(found: &mut Vec<Tricks>) {
    found.sort_unstable();
    found.dedup();
    let all = found.clone();
    let as_good =
        |one: &Tricks, other: &Tricks| one.iter().zip(other).all(|(one, other)| one <= other);
    found.retain(|one| !all.iter().any(|other| other != one && as_good(one, other)));
}

/// A random ending, with some cards of a trick on the table in two of three.
fn random_ending(rng: &mut Rng, tricks: usize, most: usize) -> (BridgeView, Vec<Layout>) {
    let leader = Seat::from_index(rng.usize(0..4));
    let hidden = [[Seat::East, Seat::West], [Seat::North, Seat::South]][rng.usize(0..2)];
    let question = if hidden.contains(&leader) {
        // A hidden hand is on lead: the same question, with another leader.
        Question::random_text(rng, tricks, leader.next(), &hidden)
    } else {
        Question::random_text(rng, tricks, leader, &hidden)
    };
    let mut view = read(&question);
    let mut text = question.clone();
    for _ in 0..rng.usize(0..3) {
        let layouts = all_layouts(&view);
        let state = view.state(&layouts[rng.usize(0..layouts.len())]);
        let legal = state.legal(view.game());
        let card = legal.iter().nth(rng.usize(0..legal.len())).expect("a card");
        text += &format!(" {card}");
        view = read(&text);
    }
    let mut layouts = all_layouts(&view);
    rng.shuffle(&mut layouts);
    layouts.truncate(most);
    (view, layouts)
}

/// The layouts as states in which nobody has won a trick.
pub fn states(view: &BridgeView, layouts: &[Layout]) -> Vec<Option<State>> {
    let state = |layout: &Layout| {
        let state = view.state(layout);
        Some(State::at(*state.hands(), *state.trick(), Tally::default()))
    };
    layouts.iter().map(state).collect()
}

fn worth(objective: &Objective, party: usize, left: u8, tricks: u8) -> f64 {
    match *objective {
        Objective::Target(target) => f64::from(u8::from(tricks >= target)),
        Objective::Mean => tricks.into(),
        Objective::Worth(worth) => worth[usize::from(tricks)],
        Objective::Score {
            contract,
            vulnerability,
            won,
        } => {
            let declares = contract.declarer.index() % 2 == party;
            let taken = won + if declares { tricks } else { left - tricks };
            let score = contract.bid.score(
                taken,
                contract.doubling,
                vulnerability.includes(contract.declarer.side()),
            );
            f64::from(if declares { score } else { -score })
        }
    }
}

/// The worth of the best line by brute force over `weights`.
fn best_of(found: &[Tricks], weights: &[f64], of: impl Fn(u8) -> f64) -> f64 {
    let sum: f64 = weights.iter().sum();
    let average = |tricks: &Tricks| -> f64 {
        let each = tricks.iter().zip(weights);
        each.map(|(&tricks, weight)| weight * of(tricks))
            .sum::<f64>()
            / sum
    };
    found.iter().map(average).fold(f64::NEG_INFINITY, f64::max)
}

/// Follows a line in one layout against every defence; the fewest tricks it takes.
fn fewest(game: &Whist, line: (&Line, usize), state: &State, party: usize) -> u8 {
    if state.is_over() {
        return state.tally().tricks[party];
    }
    let own = game.party(state.to_play()) == party;
    let legal = state.legal(game);
    let follow = |card: Card, then| {
        assert!(legal.contains(card), "{card} of {legal}");
        fewest(game, (line.0, then), &state.after(game, card), party)
    };
    match &line.0.steps[line.1] {
        // Any card will do: the worst one.
        Step::Done => legal
            .iter()
            .map(|card| follow(card, line.1))
            .min()
            .expect("a card"),
        Step::Play { card, then } if own => follow(*card, *then),
        Step::Watch { seen, otherwise } if !own => {
            let way = |card: Card| seen.iter().find(|(cards, _)| cards.contains(card));
            let replies = legal
                .iter()
                .map(|card| follow(card, way(card).map_or(*otherwise, |way| way.1)));
            replies.min().expect("a card")
        }
        step => unreachable!("{step:?} where {} plays", state.to_play()),
    }
}

/// Checks that a value has bounds on the best of all lines, and that some line takes its tricks.
fn check_value(
    value: &LineValue,
    brute: &[Tricks],
    weights: &[f64],
    of: impl Fn(u8) -> f64,
    printed: &str,
) {
    let best = best_of(brute, weights, &of);
    let slack = 1e-9 * (1.0 + best.abs());
    assert!(value.worth <= best + slack, "{best} {printed}");
    assert!(best <= value.at_most + slack, "{best} {printed}");
    // The tricks by layout add up to it.
    let sum = best_of(std::slice::from_ref(&value.tricks), weights, &of);
    assert!((value.worth - sum).abs() < slack, "{printed}");
    let takes = |line: &Tricks| line.iter().zip(&value.tricks).all(|(a, b)| a >= b);
    assert!(brute.iter().any(takes), "{printed}");
}

fn options(rng: &mut Rng, database: &Arc<Database>) -> LineOptions {
    LineOptions {
        database: rng.bool().then(|| Arc::clone(database)),
        all_cards: true,
        line: true,
        ..LineOptions::default()
    }
}

fn check(rng: &mut Rng, database: &Arc<Database>, tricks: usize, most: usize) -> BestLine {
    let (view, layouts) = random_ending(rng, tricks, most);
    let party = usize::from(view.hand(Seat::North).is_none());
    let left = view.tricks_left() as u8;
    let objective = match rng.usize(0..4) {
        3 => Objective::Worth([
            0.0, 0.0, 2.5, 3.0, 3.0, 7.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0,
        ]),
        0 => Objective::Target(rng.u8(1..=left)),
        1 => Objective::Mean,
        _ => {
            let seat = Seat::from_index(rng.usize(0..4));
            let (level, strain) = (rng.u8(1..=7), view.game().strain());
            let doubled = ["", "X"][rng.usize(0..2)];
            let contract = format!("{level}{strain}{doubled}{seat}");
            Objective::Score {
                contract: contract.parse().expect("a contract"),
                vulnerability: [Vulnerability::None, Vulnerability::Both][rng.usize(0..2)],
                won: rng.u8(5..9),
            }
        }
    };
    let weights: Vec<f64> = layouts
        .iter()
        .map(|_| [1.0, 1.0 + rng.f64()][rng.usize(0..2)])
        .collect();
    let found = best_line(
        &view,
        &layouts,
        &weights,
        &objective,
        &options(rng, database),
    )
    .expect("a line");
    let printed = format!("{view:?} {layouts:?} {weights:?} {objective:?} {found:?}");
    let game = view.game();
    let of = |tricks| worth(&objective, party, left, tricks);
    let starts = states(&view, &layouts);

    let brute = lines(game, &starts, party);
    assert!(found.value.is_exact(), "{printed}");
    check_value(&found.value, &brute, &weights, of, &printed);
    // So does the line that is printed.
    let line = found.line.as_ref().expect("a short line");
    for (state, printed) in starts.iter().flatten().zip(&found.value.tricks) {
        assert!(
            fewest(game, (line, line.root), state, party) >= *printed,
            "{found:?}"
        );
    }
    // The value of a card is that of the best line that begins with it.
    for card in &found.cards {
        for one in std::iter::once(&card.card).chain(&card.equals) {
            let brute = lines(game, &play(game, &starts, *one), party);
            assert!(card.value.is_exact(), "{one}: {printed}");
            check_value(&card.value, &brute, &weights, of, &printed);
        }
    }
    let cards: usize = found.cards.iter().map(|card| 1 + card.equals.len()).sum();
    assert_eq!(
        cards,
        if found.card.is_some() {
            view.playable().len()
        } else {
            0
        }
    );
    // Not more than with all cards known, not less than a line that does not look.
    assert!(found.value.worth <= found.double_dummy + 1e-9);
    found
}

#[test]
fn the_best_line_is_that_of_all_lines() {
    let mut rng = Rng::with_seed(49);
    let database = Arc::new(Database::open("../../data/golden").expect("a database"));
    let (mut misled, mut visits) = (0, 0);
    for round in 0..200 {
        let (tricks, most) = [(2, 6), (3, 20), (3, 12), (4, 5)][round % 4];
        let found = check(&mut rng, &database, tricks, most);
        misled += usize::from(found.value.worth < found.double_dummy - 1e-9);
        visits += found.visits;
    }
    // A change that claims not to change the work leaves these unchanged.
    assert_eq!((misled, visits), (11, 79_605));
}

#[test]
#[ignore = "2,000 endings: minutes"]
fn the_best_line_is_that_of_all_lines_at_length() {
    let mut rng = Rng::with_seed(50);
    let database = Arc::new(Database::open("../../data/golden").expect("a database"));
    for round in 0..2000 {
        let (tricks, most) = [(3, 20), (3, 20), (4, 6), (4, 12), (3, 40), (5, 2)][round % 6];
        check(&mut rng, &database, tricks, most);
        if (round + 1) % 50 == 0 {
            println!("{} endings", round + 1);
        }
    }
}

/// A search that gave up has bounds on the best line's value, and some line reaches the lower one.
#[test]
fn an_unfinished_answer_has_bounds() {
    let mut rng = Rng::with_seed(51);
    let (mut open, mut nothing, mut visits) = (0, 0, 0);
    for _ in 0..100 {
        let (view, layouts) = random_ending(&mut rng, 3, 20);
        let party = usize::from(view.hand(Seat::North).is_none());
        let most_visits = rng.u64(1..200);
        let options = LineOptions {
            most_visits,
            all_cards: true,
            ..LineOptions::default()
        };
        let found = best_line(&view, &layouts, &[], &Objective::Mean, &options).expect("bounds");
        let printed = format!("{view:?} {layouts:?} {found:?}");
        let (starts, weights) = (states(&view, &layouts), vec![1.0; layouts.len()]);
        let check = |value: &LineValue, brute: &[Tricks]| {
            check_value(value, brute, &weights, f64::from, &printed);
        };
        check(&found.value, &lines(view.game(), &starts, party));
        for card in &found.cards {
            let after = play(view.game(), &starts, card.card);
            check(&card.value, &lines(view.game(), &after, party));
        }
        open += usize::from(!found.value.is_exact());
        nothing += usize::from(!found.value.is_exact() && found.value.worth == 0.0);
        visits += found.visits;
    }
    // A change that claims not to change the work leaves these unchanged.
    assert_eq!((open, nothing, visits), (50, 19, 17_757));
}

#[test]
fn layouts_are_read_as_deals() {
    let view = read("NT S N:AQ... ? 54... ? out=K763...");
    let text = "\u{feff}# The finesse.\nN:AQ... 76... 54... K3... 2.5\n\n\
                [Deal \"N:AQ... K6... 54... 73...\"]\n[Event \"\"]\n";
    let (deals, weights) = read_layouts(text).expect("layouts");
    assert_eq!(weights, [2.5, 1.0]);
    let layouts = layouts_of(&view, &deals).expect("deals of the hands");
    let (objective, options) = (Objective::Target(2), LineOptions::default());
    let found = best_line(&view, &layouts, &weights, &objective, &options);
    let value = found.expect("a line").value;
    assert_eq!((value.worth, value.tricks), (2.5 / 3.5, vec![2, 0]));
    let of_one = best_line(&view, &layouts[..1], &[], &objective, &options);
    assert_eq!(of_one.expect("a line").value.worth, 1.0);

    let other = read("NT S N:AJ... ? 54... ? out=K763...");
    let error = layouts_of(&other, &deals).expect_err("other cards");
    let expected = "in layout 1 North does not hold the cards of the question";
    assert_eq!(error.to_string(), expected);
    for (text, expected) in [
        ("N:AQ...", "line 1: "),
        ("\n# none", "there are no layouts; "),
        (
            "N:A... K... Q... J... 1\nN:A... K... Q... J... 0",
            "line 2: `0` is not a weight",
        ),
        ("N:A... K... Q... J... inf", "line 1: `inf` is not a weight"),
    ] {
        let error = read_layouts(text).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let deal = "N:A... K... Q... J...\n";
    assert!(read_layouts(&deal.repeat(1000)).is_ok());
    let error = read_layouts(&deal.repeat(1001)).expect_err("too many");
    assert_eq!(error.to_string(), "line 1001: more than 1000 layouts");
}

#[test]
fn what_has_no_sense_is_refused() {
    let view = read("NT S N:AQ... ? 54... ? out=K763...");
    let layouts = all_layouts(&view);
    assert_eq!(layouts.len(), 6);
    let worth = |first: [f64; 3]| {
        let mut worth = [f64::NAN; 14];
        worth[..3].copy_from_slice(&first);
        Objective::Worth(worth)
    };
    let score = |won| Objective::Score {
        contract: "1NTS".parse().expect("a contract"),
        vulnerability: "None".parse().expect("a vulnerability"),
        won,
    };
    let asked = |layouts: &[Layout], weights: &[f64], objective| {
        let options = LineOptions::default();
        best_line(&view, layouts, weights, &objective, &options).map_err(|error| error.to_string())
    };
    for fine in [
        worth([0.0; 3]),
        worth([-1.0, 0.0, 2.0]),
        score(11),
        Objective::Target(2),
    ] {
        assert!(asked(&layouts, &[], fine).is_ok(), "{fine:?}");
    }
    let worths = "expected a value for each number of remaining tricks, in non-decreasing order";
    for (objective, expected) in [
        (
            Objective::Target(3),
            "a target of 3 tricks: there are 2 left",
        ),
        (score(12), "12 tricks won and 2 left; there are 13"),
        (worth([0.0, 2.0, 1.0]), worths),
        (worth([f64::NEG_INFINITY, 0.0, 1.0]), worths),
        (worth([0.0, 1.0, f64::INFINITY]), worths),
        (worth([0.0, f64::NAN, 1.0]), worths),
    ] {
        let error = asked(&layouts, &[], objective).expect_err(expected);
        assert_eq!(error, expected);
    }
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let weights = [1.0, wrong, 1.0, 1.0, 1.0, 1.0];
        let error = asked(&layouts, &weights, Objective::Mean).expect_err("a weight");
        let expected = format!("layout 2 weighs {wrong}; expected a positive number");
        assert_eq!(error, expected);
    }
    let error = asked(&layouts, &[1.0], Objective::Mean).expect_err("one weight");
    assert_eq!(
        error,
        "1 weights for 6 layouts; expected one for each, or none"
    );
    let error = asked(&[], &[], Objective::Mean).expect_err("nothing");
    assert_eq!(error, "cannot draw 0 layouts; ask for at least 1");
    let mut short = layouts.clone();
    short[3][Seat::East] = Hand::EMPTY;
    let error = asked(&short, &[], Objective::Mean).expect_err("a short hand");
    let expected = "layout 4 does not deal the unseen cards: expected K763... in the hidden hands, \
                    of 2, 2, 2, 2 cards (N, E, S, W)";
    assert_eq!(error, expected);
}
